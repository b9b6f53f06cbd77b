"""Figures as files: SVG, PNG, the Vega-Lite specification, and CSV.

Images are drawn by vl-convert with the fonts of ``data/fonts`` alone: they look the same on a machine without any font.
Title, subtitle, source and link are part of the image.
"""

from __future__ import annotations

import csv
import io
import json
import math
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from core.errors import DataError
from core.figures.axes import with_width
from core.figures.plotly_base import PlotlyFigure
from core.figures.plotly_export import to_image
from core.figures.theme import SANS, SERIF, Token, themed
from core.figures.wording import wrap
from core.provenance import DATA_FOLDER

if TYPE_CHECKING:
    from types import ModuleType

    from core.figures.base import Figure

FONT_FOLDER: Final = DATA_FOLDER / "fonts"
_FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r")
_MARGIN: Final = 22


@lru_cache(maxsize=1)
def _converter() -> ModuleType:
    """Return vl-convert, knowing the shipped fonts; without them it would draw no text and say nothing."""
    import vl_convert

    faces = sorted(FONT_FOLDER.glob("*.ttf"))
    if not faces:
        raise DataError(
            "The shipped fonts (data/fonts/*.ttf) are missing, so an image would carry no text. Restore them from the "
            "repository."
        )
    vl_convert.register_font_directory(str(FONT_FOLDER))
    return vl_convert


def export_spec(figure: Figure, link: str | None = None) -> dict[str, Any]:
    """Return the complete specification of a figure for print: white, sized, with title, subtitle, source and link.

    Parameters
    ----------
    figure
        The figure.
    link
        Address of the page's exact state, written under the source.
    """
    width = figure.width
    total = width + 2 * _MARGIN
    narrow = width < 520
    title_size = 17 if narrow else 20
    title = wrap(figure.title, total - 20, title_size, bold=True)
    subtitle = wrap(figure.subtitle, total - 20, 13)
    foot = [*wrap(f"Source: {figure.source}", total - 20, 11), *([link] if link else [])]
    body = {key: value for key, value in figure.spec.items() if key not in {"padding", "config"}}
    if "layer" in body or "mark" in body:
        body = {**with_width(body, width), "width": width, "height": figure.height}
    footer = {
        "data": {"values": [{"text": line, "row": row} for row, line in enumerate(foot)]},
        "mark": {
            "type": "text",
            "align": "left",
            "baseline": "top",
            "font": SANS,
            "fontSize": 11,
            "color": Token.MUTED,
        },
        "encoding": {
            "x": {"value": -26},
            "y": {
                "field": "row",
                "type": "quantitative",
                "axis": None,
                "scale": {"domain": [0, len(foot)], "nice": False, "range": [0, 15 * len(foot)]},
            },
            "text": {"field": "text", "type": "nominal"},
        },
        "width": max(width // 2, 200),
        "height": 15 * len(foot),
    }
    whole = {
        "description": figure.alt,
        "title": {
            "text": title,
            "subtitle": subtitle,
            "font": SERIF,
            "fontSize": title_size,
            "anchor": "start",
            "frame": "bounds",
            "offset": 18,
        },
        "vconcat": [body, footer],
        "spacing": 14,
        "padding": _MARGIN,
        "resolve": {
            "scale": dict.fromkeys(("x", "y", "color", "shape", "stroke", "strokeDash"), "independent")
        },
        "autosize": {"type": "pad", "contains": "content"},
        "config": figure.spec.get("config", {}),
    }
    return themed(whole, "print")


def to_svg(figure: Figure, *, link: str | None = None) -> str:
    """Return a figure as SVG text.

    Parameters
    ----------
    figure
        The figure.
    link
        See `export_spec`.

    Raises
    ------
    DataError
        If the shipped fonts are missing, or for a figure of Plotly's what draws it.
    """
    if isinstance(figure, PlotlyFigure):
        return to_image(figure, "svg", link=link).decode()
    return str(_converter().vegalite_to_svg(export_spec(figure, link)))


def to_plot_svg(figure: Figure) -> str:
    """Return the plot alone as SVG text: its title and its words are the document's business.

    Parameters
    ----------
    figure
        The figure; its plot is `width` by `height` pixels.

    Raises
    ------
    DataError
        If the shipped fonts are missing.
    """
    body = {**with_width(figure.spec, figure.width), "width": figure.width, "height": figure.height}
    return str(_converter().vegalite_to_svg(themed(body, "print")))


def to_png(figure: Figure, *, scale: float = 2, link: str | None = None) -> bytes:
    """Return a figure as a PNG image.

    Parameters
    ----------
    figure
        The figure.
    scale
        Pixels per unit; 2 suits slides and print.
    link
        See `export_spec`.

    Raises
    ------
    DataError
        If the shipped fonts are missing, or for a figure of Plotly's what draws it.
    """
    if isinstance(figure, PlotlyFigure):
        return to_image(figure, "png", link=link)
    return bytes(_converter().vegalite_to_png(export_spec(figure, link), scale=scale))


def to_json(figure: Figure, *, link: str | None = None) -> str:
    """Return the figure's Vega-Lite specification with its data, as JSON text.

    Parameters
    ----------
    figure
        The figure.
    link
        See `export_spec`.
    """
    return json.dumps(export_spec(figure, link), ensure_ascii=False, indent=1, allow_nan=False)


def to_csv(figure: Figure, *, link: str | None = None) -> str:
    """Return the figure's rows as CSV text.

    Text that a spreadsheet would run as a formula gets an apostrophe in front; numbers keep all their digits, a blank is a
    missing value.

    Parameters
    ----------
    figure
        The figure.
    link
        Address of the page's exact state, added as a column `link`.
    """
    frame = figure.data if link is None else figure.data.assign(link=link)
    target = io.StringIO()
    writer = csv.writer(target, lineterminator="\r\n")
    writer.writerow([_cell(name) for name in frame.columns])
    for row in zip(*(frame[name].tolist() for name in frame.columns), strict=True):
        writer.writerow([_cell(value) for value in row])
    return target.getvalue()


def _cell(value: Any) -> str:
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"'{value}" if value.startswith(_FORMULA_STARTS) else value
    return str(value)
