"""What a benchmark is, in numbers: sizes, shared prompts, precision in use, and the leaderboard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from core.benchmark.model import Benchmark


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the leaderboard.

    Parameters
    ----------
    model
        The model's name.
    mean
        Mean score over all items, in [0, 1].
    standard_error
        Standard error of that mean over items taken as independent draws: the standard deviation (n - 1) of the
        item scores divided by the square root of their number. NaN with a single item.
    """

    model: str
    mean: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class Summary:
    """Sizes of a benchmark and its leaderboard.

    Parameters
    ----------
    name
        The benchmark's name.
    models, items, prompts, tasks, categories
        Counts.
    shared_prompts
        Prompts that more than one item has.
    shared_items
        Items whose prompt another item has too.
    heldout_items, reused_items
        Items on either side of a split, by the settings' target per task or category.
    precision
        How released scores are held: counts, exact fractions, doubles or ticks.
    leaderboard
        All models by mean item score, best first; ties by name.
    """

    name: str
    models: int
    items: int
    prompts: int
    tasks: int
    categories: int
    shared_prompts: int
    shared_items: int
    heldout_items: int
    reused_items: int
    precision: str
    leaderboard: tuple[Standing, ...]


def summarise(benchmark: Benchmark) -> Summary:
    """Return a benchmark's sizes and leaderboard."""
    group_sizes = np.bincount(benchmark.item_prompt, minlength=len(benchmark.prompts))
    means = benchmark.scores.mean(axis=1)
    count = len(benchmark.items)
    errors = (
        benchmark.scores.std(axis=1, ddof=1) / np.sqrt(count) if count > 1 else np.full(len(means), np.nan)
    )
    rounded = np.round(means, 10)
    order = sorted(range(len(means)), key=lambda index: (-rounded[index], benchmark.models[index]))
    heldout = heldout_target(benchmark)
    return Summary(
        name=benchmark.name,
        models=len(benchmark.models),
        items=count,
        prompts=len(benchmark.prompts),
        tasks=len(benchmark.tasks),
        categories=len(benchmark.categories),
        shared_prompts=int(np.count_nonzero(group_sizes > 1)),
        shared_items=int(group_sizes[group_sizes > 1].sum()),
        heldout_items=heldout,
        reused_items=count - heldout,
        precision=precision_in_use(benchmark),
        leaderboard=tuple(
            Standing(benchmark.models[index], float(means[index]), float(errors[index])) for index in order
        ),
    )


def heldout_target(benchmark: Benchmark) -> int:
    """Return how many items every split holds out.

    With ``holdout_fraction`` each task's items are multiplied by it and rounded, halves to even; with
    ``holdout_per_category`` the number is fixed per category.
    """
    settings = benchmark.settings
    if settings.holdout_per_category is not None:
        return settings.holdout_per_category * len(benchmark.categories)
    fraction = settings.holdout_fraction or 0.0
    sizes = np.bincount(benchmark.item_task, minlength=len(benchmark.tasks))
    return sum(round(fraction * int(size)) for size in sizes)


def precision_in_use(benchmark: Benchmark) -> str:
    """Return in words how released scores are held."""
    settings = benchmark.settings
    if settings.step_pp is not None:
        return f"ticks of {settings.step_pp:g} pp"
    if settings.precision == "float64":
        return "float64"
    if benchmark.counts is None:
        return "exact fractions of the given scores"
    return "exact counts" if settings.repeats == 1 else f"exact counts out of {settings.repeats} runs"
