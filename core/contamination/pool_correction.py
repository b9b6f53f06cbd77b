"""Correcting test sets that are drawn from a pool, where the truth is known: single draws and many.

`draw_case` draws one test set for `core.contamination.correction.correct`; `repeated_errors` corrects many with the
calibration half's predictors; `calibration_sizes` asks how many spiked items the calibration needs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

import numpy as np

from core.contamination import estimators as est
from core.contamination import regimes as reg
from core.contamination.calibration import platt_many
from core.contamination.correction import Calibration, TestSet, correctness_batch, memorization_batch
from core.contamination.correctness import confidence_logit
from core.contamination.epg import epg
from core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    import pandas as pd
    from numpy.typing import NDArray

    from core.contamination.pools import ItemPool

SIZES: Final = (4, 6, 10, 20, 50, 100, 200, 500, 1000)


@dataclass(frozen=True, slots=True)
class PoolCase:
    """What is drawn from a pool.

    Parameters
    ----------
    regime
        Which items leak.
    attack
        Name of the memorization score.
    design
        Test set's size, rate, and number of test sets for repeated draws.
    spiked
        Calibration items, half spiked and half clean; None takes the whole calibration half.
    seed
        Seed of the draws.
    """

    regime: str = "random_high"
    attack: str = "Min-K%++"
    design: reg.Design = field(default_factory=reg.Design)
    spiked: int | None = None
    seed: int = 0


@dataclass(frozen=True, eq=False)
class DrawnCase:
    """A drawn test set with the items that calibrate it.

    Parameters
    ----------
    test, calibration
        As `correct` takes them.
    truth
        Mean clean outcome of the test set: mu*.
    contaminated
        Shape (n,): which items leaked.
    """

    test: TestSet
    calibration: Calibration
    truth: float
    contaminated: NDArray[np.bool_]


def draw_case(pool: ItemPool, case: PoolCase) -> DrawnCase:
    """Draw one test set and its calibration items.

    Raises
    ------
    UsageError
        If the attack is unknown, or more calibration items are wanted than the pool has.
    DataError
        If the pool has no items for the regime.
    """
    score = pool_score(pool, case.attack)
    items = _test_items(pool, case, 1)[0]
    known = np.flatnonzero(pool.calibration)
    if case.spiked is not None:
        known = _calibration_subsets(pool, case.spiked, 1, np.random.default_rng((case.seed, 2)))[0]
    confidence = confidence_logit(pool.confidence)
    outcomes = pool.test_outcomes
    return DrawnCase(
        test=TestSet(outcomes[items], score[items], confidence[items]),
        calibration=Calibration(score[known], pool.contaminated[known], outcomes[known], confidence[known]),
        truth=float(pool.y_clean[items].mean()),
        contaminated=pool.contaminated[items],
    )


def repeated_errors(
    pool: ItemPool,
    case: PoolCase,
    prior: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Correct many test sets with the predictors of one calibration set and compare with the truth.

    Returns
    -------
    pandas.DataFrame
        One row per estimator: ``estimator, bias_pp, sd_pp, rmse_pp, rmse_low_pp, rmse_high_pp, undefined``; the interval is
        two standard errors of the mean squared error over test sets.
    """
    import pandas as pd

    drawn = draw_case(pool, case)
    items = _test_items(pool, case, case.design.replicates)
    truth = pool.y_clean[items].mean(axis=1)
    score, confidence = pool_score(pool, case.attack), confidence_logit(pool.confidence)
    weight = np.ones((1, len(drawn.calibration.score)))
    batch = memorization_batch(drawn.calibration, weight, prior)
    d = batch(score)[0][items]
    c = correctness_batch(drawn.calibration, weight)(confidence)[0][items]
    y = pool.test_outcomes[items]
    found = [
        est.naive(y),
        est.ipw(y, d),
        est.impute(c),
        est.combine(y, d, c),
        est.control_variate(y, d, c),
        epg(y, score[items]).estimates,
        est.ipw_hard(y, d),
    ]
    if progress is not None:
        progress(1, 1)
    return pd.DataFrame([_error_row(values, truth) for values in found])


def calibration_sizes(
    pool: ItemPool,
    case: PoolCase,
    sizes: tuple[int, ...] = SIZES,
    prior: float | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> pd.DataFrame:
    """Measure the error by the number of calibration items, half of them spiked at the pool's mix of doses.

    Every replicate draws its own calibration items and its own test set. IPW uses the memorization predictor alone,
    imputation the correctness predictor alone (fitted on the clean half), combined both.

    Returns
    -------
    pandas.DataFrame
        One row per size and estimator: ``size`` and the columns of `repeated_errors`. The naive score does not depend on
        the size and is there for comparison.

    Raises
    ------
    UsageError
        If a size is below 4, odd, or larger than the pool allows.
    """
    import pandas as pd

    score, confidence = pool_score(pool, case.attack), confidence_logit(pool.confidence)
    items = _test_items(pool, case, case.design.replicates)
    y, truth = pool.test_outcomes[items], pool.y_clean[items].mean(axis=1)
    rows: list[dict[str, object]] = []
    for index, size in enumerate(sizes):
        known = _calibration_subsets(
            pool, size, case.design.replicates, np.random.default_rng((case.seed, 3, size))
        )
        ones = np.ones((len(known), size))
        batch = platt_many(score[known], pool.contaminated[known].astype(np.float64), ones)
        if prior is not None:
            batch = batch.at_prior(prior)
        d = batch(score[items])
        clean = known[:, size // 2 :]
        correctness = platt_many(
            confidence[clean], pool.y_clean[clean], ones[:, size // 2 :], constant_if_one_class=True
        )
        c = correctness(confidence[items])
        found = (est.naive(y), est.ipw(y, d), est.impute(c), est.combine(y, d, c))
        rows.extend({"size": size, **_error_row(values, truth)} for values in found)
        if progress is not None:
            progress(index + 1, len(sizes))
    return pd.DataFrame(rows)


def pool_score(pool: ItemPool, attack: str) -> NDArray[np.float64]:
    """Return a pool's memorization score.

    Raises
    ------
    UsageError
        If the pool has no score of that name; the message lists those it has.
    """
    if attack not in pool.scores:
        raise UsageError(f"The pool has no score '{attack}'. It has: {', '.join(pool.scores) or 'none'}.")
    return pool.scores[attack]


def _test_items(pool: ItemPool, case: PoolCase, test_sets: int) -> NDArray[np.intp]:
    """Return the items of test sets, shape (test_sets, n)."""
    clean, leaking = reg.clean_items(pool), reg.leaking_items(pool, case.regime, case.design)
    count, share = case.design.n, case.design.contaminated
    rng = np.random.default_rng((case.seed, 1))
    first = clean[rng.integers(0, len(clean), (test_sets, count - share))]
    second = leaking[rng.integers(0, len(leaking), (test_sets, share))]
    return np.concatenate([first, second], axis=1)


def _calibration_subsets(pool: ItemPool, size: int, count: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """Return sets of calibration items without repeats, shape (count, size), the spiked half first."""
    spiked = np.flatnonzero(pool.calibration & pool.contaminated)
    clean = np.flatnonzero(pool.calibration & ~pool.contaminated)
    half = size // 2
    if size < 4 or size % 2 or half > min(len(spiked), len(clean)):
        raise UsageError(
            f"A calibration set has an even number of items, from 4 to {2 * min(len(spiked), len(clean))} in this pool; "
            f"found {size}."
        )
    parts = []
    for members in (spiked, clean):
        keys = rng.random((count, len(members)))
        parts.append(members[np.argpartition(keys, half - 1, axis=1)[:, :half]])
    return np.concatenate(parts, axis=1)


def _error_row(values: est.Estimates, truth: NDArray[np.float64]) -> dict[str, object]:
    error = 100 * (values.values - truth)[values.defined]
    squared = error**2
    margin = 2 * squared.std(ddof=1) / np.sqrt(len(squared)) if len(squared) > 1 else 0.0
    mse = squared.mean() if len(squared) else np.nan
    return {
        "estimator": values.name,
        "bias_pp": error.mean() if len(error) else np.nan,
        "sd_pp": error.std() if len(error) else np.nan,
        "rmse_pp": np.sqrt(mse),
        "rmse_low_pp": np.sqrt(max(mse - margin, 0.0)),
        "rmse_high_pp": np.sqrt(mse + margin),
        "undefined": int((~values.defined).sum()),
    }
