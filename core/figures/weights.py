"""The attack's first move: a candidate's released scores turned into weights, as arrows from the reference line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.axes import round_scale
from core.figures.base import Figure
from core.figures.parts import grid_layers, padding, row_texts, row_y, score_axis, with_halo
from core.figures.player import Player, frame_number, frame_test
from core.figures.theme import Token
from core.figures.wording import count, join, number, signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.provenance import Label

_WIDE: Final = 760
_ROW: Final = 62


@dataclass(frozen=True, slots=True)
class WeightRow:
    """The released scores on one coordinate.

    Parameters
    ----------
    name
        As shown.
    reference_pp
        Mean of the endpoints' scores, percent.
    candidates_pp
        Shape (candidates,): the random routers' scores, percent.
    weights
        Shape (candidates,): p - (a + b) / 2 as fractions of 1.
    """

    name: str
    reference_pp: float
    candidates_pp: tuple[float, ...]
    weights: tuple[float, ...]


def weights_figure(
    rows: Sequence[WeightRow],
    candidate: int | Player,
    *,
    label: Label,
    source: str,
    where: str,
    what: str = "scenario",
) -> Figure:
    """Return one candidate's weights as arrows from the reference line, among the weights of all candidates.

    Parameters
    ----------
    rows
        The coordinates to show.
    candidate
        Number of the random router, from 1, or a player over all of them.
    label
        ``"published"`` or ``"recomputed"``.
    source
        Where the scores come from.
    where
        Benchmark and trial.
    what
        What a coordinate is called.

    Raises
    ------
    UsageError
        If nothing is to be shown or there is no such candidate.
    """
    if not rows:
        raise UsageError(f"No {what} is chosen. Choose at least one.")
    now, test = frame_number(candidate), frame_test(candidate)
    if not 1 <= now <= len(rows[0].weights):
        raise UsageError(f"A random router's number is 1 to {len(rows[0].weights)}, found {now}.")
    import pandas as pd

    values: list[dict[str, Any]] = []
    for place, row in enumerate(rows):
        for index, (score, weight) in enumerate(zip(row.candidates_pp, row.weights, strict=True)):
            pp = 100 * weight
            values.append(
                {
                    "row": place,
                    "candidate": index + 1,
                    "name": row.name,
                    "score": score,
                    "reference": row.reference_pp,
                    "weight": pp,
                    "zero": 0,
                    "told": f"{number(score, 2)} − {number(row.reference_pp, 2)}",
                    "text": signed(pp),
                    "angle": 90 if pp >= 0 else -90,
                }
            )
    reach = max(abs(value["weight"]) for value in values) or 1.0
    scale = round_scale([-1.28 * reach, 1.28 * reach], count=6)
    x = score_axis(scale, "weight: candidate score minus reference line (pp)", "weight")
    y = row_y(len(rows))
    one = [{"filter": f"datum.candidate == {test}"}]
    texts = {"type": "text", "baseline": "middle", "fontSize": 12.5, "yOffset": 9}
    tooltip = [
        {"field": "name", "type": "nominal", "title": what},
        {"field": "candidate", "type": "quantitative", "title": "random router"},
        {"field": "score", "type": "quantitative", "title": "its score (%)", "format": ".3f"},
        {"field": "reference", "type": "quantitative", "title": "reference line (%)", "format": ".3f"},
        {"field": "weight", "type": "quantitative", "title": "weight (pp)", "format": "+.3f"},
    ]
    spec = {
        "data": {"values": values},
        "layer": [
            *grid_layers(scale, vertical=True),
            {
                "data": {"values": [{"at": 0}]},
                "mark": {"type": "rule", "color": Token.MUTED, "strokeWidth": 1.5},
                "encoding": {"x": {"field": "at", "type": "quantitative"}},
            },
            {
                "mark": {
                    "type": "tick",
                    "orient": "vertical",
                    "thickness": 1.5,
                    "yOffset": 9,
                    "height": 14,
                    "color": Token.AXIS,
                    "opacity": 0.9,
                },
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
            {
                "transform": one,
                "mark": {"type": "rule", "strokeWidth": 3, "yOffset": 9, "y2Offset": 9, "color": Token.INK},
                "encoding": {"x": {**x, "field": "zero"}, "x2": {"field": "weight"}, "y": y},
            },
            {
                "transform": one,
                "mark": {
                    "type": "point",
                    "shape": "triangle",
                    "filled": True,
                    "size": 120,
                    "yOffset": 9,
                    "opacity": 1,
                    "color": Token.INK,
                },
                "encoding": {
                    "x": x,
                    "y": y,
                    "angle": {"field": "angle", "type": "quantitative", "scale": None},
                    "tooltip": tooltip,
                },
            },
            *_weight_labels(x, y, one, texts),
            *row_texts(len(rows), 16, [value["told"] for value in values], transform=one),
        ],
        "padding": padding(10),
    }
    if isinstance(candidate, Player):
        spec["params"] = candidate.parameters()
    chosen = [value for value in values if value["candidate"] == now]
    counts = join([f"{value['text']} pp on {value['name']}" for value in chosen[:3]])
    title = f"Random router {now} weighs {counts}"
    if len(chosen) > 3:
        up = sum(value["weight"] > 0 for value in chosen)
        title = (
            f"Random router {now} beats the reference line on {count(up)} of {count(len(chosen))} "
            f"{what if len(chosen) == 1 else _plural(what)}"
        )
    alt = (
        f"{title}. Arrows from the reference line to the router's score, {label} scores; ticks are the other "
        f"{len(rows[0].weights) - 1} random routers. "
        + " ".join(
            f"{value['name']}: score {number(value['score'], 2)} %, reference {number(value['reference'], 2)} %, weight "
            f"{value['text']} pp."
            for value in chosen
        )
    )
    data = pd.DataFrame(
        [
            {
                "random_router": value["candidate"],
                what: value["name"],
                "score_pp": value["score"],
                "reference_pp": value["reference"],
                "weight_pp": value["weight"],
                "shown": value["candidate"] == now,
            }
            for value in values
        ]
    ).assign(label=label, source=source)
    return Figure(
        spec,
        title,
        f"Score of random router {now} minus the reference line, the mean of models A and B. {where}. "
        f"Scores {label}.",
        alt,
        data,
        source,
        width=_WIDE,
        height=_ROW * len(rows),
    )


def _weight_labels(
    x: dict[str, Any], y: dict[str, Any], one: list[dict[str, Any]], texts: dict[str, Any]
) -> list[dict[str, Any]]:
    """Return the weights' numbers beyond the arrows' tips."""
    layers: list[dict[str, Any]] = []
    for sign, align, shift in ((">=", "left", 11), ("<", "right", -11)):
        layers += with_halo(
            {
                "transform": [*one, {"filter": f"datum.weight {sign} 0"}],
                "mark": {**texts, "align": align, "dx": shift, "fontWeight": "bold", "color": Token.INK},
                "encoding": {"x": x, "y": y, "text": {"field": "text", "type": "nominal"}},
            }
        )
    return layers


def _plural(what: str) -> str:
    return f"{what[:-1]}ies" if what.endswith("y") else f"{what}s"
