"""The public table that everybody sees, and that the endpoints are chosen from.

`PublicFeedback` is all that the attack learns about the genuine models: it holds released scores and no item scores,
so that nothing of the held-out side can leak into a submission.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from core.reuse import exact
from core.reuse.interfaces import category_weights
from core.reuse.scoring import Coordinate, performance_coordinates, stack

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark
    from core.reuse.exact import Limbs
    from core.reuse.interfaces import Interface
    from core.reuse.scoring import Scale

LOSS_DECIMALS: Final = 10  # losses are compared after rounding to this many decimals


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

    def under(self, scores: Limbs, ones: tuple[int, ...]) -> PublicFeedback:
        """Return the table with other released scores; the leaderboard's order stays as the benchmark publishes it.

        Where one score (or a restricted set) is all there is, the order follows it.
        """
        if self.frontier:
            return replace(self, scores=scores, ones=ones)
        overall = exact.weighted_sum(scores, _per_one(self.distance_weights, ones))
        orientation = -exact.dense_ranks(overall).astype(np.float64)
        return replace(self, scores=scores, ones=ones, overall=overall, orientation=orientation)


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


def _per_one(weights: tuple[Fraction, ...], ones: tuple[int, ...]) -> list[Fraction]:
    return [weight / one for weight, one in zip(weights, ones, strict=True)]
