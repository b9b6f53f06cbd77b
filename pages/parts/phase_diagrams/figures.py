"""Diagrams of the phase diagrams page: shipped ones, computed ones, and one cell's errors, cached by what they depend on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from core.contamination import hubble, shipped
from core.contamination.estimators import PAPER_ESTIMATORS
from core.contamination.phase import CONTESTANTS, PhaseSettings, cell_errors
from core.contamination.phase_draws import row_bias_limit
from core.contamination.pools import DEFAULT_LOADING, calibrated_pool
from core.contamination.regimes import Design
from core.figures.auroc_lines import auroc_lines_figure
from core.figures.cell_errors import cell_figure
from core.figures.phase_diagrams import PhaseLook, phase_figure
from core.figures.wording import number

if TYPE_CHECKING:
    import pandas as pd

    from core.contamination.pools import ItemPool
    from core.figures.base import Figure


@dataclass(frozen=True, slots=True)
class PoolWish:
    """A calibrated pool: everything it depends on."""

    key: str
    seed: int = shipped.POOL_SEED
    loading: float = DEFAULT_LOADING

    @property
    def name(self) -> str:
        """The benchmark's name."""
        return hubble.preset(self.key).label

    @property
    def source(self) -> str:
        """Where the pool comes from, in words."""
        items = sum(hubble.items_per_level().values())
        return (
            f"A pool of {items:,} items drawn here so that its means match Hubble's published accuracies of {self.name} "
            "(arXiv 2510.19811; data/hubble)"
        )


def settings_of(values: dict[str, object]) -> PhaseSettings:
    """Return the settings that the controls ask for."""
    contest = (*PAPER_ESTIMATORS, *(name for name in CONTESTANTS if name in tuple(values["extra"])))  # type: ignore[call-overload]
    return PhaseSettings(
        grid=int(values["grid"]),  # type: ignore[call-overload]
        design=Design(
            n=int(values["n"]),  # type: ignore[call-overload]
            rate=int(values["rate"]) / 100,  # type: ignore[call-overload]
            replicates=int(values["replicates"]),  # type: ignore[call-overload]
            medium=tuple(int(level) for level in str(values["medium"]).split(",")),
        ),
        concentration=float(values["concentration"]),  # type: ignore[arg-type]
        contest=contest,
        extras=True,
        seed=int(values["seed"]),  # type: ignore[call-overload]
    )


def is_shipped(wish: PoolWish, settings: PhaseSettings) -> bool:
    """Whether the diagram of these settings is shipped."""
    return settings == shipped.default_phase_settings() and wish == PoolWish(wish.key)


@st.cache_resource(max_entries=8, show_spinner=False)
def shipped_frame(key: str) -> pd.DataFrame:
    """Return a preset's shipped diagram; not to be changed."""
    frame = shipped.default_phase_frame()
    return frame[frame["pool"] == key].drop(columns="pool").reset_index(drop=True)


@st.cache_resource(max_entries=4, show_spinner=False)
def pool_of(wish: PoolWish) -> ItemPool:
    """Return a calibrated pool."""
    return calibrated_pool(wish.key, wish.seed, wish.loading)


def design_words(settings: PhaseSettings) -> str:
    """Return the test sets in words."""
    design = settings.design
    return f"{design.replicates:,} test sets of {design.n:,} items, {number(100 * design.rate, 0)} % contaminated"


@st.cache_resource(max_entries=128, show_spinner=False)
def diagram_figure(key: object, look: PhaseLook, _frame: pd.DataFrame) -> Figure:
    """Return a diagram's figure without the reader's mark; `_frame` is decided by `key`."""
    return phase_figure(_frame, look)


@st.cache_resource(max_entries=64, show_spinner=False)
def lines_figure(key: object, regime: str, look: PhaseLook, _frame: pd.DataFrame) -> Figure:
    """Return the errors by AUROC alone; `_frame` is decided by `key`."""
    return auroc_lines_figure(_frame, regime, look)


@st.cache_resource(max_entries=128, show_spinner=False)
def cell_figure_of(
    key: object,
    settings: PhaseSettings,
    regime: str,
    place: tuple[int, int],
    look: PhaseLook,
    _pool: ItemPool,
) -> Figure:
    """Return the error distributions of one cell; `_pool` is decided by `key`."""
    errors = cell_errors(_pool, settings, regime, *place)
    auroc = float(np.linspace(0.5, 1, settings.grid)[place[0]])
    limit = row_bias_limit(_pool, regime, settings.design)
    bias = 100 * float(np.linspace(0, limit, settings.grid)[place[1]])
    return cell_figure(
        errors,
        regime=regime,
        auroc=auroc,
        bias_pp=bias,
        label=look.label,
        source=f"{look.origin}; {look.design}.",
    )


def nearest_cell(frame: pd.DataFrame, regime: str, auroc: float, bias_pp: float) -> tuple[int, int] | None:
    """Return the cell nearest to a pair of predictors, or None beyond the row's axis."""
    panel = frame[frame["regime"] == regime]
    aurocs, biases = np.sort(panel["auroc"].unique()), 100 * np.sort(panel["bias"].unique())
    if len(biases) < 2 or bias_pp > biases[-1] + (biases[1] - biases[0]) / 2:
        return None
    return int(np.abs(aurocs - auroc).argmin()), int(np.abs(biases - bias_pp).argmin())
