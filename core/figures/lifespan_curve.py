"""The simulated curve behind a lifespan: the mean over drawn benchmarks, its interval, the level, and where it crosses."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from core.figures.axes import round_scale
from core.figures.base import Figure
from core.figures.curves import Curves, curves_spec
from core.figures.lifespan_words import budget_words, interval_words, reading_claim, tolerance_words
from core.figures.series import Measure
from core.figures.wording import number, plural
from core.reuse.lifespan import MAX_TESTED

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.theme import Mode
    from core.reuse.lifespan_simulation import LifespanReading, LifespanWish

_MEASURES: Final = {
    "score_gap": Measure(
        "score_gap_increase_pp", "Score gap above baseline", "score gap less its baseline (pp)", "points"
    ),
    "false_winner": Measure(
        "false_winner", "False winners", "splits in which the final router is a false winner (%)", "%", 100.0
    ),
}
SOURCE: Final = "computed here from drawn benchmarks; no real model stands behind them"


def reading_rows(reading: LifespanReading) -> pd.DataFrame:
    """Return the mean curve as a tidy frame (`core.figures.series`)."""
    import pandas as pd

    measure = _MEASURES[reading.outcome]
    return pd.DataFrame(
        {
            "benchmark": "simulated",
            "name": "mean",
            "new_submissions": reading.budgets,
            "measure": measure.key,
            "value": [measure.factor * value for value in reading.mean],
            "low": [measure.factor * value for value in reading.mean_low],
            "high": [measure.factor * value for value in reading.mean_high],
            "label": "simulated",
            "static_control": [budget == 1 for budget in reading.budgets],
            "source": SOURCE,
        }
    )


def reading_figure(reading: LifespanReading, wish: LifespanWish, *, mode: Mode = "light") -> Figure:
    """Return the curve that a simulated lifespan was read off.

    Parameters
    ----------
    reading
        The reading.
    wish
        What was simulated.
    mode
        Colours.
    """
    measure = _MEASURES[reading.outcome]
    frame = reading_rows(reading)
    level = measure.factor * reading.level
    values = [value for column in ("value", "low", "high") for value in frame[column].tolist()]
    curves = Curves(
        frame,
        measure,
        round_scale([*values, level]),
        height=320,
        budget=None if math.isinf(reading.budget) else int(reading.budget),
        threshold=level,
        labels=False,
    )
    unit = "%" if measure.unit == "%" else "pp"
    line = f"{number(level, 0)} %" if unit == "%" else tolerance_words(level)
    title = reading_claim(reading)
    alt = (
        f"{title}. Line chart of {measure.name.lower()} over 1 to {MAX_TESTED:,} submissions, simulated. The level is "
        f"{line}; the mean ends at {number(frame['value'].iloc[-1], 1)} {unit}. "
        f"Read off: {budget_words(reading.budget)}, {interval_words(reading)}."
    )
    return Figure(
        curves_spec(curves),
        title,
        f"{measure.name}, mean over {plural(wish.draws, 'drawn benchmark')} with {plural(wish.trials, 'split')} each, and its "
        f"95 % interval; horizontal line: {line}. Simulated.",
        alt,
        frame,
        f"{SOURCE}.",
        (f"{measure.axis[:1].upper()}{measure.axis[1:]}. Open mark at 1: the static control.",),
        mode,
        width=720,
        height=320,
    )
