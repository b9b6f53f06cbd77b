"""Colours, type and axes of every figure, for the light page, the dark page and print.

Specifications are written with `Token` members in place of colours that depend on the mode; `themed` puts the real colours
in and adds the configuration. Roles are fixed: one colour has one meaning on a page.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

Mode = Literal["light", "dark", "print"]

BLUE: Final = "#0072B2"
VERMILION: Final = "#D55E00"
GREEN: Final = "#009E73"
PURPLE: Final = "#CC79A7"
GREY: Final = "#767570"

SANS: Final = "Mirage Sans, Mirage Symbols, sans-serif"
SERIF: Final = "Mirage Serif, Mirage Symbols, serif"


class Token(Enum):
    """A colour that depends on the mode."""

    PAPER = "paper"
    INK = "ink"
    MUTED = "muted"
    AXIS = "axis"
    GRID = "grid"


Colour = str | Token

PUBLIC: Final = VERMILION
HELD_OUT: Final = BLUE
MODEL_A: Final = GREEN
MODEL_B: Final = PURPLE
NO_ATTACK: Final = GREY
FINAL_ROUTER: Final = Token.INK
ESTIMATORS: Final[Mapping[str, Colour]] = MappingProxyType(
    {"naive": GREY, "ipw": BLUE, "imputation": VERMILION, "combined": GREEN}
)


@dataclass(frozen=True, slots=True)
class Surface:
    """What a mode paints on and writes with.

    Parameters
    ----------
    paper, ink, muted, axis, grid
        Background, text, secondary text, axis lines and grid lines, as hexadecimal colours.
    """

    paper: str
    ink: str
    muted: str
    axis: str
    grid: str


LIGHT: Final = Surface(paper="#FFFFFF", ink="#1C1B19", muted="#5F5E5A", axis="#B5B3AC", grid="#ECEAE5")
DARK: Final = Surface(paper="#171614", ink="#ECEAE4", muted="#ABA8A0", axis="#5C5A54", grid="#2B2A26")
SURFACES: Final[Mapping[Mode, Surface]] = MappingProxyType({"light": LIGHT, "dark": DARK, "print": LIGHT})


@dataclass(frozen=True, slots=True)
class SeriesStyle:
    """How one benchmark is drawn wherever several share a figure.

    Parameters
    ----------
    colour
        A colour or a mode-dependent token.
    dash
        Stroke dash in pixels; empty for a solid line.
    shape
        Point shape, in Vega's names.
    """

    colour: Colour
    dash: tuple[float, ...]
    shape: str


BENCHMARK_STYLES: Final[Mapping[str, SeriesStyle]] = MappingProxyType(
    {
        "livebench": SeriesStyle(BLUE, (), "circle"),
        "helm_lite": SeriesStyle(VERMILION, (11, 3), "square"),
        "openllm_v2": SeriesStyle(PURPLE, (9, 3, 2, 3), "diamond"),
        "helm_capabilities": SeriesStyle(GREEN, (5, 3), "triangle-up"),
        "swe_verified": SeriesStyle(GREY, (7, 2, 2, 2, 2, 2), "triangle-down"),
        "terminal_science": SeriesStyle(Token.INK, (2, 2.5), "cross"),
    }
)
"""Colour, dash and shape of the six benchmarks: any one of the three may fail the reader, not all."""


def benchmark_style(key: str) -> SeriesStyle:
    """Return the style of a benchmark; one that is not published gets the style of model-free text.

    Parameters
    ----------
    key
        Name used in the tables, for example ``"helm_lite"``.

    Examples
    --------
    >>> benchmark_style("livebench").colour
    '#0072B2'
    """
    return BENCHMARK_STYLES.get(key, SeriesStyle(Token.INK, (), "circle"))


def resolve(value: Any, mode: Mode) -> Any:
    """Replace every `Token` in a specification by its colour.

    Parameters
    ----------
    value
        A specification or a part of one. Data is passed through untouched: a token is not text, so no value of a reader's
        data can be taken for one.
    mode
        ``"light"``, ``"dark"`` or ``"print"``.

    Examples
    --------
    >>> resolve({"mark": {"color": Token.INK, "text": "ink"}}, "light")
    {'mark': {'color': '#1C1B19', 'text': 'ink'}}
    """
    if isinstance(value, Token):
        return getattr(SURFACES[mode], value.value)
    if isinstance(value, dict):
        return {
            key: part if key == "values" and key_is_data(value) else resolve(part, mode)
            for key, part in value.items()
        }
    if isinstance(value, list | tuple):
        return [resolve(part, mode) for part in value]
    return value


def key_is_data(block: dict[str, Any]) -> bool:
    """Tell whether a block is inline data, whose rows are not searched for tokens."""
    rows = block.get("values")
    return isinstance(rows, list) and bool(rows) and isinstance(rows[0], dict)


def config(mode: Mode, size: int = 13) -> dict[str, Any]:
    """Return the Vega-Lite configuration of a mode.

    Parameters
    ----------
    mode
        ``"light"`` and ``"dark"`` are transparent, for the page; ``"print"`` is white.
    size
        Base type size in pixels.
    """
    surface = SURFACES[mode]
    return {
        "background": surface.paper if mode == "print" else "transparent",
        "font": SANS,
        "view": {"stroke": None},
        "axis": {
            "domainColor": surface.axis,
            "tickColor": surface.axis,
            "gridColor": surface.grid,
            "labelColor": surface.muted,
            "titleColor": surface.muted,
            "labelFont": SANS,
            "titleFont": SANS,
            "labelFontSize": size - 1,
            "titleFontSize": size - 1,
            "titleFontWeight": "normal",
            "labelPadding": 6,
            "titlePadding": 10,
        },
        "axisY": {"domain": False, "ticks": False},
        "header": {
            "labelFont": SANS,
            "labelColor": surface.ink,
            "titleFont": SANS,
            "titleColor": surface.ink,
        },
        "legend": {
            "labelFont": SANS,
            "titleFont": SANS,
            "labelColor": surface.ink,
            "titleColor": surface.muted,
            "labelFontSize": size - 1,
            "titleFontSize": size - 1,
            "titleFontWeight": "normal",
        },
        "title": {
            "font": SERIF,
            "fontSize": size + 6,
            "fontWeight": "bold",
            "color": surface.ink,
            "subtitleFont": SANS,
            "subtitleFontSize": size,
            "subtitleColor": surface.muted,
            "subtitlePadding": 6,
            "anchor": "start",
            "frame": "bounds",
            "offset": 16,
        },
        "text": {"font": SANS, "fontSize": size, "color": surface.ink},
        "line": {"strokeCap": "butt", "strokeJoin": "round"},
        "mark": {"tooltip": None},
    }


def themed(spec: dict[str, Any], mode: Mode, size: int = 13) -> dict[str, Any]:
    """Return a specification with the colours and the configuration of a mode.

    Parameters
    ----------
    spec
        A Vega-Lite specification, possibly with tokens. It is left as it is.
    mode
        See `config`.
    size
        Base type size in pixels.
    """
    own = spec.get("config", {})
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        **resolve(spec, mode),
        "config": {**config(mode, size), **own},
    }


def style_scales(
    keys: Sequence[str], styles_by_key: Mapping[str, SeriesStyle] | None = None
) -> dict[str, dict[str, Any]]:
    """Return colour, dash and shape scales for some curves, in one order.

    Parameters
    ----------
    keys
        Benchmark names, or the keys of `styles_by_key`.
    styles_by_key
        Styles of curves that are no benchmarks; default: those of the benchmarks.
    """
    own = styles_by_key or {}
    styles = [own.get(key) or benchmark_style(key) for key in keys]
    domain = list(keys)
    return {
        "color": {"domain": domain, "range": [style.colour for style in styles]},
        "strokeDash": {"domain": domain, "range": [list(style.dash) or [1, 0] for style in styles]},
        "shape": {"domain": domain, "range": [style.shape for style in styles]},
    }


def submissions_axis(
    budgets: Sequence[int],
    *,
    title: str | None = "leaderboard submissions",
    range_end: str = "width",
    inset: int = 10,
) -> dict[str, Any]:
    """Return an x encoding for submissions: a log2 scale with the tested budgets as its ticks.

    Parameters
    ----------
    budgets
        Tested budgets, all at least 1; each gets a tick labelled as a plain integer. Budget 1 is marked as static.
    title
        Axis title, or None.
    range_end
        Vega expression for the right end of the scale in pixels (``width`` is the plot's).
    inset
        Pixels between the left edge and the first budget.

    Raises
    ------
    ValueError
        If a budget is below 1.
    """
    ticks = sorted(set(budgets))
    if not ticks or ticks[0] < 1:
        raise ValueError(f"A log2 axis needs budgets of at least 1, found {ticks[:1]}.")
    low, high = ticks[0], ticks[-1] if ticks[-1] > ticks[0] else ticks[0] * 2
    return {
        "field": "new_submissions",
        "type": "quantitative",
        "scale": {
            "type": "log",
            "base": 2,
            "domain": [low, high],
            "range": [inset, {"expr": range_end}],
            "nice": False,
        },
        "axis": {
            "values": ticks,
            "format": "d",
            "labelExpr": "datum.value == 1 ? ['1', 'static'] : format(datum.value, 'd')",
            "grid": False,
            "labelOverlap": "parity",
            "labelSeparation": 5,
            "labelFlush": False,
            "title": title,
            "titleAnchor": "start",
            "tickSize": 4,
        },
    }
