"""The pocket pair in pictures: accuracy by number of copies, and one item token by token; Hubble's published shapes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.figures.base import Figure
from core.figures.theme import BLUE, VERMILION, Mode, Token
from core.figures.titles_above import titled_above
from core.figures.wording import capitalised, join, number

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

_MODELS: Final = ("standard", "perturbed")
_COLOURS: Final = {"standard": BLUE, "perturbed": VERMILION}
_LEGEND: Final = {"orient": "bottom", "title": None, "symbolOpacity": 1, "symbolStrokeWidth": 0}
_PADDING: Final = {"left": 4, "right": 8, "top": 6, "bottom": 4}


def accuracy_figure(
    table: pd.DataFrame, *, name: str, label: str, source: str, chance: float, mode: Mode = "light"
) -> Figure:
    """Return both models' accuracy by number of copies.

    Parameters
    ----------
    table
        Columns ``duplicates, standard, perturbed`` and, where known, ``standard_se, perturbed_se``.
    name
        The pair and what it was asked.
    label, source
        "published" or "recomputed", and one line on where the numbers come from.
    chance
        Accuracy of a guess, drawn as a line.
    mode
        Colours.
    """
    table = table.sort_values("duplicates")
    levels = [int(level) for level in table["duplicates"]]
    gain = 100 * (table["perturbed"] - table["standard"])
    top = int(table["duplicates"].to_numpy()[int(gain.to_numpy().argmax())])
    title = (
        f"{name}: {levels[-1]} copies lift the accuracy from {number(100 * table['standard'].iloc[-1], 0)} to "
        f"{number(100 * table['perturbed'].iloc[-1], 0)} %, {_change(levels[1], float(gain.iloc[1]))}"
    )
    known = "standard_se" in table.columns
    rows = []
    for record in table.to_dict("records"):
        for model in _MODELS:
            row = {"copies": str(int(record["duplicates"])), "model": model, "accuracy": record[model]}
            if known:
                row["low"] = max(0.0, record[model] - 2 * record[f"{model}_se"])
                row["high"] = min(1.0, record[model] + 2 * record[f"{model}_se"])
            rows.append(row)
    spec = _accuracy_spec(rows, [str(level) for level in levels], chance, with_interval=known)
    listed = "; ".join(
        f"{int(record['duplicates'])} copies {number(100 * record['standard'], 0)} and {number(100 * record['perturbed'], 0)} %"
        for record in table.to_dict("records")
    )
    interval = ", with 2 binomial standard errors" if known else ""
    return Figure(
        spec,
        title,
        f"Share of items right{interval}; the dotted line is a guess. {capitalised(label)}.",
        f"{title}. Line chart, {label}, standard and perturbed model: {listed}. The largest gain is "
        f"{number(gain.max())} pp at {top} copies.",
        table.assign(label=label, source=source),
        source,
        (),
        mode,
        height=280,
    )


def tokens_figure(
    words: Sequence[str],
    standard: Sequence[float],
    perturbed: Sequence[float],
    *,
    copies: int,
    source: str,
    mode: Mode = "light",
) -> Figure:
    """Return one item's token log-probabilities under both models.

    Parameters
    ----------
    words
        The item's eight words; the first is not predicted.
    standard, perturbed
        Log-probabilities of the words 2 to 8.
    copies
        How often the item stood in the perturbed model's training data.
    source
        One line on where the numbers come from.
    mode
        Colours.
    """
    import pandas as pd

    predicted = list(words)[1:]
    order = [f"{index + 2} {word}" for index, word in enumerate(predicted)]
    table = pd.DataFrame(
        {
            "position": [*range(2, 2 + len(predicted))] * 2,
            "word": order * 2,
            "model": ["standard"] * len(predicted) + ["perturbed"] * len(predicted),
            "log_probability": [*standard, *perturbed],
        }
    )
    gain = sum(perturbed) / len(predicted) - sum(standard) / len(predicted)
    seen = (
        "An item that nobody inserted"
        if copies == 0
        else f"An item with {copies} {'copy' if copies == 1 else 'copies'}"
    )
    title = (
        f"{seen}: its words are {number(abs(gain), 2)} nats {'more' if gain >= 0 else 'less'} likely under the perturbed model "
        "on average"
    )
    x = {
        "field": "word",
        "type": "ordinal",
        "sort": order,
        "axis": {
            "title": f"the item, word by word (first word: {words[0]}, not predicted)",
            "labelAngle": 0,
            "labelExpr": "split(datum.label, ' ')[1]",
        },
        "scale": {"type": "point", "padding": 0.4},
    }
    spec = {
        "data": {"values": table.to_dict("records")},
        "layer": _model_layers(
            x,
            {
                "field": "log_probability",
                "type": "quantitative",
                "axis": titled_above("log-probability, nats", tickCount=6),
                "scale": {"nice": True},
            },
            [
                {"field": "model", "title": "model"},
                {"field": "word", "title": "word"},
                {"field": "log_probability", "title": "log p", "format": ".2f"},
            ],
        ),
        "padding": _PADDING,
    }
    return Figure(
        spec,
        title,
        "Log-probability of each word given those before it, under both models. Recomputed.",
        f"{title}. Line chart of {len(predicted)} words: "
        + join(
            [
                f"{word} {number(a, 1)} and {number(b, 1)}"
                for word, a, b in zip(predicted, standard, perturbed, strict=True)
            ]
        )
        + " nats under the standard and the perturbed model.",
        table.assign(label="recomputed", source=source),
        source,
        (),
        mode,
        height=240,
    )


def _change(copies: int, gain_pp: float) -> str:
    noun, verb = ("one copy", "s") if copies == 1 else (f"{copies} copies", "")
    return f"{noun} {'raise' if gain_pp >= 0 else 'lower'}{verb} it by {number(abs(gain_pp))} pp"


def _accuracy_spec(
    rows: list[dict[str, Any]], levels: Sequence[str], chance: float, *, with_interval: bool
) -> dict[str, Any]:
    x = {
        "field": "copies",
        "type": "ordinal",
        "sort": list(levels),
        "axis": {"title": "copies in the training data", "labelAngle": 0},
        "scale": {"type": "point", "padding": 0.3},
    }
    y = {
        "field": "accuracy",
        "type": "quantitative",
        "scale": {"domain": [0, 1]},
        "axis": titled_above("share right", format=".0%", values=[0, 0.25, 0.5, 0.75, 1]),
    }
    layers: list[dict[str, Any]] = [
        {
            "data": {"values": [{"chance": chance}]},
            "mark": {"type": "rule", "color": Token.MUTED, "strokeDash": [2, 3]},
            "encoding": {"y": {**y, "field": "chance"}},
        }
    ]
    if with_interval:
        layers.append(
            {
                "mark": {"type": "rule", "strokeWidth": 2, "opacity": 0.5},
                "encoding": {
                    "x": x,
                    "y": {**y, "field": "low"},
                    "y2": {"field": "high"},
                    "color": _model_colour(),
                },
            }
        )
    tooltip = [
        {"field": "model", "title": "model"},
        {"field": "copies", "title": "copies"},
        {"field": "accuracy", "title": "share right", "format": ".1%"},
    ]
    return {"data": {"values": rows}, "layer": [*layers, *_model_layers(x, y, tooltip)], "padding": _PADDING}


def _model_layers(
    x: dict[str, Any], y: dict[str, Any], tooltip: list[dict[str, Any]]
) -> list[dict[str, Any]]:
    shape = {
        "field": "model",
        "type": "nominal",
        "scale": {"domain": list(_MODELS), "range": ["circle", "diamond"]},
        "legend": _LEGEND,
    }
    return [
        {
            "mark": {"type": "line", "strokeWidth": 2.25},
            "encoding": {
                "x": x,
                "y": y,
                "color": _model_colour(),
                "strokeDash": {
                    "field": "model",
                    "type": "nominal",
                    "scale": {"domain": list(_MODELS), "range": [[1, 0], [5, 3]]},
                    "legend": None,
                },
            },
        },
        {
            "mark": {"type": "point", "filled": True, "size": 70, "opacity": 1},
            "encoding": {"x": x, "y": y, "color": _model_colour(), "shape": shape, "tooltip": tooltip},
        },
    ]


def _model_colour() -> dict[str, Any]:
    return {
        "field": "model",
        "type": "nominal",
        "scale": {"domain": list(_MODELS), "range": [_COLOURS[model] for model in _MODELS]},
        "legend": _LEGEND,
    }
