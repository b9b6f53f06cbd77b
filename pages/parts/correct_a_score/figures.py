"""Results and figures of the correct a score page, cached by what they depend on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from core.contamination import hubble, shipped
from core.contamination.calibration import platt
from core.contamination.correction import Correction, CorrectionSettings, correct
from core.contamination.detection import auroc, auroc_by_level, reliability, roc
from core.contamination.pool_correction import PoolCase, calibration_sizes, draw_case, repeated_errors
from core.contamination.pools import calibrated_pool
from core.contamination.regimes import Design
from core.contamination.slider_case import SliderCase, slider_errors
from core.figures.detection import reliability_figure, roc_figure
from core.figures.estimates import error_figure, estimate_figure, sizes_figure
from core.figures.inflation import inflation_figure

if TYPE_CHECKING:
    import pandas as pd

    from core.contamination.pool_correction import DrawnCase
    from core.contamination.pools import ItemPool
    from core.figures.base import Figure

HUBBLE_SOURCE = (
    "Hubble, 8 B parameters, 500 B tokens (arXiv 2510.19811); data/hubble/hubble_8b_500b_accuracy.csv."
)


@dataclass(frozen=True, slots=True)
class Wish:
    """A drawn test set: everything it depends on."""

    pool: str
    case: PoolCase
    prior: float | None

    @property
    def where(self) -> str:
        """The case in words."""
        from core.contamination.regimes import REGIMES

        label = REGIMES[self.case.regime].label
        return f"{hubble.preset(self.pool).label}, {label[0].lower()}{label[1:]}"

    @property
    def source(self) -> str:
        """Where the numbers come from."""
        name = hubble.preset(self.pool).label
        borrowed = (
            ", AUROCs of the scores borrowed from MMLU" if hubble.preset(self.pool).borrows_auroc else ""
        )
        return f"A pool drawn here to match Hubble's published means of {name}{borrowed} (arXiv 2510.19811; data/hubble)."


def wish_of(values: dict[str, object]) -> Wish:
    """Return what the controls ask for."""
    rate = int(values["rate"]) / 100  # type: ignore[call-overload]
    spiked = int(values["spiked"])  # type: ignore[call-overload]
    case = PoolCase(
        regime=str(values["regime"]),
        attack=str(values["attack"]),
        design=Design(n=int(values["n"]), rate=rate),  # type: ignore[call-overload]
        spiked=spiked or None,
        seed=int(values["seed"]),  # type: ignore[call-overload]
    )
    return Wish(str(values["pool"]), case, rate if values["prior"] else None)


@st.cache_resource(max_entries=6, show_spinner=False)
def pool_of(key: str) -> ItemPool:
    """Return the calibrated pool of a preset."""
    return calibrated_pool(key, shipped.POOL_SEED)


@st.cache_resource(max_entries=64, show_spinner=False)
def drawn(wish: Wish) -> tuple[DrawnCase, Correction]:
    """Return one test set and its correction."""
    case = draw_case(pool_of(wish.pool), wish.case)
    return case, correct(
        case.test, case.calibration, CorrectionSettings(prior=wish.prior, seed=wish.case.seed)
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def drawn_figure(wish: Wish) -> Figure:
    """Return the figure of one test set."""
    case, correction = drawn(wish)
    return estimate_figure(
        correction.frame(), truth=case.truth, where=wish.where, label="simulated", source=wish.source
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def repeated_figure(wish: Wish, _table: pd.DataFrame) -> Figure:
    """Return the figure of many test sets; `_table` is decided by `wish`."""
    return error_figure(
        _table,
        where=wish.where,
        test_sets=wish.case.design.replicates,
        label="simulated",
        source=wish.source,
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def sizes_of(wish: Wish, mark: int, _table: pd.DataFrame, hidden: tuple[str, ...] = ()) -> Figure:
    """Return the error by calibration size, some estimators left out; `_table` is decided by `wish`."""
    shown = _table[~_table["estimator"].isin(hidden)]
    return sizes_figure(shown, mark=mark, where=wish.where, source=wish.source)


def sizes_wish(wish: Wish) -> Wish:
    """Return the case of the errors by calibration size, which depend on neither the calibration items nor the draw."""
    design = Design(n=wish.case.design.n, rate=wish.case.design.rate, replicates=500)
    return Wish(
        wish.pool, PoolCase(regime=wish.case.regime, attack=wish.case.attack, design=design), wish.prior
    )


def is_shipped(key: Wish) -> bool:
    """Return whether the errors by calibration size of a `sizes_wish` are shipped."""
    return key == Wish("mmlu", PoolCase(design=Design(replicates=500)), None)


def errors_at(wish: Wish) -> dict[str, float]:
    """Return the root mean square errors, pp, by estimator, with the wished calibration items."""
    if wish.case.spiked is not None:
        key = sizes_wish(wish)
        if is_shipped(key):
            table = shipped.default_sizes()
            at = table[table["size"] == wish.case.spiked]
            return dict(zip(at["estimator"], at["rmse_pp"], strict=True))
        return _errors(key, wish.case.spiked)
    design = Design(n=wish.case.design.n, rate=wish.case.design.rate, replicates=500)
    return _errors(replace(wish, case=replace(wish.case, design=design)), None)


@st.cache_resource(max_entries=64, show_spinner=False)
def _errors(wish: Wish, size: int | None) -> dict[str, float]:
    pool = pool_of(wish.pool)
    if size is None:
        table = repeated_errors(pool, wish.case, wish.prior)
    else:
        table = calibration_sizes(pool, wish.case, (size,), wish.prior)
    return dict(zip(table["estimator"], table["rmse_pp"], strict=True))


@st.cache_resource(max_entries=32, show_spinner=False)
def detection_figures(wish: Wish) -> tuple[Figure, Figure]:
    """Return the ROC curve and the reliability, prior corrected and not, on drawn test items."""
    case, _ = drawn(wish)
    score, leaked = case.test.score, case.contaminated
    area = auroc(score, leaked)
    false_rate, true_rate = roc(score, leaked)
    scaling = platt(case.calibration.score, case.calibration.spiked)
    rate = float(leaked.mean())
    diagrams = {
        "as calibrated": reliability(scaling(score), leaked),
        "prior corrected": reliability(scaling.at_prior(rate)(score), leaked),
    }
    words = {"attack": wish.case.attack, "name": f"this test set ({wish.where})", "label": "simulated"}
    return (
        roc_figure(
            false_rate, true_rate, area=(area.value, area.low, area.high), source=wish.source, **words
        ),
        reliability_figure(diagrams, source=wish.source, **words),
    )


@st.cache_resource(max_entries=6, show_spinner=False)
def pool_check(key: str) -> pd.DataFrame:
    """Return the pool's means beside the published ones, per duplication level."""
    import pandas as pd

    pool, published = pool_of(key), hubble.accuracies(key)
    aurocs = {attack: auroc_by_level(values, pool.duplicates) for attack, values in pool.scores.items()}
    rows = []
    for level in pool.levels:
        members = pool.duplicates == level
        row: dict[str, float] = {"copies": level, "items": int(members.sum())}
        for model, outcomes in (("standard", pool.y_clean), ("perturbed", pool.y_observed)):
            row[f"{model}, published %"] = 100 * published[model][level]
            row[f"{model}, pool %"] = round(100 * float(outcomes[members].mean()), 2)
        for attack in hubble.ATTACKS:
            row[f"{attack}, published"] = hubble.attack_aurocs()[attack][level] if level else np.nan
            row[f"{attack}, pool"] = round(aurocs[attack][level].value, 3) if level else np.nan
        rows.append(row)
    return pd.DataFrame(rows)


@st.cache_resource(max_entries=64, show_spinner=False)
def slider_figure(case: SliderCase) -> Figure:
    """Return the figure of a case from sliders."""
    table = slider_errors(case)
    figure = estimate_figure(
        table.assign(note=""),
        truth=float(table["truth"].iloc[0]),
        where="your numbers",
        label="simulated",
        source="Outcomes and predictor scores drawn here from the numbers above; no benchmark stands behind them.",
    )
    return replace(
        figure,
        subtitle=f"Mean estimate over {case.replicates} simulated test sets of {case.n}, %; whiskers hold 95 % of the errors. "
        "The line is the mean clean score. Simulated.",
        notices=(
            "The whiskers are the spread over test sets, both predictors as given; there is no calibration to go wrong.",
        ),
    )


@st.cache_resource(max_entries=1, show_spinner=False)
def inflation() -> Figure:
    """Return what a leak adds to the naive score, from the published accuracies."""
    import pandas as pd

    rows = [
        {
            "benchmark": preset.label,
            "duplicates": level,
            "inflation_pp": hubble.expected_inflation_pp(preset.key, level),
        }
        for preset in hubble.PRESETS.values()
        for level in hubble.LEVELS[1:]
    ]
    return inflation_figure(pd.DataFrame(rows), rate_percent=30, source=HUBBLE_SOURCE)
