"""Names at the right ends of curves, moved apart so that none touches another; short ones on narrow screens."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from core.figures.axes import NARROW, spread
from core.figures.theme import Token
from core.figures.wording import text_width
from core.published import BENCHMARKS

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.figures.axes import Scale

LABEL_SIZE: Final = 13
SHORT_SIZE: Final = 11.5
_LEADER: Final = 22


def end_labels(
    frame: pd.DataFrame, scale: Scale, height: int, further: Sequence[tuple[str, str, int, float]] = ()
) -> list[dict[str, Any]]:
    """Return one row per curve: where it ends, and where its name can stand without touching another.

    Parameters
    ----------
    frame
        A tidy frame (`core.figures.series`).
    scale
        The y axis.
    height
        Plot height in pixels.
    further
        Further names at the right edge: key, name, budget and value of each.
    """
    drawn = frame[~frame["static_control"] & frame["value"].notna()]
    if drawn.empty:
        return []
    last = drawn.loc[drawn.groupby("benchmark", sort=False)["new_submissions"].idxmax()]
    ends = [
        *zip(last["benchmark"], last["name"], last["new_submissions"], last["value"], strict=True),
        *further,
    ]
    per_pixel = (scale.high - scale.low) / height
    places = spread(
        [value for *_, value in ends],
        (LABEL_SIZE + 3) * per_pixel,
        scale.low,
        scale.high + LABEL_SIZE * per_pixel,
    )
    return [
        {
            "benchmark": key,
            "name": name,
            "short": BENCHMARKS[key].short if key in BENCHMARKS and BENCHMARKS[key].name == name else name,
            "new_submissions": int(budget),
            "end": value,
            "place": place,
        }
        for (key, name, budget, value), place in zip(ends, places, strict=True)
    ]


def label_room(ends: Sequence[dict[str, Any]]) -> str:
    """Return where the plot ends and the names begin, as an expression over the plot's width."""
    if not ends:
        return "width - 10"
    full = max(text_width(row["name"], LABEL_SIZE) for row in ends) + _LEADER + 4
    short = max(text_width(row["short"], SHORT_SIZE) for row in ends) + _LEADER * 0.6
    return f"width - (width < {NARROW} ? {math.ceil(short)} : {math.ceil(full)})"


def label_layers(ends: Sequence[dict[str, Any]], colour: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the layers of the names and of the lines that lead to them."""
    if not ends:
        return []
    x = {"field": "new_submissions", "type": "quantitative"}
    data = {"values": list(ends)}
    narrow = f"width < {NARROW}"
    layers: list[dict[str, Any]] = [
        {
            "data": data,
            "mark": {
                "type": "rule",
                "strokeWidth": 1.25,
                "xOffset": 5,
                "x2Offset": {"expr": f"{narrow} ? {_LEADER * 0.6 - 3} : {_LEADER - 4}"},
            },
            "encoding": {
                "x": x,
                "x2": {"field": "new_submissions"},
                "y": {"field": "end", "type": "quantitative"},
                "y2": {"field": "place"},
                "color": colour,
            },
        }
    ]
    for field, shift, size in (
        ("name", _LEADER, f"{narrow} ? 0 : {LABEL_SIZE}"),
        ("short", _LEADER * 0.6, f"{narrow} ? {SHORT_SIZE} : 0"),
    ):
        layers.append(
            {
                "data": data,
                "mark": {
                    "type": "text",
                    "align": "left",
                    "baseline": "middle",
                    "dx": shift,
                    "fontSize": {"expr": size},
                    "color": Token.INK,
                },
                "encoding": {
                    "x": x,
                    "y": {"field": "place", "type": "quantitative"},
                    "text": {"field": field},
                },
            }
        )
    return layers
