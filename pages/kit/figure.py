"""A figure on a page: its claim, where its numbers come from, the chart, its data as a table, and downloads."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import streamlit as st

from core.figures.plotly_base import PlotlyFigure
from core.figures.plotly_export import missing
from pages.kit.badges import origin_badge
from pages.kit.draw import draw_chart
from pages.kit.frame import PROSE_WIDTH
from pages.kit.share import exact_link, share_link

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.figures.base import Figure
    from pages.kit.badges import Origin
    from pages.kit.controls import Controls
    from pages.kit.registry import PageInfo


def show_figure(
    page: PageInfo,
    name: str,
    figure: Figure,
    origins: Sequence[Origin],
    *,
    controls: Controls | None = None,
    draw: Callable[[str, Figure], None] | None = None,
    story: bool = False,
) -> None:
    """Draw a figure with everything that belongs to it.

    Parameters
    ----------
    page
        The page, for keys, file names and the link.
    name
        The figure's name, unique on its page; letters, digits and underscores.
    figure
        Chart, words and data (`core.figures`).
    origins
        Where its numbers come from, as badges.
    controls
        The page's controls, for the link to this exact state.
    draw
        Draws the chart in place of the still one, given the keys' prefix and the figure in the page's colours; what is
        around it stays.
    story
        Whether the figure's notices are its story, to be read as a list; else they are small print.
    """
    key = f"{page.prefix}_{name}"
    with st.container(key=f"{key}_figure", gap="small"):
        with st.container(horizontal=True, gap="xsmall"):
            for origin in origins:
                origin_badge(origin)
        st.header(figure.title, anchor=False)
        if figure.subtitle:
            st.caption(figure.subtitle, width=PROSE_WIDTH)
        (draw or draw_chart)(key, figure.in_mode("dark" if st.context.theme.type == "dark" else "light"))
        _downloads(page, key, figure, controls)
        if story:
            st.markdown("\n".join(f"- {notice}" for notice in figure.notices), width=PROSE_WIDTH)
        small_print = [
            "" if story else " ".join(figure.notices),
            f"Source: {figure.source}" if figure.source else "",
        ]
        st.caption("\n\n".join(filter(None, small_print)), width=PROSE_WIDTH)


def _downloads(page: PageInfo, key: str, figure: Figure, controls: Controls | None) -> None:
    """Draw the row under a chart. Files are made when they are asked for, never in a rerun."""
    stem = f"mirage-{page.stem}-{key.split('_', 1)[1]}".replace("_", "-")
    link = exact_link(page, controls)

    def make(kind: str) -> str | bytes:
        from core.figures import export

        makers: dict[str, Callable[..., str | bytes]] = {
            "csv": export.to_csv,
            "svg": export.to_svg,
            "png": export.to_png,
            "json": export.to_json,
        }
        return makers[kind](figure, link=link)

    by_plotly = isinstance(figure, PlotlyFigure)
    reason = missing() if by_plotly else None
    files = (
        ("CSV", "csv", "text/csv", "The figure's data"),
        ("SVG", "svg", "image/svg+xml", "The figure, for print"),
        ("PNG", "png", "image/png", "The figure, for slides"),
        ("JSON", "json", "application/json", "The chart's specification"),
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key=f"{key}_downloads"):
        for label, suffix, mime, meaning in files:
            if by_plotly and suffix == "json":
                continue
            is_image = suffix in {"svg", "png"}
            st.download_button(
                label,
                data=partial(make, suffix),
                file_name=f"{stem}.{suffix}",
                mime=mime,
                key=f"{key}_{suffix}",
                help=reason if reason and is_image else meaning,
                disabled=bool(reason) and is_image,
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
            )
        share_link(page, controls, key=key)
    table = st.expander(
        "Data table", icon=":material/table:", key=f"{key}_table", type="compact", on_change="rerun"
    )
    if table.open:
        with table:
            st.dataframe(
                figure.data, hide_index=True, key=f"{key}_data", alt=f"Data of the figure: {figure.title}"
            )
