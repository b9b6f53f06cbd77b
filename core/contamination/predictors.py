"""Synthetic predictors of a stated quality: Beta scores with an exact AUROC, or a stated bias.

Memorization scores are Beta(m k, (1-m) k) on contaminated items and Beta((1-m) k, m k) on clean ones;
correctness scores have class means that slide from the chance rate to certainty.
"""

from __future__ import annotations

from functools import lru_cache, partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike, NDArray

DEFAULT_CONCENTRATION: Final = 10.0
AUROC_CAP: Final = 0.9995
CONCENTRATION_RANGE: Final = (2.0, 200.0)
# Nodes of the double exponential rule on (0, 1): x = 1 / (1 + exp(-pi sinh s)), good at ends where a density grows.
_STEP: Final = 1 / 16
_NODES: Final = _STEP * np.arange(-116, 117)


def beta_auroc(m: ArrayLike, concentration: float) -> NDArray[np.float64]:
    """Return the AUROC of Beta(m k, (1-m) k) against Beta((1-m) k, m k): the integral of f_pos(x) F_neg(x).

    Parameters
    ----------
    m
        Any shape, in [.5, 1).
    concentration
        k > 0.

    Examples
    --------
    >>> beta_auroc(0.5, 10).item()
    0.5
    """
    from scipy.special import betainc, betaln, log_expit

    mean = np.asarray(m, dtype=np.float64)[..., None]
    a, b = mean * concentration, (1 - mean) * concentration
    logit = np.pi * np.sinh(_NODES)
    # f(x) dx with dx = x (1 - x) pi cosh(s) ds
    log_mass = a * log_expit(logit) + b * log_expit(-logit) - betaln(a, b)
    mass = np.exp(log_mass) * np.pi * np.cosh(_NODES) * _STEP
    below = betainc(b, a, np.exp(log_expit(logit)))
    area = (mass * below).sum(axis=-1)
    return np.asarray(np.where(mean[..., 0] == 0.5, 0.5, area))


def beta_means(targets: ArrayLike, concentration: float = DEFAULT_CONCENTRATION) -> NDArray[np.float64]:
    """Return the m whose `beta_auroc` is each target; targets above .9995 are capped there.

    Parameters
    ----------
    targets
        Shape (lines,), in [.5, 1].
    concentration
        k, in [2, 200].

    Raises
    ------
    UsageError
        If a target or the concentration is outside its range.

    Examples
    --------
    >>> beta_means([0.5, 0.7, 0.9, 1.0], 10).round(3).tolist()
    [0.5, 0.556, 0.636, 0.833]
    """
    wanted = np.asarray(targets, dtype=np.float64)
    low, high = CONCENTRATION_RANGE
    if not low <= concentration <= high:
        raise UsageError(f"The concentration must lie within [{low:g}, {high:g}], found {concentration:g}.")
    if not ((wanted >= 0.5) & (wanted <= 1)).all():
        raise UsageError("An AUROC target must lie within [0.5, 1]; below 0.5 the score's sign is wrong.")
    return _solve(tuple(wanted.ravel().tolist()), float(concentration)).reshape(wanted.shape)


@lru_cache(maxsize=256)
def _solve(targets: tuple[float, ...], concentration: float) -> NDArray[np.float64]:
    from scipy.optimize.elementwise import find_root

    capped = np.minimum(np.asarray(targets), AUROC_CAP)
    means = np.full(capped.shape, 0.5)
    inside = capped > 0.5
    if inside.any():
        wanted = capped[inside]
        # The second parameter of the upper end is .02, where the nodes still cover the density's tail.
        ends = (np.full(wanted.shape, 0.5), np.full(wanted.shape, 1 - 0.02 / concentration))
        root = find_root(partial(_excess, concentration=concentration), ends, args=(wanted,))
        means[inside] = root.x
    means.setflags(write=False)
    return means


def _excess(mean: Any, target: Any, concentration: float) -> Any:
    return beta_auroc(mean, concentration) - target


def memorization_scores(
    contaminated: NDArray[np.bool_], mean: float, concentration: float, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Draw one memorization score per item.

    Parameters
    ----------
    contaminated
        Shape (items,).
    mean
        m of `beta_means`.
    concentration
        k.
    rng
        Source of the draws.

    Returns
    -------
    NDArray[np.float64]
        Shape (items,), in [0, 1].
    """
    high, low = mean * concentration, (1 - mean) * concentration
    return rng.beta(np.where(contaminated, high, low), np.where(contaminated, low, high))


def informativeness(bias: ArrayLike, chance: float, p_test: float) -> NDArray[np.float64]:
    """Return q = 1 - |bias| / |chance - p_test|, clipped to [0, 1].

    The expected bias of the imputed score is (1 - q) (chance - p_test).

    Raises
    ------
    UsageError
        If the test set's expected score equals the chance rate, so that no informativeness gives a bias.

    Examples
    --------
    >>> informativeness([0.0, 0.1, 0.3], 0.25, 0.45).round(9).tolist()
    [1.0, 0.5, 0.0]
    """
    distance = abs(chance - p_test)
    if distance < 1e-12:
        raise UsageError(
            f"The expected score of the test set equals the chance rate ({chance:g}), so that a correctness "
            "predictor of any quality has no bias; choose another benchmark."
        )
    return np.clip(1 - np.abs(np.asarray(bias, dtype=np.float64)) / distance, 0.0, 1.0)


def class_means(q: float, chance: float) -> tuple[float, float]:
    """Return the mean correctness score of items that the clean model gets (wrong, right).

    Examples
    --------
    >>> class_means(0.5, 0.25)
    (0.125, 0.625)
    """
    return chance - q * chance, chance + q * (1 - chance)


def correctness_scores(
    y_clean: NDArray[np.float64],
    q: float,
    chance: float,
    rng: np.random.Generator,
    concentration: float = DEFAULT_CONCENTRATION,
) -> NDArray[np.float64]:
    """Draw one correctness score per item.

    A class mean of exactly 0 or 1 is a point mass.

    Parameters
    ----------
    y_clean
        Shape (items,), 0 or 1.
    q
        Informativeness in [0, 1].
    chance
        Chance rate p0.
    rng
        Source of the draws.
    concentration
        k.

    Returns
    -------
    NDArray[np.float64]
        Shape (items,), in [0, 1].
    """
    scores = np.empty(len(y_clean))
    for outcome, mean in enumerate(class_means(q, chance)):
        members = y_clean == outcome
        count = int(members.sum())
        if mean <= 0 or mean >= 1:
            scores[members] = mean
        else:
            scores[members] = rng.beta(mean * concentration, (1 - mean) * concentration, count)
    return scores


def empirical_auroc(scores: NDArray[np.float64], contaminated: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Return the AUROC of several scores at once, ties counted half.

    Parameters
    ----------
    scores
        Shape (lines, items).
    contaminated
        Shape (items,).

    Returns
    -------
    NDArray[np.float64]
        Shape (lines,).
    """
    from scipy.stats import rankdata

    positives = int(contaminated.sum())
    negatives = len(contaminated) - positives
    ranks = rankdata(scores, axis=1)[:, contaminated].sum(axis=1)
    return np.asarray((ranks - positives * (positives + 1) / 2) / (positives * negatives))


def auroc_axis(lines: int) -> NDArray[np.float64]:
    """Return the nominal AUROC targets of a grid: .5 to 1, both included."""
    return np.linspace(0.5, 1.0, lines)


def check_lines(lines: int, allowed: Sequence[int] = range(2, 62)) -> None:
    """Raise a `UsageError` if a grid of that many lines is not offered."""
    if lines not in allowed:
        raise UsageError(f"A grid has {allowed[0]} to {allowed[-1]} lines per axis, found {lines}.")
