"""How many submissions a benchmark lasts: the published law, its refit, and how it failed elsewhere.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), lifespan predictor. With n
reused items and d returned scores, the score gap is said to exceed its baseline by 2 pp after ``1 + c n / d`` submissions,
and 90 % of final routers to be false winners after ``1 + c / d``. The constants are geometric means over LiveBench cells.
On the benchmarks that took no part in the fit the law is off by large factors: `external_cases` and `error_range` say how.

Observed budgets are the first *tested* ones, and the tests double: a crossing seen at 64 lies above 32. A budget that was
not reached within 2,048 is right-censored and written as infinity.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, get_args

from core import published
from core.errors import DataError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

Outcome = Literal["score_gap", "false_winner"]
Status = Literal["crossed", "static", "right_censored"]

OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)
PUBLISHED_TOLERANCE_PP: Final = 2.0
FALSE_WINNER_SHARE: Final = 0.9
MAX_TESTED: Final = 2048
LIVEBENCH_ITEMS: Final = 204
"""Reused items of the LiveBench study with fewer returned scores."""

_COLUMN: Final = {"score_gap": "score_gap_plus2", "false_winner": "false90"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One observed lifespan.

    Parameters
    ----------
    benchmark
        Key of `core.published.BENCHMARKS`.
    items, scores
        Reused items n and returned scores d.
    observed
        First tested random budget that crosses; infinity if none within 2,048 does, 1 where the static control does.
    status
        ``crossed``, ``static`` (already the static control crosses) or ``right_censored``.
    """

    benchmark: str
    items: int
    scores: int
    observed: float
    status: Status


@dataclass(frozen=True, slots=True)
class Law:
    """A fitted lifespan law.

    Parameters
    ----------
    outcome
        What is predicted.
    tolerance_pp
        By how much the score gap may exceed its baseline; NaN for false winners.
    constant
        The law's c.
    cells
        Cells that the constant is the geometric mean of.
    left_out
        Cells that do not cross after the static control: censored, or crossed by it.
    """

    outcome: Outcome
    tolerance_pp: float
    constant: float
    cells: int
    left_out: int

    def predict(self, items: float, scores: float) -> float:
        """Return the predicted number of submissions for n reused items and d returned scores.

        Raises
        ------
        UsageError
            If either is below 1, or there are more scores than items.

        Examples
        --------
        >>> Law("score_gap", 2.0, 0.5, 1, 0).predict(100, 5)
        11.0
        """
        if not items >= 1 or not scores >= 1:
            raise UsageError(
                f"The law needs at least one reused item and one returned score, found {items} and {scores}."
            )
        if scores > items:
            raise UsageError(
                f"{scores:,} returned scores need at least as many reused items, found {items:,}. Raise the items or return "
                "fewer scores."
            )
        size = items if self.outcome == "score_gap" else 1.0
        return 1.0 + self.constant * size / scores


@dataclass(frozen=True, slots=True)
class Case:
    """An observed lifespan beside the law's prediction for it."""

    cell: Cell
    predicted: float

    @property
    def factor(self) -> float:
        """Observed over predicted; infinity where it is only known to be larger (see `least_factor`)."""
        return self.cell.observed / self.predicted

    @property
    def least_factor(self) -> float:
        """The smallest factor that the observation allows: 2,048 over the prediction where it is right-censored."""
        return MAX_TESTED / self.predicted if math.isinf(self.cell.observed) else self.factor


@dataclass(frozen=True, slots=True)
class ErrorRange:
    """How far observations lay from predictions, as observed over predicted.

    Parameters
    ----------
    low, high
        Smallest and largest factor. Where a case is right-censored, `high` is infinite.
    known_high
        The largest factor that has been seen for certain; a censored case counts with 2,048 over its prediction.
    cases
        Number of benchmarks behind the range.
    """

    low: float
    high: float
    known_high: float
    cases: int

    def around(self, predicted: float) -> tuple[float, float]:
        """Return the range of budgets around a prediction, at least 1 submission; the upper end may be infinite.

        Examples
        --------
        >>> ErrorRange(0.1, math.inf, 160.0, 4).around(30.0)
        (3.0, inf)
        """
        return max(1.0, predicted * self.low), max(1.0, predicted * self.high)


def check_outcome(outcome: str) -> Outcome:
    """Return an outcome, or refuse a name that is none."""
    if outcome not in OUTCOMES:
        raise UsageError(f"Unknown outcome '{outcome}'; choose {' or '.join(OUTCOMES)}.")
    return "score_gap" if outcome == "score_gap" else "false_winner"


def training_cells(outcome: Outcome) -> tuple[Cell, ...]:
    """Return the 24 published LiveBench cells: 4 numbers of reused items x 6 numbers of returned scores."""
    column = _COLUMN[check_outcome(outcome)]
    frame = published.predictor_livebench_thresholds().frame
    return tuple(
        Cell("livebench", int(items), int(scores), float(observed), _status(status))
        for items, scores, observed, status in zip(
            frame["n"], frame["d"], frame[f"{column}_k"], frame[f"{column}_status"], strict=True
        )
    )


def fit_law(cells: Iterable[Cell], outcome: Outcome, tolerance_pp: float = PUBLISHED_TOLERANCE_PP) -> Law:
    """Fit the law's constant: the geometric mean of ``d (k - 1) / n`` (score gap) or ``d (k - 1)`` (false winners).

    Only cells that cross after the static control take part. Leaving out the censored ones biases the constant down:
    what lasted longest is not counted.

    Parameters
    ----------
    cells
        Observed lifespans.
    outcome
        What they are lifespans of.
    tolerance_pp
        Threshold above the baseline, for the score gap.

    Raises
    ------
    DataError
        If no cell crosses after the static control.
    """
    check_outcome(outcome)
    given = list(cells)
    used = [cell for cell in given if cell.status == "crossed"]
    if not used:
        raise DataError("No cell crosses the threshold after the static control, so there is nothing to fit.")
    logs = [
        math.log(cell.scores * (cell.observed - 1) / (cell.items if outcome == "score_gap" else 1))
        for cell in used
    ]
    return Law(
        outcome,
        float(tolerance_pp) if outcome == "score_gap" else math.nan,
        math.exp(math.fsum(logs) / len(logs)),
        len(used),
        len(given) - len(used),
    )


def published_law(outcome: Outcome) -> Law:
    """Return the published law, fitted again from its published cells.

    Examples
    --------
    >>> published_law("score_gap").cells, published_law("false_winner").cells
    (23, 18)
    """
    return fit_law(training_cells(outcome), outcome)


def external_cases(outcome: Outcome) -> tuple[Case, ...]:
    """Return the published observations on four benchmarks that took no part in the fit, with the published predictions."""
    column = _COLUMN[check_outcome(outcome)]
    frame = published.predictor_external_validation().frame
    rows = frame[frame["outcome"] == column]
    return tuple(
        Case(Cell(str(key), int(items), int(scores), float(observed), _status(status)), float(predicted))
        for key, items, scores, observed, status, predicted in zip(
            rows["benchmark"], rows["n"], rows["d"], rows["observed_k"], rows["status"], rows["predicted_k"],
            strict=True,
        )
    )  # fmt: skip


def error_range(cases: Sequence[Case]) -> ErrorRange:
    """Return the range of observed over predicted.

    Parameters
    ----------
    cases
        At least one; cases crossed by the static control alone are left out.

    Raises
    ------
    DataError
        If no case is left.
    """
    left = [case for case in cases if case.cell.status != "static"]
    if not left:
        raise DataError("There is no observation to compare the law with.")
    return ErrorRange(
        low=min(case.least_factor for case in left),
        high=max(case.factor for case in left),
        known_high=max(case.least_factor for case in left),
        cases=len(left),
    )


def livebench_cells(tolerance_pp: float) -> tuple[Cell, ...]:
    """Return LiveBench's lifespans at another tolerance, read off the published curves (204 items, 6 numbers of scores).

    Parameters
    ----------
    tolerance_pp
        By how much the score gap may exceed its baseline, in pp.
    """
    frame = published.feedback_score_gap().frame
    return tuple(
        _read_cell(
            "livebench",
            LIVEBENCH_ITEMS,
            int(str(scores)),
            dict(zip(rows["new_submissions"], rows["score_gap_above_preload_pp"], strict=True)),
            tolerance_pp,
        )
        for scores, rows in frame.groupby("dimension")
    )


def law_at(tolerance_pp: float) -> Law:
    """Return the score-gap law at a tolerance.

    At 2 pp it is the published one. Elsewhere nothing is published but LiveBench's curves at one size: the constant is
    the geometric mean over their six cells, and that the lifespan grows in proportion to n is taken over unseen.

    Raises
    ------
    UsageError
        If the tolerance is not positive.
    DataError
        If no curve crosses it.
    """
    if not 0 < tolerance_pp < math.inf:
        raise UsageError(f"The tolerance is a positive number of percentage points, found {tolerance_pp!r}.")
    if tolerance_pp == PUBLISHED_TOLERANCE_PP:
        return published_law("score_gap")
    return fit_law(livebench_cells(tolerance_pp), "score_gap", tolerance_pp)


def external_cases_at(tolerance_pp: float) -> tuple[Case, ...]:
    """Return how the law at a tolerance does on the four other benchmarks, read off their published curves.

    At 2 pp the observations are those of the published validation.
    """
    law = law_at(tolerance_pp)
    if tolerance_pp == PUBLISHED_TOLERANCE_PP:
        return external_cases("score_gap")
    curves = published.score_gap().frame
    found = []
    for case in external_cases("score_gap"):
        own = case.cell
        rows = curves[(curves["benchmark"] == own.benchmark) & (curves["policy"] == "top5")]
        increase = rows["score_gap_mean_pp"] - rows["preload_mean_pp"]
        curve = dict(zip(rows["new_submissions"], increase, strict=True))
        cell = _read_cell(own.benchmark, own.items, own.scores, curve, tolerance_pp)
        found.append(Case(cell, law.predict(own.items, own.scores)))
    return tuple(found)


def first_crossing(budgets: Sequence[int], values: Sequence[float], level: float) -> float:
    """Return the first budget of at least 2 whose value reaches a level, or infinity.

    Examples
    --------
    >>> first_crossing([1, 2, 4], [5.0, 0.5, 1.0], 1.0)
    4.0
    >>> first_crossing([1, 2, 4], [5.0, 0.5, 0.9], 1.0)
    inf
    """
    reached = [
        budget for budget, value in zip(budgets, values, strict=True) if budget >= 2 and value >= level
    ]
    return float(min(reached)) if reached else math.inf


def _read_cell(benchmark: str, items: int, scores: int, curve: dict[int, float], tolerance_pp: float) -> Cell:
    budgets = sorted(int(budget) for budget in curve)
    if curve[1] >= tolerance_pp:
        return Cell(benchmark, items, scores, 1.0, "static")
    observed = first_crossing(budgets, [curve[budget] for budget in budgets], tolerance_pp)
    return Cell(benchmark, items, scores, observed, "right_censored" if math.isinf(observed) else "crossed")


def _status(text: object) -> Status:
    for status in get_args(Status):
        if text == status:
            known: Status = status
            return known
    raise DataError(
        f"Unknown status {text!r} in the published lifespan tables; restore them from the repository."
    )
