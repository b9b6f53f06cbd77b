"""Curves over submissions as a Vega-Lite specification: lines, bands, the static control, labels at the line ends.

One specification serves wide and narrow screens: positions and labels that depend on the width are Vega expressions over
the plot's width, so that nothing has to know how wide the reader's screen is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.figures.axes import Scale, value_axis
from core.figures.end_labels import end_labels, label_layers, label_room
from core.figures.theme import Token, benchmark_style, style_scales, submissions_axis
from core.figures.wording import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pandas as pd

    from core.figures.series import Measure
    from core.figures.theme import SeriesStyle

_POINT: Final = {"filled": True, "size": 30, "opacity": 1}
_NEAR_NAMES: Final = 512  # from here on a label above the plot would touch the names of the curves on a phone


@dataclass(frozen=True, slots=True)
class Curves:
    """What to draw.

    Parameters
    ----------
    frame
        A tidy frame (`core.figures.series`).
    measure
        What it shows.
    scale
        The y axis.
    height
        Plot height in pixels.
    budget
        The budget marked by a rule, or None.
    bands
        Whether intervals are drawn.
    threshold
        A horizontal line, in the frame's unit, or None.
    labels
        Whether the lines carry their names at their ends.
    ghosts
        Further curves drawn in the background without a name, or None.
    x_title
        Title of the x axis, or None.
    further_ends
        Further names at the right edge, for marks that a caller adds: name, budget and value of each.
    styles
        How each key is drawn, where the curves are not benchmarks.
    what
        What a curve is, in tooltips.
    """

    frame: pd.DataFrame
    measure: Measure
    scale: Scale
    height: int = 400
    budget: int | None = None
    bands: bool = True
    threshold: float | None = None
    labels: bool = True
    ghosts: pd.DataFrame | None = None
    x_title: str | None = "leaderboard submissions"
    further_ends: tuple[tuple[str, int, float], ...] = ()
    styles: Mapping[str, SeriesStyle] | None = None
    what: str = "benchmark"

    @property
    def keys(self) -> list[str]:
        """Benchmark keys in the frame's order."""
        return list(dict.fromkeys(self.frame["benchmark"].tolist()))


def rows_of(frame: pd.DataFrame, measure: Measure) -> list[dict[str, Any]]:
    """Return a tidy frame as rows for Vega, with a blank for NaN and the interval as text.

    Parameters
    ----------
    frame
        A tidy frame.
    measure
        What it shows.
    """
    digits = 1 if measure.unit == "%" else 2
    rows: list[dict[str, Any]] = []
    columns = [
        frame[name].tolist()
        for name in ("benchmark", "name", "new_submissions", "value", "low", "high", "label")
    ]
    for key, name, budget, value, low, high, label in zip(*columns, strict=True):
        bounded = not (math.isnan(low) or math.isnan(high))
        rows.append(
            {
                "benchmark": key,
                "name": name,
                "new_submissions": int(budget),
                "value": None if math.isnan(value) else value,
                "low": low if bounded else None,
                "high": high if bounded else None,
                "interval": f"{number(low, digits)} to {number(high, digits)}" if bounded else "none given",
                "label": label,
                "static": int(budget) == 1,
            }
        )
    return rows


def curves_spec(curves: Curves) -> dict[str, Any]:
    """Return the layered specification of some curves.

    Parameters
    ----------
    curves
        What to draw.
    """
    frame = curves.frame
    budgets = sorted({int(budget) for budget in frame["new_submissions"]})
    further = [(curves.keys[0], *end) for end in curves.further_ends]
    ends = end_labels(frame, curves.scale, curves.height, further) if curves.labels else []
    room = label_room(ends)
    x = submissions_axis(budgets or [1, 2], title=curves.x_title, range_end=room)
    y = value_axis(curves.scale, curves.measure.axis if curves.labels else None)
    scales = style_scales(curves.keys, curves.styles)
    colour = {"field": "benchmark", "type": "nominal", "scale": scales["color"], "legend": None}
    layers = [
        *_background(curves, room),
        *_ghost_layer(curves, x, y),
        *_band_layer(curves, x, colour),
        *_rules(curves, room),
        {
            "transform": [{"filter": "!datum.static"}],
            "mark": {"type": "line", "strokeWidth": 2.25, "clip": True},
            "encoding": {
                "x": x,
                "y": y,
                "color": colour,
                "strokeDash": {
                    "field": "benchmark",
                    "type": "nominal",
                    "scale": scales["strokeDash"],
                    "legend": None,
                },
                "detail": {"field": "benchmark"},
            },
        },
        *_point_layers(curves, x, colour, scales["shape"]),
        *label_layers(ends, colour),
    ]
    return {
        "data": {"values": rows_of(frame, curves.measure)},
        "layer": layers,
        "padding": {"left": 4, "right": 6, "top": 6, "bottom": 4},
    }


def _background(curves: Curves, room: str) -> list[dict[str, Any]]:
    across = {"x": {"value": 0}, "x2": {"value": {"expr": room}}}
    where = {"field": "at", "type": "quantitative"}
    layers = [
        {
            "data": {"values": [{"at": tick} for tick in curves.scale.ticks if tick != 0]},
            "mark": {"type": "rule", "color": Token.GRID},
            "encoding": {**across, "y": where},
        }
    ]
    if curves.scale.low <= 0 <= curves.scale.high:
        layers.append(
            {
                "data": {"values": [{"at": 0}]},
                "mark": {"type": "rule", "color": Token.AXIS, "strokeWidth": 1.25},
                "encoding": {**across, "y": where},
            }
        )
    return layers


def _ghost_layer(curves: Curves, x: dict[str, Any], y: dict[str, Any]) -> list[dict[str, Any]]:
    if curves.ghosts is None:
        return []
    rows = [row for row in rows_of(curves.ghosts, curves.measure) if not row["static"]]
    return [
        {
            "data": {"values": rows},
            "mark": {"type": "line", "strokeWidth": 1, "color": Token.AXIS, "opacity": 0.7},
            "encoding": {"x": x, "y": y, "detail": {"field": "benchmark"}},
        }
    ]


def _band_layer(curves: Curves, x: dict[str, Any], colour: dict[str, Any]) -> list[dict[str, Any]]:
    bounded = ~curves.frame["static_control"] & curves.frame["low"].notna()
    if not (curves.bands and bounded.any()):
        return []
    return [
        {
            "transform": [{"filter": "!datum.static && isValid(datum.low)"}],
            "mark": {"type": "area", "opacity": 0.13, "line": False},
            "encoding": {
                "x": x,
                "y": {"field": "low", "type": "quantitative"},
                "y2": {"field": "high"},
                "color": colour,
                "detail": {"field": "benchmark"},
            },
        }
    ]


def _rules(curves: Curves, room: str) -> list[dict[str, Any]]:
    layers: list[dict[str, Any]] = []
    if curves.budget is not None:
        at = {"field": "at", "type": "quantitative"}
        word = "submission" if curves.budget == 1 else "submissions"
        row = {"values": [{"at": curves.budget, "text": f"{curves.budget:,} {word}"}]}
        layers.append(
            {
                "data": row,
                "mark": {"type": "rule", "color": Token.INK, "strokeWidth": 1, "strokeDash": [3, 3]},
                "encoding": {"x": at},
            }
        )
        if curves.labels:
            layers.append(
                {
                    "data": row,
                    "mark": {
                        "type": "text",
                        "fontWeight": "bold",
                        "fontSize": 12,
                        "color": Token.INK,
                        "baseline": "bottom",
                        "align": "right" if curves.budget >= _NEAR_NAMES else "center",
                    },
                    "encoding": {"x": at, "y": {"value": -4}, "text": {"field": "text"}},
                }
            )
    if curves.threshold is not None:
        layers.append(
            {
                "data": {"values": [{"at": curves.threshold}]},
                "mark": {"type": "rule", "color": Token.MUTED, "strokeWidth": 1, "strokeDash": [6, 3]},
                "encoding": {
                    "x": {"value": 0},
                    "x2": {"value": {"expr": room}},
                    "y": {"field": "at", "type": "quantitative"},
                },
            }
        )
    return layers


def _point_layers(
    curves: Curves, x: dict[str, Any], colour: dict[str, Any], shapes: dict[str, Any]
) -> list[dict[str, Any]]:
    shape = {"field": "benchmark", "type": "nominal", "scale": shapes, "legend": None}
    y = {"field": "value", "type": "quantitative"}
    unit = {"points": "pp"}.get(curves.measure.unit, curves.measure.unit)
    tooltip = [
        {"field": "name", "type": "nominal", "title": curves.what},
        {"field": "new_submissions", "type": "quantitative", "title": "submissions", "format": ",d"},
        {
            "field": "value",
            "type": "quantitative",
            "title": f"{curves.measure.name.lower()} ({unit})",
            "format": ".2f",
        },
        {"field": "interval", "type": "nominal", "title": "95 % interval"},
        {"field": "label", "type": "nominal", "title": "value is"},
    ]
    whiskers = [
        {
            "transform": [{"filter": "datum.static && isValid(datum.low)"}],
            "mark": {"type": "rule", "strokeWidth": 1.25, "opacity": 0.7},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": colour},
        }
    ]
    controls = [
        {
            "transform": [{"filter": "datum.static"}],
            "mark": {
                "type": "point",
                "filled": False,
                "fill": Token.PAPER,
                "size": 62,
                "strokeWidth": 1.75,
                "opacity": 1,
            },
            "encoding": {"x": x, "y": y, "stroke": {**colour}, "shape": shape},
        }
    ]
    frame = curves.frame
    static = frame["static_control"] & frame["value"].notna()
    chosen = f"datum.new_submissions == {curves.budget}" if curves.budget is not None else "false"
    return [
        *(whiskers if curves.bands and (static & frame["low"].notna()).any() else []),
        {
            "transform": [{"filter": "!datum.static"}],
            "mark": {"type": "point", **_POINT},
            "encoding": {
                "x": x,
                "y": y,
                "color": colour,
                "shape": shape,
                "size": {"condition": {"test": chosen, "value": 90}, "value": 26},
            },
        },
        *(controls if static.any() else []),
        {
            "mark": {"type": "point", "opacity": 0, "size": 420, "filled": True},
            "encoding": {"x": x, "y": y, "tooltip": tooltip},
        },
    ]


def style_in_words(key: str) -> str:
    """Return how a benchmark's curve is drawn, for readers who cannot tell colours apart.

    Examples
    --------
    >>> style_in_words("livebench"), style_in_words("terminal_science")
    ('solid line, circles', 'dashed line, crosses')
    """
    style = benchmark_style(key)
    shape = {
        "triangle-up": "upward triangles",
        "triangle-down": "downward triangles",
        "cross": "crosses",
    }.get(style.shape, f"{style.shape}s")
    return f"{'dashed' if style.dash else 'solid'} line, {shape}"
