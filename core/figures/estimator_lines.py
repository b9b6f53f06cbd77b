"""Errors of estimators along an axis: for each a line, marks of its own shape, and its name at the line's end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.figures.phase_diagrams import COLOURS, NAMES
from core.figures.theme import BLUE
from core.figures.titles_above import titled_above

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.figures.theme import Colour

SHAPES: Final = {
    "naive": "circle",
    "ipw": "square",
    "ipw_hard": "square",
    "imputation": "triangle-up",
    "combined": "diamond",
    "control_variate": "cross",
    "epg": "triangle-down",
}


def colour_of(name: str) -> Colour:
    """Return an estimator's colour; IPW's two forms share theirs."""
    return BLUE if name == "ipw_hard" else COLOURS[name]


def estimator_colour(names: Sequence[str]) -> dict[str, Any]:
    """Return the colour channel of a field ``estimator`` that holds the estimators' shown names."""
    return _channel(names, [colour_of(name) for name in names])


def error_axis(ticks: int) -> dict[str, Any]:
    """Return the vertical channel of a field ``rmse`` in pp, from zero."""
    return {
        "field": "rmse",
        "type": "quantitative",
        "scale": {"zero": True, "nice": True},
        "axis": titled_above("RMSE, pp", tickCount=ticks),
    }


def line_layers(
    names: Sequence[str],
    ends: list[dict[str, Any]],
    x: dict[str, Any],
    y: dict[str, Any],
    point: dict[str, Any],
    shown: tuple[str, str, str],
) -> list[dict[str, Any]]:
    """Return the layers of one line per estimator.

    Parameters
    ----------
    names
        The estimators' keys.
    ends
        Rows of `spread_labels`: what is written at the lines' ends.
    x, y
        The channels; `y` as from `error_axis`.
    point
        The mark of the points.
    shown
        Field, title and format of the horizontal value in the tooltip.
    """
    colour = estimator_colour(names)
    field, title, form = shown
    tooltip = [
        {"field": "estimator", "title": "estimator"},
        {"field": field, "title": title, "format": form},
        {"field": "rmse", "title": "RMSE, pp", "format": ".2f"},
    ]
    shape = _channel(names, [SHAPES[name] for name in names])
    return [
        {"mark": {"type": "line", "strokeWidth": 2.25}, "encoding": {"x": x, "y": y, "color": colour}},
        {"mark": point, "encoding": {"x": x, "y": y, "color": colour, "shape": shape, "tooltip": tooltip}},
        {
            "data": {"values": ends},
            "mark": {"type": "text", "align": "left", "dx": 8},
            "encoding": {"x": x, "y": {**y, "field": "at"}, "text": {"field": "estimator"}, "color": colour},
        },
    ]


def _channel(names: Sequence[str], values: Sequence[Any]) -> dict[str, Any]:
    return {
        "field": "estimator",
        "type": "nominal",
        "scale": {"domain": [NAMES[name] for name in names], "range": list(values)},
        "legend": None,
    }


def spread_labels(ends: list[dict[str, Any]], gap: float) -> list[dict[str, Any]]:
    """Return labels at the heights of their lines' ends (``rmse``), moved apart to at least `gap`, as ``at``."""
    placed: list[dict[str, Any]] = []
    for row in sorted(ends, key=lambda row: row["rmse"]):
        at = max(row["rmse"], placed[-1]["at"] + gap) if placed else row["rmse"]
        placed.append({**row, "at": at})
    return placed
