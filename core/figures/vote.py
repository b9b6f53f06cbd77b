"""The attack's second move: the vote on one prompt, built up bar by bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.axes import round_scale
from core.figures.base import Figure
from core.figures.parts import KeyEntry, grid_layers, key_layers, padding
from core.figures.player import Player, frame_number, frame_test
from core.figures.theme import MODEL_A, MODEL_B, Token
from core.figures.wording import capitalised, count, join, plural, signed

if TYPE_CHECKING:
    from core.provenance import Label
    from core.reuse.vote import Vote

_WIDE: Final = 760
_HEIGHT: Final = 360
_FLIPS: Final = 44


def vote_figure(
    vote: Vote,
    counted: int | Player,
    *,
    prompt: str,
    source: str,
    where: str,
    label: Label = "recomputed",
    hide_rest: bool = False,
) -> Figure:
    """Return the vote on one prompt: a signed bar per random router, each starting where the last one ended.

    Parameters
    ----------
    vote
        Choices and weights.
    counted
        How many random routers are counted, or a player over them.
    prompt
        What the prompt is called.
    source
        Where the weights come from.
    where
        Benchmark, trial and budget.
    label
        What the votes are: the coin flips are always recomputed.
    hide_rest
        Whether the routers that are not counted stay out of the figure, for a reader who guesses first; else they are pale.

    Raises
    ------
    UsageError
        If the count is out of range or there is no candidate.
    """
    total = len(vote.choices)
    now, test = frame_number(counted), frame_test(counted)
    if not total or not 1 <= now <= total:
        raise UsageError(f"Between 1 and {total} random routers can be counted, found {now}.")
    rows = _vote_rows(vote)[: now if hide_rest else total]
    ends = [row[end] for row in rows for end in ("start", "end")]
    if hide_rest:
        ends += [-end for end in ends]  # an axis of the counted alone would hint at the side
    scale = round_scale(ends, count=7)
    room = "width - (width < 520 ? 74 : 96)"
    x = _router_axis(total, room)
    y = {
        "field": "start",
        "type": "quantitative",
        "scale": {
            "domain": [scale.low, scale.high],
            "nice": False,
            "zero": False,
            "range": [_HEIGHT - _FLIPS, 0],
        },
        "axis": {
            "values": list(scale.ticks),
            "format": f".{scale.decimals}f",
            "grid": False,
            "title": "running vote (pp)",
            "titleAngle": 0,
            "titleAlign": "left",
            "titleAnchor": "start",
            "titleBaseline": "bottom",
            "titleX": -26,
            "titleY": -8,
        },
    }
    spec: dict[str, Any] = {
        "data": {"values": rows},
        "layer": [
            *_with_scale(grid_layers(scale, vertical=False, room=room), y),
            *_vote_bars(x, y, test),
            {
                "data": {"values": [{"at": 0}]},
                "mark": {"type": "rule", "color": Token.INK, "strokeWidth": 1.5},
                "encoding": {
                    "x": {"value": 0},
                    "x2": {"value": {"expr": room}},
                    "y": {"field": "at", "type": "quantitative"},
                },
            },
            *_running_label(x, y, test),
            *_flip_layers(x, test),
        ],
    }
    key, top = key_layers(
        [KeyEntry("towards A", MODEL_A, "square"), KeyEntry("towards B", MODEL_B, "square")], below=22
    )
    spec["layer"] += key
    spec["padding"] = padding(top)
    if isinstance(counted, Player):
        spec["params"] = counted.parameters()
    title, notices = _vote_words(vote, now, prompt)
    import pandas as pd

    data = pd.DataFrame(
        [
            {
                "random_router": row["candidate"],
                "choice": row["choice"],
                "weight_pp": row["weight"],
                "adds_pp": row["adds"],
                "running_vote_pp": row["end"],
                "counted": row["candidate"] <= now,
            }
            for row in rows
        ]
    ).assign(label=label, source=source)
    for_a = sum(choice > 0 for choice in vote.choices[:now])
    alt = (
        f"{title}. Waterfall chart of {plural(now, 'random router')}: {for_a} took A by coin flip, {now - for_a} took B; "
        f"weighted, the sum is {signed(float(100 * vote.first(now).total))} pp. {' '.join(notices)}"
    )
    return Figure(
        spec,
        title,
        f"{prompt}: each bar is a router's weight, signed by its coin flip. {where}. {capitalised(label)}.",
        alt,
        data,
        source,
        tuple(notices),
        width=_WIDE,
        height=_HEIGHT,
    )


def _vote_rows(vote: Vote) -> list[dict[str, Any]]:
    running = [float(100 * value) for value in vote.running]
    rows = []
    for index, (choice, weight, step) in enumerate(zip(vote.choices, vote.weights, vote.steps, strict=True)):
        sofar = vote.running[index + 1]
        side = "A" if sofar > 0 else "B" if sofar < 0 else "tie"
        rows.append(
            {
                "candidate": index + 1,
                "choice": "A" if choice > 0 else "B",
                "weight": float(100 * weight),
                "adds": float(100 * step),
                "start": running[index],
                "end": running[index + 1],
                "towards": "A" if step > 0 else "B",
                "text": f"{signed(running[index + 1])} pp",
                "side": side,
            }
        )
    return rows


def _router_axis(total: int, room: str) -> dict[str, Any]:
    step = 5 if total <= 40 else 10 if total <= 80 else 20
    ticks = [1, *range(step, total - step // 2, step), total] if total > step else list(range(1, total + 1))
    return {
        "field": "candidate",
        "type": "quantitative",
        "scale": {"domain": [0.4, total + 0.6], "nice": False, "zero": False, "range": [0, {"expr": room}]},
        "axis": {
            "values": ticks,
            "format": "d",
            "grid": False,
            "title": "random router, in order of submission",
            "titleAnchor": "start",
            "labelOverlap": "parity",
            "offset": 2,
        },
    }


def _with_scale(layers: list[dict[str, Any]], y: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {
            **layer,
            "encoding": {
                **layer["encoding"],
                "y": {**layer["encoding"]["y"], "scale": y["scale"], "axis": y["axis"]},
            },
        }
        for layer in layers
    ]


def _vote_bars(x: dict[str, Any], y: dict[str, Any], test: str) -> list[dict[str, Any]]:
    tooltip = [
        {"field": "candidate", "type": "quantitative", "title": "random router"},
        {"field": "choice", "type": "nominal", "title": "its coin flip"},
        {"field": "weight", "type": "quantitative", "title": "its weight (pp)", "format": "+.3f"},
        {"field": "adds", "type": "quantitative", "title": "adds (pp)", "format": "+.3f"},
        {"field": "end", "type": "quantitative", "title": "running vote (pp)", "format": "+.3f"},
    ]
    colour = {
        "field": "towards",
        "type": "nominal",
        "scale": {"domain": ["A", "B"], "range": [MODEL_A, MODEL_B]},
        "legend": None,
    }
    edges = [
        {"calculate": "datum.candidate - 0.38", "as": "from"},
        {"calculate": "datum.candidate + 0.38", "as": "to"},
    ]
    shape = {"x": {**x, "field": "from"}, "x2": {"field": "to"}, "y": y, "y2": {"field": "end"}}
    return [
        {
            "transform": edges,
            "mark": {"type": "rect", "stroke": None},
            "encoding": {
                **shape,
                "color": colour,
                "opacity": {"condition": {"test": f"datum.candidate <= {test}", "value": 1}, "value": 0.13},
                "tooltip": tooltip,
            },
        },
        {
            "mark": {"type": "rule", "strokeWidth": 1, "color": Token.MUTED, "opacity": 0.7, "aria": False},
            "transform": [
                {"filter": f"datum.candidate <= {test}"},
                {"calculate": "datum.candidate + 0.38", "as": "candidate_end"},
                {"calculate": "datum.candidate + 0.62", "as": "next"},
            ],
            "encoding": {
                "x": {**x, "field": "candidate_end"},
                "x2": {"field": "next"},
                "y": {**y, "field": "end"},
            },
        },
    ]


def _running_label(x: dict[str, Any], y: dict[str, Any], test: str) -> list[dict[str, Any]]:
    """Return the sum beside the last bar that is counted, and what it decides."""
    now = [{"filter": f"datum.candidate == {test}"}]
    base = {"type": "text", "align": "left", "dx": 12, "color": Token.INK, "fontWeight": "bold"}
    where = {"x": x, "y": {**y, "field": "end"}}
    return [
        {
            "transform": now,
            "mark": {"type": "rule", "color": Token.INK, "strokeWidth": 2, "xOffset": -6, "x2Offset": 9},
            "encoding": {**where, "x2": {"field": "candidate"}},
        },
        {
            "transform": now,
            "mark": {**base, "baseline": "bottom", "dy": 2, "fontSize": {"expr": "width < 520 ? 12.5 : 14"}},
            "encoding": {**where, "text": {"field": "text", "type": "nominal"}},
        },
        {
            "transform": [
                *now,
                {"calculate": "datum.side == 'tie' ? 'a tie' : 'model ' + datum.side", "as": "told"},
            ],
            "mark": {**base, "baseline": "top", "dy": 3, "fontSize": {"expr": "width < 520 ? 12.5 : 14"}},
            "encoding": {**where, "text": {"field": "told", "type": "nominal"}},
        },
    ]


def _flip_layers(x: dict[str, Any], test: str) -> list[dict[str, Any]]:
    """Return the strip of coin flips under the bars: a cell per router, in the upper row for A and in the lower for B."""
    edges = [
        {"calculate": "datum.candidate - 0.4", "as": "from"},
        {"calculate": "datum.candidate + 0.4", "as": "to"},
    ]
    layers: list[dict[str, Any]] = []
    for letter, colour, top in (("A", MODEL_A, _HEIGHT - 34), ("B", MODEL_B, _HEIGHT - 18)):
        layers += [
            {
                "transform": [{"filter": f"datum.choice == '{letter}'"}, *edges],
                "mark": {"type": "rect", "cornerRadius": 2, "color": colour},
                "encoding": {
                    "x": {**x, "field": "from"},
                    "x2": {"field": "to"},
                    "y": {"value": top},
                    "y2": {"value": top + 12},
                    "opacity": {
                        "condition": {"test": f"datum.candidate <= {test}", "value": 1},
                        "value": 0.13,
                    },
                },
            },
            {
                "data": {"values": [{}]},
                "mark": {
                    "type": "text",
                    "text": f"flip {letter}",
                    "align": "left",
                    "baseline": "middle",
                    "dx": 6,
                    "fontSize": 11.5,
                    "color": Token.MUTED,
                },
                "encoding": {
                    "x": {"value": {"expr": x["scale"]["range"][1]["expr"]}},
                    "y": {"value": top + 6},
                },
            },
        ]
    return layers


def _vote_words(vote: Vote, now: int, prompt: str) -> tuple[str, list[str]]:
    """Return the title and what there is to say about the vote."""
    sofar = vote.first(now)
    total = len(vote.choices)
    many = capitalised(count(now)) if now == total else f"After {count(now)} of {total}"
    flips = "weighted coin flip" if total == 1 else "weighted coin flips"
    value = signed(float(100 * sofar.total))
    if now < total:
        side = (
            "the vote is an exact tie"
            if sofar.is_tie
            else f"the vote stands at {value} pp, for model {sofar.choice}"
        )
        title = f"{many} {flips}, {side}"
    elif sofar.is_tie:
        title = (
            f"{many} {flips} cancel out exactly; the tie router picks model {sofar.choice} for this prompt"
        )
    else:
        title = f"{many} {flips} pick model {sofar.choice} for this prompt: {value} pp"
    notices = []
    crossings = [place for place in sofar.crossings if place <= now]
    if crossings:
        notices.append(
            f"The decision flips where the sum crosses zero, {'at router' if len(crossings) == 1 else 'at routers'} "
            f"{join([str(place) for place in crossings])}."
        )
    else:
        notices.append("The sum never crosses zero.")
    zeros = sum(weight == 0 for weight in sofar.weights)
    if zeros:
        notices.append(
            f"{capitalised(plural(zeros, 'router'))} of {now} scored exactly the reference and {'counts' if zeros == 1 else 'count'} "
            "nothing."
        )
    plain = sum(sofar.choices)
    if plain and not sofar.is_tie and (plain > 0) != (sofar.total > 0):
        notices.append(
            f"Unweighted, the same flips would have picked model {'A' if plain > 0 else 'B'}: the released scores made the "
            "difference."
        )
    return title, notices
