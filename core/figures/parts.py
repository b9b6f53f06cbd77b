"""Small pieces that several figures share: a key above the plot, grid rules across it, a plain score axis.

Row figures (profiles, weights, outcomes) write a row's name above its marks instead of beside them, so that one specification
serves a phone and a wide screen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.figures.theme import Token
from core.figures.wording import text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.figures.axes import Scale
    from core.figures.theme import Colour

KEY_SIZE = 12.5
_LINE = 18
_WIDEST = 300


@dataclass(frozen=True, slots=True)
class KeyEntry:
    """One entry of a key: a mark and what it stands for.

    Parameters
    ----------
    text
        What it stands for.
    colour
        The mark's colour.
    shape
        A point shape in Vega's names.
    filled
        Whether the shape is filled.
    """

    text: str
    colour: Colour
    shape: str = "circle"
    filled: bool = True


def key_layers(entries: Sequence[KeyEntry], *, below: int = 0) -> tuple[list[dict[str, Any]], int]:
    """Return the layers of a key above the plot, and the room that it needs there in pixels.

    Entries stand side by side where they fit a phone, else below one another.

    Parameters
    ----------
    entries
        The entries.
    below
        Pixels to keep free between key and plot.
    """
    widths = [text_width(entry.text, KEY_SIZE) + 30 for entry in entries]
    beside = sum(widths) <= _WIDEST
    layers: list[dict[str, Any]] = []
    for place, entry in enumerate(entries):
        left = sum(widths[:place]) if beside else 0
        line = 0 if beside else len(entries) - 1 - place
        at = {"x": {"value": round(left) + 6}, "y": {"value": -12 - below - _LINE * line}}
        here: dict[str, Any] = {"values": [{}]}
        layers += [
            {
                "data": here,
                "mark": {
                    "type": "point",
                    "shape": entry.shape,
                    "filled": entry.filled,
                    "size": 80,
                    "opacity": 1,
                    "color": entry.colour,
                    "strokeWidth": 1.75,
                    "aria": False,
                },
                "encoding": at,
            },
            {
                "data": here,
                "mark": {
                    "type": "text",
                    "text": entry.text,
                    "align": "left",
                    "baseline": "middle",
                    "dx": 10,
                    "fontSize": KEY_SIZE,
                    "color": Token.INK,
                },
                "encoding": at,
            },
        ]
    return layers, (_LINE if beside else _LINE * len(entries)) + 6 + below


def grid_layers(scale: Scale, *, vertical: bool, room: str = "width") -> list[dict[str, Any]]:
    """Return rules at an axis's ticks, the one at zero a little stronger.

    Parameters
    ----------
    scale
        The axis.
    vertical
        Whether the axis is the x axis, so that the rules stand upright.
    room
        Vega expression for the right end of horizontal rules.
    """
    where = {"field": "at", "type": "quantitative"}
    across = {"x": where} if vertical else {"y": where, "x": {"value": 0}, "x2": {"value": {"expr": room}}}
    return [
        {
            "data": {"values": [{"at": tick} for tick in scale.ticks if tick != 0]},
            "mark": {"type": "rule", "color": Token.GRID, "aria": False},
            "encoding": across,
        }
    ]


def score_axis(scale: Scale, title: str, field: str) -> dict[str, Any]:
    """Return an x encoding with round ticks and no grid of its own.

    Parameters
    ----------
    scale
        The axis.
    title
        What it shows, with the unit.
    field
        The data's field.
    """
    return {
        "field": field,
        "type": "quantitative",
        "scale": {"domain": [scale.low, scale.high], "nice": False, "zero": False},
        "axis": {
            "values": list(scale.ticks),
            "format": f".{scale.decimals}f",
            "grid": False,
            "title": title,
            "titleAnchor": "start",
            "labelFlush": True,
            "labelOverlap": "parity",
        },
    }


def row_y(rows: int) -> dict[str, Any]:
    """Return a y encoding of the field `row` that gives each of some rows the same height, the first on top.

    Marks of one row are told apart by the mark property ``yOffset``, in pixels.

    Parameters
    ----------
    rows
        How many rows there are.
    """
    return {
        "field": "row",
        "type": "quantitative",
        "scale": {"domain": [-0.5, rows - 0.5], "reverse": True, "nice": False, "zero": False},
        "axis": None,
    }


def row_texts(
    rows: int, lift: int, told: Sequence[str], *, transform: Sequence[dict[str, Any]] = ()
) -> list[dict[str, Any]]:
    """Return the layers with a row's name (field `name`) at its left and its number (field `told`) at its right.

    A name that would run into its number on a narrow screen is cut off with an ellipsis.

    Parameters
    ----------
    rows
        How many rows there are.
    lift
        Pixels by which the texts stand above the row's middle.
    told
        All texts of the field `told`, for the room that they take.
    transform
        Transforms of the layers' data.
    """
    taken = round(max((text_width(text, 12.5) for text in told), default=0)) + 10
    base = {"type": "text", "baseline": "middle", "fontSize": 12.5, "yOffset": -lift}
    sides: tuple[tuple[str, Any, str, Colour], ...] = (
        ("left", 0, "name", Token.INK),
        ("right", {"expr": "width"}, "told", Token.MUTED),
    )
    return [
        {
            "transform": list(transform),
            "mark": {
                **base,
                "align": align,
                "color": colour,
                **({"limit": {"expr": f"width - {taken}"}} if field == "name" else {}),
            },
            "encoding": {
                "x": {"value": at},
                "y": row_y(rows),
                "text": {"field": field, "type": "nominal"},
            },
        }
        for align, at, field, colour in sides
    ]


def with_halo(layer: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a text layer with a copy in the paper's colour behind it, so that it stays legible over other marks.

    Parameters
    ----------
    layer
        A layer whose mark is text.
    """
    behind = {**layer["mark"], "color": Token.PAPER, "stroke": Token.PAPER, "strokeWidth": 5, "aria": False}
    return [{**layer, "mark": behind}, layer]


def padding(top: int, right: int = 8) -> dict[str, int]:
    """Return a specification's padding with room for a key above the plot."""
    return {"left": 6, "right": right, "top": top, "bottom": 6}
