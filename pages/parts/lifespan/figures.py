"""Figures of the lifespan page, built once per small frozen description and shared by all visitors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from core.figures.lifespan import validation_figure
from core.figures.lifespan_calculator import Answer, calculator_figure
from core.figures.lifespan_curve import reading_figure
from core.reuse.lifespan import (
    PUBLISHED_TOLERANCE_PP,
    Case,
    error_range,
    external_cases,
    external_cases_at,
    law_at,
    livebench_cells,
    published_law,
    training_cells,
)
from core.reuse.lifespan_simulation import read_off

if TYPE_CHECKING:
    from core.figures.base import Figure
    from core.reuse.lifespan import ErrorRange, Law, Outcome
    from core.reuse.lifespan_simulation import LifespanCurves, LifespanReading, LifespanWish


@dataclass(frozen=True)
class Evidence:
    """The law with what stands behind it.

    Parameters
    ----------
    law
        The law at the reader's outcome and tolerance.
    training, external
        The cells it was fitted to, and the benchmarks it was not.
    errors
        How far it was off on the latter.
    """

    law: Law
    training: tuple[Case, ...]
    external: tuple[Case, ...]
    errors: ErrorRange


@st.cache_resource(max_entries=32, show_spinner=False)
def evidence(outcome: Outcome, tolerance: float) -> Evidence:
    """Return the law and its evidence; `tolerance` has no part in false winners."""
    if outcome == "false_winner":
        law, cells, external = published_law(outcome), training_cells(outcome), external_cases(outcome)
    else:
        law, external = law_at(tolerance), external_cases_at(tolerance)
        published_here = tolerance == PUBLISHED_TOLERANCE_PP
        cells = training_cells(outcome) if published_here else livebench_cells(tolerance)
    training = tuple(Case(cell, law.predict(cell.items, cell.scores)) for cell in cells)
    return Evidence(law, training, external, error_range(external))


@st.cache_resource(max_entries=32, show_spinner=False)
def law_figure(outcome: Outcome, tolerance: float, *, external: bool = True) -> Figure:
    """Return predictions against observations, with or without the benchmarks that took no part in the fit."""
    known = evidence(outcome, tolerance)
    return validation_figure(known.law, known.training, known.external if external else ())


def answer(
    outcome: Outcome, tolerance: float, items: int, scores: int, reading: LifespanReading | None
) -> Answer:
    """Return the calculator's answer."""
    known = evidence(outcome, tolerance)
    return Answer(known.law, items, scores, known.errors, known.external, reading)


@st.cache_resource(max_entries=256, show_spinner=False)
def answer_figure(outcome: Outcome, tolerance: float, items: int, scores: int) -> Figure:
    """Return the calculator's figure without a simulation."""
    return calculator_figure(answer(outcome, tolerance, items, scores, None))


@st.cache_resource(max_entries=64, show_spinner=False)
def simulated_reading(
    wish: LifespanWish, outcome: Outcome, tolerance: float, _curves: LifespanCurves
) -> LifespanReading:
    """Return a reading; `_curves` is decided by `wish`."""
    return read_off(_curves, outcome, tolerance)


@st.cache_resource(max_entries=64, show_spinner=False)
def simulated_figures(
    wish: LifespanWish, outcome: Outcome, tolerance: float, _reading: LifespanReading
) -> tuple[Figure, Figure]:
    """Return the calculator's figure with a simulation, and the curve it was read off; `_reading` is decided by the rest."""
    both = answer(outcome, tolerance, wish.items, wish.scores, _reading)
    return calculator_figure(both), reading_figure(_reading, wish)
