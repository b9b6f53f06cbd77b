"""From a raw score to a probability: Platt scaling, and the correction for another share of contaminated items.

`platt` fits one scaling with scikit-learn. `platt_many` fits thousands at once by Newton's method with the same
objective, for bootstrap resamples and studies of the calibration size; a test holds the two equal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import DataError, UsageError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

INVERSE_PENALTY: Final = 1.0
FEW_PER_KIND: Final = 5
"""Spiked and known clean items that a calibration should have at least, of either kind.

The paper finds corrections useful from about ten calibration examples on (arXiv 2605.24818), and so does the shipped study of
calibration sizes, which spikes half of its items: that is five of either kind.
"""
_STEPS: Final = 60
_HALVINGS: Final = 30
_TOLERANCE: Final = 1e-6
_SURE: Final = 0.5  # shorter Newton steps on this convex loss need no check


def few_items_note(spiked: int, clean: int) -> tuple[str, ...]:
    r"""Return a sentence of warning where a calibration rests on few items, else nothing.

    Parameters
    ----------
    spiked, clean
        Calibration items that were put into the training data, and that were kept out.

    Examples
    --------
    >>> few_items_note(5, 5)
    ()
    >>> print(*few_items_note(1, 1))
    The calibration rests on 1 spiked and 1 clean item. With fewer than 5 of either kind it is unreliable, and the intervals, which resample these very items, understate that: spike more.
    """
    if min(spiked, clean) >= FEW_PER_KIND:
        return ()
    note = (
        f"The calibration rests on {spiked:,} spiked and {clean:,} clean item{'' if clean == 1 else 's'}. With fewer than "
        f"{FEW_PER_KIND} of either kind it is unreliable, and the intervals, which resample these very items, understate that: "
        "spike more."
    )
    return (note,)


@dataclass(frozen=True, slots=True)
class Platt:
    """A fitted scaling: P = sigmoid(intercept + slope (score - centre) / scale).

    Parameters
    ----------
    intercept, slope
        Coefficients on the standardised score; the slope carries an L2 penalty with C = 1.
    centre, scale
        Mean and standard deviation of the calibration scores.
    prior
        Share of positive calibration items.
    """

    intercept: float
    slope: float
    centre: float
    scale: float
    prior: float

    def __call__(self, score: ArrayLike) -> NDArray[np.float64]:
        """Return the probability of each score, in the shape of `score`."""
        from scipy.special import expit

        standardised = (np.asarray(score, dtype=np.float64) - self.centre) / self.scale
        return np.asarray(expit(self.intercept + self.slope * standardised), dtype=np.float64)

    def at_prior(self, share: float) -> Platt:
        """Return the scaling for a set with another share of positives (King and Zeng, 2001).

        The odds are multiplied by the ratio of prior odds; the score's distribution within each class is taken to be
        the same in both sets.

        Raises
        ------
        UsageError
            If the share is not strictly between 0 and 1.

        Examples
        --------
        >>> platt([0, 1, 2, 3], [0, 0, 1, 1]).at_prior(0.5).intercept == platt([0, 1, 2, 3], [0, 0, 1, 1]).intercept
        True
        """
        return replace(self, intercept=self.intercept + prior_shift(self.prior, share), prior=share)


def platt(score: ArrayLike, label: ArrayLike) -> Platt:
    """Fit Platt scaling: logistic regression on the standardised score (scikit-learn, L2 penalty with C = 1).

    The penalty keeps the slope finite where the score separates the classes completely.

    Parameters
    ----------
    score
        Shape (items,), finite.
    label
        Shape (items,), 0 or 1.

    Raises
    ------
    DataError
        If only one class occurs, or a score is not finite.
    """
    from sklearn.linear_model import LogisticRegression

    scores, labels = _checked(score, label)
    centre, scale = float(scores.mean()), _scale(scores)
    model = LogisticRegression(C=INVERSE_PENALTY, tol=1e-8, max_iter=1000)
    model.fit(((scores - centre) / scale)[:, None], labels)
    return Platt(float(model.intercept_[0]), float(model.coef_[0, 0]), centre, scale, float(labels.mean()))


def prior_shift(calibrated: float, wanted: float) -> float:
    """Return what to add to the logit when the share of positives is `wanted` and not `calibrated`.

    Raises
    ------
    UsageError
        If a share is not strictly between 0 and 1.
    """
    for share in (calibrated, wanted):
        if not 0 < share < 1:
            raise UsageError(
                f"A share of contaminated items must lie strictly between 0 and 1, found {share}."
            )
    return float(np.log(wanted / (1 - wanted)) - np.log(calibrated / (1 - calibrated)))


@dataclass(frozen=True, eq=False)
class PlattBatch:
    """Many scalings at once; every array has the shape (fits,)."""

    intercept: NDArray[np.float64]
    slope: NDArray[np.float64]
    centre: NDArray[np.float64]
    scale: NDArray[np.float64]
    prior: NDArray[np.float64]

    def __call__(self, score: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return probabilities of shape (fits, items) for scores of shape (items,) or (fits, items)."""
        from scipy.special import expit

        standardised = (score - self.centre[:, None]) / self.scale[:, None]
        return np.asarray(expit(self.intercept[:, None] + self.slope[:, None] * standardised))

    def at_prior(self, share: ArrayLike) -> PlattBatch:
        """Return the scalings for another share of positives, one for all fits or one each; see `Platt.at_prior`."""
        wanted = np.broadcast_to(np.asarray(share, dtype=np.float64), self.prior.shape)
        shift = np.log(wanted / (1 - wanted)) - np.log(self.prior / (1 - self.prior))
        return replace(self, intercept=self.intercept + shift, prior=wanted)


def platt_many(
    score: NDArray[np.float64],
    label: NDArray[np.float64],
    weight: NDArray[np.float64],
    *,
    constant_if_one_class: bool = False,
    start: tuple[float, float] | None = None,
) -> PlattBatch:
    """Fit many Platt scalings at once, each equal to `platt` on its items repeated `weight` times.

    Parameters
    ----------
    score, label
        Shape (items,) or (fits, items).
    weight
        Shape (fits, items): whole numbers from 0.
    constant_if_one_class
        Give a fit that holds one class only the constant probability (positives + 1/2) / (items + 1) instead of an
        error.
    start
        Intercept and slope to start from, for resamples of items whose fit is known; the result is the same.

    Raises
    ------
    DataError
        If a fit holds one class only.
    """
    total = weight.sum(axis=1)
    positives = (weight * label).sum(axis=1)
    one_class = (positives == 0) | (positives == total)
    if one_class.any() and not constant_if_one_class:
        raise DataError("Every calibration sample needs contaminated and clean items.")
    prior = np.where(one_class, (positives + 0.5) / (total + 1), positives / np.maximum(total, 1))
    items = np.maximum(total, 1)
    centre = (weight * score).sum(axis=1) / items
    variance = (weight * (score - centre[:, None]) ** 2).sum(axis=1) / items
    scale = np.where(variance > 0, np.sqrt(variance), 1.0)
    x = (score - centre[:, None]) / scale[:, None]
    intercept, slope = np.log(prior / (1 - prior)), np.zeros_like(prior)
    if start is not None:
        intercept, slope = np.where(one_class, intercept, start[0]), np.where(one_class, slope, start[1])
    for _ in range(_STEPS):
        step = np.where(one_class, 0.0, _newton_step(intercept, slope, x, label, weight))
        longest = float(np.abs(step).max())
        if longest > _SURE:
            step *= _damping(intercept, slope, step, x, label, weight)
        intercept, slope = intercept + step[0], slope + step[1]
        if longest < _TOLERANCE:
            break
    return PlattBatch(intercept, slope, centre, scale, prior)


def _newton_step(
    intercept: NDArray[np.float64],
    slope: NDArray[np.float64],
    x: NDArray[np.float64],
    label: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Return the step of both coefficients, shape (2, fits)."""
    from scipy.special import expit

    p = expit(intercept[:, None] + slope[:, None] * x)
    residual = weight * (p - label)
    curvature = weight * p * (1 - p)
    gradient_0, gradient_1 = residual.sum(axis=1), (residual * x).sum(axis=1) + slope / INVERSE_PENALTY
    h00 = curvature.sum(axis=1) + 1e-12
    h01 = (curvature * x).sum(axis=1)
    h11 = (curvature * x**2).sum(axis=1) + 1 / INVERSE_PENALTY
    determinant = h00 * h11 - h01**2
    step: NDArray[np.float64] = np.stack(
        [h01 * gradient_1 - h11 * gradient_0, h01 * gradient_0 - h00 * gradient_1]
    )
    step /= determinant
    return step


def _damping(
    intercept: NDArray[np.float64],
    slope: NDArray[np.float64],
    step: NDArray[np.float64],
    x: NDArray[np.float64],
    label: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    """Halve long steps until the loss does not grow; shape (fits,)."""
    size = np.ones_like(intercept)
    current = _loss(intercept, slope, x, label, weight)
    for _ in range(_HALVINGS):
        tried = _loss(intercept + size * step[0], slope + size * step[1], x, label, weight)
        worse = tried > current + 1e-12 * np.abs(current)
        if not worse.any():
            break
        size = np.where(worse, size / 2, size)
    return size


def _loss(
    intercept: NDArray[np.float64],
    slope: NDArray[np.float64],
    x: NDArray[np.float64],
    label: NDArray[np.float64],
    weight: NDArray[np.float64],
) -> NDArray[np.float64]:
    logit = intercept[:, None] + slope[:, None] * x
    likelihood = (weight * (np.logaddexp(0, logit) - label * logit)).sum(axis=1)
    return np.asarray(likelihood + slope**2 / (2 * INVERSE_PENALTY))


def _scale(scores: NDArray[np.float64]) -> float:
    spread = float(scores.std())
    return spread if spread > 0 else 1.0


def _checked(score: ArrayLike, label: ArrayLike) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    scores, labels = np.asarray(score, dtype=np.float64), np.asarray(label, dtype=np.int64)
    if scores.shape != labels.shape or scores.ndim != 1:
        raise DataError(f"Expected one label per score, found the shapes {scores.shape} and {labels.shape}.")
    if not np.isfinite(scores).all():
        raise DataError("Every calibration score must be a finite number.")
    if not np.isin(labels, (0, 1)).all():
        raise DataError("Calibration labels must be 0 or 1.")
    if len(np.unique(labels)) < 2:
        raise DataError(
            f"Calibration needs items of both classes, found {int((labels == 1).sum())} positive and "
            f"{int((labels == 0).sum())} negative."
        )
    return scores, labels
