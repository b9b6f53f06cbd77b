"""Figures of the score gap page, built once per small frozen description and shared by all visitors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.benchmark.catalogue import BANKS, load
from core.figures.comparisons import pools_figure
from core.figures.history import history_figure
from core.figures.player import Player
from core.figures.score_gap import gap_figure, increase_figure, published_baseline, study_baseline
from core.figures.series import published_series, study_series
from core.reuse.history import trial_history
from pages.parts.one_trial.figures import short_name
from pages.parts.studies import BANKS as BANK_NAMES

if TYPE_CHECKING:
    import pandas as pd

    from core.bundled_study import StudyWish
    from core.figures.base import Figure
    from core.reuse.history import History


@st.cache_resource(max_entries=1, show_spinner=False)
def published_rows() -> pd.DataFrame:
    """Return the published score gaps; not to be changed."""
    return published_series("score_gap_pp")


@st.cache_resource(max_entries=1, show_spinner=False)
def baseline_rows() -> pd.DataFrame:
    """Return the published baselines; not to be changed."""
    return published_baseline()


@st.cache_resource(max_entries=128, show_spinner=False)
def curves(
    benchmarks: tuple[str, ...], budget: int, up_to: int = 0, include: tuple[float, ...] = ()
) -> Figure:
    """Return the published curves of some benchmarks, up to a budget (0 for all), on an axis that holds further values."""
    rows = published_rows()
    keep = rows["benchmark"].isin(benchmarks)
    if up_to:
        keep &= rows["new_submissions"] <= up_to
    return gap_figure(rows[keep], baseline_rows(), budget, include)


@st.cache_resource(max_entries=64, show_spinner=False)
def increase(benchmarks: tuple[str, ...], budget: int) -> Figure:
    """Return the published paired test."""
    return increase_figure(budget, benchmarks)


@st.cache_resource(max_entries=1, show_spinner=False)
def gap_and_loss() -> Figure:
    """Return the published comparison of the two endpoint pools."""
    return pools_figure()


@st.cache_resource(max_entries=32, show_spinner=False)
def history(bank: str, trial: int, budget: int) -> History:
    """Return the submission history of one trial of a bundled benchmark."""
    return trial_history(load(bank), trial, budget)


@st.cache_resource(max_entries=128, show_spinner=False)
def trial_figure(bank: str, trial: int, budget: int, position: int, *, play: bool = False) -> Figure:
    """Return the two running minima of one trial."""
    found = history(bank, trial, budget)
    total = len(found.names)
    return history_figure(
        found,
        Player("Entries submitted", 1, total, position, milliseconds=120) if play else position,
        names={model: short_name(model) for model in load(bank).models},
        source=f"computed here from the bundled item scores of {dict(BANK_NAMES)[bank]} ({BANKS[bank].source}).",
        where=f"{dict(BANK_NAMES)[bank]}, trial {trial}, {budget} submissions",
    )


@st.cache_resource(max_entries=128, show_spinner=False)
def study_figure(wish: StudyWish, budget: int, _summary: pd.DataFrame) -> Figure:
    """Return the score gap of a study with its baseline; `_summary` is decided by `wish`."""
    key = "swe_verified" if wish.benchmark == "swe_verified_38" else wish.benchmark
    name = dict(BANK_NAMES)[wish.benchmark]
    seeds = "its own seeds" if wish.own_seeds else f"seed {wish.seed}"
    rows = study_series(
        _summary,
        "score_gap_pp",
        name=name,
        key=key,
        source=f"computed here from the bundled item scores of {name}, {wish.trials} trials, {seeds}",
    )
    return gap_figure(rows, study_baseline(_summary, key), budget)
