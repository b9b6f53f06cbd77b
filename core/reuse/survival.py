"""How many submissions a feedback rule survives: the budget at which the selection loss exceeds a tolerance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import UsageError
from core.statistics import COVERAGE, RESAMPLES, resample_counts

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.reuse.result import Study


@dataclass(frozen=True, slots=True)
class Survival:
    """The largest tested budget before the mean selection loss first exceeds the tolerance.

    Parameters
    ----------
    tolerance_pp
        The selection loss that is still accepted.
    submissions, low, high
        The estimate and a bootstrap interval; 0 where the smallest tested budget already exceeds the tolerance, None
        where no tested budget does ("not reached").
    largest
        The largest tested budget.
    """

    tolerance_pp: float
    submissions: int | None
    low: int | None
    high: int | None
    largest: int


def survival(study: Study, tolerance_pp: float) -> Survival:
    """Return how many submissions the study's rule survives.

    The static control (budget 1) is no attack by random routers and is left out. The interval resamples trials as
    everywhere; a resample's own answer is read off its own mean curve.

    Raises
    ------
    UsageError
        If the tolerance is not a number of at least 0, or only budget 1 was studied.
    """
    if not np.isfinite(tolerance_pp) or tolerance_pp < 0:
        raise UsageError(f"A tolerance is a number of percentage points of at least 0, found {tolerance_pp}.")
    tested = [place for place, budget in enumerate(study.budgets) if budget > 1]
    if not tested:
        raise UsageError("Survival needs a budget of at least 2; budget 1 is the static control.")
    budgets = [study.budgets[place] for place in tested]
    losses = study.per_trial["model_selection_loss_pp"][:, tested]
    eligible = study.outcomes.eligible
    if not eligible.any():
        return Survival(tolerance_pp, None, None, None, budgets[-1])
    kept = np.where(eligible[:, None], losses, 0.0)
    counts = resample_counts(study.trials, RESAMPLES)
    sizes = counts @ eligible.astype(np.float64)
    means = (counts[sizes > 0] @ kept) / sizes[sizes > 0, None]
    resampled = _crossings(means, tolerance_pp)
    tail = (1 - COVERAGE) / 2
    low, high = np.quantile(resampled, [tail, 1 - tail], method="inverted_cdf")
    point = _crossings(losses[eligible].mean(axis=0)[None], tolerance_pp)[0]
    return Survival(
        tolerance_pp,
        _budget_before(int(point), budgets),
        _budget_before(int(low), budgets),
        _budget_before(int(high), budgets),
        budgets[-1],
    )


def _crossings(means: NDArray[np.float64], tolerance_pp: float) -> NDArray[np.intp]:
    """Return the first column above the tolerance per row; the number of columns where none is."""
    above = means > tolerance_pp
    return np.asarray(np.where(above.any(axis=1), above.argmax(axis=1), means.shape[1]), dtype=np.intp)


def _budget_before(place: int, budgets: list[int]) -> int | None:
    if place == len(budgets):
        return None
    return budgets[place - 1] if place > 0 else 0
