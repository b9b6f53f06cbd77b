"""The checks on scores: numbers within [0, 1], no percentages, whole successes where runs are repeated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from core.benchmark.faults import Fault, first_rows, listing, plural, quoted, row_listing
from core.benchmark.item_table import EMPTY, NOT_A_NUMBER, NOT_FINITE, OK

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.benchmark.item_table import ItemTable

COUNT_TOLERANCE: Final = 0.01
"""How far score x repeats may lie from a whole number of successes."""
_ROUNDING: Final = 1e-9


def check_scores(table: ItemTable, repeats: int) -> list[Fault]:
    """Return every fault of the scores."""
    faults = []
    empty = table.states == EMPTY
    if empty.any():
        rows = table.rows[empty]
        faults.append(
            Fault(
                "score_missing",
                f"{plural(len(rows), 'score')} missing ({row_listing(rows)}).",
                first_rows(rows),
                len(rows),
                repair="Fill in the scores; a failed run is 0.",
            )
        )
    faults += _not_scores(
        table, NOT_A_NUMBER, "score_not_number", "not a number", "not numbers",
        "Write scores as numbers between 0 and 1 with a decimal point.",
    )  # fmt: skip
    faults += _not_scores(
        table, NOT_FINITE, "score_not_finite", "NaN or infinite", "NaN or infinite",
        "Fill in the scores; a failed run is 0.",
    )  # fmt: skip
    good = table.states == OK
    outside = good & ((table.scores < 0) | (table.scores > 1))
    if outside.any():
        faults.append(_outside(table, good, outside))
    if repeats > 1:
        faults += _not_counts(table, good & ~outside, repeats)
    return faults


def snapped(scores: NDArray[np.float64], repeats: int) -> NDArray[np.float64]:
    """Return scores as exact fractions of successes where runs are repeated, else unchanged.

    Examples
    --------
    >>> snapped(np.array([0.333, 0.67]), 3).tolist() == [1 / 3, 2 / 3]
    True
    """
    return scores if repeats == 1 else np.rint(scores * repeats) / repeats


def _not_scores(table: ItemTable, state: int, code: str, one: str, several: str, repair: str) -> list[Fault]:
    places = np.flatnonzero(table.states == state)
    if not len(places):
        return []
    rows = table.rows[places]
    examples = [
        f"{quoted(table.texts.get(int(place), '?'))} in row {table.rows[place]}"
        for place in places[np.argsort(rows, kind="stable")[:5]]
    ]
    return [
        Fault(
            code,
            f"{plural(len(rows), 'score')} {'is' if len(rows) == 1 else 'are'} "
            f"{one if len(rows) == 1 else several}: {listing(examples, len(rows))}.",
            first_rows(rows),
            len(rows),
            repair=repair,
        )
    ]


def _outside(table: ItemTable, good: NDArray[np.bool_], outside: NDArray[np.bool_]) -> Fault:
    rows = table.rows[outside]
    values = table.scores[good]
    low, high = float(values.min()), float(values.max())
    nonzero = values[values != 0]
    percent = low >= 0 and high <= 100 and np.count_nonzero(nonzero > 1) * 2 >= len(nonzero)
    if percent:
        return Fault(
            "score_percent",
            f"The scores run from {low:g} to {high:g}, which looks like a percentage scale; "
            f"expected 0 to 1 ({plural(len(rows), 'score')} outside [0, 1], {row_listing(rows)}).",
            first_rows(rows),
            len(rows),
            repair="Divide the scores by 100; nothing is rescaled here.",
        )
    places = np.flatnonzero(outside)
    examples = [f"{table.scores[place]:.6g} in row {table.rows[place]}" for place in places[:5]]
    return Fault(
        "score_range",
        f"{plural(len(rows), 'score')} outside [0, 1]: {listing(examples, len(rows))}.",
        first_rows(rows),
        len(rows),
        repair="Scores run from 0 to 1, higher is better.",
    )


def _not_counts(table: ItemTable, usable: NDArray[np.bool_], repeats: int) -> list[Fault]:
    scaled = np.where(usable, table.scores, 0.0) * repeats
    places = np.flatnonzero(np.abs(scaled - np.rint(scaled)) > COUNT_TOLERANCE + _ROUNDING)
    if not len(places):
        return []
    rows = table.rows[places]
    examples = [
        f"{table.scores[place]:.6g} x {repeats} = {scaled[place]:.4g} in row {table.rows[place]}"
        for place in places[:5]
    ]
    return [
        Fault(
            "score_repeats",
            f"{plural(len(rows), 'score')} whose score x repeats is further than {COUNT_TOLERANCE:g} from an integer: "
            f"{listing(examples, len(rows))}.",
            first_rows(rows),
            len(rows),
            repair=f"With repeats = {repeats} a score is the mean of {repeats} runs of 0 or 1; correct repeats or the scores.",
        )
    ]
