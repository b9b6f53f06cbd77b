from __future__ import annotations

from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import UsageError
from core.fresh.chains import chains_from, chains_of_length, value_at
from core.fresh.entities import Entity, Statement, read_entity, read_statements
from core.fresh.facts import (
    ChangedFact,
    Drop,
    Funnel,
    Hop,
    Value,
    describe_change,
    find_change,
    group_statements,
)
from core.fresh.gather import Gathering, gather_facts
from core.fresh.relations import RELATIONS
from core.fresh.times import PartialDate
from tests.fresh.wikidata_json import claim, entity, world

CUTOFF, UNTIL = PartialDate(2022, 12, 31), PartialDate(2024, 12, 31)


@dataclass
class InMemory:
    raws: list[dict]

    def read(self, wanted, report):
        for raw in self.raws:
            report.entities += 1
            if wanted is None or int(raw["id"][1:]) in wanted:
                yield raw


def plain_facts(raws, hops):
    """Keep everything in memory and look everything up: the twin of the passes."""
    entities = {raw["id"]: read_entity(raw, "en") for raw in raws}
    groups = group_statements(each for raw in raws for each in read_statements(raw, RELATIONS))
    facts, funnel = [], Funnel()
    for group in groups.values():
        change = find_change(group, CUTOFF, UNTIL)
        fact = change if isinstance(change, Drop) else describe_change(change, entities.get)
        funnel.count(fact if isinstance(fact, Drop) else None)
        if isinstance(fact, ChangedFact):
            full = chains_from(
                fact, UNTIL, entities.get, lambda qid, relation: groups.get((qid, relation), [])
            )
            chains = tuple(chain for chain in full.chains if len(chain) < hops)
            facts.append(ChangedFact(fact.subject, fact.relation, fact.old, fact.new, chains))
    return facts, funnel


claims = st.builds(
    lambda relation, value, year, length: claim(
        relation,
        f"Q{value}",
        f"{year}-03-01" if year else None,
        f"{year + length}-03-01" if year and length else None,
    ),
    st.sampled_from(["P6", "P54", "P286", "P26", "P27", "P118", "P169"]),
    st.integers(1, 8),
    st.one_of(st.none(), st.integers(2019, 2025)),
    st.one_of(st.none(), st.integers(1, 4)),
)
worlds = st.lists(st.lists(claims, max_size=6), min_size=8, max_size=8).map(
    lambda parts: [
        entity(f"Q{n}", f"Name {n}" if n != 8 else None, title=f"T{n}" if n != 7 else None, claims=part)
        for n, part in enumerate(parts, start=1)
    ]
)


@settings(max_examples=150, deadline=None)
@given(worlds, st.integers(1, 3))
def test_the_passes_equal_their_plain_twin(raws, hops):
    gathering = Gathering()
    facts = list(gather_facts(InMemory(raws), CUTOFF, UNTIL, hops=hops, gathering=gathering))
    plain, funnel = plain_facts(raws, hops)
    assert facts == plain
    assert gathering.funnel.dropped == funnel.dropped
    assert gathering.funnel.considered == funnel.considered


def test_chains_of_the_small_world():
    head, team = gather_facts(InMemory(world()), CUTOFF, UNTIL, hops=3)
    assert [[hop.relation for hop in chain] for chain in head.chains] == [["P26"], ["P26", "P27"]]
    assert [[hop.value.entity.label for hop in chain] for chain in team.chains] == [
        ["Coach One"], ["First League"], ["Coach One", "Norland"],
    ]  # fmt: skip


def test_the_number_of_passes_grows_with_the_hops():
    for hops in (1, 2, 3):
        gathering = Gathering()
        list(gather_facts(InMemory(world()), CUTOFF, UNTIL, hops=hops, gathering=gathering))
        assert gathering.passes == hops + 1


def test_the_window_is_checked_before_reading():
    with pytest.raises(UsageError):
        list(gather_facts(InMemory([]), UNTIL, CUTOFF))


def test_another_language():
    raws = [entity("Q1", "Arland", title="Arland", language="de", claims=world()[0]["claims"]["P6"])]
    raws += [entity("Q11", "Alt", language="de"), entity("Q12", "Neu", title="Neu", language="de")]
    (fact,) = gather_facts(InMemory(raws), CUTOFF, UNTIL, language="de")
    assert fact.new.entity.label == "Neu"
    assert list(gather_facts(InMemory(raws), CUTOFF, UNTIL)) == []


def s(value, start=None, end=None):
    return Statement("Q1", "P27", value, start, end)


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ([], None),
        ([s("Q2")], "Q2"),
        ([s("Q2"), s("Q2")], "Q2"),
        ([s("Q2"), s("Q3")], None),
        ([s(None)], None),
        ([s("Q2"), s("Q3", PartialDate(2020))], "Q3"),
        ([s("Q3", PartialDate(2026))], None),
        ([s("Q2", PartialDate(2020)), s("Q3", PartialDate(2020))], None),
        ([s("Q2", PartialDate(2019)), s("Q3", PartialDate(2021), PartialDate(2023))], "Q3"),
    ],
)
def test_the_value_of_a_further_relation(statements, expected):
    found = value_at(statements, UNTIL)
    assert (found.value if found else None) == expected


def hop(subject, value):
    return Hop(Entity(subject, subject), "P26", Value(Entity(value, value)))


def fact(*chains):
    value = lambda qid: Value(Entity(qid, qid), PartialDate(2020), PartialDate(2023))  # noqa: E731
    return ChangedFact(Entity("Q1", "Q1"), "P169", value("Q2"), value("Q3"), chains)


@pytest.mark.parametrize("back", ["Q1", "Q2", "Q3"])
def test_a_chain_that_returns_is_cyclic(back):
    assert chains_of_length(fact((hop("Q3", back),)), 1) == ([], Drop.CYCLE)
    assert chains_of_length(fact((hop("Q3", "Q4"), hop("Q4", back))), 2) == ([], Drop.CYCLE)
    assert chains_of_length(fact((hop("Q3", "Q4"), hop("Q4", "Q4"))), 2) == ([], Drop.CYCLE)


def test_a_usable_chain_is_kept_beside_a_cyclic_one():
    good = (hop("Q3", "Q4"),)
    assert chains_of_length(fact((hop("Q3", "Q1"),), good), 1) == ([good], None)
    assert chains_of_length(fact(good), 2) == ([], Drop.NO_CHAIN)
