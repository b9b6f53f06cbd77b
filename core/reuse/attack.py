"""The attacker's side: weights from released scores, votes, and the final router.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), weights and final
router. Nothing here sees an item score: the inputs are released scores, prompt hashes (as gates) and budgets.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from core.reuse import exact

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from core.reuse.exact import Limbs

FLOAT32_WHOLE: Final = 2.0**24
"""Whole numbers up to it are exact in float32."""


def task_weights(
    released: Limbs, released_a: Limbs, released_b: Limbs, shown: NDArray[np.bool_] | None = None
) -> Limbs:
    """Return the weight of each candidate on each coordinate, twice p - (a + b) / 2, exactly.

    Parameters
    ----------
    released
        Shape (coordinates, candidates, trials): the candidates' released scores.
    released_a, released_b
        Shape (coordinates, trials): the endpoints'.
    shown
        Shape (coordinates, candidates, trials): False where a score was withheld; it weighs nothing.

    Returns
    -------
    limbs of shape (coordinates, candidates, trials)
        Only the sign of a sum of weights matters, so the factor two is left in and stays exact.
    """
    reference = exact.add(released_a, released_b)
    doubled = tuple(2.0 * limb for limb in released)
    weights = exact.add(doubled, tuple(limb[:, None, :] for limb in reference), factor=-1.0)
    return weights if shown is None else tuple(limb * shown for limb in weights)


def static_choice(released_a: Limbs, released_b: Limbs, tie: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return the router of budget 1 on one coordinate: the publicly better endpoint, ties as the tie router says.

    Parameters
    ----------
    released_a, released_b
        Shape (trials,): the endpoints' released scores on this coordinate.
    tie
        Shape (prompts,), True where the tie router takes model A.

    Returns
    -------
    array of bool, shape (prompts, trials)
        True where model A is chosen.
    """
    better = exact.sign(exact.add(released_a, released_b, factor=-1.0))
    return _decide(better[None, :], tie)


def final_choices(
    gates: NDArray[np.floating], weights: Limbs, tie: NDArray[np.bool_], budgets: Sequence[int]
) -> Iterator[NDArray[np.bool_]]:
    """Yield the final router's choices on one coordinate, one array per budget.

    Parameters
    ----------
    gates
        Shape (prompts, candidates): +1 where the candidate takes model A, else -1.
    weights
        Shape (candidates, trials): exact weights on this coordinate.
    tie
        Shape (prompts,): the tie router's choice where a vote is exactly zero.
    budgets
        Ascending submission budgets of at least 2; budget k uses the first k - 1 candidates.

    Yields
    ------
    array of bool, shape (prompts, trials)
        True where model A is chosen.
    """
    kind = _vote_type(weights)
    votes: list[NDArray[np.floating]] = [
        np.zeros((len(gates), limb.shape[1]), dtype=kind) for limb in weights
    ]
    used = 0
    for budget in budgets:
        block = slice(used, budget - 1)
        for depth, limb in enumerate(weights):
            voting = limb[block].any(axis=1)
            if voting.any():  # where nothing is released, nobody votes
                who = block if voting.all() else used + np.flatnonzero(voting)
                votes[depth] += gates[:, who].astype(kind, copy=False) @ limb[who].astype(kind, copy=False)
        used = budget - 1
        yield _decide(_sign(votes), tie)


def _vote_type(weights: Limbs) -> type[np.floating]:
    """Return float32 where every sum of signed weights is exact in it (it halves the time), else float64."""
    size = np.abs(weights[0])
    narrow = len(weights) == 1 and float(size.sum(axis=0).max(initial=0.0)) <= FLOAT32_WHOLE
    return np.float32 if narrow and bool((size == np.rint(size)).all()) else np.float64


def _sign(votes: list[NDArray[np.floating]]) -> NDArray[np.floating]:
    """Return numbers with the exact sign of the votes."""
    if len(votes) == 1:
        return votes[0]
    if len(votes) == 2:  # a floating-point sum of two has the sign of the exact sum
        return votes[0] + votes[1]
    return exact.sign([vote.astype(np.float64) for vote in votes]).astype(np.float64)


def _decide(sign: NDArray[np.floating] | NDArray[np.int8], tie: NDArray[np.bool_]) -> NDArray[np.bool_]:
    return np.asarray((sign > 0) | ((sign == 0) & tie[:, None]))
