"""How well a score separates contaminated from clean items: AUROC with interval, ROC curve, reliability.

AUROC and ROC come from scikit-learn; the interval is DeLong's (Biometrics 44, 1988), computed from midranks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


@dataclass(frozen=True, slots=True)
class Auroc:
    """An area under the ROC curve with its interval.

    Parameters
    ----------
    value, low, high
        The area and DeLong's interval, clipped to [0, 1].
    positives, negatives
        Contaminated and clean items that it rests on.
    """

    value: float
    low: float
    high: float
    positives: int
    negatives: int


@dataclass(frozen=True, eq=False)
class Reliability:
    """A reliability diagram: predicted probability against observed frequency per bin.

    Parameters
    ----------
    predicted, observed, low, high
        Shape (bins,): mean prediction, frequency, and its Wilson interval; only bins that hold items.
    count
        Shape (bins,): items per bin.
    error
        Expected calibration error: mean of |predicted - observed| over items.
    """

    predicted: NDArray[np.float64]
    observed: NDArray[np.float64]
    low: NDArray[np.float64]
    high: NDArray[np.float64]
    count: NDArray[np.int64]
    error: float


def auroc(score: ArrayLike, contaminated: ArrayLike, confidence: float = 0.95) -> Auroc:
    """Return the area under the ROC curve with DeLong's interval.

    Parameters
    ----------
    score
        Shape (items,): higher = more likely contaminated.
    contaminated
        Shape (items,): True or 1 for contaminated items.
    confidence
        Coverage of the interval.

    Raises
    ------
    DataError
        If a class has no items, shapes disagree, or a score is not finite.

    Examples
    --------
    >>> auroc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1]).value
    0.75
    """
    from scipy.stats import norm, rankdata

    scores, labels = _checked(score, contaminated)
    positive, negative = scores[labels], scores[~labels]
    m, n = len(positive), len(negative)
    ranks = rankdata(np.concatenate([positive, negative]))
    above = (ranks[:m] - rankdata(positive)) / n
    below = 1 - (ranks[m:] - rankdata(negative)) / m
    value = float(above.mean())
    variance = (above.var(ddof=1) / m if m > 1 else 0.0) + (below.var(ddof=1) / n if n > 1 else 0.0)
    margin = float(norm.ppf(0.5 + confidence / 2) * np.sqrt(variance))
    return Auroc(value, max(0.0, value - margin), min(1.0, value + margin), m, n)


def auroc_by_level(
    score: ArrayLike, duplicates: ArrayLike, confidence: float = 0.95
) -> dict[int | None, Auroc]:
    """Return one AUROC per duplication level against the clean items, and the pooled one under None.

    Raises
    ------
    DataError
        As `auroc`.
    """
    scores, levels = np.asarray(score, dtype=np.float64), np.asarray(duplicates)
    result: dict[int | None, Auroc] = {None: auroc(scores, levels > 0, confidence)}
    for level in np.unique(levels[levels > 0]):
        kept = (levels == 0) | (levels == level)
        result[int(level)] = auroc(scores[kept], levels[kept] > 0, confidence)
    return result


def roc(score: ArrayLike, contaminated: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the ROC curve as (false positive rates, true positive rates), both ascending from 0 to 1."""
    from sklearn.metrics import roc_curve

    scores, labels = _checked(score, contaminated)
    false_rate, true_rate, _ = roc_curve(labels, scores)
    return np.asarray(false_rate, dtype=np.float64), np.asarray(true_rate, dtype=np.float64)


def reliability(probability: ArrayLike, outcome: ArrayLike, bins: int = 10) -> Reliability:
    """Return the reliability diagram of probabilities in equally wide bins.

    Parameters
    ----------
    probability
        Shape (items,), in [0, 1].
    outcome
        Shape (items,), 0 or 1.
    bins
        Number of bins over [0, 1].

    Raises
    ------
    DataError
        If a probability is outside [0, 1] or shapes disagree.
    """
    p, y = np.asarray(probability, dtype=np.float64), np.asarray(outcome, dtype=np.float64)
    if p.shape != y.shape or p.ndim != 1 or len(p) == 0:
        raise DataError(f"Expected one outcome per probability, found the shapes {p.shape} and {y.shape}.")
    if not ((p >= 0) & (p <= 1)).all():
        raise DataError("Every probability must lie within [0, 1].")
    index = np.minimum((p * bins).astype(np.intp), bins - 1)
    count = np.bincount(index, minlength=bins)
    held = count > 0
    total = count[held].astype(np.float64)
    predicted = np.bincount(index, weights=p, minlength=bins)[held] / total
    observed = np.bincount(index, weights=y, minlength=bins)[held] / total
    low, high = _wilson(observed, total)
    error = float((np.abs(predicted - observed) * total).sum() / len(p))
    return Reliability(predicted, observed, low, high, count[held].astype(np.int64), error)


def _wilson(
    share: NDArray[np.float64], total: NDArray[np.float64]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    z = 1.959963984540054
    centre = (share + z**2 / (2 * total)) / (1 + z**2 / total)
    margin = z * np.sqrt(share * (1 - share) / total + z**2 / (4 * total**2)) / (1 + z**2 / total)
    return np.maximum(centre - margin, 0.0), np.minimum(centre + margin, 1.0)


def _checked(score: ArrayLike, contaminated: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    scores, labels = np.asarray(score, dtype=np.float64), np.asarray(contaminated).astype(np.bool_)
    if scores.shape != labels.shape or scores.ndim != 1:
        raise DataError(f"Expected one label per score, found the shapes {scores.shape} and {labels.shape}.")
    if not np.isfinite(scores).all():
        raise DataError("Every score must be a finite number.")
    if labels.all() or not labels.any():
        raise DataError(
            f"An AUROC needs contaminated and clean items, found {int(labels.sum())} and {int((~labels).sum())}."
        )
    return scores, labels
