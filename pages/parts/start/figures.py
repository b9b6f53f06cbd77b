"""The start page's figure, built once and shared by all visitors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core import published
from core.figures.guess_mark import Spot
from core.figures.series import published_series
from core.figures.start import choice_figure, choice_table
from pages.parts.start.content import BUDGET

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.base import Figure


@st.cache_resource(max_entries=1, show_spinner=False)
def losses() -> pd.DataFrame:
    """Return the published losses; not to be changed."""
    return published_series("model_selection_loss_pp")


@st.cache_resource(max_entries=64, show_spinner=False)
def choices(budget: int = BUDGET, hidden: str | None = None, include: tuple[float, ...] = ()) -> Figure:
    """Return what the ranking's choice costs on the six benchmarks, one hidden, on an axis that holds further values."""
    table = published.selection_loss()
    return choice_figure(table.frame, table.provenance, budget, hidden=hidden, include=include)


@st.cache_resource(max_entries=1, show_spinner=False)
def answer(benchmark: str) -> tuple[float, Spot]:
    """Return a benchmark's loss, and where a guess of it stands in the figure of `choices`."""
    rows = choice_table(published.selection_loss().frame, BUDGET)
    place = rows["benchmark"].tolist().index(benchmark)
    row = rows.iloc[place]
    spot = Spot("place", place, "before", f"for the loss on {row['name']}", base=float(row["before"]))
    return float(row["loss"]), spot
