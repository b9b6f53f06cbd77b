"""What a leak adds to an uncorrected score, from Hubble's published accuracies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.figures.base import Figure
from core.figures.theme import Mode, Token
from core.figures.titles_above import titled_above
from core.figures.wording import number

if TYPE_CHECKING:
    import pandas as pd


def inflation_figure(
    table: pd.DataFrame, *, rate_percent: float, source: str, mode: Mode = "light"
) -> Figure:
    """Return the expected inflation of the naive score by dose, one line per benchmark.

    Parameters
    ----------
    table
        Columns ``benchmark, duplicates, inflation_pp``.
    rate_percent
        Share of contaminated items that the numbers assume.
    source
        One line on where the numbers come from.
    mode
        Colours.
    """
    levels = sorted({int(level) for level in table["duplicates"]})
    last = table[table["duplicates"] == levels[-1]].sort_values("inflation_pp")
    worst, least = last.iloc[-1], last.iloc[0]
    title = (
        f"With {number(rate_percent, 0)} % of the items leaked {levels[-1]} times, the naive score rises by "
        f"{number(least['inflation_pp'])} pp ({least['benchmark']}) to {number(worst['inflation_pp'])} pp ({worst['benchmark']})"
    )
    rows = table.assign(copies=table["duplicates"].astype(int).astype(str)).to_dict("records")
    x = {
        "field": "copies",
        "type": "ordinal",
        "sort": [str(level) for level in levels],
        "axis": {"title": "copies in the training data", "labelAngle": 0},
        "scale": {"type": "point", "padding": 0.2, "range": [14, {"expr": "width - 140"}]},
    }
    y = {
        "field": "inflation_pp",
        "type": "quantitative",
        "axis": titled_above("expected inflation, pp", tickCount=6),
        "scale": {"nice": True},
    }
    detail = {"field": "benchmark", "type": "nominal"}
    spec = {
        "data": {"values": rows},
        "layer": [
            {
                "data": {"values": [{"zero": 0}]},
                "mark": {"type": "rule", "color": Token.AXIS},
                "encoding": {"y": {**y, "field": "zero"}},
            },
            {
                "mark": {"type": "line", "strokeWidth": 1.75, "color": Token.MUTED},
                "encoding": {"x": x, "y": y, "detail": detail},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 40, "color": Token.INK, "opacity": 1},
                "encoding": {
                    "x": x,
                    "y": y,
                    "tooltip": [
                        {"field": "benchmark", "title": "benchmark"},
                        {"field": "copies", "title": "copies"},
                        {"field": "inflation_pp", "title": "inflation, pp", "format": ".1f"},
                    ],
                },
            },
            {
                "data": {"values": _labels(last, str(levels[-1]))},
                "mark": {"type": "text", "align": "left", "dx": 9},
                "encoding": {"x": x, "y": {**y, "field": "at"}, "text": {"field": "benchmark"}},
            },
        ],
        "padding": {"left": 4, "right": 8, "top": 6, "bottom": 4},
    }
    alt = "; ".join(f"{row['benchmark']} {number(row['inflation_pp'])}" for row in last.to_dict("records"))
    return Figure(
        spec,
        title,
        f"{number(rate_percent / 100, 2)} x (perturbed - standard accuracy), pp. Published accuracies, no model recomputed.",
        f"{title}. Line chart over {levels[0]} to {levels[-1]} copies, published. At {levels[-1]}: {alt} pp.",
        table.assign(label="published", source=source),
        source,
        (),
        mode,
        height=300,
    )


def _labels(last: pd.DataFrame, copies: str) -> list[dict[str, Any]]:
    """Return the names at the right end, moved apart where lines end close together."""
    placed: list[dict[str, Any]] = []
    for row in last.to_dict("records"):
        at = max(row["inflation_pp"], placed[-1]["at"] + 1.9) if placed else row["inflation_pp"]
        placed.append({"benchmark": row["benchmark"], "copies": copies, "at": at})
    return placed
