"""What a set of curves shows at one budget, as a title and as a sentence, computed from the rows alone."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from core.figures.wording import capitalised, count, join, number, on_all, points, span

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.figures.series import Measure

Sign = Literal["worse", "better", "unclear", "none"]


@dataclass(frozen=True, slots=True)
class Reading:
    """One benchmark's value at the budget that the figure talks about.

    Parameters
    ----------
    name
        As shown.
    value, low, high
        The value with its interval (NaN where none is given).
    """

    name: str
    value: float
    low: float
    high: float

    @property
    def sign(self) -> Sign:
        """Which side of zero the interval lies on; without an interval, which side the value lies on."""
        if math.isnan(self.low) or math.isnan(self.high):
            return "none" if self.value == 0 else "worse" if self.value > 0 else "better"
        if self.low == self.high == self.value == 0:
            return "none"
        if self.low > 0:
            return "worse"
        return "better" if self.high < 0 else "unclear"


def readings(frame: pd.DataFrame, budget: int) -> list[Reading]:
    """Return each benchmark's reading at a budget, in the frame's order.

    Parameters
    ----------
    frame
        A tidy frame (`core.figures.series`).
    budget
        A budget of the frame.
    """
    rows = frame[frame["new_submissions"] == budget]
    return [
        Reading(str(name), float(value), float(low), float(high))
        for name, value, low, high in zip(rows["name"], rows["value"], rows["low"], rows["high"], strict=True)
    ]


def at_budget(budget: int) -> str:
    """Return the opening of a title.

    Examples
    --------
    >>> at_budget(128), at_budget(1)
    ('At 128 submissions', 'With the static control alone')
    """
    return "With the static control alone" if budget == 1 else f"At {budget:,} submissions"


def title(measure: Measure, found: Sequence[Reading], budget: int) -> str:
    """Return the claim that the readings support.

    Parameters
    ----------
    measure
        What is shown.
    found
        Readings of the shown benchmarks.
    budget
        The budget they belong to.
    """
    opening = at_budget(budget)
    if not found:
        return f"{opening} nothing is shown: choose a benchmark"
    if measure.unit == "%":
        names = [reading.name for reading in found]
        share = span([reading.value for reading in found], 0)
        return f"{opening} {share} % of splits end with a false winner {on_all(names)}"
    if measure.key == "score_gap_pp":
        return (
            f"{opening} the score gap is {_range(found)} points {on_all([reading.name for reading in found])}"
        )
    return f"{opening} {_signed_claim(measure, found)}"


def _range(found: Sequence[Reading]) -> str:
    sizes = [abs(reading.value) for reading in found]
    if max(sizes) < 0.95 or min(sizes) < 0.05:
        low, high = points(min(sizes)), points(max(sizes))
        return low if low == high else f"{low} to {high}"
    return span(sizes)


def _signed_claim(measure: Measure, found: Sequence[Reading]) -> str:
    groups = {
        sign: [reading for reading in found if reading.sign == sign]
        for sign in ("worse", "better", "unclear", "none")
    }
    parts: list[str] = []
    total = len(found)
    for sign, verb in (("worse", "has cost"), ("better", "has gained")):
        group = groups[sign]
        if group:
            subject = "the ranking" if not parts else "it"
            parts.append(f"{subject} {verb} {_range(group)} {measure.unit} {_where(group, total)}")
    unclear = groups["unclear"]
    if unclear:
        if parts:
            parts.append(f"no clear loss {_where(unclear, total, rest=True)}")
        else:
            parts.append(f"the ranking has cost nothing clear of zero {_where(unclear, total)}")
    if groups["none"]:
        verb = "no loss" if parts else "the ranking has cost nothing"
        parts.append(f"{verb} {_where(groups['none'], total, rest=bool(parts))}")
    return "; ".join(parts)


def _where(group: Sequence[Reading], total: int, *, rest: bool = False) -> str:
    names = [reading.name for reading in group]
    if len(group) == total:
        return on_all(names)
    if len(group) == 1:
        return f"on {names[0]}"
    if len(group) == 2 and rest:
        return f"on {join(names)}"
    return f"on {count(len(group))} of {count(total)} benchmarks"


def sentence(measure: Measure, found: Sequence[Reading]) -> str:
    """Return every reading with its interval, for the alternative text.

    Parameters
    ----------
    measure
        What is shown.
    found
        Readings of the shown benchmarks.
    """
    return join([f"{reading.name} {value(measure, reading)}" for reading in found])


def value(measure: Measure, reading: Reading) -> str:
    """Return one reading with its unit and interval.

    Parameters
    ----------
    measure
        What is shown.
    reading
        The reading.
    """
    digits = 0 if measure.unit == "%" else 1
    unit = measure.unit if measure.unit == "%" else {"points": "pp"}.get(measure.unit, measure.unit)
    if reading.sign == "none" and measure.key in {"model_selection_loss_pp", "rank_drop"}:
        return "no loss" if measure.key == "model_selection_loss_pp" else "no rank lost"
    text = f"{number(reading.value, digits)} {unit}"
    if not math.isnan(reading.low) and not math.isnan(reading.high):
        text += f" ({number(reading.low, digits)} to {number(reading.high, digits)})"
    return text


def shape_of(frame: pd.DataFrame, measure: Measure) -> str:
    """Return how the random attack's curves run: where each peaks, and whether it then falls.

    Parameters
    ----------
    frame
        A tidy frame.
    measure
        What is shown.
    """
    parts: list[str] = []
    digits = 0 if measure.unit == "%" else 1
    unit = {"points": " pp", "%": " %"}.get(measure.unit, f" {measure.unit}")
    for name, rows in frame[~frame["static_control"]].groupby("name", sort=False):
        curve = sorted(zip(rows["new_submissions"].tolist(), rows["value"].tolist(), strict=True))
        if len(curve) < 2:
            continue
        budget, top = max(curve, key=lambda point: point[1])
        end = number(curve[-1][1], digits)
        if number(top, digits) == end:
            parts.append(f"{name} ends at its highest value, {end}{unit}")
        else:
            parts.append(
                f"{name} peaks at {budget:,} submissions ({number(top, digits)}{unit}) and ends at {end}{unit}"
            )
    return capitalised("; ".join(parts)) + "." if parts else ""


def first_reaching(frame: pd.DataFrame, threshold: float) -> dict[str, int | None]:
    """Return the first tested random budget at which each benchmark's value reaches a threshold.

    Parameters
    ----------
    frame
        A tidy frame; the static control is left out.
    threshold
        In the frame's unit.

    Returns
    -------
    dict
        Benchmark name to budget, or None where the threshold is not reached within the largest budget.
    """
    found: dict[str, int | None] = {}
    for name, rows in frame[~frame["static_control"]].groupby("name", sort=False):
        reached = rows.loc[rows["value"] >= threshold, "new_submissions"]
        found[str(name)] = None if reached.empty else int(reached.min())
    return found
