"""A figure's chart alone, as wide as its place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.figures.plotly_base import PlotlyFigure

if TYPE_CHECKING:
    from core.figures.base import Figure


def draw_chart(key: str, figure: Figure | PlotlyFigure) -> None:
    """Draw the chart; small multiples are laid out by the page, so that they reflow on a narrow screen."""
    if isinstance(figure, PlotlyFigure):
        st.plotly_chart(
            figure.drawing(),
            width="stretch",
            theme=None,
            key=f"{key}_chart",
            alt=figure.alt,
            config={"displaylogo": False, "modeBarButtonsToRemove": ["lasso2d", "select2d"]},
        )
        return
    if not figure.panels:
        st.altair_chart(figure.chart, width="stretch", theme=None, key=f"{key}_chart", alt=figure.alt)
        return
    with st.grid(3, min_column_width=260, gap="medium"):
        for number, panel in enumerate(figure.panels):
            with st.container(gap="xsmall"):
                st.markdown(f"**{panel.title}**")
                st.altair_chart(
                    panel.chart, width="stretch", theme=None, key=f"{key}_chart_{number}", alt=panel.alt
                )
