"""EPG: the clean part of a test set by the threshold with the largest estimated performance gain.

The heuristic of Singh et al. (2024), used without spiked examples: among the parts of the test set that a
contamination score calls clean, take the one whose score falls most clearly below the whole.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.contamination.estimators import EPG, Estimates, unit_array
from core.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

THRESHOLDS: Final = 200
KEPT_SHARE: Final = 0.1


@dataclass(frozen=True, eq=False)
class EpgResult:
    """What EPG chose.

    Parameters
    ----------
    estimates
        The mean outcome of the part that is called clean; the naive score where no threshold gains.
    threshold
        Shape () or (replicates,): items at or below it are called clean.
    clean_share
        Shape () or (replicates,): their share of the test set.
    z
        Shape () or (replicates,): the gain in standard errors; 0 where no threshold gains.
    """

    estimates: Estimates
    threshold: NDArray[np.float64]
    clean_share: NDArray[np.float64]
    z: NDArray[np.float64]


def epg(y: ArrayLike, score: ArrayLike) -> EpgResult:
    """Estimate the clean score from a raw contamination score, without calibration.

    Sweeps 200 equally spaced thresholds from the largest score to the smallest. Items at or below the threshold
    are the clean part, which must keep a tenth of the items. The threshold with the largest positive
    z = (mean y - mean y_clean) / (sd(y) / sqrt(n_clean)) wins; without one the estimate is the naive score.

    Parameters
    ----------
    y
        Shape (n,) or (replicates, n): observed outcomes.
    score
        The same shape: higher means more likely memorized, any unit.

    Raises
    ------
    DataError
        If shapes disagree or a score is not finite.
    """
    outcomes, scores = np.atleast_2d(unit_array("y", y)), np.atleast_2d(np.asarray(score, dtype=np.float64))
    if outcomes.shape != scores.shape:
        raise DataError(
            f"'y' and 'score' must have the same shape, found {outcomes.shape} and {scores.shape}."
        )
    if not np.isfinite(scores).all():
        raise DataError("Every score must be a finite number.")
    replicates, n = outcomes.shape
    thresholds = np.linspace(scores.max(axis=1), scores.min(axis=1), THRESHOLDS, axis=1)
    deepest = _deepest_threshold(scores, thresholds)
    slot = (deepest + THRESHOLDS * np.arange(replicates)[:, None]).ravel()
    size = replicates * THRESHOLDS
    clean_items = _from_the_end(np.bincount(slot, minlength=size).astype(np.float64), replicates)
    clean_sums = _from_the_end(
        np.bincount(slot, weights=outcomes.ravel(), minlength=size).astype(np.float64), replicates
    )
    whole = outcomes.mean(axis=1, keepdims=True)
    spread = outcomes.std(axis=1, keepdims=True)
    eligible = (clean_items >= KEPT_SHARE * n) & (spread > 0)
    clean_mean = clean_sums / np.maximum(clean_items, 1)
    gain = (whole - clean_mean) * np.sqrt(clean_items) / np.where(spread > 0, spread, 1.0)
    # The first threshold keeps every item: its gain is exactly zero, whatever the rounding of the sums.
    gain = np.where(eligible & (clean_items < n), gain, 0.0)
    best = gain.argmax(axis=1)
    rows = np.arange(replicates)
    gains = gain[rows, best]
    values = np.where(gains > 0, clean_mean[rows, best], whole[:, 0])
    chosen = np.where(gains > 0, best, 0)
    shape = np.asarray(y).shape[:-1]
    return EpgResult(
        estimates=Estimates(EPG, values.reshape(shape), np.ones(shape, dtype=np.bool_)),
        threshold=thresholds[rows, chosen].reshape(shape),
        clean_share=(clean_items[rows, chosen] / n).reshape(shape),
        z=np.maximum(gains, 0).reshape(shape),
    )


def _deepest_threshold(scores: NDArray[np.float64], thresholds: NDArray[np.float64]) -> NDArray[np.intp]:
    """Return, per score, the index of the smallest threshold that is not below it."""
    top, bottom = thresholds[:, :1], thresholds[:, -1:]
    step = (top - bottom) / (THRESHOLDS - 1)
    guess = np.floor((top - scores) / np.where(step > 0, step, 1.0)).astype(np.intp)
    index = np.where(step > 0, np.clip(guess, 0, THRESHOLDS - 1), THRESHOLDS - 1)
    # Rounding can put the guess one step off; the thresholds themselves decide.
    index = index - (scores > np.take_along_axis(thresholds, index, axis=1))
    further = np.minimum(index + 1, THRESHOLDS - 1)
    return np.where(scores <= np.take_along_axis(thresholds, further, axis=1), further, index)


def _from_the_end(flat: NDArray[np.float64], replicates: int) -> NDArray[np.float64]:
    """Sum each replicate's slots from the deepest threshold upwards."""
    return flat.reshape(replicates, THRESHOLDS)[:, ::-1].cumsum(axis=1)[:, ::-1]
