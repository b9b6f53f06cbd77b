"""Small, plain figures of the secondary comparisons: static control, endpoint pools, practical rules."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core import published
from core.figures.axes import round_scale, spread, value_axis
from core.figures.base import Figure
from core.figures.parts import KeyEntry, grid_layers, key_layers, padding, row_texts, row_y, score_axis
from core.figures.selection_loss import INTERVAL_NOTICE
from core.figures.theme import GREY, Token, submissions_axis
from core.figures.wording import count, join, number, on_all, plural, span, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.figures.theme import Colour

_ROW: Final = 48
_LOSS: Final = ("model_selection_loss_pp", "model_selection_loss_pp_low", "model_selection_loss_pp_high")
_POLICY_WORDS: Final = {"top5": "pair from the top five", "full_frontier": "pair from the full frontier"}
_RULES: Final[tuple[tuple[str, str, Colour, tuple[int, ...], str], ...]] = (
    ("task", "18 task scores", Token.INK, (1, 0), "circle"),
    ("category", "6 category scores", GREY, (7, 3), "square"),
    ("aggregate", "1 overall score", Token.INK, (2, 3), "triangle-up"),
)


@dataclass(frozen=True, slots=True)
class Dot:
    """One value with its interval.

    Parameters
    ----------
    row
        The row's name.
    series
        Which mark it gets.
    value, low, high
        Value and 95 % interval, pp.
    """

    row: str
    series: str
    value: float
    low: float
    high: float


def _rows() -> pd.DataFrame:
    return published.secondary_selection().frame


def _losses(frame: pd.DataFrame) -> dict[int, tuple[float, float, float]]:
    """Return loss, lower and upper end by budget."""
    columns = [frame[name].tolist() for name in ("new_submissions", *_LOSS)]
    return {
        int(k): (float(value), float(low), float(high)) for k, value, low, high in zip(*columns, strict=True)
    }


def static_figure(budget: int = 128) -> Figure:
    """Return the loss of the static control beside that of the random attack, on the five benchmarks of the comparison.

    Parameters
    ----------
    budget
        128 or 2,048.

    Raises
    ------
    KeyError
        If the budget is not in the table.
    """
    frame = _rows()
    frame = frame[(frame["study"] == "original") & (frame["policy"] == "top5")]
    names = ("static control, 1 submission", f"random attack, {budget:,} submissions")
    dots = []
    for key, facts in published.BENCHMARKS.items():
        own = _losses(frame[frame["benchmark"] == key])
        if not own:
            continue
        dots += [Dot(facts.name, series, *own[at]) for series, at in zip(names, (1, budget), strict=True)]
    static = [dot for dot in dots if dot.series == names[0]]
    attack = [dot for dot in dots if dot.series == names[1]]
    worse = [dot.row for dot, other in zip(attack, static, strict=True) if dot.low > other.high]
    title = (
        f"Random search costs {span([dot.value for dot in attack])} pp {on_all([dot.row for dot in attack])}; without search "
        f"the loss runs from {number(min(dot.value for dot in static))} to {number(max(dot.value for dot in static))} pp"
    )
    detail = (
        f"The interval of the attack lies above that of the static control on {count(len(worse))} of {count(len(attack))} benchmarks. "
        "Where the static control is below zero, taking the publicly better model per score gains held-out score."
    )
    return _dots_figure(
        dots,
        names,
        title,
        detail,
        "Selection loss of a single submission without random search, and of the attack.",
    )


def pools_figure(benchmark: str = "helm_capabilities") -> Figure:
    """Return the loss under both ways of choosing endpoints, with the budget at which the score gap opens.

    Parameters
    ----------
    benchmark
        A benchmark whose full-frontier loss is published.

    Raises
    ------
    KeyError
        If the table lacks it.
    """
    frame = _rows()
    frame = frame[(frame["study"] == "original") & (frame["benchmark"] == benchmark)]
    crossings = published.threshold_crossings().frame
    crossings = crossings[
        (crossings["benchmark"] == benchmark) & (crossings["metric"] == "score_gap_above_preload_pp")
    ]
    opened = {
        str(policy): float(k)
        for policy, k in zip(
            crossings["policy"].tolist(), crossings["smallest_tested_random_budget"].tolist(), strict=True
        )
    }
    names = ("128 submissions", "2,048 submissions")
    dots = []
    for policy, words in _POLICY_WORDS.items():
        own = _losses(frame[frame["policy"] == policy])
        dots += [Dot(words, series, *own[at]) for series, at in zip(names, (128, 2048), strict=True)]
    by = {(dot.row, dot.series): dot.value for dot in dots}
    top, full = (by[words, names[1]] for words in _POLICY_WORDS.values())
    told = {
        policy: "not within 2,048 submissions" if math.isnan(k) else f"at {plural(int(k), 'submission')}"
        for policy, k in opened.items()
    }
    name = published.BENCHMARKS[benchmark].name
    gap_first = math.isnan(opened["full_frontier"]) and not math.isnan(opened["top5"])
    title = (
        f"{name}: the wider score gap goes with the smaller loss, {number(top, 2)} against {number(full, 2)} pp"
        if gap_first and top < full
        else f"{name}: the loss at 2,048 submissions is {number(top, 2)} or {number(full, 2)} pp, by the choice of the pair"
    )
    detail = (
        f"The score gap rises 2 pp above its baseline {told['top5']} with a pair from the top five, and {told['full_frontier']} with a pair "
        f"from the full frontier. A pair that is far apart but weak makes the public winner a poor model without making any score "
        "look too good."
    )
    return _dots_figure(
        dots, names, title, detail, f"Selection loss on {name} by the way the pair is chosen."
    )


def _dots_figure(dots: Sequence[Dot], series: tuple[str, str], title: str, detail: str, what: str) -> Figure:
    import pandas as pd

    order = list(dict.fromkeys(dot.row for dot in dots))
    rows: list[dict[str, Any]] = [
        {
            "row": order.index(dot.row),
            "name": dot.row,
            "series": dot.series,
            "value": dot.value,
            "low": dot.low,
            "high": dot.high,
            "interval": f"{number(dot.low, 2)} to {number(dot.high, 2)}",
        }
        for dot in dots
    ]
    labels: list[dict[str, Any]] = [
        {
            "row": place,
            "name": name,
            "told": ", ".join(f"{number(dot.value, 2)}" for dot in dots if dot.row == name) + " pp",
        }
        for place, name in enumerate(order)
    ]
    scale = round_scale([row[end] for row in rows for end in ("low", "high")], count=6)
    x = score_axis(scale, "selection loss (pp)", "value")
    y = row_y(len(order))
    looks = ((series[0], GREY, "circle", False), (series[1], Token.INK, "circle", True))
    key, top = key_layers([KeyEntry(name, colour, shape, filled) for name, colour, shape, filled in looks])
    tooltip = [
        {"field": "name", "type": "nominal", "title": "row"},
        {"field": "series", "type": "nominal", "title": "at"},
        {"field": "value", "type": "quantitative", "title": "loss (pp)", "format": ".2f"},
        {"field": "interval", "type": "nominal", "title": "95 % interval"},
    ]
    layers: list[dict[str, Any]] = []
    for name, colour, shape, filled in looks:
        only = [{"filter": {"field": "series", "equal": name}}]
        layers += [
            {
                "transform": only,
                "mark": {"type": "rule", "strokeWidth": 2, "color": colour, "yOffset": 9, "y2Offset": 9},
                "encoding": {"x": {**x, "field": "low"}, "x2": {"field": "high"}, "y": y},
            },
            {
                "transform": only,
                "mark": {
                    "type": "point",
                    "shape": shape,
                    "filled": filled,
                    "fill": colour if filled else Token.PAPER,
                    "stroke": colour,
                    "size": 75,
                    "strokeWidth": 2,
                    "opacity": 1,
                    "yOffset": 9,
                },
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
        ]
    spec = {
        "data": {"values": rows},
        "layer": [
            *grid_layers(scale, vertical=True),
            {
                "data": {"values": [{"at": 0}]},
                "mark": {"type": "rule", "color": Token.AXIS, "strokeWidth": 1.25},
                "encoding": {"x": {"field": "at", "type": "quantitative"}},
            },
            *(
                {**layer, "data": {"values": labels}}
                for layer in row_texts(len(order), 11, [row["told"] for row in labels])
            ),
            *layers,
            *key,
        ],
        "padding": padding(top),
    }
    table = published.secondary_selection()
    alt = f"{title}. Dot chart with intervals, published values. " + " ".join(
        f"{dot.row}, {dot.series}: {number(dot.value, 2)} pp ({number(dot.low, 2)} to {number(dot.high, 2)})."
        for dot in dots
    )
    data = pd.DataFrame(
        [
            {"row": dot.row, "series": dot.series, "loss_pp": dot.value, "low": dot.low, "high": dot.high}
            for dot in dots
        ]
    ).assign(label="published", source=table.provenance.sentence)
    return Figure(
        spec,
        title,
        f"{what} Mean over 250 splits with 95 % intervals. Published.",
        alt,
        data,
        table.provenance.sentence,
        (detail, INTERVAL_NOTICE),
        width=760,
        height=_ROW * len(order),
    )


def rules_figure() -> Figure:
    """Return the loss on LiveBench when all that the attacker sees is restricted to 18, 6 or 1 released scores."""
    frame = _rows()
    frame = frame[frame["study"] == "practical"]
    rows: list[dict[str, Any]] = []
    for rule, words, *_ in _RULES:
        own = frame[frame["policy"] == rule].sort_values("new_submissions")
        rows += [
            {
                "series": words,
                "new_submissions": int(k),
                "value": float(value),
                "low": float(low),
                "high": float(high),
                "interval": f"{number(low, 2)} to {number(high, 2)}",
                "static": int(k) == 1,
            }
            for k, value, low, high in zip(
                own["new_submissions"], *(own[column] for column in _LOSS), strict=True
            )
        ]
    last = [next(row for row in reversed(rows) if row["series"] == words) for _, words, *_ in _RULES]
    scale = round_scale([row[end] for row in rows for end in ("low", "high")], count=6)
    height = 300
    room_px = round(max(text_width(words, 12.5) for _, words, *_ in _RULES) + 16)
    room = f"width - {room_px}"
    budgets = sorted({row["new_submissions"] for row in rows})
    x = submissions_axis(budgets, range_end=room)
    y = value_axis(scale, "selection loss (pp)")
    names = [words for _, words, *_ in _RULES]
    colour = {
        "field": "series",
        "type": "nominal",
        "scale": {"domain": names, "range": [c for _, _, c, *_ in _RULES]},
        "legend": None,
    }
    dash = {
        "field": "series",
        "type": "nominal",
        "scale": {"domain": names, "range": [list(d) for *_, d, _ in _RULES]},
        "legend": None,
    }
    shape = {
        "field": "series",
        "type": "nominal",
        "scale": {"domain": names, "range": [s for *_, s in _RULES]},
        "legend": None,
    }
    places = spread(
        [row["value"] for row in last], 17 * (scale.high - scale.low) / height, scale.low, scale.high
    )
    ends = [{**row, "place": place} for row, place in zip(last, places, strict=True)]
    random = [{"filter": "!datum.static"}]
    tooltip = [
        {"field": "series", "type": "nominal", "title": "released"},
        {"field": "new_submissions", "type": "quantitative", "title": "submissions", "format": ",d"},
        {"field": "value", "type": "quantitative", "title": "loss (pp)", "format": ".2f"},
        {"field": "interval", "type": "nominal", "title": "95 % interval"},
    ]
    spec = {
        "data": {"values": rows},
        "layer": [
            *(
                {**layer, "encoding": {**layer["encoding"], "y": {**y, "field": "at"}}}
                for layer in grid_layers(scale, vertical=False, room=room)
            ),
            {
                "transform": random,
                "mark": {"type": "area", "opacity": 0.12},
                "encoding": {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": colour},
            },
            {
                "transform": random,
                "mark": {"type": "line", "strokeWidth": 2.25},
                "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dash},
            },
            {
                "mark": {"type": "point", "size": 40, "opacity": 1, "strokeWidth": 1.75, "fill": Token.PAPER},
                "encoding": {"x": x, "y": y, "stroke": colour, "shape": shape, "tooltip": tooltip},
            },
            {
                "data": {"values": ends},
                "mark": {
                    "type": "text",
                    "align": "left",
                    "baseline": "middle",
                    "dx": 10,
                    "fontSize": 12.5,
                    "color": Token.INK,
                },
                "encoding": {
                    "x": x,
                    "y": {**y, "field": "place"},
                    "text": {"field": "series", "type": "nominal"},
                },
            },
        ],
        "padding": padding(14),
    }
    largest = budgets[-1]
    at_end = join([f"{number(row['value'], 2)} pp with {row['series']}" for row in last])
    title = f"Releasing less does not save LiveBench: {span([row['value'] for row in last])} pp are lost at {largest} submissions"
    if min(row["low"] for row in last) <= 0:
        title = f"On LiveBench the rule decides: {at_end} at {largest} submissions"
    early = [
        next(row for row in rows if row["series"] == name and row["new_submissions"] == 4) for name in names
    ]
    slow = join([f"{number(row['value'], 2)} pp with {row['series']}" for row in early])
    detail = f"At {largest} submissions: {at_end}. Fewer scores slow the attack: at 4 submissions, {slow}."
    table = published.secondary_selection()
    import pandas as pd

    data = (
        pd.DataFrame(rows)
        .drop(columns=["interval"])
        .rename(columns={"series": "released", "value": "loss_pp"})
    )
    return Figure(
        spec,
        title,
        "Selection loss on LiveBench when attacker and ranking see only these scores, endpoint choice included. Mean over 250 splits "
        "with 95 % intervals; at 1, the static control. Published.",
        f"{title}. Line chart of three rules over 1 to {largest} submissions, published values. {detail}",
        data.assign(label="published", source=table.provenance.sentence),
        table.provenance.sentence,
        (detail, INTERVAL_NOTICE),
        width=760,
        height=height,
    )
