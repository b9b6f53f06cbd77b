"""A simulated benchmark of any size: models a fixed step apart, tasks on which they differ, items they share.

Nothing here is modelled on a particular leaderboard except one number: how much a model's score on a task departs from
what its overall score and the task's difficulty suggest. That standard deviation is 8.0 pp on LiveBench's public table
and 8.1 pp on HELM Capabilities', so `TASK_SPREAD` is 8 pp.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np

from core.benchmark.copula import check_dependence
from core.benchmark.settings import Settings
from core.benchmark.simulated import Profile, share_out, simulate
from core.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark

FREE_NAME: Final = "Free form (simulated)"
TASK_SPREAD: Final = 0.08
"""Standard deviation of a model's expected score on a task around its overall score, as a fraction."""

LOWEST, HIGHEST = 0.05, 0.95
"""Expected overall scores lie within these."""

MAX_CELLS: Final = 5_000_000
"""Largest number of models x items."""


@dataclass(frozen=True, slots=True)
class FreeForm:
    """The parameters of a free-form benchmark.

    Parameters
    ----------
    models
        Number of models, 2 to 1,000.
    tasks
        Number of tasks, 1 to 1,000: the scores that one submission gets back.
    items
        Items in all, at least 3 per task, shared out equally; two thirds of each task are held out.
    gap
        Distance between the expected overall scores of neighbouring models, in pp; the models stand around 50 %.
    dependence
        Correlation of two models' latent values on one item (`core.benchmark.copula`).
    seed
        Draws task profiles and outcomes.

    Raises
    ------
    UsageError
        If a value is outside its domain; the message says what would fit.
    """

    models: int = 12
    tasks: int = 6
    items: int = 600
    gap: float = 1.0
    dependence: float = 0.5
    seed: int = 0

    def __post_init__(self) -> None:
        for name, low, high in (
            ("models", 2, 1000),
            ("tasks", 1, 1000),
            ("items", 3, MAX_CELLS),
            ("seed", 0, None),
        ):
            value = getattr(self, name)
            wrong = isinstance(value, bool) or not isinstance(value, int)
            if wrong or value < low or (high is not None and value > high):
                domain = f"from {low} to {high:,}" if high is not None else f"of at least {low}"
                raise UsageError(f"Parameter '{name}' is a whole number {domain}, found {value!r}.")
        if self.items < 3 * self.tasks:
            raise UsageError(
                f"{self.items:,} items are too few for {self.tasks:,} tasks: each needs at least 3, so that both sides of a "
                f"split get one. Give at least {3 * self.tasks:,} items, or fewer tasks."
            )
        if self.models * self.items > MAX_CELLS:
            raise UsageError(
                f"{self.models:,} models x {self.items:,} items are {self.models * self.items:,} outcomes, more than "
                f"{MAX_CELLS:,}; take fewer of either."
            )
        check_dependence(self.dependence)
        gap = self.gap
        if isinstance(gap, bool) or not isinstance(gap, int | float) or not 0 <= gap <= 100:
            raise UsageError(f"Parameter 'gap' is a number of percentage points from 0, found {gap!r}.")
        largest = 100 * (HIGHEST - LOWEST) / (self.models - 1)
        if gap > largest:
            raise UsageError(
                f"{self.models} models {gap:g} pp apart do not fit between {LOWEST:.0%} and {HIGHEST:.0%}; the gap can be at "
                f"most {np.floor(1000 * largest) / 1000:g} pp, or take fewer models."
            )


def free_form(
    models: int = 12,
    tasks: int = 6,
    items: int = 600,
    gap: float = 1.0,
    dependence: float = 0.5,
    seed: int = 0,
) -> Benchmark:
    """Draw a benchmark of any size; parameters and errors as in `FreeForm`.

    The model in place r (0 is the best) has the expected overall score ``0.5 + gap * ((models - 1) / 2 - r)``. Its expected
    score on a task departs from that by a normal draw with standard deviation `TASK_SPREAD`, centred over the tasks so that
    the overall score is kept, and scaled down for a model whose scores would leave 0 to 1.

    Returns
    -------
    Benchmark
        Task scores returned, exact counts, the mean over tasks as overall, two thirds of each task held out.

    Examples
    --------
    >>> free_form(models=3, tasks=2, items=30).scores.shape
    (3, 30)
    """
    return _free_form(FreeForm(models, tasks, items, float(gap), float(dependence), seed))


@lru_cache(maxsize=4)
def _free_form(form: FreeForm) -> Benchmark:
    width = len(str(form.models))
    names = tuple(f"model {place:0{width}d}" for place in range(1, form.models + 1))
    labels = tuple(f"task {place:0{len(str(form.tasks))}d}" for place in range(1, form.tasks + 1))
    profile = Profile(names, labels, labels, expected_scores(form), share_out(form.items, [1] * form.tasks))
    settings = Settings(name=FREE_NAME, coordinates="task", ranking="category_mean", precision="exact")
    return simulate(profile, settings, dependence=form.dependence, seed=form.seed)


def expected_scores(form: FreeForm) -> NDArray[np.float64]:
    """Return the expected scores of a free form, shape (models, tasks), best model first."""
    place = np.arange(form.models)
    overall = 0.5 + form.gap / 100 * ((form.models - 1) / 2 - place)
    generator = np.random.default_rng([form.seed, 1])  # apart from the stream that draws the outcomes
    departures = TASK_SPREAD * generator.standard_normal((form.models, form.tasks))
    departures -= departures.mean(axis=1, keepdims=True)
    room = np.minimum(overall, 1.0 - overall)
    furthest = np.abs(departures).max(axis=1)
    departures *= np.minimum(1.0, room / np.maximum(furthest, 1e-300))[:, None]
    return np.clip(overall[:, None] + departures, 0.0, 1.0)
