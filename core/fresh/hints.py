"""What to try instead when a wish gives no items: cutoffs at which some facts have a chain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.fresh.chains import chains_of_length
from core.fresh.drafting import outside_window
from core.fresh.times import PartialDate, compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from core.fresh.facts import ChangedFact

NAMED_CUTOFFS: Final = 3


def cutoffs_with_chains(
    facts_at: Callable[[PartialDate], Iterable[ChangedFact]],
    years: Iterable[int],
    until: PartialDate,
    hops: int,
) -> list[tuple[PartialDate, int]]:
    """Return the half-years' ends at which some fact has a usable chain, with the number of such facts.

    Parameters
    ----------
    facts_at
        The changed facts for a cutoff; those outside the window are passed over.
    years
        The years to try.
    until
        The last day looked at; cutoffs from that day on are passed over.
    hops
        Relations from the subject to the answer, 2 or 3.
    """
    found = []
    for year in sorted(set(years)):
        for cutoff in (PartialDate(year, 6, 30), PartialDate(year, 12, 31)):
            if compare(cutoff, until) >= 0:
                continue
            count = sum(
                outside_window(fact, cutoff, until) is None and bool(chains_of_length(fact, hops - 1)[0])
                for fact in facts_at(cutoff)
            )
            if count:
                found.append((cutoff, count))
    return found


def chain_hint(found: Sequence[tuple[PartialDate, int]], asked: PartialDate, hops: int) -> str:
    """Say which cutoffs near the one asked for have facts with a chain; where there are none, what gathers them.

    Examples
    --------
    >>> chain_hint([(PartialDate(2022, 6, 30), 9)], PartialDate(2023, 12, 31), 2)
    'No fact has a chain of 2 hops at the cutoff 2023-12-31. Some have at 2022-06-30 (9 facts).'
    """
    begin = f"No fact has a chain of {hops} hops at the cutoff {asked.as_digits()}."
    if not found:
        return f"{begin} None has at another cutoff either; 'fresh facts' with --hops {hops} gathers chains from a dump."
    near = sorted(found, key=lambda pair: (_months_between(pair[0], asked), pair[0].sort_key))[:NAMED_CUTOFFS]
    named = ", ".join(
        f"{cutoff.as_digits()} ({count:,} fact{'' if count == 1 else 's'})"
        for cutoff, count in sorted(near, key=lambda pair: pair[0].sort_key)
    )
    return f"{begin} Some have at {named}."


def _months_between(one: PartialDate, other: PartialDate) -> int:
    return abs(12 * (one.year - other.year) + (one.month or 12) - (other.month or 12))
