"""Figures of the stress test page. They are built per session and kept nowhere else, since they may show a reader's own data."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

import streamlit as st

from core.figures.rule_comparison import Compared, comparison_figure, comparison_rows
from core.figures.rule_curves import rule_curves, rule_series
from core.figures.selection_loss import Options, loss_figure
from core.figures.series import study_series

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    from core.figures.base import Figure
    from core.reuse.comparison import Comparison
    from pages.parts.stress_test.sources import Bank


T = TypeVar("T")
_SLOT: Final = "_st_view"
STUDIES: Final = "_st_studies"


def kept(run: Hashable, name: Hashable, make: Callable[[], T], slot: str = _SLOT) -> T:
    """Return something made of a run's results, made once and kept in this session until another run is shown.

    Parameters
    ----------
    run
        Names the results.
    name
        Names what is made of them.
    make
        Makes it.
    slot
        Where in the session; each slot holds the things of one run.
    """
    view = st.session_state.get(slot)
    if view is None or view[0] != run:
        view = st.session_state[slot] = (run, {})
    if name not in view[1]:
        view[1][name] = make()
    return view[1][name]


def source_of(bank: Bank, trials: int) -> str:
    """Return how the numbers came about, one line."""
    verb = "Simulated: drawn" if bank.origin == "simulated" else "Computed here"
    return f"{verb} from the item scores of {bank.title}, {trials:,} trials"


def losses_figure(bank: Bank, comparison: Comparison, tolerance_pp: float, hidden: str = "") -> Figure:
    """Return the losses under each rule but a hidden one, with the tolerance."""
    import pandas as pd

    trials = comparison.results[0].study.trials
    frame = rule_series(pd.DataFrame(comparison.rows()), label=_label(bank), source=source_of(bank, trials))
    return rule_curves(frame[frame["benchmark"] != hidden], tolerance_pp)


def measure_figure(bank: Bank, comparison: Comparison, measure: str) -> Figure:
    """Return one measure over submissions under the reader's own rule."""
    study = comparison.results[0].study
    rows = study_series(
        study.summary(),
        measure,
        name=bank.title,
        key="yours" if bank.own else None,
        source=f"{source_of(bank, study.trials)}, rule {study.feedback}",
        label=_label(bank),
    )
    return loss_figure(rows, Options(budget=study.budgets[-1]))


def usefulness_figure(bank: Bank, comparison: Comparison) -> Figure:
    """Return harm against usefulness, one mark per rule."""
    study = comparison.results[0].study
    about = Compared(
        name=bank.title,
        budget=study.budgets[-1],
        label=_label(bank),
        source=source_of(bank, study.trials),
    )
    return comparison_figure(
        comparison_rows(comparison, [result.survival for result in comparison.results], about), about
    )


def _label(bank: Bank) -> str:
    return "simulated" if bank.origin == "simulated" else "recomputed"
