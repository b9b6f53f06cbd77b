"""Questions and the documents that prove their answers, before options and distractors (AntiLeakBench, sections 3.2, 3.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from core.fresh.chains import chains_of_length
from core.fresh.documents import Claim, DocumentSource, Support, support_for
from core.fresh.facts import ChangedFact, Drop, Hop
from core.fresh.relations import RELATIONS
from core.fresh.times import PartialDate, compare

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.fresh.entities import Entity


@dataclass(frozen=True, slots=True)
class Draft:
    """A question whose documents have passed the test; options and distractors are still to come."""

    item_id: str
    fact: ChangedFact
    chain: tuple[Hop, ...]
    supports: tuple[Support, ...]
    question: str

    @property
    def answer(self) -> Entity:
        """The value that the question asks for."""
        return self.chain[-1].value.entity if self.chain else self.fact.new.entity

    @property
    def relation(self) -> str:
        """The last relation of the question."""
        return self.chain[-1].relation if self.chain else self.fact.relation

    @property
    def names(self) -> set[str]:
        """Every name of what the question speaks of, which no distracting document may hold."""
        entities = (
            self.fact.subject,
            self.fact.old.entity,
            self.fact.new.entity,
            *(h.value.entity for h in self.chain),
        )
        return {name for entity in entities for name in entity.names}


def outside_window(fact: ChangedFact, cutoff: PartialDate, until: PartialDate) -> Drop | None:
    """Say why a fact is no change of a window: its old value came after the cutoff, or its new one not within it."""
    assert fact.old.start is not None
    assert fact.new.start is not None
    if compare(fact.old.start, cutoff) > 0:
        return Drop.NO_OLD
    if compare(fact.new.start, cutoff) <= 0 or compare(fact.new.start, until) > 0:
        return Drop.UNCHANGED
    return None


def drafts_of(
    fact: ChangedFact, source: DocumentSource, cutoff: PartialDate, until: PartialDate, hops: int
) -> list[Draft] | Drop:
    """Return the questions that a fact gives, one per usable chain, or why there is none.

    Parameters
    ----------
    fact
        A changed fact.
    source
        Where the documents come from.
    cutoff, until
        The window in which the fact must have changed.
    hops
        Relations from the subject to the answer.
    """
    outside = outside_window(fact, cutoff, until)
    if outside is not None:
        return outside
    assert fact.new.start is not None
    chains: list[tuple[Hop, ...]] = [()]
    if hops > 1:
        chains, reason = chains_of_length(fact, hops - 1)
        if reason is not None:
            return reason
    first = support_for(Claim(fact.subject, fact.relation, fact.new.entity, fact.new.start), source)
    if isinstance(first, Drop):
        return first
    drafts: list[Draft] = []
    reasons: list[Drop] = []
    for chain in chains:
        further = _supports_of(chain, fact.new.start, source)
        if isinstance(further, Drop):
            reasons.append(further)
            continue
        suffix = "".join(f"-{hop.relation}" for hop in chain)
        drafts.append(
            Draft(
                item_id=f"{fact.fact_id}{suffix}",
                fact=fact,
                chain=chain,
                supports=(first, *further),
                question=put_question(fact.relation, first.subject.name, [hop.relation for hop in chain]),
            )
        )
    return drafts or reasons[0]


def _supports_of(
    chain: Sequence[Hop], changed_on: PartialDate, source: DocumentSource
) -> list[Support] | Drop:
    """Find each hop's document: later than the hop's own start and later than the change."""
    supports: list[Support] = []
    for hop in chain:
        since = _later_of(hop.value.start, changed_on)
        support = support_for(Claim(hop.subject, hop.relation, hop.value.entity, since), source)
        if isinstance(support, Drop):
            return support
        supports.append(support)
    return supports


def _later_of(start: PartialDate | None, changed_on: PartialDate) -> PartialDate:
    """Return the later date; where the two agree as far as known, the coarser, which is the stricter bound."""
    if start is None:
        return changed_on
    order = compare(start, changed_on)
    if order == 0:
        return min(start, changed_on, key=lambda each: each.precision)
    return start if order > 0 else changed_on


def put_question(relation: str, subject: str, further: Sequence[str]) -> str:
    """Word a question.

    Parameters
    ----------
    relation
        Of the changed fact.
    subject
        The subject's name.
    further
        Relations of the chain, in order.

    Examples
    --------
    >>> put_question("P54", "Kadarius Toney", ["P286"])
    'Which person is now head coach of the team to which Kadarius Toney belongs?'
    """
    path = [relation, *further]
    for step in path[:-1]:
        subject = RELATIONS[step].phrase(subject)
    return RELATIONS[path[-1]].question(subject)
