"""Room for a chart before the browser has drawn it, so that what stands below does not jump."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from core.figures.base import Figure
    from core.figures.plotly_base import PlotlyFigure

AROUND_PLOT: Final[dict[str, int]] = {}


def drawn_height(key: str, figure: Figure | PlotlyFigure) -> int:
    """Return the height in pixels that a chart will have: of its plot, and of axes, titles and legend around it."""
    return figure.height + AROUND_PLOT.get(key, 0)


def room_for(key: str, figure: Figure | PlotlyFigure) -> DeltaGenerator:
    """Return a place for a chart that is as high as the chart from the beginning.

    A row is as high as its highest part: beside the chart stands an empty part, one pixel wide. A chart that turns out higher
    makes the row grow.
    """
    row = st.container(horizontal=True, gap=None)
    place = row.container()
    row.container(width=1, height=drawn_height(key, figure), border=False)
    return place
