"""Budgets, factors and outcomes of the lifespan page in words, and the slot where a budget that was not reached is drawn."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from core.figures.wording import capitalised, number
from core.reuse.lifespan import FALSE_WINNER_SHARE, MAX_TESTED, PUBLISHED_TOLERANCE_PP

if TYPE_CHECKING:
    from core.reuse.lifespan import Case, Law
    from core.reuse.lifespan_simulation import LifespanReading

SLOT: Final = 2 * MAX_TESTED
"""Where a budget beyond the largest tested one is drawn."""

PUBLISHED: Final = "Allouah, Duchi and Koyejo (2026), artifact 0.1.0"


def budget_words(value: float) -> str:
    """Return a budget as text; one that was not reached as "more than 2,048".

    Examples
    --------
    >>> budget_words(64.0), budget_words(148.42), budget_words(3.54), budget_words(math.inf)
    ('64', '148', '3.5', 'more than 2,048')
    """
    if math.isinf(value):
        return f"more than {MAX_TESTED:,}"
    whole = value >= 10 or float(value).is_integer()
    return number(value, 0 if whole else 1)


def factor_words(factor: float) -> str:
    """Return a factor of at least one as text.

    Examples
    --------
    >>> factor_words(1.3509), factor_words(11.13), factor_words(163.8)
    ('1.4', '11', '164')
    """
    return number(factor, 0 if factor >= 10 else 1)


def tolerance_words(tolerance_pp: float) -> str:
    """Return a tolerance with its unit.

    Examples
    --------
    >>> tolerance_words(2.0), tolerance_words(0.5)
    ('2 pp', '0.5 pp')
    """
    return f"{number(tolerance_pp, 0 if float(tolerance_pp).is_integer() else 1)} pp"


def outcome_words(law: Law) -> str:
    """Return what the law predicts, as the end of "submissions until ..."."""
    if law.outcome == "false_winner":
        return f"{FALSE_WINNER_SHARE:.0%} of final routers are false winners".replace("%", " %")
    return f"the score gap exceeds its baseline by {tolerance_words(law.tolerance_pp)}"


def fold(case: Case) -> float:
    """Return by which factor a prediction was off, in either direction.

    Where the budget was not reached, it is the least factor that this shows: 1 for a prediction beyond the largest tested
    budget, which such an observation does not contradict.
    """
    if math.isinf(case.cell.observed):
        return max(1.0, case.least_factor)
    return max(case.factor, 1 / case.factor)


def is_published(law: Law) -> bool:
    """Whether law and observations are the printed ones, and not read off printed curves here."""
    return law.outcome == "false_winner" or law.tolerance_pp == PUBLISHED_TOLERANCE_PP


def range_words(low: float, high: float, known_high: float = math.inf) -> str:
    """Return a range of budgets in words; an open end is said as what is known.

    Examples
    --------
    >>> range_words(13.3, 1381.0), range_words(13.3, math.inf, 24000.0)
    ('13 to 1,381', '13 to more than 24,000')
    """
    if math.isinf(high):
        end = (
            f"more than {budget_words(known_high)}"
            if math.isfinite(known_high)
            else f"more than {MAX_TESTED:,}"
        )
        return f"{budget_words(low)} to {end}" if math.isfinite(low) else end
    return (
        budget_words(low)
        if budget_words(low) == budget_words(high)
        else f"{budget_words(low)} to {budget_words(high)}"
    )


def interval_words(reading: LifespanReading) -> str:
    """Return a reading's interval in words; where it is one tested budget, that is said."""
    if reading.low == reading.high:
        return f"the same ({budget_words(reading.low)}) at both ends of the 95 % interval"
    return f"95 % interval {range_words(reading.low, reading.high)}"


def reading_claim(reading: LifespanReading) -> str:
    """Return the simulated reading as a title."""
    if math.isinf(reading.budget):
        what = (
            "false winners stay below 90 %"
            if reading.outcome == "false_winner"
            else "the tolerance is not used up"
        )
        return capitalised(f"{what} within {MAX_TESTED:,} submissions on simulated benchmarks of this size")
    what = "90 % false winners" if reading.outcome == "false_winner" else "the tolerance is used up"
    return capitalised(
        f"{what} after {budget_words(reading.budget)} submissions on simulated benchmarks of this size"
    )


def doublings(end: float, step: int = 1) -> list[int]:
    """Return 1, 2, 4, ... up to a power of two, or every `step`-th of them."""
    return [1 << exponent for exponent in range(0, round(math.log2(end)) + 1, step)]
