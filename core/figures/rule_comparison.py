"""Feedback rules by harm and usefulness: one mark per rule, loss upwards, pairs kept in order to the right."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.axes import NARROW, round_scale, spread, value_axis
from core.figures.base import Figure
from core.figures.theme import Token
from core.figures.wording import join, number, plural, text_width

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.figures.theme import Mode
    from core.provenance import Label
    from core.reuse.comparison import Comparison
    from core.reuse.survival import Survival

HEIGHT: Final = 380
_LEADER: Final = 26
_LETTERS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
READING_NOTICE: Final = (
    "Each model is submitted once under the rule; a model of which a score is withheld counts as not ordered."
)
INTERVAL_NOTICE: Final = (
    "Whiskers are 95 % bootstrap intervals over the splits of one snapshot with one set of random routers; they do not cover "
    "new items, new models or other routers."
)


@dataclass(frozen=True, slots=True)
class Compared:
    """What belongs to a comparison besides its numbers.

    Parameters
    ----------
    name
        The benchmark as shown.
    budget
        The budget at which harm is read off.
    label, source
        ``"recomputed"`` or ``"simulated"``, and how the values came about.
    mode
        Colours.
    """

    name: str
    budget: int
    label: Label
    source: str
    mode: Mode = "light"


def comparison_rows(comparison: Comparison, survivals: Sequence[Survival], about: Compared) -> pd.DataFrame:
    """Return one row per rule at one budget: harm, usefulness, and what the attack got to see.

    Parameters
    ----------
    comparison
        The compared rules.
    survivals
        One per rule, for the reader's tolerance.
    about
        Budget and origin.

    Raises
    ------
    UsageError
        If the budget was not tested.
    """
    import pandas as pd

    rows = []
    for place, (result, survived) in enumerate(zip(comparison.results, survivals, strict=True)):
        if about.budget not in result.study.budgets:
            raise UsageError(
                f"Budget {about.budget} was not tested. Valid: {', '.join(map(str, result.study.budgets))}."
            )
        at = result.study.budgets.index(about.budget)
        loss = result.study.rows()[1:][at]
        rows.append(
            {
                "letter": _LETTERS[place % len(_LETTERS)],
                "feedback": result.study.feedback,
                "new_submissions": about.budget,
                "model_selection_loss_pp": _known(loss["model_selection_loss_pp"]),
                "model_selection_loss_pp_low": _known(loss["model_selection_loss_pp_low"]),
                "model_selection_loss_pp_high": _known(loss["model_selection_loss_pp_high"]),
                "pairs_kept": 100 * result.pairs_kept,
                "pairs_kept_low": 100 * result.pairs_kept_low,
                "pairs_kept_high": 100 * result.pairs_kept_high,
                "released_scores": float(result.released_scores[at]),
                "survives_submissions": survived.submissions,
                "survives_submissions_low": survived.low,
                "survives_submissions_high": survived.high,
                "tolerance_pp": survived.tolerance_pp,
                "largest_budget": survived.largest,
                "label": about.label,
                "source": about.source,
            }
        )
    frame = pd.DataFrame(rows)
    whole = [name for name in frame.columns if name.startswith("survives")]
    return frame.astype(dict.fromkeys(whole, "Int64"))


def comparison_figure(rows: pd.DataFrame, about: Compared) -> Figure:
    """Return the rules as marks.

    Parameters
    ----------
    rows
        See `comparison_rows`.
    about
        What belongs to them.

    Raises
    ------
    UsageError
        If no rule has both a loss and pairs to keep.
    """
    shown = rows[rows["model_selection_loss_pp"].notna() & rows["pairs_kept"].notna()]
    if shown.empty:
        raise UsageError(
            "No rule can be drawn: no split has two models to mix, or no two models differ by 1 pp held out."
        )
    safest = shown.nsmallest(1, "model_selection_loss_pp").iloc[0]
    worst = shown.nlargest(1, "model_selection_loss_pp").iloc[0]
    at = plural(about.budget, "submission")
    title = f"At {at} the rule {safest['feedback']} loses {_pp(safest)} and keeps {_kept(safest)} of model pairs in order"
    if len(shown) > 1:
        title += f"; {worst['feedback']} loses {_pp(worst)} and keeps {_kept(worst)}"
    each = join(
        [
            f"{row['letter']} {row['feedback']} loses {_pp(row)} "
            f"({number(row['model_selection_loss_pp_low'], 2)} to {number(row['model_selection_loss_pp_high'], 2)}) and keeps "
            f"{_kept(row)} of pairs"
            for _, row in shown.iterrows()
        ]
    )
    return Figure(
        spec=_spec(shown),
        title=title,
        subtitle=(
            f"{about.name} under the same attack. Lower is less harm, further right is more use: the share of genuine model "
            f"pairs with a held-out difference of at least 1 pp that the returned scores order rightly. {about.label.capitalize()}."
        ),
        alt=f"{title}. {plural(len(shown), 'feedback rule')} on {about.name} as marks, {about.label} values; loss at {at} upwards, "
        f"pairs kept to the right. {each}.",
        data=rows,
        source=about.source,
        notices=(READING_NOTICE, INTERVAL_NOTICE),
        mode=about.mode,
        width=800,
        height=HEIGHT,
    )


def _known(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _pp(row: pd.Series) -> str:
    return f"{number(float(row['model_selection_loss_pp']), 2)} pp"


def _kept(row: pd.Series) -> str:
    return f"{number(float(row['pairs_kept']), 0)} %"


def _spec(rows: pd.DataFrame) -> dict[str, Any]:
    columns = ("letter", "feedback", "model_selection_loss_pp", "pairs_kept", "released_scores")
    ends = (
        "model_selection_loss_pp_low",
        "model_selection_loss_pp_high",
        "pairs_kept_low",
        "pairs_kept_high",
    )
    data = [
        dict(zip((*columns, *ends), values, strict=True))
        for values in zip(*(rows[name].tolist() for name in (*columns, *ends)), strict=True)
    ]
    harm = round_scale(
        [row[name] for row in data for name in ("model_selection_loss_pp", *ends[:2])], count=6
    )
    use = round_scale([row[name] for row in data for name in ("pairs_kept", *ends[2:])], count=5, zero=False)
    per_pixel = (harm.high - harm.low) / HEIGHT
    places = spread([row["model_selection_loss_pp"] for row in data], 18 * per_pixel, harm.low, harm.high)
    for row, place in zip(data, places, strict=True):
        row["value"], row["place"], row["named"] = (
            row["model_selection_loss_pp"],
            place,
            f"{row['letter']}  {row['feedback']}",
        )
    full = math.ceil(max(text_width(row["named"], 13) for row in data)) + _LEADER + 6
    room = f"width - (width < {NARROW} ? 34 : {min(full, 330)})"
    x: dict[str, Any] = {
        "field": "pairs_kept",
        "type": "quantitative",
        "scale": {"domain": [use.low, use.high], "nice": False, "zero": False, "range": [10, {"expr": room}]},
        "axis": {
            "values": list(use.ticks),
            "format": f".{use.decimals}f",
            "grid": False,
            "title": "genuine pairs kept in order (%)",
            "titleAnchor": "start",
        },
    }
    y = value_axis(harm, "held-out score lost by following the ranking (pp)")
    edge = {"value": {"expr": room}}
    narrow = f"width < {NARROW}"
    text = {"type": "text", "align": "left", "baseline": "middle", "color": Token.INK, "dx": _LEADER - 12}
    at_place = {"x": edge, "y": {"field": "place", "type": "quantitative"}}
    whisker = {"type": "rule", "color": Token.MUTED, "strokeWidth": 1.5}
    return {
        "data": {"values": data},
        "layer": [
            {
                "data": {"values": [{"at": tick} for tick in harm.ticks]},
                "mark": {"type": "rule", "color": Token.GRID},
                "encoding": {"x": {"value": 0}, "x2": edge, "y": {"field": "at", "type": "quantitative"}},
            },
            {
                "mark": {"type": "rule", "color": Token.AXIS, "strokeWidth": 0.75},
                "encoding": {
                    "x": {**x},
                    "x2": {"value": {"expr": f"{room} + {_LEADER - 14}"}},
                    "y": {"field": "value", "type": "quantitative"},
                    "y2": {"field": "place"},
                },
            },
            {
                "mark": whisker,
                "encoding": {
                    "x": x,
                    "y": {"field": "model_selection_loss_pp_low", "type": "quantitative"},
                    "y2": {"field": "model_selection_loss_pp_high"},
                },
            },
            {
                "mark": whisker,
                "encoding": {
                    "x": {**x, "field": "pairs_kept_low"},
                    "x2": {"field": "pairs_kept_high"},
                    "y": y,
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 95, "opacity": 1, "color": Token.INK},
                "encoding": {
                    "x": x,
                    "y": y,
                    "tooltip": [
                        {"field": "feedback", "type": "nominal", "title": "rule"},
                        {
                            "field": "value",
                            "type": "quantitative",
                            "title": "selection loss (pp)",
                            "format": ".2f",
                        },
                        {
                            "field": "pairs_kept",
                            "type": "quantitative",
                            "title": "pairs kept (%)",
                            "format": ".1f",
                        },
                        {
                            "field": "released_scores",
                            "type": "quantitative",
                            "title": "scores released",
                            "format": ",.1f",
                        },
                    ],
                },
            },
            {
                "mark": {**text, "fontSize": {"expr": f"{narrow} ? 0 : 13"}, "limit": 310},
                "encoding": {**at_place, "text": {"field": "named", "type": "nominal"}},
            },
            {
                "mark": {**text, "fontSize": {"expr": f"{narrow} ? 13 : 0"}, "fontWeight": "bold"},
                "encoding": {**at_place, "text": {"field": "letter", "type": "nominal"}},
            },
        ],
        "padding": {"left": 4, "right": 6, "top": 6, "bottom": 4},
    }
