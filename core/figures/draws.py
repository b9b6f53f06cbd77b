"""One study, many sets of random routers: the published curve among the curves that other coin flips would have given."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from core.errors import UsageError
from core.figures.axes import NARROW, round_scale, spread, value_axis
from core.figures.base import Figure
from core.figures.series import MEASURES
from core.figures.theme import HELD_OUT, Token, submissions_axis
from core.figures.wording import count, number, plural, text_width
from core.router_draws import DrawSummary, draw_summaries

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.theme import Mode
    from core.provenance import Provenance

_HEIGHT: Final = 360
_SHARED_SET: Final = (
    "Every split of a study uses the same routers, so the intervals of the published curve, which resample splits, are "
    "narrower than the spread of these lines."
)


def draws_figure(
    frame: pd.DataFrame,
    name: str,
    provenance: Provenance,
    *,
    budget: int = 1024,
    mode: Mode = "light",
    compact: bool = False,
) -> Figure:
    """Return the loss curves of many sets of routers, with their mean and the published set.

    Parameters
    ----------
    frame
        The frame of `core.router_draws.router_draws`.
    name
        The benchmark as shown.
    provenance
        Where the frame comes from.
    budget
        The budget that the title talks about, at least 2.
    mode
        Colours.
    compact
        Whether an exported image has the width of a phone.

    Raises
    ------
    UsageError
        If the budget was not tested.
    """
    random = frame[frame["new_submissions"] >= 2]
    summaries = draw_summaries(random)
    found = next((summary for summary in summaries if summary.budget == budget), None)
    if found is None:
        valid = ", ".join(str(summary.budget) for summary in summaries)
        raise UsageError(f"Budget {budget} was not tested. Valid: {valid}.")
    title = (
        f"With {found.draws} other sets of random routers the loss at {plural(budget, 'submission')} runs from "
        f"{number(found.lowest)} to {number(found.highest)} points"
    )
    place = (
        f"The published set of routers gives {number(found.published)} pp at {plural(budget, 'submission')}; {found.draws} other "
        f"sets give {number(found.mean)} pp on average, from {number(found.lowest)} to {number(found.highest)} pp, and "
        f"{_share(found)} of them more than the published one."
    )
    means = [summary.mean for summary in summaries]
    level = (
        f"Averaged over the {found.draws} other sets, the loss lies between {number(min(means))} and {number(max(means))} pp at every "
        f"budget from {summaries[0].budget:,} to {summaries[-1].budget:,} submissions."
    )
    return Figure(
        spec=_spec(random, summaries, budget),
        title=title,
        subtitle=(
            f"{name}: mean loss over the same splits, one line per set of random routers. Recomputed; set 0 repeats the published "
            "study."
        ),
        alt=f"{title}. Line chart with {found.draws + 1} curves, recomputed values. {place} {level}",
        data=frame.assign(label=provenance.label, source=provenance.sentence),
        source=provenance.sentence,
        notices=(
            place,
            level,
            _SHARED_SET,
        ),
        mode=mode,
        width=330 if compact else 760,
        height=_HEIGHT,
    )


def _share(found: DrawSummary) -> str:
    return "all" if found.higher == found.draws else count(found.higher) if found.higher else "none"


def _spec(frame: pd.DataFrame, summaries: list[DrawSummary], budget: int) -> dict[str, Any]:
    rows = [
        {"draw": int(draw), "new_submissions": int(at), "value": value}
        for draw, at, value in zip(
            frame["draw"], frame["new_submissions"], frame["model_selection_loss_pp"], strict=True
        )
    ]
    means = [{"new_submissions": summary.budget, "value": summary.mean} for summary in summaries]
    scale = round_scale([row["value"] for row in rows])
    last = summaries[-1]
    names = [("published set", last.published), (f"mean of {last.draws}", last.mean)]
    gap = 16 * (scale.high - scale.low) / _HEIGHT
    ends = [
        {"name": text, "new_submissions": last.budget, "place": place}
        for (text, _), place in zip(
            names, spread([value for _, value in names], gap, scale.low, scale.high), strict=True
        )
    ]
    wide, narrow = (round(max(text_width(text, size) for text, _ in names) + 12) for size in (13, 11.5))
    room = f"width - (width < {NARROW} ? {narrow} : {wide})"
    x = submissions_axis([summary.budget for summary in summaries], range_end=room)
    y = value_axis(scale, MEASURES["model_selection_loss_pp"].axis)
    at = {"field": "at", "type": "quantitative"}
    across = {"x": {"value": 0}, "x2": {"value": {"expr": room}}, "y": at}
    rule = {"values": [{"at": budget, "text": plural(budget, "submission")}]}
    tooltip = [
        {"field": "draw", "type": "quantitative", "title": "set of routers"},
        {"field": "new_submissions", "type": "quantitative", "title": "submissions", "format": ",d"},
        {"field": "value", "type": "quantitative", "title": "loss (pp)", "format": ".2f"},
    ]
    return {
        "data": {"values": rows},
        "layer": [
            {
                "data": {"values": [{"at": tick} for tick in scale.ticks if tick]},
                "mark": {"type": "rule", "color": Token.GRID},
                "encoding": across,
            },
            {
                "data": {"values": [{"at": 0}]},
                "mark": {"type": "rule", "color": Token.AXIS, "strokeWidth": 1.25},
                "encoding": across,
            },
            {
                "transform": [{"filter": "datum.draw > 0"}],
                "mark": {"type": "line", "strokeWidth": 1, "color": Token.MUTED, "opacity": 0.35},
                "encoding": {"x": x, "y": y, "detail": {"field": "draw", "type": "nominal"}},
            },
            {
                "data": rule,
                "mark": {"type": "rule", "color": Token.INK, "strokeWidth": 1, "strokeDash": [3, 3]},
                "encoding": {"x": at},
            },
            {
                "data": rule,
                "mark": {
                    "type": "text",
                    "fontWeight": "bold",
                    "fontSize": 12,
                    "color": Token.INK,
                    "baseline": "bottom",
                },
                "encoding": {"x": at, "y": {"value": -4}, "text": {"field": "text", "type": "nominal"}},
            },
            {
                "data": {"values": means},
                "mark": {"type": "line", "strokeWidth": 3, "color": HELD_OUT},
                "encoding": {"x": x, "y": y},
            },
            {
                "transform": [{"filter": "datum.draw == 0"}],
                "mark": {"type": "line", "strokeWidth": 2.25, "color": Token.INK, "strokeDash": [2, 2.5]},
                "encoding": {"x": x, "y": y},
            },
            {
                "transform": [{"filter": "datum.draw == 0"}],
                "mark": {
                    "type": "point",
                    "shape": "cross",
                    "filled": True,
                    "size": 40,
                    "color": Token.INK,
                    "opacity": 1,
                },
                "encoding": {"x": x, "y": y},
            },
            {
                "data": {"values": ends},
                "mark": {
                    "type": "text",
                    "align": "left",
                    "baseline": "middle",
                    "dx": 8,
                    "color": Token.INK,
                    "fontSize": {"expr": f"width < {NARROW} ? 11.5 : 13"},
                },
                "encoding": {
                    "x": {"field": "new_submissions", "type": "quantitative"},
                    "y": {"field": "place", "type": "quantitative"},
                    "text": {"field": "name", "type": "nominal"},
                },
            },
            {
                "mark": {"type": "point", "filled": True, "size": 60, "opacity": 0},
                "encoding": {"x": x, "y": y, "tooltip": tooltip},
            },
        ],
        "padding": {"left": 4, "right": 6, "top": 6, "bottom": 4},
    }
