"""Choosing the two models that a router mixes, from the public table alone.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), choice of endpoints:
drop dominated models, keep the best five by the public overall, take the most distant pair, and call the one with
the larger loss A. All comparisons are exact; ties go to the name that sorts first.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Final, Literal, get_args

import numpy as np

from core.errors import UsageError
from core.reuse import exact

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.reuse.feedback import PublicFeedback

EndpointPolicy = Literal["top5", "full_frontier"]
ENDPOINT_POLICIES: Final[tuple[str, ...]] = get_args(EndpointPolicy)
POOL_SIZE: Final = 5
_PAIR_ELEMENTS: Final = 4_000_000  # entries of a distance table handled at once


@dataclass(frozen=True, eq=False)
class Endpoints:
    """The chosen pair of each trial.

    Parameters
    ----------
    eligible
        Shape (trials,): False where fewer than two models remain; a and b are then -1.
    a, b
        Shape (trials,): model indices; A has the larger public loss.
    frontier
        Shape (trials, models): True where no other model is at least as good everywhere and better somewhere.
    pool
        Shape (trials, models): the models among which the pair was sought.
    distance_pp
        Shape (trials,): (weighted) mean absolute difference of the pair over the coordinates, pp; NaN if ineligible.
    """

    eligible: NDArray[np.bool_]
    a: NDArray[np.intp]
    b: NDArray[np.intp]
    frontier: NDArray[np.bool_]
    pool: NDArray[np.bool_]
    distance_pp: NDArray[np.float64]


def select_endpoints(feedback: PublicFeedback, policy: EndpointPolicy = "top5") -> Endpoints:
    """Choose the endpoints of every trial.

    Parameters
    ----------
    feedback
        The public table.
    policy
        ``top5``: the pair is sought among the frontier's best five by the public overall; ``full_frontier``: among
        the whole frontier.

    Raises
    ------
    UsageError
        If the policy is unknown, or asks for a frontier where a single score leaves none.
    """
    if policy not in ENDPOINT_POLICIES:
        raise UsageError(f"Unknown endpoint policy '{policy}'; choose {' or '.join(ENDPOINT_POLICIES)}.")
    trials, models = feedback.orientation.shape
    if feedback.frontier:
        frontier = pareto_frontier(feedback)
    else:
        if policy == "full_frontier":
            raise UsageError(
                "The endpoint policy full_frontier needs several returned scores that endpoints may be chosen by; "
                "with this feedback rule use top5."
            )
        frontier = np.ones((trials, models), dtype=bool)
    eligible = frontier.sum(axis=1) >= 2
    pool = frontier if policy == "full_frontier" else _best(feedback, frontier)
    a, b, distance = _most_distant(feedback, pool & eligible[:, None])
    swap = eligible & (
        np.take_along_axis(feedback.orientation, np.stack([a, b], axis=1), axis=1) @ [1, -1] < 0
    )
    a, b = np.where(swap, b, a), np.where(swap, a, b)
    return Endpoints(
        eligible=eligible,
        a=np.where(eligible, a, -1),
        b=np.where(eligible, b, -1),
        frontier=frontier,
        pool=pool,
        distance_pp=np.where(eligible, distance, np.nan),
    )


def pareto_frontier(feedback: PublicFeedback) -> NDArray[np.bool_]:
    """Return which models are not dominated, shape (trials, models); identical profiles do not drop each other."""
    ranks = exact.dense_ranks(feedback.scores).astype(np.int16)
    kept = np.ones(ranks.shape[1:], dtype=bool)
    for other in range(ranks.shape[2]):
        rival = ranks[:, :, other : other + 1]
        kept &= ~((rival >= ranks).all(axis=0) & (rival > ranks).any(axis=0))
    return kept


def _best(feedback: PublicFeedback, frontier: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the frontier's best models by the public overall, ties by name."""
    ranks = np.where(frontier, exact.dense_ranks(feedback.overall), -1)
    order = np.argsort(-ranks, axis=1, kind="stable")[:, :POOL_SIZE]
    pool = np.zeros_like(frontier)
    np.put_along_axis(pool, order, values=True, axis=1)
    return pool & frontier


def _most_distant(
    feedback: PublicFeedback, pool: NDArray[np.bool_]
) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.float64]]:
    """Return each trial's most distant pair (first, second by name) and its mean distance in pp."""
    trials = len(pool)
    weights = np.array(
        [float(weight / one) for weight, one in zip(feedback.distance_weights, feedback.ones, strict=True)]
    )
    total_weight = float(sum(feedback.distance_weights))
    first = np.zeros(trials, dtype=np.intp)
    second = np.zeros(trials, dtype=np.intp)
    distance = np.zeros(trials)
    approximate = np.moveaxis(exact.collapse(feedback.scores), 0, -1)
    widest = max(2, int(pool.sum(axis=1).max(initial=0)))
    chunk = max(1, _PAIR_ELEMENTS // (widest * widest * approximate.shape[2]))
    left, right = np.triu_indices(widest, k=1)
    for start in range(0, trials, chunk):
        rows = slice(start, min(trials, start + chunk))
        # Members of each pool by index, padded with the last one; padding only makes pairs of distance zero.
        members = np.argsort(~pool[rows], axis=1, kind="stable")[:, :widest]
        sizes = np.maximum(pool[rows].sum(axis=1), 1)
        table = np.take_along_axis(approximate[rows], members[:, :, None], axis=1)
        sums = np.abs(table[:, left] - table[:, right]) @ weights
        sums[(left >= sizes[:, None]) | (right >= sizes[:, None])] = -1.0
        near = sums >= sums.max(axis=1, keepdims=True) * (1 - 1e-12) - 1e-300
        pick = near.argmax(axis=1)
        for row in np.flatnonzero(near.sum(axis=1) > 1):
            longest = Fraction(-1)
            for place in np.flatnonzero(near[row] & (left < sizes[row]) & (right < sizes[row])):
                pair = int(members[row, left[place]]), int(members[row, right[place]])
                length = _exact_distance(feedback, start + int(row), *pair)
                if length > longest:  # an equal pair that comes later by name does not replace it
                    longest, pick[row] = length, place
        index = np.arange(len(pick))
        first[rows] = members[index, left[pick]]
        second[rows] = members[index, right[pick]]
        distance[rows] = 100.0 * sums[index, pick] / total_weight
    return first, second, distance


def _exact_distance(feedback: PublicFeedback, trial: int, one: int, other: int) -> Fraction:
    return sum(
        (
            weight
            / unit
            * abs(
                exact.fraction(feedback.scores, (c, trial, one))
                - exact.fraction(feedback.scores, (c, trial, other))
            )
            for c, (weight, unit) in enumerate(zip(feedback.distance_weights, feedback.ones, strict=True))
        ),
        Fraction(0),
    )
