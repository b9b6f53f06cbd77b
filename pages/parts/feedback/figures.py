"""Figures of the feedback richness page, built once per small frozen description and shared by all visitors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from core import published
from core.benchmark.catalogue import load
from core.feedback_wish import groupings
from core.figures.feedback import RichnessOptions, richness_figure
from core.figures.feedback_series import published_policies, published_richness, recomputed_richness
from core.figures.feedback_surface import surface_figure
from core.figures.grouping import grouping_figure
from core.figures.player import Player
from core.figures.rule_comparison import Compared, comparison_figure, comparison_rows
from core.reuse.interfaces import LIVEBENCH_PREFIX, group_prefix, group_tasks, hash_order, task_labels
from core.reuse.survival import survival
from pages.parts.feedback.controls import BANKS, DIMENSIONS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.benchmark.model import Benchmark
    from core.feedback_wish import RulesWish
    from core.figures.base import Figure
    from core.figures.feedback_series import Axis
    from core.figures.feedback_surface import Picture
    from core.provenance import Label
    from core.reuse.comparison import Comparison
    from core.reuse.study import Study


@dataclass(frozen=True, slots=True)
class Look:
    """How curves are shown; everything that a figure depends on besides its numbers.

    Parameters
    ----------
    measure
        A key of `core.figures.feedback_series.MEASURE_KEYS`.
    axis
        What is counted along x.
    position
        The curve in focus.
    budget
        The budget that is read off.
    bands, ranges, static
        Whether the interval, the range over partitions and the static control are shown.
    play
        Whether a scrubber moves the focus.
    curves
        Number of curves, for the scrubber.
    only
        Positions to show; empty for all.
    """

    measure: str = "model_selection_loss_pp"
    axis: Axis = "new_submissions"
    position: int = 1
    budget: int = 8
    bands: bool = True
    ranges: bool = True
    static: bool = True
    play: bool = False
    curves: int = len(DIMENSIONS)
    only: tuple[int, ...] = ()

    def options(self) -> RichnessOptions:
        """Return the builder's options."""
        focus: int | Player = self.position
        if self.play:
            focus = Player("Curve", 1, self.curves, self.position, milliseconds=900)
        return RichnessOptions(
            axis=self.axis,
            focus=focus,
            budget=self.budget,
            static=self.static,
            ranges=self.ranges,
            bands=self.bands,
            only=self.only,
        )


@st.cache_resource(max_entries=8, show_spinner=False)
def published_rows(measure: str) -> pd.DataFrame:
    """Return the published rows of a measure; not to be changed."""
    return published_richness(measure)


@st.cache_resource(max_entries=256, show_spinner=False)
def published_figure(look: Look) -> Figure:
    """Return the published curves."""
    return richness_figure(published_rows(look.measure), "LiveBench", look.options())


@st.cache_resource(max_entries=16, show_spinner=False)
def published_surface(measure: str, picture: Picture) -> Figure:
    """Return the published study as a surface or a heat map."""
    return surface_figure(published_rows(measure), "LiveBench", picture)


@st.cache_resource(max_entries=8, show_spinner=False)
def policy_rows(measure: str) -> pd.DataFrame:
    """Return the published rows of the practical rules; not to be changed."""
    return published_policies(measure)


@st.cache_resource(max_entries=64, show_spinner=False)
def policy_figure(measure: str, axis: Axis, budget: int) -> Figure:
    """Return the published curves of the practical rules."""
    options = RichnessOptions(axis=axis, focus=3, budget=budget, ranges=False)
    return richness_figure(policy_rows(measure), "LiveBench", options)


@st.cache_resource(max_entries=64, show_spinner=False)
def published_tiles(dimension: int, partition: int) -> Figure:
    """Return the published grouping of LiveBench's tasks, made again from its hash."""
    table = published.livebench_categories()
    labels = [
        f"{category}/{task}"
        for category, task in zip(table.frame["category"], table.frame["task"], strict=True)
    ]
    order = [labels[place] for place in hash_order(LIVEBENCH_PREFIX, partition, labels)]
    return _tiles(order, dimension, partition, "LiveBench", table.provenance.sentence)


def _tiles(order: Sequence[str], dimension: int, partition: int, name: str, source: str) -> Figure:
    size = len(order) // dimension
    groups = [
        (f"group {place + 1}", tuple(order[place * size : (place + 1) * size])) for place in range(dimension)
    ]
    whichever = dimension in (1, len(order))
    how = "in the only way there is" if whichever else f"by hash, partition {partition}"
    return grouping_figure(groups, name, how, source=source)


@st.cache_resource(max_entries=8, show_spinner=False)
def bank_of(name: str) -> Benchmark:
    """Return a benchmark by name; not to be changed."""
    return load(name)


@st.cache_resource(max_entries=64, show_spinner=False)
def bank_tiles(bank: str, dimension: int, partition: int) -> Figure:
    """Return the grouping of a benchmark's tasks by hash."""
    benchmark = bank_of(bank)
    labels = task_labels(benchmark)
    order = [labels[place] for place in hash_order(group_prefix(benchmark), partition, labels)]
    return _tiles(order, dimension, partition, name_of(bank), f"The tasks of {name_of(bank)}.")


def own_tiles(bank: str, pairs: tuple[tuple[str, str], ...]) -> Figure:
    """Return the tiles of the reader's own grouping; never shared.

    Raises
    ------
    DataError
        If a task is missing, repeated or unknown, or a group has no name.
    """
    benchmark = bank_of(bank)
    labels = task_labels(benchmark)
    groups = [
        (one.name, tuple(labels[task] for task in one.tasks))
        for one in group_tasks(benchmark, pairs, "Your table")
    ]
    return grouping_figure(
        groups, name_of(bank), "as in your table", source=f"The tasks of {name_of(bank)}, your groups."
    )


def name_of(bank: str) -> str:
    """Return a benchmark's name as shown."""
    return dict(BANKS)[bank]


def label_of(bank: str) -> Label:
    """Return how values of a benchmark are labelled."""
    return "simulated" if bank.startswith("simulated:") else "recomputed"


def source_of(wish: RulesWish) -> str:
    """Return how the values of a wish came about, one line."""
    seeds = "its own seeds" if wish.own_seeds else f"seed {wish.seed}"
    precision = "" if wish.precision == "own" else f", precision {wish.precision}"
    items = "simulated" if wish.benchmark.startswith("simulated:") else "bundled"
    return f"Computed here from the {items} item scores of {name_of(wish.benchmark)}: {wish.trials} trials, {seeds}{precision}."


@st.cache_resource(max_entries=32, show_spinner=False)
def tasks_of(bank: str) -> int:
    """Return a benchmark's number of tasks."""
    return len(bank_of(bank).tasks)


def sweep_rules(bank: str, partition: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the rules of a sweep over equal groups, and the curves' names."""
    numbers = groupings(tasks_of(bank))
    return tuple(f"grouped:{number}:{partition}" for number in numbers), tuple(map(str, numbers))


def live_rows(
    wish: RulesWish, curves: tuple[str, ...], measure: str, studies: tuple[Study, ...]
) -> pd.DataFrame:
    """Return the rows of a sweep."""
    return recomputed_richness(
        studies, curves, measure, source=source_of(wish), label=label_of(wish.benchmark)
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def _shared_live_rows(
    wish: RulesWish, curves: tuple[str, ...], measure: str, _studies: tuple[Study, ...]
) -> pd.DataFrame:
    return live_rows(wish, curves, measure, _studies)


@st.cache_resource(max_entries=128, show_spinner=False)
def _shared_live_figure(
    wish: RulesWish, curves: tuple[str, ...], look: Look, picture: str, _studies: tuple[Study, ...]
) -> Figure:
    return _live_figure(_shared_live_rows(wish, curves, look.measure, _studies), wish, look, picture)


def _live_figure(rows: pd.DataFrame, wish: RulesWish, look: Look, picture: str) -> Figure:
    if picture != "curves":
        return surface_figure(rows, name_of(wish.benchmark), picture)  # type: ignore[arg-type]
    return richness_figure(rows, name_of(wish.benchmark), look.options())


def live_figure(
    wish: RulesWish, curves: tuple[str, ...], look: Look, picture: str, studies: tuple[Study, ...]
) -> tuple[Figure, pd.DataFrame]:
    """Return a sweep's figure and its rows; a reader's own groups are never put into a shared cache."""
    if wish.groups:
        rows = live_rows(wish, curves, look.measure, studies)
        return _live_figure(rows, wish, look, picture), rows
    return (
        _shared_live_figure(wish, curves, look, picture, studies),
        _shared_live_rows(wish, curves, look.measure, studies),
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def compared_rows(wish: RulesWish, budget: int, tolerance: float, _comparison: Comparison) -> pd.DataFrame:
    """Return one row per rule; `_comparison` is decided by `wish`."""
    survivals = [survival(result.study, tolerance) for result in _comparison.results]
    return comparison_rows(_comparison, survivals, about(wish, budget))


@st.cache_resource(max_entries=64, show_spinner=False)
def compared_figure(wish: RulesWish, budget: int, tolerance: float, _rows: pd.DataFrame) -> Figure:
    """Return the rules by harm and usefulness; `_rows` is decided by the rest."""
    return comparison_figure(_rows, about(wish, budget))


def about(wish: RulesWish, budget: int) -> Compared:
    """Return what belongs to a comparison besides its numbers."""
    return Compared(name_of(wish.benchmark), budget, label_of(wish.benchmark), source_of(wish))
