"""How a trial ends: public and held-out scores and ranks of those that the ranking led to, before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.axes import round_scale
from core.figures.base import Figure
from core.figures.parts import KeyEntry, grid_layers, key_layers, padding, row_texts, row_y, score_axis
from core.figures.theme import HELD_OUT, PUBLIC, Token
from core.figures.wording import capitalised, number, ordinal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.provenance import Label
    from core.reuse.trial_steps import Standing

_WIDE: Final = 760


def outcome_figure(
    standings: Sequence[Standing], names: dict[str, str], *, label: Label, source: str, where: str, pool: int
) -> Figure:
    """Return public and held-out score of the endpoints, the no-attack choice and the final router.

    Parameters
    ----------
    standings
        Rows to show; a role ``Chosen`` that repeats another row's model is left out.
    names
        Display names by model.
    label
        ``"published"`` or ``"recomputed"``.
    source
        Where the values come from.
    where
        Benchmark, trial and budget.
    pool
        Models and router that are ranked.
    """
    import pandas as pd

    seen: dict[str, list[Standing]] = {}
    for standing in standings:
        seen.setdefault(standing.model, []).append(standing)
    shown = sorted(
        (own[0] for own in seen.values()), key=lambda one: (one.reused_rank, one.model != "router")
    )
    roles = {
        model: [_ROLE_WORDS[one.role] for one in own if one.role in _ROLE_WORDS]
        for model, own in seen.items()
    }
    rows: list[dict[str, Any]] = [
        {
            "row": place,
            "name": _row_name(names.get(one.model, one.model), roles[one.model]),
            "told": f"rank {one.reused_rank} public, {one.heldout_rank} held out",
            "reused": one.reused_pp,
            "heldout": one.heldout_pp,
            "left": min(one.reused_pp, one.heldout_pp),
            "right": max(one.reused_pp, one.heldout_pp),
            "left_text": number(min(one.reused_pp, one.heldout_pp), 2),
            "right_text": number(max(one.reused_pp, one.heldout_pp), 2),
        }
        for place, one in enumerate(shown)
    ]
    values = [row[end] for row in rows for end in ("reused", "heldout")]
    low, high = min(values), max(values)
    room = max(0.6, 0.16 * (high - low))
    scale = round_scale([low - room, high + room], count=6, zero=False)
    x = score_axis(scale, "score (%)", "reused")
    y = row_y(len(rows))
    key, top = key_layers(
        [KeyEntry("public score", PUBLIC, "circle"), KeyEntry("held-out score", HELD_OUT, "square")]
    )
    text = {"type": "text", "baseline": "middle", "fontSize": 12.5, "yOffset": 10, "color": Token.INK}
    tooltip = [
        {"field": "name", "type": "nominal", "title": "model"},
        {"field": "reused", "type": "quantitative", "title": "public (%)", "format": ".2f"},
        {"field": "heldout", "type": "quantitative", "title": "held out (%)", "format": ".2f"},
        {"field": "told", "type": "nominal", "title": "ranks"},
    ]
    spec = {
        "data": {"values": rows},
        "layer": [
            *grid_layers(scale, vertical=True),
            {
                "mark": {
                    "type": "rule",
                    "strokeWidth": 5,
                    "yOffset": 10,
                    "y2Offset": 10,
                    "color": Token.AXIS,
                    "opacity": 0.55,
                },
                "encoding": {"x": {**x, "field": "left"}, "x2": {"field": "right"}, "y": y},
            },
            *row_texts(len(rows), 11, [row["told"] for row in rows]),
            {
                "mark": {
                    "type": "point",
                    "filled": True,
                    "shape": "square",
                    "size": 105,
                    "yOffset": 10,
                    "opacity": 1,
                    "color": HELD_OUT,
                },
                "encoding": {"x": {**x, "field": "heldout"}, "y": y, "tooltip": tooltip},
            },
            {
                "mark": {
                    "type": "point",
                    "filled": True,
                    "size": 105,
                    "yOffset": 10,
                    "opacity": 1,
                    "color": PUBLIC,
                },
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
            {
                "mark": {**text, "align": "right", "dx": -10},
                "encoding": {
                    "x": {**x, "field": "left"},
                    "y": y,
                    "text": {"field": "left_text", "type": "nominal"},
                },
            },
            {
                "mark": {**text, "align": "left", "dx": 10},
                "encoding": {
                    "x": {**x, "field": "right"},
                    "y": y,
                    "text": {"field": "right_text", "type": "nominal"},
                },
            },
            *key,
        ],
        "padding": padding(top),
    }
    title, detail = _outcome_words(standings, names)
    alt = f"{title}. Dumbbell chart, {label} values. " + " ".join(
        f"{row['name']}: {number(row['reused'], 2)} % public, {number(row['heldout'], 2)} % held out, {row['told']}."
        for row in rows
    )
    data = pd.DataFrame(
        [
            {
                "role": one.role,
                "model": one.model,
                "public_pp": one.reused_pp,
                "heldout_pp": one.heldout_pp,
                "public_rank": one.reused_rank,
                "heldout_rank": one.heldout_rank,
            }
            for one in standings
        ]
    ).assign(label=label, source=source)
    return Figure(
        spec,
        title,
        f"Scores and ranks on both halves, ranks among {pool} entries. {where}. {label.capitalize()}.",
        alt,
        data,
        source,
        (detail,),
        width=_WIDE,
        height=52 * len(rows),
    )


_ROLE_WORDS: Final = {
    "Endpoint A": "model A",
    "Endpoint B": "model B",
    "No attack": "choice before",
    "Chosen": "choice after",
    "Final router": "mix of A and B",
}


def _row_name(name: str, roles: Sequence[str]) -> str:
    """Return a row's name: what it is, then who; the roles come first, so that a name cut short still says them."""
    said = [role for role in roles if role != _ROLE_WORDS["Final router"]] or list(roles)
    return f"{capitalised(', '.join(said))}: {name}" if said else name


def _role(standings: Sequence[Standing], role: str) -> Standing | None:
    return next((one for one in standings if one.role == role), None)


def _outcome_words(standings: Sequence[Standing], names: dict[str, str]) -> tuple[str, str]:
    """Return the title and a sentence about what following the ranking costs."""
    before = _role(standings, "No attack")
    router = _role(standings, "Final router")
    after = _role(standings, "Chosen") or router
    if before is None or after is None or router is None:
        raise UsageError("An outcome needs the choice before the attack and the final router.")
    name = {one.model: names.get(one.model, one.model) for one in standings}
    lost = before.heldout_pp - after.heldout_pp
    scores = [number(one.heldout_pp, 2) for one in (before, after)]
    change = (
        f"{scores[0]} % held out becomes {scores[1]} %"
        if scores[0] != scores[1]
        else f"the held-out score stays at {scores[0]} %"
    )
    if after.model == before.model:
        title = f"The choice stays {name[before.model]}, {ordinal(before.heldout_rank)} held out"
    elif after.model == router.model:
        title = f"The router is {ordinal(router.reused_rank)} publicly and {ordinal(router.heldout_rank)} held out: {change}"
    else:
        title = f"The choice moves to {name[after.model]}, {ordinal(after.heldout_rank)} held out: {change}"
    verb = "loses" if lost > 0 else "gains" if lost < 0 else "neither loses nor gains held-out score"
    size = f" {number(abs(lost), 2)} pp of held-out score" if lost else ""
    detail = (
        f"Whoever follows the public ranking moves from {name[before.model]} to "
        f"{'the final router' if after.model == router.model else name[after.model]} and {verb}{size}."
        if after.model != before.model
        else f"Whoever follows the public ranking keeps {name[before.model]} and loses nothing."
    )
    return title, detail
