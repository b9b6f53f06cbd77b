"""Room for a chart before the browser has drawn it, so that what stands below does not jump."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from core.figures.plotly_base import PlotlyFigure

if TYPE_CHECKING:
    from streamlit.delta_generator import DeltaGenerator

    from core.figures.base import Figure

AROUND_PLOT: Final[dict[str, int]] = {
    "hm_choice": 64,
    "sl_published": 103,
    "sl_recomputed": 103,
    "sl_scores": 73,
    "sg_curves": 46,
    "sg_loss": 93,
    "ot_endpoints": 91,
    "ot_vote": 137,
    "fb_published": 89,
    "fb_groups": 6,
    "fb_policies": 89,
    "ls_law": 94,
    "ls_answer": 53,
    "pd_diagram": 78,
    "pd_cell": 54,
    "cs_drawn": 54,
    "cs_sizes": 78,
    "cs_roc": 78,
    "cs_reliability": 110,
    "cs_inflation": 78,
    "ph_accuracy": 110,
    "ph_hubble_accuracy": 108,
    "ph_auroc": 131,
    "ph_hubble_auroc": 122,
    "ph_tokens": 108,
    "ph_reliability": 110,
    "ph_drawn": 54,
    "ph_errors": 53,
    "ff_changes": 43,
    "ff_funnel": 20,
    "st_rules": 103,
    "st_usefulness": 90,
    "st_measure": 103,
}
"""Pixels of axes, titles and legend above and below a plot, as a browser draws them; the same on a phone and on a wide screen.

A figure that is not named here has room for its plot alone, and grows by the rest when it is drawn.
"""


def drawn_height(key: str, figure: Figure | PlotlyFigure) -> int:
    """Return the height in pixels that a chart will have: of its plot, and of axes, titles and legend around it."""
    return figure.height + (0 if isinstance(figure, PlotlyFigure) else AROUND_PLOT.get(key, 0))


def room_for(key: str, figure: Figure | PlotlyFigure) -> DeltaGenerator:
    """Return a place for a chart that is as high as the chart from the beginning.

    A row is as high as its highest part: beside the chart stands an empty part, one pixel wide. A chart that turns out higher
    makes the row grow.
    """
    row = st.container(horizontal=True, gap=None)
    place = row.container()
    row.container(width=1, height=drawn_height(key, figure), border=False)
    return place
