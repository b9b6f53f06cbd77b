"""Simulated benchmarks modelled on public leaderboards: real task scores of real models, invented items.

A leaderboard says how each model does on each task and nothing about single items. The generator draws the items: each
outcome is 0 or 1 with the public task score as its chance, and `core.benchmark.copula` makes models succeed and fail on
the same items. Nothing else of the benchmark is real: no item, no prompt, no partial credit.

Sources: LiveBench's public table of 2024-08-31; HELM Capabilities v1.15; sizes from the published lifespan tables
of Allouah, Duchi and Koyejo, "Fast but False Progress on Benchmarks with Richer Feedback" (2026).
"""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.benchmark.copula import check_dependence, draw_outcomes
from core.benchmark.model import Benchmark
from core.benchmark.settings import Settings
from core.errors import DataError, UsageError
from core.provenance import read_shipped

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

LIVEBENCH_NAME: Final = "LiveBench (simulated)"
HELM_NAME: Final = "HELM Capabilities (simulated)"
FIT_FILE: Final = "simulated/livebench_fit.json"

LIVEBENCH_CATEGORY_ITEMS: Final = 102
"""Items per LiveBench category. The published study reuses 30, 66, 126 or 204 items, always the same number in each of six
categories, and holds out 68 per category; 204 / 6 + 68 = 102, two thirds of them held out as elsewhere."""

LIVEBENCH_HELD_OUT: Final = 68

HELM_PUBLIC_ITEMS: Final = {
    "GPQA": 446,
    "IFEval": 541,
    "MMLU-Pro": 1000,
    "Omni-MATH": 1000,
    "WildBench": 1000,
}
"""Instances per scenario of the public leaderboard, as the denominators of its scores show."""

HELM_REUSED_ITEMS: Final = 1064
"""Reused items of the published study (``n`` of its lifespan tables): a third, so 3,192 items in all."""


@dataclass(frozen=True, eq=False)
class Profile:
    """Expected scores to draw items from.

    Parameters
    ----------
    models, tasks
        Names.
    categories
        Shape (tasks,): the category of each task.
    expected
        Shape (models, tasks), from 0 to 1.
    items
        Shape (tasks,): items to draw per task, at least 1.

    Raises
    ------
    DataError
        If shapes disagree or a task has no item.
    """

    models: tuple[str, ...]
    tasks: tuple[str, ...]
    categories: tuple[str, ...]
    expected: NDArray[np.float64]
    items: tuple[int, ...]

    def __post_init__(self) -> None:
        if self.expected.shape != (len(self.models), len(self.tasks)):
            raise DataError(
                f"Expected a score table of shape {(len(self.models), len(self.tasks))} (models, tasks), found "
                f"{self.expected.shape}."
            )
        if len(self.categories) != len(self.tasks) or len(self.items) != len(self.tasks):
            raise DataError("Expected one category and one number of items per task.")
        if min(self.items, default=0) < 1:
            raise DataError("Every task of a simulated benchmark has at least one item.")


def simulate(profile: Profile, settings: Settings, *, dependence: float, seed: int) -> Benchmark:
    """Draw a benchmark from a profile.

    Parameters
    ----------
    profile
        Expected scores and numbers of items.
    settings
        The benchmark's settings.
    dependence
        See `core.benchmark.copula`.
    seed
        A whole number of at least 0; the same seed draws the same items.

    Returns
    -------
    Benchmark
        Outcomes 0 or 1, provenance ``simulated``. Item ids, and so prompts, depend on the task and not on the seed.

    Raises
    ------
    UsageError
        If the dependence is outside 0 to 1 or the seed is negative.
    """
    if isinstance(seed, bool) or not isinstance(seed, int) or seed < 0:
        raise UsageError(f"A seed is a whole number of at least 0, found {seed!r}.")
    item_task = np.repeat(np.arange(len(profile.tasks)), profile.items)
    scores = draw_outcomes(profile.expected, item_task, dependence, np.random.default_rng(seed))
    names = [
        f"{task}-{number:04d}"
        for task, count in zip(profile.tasks, profile.items, strict=True)
        for number in range(1, count + 1)
    ]
    return Benchmark.from_columns(
        settings,
        profile.models,
        names,
        scores,
        task=[profile.tasks[index] for index in item_task],
        category=[profile.categories[index] for index in item_task],
        provenance="simulated",
    )


def share_out(total: int, weights: Sequence[int]) -> tuple[int, ...]:
    """Share items out in proportion to weights, by largest remainder; ties go to the first.

    Examples
    --------
    >>> share_out(102, [1, 1, 1, 1])
    (26, 26, 25, 25)
    """
    whole = sum(weights)
    shares = [divmod(total * weight, whole) for weight in weights]
    by_remainder = sorted(range(len(weights)), key=lambda place: (-shares[place][1], place))
    extra = set(by_remainder[: total - sum(share for share, _ in shares)])
    return tuple(share + (place in extra) for place, (share, _) in enumerate(shares))


def livebench(*, dependence: float | None = None, seed: int = 0) -> Benchmark:
    """Draw a benchmark with LiveBench's public task scores.

    33 models x 612 items in 18 tasks and 6 categories: 102 items per category (`LIVEBENCH_CATEGORY_ITEMS`), shared equally
    among its tasks (more to the first by name), because the public table does not say which items the study kept. Settings
    follow the published protocol: task scores in steps of 0.001 pp, categories count equally, 68 held out per category.

    Parameters
    ----------
    dependence
        See `core.benchmark.copula`; None is the value fitted to the published curves (`fitted_dependence`).
    seed
        0 is the draw that is listed and studied everywhere; other seeds draw other items.
    """
    chosen = fitted_dependence() if dependence is None else check_dependence(dependence)
    return _livebench(chosen, seed)


@lru_cache(maxsize=4)
def _livebench(dependence: float, seed: int) -> Benchmark:
    settings = Settings(
        name=LIVEBENCH_NAME,
        coordinates="task",
        ranking="category_mean",
        precision=0.001,
        holdout_fraction=None,
        holdout_per_category=LIVEBENCH_HELD_OUT,
    )
    return simulate(livebench_profile(), settings, dependence=dependence, seed=seed)


@lru_cache(maxsize=1)
def livebench_profile() -> Profile:
    """Return LiveBench's public task scores with the items to draw; tasks in name order."""
    table = _table("published/livebench_2024_08_31.csv", "LiveBench's public table of 2024-08-31")
    home = {
        row["task"]: row["category"]
        for row in _table("published/livebench_categories.csv", "LiveBench's categories")
    }
    tasks = tuple(sorted(home))
    items: dict[str, int] = {}
    for category in set(home.values()):
        members = [task for task in tasks if home[task] == category]
        items.update(zip(members, share_out(LIVEBENCH_CATEGORY_ITEMS, [1] * len(members)), strict=True))
    return Profile(
        models=tuple(row["model"] for row in table),
        tasks=tasks,
        categories=tuple(home[task] for task in tasks),
        expected=np.array([[float(row[task]) / 100 for task in tasks] for row in table]),
        items=tuple(items[task] for task in tasks),
    )


def helm_capabilities(*, dependence: float | None = None, seed: int = 0) -> Benchmark:
    """Draw a benchmark with HELM Capabilities' public scenario scores.

    68 models x 3,192 items in 5 scenarios. The published study reuses 1,064 items (`HELM_REUSED_ITEMS`) and holds out two
    thirds, so it has 3,192, fewer than the leaderboard's 3,987; they are shared out in proportion to the leaderboard's own
    numbers (`HELM_PUBLIC_ITEMS`), after which a third of each scenario adds up to 1,064 exactly. Settings follow the
    published protocol: scenario scores as float64, their plain mean as overall. All items are 0 or 1 here, also where the
    leaderboard gives partial credit (IFEval, WildBench, Omni-MATH): items vary more than the real ones.

    Parameters
    ----------
    dependence
        See `core.benchmark.copula`; None is the value fitted on LiveBench. It was not fitted here.
    seed
        0 is the draw that is listed and studied everywhere; other seeds draw other items.
    """
    chosen = fitted_dependence() if dependence is None else check_dependence(dependence)
    return _helm_capabilities(chosen, seed)


@lru_cache(maxsize=4)
def _helm_capabilities(dependence: float, seed: int) -> Benchmark:
    settings = Settings(name=HELM_NAME, coordinates="category", ranking="category_mean", precision="float64")
    return simulate(helm_profile(), settings, dependence=dependence, seed=seed)


@lru_cache(maxsize=1)
def helm_profile() -> Profile:
    """Return HELM Capabilities' public scenario scores with the items to draw; scenarios in name order."""
    table = _table("published/helm_capabilities_v1.15.csv", "HELM Capabilities v1.15")
    tasks = tuple(sorted(HELM_PUBLIC_ITEMS))
    return Profile(
        models=tuple(row["model"] for row in table),
        tasks=tasks,
        categories=tasks,
        expected=np.array([[float(row[task]) for task in tasks] for row in table]),
        items=share_out(3 * HELM_REUSED_ITEMS, [HELM_PUBLIC_ITEMS[task] for task in tasks]),
    )


def livebench_fit() -> dict[str, Any]:
    """Return how the dependence was fitted to the published LiveBench curves, as ``tools/fit_dependence.py`` wrote it.

    Raises
    ------
    DataError
        If the shipped file is missing, altered or not what it should be.
    """
    content, _ = read_shipped(FIT_FILE, "fitted by tools/fit_dependence.py", "simulated")
    try:
        values = json.loads(content)
        float(values["dependence"])
    except (ValueError, KeyError, TypeError) as error:
        raise DataError(
            f"The shipped file data/{FIT_FILE} is not the fit it should be ({error!r}). Restore it from the repository."
        ) from error
    return dict(values)


def fitted_dependence() -> float:
    """Return the dependence fitted to the published LiveBench curves with 1 and 18 returned scores."""
    return float(livebench_fit()["dependence"])


def _table(file: str, source: str) -> list[dict[str, str]]:
    content, _ = read_shipped(file, source)
    return list(csv.DictReader(io.StringIO(content.decode("utf-8"))))
