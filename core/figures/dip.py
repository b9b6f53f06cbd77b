"""Why the loss can fall while the attack goes on: public and held-out score of the choice, over submissions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.dip import dip_of
from core.errors import UsageError
from core.figures.axes import round_scale, spread, value_axis
from core.figures.base import Figure
from core.figures.theme import HELD_OUT, NO_ATTACK, PUBLIC, Colour, Token, submissions_axis
from core.figures.wording import number, plural, text_width

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.theme import Mode
    from core.provenance import Provenance

_HEIGHT: Final = 330
_SERIES: Final[tuple[tuple[str, str, str, Colour], ...]] = (
    ("selected_reused_pp", "chosen model, public items", "public score", PUBLIC),
    ("selected_heldout_pp", "chosen model, held out", "held out", HELD_OUT),
    ("no_attack_heldout_pp", "no-attack choice, held out", "no attack", NO_ATTACK),
)
_PUBLISHED_NAMES: Final = {
    "selected_s_pp": "selected_reused_pp",
    "selected_t_pp": "selected_heldout_pp",
    "no_attack_s_pp": "no_attack_reused_pp",
    "no_attack_t_pp": "no_attack_heldout_pp",
}


def dip_figure(
    summary: pd.DataFrame, name: str, provenance: Provenance, *, mode: Mode = "light", compact: bool = False
) -> Figure:
    """Return the scores behind a loss curve: of the chosen model on both halves, and of the no-attack choice.

    Parameters
    ----------
    summary
        One row per budget: the published summary of Terminal-Bench-Science, or a study's summary.
    name
        The benchmark as shown.
    provenance
        Where the summary comes from.
    mode
        Colours.
    compact
        Whether an exported image has the width of a phone.

    Raises
    ------
    UsageError
        If the summary holds fewer than two random budgets.
    """
    table = summary.rename(
        columns={
            f"{old}{end}": f"{new}{end}"
            for old, new in _PUBLISHED_NAMES.items()
            for end in ("", "_low", "_high")
        }
    )
    table = table[table["new_submissions"] >= 2].sort_values("new_submissions").reset_index(drop=True)
    if len(table) < 2:
        raise UsageError("The dip needs at least two budgets from 2 submissions on. Choose more budgets.")
    story = _Story(table, name)
    columns = [
        "new_submissions",
        *(part for key, *_ in _SERIES for part in (key, f"{key}_low", f"{key}_high")),
        "model_selection_loss_pp",
        "model_selection_loss_pp_low",
        "model_selection_loss_pp_high",
        "selected_router",
        "false_winner",
    ]
    return Figure(
        spec=_spec(table),
        title=story.title,
        subtitle=(
            f"{name}: mean scores over splits with 95 % intervals; the loss is the distance from blue up to grey. "
            f"{provenance.label.capitalize()}."
        ),
        alt=f"{story.title}. Line chart, {provenance.label} values. {' '.join(story.sentences)}",
        data=table[columns].assign(label=provenance.label, source=provenance.sentence),
        source=provenance.sentence,
        notices=tuple(story.sentences),
        mode=mode,
        width=330 if compact else 800,
        height=_HEIGHT,
    )


class _Story:
    """What the rows say, in sentences."""

    def __init__(self, table: pd.DataFrame, name: str) -> None:
        self.name = name
        self.budgets = [int(budget) for budget in table["new_submissions"]]
        self.public = table["selected_reused_pp"].tolist()
        self.held_out = table["selected_heldout_pp"].tolist()
        self.reference = table["no_attack_heldout_pp"].tolist()
        self.loss = table["model_selection_loss_pp"].tolist()
        self.low = table["model_selection_loss_pp_low"].tolist()
        self.high = table["model_selection_loss_pp_high"].tolist()
        self.false_winner = table["false_winner"].tolist()
        self.dip = dip_of(table)
        self.top, self.bottom = self.dip.top, self.dip.bottom

    @property
    def title(self) -> str:
        fall = self.loss[self.top] - self.loss[self.bottom]
        if self.top == self.bottom:
            return f"On {self.name} the loss does not fall: it is highest at {plural(self.budgets[self.top], 'submission')}"
        moved = self.public[self.bottom] - self.public[self.top]
        way = (
            "stays the same"
            if abs(moved) < 0.05
            else f"{'rises' if moved > 0 else 'falls'} by {number(abs(moved))}"
        )
        return (
            f"From {self.budgets[self.top]:,} to {self.budgets[self.bottom]:,} submissions the loss on {self.name} falls by "
            f"{number(fall)} points, while the winner's public score {way}"
        )

    @property
    def sentences(self) -> list[str]:
        top, bottom = self.top, self.bottom
        at_top, at_bottom = (
            plural(self.budgets[top], "submission"),
            plural(self.budgets[bottom], "submission"),
        )
        found = [
            f"The loss is largest at {at_top}, {self._loss(top)}."
            if top == bottom
            else f"The loss is {self._loss(top)} at {at_top} and {self._loss(bottom)} at {at_bottom}."
        ]
        always, still = self.dip.router_leads_from, self.dip.still_from
        if always is not None:
            found.append(
                f"From {plural(self.budgets[always], 'submission')} on the final router leads the public ranking in every "
                "split, so from there the loss follows the router's own held-out score alone."
            )
        if top != bottom:
            found.append(
                f"Between those two budgets the chosen model's public score goes from {number(self.public[top], 2)} to "
                f"{number(self.public[bottom], 2)} %, its held-out score from {number(self.held_out[top], 2)} to "
                f"{number(self.held_out[bottom], 2)} %; the no-attack choice stays at {number(self.reference[bottom], 2)} %. "
                f"The share of splits with a false winner goes from {number(100 * self.false_winner[top], 0)} to "
                f"{number(100 * self.false_winner[bottom], 0)} %."
            )
        if still is not None:
            spread_out = max(self.held_out[still:]) - min(self.held_out[still:])
            found.append(
                f"From {plural(self.budgets[still], 'submission')} on the public score no longer changes "
                f"({number(self.public[still], 2)} %): the router has reached what its two models can score on the public "
                f"items. Its held-out score still moves by {number(spread_out)} points. Which model it uses on an item that "
                "nobody scored is left to the coin flips that are added, so public feedback cannot steer this movement."
            )
        found.append(
            "All splits share one set of random routers. A swing that averaging over splits does not remove can still be the "
            "luck of that one set, and the intervals do not cover it: recompute with another seed to see."
        )
        return found

    def _loss(self, index: int) -> str:
        interval = f"{number(self.low[index])} to {number(self.high[index])}"
        value = number(self.loss[index])
        if self.low[index] <= 0 <= self.high[index]:
            return f"{value} pp (interval {interval}: not clear of zero)"
        return f"{value} pp ({interval})"


def _spec(table: pd.DataFrame) -> dict[str, Any]:
    rows = []
    for key, name, _, _ in _SERIES:
        for budget, value, low, high in zip(
            table["new_submissions"], table[key], table[f"{key}_low"], table[f"{key}_high"], strict=True
        ):
            rows.append(
                {"series": name, "new_submissions": int(budget), "value": value, "low": low, "high": high}
            )
    scale = round_scale([row[end] for row in rows for end in ("low", "high")], count=6, zero=False)
    names = [name for _, name, _, _ in _SERIES]
    colour = {
        "field": "series",
        "type": "nominal",
        "scale": {"domain": names, "range": [colour for *_, colour in _SERIES]},
        "legend": None,
    }
    dash = {
        "field": "series",
        "type": "nominal",
        "scale": {"domain": names, "range": [[1, 0], [1, 0], [6, 3]]},
        "legend": None,
    }
    full = round(max(text_width(name, 13) for name in names) + 14)
    short = round(max(text_width(short, 11.5) for _, _, short, _ in _SERIES) + 10)
    room = f"width - (width < 520 ? {short} : {full})"
    x = submissions_axis([int(budget) for budget in table["new_submissions"]], range_end=room)
    y = value_axis(scale, "score (%)", above=8)
    last = [rows[(place + 1) * len(table) - 1] for place in range(len(_SERIES))]
    gap = 16 * (scale.high - scale.low) / _HEIGHT
    places = spread([row["value"] for row in last], gap, scale.low, scale.high)
    ends = [
        {**row, "place": place, "short": short_name}
        for row, place, (_, _, short_name, _) in zip(last, places, _SERIES, strict=True)
    ]
    tooltip = [
        {"field": "series", "type": "nominal", "title": "score of"},
        {"field": "new_submissions", "type": "quantitative", "title": "submissions", "format": ",d"},
        {"field": "value", "type": "quantitative", "title": "mean (%)", "format": ".2f"},
    ]
    text = {"type": "text", "align": "left", "baseline": "middle", "color": Token.INK}
    return {
        "data": {"values": rows},
        "layer": [
            {
                "data": {"values": [{"at": tick} for tick in scale.ticks]},
                "mark": {"type": "rule", "color": Token.GRID},
                "encoding": {
                    "x": {"value": 0},
                    "x2": {"value": {"expr": room}},
                    "y": {"field": "at", "type": "quantitative"},
                },
            },
            {
                "mark": {"type": "area", "opacity": 0.13},
                "encoding": {
                    "x": x,
                    "y": {"field": "low", "type": "quantitative"},
                    "y2": {"field": "high"},
                    "color": colour,
                },
            },
            {
                "mark": {"type": "line", "strokeWidth": 2.25},
                "encoding": {"x": x, "y": y, "color": colour, "strokeDash": dash},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 26, "opacity": 1},
                "encoding": {"x": x, "y": y, "color": colour},
            },
            *(
                {
                    "data": {"values": ends},
                    "mark": {**text, "dx": 9, "fontSize": {"expr": size}},
                    "encoding": {
                        "x": {"field": "new_submissions", "type": "quantitative"},
                        "y": {"field": "place", "type": "quantitative"},
                        "text": {"field": field, "type": "nominal"},
                    },
                }
                for field, size in (("series", "width < 520 ? 0 : 13"), ("short", "width < 520 ? 11.5 : 0"))
            ),
            {
                "mark": {"type": "point", "filled": True, "size": 420, "opacity": 0},
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
        ],
        "padding": {"left": 4, "right": 6, "top": 6, "bottom": 4},
    }
