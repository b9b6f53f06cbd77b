"""The start page's figure, built once and shared by all visitors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core import published
from core.figures.series import published_series
from core.figures.start import choice_figure
from pages.parts.start.content import BUDGET

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.base import Figure


@st.cache_resource(max_entries=1, show_spinner=False)
def losses() -> pd.DataFrame:
    """Return the published losses; not to be changed."""
    return published_series("model_selection_loss_pp")


@st.cache_resource(max_entries=4, show_spinner=False)
def choices(budget: int = BUDGET) -> Figure:
    """Return what the ranking's choice costs on the six benchmarks."""
    table = published.selection_loss()
    return choice_figure(table.frame, table.provenance, budget)
