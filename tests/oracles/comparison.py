"""Compare two rows of a trial table: names, flags and ranks exactly, percentage points to 1e-9."""

from __future__ import annotations

import math

EXACT = (
    "trial",
    "new_submissions",
    "eligible",
    "base_a",
    "base_b",
    "no_attack_model",
    "selected_model",
    "rank_drop",
    "false_winner",
    "selected_router",
)
NUMBERS = (
    "model_selection_loss_pp",
    "score_gap_pp",
    "genuine_gap_pp",
    "router_reused_pp",
    "router_heldout_pp",
)
TOLERANCE_PP = 1e-9


def is_empty(value):
    """Whether a cell holds nothing: absent, None, NA or NaN."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, float) and math.isnan(value)


def differences(expected, found):
    """Return {column: (expected, found)} of the cells that differ; empty where the rows agree."""
    wrong = {}
    for column in (*EXACT, *NUMBERS):
        left, right = expected.get(column), found.get(column)
        if is_empty(left) or is_empty(right):
            same = is_empty(left) and is_empty(right)
        elif column in EXACT:
            same = left == right
        else:
            same = abs(left - right) <= TOLERANCE_PP
        if not same:
            wrong[column] = (left, right)
    return wrong
