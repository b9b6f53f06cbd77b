"""What a submission gets back: the returned coordinates, and the public table that everybody sees.

`PublicFeedback` is all that the attack learns about the genuine models: it holds released scores and no item scores,
so that nothing of the held-out side can leak into a submission.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import DataError, UsageError
from core.reuse import exact
from core.reuse.scoring import Coordinate, Scale, coordinates_of, performance_coordinates, stack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.exact import Limbs

LOSS_DECIMALS: Final = 10  # losses are compared after rounding to this many decimals


@dataclass(frozen=True)
class Interface:
    """The coordinates that one submission gets back, and how much of them the choice of endpoints may use.

    Parameters
    ----------
    name
        As in a feedback rule: ``task``, ``category``, ``overall``, ``grouped:D:P``, ``policy:task`` and so on.
    coordinates
        The returned scores, in name order.
    practical
        Whether endpoints are chosen, and submissions ranked, by the released scores alone (paper, practical
        policies); otherwise endpoints come from the benchmark's own interface.
    """

    name: str
    coordinates: tuple[Coordinate, ...]
    practical: bool = False

    @property
    def size(self) -> int:
        """Number of returned scores."""
        return len(self.coordinates)

    def release(self, scale: Scale, sums: Limbs) -> Limbs:
        """Return the released scores, shape (coordinates, ...), from reused task sums of shape (tasks, ...)."""
        return stack([scale.score(sums, coordinate, rounded=True) for coordinate in self.coordinates])

    def ones(self, scale: Scale) -> tuple[int, ...]:
        """Return the number that stands for a score of 1, per coordinate."""
        return tuple(scale.one(coordinate, rounded=True) for coordinate in self.coordinates)


@dataclass(frozen=True, eq=False)
class PublicFeedback:
    """The released table of the genuine models, one per trial.

    Parameters
    ----------
    models, coordinates
        Names; model order breaks every tie.
    scores
        Shape (coordinates, trials, models): exact released scores.
    ones
        The number that stands for a score of 1, per coordinate.
    distance_weights
        Weight of each coordinate in the distance between two models.
    overall
        Shape (trials, models): what orders the leaderboard, exact up to a positive factor.
    orientation
        Shape (trials, models): the pair's member with the larger value becomes endpoint A.
    frontier
        Whether dominated models are dropped; False where the endpoints come from the allowed overall.
    """

    models: tuple[str, ...]
    coordinates: tuple[str, ...]
    scores: Limbs
    ones: tuple[int, ...]
    distance_weights: tuple[Fraction, ...]
    overall: Limbs
    orientation: NDArray[np.float64]
    frontier: bool


def interface_of(benchmark: Benchmark, name: str | None = None) -> Interface:
    """Return the interface called `name`, by default the benchmark's own coordinates.

    Raises
    ------
    UsageError
        If the name is unknown or a grouping does not fit the benchmark.
    """
    chosen = name or benchmark.settings.coordinates
    if chosen in ("task", "category", "overall"):
        return Interface(chosen, coordinates_of(benchmark, chosen))
    head, _, rest = chosen.partition(":")
    if head == "grouped":
        return Interface(chosen, _hash_groups(benchmark, rest))
    if head == "policy" and rest in ("task", "category", "aggregate"):
        return Interface(chosen, _practical(benchmark, rest), practical=True)
    raise UsageError(
        f"Unknown feedback rule '{chosen}'. Known parts: task, category, overall, grouped:D:P, "
        "policy:task, policy:category, policy:aggregate."
    )


def public_feedback(benchmark: Benchmark, interface: Interface, scale: Scale, sums: Limbs) -> PublicFeedback:
    """Build the public table that the endpoints are chosen from.

    Parameters
    ----------
    benchmark
        For names, ranking and categories; its item scores are not used.
    interface
        The practical interface, or the benchmark's own.
    scale
        The reused side's scale.
    sums
        Shape (tasks, trials, models): task sums of the genuine models on the reused side.
    """
    scores = interface.release(scale, sums)
    ones = interface.ones(scale)
    alone = interface.practical or interface.size == 1
    if interface.practical:
        overall = exact.weighted_sum(scores, _per_one(category_weights(benchmark, interface), ones))
    elif interface.size == 1:
        overall = exact.take(scores, 0)
    else:
        overall = _leaderboard_overall(benchmark, interface, scale, sums, scores, ones)
    if alone:
        orientation = -exact.dense_ranks(overall).astype(np.float64)
    else:
        orientation = _orientation(benchmark, interface, scale, sums)
    weights = (
        category_weights(benchmark, interface) if interface.practical else (Fraction(1),) * interface.size
    )
    return PublicFeedback(
        models=benchmark.models,
        coordinates=tuple(coordinate.name for coordinate in interface.coordinates),
        scores=scores,
        ones=ones,
        distance_weights=weights,
        overall=overall,
        orientation=orientation,
        frontier=not alone,
    )


def wins(scores: Limbs) -> NDArray[np.float64]:
    """Return twice the number of other models beaten (a tie counts half), summed over coordinates.

    Parameters
    ----------
    scores
        Shape (coordinates, ..., models).

    Returns
    -------
    array of shape (..., models)
        Whole numbers; divided by 2 x coordinates x (models - 1) they are mean win rates.
    """
    ranks = exact.dense_ranks(scores)
    models = ranks.shape[-1]
    total = np.zeros(ranks.shape[1:])
    for rival in range(models):
        other = ranks[..., rival : rival + 1]
        total += ((ranks > other) * 2.0 + (ranks == other)).sum(axis=0)
    return total - len(ranks)


def _leaderboard_overall(
    benchmark: Benchmark,
    interface: Interface,
    scale: Scale,
    sums: Limbs,
    scores: Limbs,
    ones: tuple[int, ...],
) -> Limbs:
    ranking = benchmark.settings.ranking
    if ranking == "mean_win_rate":
        if scale.precision != "step":
            return (wins(scores),)
        table = stack([scale.score(sums, coordinate, rounded=False) for coordinate in interface.coordinates])
        rate = wins(table) / (2.0 * interface.size * (table[0].shape[-1] - 1))
        return (np.rint(rate * 100 / (scale.step_pp or 1.0)),)
    from_released = scale.precision != "exact" or interface.name == "category"
    if ranking == "category_mean" and from_released:
        return exact.weighted_sum(scores, _per_one(category_weights(benchmark, interface), ones))
    parts = performance_coordinates(benchmark)
    if scale.precision == "step":
        whole = Coordinate("overall", tuple(part.tasks for part in parts), pooled=ranking == "item_mean")
        return (scale.ticks_of(sums, whole),)
    if len(parts) == 1:
        return scale.score(sums, parts[0], rounded=False)
    return exact.weighted_sum(scores, _per_one((Fraction(1),) * interface.size, ones))


def _orientation(
    benchmark: Benchmark, interface: Interface, scale: Scale, sums: Limbs
) -> NDArray[np.float64]:
    """Return the rounded loss of the unrounded released table, by the unweighted mean over coordinates."""
    weights = [Fraction(1, interface.size)] * interface.size
    if benchmark.settings.ranking == "category_mean":
        weights = list(category_weights(benchmark, interface))
    mean = sum(
        float(weight) * scale.means(sums, coordinate)
        for weight, coordinate in zip(weights, interface.coordinates, strict=True)
    )
    return np.round(1.0 - np.asarray(mean), LOSS_DECIMALS)


def category_weights(benchmark: Benchmark, interface: Interface) -> tuple[Fraction, ...]:
    """Return weights of the coordinates so that categories count equally; plain means for anything but tasks."""
    if interface.name not in ("task", "policy:task"):
        return (Fraction(1, interface.size),) * interface.size
    members = np.bincount(benchmark.task_category)
    return tuple(
        Fraction(1, len(members) * int(members[benchmark.task_category[coordinate.tasks[0]]]))
        for coordinate in interface.coordinates
    )


def _per_one(weights: tuple[Fraction, ...], ones: tuple[int, ...]) -> list[Fraction]:
    return [weight / one for weight, one in zip(weights, ones, strict=True)]


def _practical(benchmark: Benchmark, level: str) -> tuple[Coordinate, ...]:
    """Return the coordinates of a practical policy: task scores, category scores made of them, or their aggregate."""
    by_category = [
        tuple(int(task) for task in np.flatnonzero(benchmark.task_category == index))
        for index in range(len(benchmark.categories))
    ]
    if level == "task":
        return tuple(Coordinate(name, ((index,),)) for index, name in enumerate(benchmark.tasks))
    if level == "category":
        return tuple(
            Coordinate(name, (tasks,), from_ticks=True)
            for name, tasks in zip(benchmark.categories, by_category, strict=True)
        )
    return (Coordinate("aggregate", tuple(by_category)),)


def task_labels(benchmark: Benchmark) -> tuple[str, ...]:
    """Return ``category/task`` per task, the names that groupings are hashed by."""
    return tuple(
        f"{benchmark.categories[category]}/{task}"
        for task, category in zip(benchmark.tasks, benchmark.task_category, strict=True)
    )


def group_prefix(benchmark: Benchmark) -> str:
    """Return the text that a benchmark's groupings are hashed with; LiveBench's is the published one."""
    if benchmark.name == "LiveBench":
        return "livebench-bandwidth-v1-partition-"
    return f"{benchmark.name}-partition-"


def _hash_groups(benchmark: Benchmark, text: str) -> tuple[Coordinate, ...]:
    dimension_text, _, partition_text = text.partition(":")
    try:
        dimension, partition = int(dimension_text), int(partition_text)
    except ValueError:
        raise UsageError(
            f"Expected grouped:D:P with two whole numbers (groups and partition), found 'grouped:{text}'."
        ) from None
    tasks = len(benchmark.tasks)
    if dimension < 1 or tasks % dimension:
        fitting = ", ".join(str(d) for d in range(1, tasks + 1) if tasks % d == 0)
        raise UsageError(
            f"{dimension} groups do not divide the {tasks} tasks of {benchmark.name} evenly; choose from {fitting}."
        )
    if partition < 0:
        raise UsageError(f"A partition number starts at 0, found {partition}.")
    labels = task_labels(benchmark)
    prefix = f"{group_prefix(benchmark)}{partition}|"
    order = sorted(
        range(tasks),
        key=lambda task: (hashlib.sha256((prefix + labels[task]).encode()).hexdigest(), labels[task]),
    )
    size = tasks // dimension
    if size > 1 and len(set(labels)) != tasks:
        raise DataError("Expected task names without repeats.")
    return tuple(
        Coordinate(
            f"group {index + 1}", (tuple(sorted(order[index * size : (index + 1) * size])),), from_ticks=True
        )
        for index in range(dimension)
    )
