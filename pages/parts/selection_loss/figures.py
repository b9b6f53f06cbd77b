"""Figures and sentences of the selection loss page, built once per small frozen description and shared by all visitors."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import pandas as pd
import streamlit as st

from core import published
from core.benchmark.catalogue import load
from core.data_files import checksums
from core.figures.comparison import comparison_figure
from core.figures.dip import dip_figure
from core.figures.seeds import seeds_figure
from core.figures.selection_loss import Layout, Options, loss_figure
from core.figures.series import measure_of, published_series, study_series
from core.provenance import Provenance
from pages.parts.selection_loss import words
from pages.parts.selection_loss.controls import HIDDEN_ABOVE

if TYPE_CHECKING:
    from core.bundled_study import StudyWish
    from core.figures.base import Figure


@dataclass(frozen=True, slots=True)
class Look:
    """How curves are shown; everything that a figure depends on besides its numbers.

    Parameters
    ----------
    measure
        A key of `core.figures.series.MEASURES`.
    budget
        The budget that title and rule talk about.
    layout
        One plot, or one per benchmark.
    bands, static
        Whether intervals and the static control are shown.
    threshold
        A level to mark, 0 for none.
    benchmarks
        Keys to show; empty for all.
    up_to
        Largest budget to show, 0 for all.
    """

    measure: str = "model_selection_loss_pp"
    budget: int = HIDDEN_ABOVE
    layout: Layout = "overlay"
    bands: bool = True
    static: bool = True
    threshold: int = 0
    benchmarks: tuple[str, ...] = ()
    up_to: int = 0

    def options(self) -> Options:
        """Return the builder's options."""
        return Options(
            budget=self.budget, layout=self.layout, bands=self.bands, threshold=self.threshold or None
        )

    def rows(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Return the rows of a tidy frame that are shown."""
        keep = frame["new_submissions"] >= (1 if self.static else 2)
        if self.up_to:
            keep &= frame["new_submissions"] <= self.up_to
        if self.benchmarks:
            keep &= frame["benchmark"].isin(self.benchmarks)
        return frame[keep]


@st.cache_resource(max_entries=16, show_spinner=False)
def published_rows(measure: str) -> pd.DataFrame:
    """Return the published rows of a measure; not to be changed."""
    return published_series(measure)


@st.cache_resource(max_entries=256, show_spinner=False)
def published_figure(look: Look, include: tuple[float, ...] = ()) -> Figure:
    """Return the published curves, on an axis that holds some further values."""
    options = replace(look.options(), include=include)
    return loss_figure(look.rows(published_rows(look.measure)), options)


@st.cache_resource(max_entries=1, show_spinner=False)
def published_claim() -> str:
    """Return the page's title."""
    return words.page_claim(published_rows("model_selection_loss_pp"), HIDDEN_ABOVE)


@st.cache_resource(max_entries=256, show_spinner=False)
def published_notes(look: Look) -> tuple[str, ...]:
    """Return what to notice in the published curves."""
    rows = look.rows(published_rows(look.measure))
    measure = measure_of(look.measure)
    notes = [words.shape_note(rows, measure), words.static_note(rows, measure)]
    if look.threshold:
        notes.append(words.reached_note(rows, look.threshold))
    return tuple(note for note in notes if note)


def study_provenance(wish: StudyWish, name: str) -> Provenance:
    """Return where the numbers of a study come from."""
    file = f"banks/{wish.benchmark}/items.parquet"
    seeds = "its own seeds" if wish.own_seeds else f"seed {wish.seed}"
    pair = "top five" if wish.endpoints == "top5" else "full frontier"
    source = f"Computed here from the bundled item scores of {name}: {wish.trials} trials, {seeds}, pair from the {pair}"
    return Provenance(file, source, checksums()[file].sha256, "recomputed")


@st.cache_resource(max_entries=64, show_spinner=False)
def study_rows(wish: StudyWish, measure: str, name: str, _summary: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of a study; `_summary` is decided by `wish`."""
    return study_series(
        _summary,
        measure,
        name=name,
        key="swe_verified" if wish.benchmark == "swe_verified_38" else wish.benchmark,
        source=study_provenance(wish, name).sentence,
    )


@st.cache_resource(max_entries=128, show_spinner=False)
def study_figure(wish: StudyWish, look: Look, name: str, _summary: pd.DataFrame) -> Figure:
    """Return the curve of a study; `_summary` is decided by `wish`."""
    return loss_figure(look.rows(study_rows(wish, look.measure, name, _summary)), look.options())


def is_comparable(benchmark: str, trials: int, endpoints: str) -> bool:
    """Whether a study is drawn beside the published curve: the same data, pair and number of trials."""
    return benchmark == "terminal_science" and endpoints == "top5" and trials == 250


@st.cache_resource(max_entries=128, show_spinner=False)
def beside_published(wish: StudyWish, measure: str, budget: int, name: str, _summary: pd.DataFrame) -> Figure:
    """Return a study of Terminal-Bench-Science beside its published curve; `_summary` is decided by `wish`."""
    rows = published_rows(measure)
    return comparison_figure(
        rows[rows["benchmark"] == wish.benchmark],
        study_rows(wish, measure, name, _summary),
        "same study" if wish.own_seeds else "other seeds",
        budget=budget,
    )


@st.cache_resource(max_entries=1, show_spinner=False)
def published_scores_figure() -> Figure:
    """Return the published scores behind the Terminal-Bench-Science curve."""
    table = published.terminal_science_summary()
    return dip_figure(table.frame, published.BENCHMARKS["terminal_science"].name, table.provenance)


@st.cache_resource(max_entries=64, show_spinner=False)
def study_scores_figure(wish: StudyWish, name: str, _summary: pd.DataFrame) -> Figure:
    """Return the scores behind a study's curve; `_summary` is decided by `wish`."""
    return dip_figure(_summary, name, study_provenance(wish, name))


@st.cache_resource(max_entries=64, show_spinner=False)
def other_seeds_figure(
    wishes: tuple[StudyWish, ...],
    measure: str,
    budget: int,
    name: str,
    _summaries: tuple[pd.DataFrame, ...],
) -> Figure:
    """Return the first study's curve before those of the others; `_summaries` are decided by `wishes`."""
    own, *others = (
        study_series(
            summary,
            measure,
            name="its own seeds" if wish.own_seeds else f"seed {wish.seed}",
            key=wish.benchmark if place == 0 else f"seed {wish.seed}",
            source=study_provenance(wish, name).sentence
            if place == 0
            else f"the same under {len(wishes) - 1} other seeds",
        )
        for place, (wish, summary) in enumerate(zip(wishes, _summaries, strict=True))
    )
    return seeds_figure(own, pd.concat(others, ignore_index=True), budget=budget, name=name)


@st.cache_resource(max_entries=8, show_spinner=False)
def size_of(benchmark: str) -> tuple[int, int]:
    """Return a bundled benchmark's numbers of models and items."""
    bank = load(benchmark)
    return len(bank.models), len(bank.items)
