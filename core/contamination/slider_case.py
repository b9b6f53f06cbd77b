"""A contaminated test set from a handful of numbers: how good the predictors are, how much leaked, what it did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from core.contamination import estimators as est
from core.contamination import predictors as pred
from core.contamination.epg import epg
from core.errors import UsageError

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class SliderCase:
    """The numbers.

    Parameters
    ----------
    clean
        Clean accuracy of the items that did not leak.
    leaked_clean, leaked_observed
        Accuracy on the leaked items: of the clean model, and as observed.
    chance
        Expected accuracy of a guess.
    auroc
        AUROC of the memorization predictor, in [.5, 1].
    informativeness
        Of the correctness predictor: 0 always says the chance rate, 1 knows the answer.
    n, rate, replicates
        Items per test set, share that leaked, number of test sets.
    seed
        Seed of the draws.

    Raises
    ------
    UsageError
        If a value is outside its domain.
    """

    clean: float = 0.5
    leaked_clean: float = 0.5
    leaked_observed: float = 0.95
    chance: float = 0.25
    auroc: float = 0.9
    informativeness: float = 0.5
    n: int = 500
    rate: float = 0.3
    replicates: int = 400
    seed: int = 0

    def __post_init__(self) -> None:
        for name in ("clean", "leaked_clean", "leaked_observed", "chance", "informativeness"):
            if not 0 <= getattr(self, name) <= 1:
                raise UsageError(f"'{name}' must lie within [0, 1], found {getattr(self, name)}.")
        if not 0.5 <= self.auroc <= 1:
            raise UsageError(f"The AUROC must lie within [0.5, 1], found {self.auroc}.")
        if not 10 <= self.n <= 20_000 or not 2 <= self.replicates <= 20_000:
            raise UsageError("A case has 10 to 20,000 items and 2 to 20,000 test sets.")
        if not 0 <= self.rate < 1:
            raise UsageError(f"The contamination rate must lie within [0, 1), found {self.rate}.")

    @property
    def inflation(self) -> float:
        """Expected naive score minus the expected clean score."""
        return round(self.rate * self.n) / self.n * (self.leaked_observed - self.leaked_clean)


def slider_errors(case: SliderCase) -> pd.DataFrame:
    """Draw test sets and estimate on each.

    A leaked item's observed outcome differs from its clean one in one direction only, as often as the accuracies ask.

    Returns
    -------
    pandas.DataFrame
        One row per estimator: ``estimator``, the mean ``estimate`` and ``truth``, the 2.5 and 97.5 % quantiles of the
        error added to the mean truth as ``low`` and ``high``, ``bias_pp``, ``sd_pp``, ``rmse_pp``.
    """
    import pandas as pd

    rng = np.random.default_rng(case.seed)
    leaked = np.arange(case.n) < round(case.rate * case.n)
    shape = (case.replicates, case.n)
    y_clean = (rng.random(shape) < np.where(leaked, case.leaked_clean, case.clean)).astype(np.float64)
    up = case.leaked_observed >= case.leaked_clean
    base = 1 - case.leaked_clean if up else case.leaked_clean
    flip = abs(case.leaked_observed - case.leaked_clean) / base if base > 0 else 0.0
    flipped = leaked & (rng.random(shape) < flip) & (y_clean == (0 if up else 1))
    y = np.where(flipped, 1 - y_clean, y_clean)
    mean = float(pred.beta_means([case.auroc])[0])
    d = pred.memorization_scores(np.broadcast_to(leaked, shape), mean, pred.DEFAULT_CONCENTRATION, rng)
    c = pred.correctness_scores(y_clean.ravel(), case.informativeness, case.chance, rng).reshape(shape)
    truth = y_clean.mean(axis=1)
    found = [
        est.naive(y),
        est.ipw(y, d),
        est.impute(c),
        est.combine(y, d, c),
        est.control_variate(y, d, c),
        epg(y, d).estimates,
        est.ipw_hard(y, d),
    ]
    rows = []
    for values in found:
        error = (values.values - truth)[values.defined]
        low, high = np.quantile(error, [0.025, 0.975])
        rows.append(
            {
                "estimator": values.name,
                "estimate": truth.mean() + error.mean(),
                "low": truth.mean() + low,
                "high": truth.mean() + high,
                "truth": truth.mean(),
                "bias_pp": 100 * error.mean(),
                "sd_pp": 100 * error.std(),
                "rmse_pp": 100 * np.sqrt(np.mean(error**2)),
            }
        )
    return pd.DataFrame(rows)
