"""Feedback rules side by side: the selection loss under each, over submissions, with the tolerance as a line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.errors import UsageError
from core.figures.axes import round_scale
from core.figures.base import Figure
from core.figures.claims import readings
from core.figures.curves import Curves, curves_spec
from core.figures.selection_loss import INTERVAL_NOTICE
from core.figures.series import COLUMNS, measure_of
from core.figures.theme import BLUE, GREEN, GREY, PURPLE, VERMILION, SeriesStyle, Token
from core.figures.wording import count, number, plural
from core.shown import shown

if TYPE_CHECKING:
    import pandas as pd

    from core.provenance import Label

MEASURE: Final = "model_selection_loss_pp"
LABEL_WIDTH: Final = 28
"""Longest name of a rule at its curve's end, in characters; the table holds it whole."""

_STYLES: Final = (
    SeriesStyle(BLUE, (), "circle"),
    SeriesStyle(VERMILION, (11, 3), "square"),
    SeriesStyle(GREEN, (5, 3), "triangle-up"),
    SeriesStyle(PURPLE, (9, 3, 2, 3), "diamond"),
    SeriesStyle(Token.INK, (2, 2.5), "cross"),
    SeriesStyle(GREY, (7, 2, 2, 2, 2, 2), "triangle-down"),
)


def rule_series(compared: pd.DataFrame, *, label: Label, source: str) -> pd.DataFrame:
    """Return the losses of a comparison as a tidy frame (`core.figures.series`), one curve per rule.

    Parameters
    ----------
    compared
        Rows of `core.reuse.comparison.Comparison.rows`.
    label
        ``"recomputed"`` or ``"simulated"``.
    source
        How the values came about, one line.
    """
    rows = compared[compared["new_submissions"] >= 1]
    frame = rows[["new_submissions"]].copy()
    frame["benchmark"] = rows["feedback"]
    frame["name"] = [shown(rule, LABEL_WIDTH) for rule in rows["feedback"]]
    for column, end in (("value", ""), ("low", "_low"), ("high", "_high")):
        frame[column] = rows[f"{MEASURE}{end}"].astype("float64")
    frame["source"] = source
    frame = frame.assign(measure=MEASURE, label=label, static_control=frame["new_submissions"] == 1)
    return frame.reset_index(drop=True)[list(COLUMNS)]


def rule_curves(frame: pd.DataFrame, tolerance_pp: float) -> Figure:
    """Return the loss curves of some feedback rules with the tolerance.

    Parameters
    ----------
    frame
        A frame of `rule_series`.
    tolerance_pp
        The selection loss that is still accepted.

    Raises
    ------
    UsageError
        If the frame is empty.
    """
    if frame.empty:
        raise UsageError("No feedback rule is chosen. Choose at least one.")
    measure = measure_of(MEASURE)
    rules = list(dict.fromkeys(frame["benchmark"]))
    styles = {rule: _STYLES[place % len(_STYLES)] for place, rule in enumerate(rules)}
    values = [*frame["value"], *frame["low"], *frame["high"], tolerance_pp]
    budgets = sorted({int(budget) for budget in frame["new_submissions"]})
    curves = Curves(
        frame,
        measure,
        round_scale(values),
        height=380,
        bands=len(rules) <= 3,
        threshold=tolerance_pp,
        styles=styles,
        what="feedback rule",
    )
    within = [
        str(name)
        for name, own in frame[frame["new_submissions"] > 1].groupby("name", sort=False)
        if own["value"].notna().any() and not (own["value"] > tolerance_pp).any()
    ]
    level = f"{number(tolerance_pp, 2).rstrip('0').rstrip('.')} pp"
    title = (
        f"{count(len(within)).capitalize() if within else 'None'} of {plural(len(rules), 'feedback rule')} "
        f"{'keep' if len(within) > 1 else 'keeps'} the mean loss within {level} up to "
        f"{plural(budgets[-1], 'submission')}"
    )
    last = "; ".join(
        f"{one.name} {number(one.value, 2)} pp ({number(one.low, 2)} to {number(one.high, 2)})"
        for one in readings(frame, budgets[-1])
    )
    label = str(frame["label"].iloc[0])
    return Figure(
        spec=curves_spec(curves),
        title=title,
        subtitle=f"Selection loss, mean over splits{' with 95 % intervals' if curves.bands else ''}, under each rule. "
        f"{label.capitalize()}. Dashed line: the tolerance of {level}.",
        alt=f"{title}. Line chart of the selection loss over submissions, one line per feedback rule. "
        f"At {plural(budgets[-1], 'submission')}: {last}.",
        data=frame.rename(columns={"benchmark": "feedback"}).drop(columns="name"),
        source=f"{frame['source'].iloc[0]}.",
        notices=(INTERVAL_NOTICE,),
        width=760,
        height=380,
    )
