"""Correcting one contaminated test set: calibrate on spiked items, estimate, and attach bootstrap intervals.

The intervals resample items: calibration items within the known-spiked and the known-clean ones, test items among
themselves; both predictors are fitted again on every resample. They cover the sampling of items, not a wrong
calibration (a leak whose doses differ from the spiked ones).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.contamination import estimators as est
from core.contamination.calibration import Platt, PlattBatch, platt_many
from core.contamination.epg import epg
from core.errors import DataError, UsageError
from core.statistics import check_seed

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.typing import NDArray

RESAMPLES: Final = 2000
_CELLS: Final = 250_000  # entries per block of resamples, so that a block stays in the cache


Start = tuple[float, float] | None


@dataclass(frozen=True, eq=False)
class Calibration:
    """Items whose contamination status is known.

    Parameters
    ----------
    score
        Shape (known,): memorization score.
    spiked
        Shape (known,): True for items put into the training data on purpose, False for items kept out.
    y
        Shape (known,): outcomes; NaN where unknown. Only the clean items' are used.
    confidence
        Shape (known,), the logit of the correctness signal, or None without one.
    """

    score: NDArray[np.float64]
    spiked: NDArray[np.bool_]
    y: NDArray[np.float64]
    confidence: NDArray[np.float64] | None = None


@dataclass(frozen=True, eq=False)
class TestSet:
    """Items to be corrected.

    Parameters
    ----------
    y
        Shape (n,): observed outcomes in [0, 1].
    score
        Shape (n,): memorization score.
    confidence
        Shape (n,), the logit of the correctness signal, or None without one.
    probability
        Shape (n,), P(the clean model is right) used as it is instead of `confidence`, or None.
    """

    __test__ = False

    y: NDArray[np.float64]
    score: NDArray[np.float64]
    confidence: NDArray[np.float64] | None = None
    probability: NDArray[np.float64] | None = None


@dataclass(frozen=True, slots=True)
class CorrectionSettings:
    """How a test set is corrected.

    Parameters
    ----------
    resamples
        Bootstrap resamples.
    seed
        Their seed.
    coverage
        Of the intervals.
    prior
        Share of contaminated items in the test set for the prior correction; None keeps the calibration items' share.

    Raises
    ------
    UsageError
        If a value is outside its domain.
    """

    resamples: int = RESAMPLES
    seed: int = 0
    coverage: float = 0.95
    prior: float | None = None

    def __post_init__(self) -> None:
        check_seed(self.seed)
        if not 10 <= self.resamples <= 100_000:
            raise UsageError(f"Bootstrap resamples must be between 10 and 100,000, found {self.resamples}.")
        if not 0 < self.coverage < 1:
            raise UsageError(f"The coverage must lie strictly between 0 and 1, found {self.coverage}.")
        if self.prior is not None and not 0 < self.prior < 1:
            raise UsageError(f"The prior share must lie strictly between 0 and 1, found {self.prior}.")


@dataclass(frozen=True, slots=True)
class CorrectedScore:
    """One estimator's answer for a test set, on the scale of scores.

    Parameters
    ----------
    estimator
        Its name.
    value
        The estimate, or why there is none.
    low, high
        Bootstrap percentile interval; None without an estimate.
    undefined_resamples
        Resamples in which the estimate was undefined; they are left out of the interval.
    """

    estimator: str
    value: float | est.Undefined
    low: float | None
    high: float | None
    undefined_resamples: int


@dataclass(frozen=True, eq=False)
class Correction:
    """A corrected test set.

    Parameters
    ----------
    scores
        One entry per estimator, in the order of `core.contamination.estimators.ESTIMATORS`.
    contaminated_probability
        Shape (n,): d, or None without calibration items.
    correct_probability
        Shape (n,): c, or None without a correctness signal.
    memorization, correctness
        The fitted scalings, or None.
    """

    scores: tuple[CorrectedScore, ...]
    contaminated_probability: NDArray[np.float64] | None
    correct_probability: NDArray[np.float64] | None
    memorization: Platt | None
    correctness: Platt | None

    def frame(self) -> pd.DataFrame:
        """Return one row per estimator: ``estimator, estimate, low, high, undefined_resamples, note``."""
        import pandas as pd

        rows = []
        for score in self.scores:
            missing = isinstance(score.value, est.Undefined)
            rows.append(
                {
                    "estimator": score.estimator,
                    "estimate": None if missing else score.value,
                    "low": score.low,
                    "high": score.high,
                    "undefined_resamples": score.undefined_resamples,
                    "note": str(score.value) if missing else "",
                }
            )
        columns = ["estimate", "low", "high"]
        return pd.DataFrame(rows).astype(dict.fromkeys(columns, "float64"))


def correct(
    test: TestSet,
    calibration: Calibration | None,
    settings: CorrectionSettings | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Correction:
    """Correct a test set's score.

    Parameters
    ----------
    test
        The items to correct.
    calibration
        Items of known status; without them only the naive score, imputation by given probabilities and EPG exist.
    settings
        Bootstrap and prior.
    progress
        Called with the number of completed blocks of resamples and their total.

    Raises
    ------
    DataError
        If the calibration items are all spiked or all clean, or arrays disagree.
    """
    chosen = settings or CorrectionSettings()
    _check(test, calibration)
    n = len(test.y)
    rng = np.random.default_rng(chosen.seed)
    everything = np.arange(n)[None]
    weight = None if calibration is None else np.ones((1, len(calibration.score)))
    fits = _fit(test, calibration, weight, chosen.prior, None)
    point, d, c = _estimates(test, fits, everything)
    starts = tuple(
        None if batch is None else (float(batch.intercept[0]), float(batch.slope[0])) for batch in fits
    )
    draws: dict[str, list[NDArray[np.float64]]] = {name: [] for name in point}
    undefined = dict.fromkeys(point, 0)
    known = 0 if calibration is None else len(calibration.score)
    step = max(1, _CELLS // max(n, known))
    blocks = range(0, chosen.resamples, step)
    for block, start in enumerate(blocks):
        size = min(step, chosen.resamples - start)
        samples = rng.integers(0, n, (size, n))
        weights = None if calibration is None else _stratified_counts(calibration.spiked, size, rng)
        refitted = _fit(test, calibration, weights, chosen.prior, starts)
        for name, values in _estimates(test, refitted, samples)[0].items():
            draws[name].append(values.values[values.defined])
            undefined[name] += int((~values.defined).sum())
        if progress is not None:
            progress(block + 1, len(blocks))
    tail = (1 - chosen.coverage) / 2
    scores = []
    for name, values in point.items():
        kept = np.concatenate(draws[name])
        exists = bool(values.defined[0])
        low, high = np.quantile(kept, [tail, 1 - tail]) if exists and len(kept) else (None, None)
        scores.append(
            CorrectedScore(
                name,
                float(values.values[0]) if exists else est.Undefined(values.reason),
                None if low is None else float(low),
                None if high is None else float(high),
                undefined[name],
            )
        )
    for name in est.ESTIMATORS:
        if name not in point:
            reason = _missing(calibration is None, c is None)
            scores.append(CorrectedScore(name, est.Undefined(reason), None, None, 0))
    scores.sort(key=lambda score: est.ESTIMATORS.index(score.estimator))
    return Correction(
        scores=tuple(scores),
        contaminated_probability=None if d is None else d[0],
        correct_probability=None if c is None else c[0],
        memorization=_single(fits[0]),
        correctness=_single(fits[1]),
    )


def memorization_batch(
    calibration: Calibration, weight: NDArray[np.float64], prior: float | None, start: Start = None
) -> PlattBatch:
    """Fit the memorization predictor on weighted calibration items, shape (fits, known), its prior corrected."""
    batch = platt_many(calibration.score, calibration.spiked.astype(np.float64), weight, start=start)
    return batch if prior is None else batch.at_prior(prior)


def correctness_batch(
    calibration: Calibration, weight: NDArray[np.float64], start: Start = None
) -> PlattBatch:
    """Fit the correctness predictor on the weighted clean calibration items whose outcome is known.

    Raises
    ------
    DataError
        If there are none.
    """
    usable = ~calibration.spiked & np.isfinite(calibration.y)
    if calibration.confidence is None or not usable.any():
        raise DataError("A correctness signal needs clean calibration items with a known outcome.")
    return platt_many(
        calibration.confidence[usable],
        np.round(calibration.y[usable]),
        weight[:, usable],
        constant_if_one_class=True,
        start=start,
    )


def _fit(
    test: TestSet,
    calibration: Calibration | None,
    weight: NDArray[np.float64] | None,
    prior: float | None,
    starts: tuple[Start, ...] | None,
) -> tuple[PlattBatch | None, PlattBatch | None]:
    """Fit both predictors on weighted calibration items; None where there is nothing to fit."""
    if calibration is None or weight is None:
        return None, None
    first, second = starts or (None, None)
    memorization = memorization_batch(calibration, weight, prior, first)
    wanted = test.probability is None and test.confidence is not None
    return memorization, correctness_batch(calibration, weight, second) if wanted else None


def _estimates(
    test: TestSet, fits: tuple[PlattBatch | None, PlattBatch | None], samples: NDArray[np.intp]
) -> tuple[dict[str, est.Estimates], NDArray[np.float64] | None, NDArray[np.float64] | None]:
    """Estimate on resampled test items, shape (resamples, n), with one pair of predictors per resample."""
    y = test.y[samples]
    d = None if fits[0] is None else np.take_along_axis(fits[0](test.score), samples, axis=1)
    c = None
    if test.probability is not None:
        c = test.probability[samples]
    elif test.confidence is not None and fits[1] is not None:
        c = np.take_along_axis(fits[1](test.confidence), samples, axis=1)
    result = {est.NAIVE: est.naive(y)}
    if d is not None:
        result |= {est.IPW: est.ipw(y, d), est.IPW_HARD: est.ipw_hard(y, d)}
    if c is not None:
        result[est.IMPUTATION] = est.impute(c)
    if d is not None and c is not None:
        result |= {est.COMBINED: est.combine(y, d, c), est.CONTROL_VARIATE: est.control_variate(y, d, c)}
    result[est.EPG] = epg(y, test.score[samples]).estimates
    return result, d, c


def _single(batch: PlattBatch | None) -> Platt | None:
    if batch is None:
        return None
    columns = (batch.intercept, batch.slope, batch.centre, batch.scale, batch.prior)
    return Platt(*(float(column[0]) for column in columns))


def _stratified_counts(spiked: NDArray[np.bool_], size: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return resample counts of shape (size, known): spiked and clean items each resampled among themselves."""
    counts = np.zeros((size, len(spiked)))
    for stratum in (spiked, ~spiked):
        members = np.flatnonzero(stratum)
        drawn = rng.integers(0, len(members), (size, len(members))) + len(members) * np.arange(size)[:, None]
        found = np.bincount(drawn.ravel(), minlength=size * len(members))
        counts[:, members] = found.reshape(size, len(members))
    return counts


def _missing(no_calibration: bool, no_correctness: bool) -> str:
    parts = []
    if no_calibration:
        parts.append("items of known status to calibrate on")
    if no_correctness:
        parts.append("a correctness signal")
    return f"it needs {' and '.join(parts)}"


def _check(test: TestSet, calibration: Calibration | None) -> None:
    est.unit_array("y", test.y)
    for name, array in (
        ("score", test.score),
        ("confidence", test.confidence),
        ("probability", test.probability),
    ):
        if array is not None and array.shape != test.y.shape:
            raise DataError(f"The test set has {len(test.y)} outcomes but {len(array)} values of '{name}'.")
    if calibration is None:
        return
    spiked, clean = int(calibration.spiked.sum()), int((~calibration.spiked).sum())
    if spiked == 0 or clean == 0:
        raise DataError(
            f"Calibration needs spiked items and items known to be clean, found {spiked} spiked and {clean} clean."
        )
