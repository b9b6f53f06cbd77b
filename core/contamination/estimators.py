"""Estimators of the clean score from contaminated outcomes (arXiv 2605.24818, section 3).

Every function takes arrays of shape (n,) for one test set or (replicates, n) for many, the items along the last
axis. ``y`` holds observed outcomes, ``d`` the probability that an item is contaminated, ``c`` the probability that
the clean model would answer it correctly. The target is the mean clean outcome of the same test set.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import DataError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

NAIVE: Final = "naive"
IPW: Final = "ipw"
IPW_HARD: Final = "ipw_hard"
IMPUTATION: Final = "imputation"
COMBINED: Final = "combined"
EPG: Final = "epg"
CONTROL_VARIATE: Final = "control_variate"

PAPER_ESTIMATORS: Final = (NAIVE, IPW, IMPUTATION, COMBINED)
ESTIMATORS: Final = (*PAPER_ESTIMATORS, CONTROL_VARIATE, EPG, IPW_HARD)
LABELS: Final = {
    NAIVE: "naive",
    IPW: "IPW",
    IPW_HARD: "IPW, hard at 1/2",
    IMPUTATION: "imputation",
    COMBINED: "combined",
    EPG: "EPG",
    CONTROL_VARIATE: "control variate",
}


@dataclass(frozen=True)
class Undefined:
    """An estimate that does not exist, with the reason in words.

    Examples
    --------
    >>> str(Undefined("no item is left"))
    'undefined (no item is left)'
    """

    reason: str

    def __str__(self) -> str:
        return f"undefined ({self.reason})"


@dataclass(frozen=True, eq=False)
class Estimates:
    """One estimator's values.

    Parameters
    ----------
    name
        One of `ESTIMATORS`.
    values
        Shape () or (replicates,); 0 where the estimate is undefined.
    defined
        The same shape: whether each entry exists.
    reason
        Why entries are undefined; empty where every entry is defined.
    """

    name: str
    values: NDArray[np.float64]
    defined: NDArray[np.bool_]
    reason: str = ""

    @property
    def value(self) -> float | Undefined:
        """The value of a single test set.

        Raises
        ------
        ValueError
            If the estimates belong to several replicates.
        """
        if self.values.ndim != 0:
            raise ValueError(f"Expected one test set, found estimates of shape {self.values.shape}.")
        return float(self.values) if bool(self.defined) else Undefined(self.reason)


def naive(y: ArrayLike) -> Estimates:
    """Take the observed score as it is: the mean of `y`.

    Examples
    --------
    >>> naive([1, 0, 1, 1]).value
    0.75
    """
    outcomes = unit_array("y", y)
    return _all_defined(NAIVE, outcomes.mean(axis=-1))


def ipw(y: ArrayLike, d: ArrayLike) -> Estimates:
    """Weight each item by its probability of being clean: sum (1-d) y / sum (1-d).

    Undefined where every item is certainly contaminated. Leaked items keep the weight 1 - d, so that the estimate
    under-corrects unless d is close to 0 or 1: with a calibrated d the leaked share of all weight is
    1 - E[(1-d)^2] / E[1-d].

    Examples
    --------
    >>> ipw([1, 0, 1], [0.5, 0.0, 0.5]).value
    0.5
    >>> ipw([1, 0], [1, 1]).value
    Undefined(reason='every item is certainly contaminated, so that no weight is left')
    """
    outcomes, contaminated = _aligned(("y", y), ("d", d))
    return _ratio(IPW, (1 - contaminated) * outcomes, 1 - contaminated)


def ipw_hard(y: ArrayLike, d: ArrayLike) -> Estimates:
    """Average `y` over the items that are more likely clean than contaminated (d < 1/2).

    Examples
    --------
    >>> ipw_hard([1, 0, 1], [0.9, 0.2, 0.4]).value
    0.5
    """
    outcomes, contaminated = _aligned(("y", y), ("d", d))
    kept = (contaminated < 0.5).astype(np.float64)
    return _ratio(IPW_HARD, kept * outcomes, kept, "every item is more likely contaminated than clean")


def impute(c: ArrayLike) -> Estimates:
    """Replace every outcome by its prediction: the mean of `c`.

    Examples
    --------
    >>> impute([0.25, 0.75]).value
    0.5
    """
    correct = unit_array("c", c)
    return _all_defined(IMPUTATION, correct.mean(axis=-1))


def combine(y: ArrayLike, d: ArrayLike, c: ArrayLike) -> Estimates:
    """Impute in proportion to the contamination probability: the mean of d c + (1-d) y.

    Examples
    --------
    >>> combine([1, 1], [1, 0], [0.5, 0.0]).value
    0.75
    """
    outcomes, contaminated, correct = _aligned(("y", y), ("d", d), ("c", c))
    return _all_defined(COMBINED, (contaminated * correct + (1 - contaminated) * outcomes).mean(axis=-1))


def control_variate(y: ArrayLike, d: ArrayLike, c: ArrayLike) -> Estimates:
    """Correct the imputed score by the residuals of clean items: mean c + weighted mean of (y - c), weights 1 - d.

    Beyond the paper: the prediction-powered estimate (Angelopoulos et al., Science 382, 2023), in the
    survey literature a difference estimator with control variate `c` (Owen, Monte Carlo theory, 2013, chapter 8).
    It is consistent if contamination is independent of the residual y* - c given the weights: random leaks, or
    predictions whose error is the same on leaked and clean items. It may leave [0, 1].

    Examples
    --------
    >>> control_variate([1, 1, 0], [1, 0, 0], [0.5, 0.5, 0.5]).value
    0.5
    """
    outcomes, contaminated, correct = _aligned(("y", y), ("d", d), ("c", c))
    weights = 1 - contaminated
    residual = _ratio(CONTROL_VARIATE, weights * (outcomes - correct), weights)
    values = np.where(residual.defined, residual.values + correct.mean(axis=-1), 0.0)
    return Estimates(CONTROL_VARIATE, values, residual.defined, residual.reason)


def unit_array(name: str, values: ArrayLike) -> NDArray[np.float64]:
    """Return `values` as float64 of shape (n,) or (replicates, n), every entry within [0, 1].

    Raises
    ------
    DataError
        If the shape is another one, there are no items, or an entry is missing or outside [0, 1].
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim not in {1, 2}:
        raise DataError(f"'{name}' must have the shape (n,) or (replicates, n), found {array.shape}.")
    if array.shape[-1] == 0:
        raise DataError(f"'{name}' holds no items; an estimate needs at least one.")
    outside = ~((array >= 0) & (array <= 1))
    if outside.any():
        where = tuple(int(index) for index in np.argwhere(outside)[0])
        raise DataError(
            f"'{name}' must lie within [0, 1], found {array[where]} at position "
            f"{where[0] if len(where) == 1 else where}."
        )
    return array


def _aligned(*named: tuple[str, ArrayLike]) -> list[NDArray[np.float64]]:
    arrays = [unit_array(name, values) for name, values in named]
    items = {array.shape[-1] for array in arrays}
    replicates = {array.shape[0] for array in arrays if array.ndim == 2}
    if len(items) > 1 or len(replicates) > 1:
        shapes = ", ".join(f"{name} {array.shape}" for (name, _), array in zip(named, arrays, strict=True))
        raise DataError(f"The arrays must describe the same items and replicates, found the shapes {shapes}.")
    return arrays


def _all_defined(name: str, values: ArrayLike) -> Estimates:
    array = np.asarray(values, dtype=np.float64)
    return Estimates(name, array, np.ones(array.shape, dtype=np.bool_))


def _ratio(
    name: str,
    numerator: NDArray[np.float64],
    denominator: NDArray[np.float64],
    reason: str = "every item is certainly contaminated, so that no weight is left",
) -> Estimates:
    numerator, denominator = np.broadcast_arrays(numerator, denominator)
    below = np.asarray(denominator.sum(axis=-1))
    missing = np.asarray(below <= 0)
    quotient = np.asarray(numerator.sum(axis=-1)) / np.where(missing, 1.0, below)
    return Estimates(name, np.where(missing, 0.0, quotient), ~missing, reason if missing.any() else "")
