"""One trial's submission history: the best public and the best held-out score so far, and the gap between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.axes import round_scale, value_axis
from core.figures.base import Figure
from core.figures.parts import KeyEntry, grid_layers, key_layers, padding, with_halo
from core.figures.player import Player, frame_number, frame_test
from core.figures.theme import HELD_OUT, PUBLIC, Token
from core.figures.wording import number, plural

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.reuse.history import History

_HEIGHT: Final = 340


def history_figure(
    history: History, position: int | Player, *, names: Mapping[str, str], source: str, where: str
) -> Figure:
    """Return the two running minima of loss, drawn as best scores so far, up to a position of the history.

    Parameters
    ----------
    history
        The submission history.
    position
        How many entries have been submitted, from 1, or a player over them.
    names
        Display names by model.
    source
        Where the scores come from.
    where
        Benchmark, trial and budget.

    Raises
    ------
    UsageError
        If there is no such position.
    """
    total = len(history.names)
    now, test = frame_number(position), frame_test(position)
    if not 1 <= now <= total:
        raise UsageError(f"A position of this history is 1 to {total}, found {now}.")
    public, held, gap = history.best_reused_pp, history.best_heldout_pp, history.gap_pp
    widest = 0
    rows: list[dict[str, Any]] = []
    for place in range(total):
        widest = place if gap[place] > gap[widest] else widest
        rows.append(
            {
                "position": place + 1,
                "next": place + 2,
                "name": names.get(history.names[place], history.names[place]),
                "public": float(public[place]),
                "held_out": float(held[place]),
                "gap": float(gap[place]),
                "own_public": float(history.reused_pp[place]),
                "own_held_out": float(history.heldout_pp[place]),
                "low": float(min(public[place], held[place])),
                "high": float(max(public[place], held[place])),
                "wide_at": widest + 1,
                "wide_low": float(min(public[widest], held[widest])),
                "wide_high": float(max(public[widest], held[widest])),
                "text": f"{number(float(gap[widest]), 2)} pp",
            }
        )
    shown = [row[key] for row in rows for key in ("low", "high")]
    scale = round_scale(shown, count=6, zero=False)
    room = "width - 12"
    x = {
        "field": "position",
        "type": "quantitative",
        "scale": {"domain": [1, total + 1], "nice": False, "zero": False, "range": [0, {"expr": room}]},
        "axis": {
            "format": "d",
            "grid": False,
            "tickMinStep": 1,
            "tickCount": 6,
            "title": "entries on the leaderboard, in order of submission",
            "titleAnchor": "start",
            "labelOverlap": "parity",
        },
    }
    y = value_axis(scale, "best score so far (%)")
    upto = {"filter": f"datum.position <= {test}"}
    last = [{"filter": f"datum.position == {test}"}]
    models = history.kinds.count("model")
    tooltip = [
        {"field": "position", "type": "quantitative", "title": "entry"},
        {"field": "name", "type": "nominal", "title": "who"},
        {"field": "own_public", "type": "quantitative", "title": "its public score (%)", "format": ".2f"},
        {"field": "own_held_out", "type": "quantitative", "title": "its held-out score (%)", "format": ".2f"},
        {"field": "public", "type": "quantitative", "title": "best public so far (%)", "format": ".2f"},
        {"field": "held_out", "type": "quantitative", "title": "best held out so far (%)", "format": ".2f"},
        {"field": "gap", "type": "quantitative", "title": "gap (pp)", "format": ".2f"},
    ]
    key, top = key_layers(
        [
            KeyEntry("best public score", PUBLIC, "stroke", filled=False),
            KeyEntry("best held-out score", HELD_OUT, "stroke", filled=False),
        ],
        below=36,
    )
    spec: dict[str, Any] = {
        "data": {"values": rows},
        "layer": [
            *(
                {**layer, "encoding": {**layer["encoding"], "y": {**y, "field": "at"}}}
                for layer in grid_layers(scale, vertical=False, room=room)
            ),
            *_divider(models, total, x),
            *_steps(x, y, "true", 0.22),
            {
                "transform": [upto],
                "mark": {"type": "rect", "color": Token.MUTED, "opacity": 0.16},
                "encoding": {
                    "x": x,
                    "x2": {"field": "next"},
                    "y": {**y, "field": "low"},
                    "y2": {"field": "high"},
                },
            },
            *_steps(x, y, f"datum.position <= {test}", 1.0),
            {
                "transform": last,
                "mark": {"type": "rule", "color": Token.INK, "strokeWidth": 2.5},
                "encoding": {
                    "x": {**x, "field": "wide_at"},
                    "y": {**y, "field": "wide_low"},
                    "y2": {"field": "wide_high"},
                },
            },
            *_gap_label(x, y, last, total),
            {
                "transform": [{"calculate": "datum.position + 0.5", "as": "middle_x"}],
                "mark": {"type": "rule", "strokeWidth": 6, "opacity": 0},
                "encoding": {
                    "x": {**x, "field": "middle_x"},
                    "y": {"value": 0},
                    "y2": {"value": _HEIGHT},
                    "tooltip": tooltip,
                },
            },
            *key,
        ],
        "padding": padding(top, 10),
    }
    for row in rows:
        row["middle"] = (row["wide_low"] + row["wide_high"]) / 2
    if isinstance(position, Player):
        spec["params"] = position.parameters()
    title, detail = _words(history, now, names)
    import pandas as pd

    data = pd.DataFrame(
        {
            "position": [row["position"] for row in rows],
            "entry": [row["name"] for row in rows],
            "public_pp": [row["own_public"] for row in rows],
            "heldout_pp": [row["own_held_out"] for row in rows],
            "best_public_pp": [row["public"] for row in rows],
            "best_heldout_pp": [row["held_out"] for row in rows],
            "gap_pp": [row["gap"] for row in rows],
            "submitted": [row["position"] <= now for row in rows],
        }
    ).assign(label="recomputed", source=source)
    return Figure(
        spec,
        title,
        f"Each step: a new best score. The score gap is the largest distance of the two lines so far. {where}. Recomputed.",
        f"{title}. Two step lines over {total} entries, recomputed. {detail}",
        data,
        source,
        (detail,),
        width=760,
        height=_HEIGHT,
    )


def _steps(x: dict[str, Any], y: dict[str, Any], test: str, opacity: float) -> list[dict[str, Any]]:
    """Return both lines as steps, one flat piece per entry and one upright piece where a line rises."""
    return [
        {
            "transform": [{"filter": test}],
            "mark": {
                "type": "line",
                "interpolate": "step-after",
                "color": colour,
                "strokeWidth": 2.5,
                "opacity": opacity,
                "strokeDash": dash,
            },
            "encoding": {"x": x, "y": {**y, "field": field}},
        }
        for field, colour, dash in (("held_out", HELD_OUT, [1, 0]), ("public", PUBLIC, [1, 0]))
    ]


def _gap_label(
    x: dict[str, Any], y: dict[str, Any], last: list[dict[str, Any]], total: int
) -> list[dict[str, Any]]:
    """Return the size of the gap beside its bar, on the side where there is room."""
    layers: list[dict[str, Any]] = []
    for sign, align, shift in (("<=", "left", 8), (">", "right", -8)):
        layers += with_halo(
            {
                "transform": [*last, {"filter": f"datum.wide_at {sign} {total * 0.6}"}],
                "mark": {
                    "type": "text",
                    "align": align,
                    "dx": shift,
                    "baseline": "middle",
                    "fontWeight": "bold",
                    "fontSize": 14,
                    "color": Token.INK,
                },
                "encoding": {
                    "x": {**x, "field": "wide_at"},
                    "y": {**y, "field": "middle"},
                    "text": {"field": "text", "type": "nominal"},
                },
            }
        )
    return layers


def _divider(models: int, total: int, x: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the line between the genuine models and what was submitted, with a word on either side where it fits."""
    if models == total:
        return []
    at = {"values": [{"at": models + 1, "after": "submissions"}]}
    place = {**x, "field": "at"}
    text = {"type": "text", "baseline": "bottom", "fontSize": 12, "color": Token.MUTED}
    where = {"x": place, "y": {"value": -5}}
    return [
        {
            "data": at,
            "mark": {"type": "rule", "color": Token.AXIS, "strokeDash": [3, 3]},
            "encoding": {"x": place},
        },
        {
            "data": at,
            "mark": {**text, "align": "left", "dx": 5},
            "encoding": {**where, "text": {"field": "after", "type": "nominal"}},
        },
    ]


def _words(history: History, now: int, names: Mapping[str, str]) -> tuple[str, str]:
    gap = history.gap_pp[:now]
    widest = int(gap.argmax())
    best = float(gap[widest])
    models = history.kinds.count("model")
    baseline = float(history.gap_pp[: min(models, now)].max())

    def name(entry: str) -> str:
        if entry in names:
            return names[entry]
        return {"Final router": "the final router"}.get(
            entry, entry.replace("Random router", "random router")
        )

    who = f"There {name(history.holders('reused')[widest])} holds the best public score"
    held = name(history.holders("heldout")[widest])
    same = history.holders("reused")[widest] == history.holders("heldout")[widest]
    holder = f"{who} and the best held-out score too." if same else f"{who}, {held} the best held-out score."
    if now <= models:
        title = f"After {plural(now, 'genuine model')} the score gap is {number(best, 2)} pp"
        return title, holder
    if widest < models:
        title = f"The score gap stays at {number(best, 2)} pp: no submission has opened it further"
    else:
        title = f"The score gap grows from {number(baseline, 2)} to {number(best, 2)} pp, with {name(history.names[widest])}"
    return title, holder
