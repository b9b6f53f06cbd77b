"""The errors behind one cell of a phase diagram: where each estimator's errors lie over the test sets."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from core.figures.base import Figure
from core.figures.estimator_lines import colour_of
from core.figures.phase_diagrams import NAMES, PANEL_TITLES
from core.figures.theme import Mode, Token
from core.figures.wording import number

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

QUANTILES = (0.025, 0.25, 0.5, 0.75, 0.975)


def cell_figure(
    errors: Mapping[str, NDArray[np.float64]],
    *,
    regime: str,
    auroc: float,
    bias_pp: float,
    label: str,
    source: str,
    mode: Mode = "light",
) -> Figure:
    """Return the error distributions of one cell.

    Parameters
    ----------
    errors
        Estimator -> shape (replicates,): estimate minus truth, on the scale of scores.
    regime
        The panel.
    auroc, bias_pp
        The cell's nominal targets.
    label, source
        "simulated" or "recomputed", and one line on where the numbers come from.
    mode
        Colours.
    """
    import pandas as pd

    names = [name for name in NAMES if name in errors]
    rows: list[dict[str, Any]] = []
    for name in names:
        values = 100 * errors[name]
        low, q1, middle, q3, high = (float(value) for value in np.quantile(values, QUANTILES))
        rows.append(
            {
                "estimator": NAMES[name],
                "key": name,
                "low": low,
                "q1": q1,
                "median": middle,
                "q3": q3,
                "high": high,
                "bias": float(values.mean()),
                "sd": float(values.std()),
                "rmse": float(np.sqrt(np.mean(values**2))),
                "text": f"RMSE {number(float(np.sqrt(np.mean(values**2))))}",
            }
        )
    ranked = sorted(rows, key=lambda row: row["rmse"])
    title = (
        f"{PANEL_TITLES[regime]}, AUROC {number(auroc, 2)}, |bias| {number(bias_pp)} pp: {ranked[0]['estimator']} errs least "
        f"({number(ranked[0]['rmse'])} pp), then {ranked[1]['estimator']} ({number(ranked[1]['rmse'])} pp)"
    )
    test_sets = len(next(iter(errors.values())))
    subtitle = f"Errors over {test_sets:,} test sets, pp: middle half (thick), middle 95 % (thin), median (tick). {label.capitalize()}."
    alt = (
        f"{title}. "
        + "; ".join(
            f"{row['estimator']} bias {number(row['bias'])}, standard deviation {number(row['sd'])} pp"
            for row in rows
        )
        + "."
    )
    return Figure(
        _spec(rows, names),
        title,
        subtitle,
        alt,
        pd.DataFrame(rows).drop(columns=["key", "text"]).assign(label=label, source=source),
        source,
        (),
        mode,
        height=50 + 30 * len(rows),
    )


def _spec(rows: list[dict[str, Any]], names: list[str]) -> dict[str, Any]:
    order = [NAMES[name] for name in names]
    low, high = min(row["low"] for row in rows), max(row["high"] for row in rows)
    margin = 0.05 * (high - low) + 0.2
    scale = {"domain": [min(low, 0) - margin, max(high, 0) + margin], "nice": False, "zero": False}
    x = {
        "type": "quantitative",
        "scale": scale,
        "axis": {"title": "estimate minus clean score, pp", "tickCount": 7},
    }
    y = {
        "field": "estimator",
        "type": "nominal",
        "sort": order,
        "axis": {"title": None, "labelColor": Token.INK, "labelFontSize": 13, "labelLimit": 140},
    }
    colour = {
        "field": "estimator",
        "type": "nominal",
        "scale": {"domain": order, "range": [colour_of(name) for name in names]},
        "legend": None,
    }
    tooltip = [
        {"field": "estimator", "title": "estimator"},
        *(
            {"field": name, "title": f"{title}, pp", "type": "quantitative", "format": ".2f"}
            for name, title in (("bias", "bias"), ("sd", "standard deviation"), ("rmse", "RMSE"))
        ),
    ]
    return {
        "data": {"values": rows},
        "layer": [
            {
                "data": {"values": [{"zero": 0}]},
                "mark": {"type": "rule", "color": Token.INK, "strokeWidth": 1.25},
                "encoding": {"x": {**x, "field": "zero"}},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 2},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y, "color": colour},
            },
            {
                "mark": {"type": "rule", "strokeWidth": 9},
                "encoding": {
                    "x": {**x, "field": "q1"},
                    "x2": {"field": "q3"},
                    "y": y,
                    "color": colour,
                    "tooltip": tooltip,
                },
            },
            {
                "mark": {"type": "tick", "thickness": 2.5, "size": 16, "color": Token.PAPER},
                "encoding": {"x": {**x, "field": "median"}, "y": y},
            },
        ],
        "padding": {"left": 4, "right": 10, "top": 6, "bottom": 4},
    }
