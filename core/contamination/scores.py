"""Memorization scores from token log-probabilities; higher means more likely memorized.

LOSS (Yeom et al. 2018), Min-K% (Shi et al. 2024), Min-K%++ (Zhang et al. 2025), zlib and Reference (Carlini et al. 2021),
with the definitions of the Hubble suite (arXiv 2510.19811).
"""

from __future__ import annotations

import math
import zlib
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import DataError, UsageError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

DEFAULT_K: Final = 0.2
VARIANCE_FLOOR: Final = 1e-10
LARGEST: Final = 1e100
"""Largest magnitude of a log-probability and its moments; beyond it sums and squares of doubles run over."""
LOSS: Final = "LOSS"
MIN_K: Final = "Min-K%"
MIN_K_PLUS: Final = "Min-K%++"
ZLIB: Final = "zlib"
REFERENCE: Final = "Reference"
SCORES: Final = (LOSS, MIN_K, MIN_K_PLUS, ZLIB, REFERENCE)


def loss_score(log_probabilities: ArrayLike) -> float:
    """Return the mean token log-probability.

    Parameters
    ----------
    log_probabilities
        Shape (tokens,): log p(token | tokens before), nothing for a first token that is not predicted.

    Examples
    --------
    >>> loss_score([-1.0, -3.0])
    -2.0
    """
    return float(_tokens(log_probabilities).mean())


def min_k(log_probabilities: ArrayLike, k: float = DEFAULT_K) -> float:
    """Return the mean of the lowest max(1, floor(k N)) token log-probabilities.

    Examples
    --------
    >>> min_k([-1.0, -2.0, -3.0, -4.0, -5.0], k=0.4)
    -4.5
    """
    return _lowest(_tokens(log_probabilities), k)


def min_k_plus(
    log_probabilities: ArrayLike, mean: ArrayLike, deviation: ArrayLike, k: float = DEFAULT_K
) -> float:
    """Return Min-K% of the standardised values z = (log p - mean) / deviation.

    Parameters
    ----------
    log_probabilities
        Shape (tokens,).
    mean, deviation
        Shape (tokens,): mean and standard deviation of log p over the vocabulary, under p, at each position; the
        variance is floored at 1e-10.
    k
        Share of tokens that is kept.

    Examples
    --------
    >>> min_k_plus([-1.0, -4.0], [-2.0, -2.0], [1.0, 2.0])
    -1.0
    """
    values = _tokens(log_probabilities)
    means, deviations = np.asarray(mean, dtype=np.float64), np.asarray(deviation, dtype=np.float64)
    if means.shape != values.shape or deviations.shape != values.shape:
        raise DataError(
            f"Min-K%++ needs a mean and a deviation per token ({len(values)}), found {means.shape} and {deviations.shape}."
        )
    if not (np.isfinite(means).all() and np.isfinite(deviations).all() and (deviations >= 0).all()):
        raise DataError("Token means must be finite and token deviations finite and not negative.")
    if max(np.abs(means).max(), deviations.max()) > LARGEST:
        raise DataError(f"Token means and deviations must not be beyond {LARGEST:g}.")
    return _lowest((values - means) / np.sqrt(np.maximum(deviations**2, VARIANCE_FLOOR)), k)


def zlib_score(log_probabilities: ArrayLike, text: str) -> float:
    """Return LOSS divided by the bytes of the zlib-compressed UTF-8 text.

    Examples
    --------
    >>> round(zlib_score([-1.2, -1.2], "aaaaaaaaaaaaaaaaaaaa"), 3)
    -0.109
    """
    return loss_score(log_probabilities) / compressed_bytes(text)


def reference_score(log_probabilities: ArrayLike, reference: ArrayLike) -> float:
    """Return LOSS under the target model minus LOSS under a reference model.

    Examples
    --------
    >>> reference_score([-1.0, -1.0], [-2.0, -4.0])
    2.0
    """
    return loss_score(log_probabilities) - loss_score(reference)


def compressed_bytes(text: str) -> int:
    """Return the size of the zlib-compressed UTF-8 text."""
    return len(zlib.compress(text.encode(errors="surrogatepass")))


def vocabulary_moments(rows: NDArray[np.floating]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return mean and standard deviation of log p over the vocabulary under p, from full rows of log-probabilities.

    Parameters
    ----------
    rows
        Shape (tokens, vocabulary): log-probabilities; each row's probabilities sum to 1.

    Raises
    ------
    DataError
        If a row is not a distribution.
    """
    values = np.asarray(rows, dtype=np.float64)
    if values.ndim != 2 or values.shape[1] == 0:
        raise DataError(
            f"Expected rows of log-probabilities of shape (tokens, vocabulary), found {values.shape}."
        )
    if np.isnan(values).any():
        raise DataError("A row of log-probabilities holds a missing value.")
    with np.errstate(over="ignore"):  # a row that is no distribution is refused below
        p = np.exp(values)
    total = p.sum(axis=1)
    worst = int(np.abs(total - 1).argmax())
    if abs(total[worst] - 1) > 1e-3:
        raise DataError(
            f"Row {worst} of log-probabilities sums to a probability of {total[worst]:.4f}, expected 1; the rows must cover "
            "the whole vocabulary."
        )
    held = np.where(p > 0, values, 0.0)
    mean = (p * held).sum(axis=1)
    return mean, np.sqrt(np.maximum((p * (held - mean[:, None]) ** 2).sum(axis=1), 0.0))


def _lowest(values: NDArray[np.float64], k: float) -> float:
    if not 0 < k <= 1:
        raise UsageError(f"The share k of Min-K% must lie within (0, 1], found {k}.")
    kept = max(1, math.floor(k * len(values) + 1e-9))
    return float(np.partition(values, kept - 1)[:kept].mean())


def _tokens(log_probabilities: ArrayLike) -> NDArray[np.float64]:
    values = np.asarray(log_probabilities, dtype=np.float64)
    if values.ndim != 1 or len(values) == 0:
        raise DataError(f"Expected a list of token log-probabilities, found shape {values.shape}.")
    if not np.isfinite(values).all():
        raise DataError(
            "A token log-probability is missing or infinite; every value must be a finite number."
        )
    if (values > 1e-6).any():
        raise DataError(
            f"A token log-probability is positive ({values.max():g}); expected natural logarithms, which are at most 0."
        )
    if values.min() < -LARGEST:
        raise DataError(
            f"A token log-probability is {values.min():g}, too far from 0; the lowest that is taken is {-LARGEST:g}."
        )
    return values
