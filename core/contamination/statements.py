"""What the paper says of its phase diagrams, checked on any diagram (arXiv 2605.24818, section 4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.contamination.estimators import COMBINED, IMPUTATION, IPW, NAIVE

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

RANDOM: Final = ("random_low", "random_medium", "random_high")
_ALL: Final = (*RANDOM, "easy", "medium", "hard")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, checked.

    Parameters
    ----------
    text
        The statement.
    holds
        Whether the diagram agrees.
    numbers
        What was found, in words.
    """

    text: str
    holds: bool
    numbers: str


def check_statements(frame: pd.DataFrame) -> tuple[Statement, ...]:
    """Check the statements on a diagram with all six panels and the paper's four contestants.

    Parameters
    ----------
    frame
        Frame of `core.contamination.phase.PhaseDiagram.frame`.

    Returns
    -------
    tuple[Statement, ...]
        Empty where a panel is missing or another estimator takes part.
    """
    if set(frame["regime"]) != set(_ALL) or not set(frame["winner"]) <= {NAIVE, IPW, IMPUTATION, COMBINED}:
        return ()
    share = {
        (key, name): float((frame.loc[frame["regime"] == key, "winner"] == name).mean())
        for key in _ALL
        for name in (NAIVE, IPW, IMPUTATION, COMBINED)
    }
    excess = {key: _naive_excess(frame[frame["regime"] == key]) for key in ("easy", "hard")}
    ipw, imputation = (sum(share[key, name] for key in RANDOM) / 3 for name in (IPW, IMPUTATION))
    largest = max(share[key, IMPUTATION] for key in RANDOM)
    return (
        Statement(
            "Under random leaks the combined region grows from low to high doses",
            share[RANDOM[0], COMBINED] < share[RANDOM[1], COMBINED] < share[RANDOM[2], COMBINED],
            _steps(share, COMBINED),
        ),
        Statement(
            "and the naive region shrinks",
            share[RANDOM[0], NAIVE] > share[RANDOM[1], NAIVE] >= share[RANDOM[2], NAIVE],
            _steps(share, NAIVE),
        ),
        Statement(
            "Beyond low doses naive wins under 10 % of the cells",
            max(share[key, NAIVE] for key in RANDOM[1:]) < 0.10,
            f"at most {_percent(max(share[key, NAIVE] for key in RANDOM[1:]))}",
        ),
        Statement(
            "Over the random panels IPW wins more cells than imputation",
            ipw > imputation,
            f"{_percent(ipw)} against {_percent(imputation)}",
        ),
        Statement(
            "Naive loses less than half as much to the best when easy items leaked as when hard ones did",
            excess["easy"] < 0.5 * excess["hard"],
            f"{excess['easy']:.1f} against {excess['hard']:.1f} pp",
        ),
        Statement(
            "When hard items leaked, imputation's region is at least 1.5 times its largest random one",
            share["hard", IMPUTATION] >= 1.5 * largest,
            f"{_percent(share['hard', IMPUTATION])} against {_percent(largest)}",
        ),
        Statement(
            "and IPW wins at most 3 %",
            share["hard", IPW] <= 0.03,
            _percent(share["hard", IPW]),
        ),
    )


def _naive_excess(panel: pd.DataFrame) -> float:
    errors = panel[[f"rmse_{name}" for name in (NAIVE, IPW, IMPUTATION, COMBINED)]].to_numpy()
    return float(np.mean(errors[:, 0] - errors.min(axis=1)))


def _steps(share: Mapping[tuple[str, str], float], name: str) -> str:
    return ", ".join(_percent(share[key, name]) for key in RANDOM)


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"
