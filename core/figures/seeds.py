"""One study under many seeds: its own curve in front, the others behind, to tell a result from the luck of one draw."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.errors import UsageError
from core.figures import claims
from core.figures.axes import round_scale
from core.figures.base import Figure
from core.figures.curves import Curves, curves_spec
from core.figures.selection_loss import sources
from core.figures.series import measure_of
from core.figures.wording import count, number, plural

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.series import Measure

_HEIGHT = 340


def seeds_figure(own: pd.DataFrame, others: pd.DataFrame, *, budget: int, name: str) -> Figure:
    """Return a study's curve before those of the same study under other seeds.

    Parameters
    ----------
    own
        Tidy frame (`core.figures.series`) of one curve, named after its seeds.
    others
        Tidy frame of the other curves, one `benchmark` key each.
    budget
        The budget that title and rule talk about.
    name
        The benchmark as shown.

    Raises
    ------
    UsageError
        If a frame is empty, the measures differ or the budget was not tested.
    """
    if own.empty or others.empty:
        raise UsageError("A comparison of seeds needs one curve and at least one other.")
    if own["measure"].iloc[0] != others["measure"].iloc[0]:
        raise UsageError("A comparison of seeds needs one measure, the same for all curves.")
    measure = measure_of(str(own["measure"].iloc[0]))
    mine, theirs = claims.readings(own, budget), claims.readings(others, budget)
    if not mine or not theirs:
        raise UsageError(f"Budget {budget} was not tested under every seed.")
    import pandas as pd

    both = pd.concat([own, others], ignore_index=True)
    scale = round_scale([*both["value"], *own["low"], *own["high"]])
    curves = Curves(own, measure, scale, height=_HEIGHT, budget=budget, ghosts=others)
    values = sorted(reading.value for reading in theirs)
    title = _title(measure, mine[0].value, values, budget)
    below = sum(value < mine[0].value for value in values)
    story = (
        f"At {plural(budget, 'submission')} the curve in front stands at {_amount(measure, mine[0].value)}: of "
        f"{count(len(values))} other seeds {count(below) if below else 'none'} below it, {count(len(values) - below) if len(values) > below else 'none'} at or above. Their mean is "
        f"{_amount(measure, sum(values) / len(values))}."
    )
    spread = _spread(measure, mine[0], values, _widest(others))
    return Figure(
        curves_spec(curves),
        title,
        f"{name}: {measure.name.lower()}, mean over splits. In front, with its 95 % interval: {own['name'].iloc[0]}. "
        "Grey: other seeds. Recomputed.",
        f"{title}. Line chart of {measure.name.lower()} over submissions with {count(len(values))} grey curves behind. {story}",
        both,
        sources(both),
        (story, spread),
        width=800,
        height=_HEIGHT,
    )


def _widest(others: pd.DataFrame) -> int:
    rows = others[~others["static_control"]]
    ends = rows.groupby("new_submissions")["value"].agg(["min", "max"])
    return int((ends["max"] - ends["min"]).sort_values(ascending=False, kind="stable").index[0])


def _spread(measure: Measure, mine: claims.Reading, values: list[float], widest: int) -> str:
    """Say how the seeds' spread compares with the interval, which knows only of splits."""
    width, span = mine.high - mine.low, values[-1] - values[0]
    found = f"The other seeds span {_amount(measure, span)} here, and lie furthest apart at {plural(widest, 'submission')}. "
    if span > width:
        return (
            f"{found}The interval in front is {_amount(measure, width)} wide: it knows how far other splits would move the mean, "
            "not what another set of random routers does, which all splits of one seed share."
        )
    return f"{found}That is within the {_amount(measure, width)} that the interval in front allows for other splits alone."


def _title(measure: Measure, mine: float, values: list[float], budget: int) -> str:
    digits = 0 if measure.unit == "%" else 1
    seeds = f"{count(len(values))} other {'seed gives' if len(values) == 1 else 'seeds give'}"
    theirs = number(values[0], digits)
    if number(values[-1], digits) != theirs:
        theirs = f"{theirs} to {number(values[-1], digits)}"
    where = "outside" if mine < values[0] or mine > values[-1] else "within"
    unit = f" {measure.unit}"
    return f"{claims.at_budget(budget)} {seeds} {theirs}{unit}; this one, {number(mine, digits)}, lies {where} their range"


def _amount(measure: Measure, value: float) -> str:
    unit = {"points": "pp"}.get(measure.unit, measure.unit)
    return f"{number(value, 0 if measure.unit == '%' else 1)} {unit}"
