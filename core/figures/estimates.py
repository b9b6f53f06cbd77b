"""Estimates and their errors: one row per estimator, against the truth, and errors by calibration size."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from core.figures.base import Figure
from core.figures.correction_words import sizes_title
from core.figures.estimator_lines import (
    SHAPES,
    colour_of,
    error_axis,
    estimator_colour,
    line_layers,
    spread_labels,
)
from core.figures.phase_diagrams import NAMES
from core.figures.theme import Mode, Token
from core.figures.wording import capitalised, join, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd


COVERS: Final = (
    "The whiskers are 95 % bootstrap intervals over items, both predictors fitted again on every resample. They do not cover a "
    "leak whose doses differ from the spiked items', nor items that are harder or easier than the calibration items."
)
_EDGE: Final = 0.2
"""Share of the axis at its left end where a number stands to the right of its mark, not over the names."""
_NEAR: Final = 0.12
"""Share of the axis on either side of the clean score's line where a number stands beside the line, not on it."""


def estimate_figure(
    table: pd.DataFrame, *, truth: float | None, where: str, label: str, source: str, mode: Mode = "light"
) -> Figure:
    """Return one test set's estimates with their intervals, the truth as a line where it is known.

    Parameters
    ----------
    table
        Columns ``estimator, estimate, low, high, note`` (`core.contamination.correction.Correction.frame`), scores in [0, 1].
    truth
        mu*, or None where nobody knows it.
    where
        What was corrected, for title and description.
    label, source
        "simulated", "recomputed", and one line on where the numbers come from.
    mode
        Colours.
    """
    shown = table[table["estimate"].notna()]
    missing = table[table["estimate"].isna()]
    rows = [
        {
            "estimator": NAMES[row["estimator"]],
            "key": row["estimator"],
            "value": 100 * row["estimate"],
            "low": 100 * row["low"],
            "high": 100 * row["high"],
            "interval": f"{number(100 * row['low'])} to {number(100 * row['high'])}",
            "text": number(100 * row["estimate"]),
        }
        for row in shown.to_dict("records")
    ]
    title = _estimate_title(rows, truth, where)
    extremes = (
        [row["low"] for row in rows]
        + [row["high"] for row in rows]
        + ([] if truth is None else [100 * truth])
    )
    domain = [max(0.0, math.floor(min(extremes) - 2)), min(100.0, math.ceil(max(extremes) + 2))]
    order = [row["estimator"] for row in rows]
    spec = _whisker_spec(rows, order, domain, "score, %", truth=None if truth is None else 100 * truth)
    notices = [COVERS]
    notices += [
        f"{capitalised(NAMES[row['estimator']])}: {row['note']}." for row in missing.to_dict("records")
    ]
    known = "" if truth is None else f" The clean score is {number(100 * truth)} %."
    alt = (
        f"{title}. Dot plot, {label}.{known} "
        + "; ".join(f"{row['estimator']} {row['text']} %, interval {row['interval']}" for row in rows)
        + "."
    )
    return Figure(
        spec,
        title,
        f"Estimated clean score, %, with 95 % bootstrap intervals. {capitalised(label)}."
        + ("" if truth is None else " The line is the clean score."),
        alt,
        table.assign(truth=truth, label=label, source=source),
        source,
        tuple(notices),
        mode,
        height=52 + 34 * len(rows),
    )


def error_figure(
    table: pd.DataFrame, *, where: str, test_sets: int, label: str, source: str, mode: Mode = "light"
) -> Figure:
    """Return the estimators' RMSE over many test sets, the bias beside it.

    Parameters
    ----------
    table
        Frame of `core.contamination.pool_correction.repeated_errors`.
    where, label, source
        As for `estimate_figure`.
    test_sets
        How many.
    mode
        Colours.
    """
    rows = [
        {
            "estimator": NAMES[row["estimator"]],
            "key": row["estimator"],
            "value": row["rmse_pp"],
            "low": row["rmse_low_pp"],
            "high": row["rmse_high_pp"],
            "interval": f"{number(row['rmse_low_pp'])} to {number(row['rmse_high_pp'])}",
            "text": f"{number(row['rmse_pp'])} (bias {number(row['bias_pp'])})",
        }
        for row in table.to_dict("records")
        if not math.isnan(row["rmse_pp"])
    ]
    best = min(rows, key=lambda row: row["value"])
    naive = next(row for row in rows if row["key"] == "naive")
    title = (
        f"Over {test_sets:,} test sets ({where}), {best['estimator']} errs by {number(best['value'])} pp, the naive score by "
        f"{number(naive['value'])} pp"
        if best["key"] != "naive"
        else f"Over {test_sets:,} test sets ({where}), no correction errs less than the naive score's {number(naive['value'])} pp"
    )
    domain = [0.0, 1.3 * max(row["high"] for row in rows) + 0.5]
    spec = _whisker_spec(rows, [row["estimator"] for row in rows], domain, "RMSE, pp", truth=None)
    return Figure(
        spec,
        title,
        f"Root mean squared error in pp with 2 standard errors over {test_sets:,} test sets; the bias in brackets. "
        f"{capitalised(label)}.",
        f"{title}. Dot plot, {label}. "
        + "; ".join(f"{row['estimator']} {row['text']} pp" for row in rows)
        + ".",
        table.assign(label=label, source=source),
        source,
        (
            "The whiskers cover the draw of test sets, not another draw of the pool or of the calibration items.",
        ),
        mode,
        height=52 + 34 * len(rows),
    )


def sizes_figure(table: pd.DataFrame, *, mark: int, where: str, source: str, mode: Mode = "light") -> Figure:
    """Return the error by number of calibration items.

    Parameters
    ----------
    table
        Frame of `core.contamination.pool_correction.calibration_sizes`.
    mark
        The size that the title talks about and the rule marks.
    where, source
        As for `estimate_figure`.
    mode
        Colours.
    """
    names = [name for name in NAMES if name in set(table["estimator"])]
    at = table[table["size"] == mark].set_index("estimator")["rmse_pp"]
    last = int(table["size"].max())
    end = table[table["size"] == last].set_index("estimator")["rmse_pp"]
    title = sizes_title(table, mark)
    rows = [
        {
            "estimator": NAMES[row["estimator"]],
            "size": row["size"],
            "rmse": row["rmse_pp"],
            "low": row["rmse_low_pp"],
            "high": row["rmse_high_pp"],
        }
        for row in table.to_dict("records")
    ]
    sizes = sorted({row["size"] for row in rows})
    ends = spread_labels(
        [row for row in rows if row["size"] == last], 0.062 * max(row["high"] for row in rows)
    )
    colour = estimator_colour(names)
    x = {
        "field": "size",
        "type": "quantitative",
        "scale": {
            "type": "log",
            "domain": [sizes[0], sizes[-1]],
            "nice": False,
            "range": [6, {"expr": "width - 84"}],
        },
        "axis": {
            "values": sizes,
            "format": ",d",
            "grid": False,
            "title": "calibration items, half of them spiked",
        },
    }
    y = error_axis(6)
    layers = [
        {
            "data": {"values": [{"size": mark}]},
            "mark": {"type": "rule", "color": Token.AXIS, "strokeDash": [3, 3]},
            "encoding": {"x": x},
        },
        {
            "mark": {"type": "area", "opacity": 0.14},
            "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": colour},
        },
        *line_layers(
            names,
            ends,
            x,
            y,
            {"type": "point", "filled": True, "size": 42},
            ("size", "calibration items", ",d"),
        ),
    ]
    alt_rows = "; ".join(
        f"{NAMES[name]} {number(at[name])} pp at {mark} and {number(end[name])} at {last:,}" for name in names
    )
    return Figure(
        {
            "data": {"values": rows},
            "layer": layers,
            "padding": {"left": 4, "right": 8, "top": 6, "bottom": 4},
        },
        title,
        f"Root mean squared error in pp, {where}; bands are 2 standard errors. Simulated.",
        f"{title}. Line chart over calibration sizes from {sizes[0]} to {last:,}, simulated. {capitalised(alt_rows)}.",
        table.assign(label="simulated", source=source),
        source,
        (
            (
                "IPW uses the memorization predictor alone, imputation the correctness predictor alone, each fitted on the "
                "calibration items; every replicate draws its own. The bands do not cover another pool."
            ),
        ),
        mode,
        height=340,
    )


def _whisker_spec(
    rows: list[dict[str, Any]], order: Sequence[str], domain: list[float], title: str, *, truth: float | None
) -> dict[str, Any]:
    keys = [row["key"] for row in rows]
    colour = {
        "field": "estimator",
        "type": "nominal",
        "scale": {"domain": list(order), "range": [colour_of(key) for key in keys]},
        "legend": None,
    }
    shape = {
        "field": "estimator",
        "type": "nominal",
        "scale": {"domain": list(order), "range": [SHAPES[key] for key in keys]},
        "legend": None,
    }
    x = {
        "field": "value",
        "type": "quantitative",
        "scale": {"domain": domain, "nice": False, "zero": False},
        "axis": {"title": title, "tickCount": 6},
    }
    y = {
        "field": "estimator",
        "type": "nominal",
        "sort": list(order),
        "axis": {"title": None, "labelColor": Token.INK, "labelFontSize": 13, "labelLimit": 140},
    }
    rows = [row | _number_place(row["value"], domain, truth) for row in rows]
    number_mark: dict[str, Any] = {"type": "text", "dy": -12, "fontSize": 12}
    halo: dict[str, Any] = {"stroke": Token.PAPER, "strokeWidth": 4}
    places: dict[str, dict[str, Any]] = {
        "over": {},
        "start": {"align": "left", "dx": -6},
        "left": {"align": "right", "dx": -5},
        "right": {"align": "left", "dx": 5},
    }
    layers: list[dict[str, Any]] = []
    if truth is not None:
        layers.append(
            {
                "data": {"values": [{"truth": truth}]},
                "mark": {"type": "rule", "color": Token.INK, "strokeWidth": 1.5, "strokeDash": [5, 3]},
                "encoding": {"x": {**x, "field": "truth"}},
            }
        )
    layers += [
        {
            "mark": {"type": "rule", "strokeWidth": 2},
            "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": colour},
        },
        {
            "mark": {"type": "point", "filled": True, "size": 110, "opacity": 1},
            "encoding": {
                "x": x,
                "y": y,
                "color": colour,
                "shape": shape,
                "tooltip": [
                    {"field": "estimator", "title": "estimator"},
                    {"field": "text", "title": title},
                    {"field": "interval", "title": "interval"},
                ],
            },
        },
        *(
            {
                "transform": [{"filter": f"datum.place == '{place}'"}],
                "mark": number_mark | placed | ink,
                "encoding": {"x": {**x, "field": "anchor"}, "y": y, "text": {"field": "text"}},
            }
            for place, placed in places.items()
            if any(row["place"] == place for row in rows)
            for ink in (halo, {})
        ),
    ]
    return {
        "data": {"values": rows},
        "layer": layers,
        "padding": {"left": 4, "right": 14, "top": 6, "bottom": 4},
    }


def _number_place(value: float, domain: list[float], truth: float | None) -> dict[str, Any]:
    """Return where a mark's number stands: over it, to its right at the axis' start, or on one side of the line."""
    width = domain[1] - domain[0]
    at_start = value < domain[0] + _EDGE * width
    if truth is not None and abs(value - truth) < _NEAR * width:
        left = value < truth and not at_start
        return {"place": "left", "anchor": value} if left else {"place": "right", "anchor": max(value, truth)}
    return {"place": "start" if at_start else "over", "anchor": value}


def _estimate_title(rows: list[dict[str, Any]], truth: float | None, where: str) -> str:
    naive = next(row for row in rows if row["key"] == "naive")
    if truth is None:
        others = [row for row in rows if row["key"] in {"ipw", "combined"}]
        if not others:
            return f"The observed score is {naive['text']} % ({where}); nothing here can correct it"
        parts = join([f"{row['estimator']} says {row['text']} %" for row in others])
        return f"Observed: {naive['text']} %. {parts[0].upper()}{parts[1:]} ({where})"
    off = naive["value"] - 100 * truth
    opening = f"The observed score is {number(abs(off))} pp too {'high' if off >= 0 else 'low'}"
    corrected = [row for row in rows if row["key"] in {"ipw", "imputation", "combined"}]
    if not corrected:
        return f"{opening} ({where})"
    parts = join([f"{row['estimator']} by {number(abs(row['value'] - 100 * truth))}" for row in corrected])
    return f"{opening}; {parts} pp off ({where})"
