"""Curves of the feedback study: loss, gap or false winners over submissions or over released scores.

One curve is in focus, in the text colour with its interval; the others stay grey and are told apart by their marks and by the
number beside them. A `core.figures.player.Player` moves the focus in the browser.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures import feedback_words as words
from core.figures.axes import round_scale, value_axis
from core.figures.base import Figure
from core.figures.player import Player, frame_number, frame_test
from core.figures.series import measure_of
from core.figures.theme import Token

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.figures.feedback_series import Axis
    from core.figures.theme import Mode

HEIGHT: Final = 400
SHAPES: Final = ("circle", "square", "diamond", "triangle-up", "triangle-down", "cross")
_GUTTER: Final = 58
_AT_STATIC: Final = 16
_X: Final = {"field": "x", "type": "quantitative"}
_VALUE: Final = {"field": "value", "type": "quantitative"}


@dataclass(frozen=True, slots=True)
class RichnessOptions:
    """How the curves are shown.

    Parameters
    ----------
    axis
        What is counted along x: submissions, or the scores that they got back.
    focus
        Position of the curve in focus, or a player over the positions.
    budget
        The budget that the text talks about.
    static, ranges, bands
        Whether the static control, the range over partitions and the interval of the curve in focus are drawn.
    only
        Positions to show; empty for all.
    mode
        Colours.
    """

    axis: Axis = "new_submissions"
    focus: int | Player = 1
    budget: int = 8
    static: bool = True
    ranges: bool = True
    bands: bool = True
    only: tuple[int, ...] = ()
    mode: Mode = "light"


def richness_figure(frame: pd.DataFrame, name: str, options: RichnessOptions | None = None) -> Figure:
    """Return the curves of one benchmark under several numbers of returned scores.

    Parameters
    ----------
    frame
        A frame of `core.figures.feedback_series`.
    name
        The benchmark as shown.
    options
        How to show it.

    Raises
    ------
    UsageError
        If nothing is left to show, or the focus or the budget is not among what is shown.
    """
    options = options or RichnessOptions()
    shown = frame[frame["position"].isin(options.only)] if options.only else frame
    if not options.static:
        shown = shown[~shown["static_control"]]
    if shown.empty:
        raise UsageError("There is no curve to show.")
    focus = frame_number(options.focus)
    if focus not in set(shown["position"]):
        raise UsageError(f"No curve has the position {focus}.")
    budgets = sorted({int(budget) for budget in shown["new_submissions"]})
    if options.budget not in budgets:
        raise UsageError(f"Budget {options.budget} was not tested. Valid: {', '.join(map(str, budgets))}.")
    measure = measure_of(str(shown["measure"].iloc[0]))
    told = words.Told(shown, measure, name, options.axis, options.budget, focus)
    return Figure(
        spec=_spec(shown, options, measure.axis),
        title=told.title,
        subtitle=told.subtitle(bands=options.bands, ranges=options.ranges),
        alt=told.alt,
        data=shown,
        source=" ".join(dict.fromkeys(shown["source"])),
        notices=told.notices,
        mode=options.mode,
        width=800,
        height=HEIGHT,
    )


def _rows(frame: pd.DataFrame, axis: Axis) -> list[dict[str, Any]]:
    columns = (
        "position",
        "curve",
        "new_submissions",
        "released_scores",
        "value",
        "low",
        "high",
        "least",
        "most",
        "label",
    )
    rows: list[dict[str, Any]] = []
    for values in zip(*(frame[column].tolist() for column in columns), strict=True):
        row: dict[str, Any] = {
            key: None if isinstance(value, float) and not math.isfinite(value) else value
            for key, value in zip(columns, values, strict=True)
        }
        row["static"] = row["new_submissions"] == 1
        row["x"] = row[axis] if row[axis] and not row["static"] else None
        row["shape"] = SHAPES[(row["position"] - 1) % len(SHAPES)]
        rows.append(row)
    return rows


def _spec(frame: pd.DataFrame, options: RichnessOptions, axis_title: str) -> dict[str, Any]:
    rows = _rows(frame, options.axis)
    extent = [row["value"] for row in rows] + [
        row[end] for row in rows for end in ("low", "high") if options.bands
    ]
    scale = round_scale([value for value in extent if value is not None])
    x, y = _x_axis([row["x"] for row in rows if row["x"]], options), value_axis(scale, axis_title)
    moving = options.focus if isinstance(options.focus, Player) else None
    in_focus = f"datum.position == {frame_test(options.focus)}"
    spec: dict[str, Any] = {
        "data": {"values": rows},
        "layer": [
            _grid(scale.ticks),
            *_static(rows, in_focus, options),
            *_others(x, y, options),
            *_focus(x, y, in_focus, options),
            *_labels(rows, in_focus, options),
            _tooltip(x, y),
        ],
        "padding": {"left": 4, "right": 6, "top": 6, "bottom": 4},
    }
    if moving is not None:
        spec["params"] = moving.parameters()
    return spec


def _x_axis(values: Sequence[float], options: RichnessOptions) -> dict[str, Any]:
    by_scores = options.axis == "released_scores"
    low, high = min(values, default=1.0), max(values, default=2.0)
    first, last = math.floor(math.log2(low)), math.ceil(math.log2(max(high, 2 * low)))
    step = 2 if by_scores and last - first > 12 else 1
    ticks = [2.0**power for power in range(first, last + 1, step)]
    title = "scores released to the random search" if by_scores else "leaderboard submissions"
    return {
        **_X,
        "scale": {
            "type": "log",
            "base": 2,
            "domain": [low, high],
            "range": [_GUTTER if options.static else 10, {"expr": "width - 14"}],
            "nice": False,
        },
        "axis": {
            "values": ticks,
            "format": ",d",
            "grid": False,
            "labelOverlap": "greedy",
            "labelSeparation": 6,
            "title": title,
            "titleAnchor": "start",
            "tickSize": 4,
        },
    }


def _grid(ticks: Sequence[float]) -> dict[str, Any]:
    return {
        "data": {"values": [{"at": tick} for tick in ticks]},
        "mark": {"type": "rule", "color": Token.GRID},
        "encoding": {
            "x": {"value": 0},
            "x2": {"value": {"expr": "width"}},
            "y": {"field": "at", "type": "quantitative"},
        },
    }


def _static(rows: list[dict[str, Any]], in_focus: str, options: RichnessOptions) -> list[dict[str, Any]]:
    """Draw the static controls apart, in a gutter of their own."""
    if not options.static or not any(row["static"] for row in rows):
        return []
    at = {"x": {"value": _AT_STATIC}, "y": _VALUE}
    ink = {"condition": {"test": in_focus, "value": Token.INK}, "value": Token.MUTED}
    return [
        {
            "data": {"values": [{}]},
            "mark": {"type": "rule", "color": Token.GRID, "strokeWidth": 1, "aria": False},
            "encoding": {
                "x": {"value": _AT_STATIC + 18},
                "y": {"value": 0},
                "y2": {"value": {"expr": "height"}},
            },
        },
        {
            "data": {"values": [{"text": "static"}]},
            "mark": {
                "type": "text",
                "baseline": "top",
                "align": "center",
                "color": Token.MUTED,
                "fontSize": 12,
            },
            "encoding": {
                "x": {"value": _AT_STATIC},
                "y": {"value": {"expr": "height + 10"}},
                "text": {"field": "text", "type": "nominal"},
            },
        },
        {
            "transform": [{"filter": "datum.static"}],
            "mark": {
                "type": "point",
                "filled": False,
                "fill": Token.PAPER,
                "size": 52,
                "strokeWidth": 1.5,
                "opacity": 1,
            },
            "encoding": {**at, "shape": _shape(), "stroke": ink},
        },
    ]


def _shape() -> dict[str, Any]:
    return {"field": "shape", "type": "nominal", "scale": None, "legend": None}


def _others(x: dict[str, Any], y: dict[str, Any], options: RichnessOptions) -> list[dict[str, Any]]:
    layers: list[dict[str, Any]] = []
    if options.ranges:
        layers.append(
            {
                "transform": [
                    {"filter": "!datum.static && isValid(datum.least) && datum.most > datum.least"}
                ],
                "mark": {"type": "rule", "color": Token.MUTED, "strokeWidth": 2.5, "opacity": 0.55},
                "encoding": {"x": x, "y": {**y, "field": "least"}, "y2": {"field": "most"}},
            }
        )
    layers += [
        {
            "transform": [{"filter": "!datum.static"}],
            "mark": {"type": "line", "color": Token.MUTED, "strokeWidth": 1.25, "opacity": 0.8},
            "encoding": {"x": x, "y": y, "detail": {"field": "position"}},
        },
        {
            "transform": [{"filter": "!datum.static"}],
            "mark": {"type": "point", "filled": True, "size": 30, "opacity": 1, "color": Token.MUTED},
            "encoding": {
                "x": x,
                "y": y,
                "shape": _shape(),
                "size": {
                    "condition": {"test": f"datum.new_submissions == {options.budget}", "value": 70},
                    "value": 26,
                },
            },
        },
    ]
    return layers


def _focus(
    x: dict[str, Any], y: dict[str, Any], in_focus: str, options: RichnessOptions
) -> list[dict[str, Any]]:
    chosen = [{"filter": f"!datum.static && {in_focus}"}]
    layers: list[dict[str, Any]] = []
    if options.bands:
        layers.append(
            {
                "transform": [{"filter": f"!datum.static && isValid(datum.low) && {in_focus}"}],
                "mark": {"type": "area", "color": Token.INK, "opacity": 0.12},
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}},
            }
        )
    if options.axis == "new_submissions" and options.budget > 1:
        layers.append(
            {
                "data": {"values": [{"x": options.budget}]},
                "mark": {"type": "rule", "color": Token.MUTED, "strokeDash": [3, 3]},
                "encoding": {"x": x},
            }
        )
    return [
        *layers,
        {
            "transform": chosen,
            "mark": {"type": "line", "color": Token.INK, "strokeWidth": 2.75},
            "encoding": {"x": x, "y": y},
        },
        {
            "transform": chosen,
            "mark": {"type": "point", "filled": True, "opacity": 1, "color": Token.INK},
            "encoding": {
                "x": x,
                "y": y,
                "shape": _shape(),
                "size": {
                    "condition": {"test": f"datum.new_submissions == {options.budget}", "value": 120},
                    "value": 42,
                },
            },
        },
    ]


def _labels(rows: list[dict[str, Any]], in_focus: str, options: RichnessOptions) -> list[dict[str, Any]]:
    """Write each curve's number beside it, where the curves lie apart."""
    by_scores = options.axis == "released_scores"
    places = []
    for position in dict.fromkeys(row["position"] for row in rows):
        own = [row for row in rows if row["position"] == position and row["x"] and row["value"] is not None]
        if own:
            at = own[0] if by_scores else min(own, key=lambda row: abs(math.log2(row["x"] / 8)))
            places.append({key: at[key] for key in ("position", "curve", "x", "value")})
    text: dict[str, Any] = {
        "type": "text",
        "align": "right" if by_scores else "left",
        "baseline": "middle",
        "dx": -8 if by_scores else 9,
        "dy": 0 if by_scores else 8,
    }
    encoding = {"x": _X, "y": _VALUE, "text": {"field": "curve", "type": "nominal"}}

    def layer(test: str, **colours: Any) -> dict[str, Any]:
        return {
            "data": {"values": places},
            "transform": [{"filter": test}],
            "mark": {**text, "fontSize": 13, **colours},
            "encoding": encoding,
        }

    return [
        layer("true", color=Token.PAPER, stroke=Token.PAPER, strokeWidth=4),
        layer(f"!({in_focus})", color=Token.MUTED),
        layer(in_focus, color=Token.INK, fontWeight="bold"),
    ]


def _tooltip(x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    return {
        "transform": [{"filter": "!datum.static"}],
        "mark": {"type": "point", "opacity": 0, "size": 260, "filled": True},
        "encoding": {
            "x": x,
            "y": y,
            "tooltip": [
                {"field": "curve", "type": "nominal", "title": "returned scores"},
                {"field": "new_submissions", "type": "quantitative", "title": "submissions", "format": ",d"},
                {
                    "field": "released_scores",
                    "type": "quantitative",
                    "title": "scores released",
                    "format": ",.0f",
                },
                {"field": "value", "type": "quantitative", "title": "value", "format": ".2f"},
                {"field": "low", "type": "quantitative", "title": "95 % interval from", "format": ".2f"},
                {"field": "high", "type": "quantitative", "title": "to", "format": ".2f"},
                {"field": "label", "type": "nominal", "title": "value is"},
            ],
        },
    }
