"""The first step of a trial: the profiles of the two models that are mixed, and all pairs that could have been."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.axes import round_scale
from core.figures.base import Figure
from core.figures.parts import KeyEntry, grid_layers, key_layers, padding, row_texts, row_y, score_axis
from core.figures.theme import MODEL_A, MODEL_B, Token
from core.figures.wording import count, number, plural

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.provenance import Label
    from core.reuse.trial_steps import Pair

_ROW: Final = 42
_WIDE: Final = 760


@dataclass(frozen=True, slots=True)
class Profiles:
    """The public scores of the two mixed models.

    Parameters
    ----------
    coordinates
        Names of the returned scores.
    a_pp, b_pp
        Shape (coordinates,): the endpoints' public scores, percent.
    name_a, name_b
        As shown.
    what
        What a returned score is called here, such as ``scenario``.
    """

    coordinates: tuple[str, ...]
    a_pp: tuple[float, ...]
    b_pp: tuple[float, ...]
    name_a: str
    name_b: str
    what: str = "scenario"

    @property
    def gaps(self) -> tuple[float, ...]:
        """Shape (coordinates,): absolute differences, pp."""
        return tuple(abs(a - b) for a, b in zip(self.a_pp, self.b_pp, strict=True))

    @property
    def distance_pp(self) -> float:
        """Mean absolute difference, pp."""
        return sum(self.gaps) / len(self.gaps)


def profile_figure(profiles: Profiles, *, label: Label, source: str, where: str) -> Figure:
    """Return the profiles of the endpoints, one row per returned score, the gap between them shaded.

    Parameters
    ----------
    profiles
        The scores.
    label
        ``"published"`` or ``"recomputed"``.
    source
        Where they come from, one line.
    where
        Benchmark and trial, for the subtitle.

    Raises
    ------
    UsageError
        If there is no coordinate.
    """
    if not profiles.coordinates:
        raise UsageError("A profile needs at least one returned score.")
    import pandas as pd

    order = sorted(range(len(profiles.coordinates)), key=lambda index: -profiles.gaps[index])
    rows: list[dict[str, Any]] = [
        {
            "row": row,
            "coordinate": profiles.coordinates[index],
            "a": profiles.a_pp[index],
            "b": profiles.b_pp[index],
            "gap": profiles.gaps[index],
            "name": f"{profiles.coordinates[index]}",
            "told": f"{number(profiles.gaps[index])} pp apart",
            "left": min(profiles.a_pp[index], profiles.b_pp[index]),
            "right": max(profiles.a_pp[index], profiles.b_pp[index]),
        }
        for row, index in enumerate(order)
    ]
    scale = round_scale([*profiles.a_pp, *profiles.b_pp], count=6, zero=False)
    x = score_axis(scale, "public score (%)", "a")
    y = row_y(len(rows))
    key, top = key_layers(
        [
            KeyEntry(f"A: {profiles.name_a}", MODEL_A, "circle"),
            KeyEntry(f"B: {profiles.name_b}", MODEL_B, "square"),
        ]
    )
    tooltip = [
        {"field": "coordinate", "type": "nominal", "title": profiles.what},
        {"field": "a", "type": "quantitative", "title": "A (%)", "format": ".2f"},
        {"field": "b", "type": "quantitative", "title": "B (%)", "format": ".2f"},
        {"field": "gap", "type": "quantitative", "title": "apart (pp)", "format": ".2f"},
    ]
    spec = {
        "data": {"values": rows},
        "layer": [
            *grid_layers(scale, vertical=True),
            {
                "mark": {
                    "type": "bar",
                    "height": 12,
                    "yOffset": 8,
                    "y2Offset": 8,
                    "color": Token.AXIS,
                    "opacity": 0.45,
                },
                "encoding": {"x": {**x, "field": "left"}, "x2": {"field": "right"}, "y": y},
            },
            *row_texts(len(rows), 11, [row["told"] for row in rows]),
            {
                "mark": {
                    "type": "point",
                    "filled": True,
                    "shape": "square",
                    "size": 95,
                    "yOffset": 8,
                    "opacity": 1,
                    "color": MODEL_B,
                },
                "encoding": {"x": {**x, "field": "b"}, "y": y, "tooltip": tooltip},
            },
            {
                "mark": {
                    "type": "point",
                    "filled": True,
                    "size": 95,
                    "yOffset": 8,
                    "opacity": 1,
                    "color": MODEL_A,
                },
                "encoding": {"x": {**x, "field": "a"}, "y": y, "tooltip": tooltip},
            },
            *key,
        ],
        "padding": padding(top),
    }
    widest, closest = rows[0], rows[-1]
    ahead = sum(b > a for a, b in zip(profiles.a_pp, profiles.b_pp, strict=True))
    title = f"{profiles.name_a} and {profiles.name_b} are {number(profiles.distance_pp, 2)} points apart per {profiles.what}"
    total = len(rows)
    alt = (
        f"{title}. Dumbbell chart of {plural(total, profiles.what)}, {label} values. Widest on {widest['coordinate']} "
        f"({number(widest['gap'])} pp), closest on {closest['coordinate']} ({number(closest['gap'])} pp). B is ahead on "
        f"{count(ahead)} of {count(total)}."
    )
    data = pd.DataFrame(
        [
            {
                profiles.what: row["coordinate"],
                "model_a": profiles.name_a,
                "a_pp": row["a"],
                "model_b": profiles.name_b,
                "b_pp": row["b"],
                "gap_pp": row["gap"],
            }
            for row in rows
        ]
    ).assign(label=label, source=source)
    return Figure(
        spec,
        title,
        f"Public scores of the two models that are mixed, and the gap between them. {where}. {label.capitalize()}.",
        alt,
        data,
        source,
        width=_WIDE,
        height=_ROW * total,
    )


def pairs_figure(pairs: Sequence[Pair], *, names: dict[str, str], source: str, where: str) -> Figure:
    """Return all pairs of models by the distance of their public profiles, and which of them were considered.

    Parameters
    ----------
    pairs
        All pairs, most distant first.
    names
        Short display names by model.
    source
        Where the scores come from.
    where
        Benchmark and trial.

    Raises
    ------
    UsageError
        If no pair is the chosen one.
    """
    chosen = next((pair for pair in pairs if pair.chosen), None)
    if chosen is None:
        raise UsageError("This trial has no pair of models to mix. Choose another trial.")
    import pandas as pd

    groups: tuple[tuple[str, Callable[[Pair], bool]], ...] = (
        ("both among the best five of the frontier", lambda pair: pair.in_pool),
        ("other pairs on the frontier", lambda pair: pair.on_frontier and not pair.in_pool),
        ("all other pairs", lambda pair: not pair.on_frontier and not pair.in_pool),
    )
    rows: list[dict[str, Any]] = []
    told: list[dict[str, Any]] = []
    shown = [(text, [pair for pair in pairs if belongs(pair)]) for text, belongs in groups]
    shown = [(text, members) for text, members in shown if members]
    for place, (text, members) in enumerate(shown):
        told.append({"row": place, "name": text, "told": plural(len(members), "pair")})
        rows += [
            {
                "row": place,
                "pair": f"{names[pair.first]} and {names[pair.second]}",
                "distance": pair.distance_pp,
                "chosen": pair.chosen,
                "group": text,
            }
            for pair in members
        ]
    scale = round_scale([row["distance"] for row in rows], count=6)
    x = score_axis(scale, "mean distance of the public profiles (pp)", "distance")
    y = row_y(len(shown))
    tooltip = [
        {"field": "pair", "type": "nominal"},
        {"field": "distance", "type": "quantitative", "title": "distance (pp)", "format": ".2f"},
        {"field": "group", "type": "nominal", "title": "pair is"},
    ]
    mark = {"type": "tick", "thickness": 2, "height": 18, "opacity": 0.8, "yOffset": 9}
    chosen_row = [
        {**row, "text": f"chosen, {number(row['distance'], 2)} pp"} for row in rows if row["chosen"]
    ]
    right = chosen.distance_pp > (scale.low + scale.high) / 2
    spec = {
        "data": {"values": rows},
        "layer": [
            *grid_layers(scale, vertical=True),
            *(
                {**layer, "data": {"values": told}}
                for layer in row_texts(len(shown), 14, [row["told"] for row in told])
            ),
            {
                "transform": [{"filter": "!datum.chosen"}],
                "mark": {**mark, "orient": "vertical", "color": Token.MUTED},
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
            {
                "data": {"values": chosen_row},
                "mark": {
                    "type": "point",
                    "shape": "diamond",
                    "filled": True,
                    "size": 170,
                    "yOffset": 9,
                    "opacity": 1,
                    "color": Token.INK,
                },
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
            {
                "data": {"values": chosen_row},
                "mark": {
                    "type": "text",
                    "align": "right" if right else "left",
                    "dx": -11 if right else 11,
                    "baseline": "middle",
                    "fontWeight": "bold",
                    "fontSize": 12.5,
                    "color": Token.INK,
                    "yOffset": 9,
                },
                "encoding": {"x": x, "y": y, "text": {"field": "text", "type": "nominal"}},
            },
        ],
        "padding": padding(8),
    }
    further = sum(pair.distance_pp > chosen.distance_pp + 1e-9 for pair in pairs)
    considered = sum(pair.in_pool for pair in pairs)
    title = f"Of {plural(considered, 'pair')} considered, the most distant is mixed: {number(chosen.distance_pp, 2)} points apart"
    rest = (
        f"{plural(further, 'pair')} of {len(pairs):,} lie further apart, but one of the two is dominated or not among the best "
        "five."
        if further
        else f"No other of the {len(pairs):,} pairs lies further apart."
    )
    alt = f"{title}. Strip chart of {plural(len(pairs), 'pair')}, recomputed. {rest}"
    data = pd.DataFrame(
        [
            {
                "first": pair.first,
                "second": pair.second,
                "distance_pp": pair.distance_pp,
                "in_pool": pair.in_pool,
                "on_frontier": pair.on_frontier,
                "chosen": pair.chosen,
            }
            for pair in pairs
        ]
    ).assign(label="recomputed", source=source)
    return Figure(
        spec,
        title,
        f"All pairs of models by the mean distance of their public profiles. {where}. Recomputed.",
        alt,
        data,
        source,
        (rest,),
        width=_WIDE,
        height=58 * len(shown),
    )
