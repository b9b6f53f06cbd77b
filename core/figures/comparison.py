"""One benchmark recomputed beside its published curve: a line for what was published, marks for what was computed here."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final, Literal

from core.errors import UsageError
from core.figures import claims
from core.figures.axes import round_scale
from core.figures.base import Figure
from core.figures.curves import Curves, curves_spec, rows_of
from core.figures.selection_loss import INTERVAL_NOTICE, sources
from core.figures.series import Measure, measure_of
from core.figures.theme import Token
from core.figures.wording import number, plural

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.theme import Mode

Relation = Literal["same study", "other seeds", "other pool"]

_EXACT: Final = 1e-9


def comparison_figure(
    published: pd.DataFrame,
    recomputed: pd.DataFrame,
    relation: Relation,
    *,
    budget: int = 128,
    mode: Mode = "light",
    compact: bool = False,
) -> Figure:
    """Return a published curve with recomputed values beside it.

    Parameters
    ----------
    published, recomputed
        Tidy frames (`core.figures.series`) of one measure and one benchmark each.
    relation
        What the two have in common: ``"same study"`` (the same data, splits and seeds: they should agree), ``"other
        seeds"`` (the same data, other splits and routers), ``"other pool"`` (another set of models).
    budget
        The budget marked by a rule.
    mode
        Colours.
    compact
        Whether an exported image has the width of a phone.

    Raises
    ------
    UsageError
        If a frame is empty or holds several benchmarks, or the measures differ.
    """
    for frame in (published, recomputed):
        if frame.empty or frame["benchmark"].nunique() != 1:
            raise UsageError("A comparison needs exactly one published and one recomputed benchmark.")
    if published["measure"].iloc[0] != recomputed["measure"].iloc[0]:
        raise UsageError("A comparison needs one measure, the same for both curves.")
    measure = measure_of(str(published["measure"].iloc[0]))
    ends = [
        value
        for frame in (published, recomputed)
        for column in ("value", "low", "high")
        for value in frame[column]
    ]
    scale = round_scale(ends)
    height = 360
    label = str(recomputed["label"].iloc[0])
    named = published.assign(name=str(published["label"].iloc[0]))
    end = recomputed.sort_values("new_submissions").iloc[-1]
    further = ((label, int(end["new_submissions"]), float(end["value"])),)
    curves = Curves(named, measure, scale, height=height, budget=budget, further_ends=further)
    spec = curves_spec(curves)
    spec["layer"] += _marks(recomputed, measure, 0 if relation == "same study" else 4)
    difference = largest_difference(published, recomputed)
    title, detail = _words(published, recomputed, measure, relation, difference, budget)
    import pandas as pd

    both = pd.concat([published, recomputed], ignore_index=True)
    found = claims.readings(recomputed, budget)
    here = f" At {plural(budget, 'submission')}: {label} {claims.value(measure, found[0])}." if found else ""
    return Figure(
        spec=spec,
        title=title,
        subtitle=f"{measure.name}, mean over splits with 95 % intervals. Line and band: published. Rings and whiskers: {label}.",
        alt=f"{title}. Line chart of the published values with rings for the {label} ones.{here} {detail}",
        data=both,
        source=sources(both),
        notices=(detail, INTERVAL_NOTICE),
        mode=mode,
        width=330 if compact else 760,
        height=height,
    )


def largest_difference(published: pd.DataFrame, recomputed: pd.DataFrame) -> tuple[float, int] | None:
    """Return the largest absolute difference between two curves and the budget where it occurs.

    Parameters
    ----------
    published, recomputed
        Tidy frames of one measure and one benchmark each.

    Returns
    -------
    tuple or None
        Difference in the measure's unit and budget; None if the curves share no budget.
    """
    ours = dict(zip(recomputed["new_submissions"].tolist(), recomputed["value"].tolist(), strict=True))
    pairs = [
        (abs(ours[budget] - value), int(budget))
        for budget, value in zip(
            published["new_submissions"].tolist(), published["value"].tolist(), strict=True
        )
        if budget in ours and math.isfinite(ours[budget]) and math.isfinite(value)
    ]
    return max(pairs, key=lambda pair: pair[0]) if pairs else None


def _words(
    published: pd.DataFrame,
    recomputed: pd.DataFrame,
    measure: Measure,
    relation: Relation,
    difference: tuple[float, int] | None,
    budget: int,
) -> tuple[str, str]:
    name = str(recomputed["name"].iloc[0])
    unit = measure.unit if measure.unit != "%" else "points"
    if difference is None:
        return (
            f"{name}: no budget was both published and recomputed",
            "No budget was both published and recomputed, so there is no difference to tell.",
        )
    size, where = difference
    shared = int(published["new_submissions"].isin(recomputed["new_submissions"]).sum())
    at = f"at {plural(where, 'submission')}"
    over = f"over {plural(shared, 'shared budget')}"
    amount = (
        f"less than {_EXACT:.0e} {unit}".replace("1e-09", "0.000000001")
        if size < _EXACT
        else f"{_amount(size)} {unit}"
    )
    told = f"The largest difference from the published curve is {amount} ({at}, {over})."
    if relation == "same study":
        if size < _EXACT:
            return f"Recomputed here, {name} repeats its published curve", told
        return (
            f"Recomputed here, {name} differs from its published curve by up to {_amount(size)} {unit}",
            f"{told} The same data, splits and seeds should give the same values.",
        )
    found = claims.readings(recomputed, budget)
    claim = claims.title(measure, found, budget) if found else f"{name}, recomputed"
    if relation == "other seeds":
        return (
            claim,
            f"{told} Other seeds mean other splits and other random routers, so the values need not agree.",
        )
    return (
        claim,
        f"{told} This is another pool of models, so the values need not agree and neither is a check of the other.",
    )


def _amount(size: float) -> str:
    return number(size, 1) if size >= 0.05 else number(size, 2) if size >= 0.005 else f"{size:.1g}"


def _marks(recomputed: pd.DataFrame, measure: Measure, shift: int) -> list[dict[str, Any]]:
    x: dict[str, Any] = {"field": "new_submissions", "type": "quantitative"}
    rows = [row for row in rows_of(recomputed, measure) if row["new_submissions"] >= 1]
    tooltip = [
        {"field": "label", "type": "nominal", "title": "value is"},
        {"field": "new_submissions", "type": "quantitative", "title": "submissions", "format": ",d"},
        {"field": "value", "type": "quantitative", "title": measure.name.lower(), "format": ".3f"},
        {"field": "interval", "type": "nominal", "title": "95 % interval"},
    ]
    return [
        {
            "data": {"values": rows},
            "mark": {"type": "rule", "color": Token.INK, "strokeWidth": 1, "xOffset": shift},
            "encoding": {"x": x, "y": {"field": "low", "type": "quantitative"}, "y2": {"field": "high"}},
        },
        {
            "data": {"values": rows},
            "mark": {
                "type": "point",
                "shape": "circle",
                "filled": False,
                "fill": None,
                "stroke": Token.INK,
                "size": 110,
                "strokeWidth": 1.75,
                "opacity": 1,
                "xOffset": shift,
            },
            "encoding": {"x": x, "y": {"field": "value", "type": "quantitative"}, "tooltip": tooltip},
        },
    ]
