"""The Start page's figure: how far the chosen model lies below the best one, without and with the submissions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.axes import round_scale
from core.figures.base import Figure
from core.figures.claims import Reading
from core.figures.theme import HELD_OUT, NO_ATTACK, Token
from core.figures.wording import capitalised, count, join, number, plural
from core.published import BENCHMARKS

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.theme import Mode
    from core.provenance import Provenance

_ROW: Final = 52
_LOSS_IS: Final = "Loss is the distance between the two marks: the held-out score given up by following a ranking that has seen"
_INTERVALS: Final = "Its 95 % intervals resample the splits of one snapshot."


def choice_table(table: pd.DataFrame, budget: int) -> pd.DataFrame:
    """Return what the ranking's choice costs per benchmark at one budget.

    Parameters
    ----------
    table
        The frame of `core.published.selection_loss`.
    budget
        A budget of the table, at least 1.

    Returns
    -------
    pandas.DataFrame
        One row per benchmark, largest loss first: `benchmark`, `name`, `new_submissions`, `before` and `after` (held-out
        points below the best genuine model of the choice without and with the submissions), `loss`, `low`, `high`.

    Raises
    ------
    UsageError
        If the budget is not in the table.
    """
    rows = table[(table["new_submissions"] == budget) & (budget >= 1)]
    if rows.empty:
        tested = sorted(int(value) for value in table["new_submissions"].unique() if value >= 1)
        raise UsageError(
            f"Budget {budget} was not tested. Valid: {', '.join(str(value) for value in tested)}."
        )
    named = rows.assign(
        name=[BENCHMARKS[key].name if key in BENCHMARKS else key for key in rows["benchmark"]]
    )
    named = named.rename(
        columns={
            "no_attack_shortfall_pp": "before",
            "selected_shortfall_pp": "after",
            "model_selection_loss_pp": "loss",
            "model_selection_loss_pp_low": "low",
            "model_selection_loss_pp_high": "high",
        }
    )
    columns = ["benchmark", "name", "new_submissions", "before", "after", "loss", "low", "high"]
    return named[columns].sort_values("loss", ascending=False, kind="stable").reset_index(drop=True)


def choice_figure(
    table: pd.DataFrame,
    provenance: Provenance,
    budget: int = 128,
    *,
    mode: Mode = "light",
    compact: bool = False,
    hidden: str | None = None,
    include: tuple[float, ...] = (),
) -> Figure:
    """Return the dumbbells of the Start page: the choice before and after the submissions, per benchmark.

    Parameters
    ----------
    table
        The frame of `core.published.selection_loss`.
    provenance
        Where it comes from.
    budget
        A budget of the table, at least 1.
    mode
        Colours.
    compact
        Whether an exported image has the width of a phone.
    hidden
        A benchmark whose choice with the submissions stays out of the figure, for a reader who guesses first.
    include
        Further values that the axis must hold.

    Raises
    ------
    UsageError
        If the budget is not in the table.
    """
    rows = choice_table(table, budget)
    found = [Reading(str(row.name), row.loss, row.low, row.high) for row in _records(rows)]
    title = _title(found, budget)
    if hidden is not None:
        rows = _without(rows, hidden)
    shown = rows.assign(label=provenance.label, source=provenance.sentence)
    words = [_in_words(row) for row in _records(rows)]
    return Figure(
        spec=_spec(rows, budget, include),
        title=title,
        subtitle=(
            "Held-out points below the best genuine model, of the model that leads the public ranking, mean over splits. "
            f"{provenance.label.capitalize()}."
        ),
        alt=f"{title}. Dumbbell chart, {provenance.label} values. {capitalised('; '.join(words))}.",
        data=shown,
        source=provenance.sentence,
        notices=(f"{_LOSS_IS} {plural(budget, 'submission')}. {_INTERVALS}",),
        mode=mode,
        width=330 if compact else 760,
        height=_ROW * len(rows),
    )


def _without(rows: pd.DataFrame, hidden: str) -> pd.DataFrame:
    """Return the rows with one benchmark last and without what the submissions did to it."""
    last = rows["benchmark"] == hidden
    rows = rows.assign(
        **{name: rows[name].where(~last, float("nan")) for name in ("after", "loss", "low", "high")}
    )
    return rows.sort_values("benchmark", key=lambda keys: keys == hidden, kind="stable").reset_index(
        drop=True
    )


def _in_words(row: Any) -> str:
    start = f"{row.name}: {number(row.before)} pp below the best model without the submissions"
    if math.isnan(row.after):
        return f"{start}, with them not shown yet"
    return (
        f"{start}, {number(row.after)} pp with them (loss {number(row.loss)} pp, 95 % interval {number(row.low)} to "
        f"{number(row.high)})"
    )


def _records(rows: pd.DataFrame) -> list[Any]:
    return list(rows.itertuples(index=False))


def _title(found: list[Reading], budget: int) -> str:
    total = len(found)
    worse = [reading.name for reading in found if reading.sign == "worse"]
    better = [reading.name for reading in found if reading.sign == "better"]
    opening = "With the static control alone" if budget == 1 else f"After {budget:,} submissions"
    if total == 1:
        what = (
            "a worse model"
            if worse
            else "a better model"
            if better
            else "neither a clearly worse nor a better model"
        )
        return f"{opening}, the public ranking picks {what} on {found[0].name}"
    if worse and len(worse) == total:
        every = f"{count(total)} benchmarks out of {count(total)}"
        return f"{opening}, the public ranking picks a worse model on {every}"
    parts = []
    if worse:
        parts.append(f"a worse model on {count(len(worse))} of {count(total)} benchmarks")
    if better:
        parts.append(f"a better one on {join(better) if len(better) <= 2 else count(len(better))}")
    if not parts:
        return (
            f"{opening}, the public ranking picks no clearly worse model on any of {count(total)} benchmarks"
        )
    rest = total - len(worse) - len(better)
    tail = f"; {count(rest)} {'is' if rest == 1 else 'are'} unclear" if rest else ""
    return f"{opening}, the public ranking picks {' and '.join(parts)}{tail}"


def _spec(rows: pd.DataFrame, budget: int, include: tuple[float, ...] = ()) -> dict[str, Any]:
    scale = round_scale([*rows["before"], *rows["after"], *include], count=6)
    everything: list[dict[str, Any]] = [
        {
            "place": place,
            "name": row.name,
            "before": row.before,
            "after": row.after,
            "middle": (row.before + row.after) / 2,
            "change": f"{'+' if row.loss > 0 else ''}{number(row.loss)} pp",
            "interval": f"{number(row.low, 2)} to {number(row.high, 2)}",
            "loss": row.loss,
        }
        if not math.isnan(row.after)
        else {"place": place, "name": row.name, "before": row.before, "change": "?"}
        for place, row in enumerate(_records(rows))
    ]
    values = [row for row in everything if "after" in row]
    unknown = [row for row in everything if "after" not in row]
    y = {
        "field": "place",
        "type": "quantitative",
        "axis": None,
        "scale": {"domain": [-0.62, len(everything) - 0.38], "reverse": True, "nice": False, "zero": False},
    }
    x = {
        "type": "quantitative",
        "scale": {
            "domain": [scale.low, scale.high],
            "range": [0, {"expr": "width - 64"}],
            "nice": False,
            "zero": False,
        },
        "axis": {
            "values": list(scale.ticks),
            "format": f".{scale.decimals}f",
            "grid": True,
            "domain": False,
            "ticks": False,
            "labelFlush": False,
            "title": "held-out points below the best model (pp)",
            "titleAnchor": "start",
        },
    }
    tooltip = [
        {"field": "name", "type": "nominal", "title": "benchmark"},
        {"field": "before", "type": "quantitative", "title": "below the best, before (pp)", "format": ".2f"},
        {"field": "after", "type": "quantitative", "title": "below the best, after (pp)", "format": ".2f"},
        {"field": "loss", "type": "quantitative", "title": "loss (pp)", "format": ".2f"},
        {"field": "interval", "type": "nominal", "title": "95 % interval of the loss"},
    ]
    word = "submission" if budget == 1 else "submissions"
    legend = [
        {"place": -0.62, "text": "without", "x": values[0]["before"], "mark": "before"},
        {"place": -0.62, "text": f"after {budget:,} {word}", "x": values[0]["after"], "mark": "after"},
    ]
    return {
        "data": {"values": values},
        "layer": [
            *_unknown_layers(unknown, x, y),
            {
                "mark": {"type": "rule", "strokeWidth": 4, "color": Token.AXIS, "opacity": 0.75},
                "encoding": {"x": {**x, "field": "before"}, "x2": {"field": "after"}, "y": y},
            },
            {
                "mark": {
                    "type": "point",
                    "size": 120,
                    "color": NO_ATTACK,
                    "fill": Token.PAPER,
                    "strokeWidth": 2.25,
                    "opacity": 1,
                },
                "encoding": {"x": {**x, "field": "before"}, "y": y},
            },
            {
                "mark": {"type": "point", "filled": True, "size": 150, "color": HELD_OUT, "opacity": 1},
                "encoding": {"x": {**x, "field": "after"}, "y": y},
            },
            {
                "mark": {
                    "type": "text",
                    "align": "left",
                    "baseline": "bottom",
                    "dy": -11,
                    "dx": 2,
                    "fontSize": 13,
                    "color": Token.INK,
                },
                "encoding": {"x": {"value": 0}, "y": y, "text": {"field": "name", "type": "nominal"}},
            },
            {
                "mark": {
                    "type": "text",
                    "align": "left",
                    "baseline": "middle",
                    "dx": 12,
                    "fontSize": 13,
                    "fontWeight": "bold",
                    "color": Token.INK,
                },
                "encoding": {
                    "x": {**x, "field": "after"},
                    "y": y,
                    "text": {"field": "change", "type": "nominal"},
                },
            },
            {
                "data": {"values": legend},
                "mark": {
                    "type": "text",
                    "baseline": "bottom",
                    "dy": -6,
                    "fontSize": 12,
                    "color": Token.MUTED,
                },
                "encoding": {"x": {**x, "field": "x"}, "y": y, "text": {"field": "text", "type": "nominal"}},
            },
            {
                "mark": {"type": "bar", "opacity": 0, "size": _ROW - 6},
                "encoding": {
                    "x": {"value": 0},
                    "x2": {"value": {"expr": "width"}},
                    "y": y,
                    "tooltip": tooltip,
                },
            },
        ],
        "padding": {"left": 4, "right": 8, "top": 8, "bottom": 4},
    }


def _unknown_layers(rows: list[dict[str, Any]], x: dict[str, Any], y: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows whose second mark is hidden: the first mark, a question mark, and the name."""
    if not rows:
        return []
    start = {"x": {**x, "field": "before"}, "y": y}
    name = {"type": "text", "align": "left", "baseline": "bottom", "dy": -11, "dx": 2, "fontSize": 13}
    asked = {"type": "text", "align": "left", "baseline": "middle", "dx": 14, "fontSize": 15}
    hollow = {
        "type": "point",
        "size": 120,
        "color": NO_ATTACK,
        "fill": Token.PAPER,
        "strokeWidth": 2.25,
        "opacity": 1,
    }
    layers: list[dict[str, Any]] = [
        {"mark": hollow, "encoding": start},
        {
            "mark": {**name, "color": Token.INK},
            "encoding": {"x": {"value": 0}, "y": y, "text": {"field": "name", "type": "nominal"}},
        },
        {
            "mark": {**asked, "fontWeight": "bold", "color": Token.INK},
            "encoding": {**start, "text": {"field": "change", "type": "nominal"}},
        },
    ]
    return [{"data": {"values": rows}, **layer} for layer in layers]
