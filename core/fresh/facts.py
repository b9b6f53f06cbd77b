"""Which facts changed between a cutoff and a later day, and why the others do not count.

The rule is AntiLeakBench's (arXiv 2412.13670, section 3.1). For one subject and one relation, over the statements with
a start: the *old* value is the newest one that started by the cutoff, the *new* value the newest one that started by
the later day. The case counts if both exist and differ, the old one has ended, and the new one did not start before
that end. Dates are compared at the coarser of their two precisions, so "2023" neither precedes nor follows
"2023-07-01"; where the dates cannot order two values, the case is dropped instead of guessed.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from core.errors import UsageError
from core.fresh.entities import Entity, Statement
from core.fresh.relations import RELATIONS
from core.fresh.times import PartialDate, compare

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence


class Drop(StrEnum):
    """Why a case yields no item, in the order of the checks; the value is what a reader sees."""

    NO_START = "no start date"
    NO_OLD = "no old value at the cutoff"
    TIE = "order of two values unclear"
    NO_VALUE = "value unknown or none"
    UNCHANGED = "nothing changed"
    REVERTED = "changed and reverted"
    NO_END = "old value has no end"
    OVERLAP = "old and new overlap"
    NO_LABEL = "no label in the language"
    NO_PAGE = "no Wikipedia page"
    NO_CHAIN = "no further relation to follow"
    CYCLE = "chain returns to its start"
    NO_DOCUMENT = "no later revision of the page"
    NOT_NAMED = "summary does not name both"
    NO_OPTIONS = "too few other answers for the options"
    NO_DISTRACTORS = "too few distracting documents"


EXPLANATIONS: Mapping[Drop, str] = {
    Drop.NO_START: "No statement of the relation has a start date that can be used.",
    Drop.NO_OLD: "Every dated value started after the cutoff, so there is nothing that could be outdated.",
    Drop.TIE: "Two different values start at the same time, as far as their dates tell.",
    Drop.NO_VALUE: "Wikidata says that the value is unknown or that there is none.",
    Drop.UNCHANGED: "The value at the cutoff is still the value.",
    Drop.REVERTED: "Another value came in between, and the one of the cutoff is back.",
    Drop.NO_END: "The old value carries no end date, so it may still hold.",
    Drop.OVERLAP: "The new value starts before the old one ends.",
    Drop.NO_LABEL: "The subject, the old or the new value has no name in the language.",
    Drop.NO_PAGE: "The page that should document the change does not exist in the language.",
    Drop.NO_CHAIN: "No chain of the wanted length leads on from the new value.",
    Drop.CYCLE: "The chain comes back to something already named in it.",
    Drop.NO_DOCUMENT: "There is no revision later than the start of the new value.",
    Drop.NOT_NAMED: "The first paragraph does not name both the subject and the new value.",
    Drop.NO_OPTIONS: "There are not enough other answers of items to fill the options.",
    Drop.NO_DISTRACTORS: "Not enough documents of other items avoid every name of this one.",
}


@dataclass(slots=True)
class Funnel:
    """How many cases were looked at, and how many fell out for which reason.

    Parameters
    ----------
    considered
        Cases looked at.
    dropped
        Cases by reason.
    """

    considered: int = 0
    dropped: Counter[Drop] = field(default_factory=Counter)

    @property
    def kept(self) -> int:
        """Cases that passed every check."""
        return self.considered - sum(self.dropped.values())

    def count(self, reason: Drop | None) -> None:
        """Count one case: dropped for `reason`, or kept if it is None."""
        self.considered += 1
        if reason is not None:
            self.dropped[reason] += 1

    def rows(self) -> list[tuple[Drop, int, int]]:
        """Return the reasons that occurred, in the order of the checks, each with its count and the cases left after it."""
        left, rows = self.considered, []
        for reason in Drop:
            if self.dropped[reason]:
                left -= self.dropped[reason]
                rows.append((reason, self.dropped[reason], left))
        return rows

    def then(self, later: Funnel) -> Funnel:
        """Add the drops of a later stage, which looked at the cases that this funnel kept."""
        return Funnel(self.considered, self.dropped + later.dropped)


@dataclass(frozen=True, slots=True)
class Change:
    """A change as ids and dates: the statements that held at the cutoff and at the later day."""

    old: Statement
    new: Statement


@dataclass(frozen=True, slots=True)
class Value:
    """An object of a relation with the period for which it held."""

    entity: Entity
    start: PartialDate | None = None
    end: PartialDate | None = None
    claim_id: str | None = None


@dataclass(frozen=True, slots=True)
class Hop:
    """One further step of a chain: a relation of `subject` and its value at the later day."""

    subject: Entity
    relation: str
    value: Value


@dataclass(frozen=True, slots=True)
class ChangedFact:
    """A fact that changed, with names and pages.

    Parameters
    ----------
    subject
        What the fact is about.
    relation
        Property id.
    old, new
        The value at the cutoff and at the later day; both have a start, the old one an end.
    chains
        Ways to go on from the new value, each one or two hops long.
    """

    subject: Entity
    relation: str
    old: Value
    new: Value
    chains: tuple[tuple[Hop, ...], ...] = ()

    @property
    def fact_id(self) -> str:
        """A stable id: subject, relation, new value and its start."""
        start = self.new.start.isoformat() if self.new.start else "undated"
        return f"{self.subject.qid}-{self.relation}-{self.new.entity.qid}-{start}"

    @property
    def made_up(self) -> bool:
        """Whether any of the entities is invented."""
        return self.subject.made_up or self.old.entity.made_up or self.new.entity.made_up

    @property
    def new_has_ended(self) -> bool:
        """Whether the new value has an end of its own, so that it may no longer hold today."""
        return self.new.end is not None


def check_window(cutoff: PartialDate, until: PartialDate) -> None:
    """Raise `UsageError` unless the cutoff lies before the later day."""
    if compare(cutoff, until) >= 0:
        raise UsageError(
            f"The cutoff ({cutoff.isoformat()}) must be earlier than the last day looked at ({until.isoformat()})."
        )


def group_statements(statements: Iterable[Statement]) -> dict[tuple[str, str], list[Statement]]:
    """Sort statements by subject and relation."""
    groups: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for statement in statements:
        groups[statement.subject, statement.relation].append(statement)
    return dict(groups)


def newest(statements: Sequence[Statement], limit: PartialDate) -> Statement | Drop | None:
    """Find the value that started last, among those that started by `limit`.

    Returns
    -------
    Statement, Drop.TIE or None
        None if none started by then; ``Drop.TIE`` if the dates cannot say which of two different values is the later.
    """
    started = [each for each in statements if each.start is not None and compare(each.start, limit) <= 0]
    if not started:
        return None
    last = max(started, key=lambda each: _start(each).sort_key)
    leaders = [each for each in started if compare(_start(each), _start(last)) == 0]
    if len(leaders) == 1:
        return last
    leaders.sort(
        key=lambda each: (_start(each).sort_key, each.end is None, each.claim_id or ""), reverse=True
    )
    for leader in leaders:
        if all(each.value == leader.value or _precedes(each, leader) for each in started):
            return leader
    return Drop.TIE


def _start(statement: Statement) -> PartialDate:
    assert statement.start is not None
    return statement.start


def _precedes(earlier: Statement, later: Statement) -> bool:
    """Whether one period lies before the other; where the starts agree, the ends may tell."""
    order = compare(_start(earlier), _start(later))
    if order:
        return order < 0
    return _ended_by(earlier, later) and not _ended_by(later, earlier)


def _ended_by(one: Statement, other: Statement) -> bool:
    return one.end is not None and compare(one.end, _start(other)) <= 0


def find_change(  # noqa: PLR0911 - one return per reason
    statements: Sequence[Statement], cutoff: PartialDate, until: PartialDate
) -> Change | Drop:
    """Apply the rule to the statements of one subject and relation.

    Parameters
    ----------
    statements
        All kept statements of the pair, in any order.
    cutoff, until
        The window; a value that started by the cutoff counts as known.

    Returns
    -------
    Change or Drop
        The change, or the first reason why there is none.
    """
    starts = [each.start for each in statements if each.start is not None]
    if not starts:
        return Drop.NO_START
    if len({each.value for each in statements}) == 1:  # the common case, decided without comparing values
        return Drop.UNCHANGED if any(compare(start, cutoff) <= 0 for start in starts) else Drop.NO_OLD
    old = newest(statements, cutoff)
    if old is None:
        return Drop.NO_OLD
    new = newest(statements, until)
    if not isinstance(old, Statement) or not isinstance(new, Statement):
        return Drop.TIE
    if old.value == new.value:
        return Drop.REVERTED if _other_between(statements, old, cutoff, until) else Drop.UNCHANGED
    if old.value is None or new.value is None:
        return Drop.NO_VALUE
    if old.end is None:
        return Drop.NO_END
    if compare(_start(new), old.end) < 0:
        return Drop.OVERLAP
    return Change(old, new)


def _other_between(
    statements: Sequence[Statement], old: Statement, cutoff: PartialDate, until: PartialDate
) -> bool:
    return any(
        each.value != old.value and each.start is not None
        and compare(cutoff, each.start) < 0 and compare(each.start, until) <= 0
        for each in statements
    )  # fmt: skip


def describe_change(change: Change, entity_of: Callable[[str], Entity | None]) -> ChangedFact | Drop:
    """Give a change its names, and check that it has them and a page.

    Parameters
    ----------
    change
        From `find_change`.
    entity_of
        Finds an entity by id; None if it is unknown.
    """
    new_id, old_id = change.new.value, change.old.value
    assert new_id is not None
    assert old_id is not None
    subject, old, new = entity_of(change.new.subject), entity_of(old_id), entity_of(new_id)
    if not (subject and subject.label and old and old.label and new and new.label):
        return Drop.NO_LABEL
    fact = ChangedFact(
        subject=subject,
        relation=change.new.relation,
        old=Value(old, change.old.start, change.old.end, change.old.claim_id),
        new=Value(new, change.new.start, change.new.end, change.new.claim_id),
    )
    return fact if page_owner(fact.subject, fact.relation, fact.new.entity).wiki_title else Drop.NO_PAGE


def page_owner(subject: Entity, relation: str, value: Entity) -> Entity:
    """Whose page documents a relation: the subject's or the object's."""
    return subject if RELATIONS[relation].document_page == "subject" else value
