"""Figures of the Changed facts page: the funnel, all changes around the cutoff, and one fact's values over time.

On this page blue is the new value and whatever is right, vermilion the old value and whatever is outdated.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.base import Figure
from core.figures.theme import GREY, HELD_OUT, PUBLIC, Token
from core.figures.wording import join, plural
from core.fresh.frames import KNOWN, OUT, USABLE

if TYPE_CHECKING:
    from datetime import date

    import pandas as pd

    from core.figures.theme import Mode

NEW: Final = HELD_OUT
OLD: Final = PUBLIC
_LOOKS: Final[dict[str, dict[str, Any]]] = {
    KNOWN: {"shape": "circle", "filled": True, "color": GREY},
    USABLE: {"shape": "circle", "filled": True, "color": NEW},
    OUT: {"shape": "circle", "filled": False, "color": GREY},
}
_ROW: Final = 40
_DOT: Final = 11


def records(frame: pd.DataFrame) -> list[Any]:
    """Return a table's rows with their columns as attributes."""
    return list(frame.itertuples(index=False))


def _year(day: date) -> float:
    """Return a day as a year with its elapsed fraction, for an axis that no time zone shifts."""
    begin = day.replace(month=1, day=1)
    length = day.replace(month=12, day=31).toordinal() - begin.toordinal() + 1
    return day.year + (day.toordinal() - begin.toordinal()) / length


def _time_axis(field: str, low: float, high: float, *, pad: int = 0) -> dict[str, Any]:
    """Return an x encoding for years; ticks at the first of January."""
    return {
        "field": field, "type": "quantitative", "title": None,
        "scale": {
            "domain": [low, high], "range": [pad, {"expr": f"width - {pad}"}], "nice": False, "zero": False,
        },
        "axis": {"values": list(range(math.ceil(low), math.floor(high) + 1)), "format": "d", "grid": False, "labelOverlap": True},
    }  # fmt: skip


def funnel_figure(frame: pd.DataFrame, what: str, *, mode: Mode = "light") -> Figure:
    """Return a funnel: how many cases are left after each check.

    Parameters
    ----------
    frame
        From `core.fresh.frames.funnel_frame`.
    what
        What the cases that are left are, after their number ("cases changed after 30 June 2022").
    mode
        Colours.

    Raises
    ------
    UsageError
        If the frame is empty.
    """
    if frame.empty:
        raise UsageError("There is nothing to count. Choose at least one case.")
    rows = records(frame.rename(columns={"count": "amount"}))
    total, kept = int(rows[0].amount), int(rows[-1].amount)
    title = f"{kept:,} of {total:,} {what}"
    listed = "; ".join(f"{row.step}: {row.amount:,}" for row in rows if row.kind == "dropped")
    values = []
    for place, row in enumerate(rows):
        begin = row.left if row.kind == "dropped" else 0
        values.append(
            {
                "place": place, "step": row.step, "kind": row.kind, "begin": int(begin), "end": int(begin + row.amount),
                "amount": f"−{row.amount:,}" if row.kind == "dropped" else f"{row.amount:,}", "left": int(row.left),
                "why": row.why or row.step,
            }
        )  # fmt: skip
    y = {
        "field": "place", "type": "quantitative", "axis": None,
        "scale": {"domain": [-0.65, len(values) - 0.35], "reverse": True, "nice": False, "zero": False},
    }  # fmt: skip
    x_scale = {"domain": [0, total], "range": [0, {"expr": "width - 44"}], "nice": False}
    tooltip = [
        {"field": "step", "type": "nominal", "title": "step"},
        {"field": "amount", "type": "nominal", "title": "cases"},
        {"field": "left", "type": "quantitative", "title": "left"},
        {"field": "why", "type": "nominal", "title": "why"},
    ]
    colour = {
        "field": "kind", "type": "nominal", "legend": None,
        "scale": {"domain": ["all", "dropped", "kept"], "range": [Token.AXIS, GREY, NEW]},
    }  # fmt: skip
    return Figure(
        spec={
            "data": {"values": values},
            "layer": [
                {
                    "mark": {"type": "bar", "height": 9, "cornerRadius": 1},
                    "encoding": {
                        "x": {"field": "begin", "type": "quantitative", "scale": x_scale, "axis": None},
                        "x2": {"field": "end"}, "y": y, "color": colour, "tooltip": tooltip,
                    },
                },
                {
                    "mark": {"type": "text", "align": "left", "baseline": "bottom", "dy": -8, "color": Token.INK},
                    "encoding": {"x": {"value": 0}, "y": y, "text": {"field": "step", "type": "nominal"}},
                },
                {
                    "mark": {"type": "text", "align": "left", "baseline": "middle", "dx": 6, "fontWeight": "bold", "color": Token.INK},
                    "encoding": {
                        "x": {"field": "end", "type": "quantitative", "scale": x_scale}, "y": y,
                        "text": {"field": "amount", "type": "nominal"},
                    },
                },
            ],
        },
        title=title,
        subtitle="Cases left after each check. Recomputed from the sample's statements.",
        alt=f"{title}. Bars that shrink from step to step. Dropped: {listed or 'none'}.",
        data=frame,
        source=str(frame["source"].iloc[0]),
        notices=("A case is one relation of one subject, with all its dated values.",),
        mode=mode,
        height=_ROW * len(values),
    )  # fmt: skip


def changes_figure(frame: pd.DataFrame, cutoff: date, cutoff_words: str, *, mode: Mode = "light") -> Figure:
    """Return every change as a dot at its date, coloured by what it is at the cutoff.

    Parameters
    ----------
    frame
        From `core.fresh.frames.changes_frame`.
    cutoff, cutoff_words
        The cutoff, and how it is written.
    mode
        Colours.

    Raises
    ------
    UsageError
        If there is no change.
    """
    if frame.empty:
        raise UsageError("There is no change to draw.")
    counts = {status: int((frame["status"] == status).sum()) for status in (USABLE, KNOWN, OUT)}
    title = f"{plural(counts[USABLE], 'change')} after {cutoff_words} can become items"
    stacks: dict[str, int] = {}
    values = []
    order = {KNOWN: 0, USABLE: 1, OUT: 2}
    for row in sorted(
        records(frame), key=lambda row: (row.day.isoformat()[:7], order[row.status], row.changed)
    ):
        month = row.day.isoformat()[:7]
        stacks[month] = stacks.get(month, 0) + 1
        values.append(
            {
                "month": _year(row.day.replace(day=15)), "height": stacks[month], "status": row.status, "subject": row.subject,
                "relation": row.relation, "change": f"{row.old} → {row.new}", "changed": row.changed,
                "why": row.why or "It can become an item.",
            }
        )  # fmt: skip
    tallest = max(stacks.values())
    days = [*frame["day"], cutoff]
    x = _time_axis("month", _year(min(days).replace(day=1)), _year(max(days)) + 1 / 24, pad=8)
    y = {
        "field": "height", "type": "quantitative", "axis": None,
        "scale": {"domain": [0, tallest + 2.5], "nice": False},
    }  # fmt: skip
    tooltip = [
        {"field": name, "type": "nominal"} for name in ("subject", "relation", "change", "changed", "why")
    ]
    dots = [
        {
            "transform": [{"filter": {"field": "status", "equal": status}}],
            "mark": look | {"type": "point", "size": 46, "opacity": 1, "strokeWidth": 1.5},
            "encoding": {"x": x, "y": y, "tooltip": tooltip},
        }
        for status, look in _LOOKS.items()
    ]
    rule = [{"at": _year(cutoff), "text": "cutoff"}]
    years_only = int((frame["precision"] == "year").sum())
    note = (
        f"{plural(years_only, 'change')} of which only the year is known stand in July; a date that is not known to lie "
        "after the cutoff does not count as later."
    )
    return Figure(
        spec={
            "data": {"values": values},
            "layer": [
                *dots,
                {
                    "data": {"values": rule},
                    "mark": {"type": "rule", "strokeDash": [5, 3], "color": Token.INK},
                    "encoding": {"x": {**x, "field": "at"}},
                },
                {
                    "data": {"values": rule},
                    "mark": {"type": "text", "align": "left", "baseline": "top", "dx": 5, "dy": 2, "color": Token.INK},
                    "encoding": {"x": {**x, "field": "at"}, "y": {"value": 0}, "text": {"field": "text"}},
                },
            ],
        },
        title=title,
        subtitle="Each mark is one change, at the month in which the new value starts. Blue: usable. Grey: known by the "
        "cutoff. Open: after the cutoff, but dropped or replaced by a later change. Recomputed.",
        alt=f"{title}. Dots stacked by month with a line at the cutoff: {counts[KNOWN]:,} changes lie by the cutoff, "
        f"{counts[USABLE]:,} after it are usable, {counts[OUT]:,} after it are not.",
        data=frame,
        source=str(frame["source"].iloc[0]),
        notices=(note,),
        mode=mode,
        height=max(170, _DOT * (tallest + 3)),
    )  # fmt: skip


_ROLE_WORDS: Final = {"old": "old value", "new": "new value", "other": ""}


def timeline_figure(
    frame: pd.DataFrame, subject: str, relation: str, cutoff: date, until: date, *, mode: Mode = "light"
) -> Figure:
    """Return the values of one fact over time, with the cutoff as a line.

    Parameters
    ----------
    frame
        From `core.fresh.frames.timeline_frame`.
    subject, relation
        What the values belong to.
    cutoff, until
        The window.
    mode
        Colours.

    Raises
    ------
    UsageError
        If no value is dated.
    """
    if frame.empty:
        raise UsageError(f"No value of {subject} ({relation}) has a date that can be drawn.")
    old, new = (list(frame.loc[frame["role"] == role, "value"]) for role in ("old", "new"))
    if old and new:
        title = f"{relation.capitalize()} of {subject}: {old[0]}, then {new[0]}"
    else:
        title = f"{relation.capitalize()} of {subject}: no usable change at this cutoff"
    values = [
        {
            "place": place, "value": row.value, "role": row.role, "first": _year(row.first_day),
            "last": _year(row.last_day), "start": row.start, "end": row.end or "still open",
            "text": f"{row.value} ({_ROLE_WORDS[row.role]})" if _ROLE_WORDS[row.role] else row.value,
        }
        for place, row in enumerate(records(frame))
    ]  # fmt: skip
    begin = min(frame["first_day"].min(), cutoff)
    end = max(frame["last_day"].max(), until)
    x = _time_axis("first", _year(begin), _year(end))
    y = {
        "field": "place", "type": "quantitative", "axis": None,
        "scale": {"domain": [-0.75, len(values) - 0.35], "reverse": True, "nice": False, "zero": False},
    }  # fmt: skip
    colour = {
        "field": "role", "type": "nominal", "legend": None,
        "scale": {"domain": ["old", "new", "other"], "range": [OLD, NEW, GREY]},
    }  # fmt: skip
    tooltip = [{"field": name, "type": "nominal"} for name in ("value", "start", "end")]
    rule = [{"at": _year(cutoff), "text": "cutoff"}]
    periods = [f"{row.value} from {row.start} to {row.end or 'now'}" for row in records(frame)]
    return Figure(
        spec={
            "data": {"values": values},
            "layer": [
                {
                    "mark": {"type": "bar", "orient": "horizontal", "height": 10, "cornerRadius": 2},
                    "encoding": {"x": x, "x2": {"field": "last"}, "y": y, "color": colour, "tooltip": tooltip},
                },
                {
                    "data": {"values": rule},
                    "mark": {"type": "rule", "strokeDash": [5, 3], "color": Token.INK},
                    "encoding": {"x": {**x, "field": "at"}},
                },
                # A halo of the page's colour keeps a name readable where the cutoff's line would cross it.
                *(
                    {
                        "mark": {"type": "text", "align": "left", "baseline": "bottom", "dy": -9, **ink},
                        "encoding": {"x": {"value": 0}, "y": y, "text": {"field": "text", "type": "nominal"}},
                    }
                    for ink in ({"color": Token.PAPER, "stroke": Token.PAPER, "strokeWidth": 5}, {"color": Token.INK})
                ),
                {
                    "data": {"values": rule},
                    "mark": {"type": "text", "align": "right", "baseline": "bottom", "dx": -5, "dy": -2, "color": Token.INK},
                    "encoding": {"x": {**x, "field": "at"}, "y": {"value": "height"}, "text": {"field": "text"}},
                },
            ],
        },
        title=title,
        subtitle="Period of each value; vermilion is the value at the cutoff, blue the one that an item asks for. Recomputed.",
        alt=f"{title}. Bars over time, cutoff at {cutoff.isoformat()}. {join(periods)}.",
        data=frame,
        source=str(frame["source"].iloc[0]),
        notices=("A bar covers every day that its dates allow: a year alone begins in January and ends in December.",),
        mode=mode,
        height=max(120, 46 * len(values) + 20),
    )  # fmt: skip
