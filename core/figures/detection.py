"""Detection in pictures: AUROC by duplication level, ROC curve, reliability of calibrated scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.figures.base import Figure
from core.figures.theme import BLUE, GREEN, GREY, PURPLE, VERMILION, Mode, Token
from core.figures.titles_above import titled_above
from core.figures.wording import capitalised, join, number

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np
    import pandas as pd
    from numpy.typing import NDArray

    from core.contamination.detection import Reliability

ATTACK_LOOK: Final[Mapping[str, tuple[Any, list[float], str]]] = {
    "LOSS": (GREY, [1, 0], "circle"),
    "Min-K%": (BLUE, [7, 3], "square"),
    "Min-K%++": (VERMILION, [2, 2.5], "triangle-up"),
    "zlib": (PURPLE, [9, 3, 2, 3], "triangle-down"),
    "Reference": (GREEN, [5, 3], "diamond"),
}
_PADDING: Final = {"left": 4, "right": 8, "top": 6, "bottom": 4}


def auroc_figure(
    table: pd.DataFrame, *, name: str, label: str, source: str, mode: Mode = "light", height: int = 300
) -> Figure:
    """Return AUROC by duplication level, one line per score.

    Parameters
    ----------
    table
        Columns ``attack, duplicates`` (whole numbers), ``auroc, low, high``; the interval may be missing.
    name
        What was attacked.
    label, source
        "published", "recomputed" or "simulated", and one line on where the numbers come from.
    mode
        Colours.
    height
        Plot height in pixels.
    """
    attacks = [attack for attack in ATTACK_LOOK if attack in set(table["attack"])]
    levels = sorted({int(level) for level in table["duplicates"]})
    first, middle = levels[0], levels[len(levels) // 2]
    at = {
        level: table[table["duplicates"] == level].set_index("attack")["auroc"] for level in (first, middle)
    }
    best = str(at[middle].idxmax())
    copies = "copy is" if first == 1 else "copies are"
    title = (
        f"{name}: {first} {copies} hardly seen (AUROC {number(at[first].min(), 2)} to {number(at[first].max(), 2)}), {middle} "
        f"mostly ({best} {number(at[middle][best], 2)})"
    )
    rows = [
        {
            "attack": row["attack"],
            "level": str(int(row["duplicates"])),
            "auroc": row["auroc"],
            "low": row.get("low"),
            "high": row.get("high"),
        }
        for row in table.sort_values("duplicates").to_dict("records")
    ]
    scales = _attack_scales(attacks)
    x = {
        "field": "level",
        "type": "ordinal",
        "sort": [str(level) for level in levels],
        "axis": {"title": "copies in the training data", "labelAngle": 0},
        "scale": {"type": "point", "padding": 0.3},
    }
    y = {
        "field": "auroc",
        "type": "quantitative",
        "scale": {"domain": [0.45, 1.0], "nice": False},
        "axis": titled_above("AUROC", values=[0.5, 0.6, 0.7, 0.8, 0.9, 1.0], format=".1f"),
    }
    legend = {
        "orient": "bottom",
        "title": None,
        "columns": 3,
        "symbolSize": 90,
        "symbolStrokeWidth": 0,  # an outline would take the lines' dashes and fray
        "symbolOpacity": 1,
    }
    has_interval = "low" in table.columns and bool(table["low"].notna().all())
    layers: list[dict[str, Any]] = [
        {
            "data": {"values": [{"chance": 0.5}]},
            "mark": {"type": "rule", "color": Token.AXIS, "strokeDash": [3, 3]},
            "encoding": {"y": {**y, "field": "chance"}},
        }
    ]
    if has_interval:
        layers.append(
            {
                "mark": {"type": "rule", "opacity": 0.45, "strokeWidth": 2},
                "encoding": {
                    "x": x,
                    "y": {**y, "field": "low"},
                    "y2": {"field": "high"},
                    "color": {**scales["color"], "legend": legend},
                },
            }
        )
    layers += [
        {
            "mark": {"type": "line", "strokeWidth": 2},
            "encoding": {
                "x": x,
                "y": y,
                "color": {**scales["color"], "legend": legend},
                "strokeDash": {**scales["strokeDash"], "legend": legend},
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 55, "opacity": 1},
            "encoding": {
                "x": x,
                "y": y,
                "color": {**scales["color"], "legend": legend},
                "shape": {**scales["shape"], "legend": legend},
                "tooltip": [
                    {"field": "attack", "title": "score"},
                    {"field": "level", "title": "copies"},
                    {"field": "auroc", "title": "AUROC", "format": ".3f"},
                ],
            },
        },
    ]
    alt = "; ".join(
        f"{attack} {', '.join(number(value, 2) for value in table[table['attack'] == attack].sort_values('duplicates')['auroc'])}"
        for attack in attacks
    )
    return Figure(
        {"data": {"values": rows}, "layer": layers, "padding": _PADDING},
        title,
        f"AUROC of leaked against clean items{', 95 % DeLong intervals' if has_interval else ''}. {capitalised(label)}.",
        f"{title}. Line chart, {label}, at {join([str(level) for level in levels])} copies: {alt}.",
        table.assign(label=label, source=source),
        source,
        (),
        mode,
        height=height,
    )


def roc_figure(
    false_rate: NDArray[np.float64],
    true_rate: NDArray[np.float64],
    *,
    area: tuple[float, float, float],
    attack: str,
    name: str,
    label: str,
    source: str,
    mode: Mode = "light",
) -> Figure:
    """Return a ROC curve with its area.

    Parameters
    ----------
    false_rate, true_rate
        Shape (points,).
    area
        AUROC with its interval.
    attack, name
        The score, and what it was computed on.
    label, source
        As for `auroc_figure`.
    mode
        Colours.
    """
    import numpy as np
    import pandas as pd

    caught = float(np.interp(0.05, false_rate, true_rate))
    title = (
        f"{attack} finds {number(100 * caught, 0)} % of the leaked items when it may accuse 5 % of the clean ones (AUROC "
        f"{number(area[0], 2)})"
    )
    step = max(1, len(false_rate) // 400)
    keep = np.unique(np.append(np.arange(0, len(false_rate), step), len(false_rate) - 1))
    table = pd.DataFrame({"clean_accused": false_rate[keep], "leaked_found": true_rate[keep]})
    axis = {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1]}
    x = {
        "field": "clean_accused",
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": {**axis, "title": "clean items accused"},
    }
    y = {
        "field": "leaked_found",
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": titled_above("leaked items found", **axis),
    }
    spec = {
        "data": {"values": table.to_dict("records")},
        "layer": [
            _diagonal("clean_accused", "leaked_found", x, y),
            {
                "mark": {
                    "type": "line",
                    "strokeWidth": 2.25,
                    "color": Token.INK,
                    "interpolate": "step-after",
                },
                "encoding": {"x": x, "y": y},
            },
        ],
        "padding": _PADDING,
    }
    return Figure(
        spec,
        title,
        f"ROC curve on {name}. AUROC {number(area[0], 3)}, 95 % interval {number(area[1], 3)} to {number(area[2], 3)}. "
        f"{capitalised(label)}.",
        f"{title}. ROC curve, {label}.",
        table.assign(label=label, source=source),
        source,
        (),
        mode,
        width=420,
        height=300,
    )


def reliability_figure(
    diagrams: Mapping[str, Reliability],
    *,
    attack: str,
    name: str,
    label: str,
    source: str,
    mode: Mode = "light",
) -> Figure:
    """Return reliability diagrams of one score under several calibrations.

    Parameters
    ----------
    diagrams
        Name of the calibration -> its diagram; at most three.
    attack, name, label, source
        As for `roc_figure`.
    mode
        Colours.
    """
    import pandas as pd

    names = list(diagrams)
    looks: Sequence[tuple[Any, list[float], str]] = (
        (Token.INK, [1, 0], "circle"),
        (BLUE, [5, 3], "diamond"),
        (GREY, [2, 2], "square"),
    )
    rows = [
        {
            "calibration": key,
            "predicted": float(predicted),
            "observed": float(observed),
            "low": float(low),
            "high": float(high),
            "items": int(items),
        }
        for key, diagram in diagrams.items()
        for predicted, observed, low, high, items in zip(
            diagram.predicted, diagram.observed, diagram.low, diagram.high, diagram.count, strict=True
        )
    ]
    errors = join([f"{number(100 * diagram.error)} pp ({key})" for key, diagram in diagrams.items()])
    title = f"{attack}'s probabilities are off by {errors} on average"
    color = {
        "field": "calibration",
        "type": "nominal",
        "scale": {"domain": names, "range": [look[0] for look in looks[: len(names)]]},
        "legend": {"orient": "bottom", "title": None, "symbolOpacity": 1, "symbolStrokeWidth": 0},
    }
    dash = {
        "field": "calibration",
        "type": "nominal",
        "scale": {"domain": names, "range": [look[1] for look in looks[: len(names)]]},
        "legend": None,
    }
    axis = {"format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1]}
    x = {
        "field": "predicted",
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": {**axis, "title": "predicted probability of a leak"},
    }
    y = {
        "field": "observed",
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": titled_above("share that leaked", **axis),
    }
    spec = {
        "data": {"values": rows},
        "layer": [
            _diagonal("predicted", "observed", x, y),
            {
                "mark": {"type": "rule", "strokeWidth": 1.5, "opacity": 0.5},
                "encoding": {
                    "x": x,
                    "y": {**y, "field": "low"},
                    "y2": {"field": "high"},
                    "color": color,
                },
            },
            {
                "mark": {"type": "line", "strokeWidth": 2},
                "encoding": {"x": x, "y": y, "color": color, "strokeDash": dash},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 50, "opacity": 1},
                "encoding": {
                    "x": x,
                    "y": y,
                    "color": color,
                    "tooltip": [
                        {"field": "calibration", "title": "calibration"},
                        {"field": "predicted", "title": "predicted", "format": ".2f"},
                        {"field": "observed", "title": "leaked", "format": ".2f"},
                        {"field": "items", "title": "items"},
                    ],
                },
            },
        ],
        "padding": _PADDING,
    }
    return Figure(
        spec,
        title,
        f"Reliability on {name}; whiskers are 95 % Wilson intervals, the diagonal is perfect. {capitalised(label)}.",
        f"{title}. Reliability diagram, {label}.",
        pd.DataFrame(rows).assign(label=label, source=source),
        source,
        (),
        mode,
        width=420,
        height=300,
    )


def _diagonal(x_field: str, y_field: str, x: dict[str, Any], y: dict[str, Any]) -> dict[str, Any]:
    return {
        "data": {"values": [{x_field: 0, y_field: 0}, {x_field: 1, y_field: 1}]},
        "mark": {"type": "line", "color": Token.AXIS, "strokeDash": [3, 3], "strokeWidth": 1.25},
        "encoding": {"x": x, "y": y},
    }


def _attack_scales(attacks: Sequence[str]) -> dict[str, dict[str, Any]]:
    domain = list(attacks)
    parts = {"color": 0, "strokeDash": 1, "shape": 2}
    return {
        channel: {
            "field": "attack",
            "type": "nominal",
            "scale": {"domain": domain, "range": [ATTACK_LOOK[attack][index] for attack in attacks]},
        }
        for channel, index in parts.items()
    }
