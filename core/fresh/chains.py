"""Going on from a new value by up to two further relations, for multi-hop questions (AntiLeakBench, section 3.3)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from core.fresh.entities import Entity, Statement
from core.fresh.facts import ChangedFact, Drop, Hop, Value, newest, page_owner
from core.fresh.relations import RELATIONS

if TYPE_CHECKING:
    from core.fresh.times import PartialDate

MAX_FURTHER_HOPS: Final = 2

EntityOf = Callable[[str], Entity | None]
StatementsOf = Callable[[str, str], Sequence[Statement]]


def value_at(statements: Sequence[Statement], until: PartialDate) -> Statement | None:
    """Return the one value of a relation at a day, or None if there is none or it is unclear.

    Dated statements go first: the newest that started by the day. Where no statement is dated (as is usual for
    citizenship), the value counts if all statements agree on it.
    """
    if any(each.start is not None for each in statements):
        found = newest(statements, until)
        return found if isinstance(found, Statement) and found.value is not None else None
    values = {each.value for each in statements}
    if len(values) != 1 or None in values:
        return None
    return max(statements, key=lambda each: each.claim_id or "")


def chains_from(
    fact: ChangedFact, until: PartialDate, entity_of: EntityOf, statements_of: StatementsOf
) -> ChangedFact:
    """Return the fact with every chain that its relation allows and the statements support.

    Parameters
    ----------
    fact
        A changed fact.
    until
        The day at which the further relations are read.
    entity_of, statements_of
        Look-ups by id, and by id and relation.
    """
    chains = (
        _follow(fact.new.entity, chain, until, entity_of, statements_of)
        for chain in RELATIONS[fact.relation].chains
    )
    return replace(fact, chains=tuple(chain for chain in chains if chain))


def _follow(
    start: Entity, chain: Sequence[str], until: PartialDate, entity_of: EntityOf, statements_of: StatementsOf
) -> tuple[Hop, ...]:
    hops: list[Hop] = []
    subject = start
    for relation in chain:
        found = value_at(statements_of(subject.qid, relation), until)
        value = entity_of(found.value) if found and found.value else None
        if found is None or value is None or value.label is None:
            return ()
        if not page_owner(subject, relation, value).wiki_title:
            return ()
        hops.append(Hop(subject, relation, Value(value, found.start, found.end, found.claim_id)))
        subject = value
    return tuple(hops)


def is_cyclic(fact: ChangedFact, chain: Sequence[Hop]) -> bool:
    """Whether a chain returns to anything already in it: the subject, the old or new value, or an earlier hop.

    Such a question would contain its own answer or have two.
    """
    seen = {fact.subject.qid, fact.old.entity.qid, fact.new.entity.qid}
    for hop in chain:
        if hop.value.entity.qid in seen:
            return True
        seen.add(hop.value.entity.qid)
    return False


def chains_of_length(fact: ChangedFact, further: int) -> tuple[list[tuple[Hop, ...]], Drop | None]:
    """Return the usable chains of a length, or the reason why there is none."""
    fitting = [chain for chain in fact.chains if len(chain) == further]
    usable = [chain for chain in fitting if not is_cyclic(fact, chain)]
    if usable:
        return usable, None
    return [], Drop.CYCLE if fitting else Drop.NO_CHAIN


def chain_relations() -> frozenset[str]:
    """Every relation that some chain uses."""
    return frozenset(part for each in RELATIONS.values() for chain in each.chains for part in chain)


def next_ids(
    qid: str, depth: int, new_of: str, until: PartialDate, statements_of: StatementsOf
) -> Iterator[str]:
    """Yield the ids that the chains of relation `new_of` reach from `qid` at hop number `depth` (1 or 2)."""
    for chain in RELATIONS[new_of].chains:
        if len(chain) >= depth:
            found = value_at(statements_of(qid, chain[depth - 1]), until)
            if found is not None and found.value is not None:
                yield found.value
