"""A lifespan by simulation: attack drawn benchmarks of the reader's size and read off the budget.

Several benchmarks are drawn (`core.benchmark.free_form`), each with its own items, task profiles, splits and routers, and the
attack runs on all. The curves are averaged over trials and draws, and the first tested budget that crosses is the reading.

The interval is a two-stage percentile bootstrap: draws are resampled, then trials within each resampled draw. It covers
the luck of items, profiles, splits and routers under the generator, so in repeated use about 95 % of intervals hold the
budget at which the generator's own mean curve crosses. Few draws make it a little too short (the spread between D draws is
underestimated by the factor (D - 1) / D). It does not cover that the generator is wrong about a real benchmark. Tested
budgets double, so a reading of 64 means: above 32, and at most 64.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.benchmark.free_form import FreeForm, free_form
from core.errors import UsageError
from core.reuse.lifespan import FALSE_WINNER_SHARE, Outcome, check_outcome, first_crossing
from core.reuse.study import DEFAULT_BUDGETS, reseed, run_study
from core.statistics import BOOTSTRAP_SEED, COVERAGE, RESAMPLES

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

MAX_ITEMS: Final = 3_000
MAX_SCORES: Final = 60
MAX_MODELS: Final = 80
MAX_SEED: Final = 9_999


@dataclass(frozen=True, slots=True)
class LifespanWish:
    """A benchmark's size and what is assumed about its models.

    Parameters
    ----------
    items
        Reused items n, at least one per returned score.
    scores
        Returned scores d: the drawn benchmark has that many tasks.
    models
        Models on the leaderboard.
    gap
        Step between neighbouring models' expected scores, in pp.
    dependence
        See `core.benchmark.copula`.
    draws, trials
        Benchmarks drawn, and random splits of each.
    seed
        First seed of the draws.

    Raises
    ------
    UsageError
        If a number is outside what is simulated here.
    """

    items: int
    scores: int
    models: int = 30
    gap: float = 1.0
    dependence: float = 0.5
    draws: int = 6
    trials: int = 100
    seed: int = 0

    def __post_init__(self) -> None:
        for name, words, low, high in (
            ("items", "reused items", 1, MAX_ITEMS),
            ("scores", "returned scores", 1, MAX_SCORES),
            ("models", "models", 2, MAX_MODELS),
            ("draws", "draws", 1, 50),
            ("trials", "splits", 1, 1000),
        ):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
                raise UsageError(
                    f"A simulated lifespan takes {low} to {high:,} {words}, found {value!r}; the law alone has no such limit."
                )
        if isinstance(self.seed, bool) or not isinstance(self.seed, int) or not 0 <= self.seed <= MAX_SEED:
            raise UsageError(f"A seed is a whole number from 0 to {MAX_SEED:,}, found {self.seed!r}.")
        if self.items < self.scores:
            raise UsageError(
                f"{self.scores} returned scores need at least {self.scores} reused items, one each; found {self.items}."
            )
        self.form(0)

    def form(self, draw: int) -> FreeForm:
        """Return the free form of a draw: three times the reused items, since two thirds are held out."""
        return FreeForm(
            self.models, self.scores, 3 * self.items, self.gap, self.dependence, self.draws * self.seed + draw
        )


@dataclass(frozen=True, eq=False)
class LifespanCurves:
    """What the attack did on the drawn benchmarks.

    Parameters
    ----------
    wish
        What was simulated.
    budgets
        Tested budgets; 1 is the static control.
    increase_pp
        Shape (draws, trials, budgets): score gap less the genuine models' own, in pp.
    false_winner
        Shape (draws, trials, budgets): 0 or 1.
    eligible
        Shape (draws, trials): whether two models were left to mix.
    """

    wish: LifespanWish
    budgets: tuple[int, ...]
    increase_pp: NDArray[np.float64]
    false_winner: NDArray[np.float64]
    eligible: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class LifespanReading:
    """A budget read off simulated curves.

    Parameters
    ----------
    outcome, level
        What is read off, and the level that counts as crossed (pp, or a share).
    budget, low, high
        First tested budget of at least 2 at which the mean curve crosses, with its interval; infinity: not within the largest.
    per_draw
        The same for each draw alone.
    budgets, mean, mean_low, mean_high
        The mean curve with its pointwise interval.
    eligible_trials, trials
        Trials in which two models were left to mix, and all.
    """

    outcome: Outcome
    level: float
    budget: float
    low: float
    high: float
    per_draw: tuple[float, ...]
    budgets: tuple[int, ...]
    mean: tuple[float, ...]
    mean_low: tuple[float, ...]
    mean_high: tuple[float, ...]
    eligible_trials: int
    trials: int

    @property
    def crosses_static(self) -> bool:
        """Whether already the static control, which tries nothing at random, crosses the level."""
        return self.budgets[0] == 1 and self.mean[0] >= self.level


def simulate_lifespan(
    wish: LifespanWish, *, progress: Callable[[int, int], None] | None = None
) -> LifespanCurves:
    """Attack drawn benchmarks of a size.

    Parameters
    ----------
    wish
        What to simulate.
    progress
        Called with (trials done, trials in all).

    Returns
    -------
    LifespanCurves
        Per draw, trial and budget.
    """
    total = wish.draws * wish.trials
    increases, winners, eligible = [], [], []
    for draw in range(wish.draws):
        form = wish.form(draw)
        benchmark = free_form(form.models, form.tasks, form.items, form.gap, form.dependence, form.seed)
        benchmark = benchmark.with_settings(reseed(benchmark.settings, form.seed))

        def report(done: int, _all: int, before: int = draw * wish.trials) -> None:
            if progress is not None:
                progress(before + done, total)

        study = run_study(benchmark, trials=wish.trials, budgets=DEFAULT_BUDGETS, progress=report)
        found = study.per_trial
        increases.append(found["score_gap_pp"] - found["genuine_gap_pp"])
        winners.append(found["false_winner"])
        eligible.append(study.outcomes.eligible)
    return LifespanCurves(wish, DEFAULT_BUDGETS, np.stack(increases), np.stack(winners), np.stack(eligible))


def read_off(
    curves: LifespanCurves,
    outcome: Outcome,
    tolerance_pp: float,
    *,
    resamples: int = RESAMPLES,
    seed: int = BOOTSTRAP_SEED,
) -> LifespanReading:
    """Read the lifespan off simulated curves.

    Parameters
    ----------
    curves
        From `simulate_lifespan`.
    outcome
        ``score_gap``: the mean gap exceeds the mean baseline by the tolerance; ``false_winner``: 90 % false winners.
    tolerance_pp
        For the score gap.
    resamples, seed
        Of the bootstrap.
    """
    level = tolerance_pp if check_outcome(outcome) == "score_gap" else FALSE_WINNER_SHARE
    values = curves.increase_pp if outcome == "score_gap" else curves.false_winner
    kept = np.where(curves.eligible[:, :, None], values, 0.0)
    usable = int(curves.eligible.sum())
    empty = (math.nan,) * len(curves.budgets)
    if usable == 0:
        nothing = (math.inf,) * len(values)
        return LifespanReading(
            outcome, level, math.inf, math.inf, math.inf, nothing, curves.budgets, empty, empty, empty, 0,
            curves.eligible.size,
        )  # fmt: skip
    mean = kept.sum(axis=(0, 1)) / usable
    means = _resampled_means(kept, curves.eligible, np.random.default_rng(seed), resamples)
    tail = (1 - COVERAGE) / 2
    crossings = np.array([first_crossing(curves.budgets, row, level) for row in means.tolist()])
    low, high = np.quantile(crossings, [tail, 1 - tail], method="inverted_cdf")  # no averages with infinity
    mean_low, mean_high = np.quantile(means, [tail, 1 - tail], axis=0)
    sizes = np.maximum(curves.eligible.sum(axis=1), 1)
    per_draw = kept.sum(axis=1) / sizes[:, None]
    return LifespanReading(
        outcome=outcome,
        level=level,
        budget=first_crossing(curves.budgets, mean.tolist(), level),
        low=float(low),
        high=float(high),
        per_draw=tuple(first_crossing(curves.budgets, row, level) for row in per_draw.tolist()),
        budgets=curves.budgets,
        mean=tuple(mean.tolist()),
        mean_low=tuple(mean_low.tolist()),
        mean_high=tuple(mean_high.tolist()),
        eligible_trials=usable,
        trials=curves.eligible.size,
    )


def _resampled_means(
    values: NDArray[np.float64],
    eligible: NDArray[np.bool_],
    generator: np.random.Generator,
    resamples: int,
) -> NDArray[np.float64]:
    """Return mean curves of two-stage resamples, shape (resamples with an eligible trial, budgets)."""
    draws, trials, budgets = values.shape
    totals, sizes = np.zeros((resamples, budgets)), np.zeros(resamples)
    for _slot in range(draws):
        chosen = generator.integers(0, draws, resamples)
        for draw in range(draws):
            rows = np.flatnonzero(chosen == draw)
            counts = generator.multinomial(trials, np.full(trials, 1.0 / trials), len(rows)).astype(
                np.float64
            )
            totals[rows] += counts @ values[draw]
            sizes[rows] += counts @ eligible[draw].astype(np.float64)
    kept = sizes > 0
    return np.asarray(totals[kept] / sizes[kept, None])
