"""The sample against the published facts and chains it was made from, and every oddity known in them."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from core.errors import UsageError
from core.fresh.building import BuildSettings, build_items
from core.fresh.documents import Claim, check_support
from core.fresh.facts import ChangedFact, Drop, newest
from core.fresh.names import contains_any
from core.fresh.relations import RELATIONS, TEMPLATES, relation
from core.fresh.sample import DEFAULT_CUTOFF, DEFAULT_UNTIL, load_sample
from core.fresh.times import PartialDate, Precision, compare, from_date, parse_day, parse_time

HERE = Path(__file__).parent / "data"
FACTS = [json.loads(line) for line in (HERE / "changed_facts.jsonl").read_text(encoding="utf-8").splitlines()]
CHAINS = [
    json.loads(line) for line in (HERE / "changed_fact_chains.jsonl").read_text(encoding="utf-8").splitlines()
]
SAMPLE = load_sample()


def name_of(row):
    return f"{row['subject']['label']} {row['property']} {row['new']['label']}"


def windows(row):
    """A window that just holds the change: from the day before the start's period to its end."""
    start = parse_time(row["new"]["start_time"])
    if start.precision is Precision.DAY:
        before = from_date(date.fromordinal(date(start.year, start.month, start.day).toordinal() - 1))
        return before, start
    if start.precision is Precision.MONTH:
        year, month = (start.year, start.month - 1) if start.month > 1 else (start.year - 1, 12)
        return PartialDate(year, month, 28), parse_day(f"{start.year}-{start.month:02d}", "until")
    return PartialDate(start.year - 1, 12, 31), PartialDate(start.year, 12, 31)


@pytest.mark.parametrize("row", [*FACTS, *CHAINS], ids=name_of)
def test_every_published_change_is_found_at_its_own_window(row):
    cutoff, until = windows(row)
    fact = SAMPLE.outcome((row["subject"]["qid"], row["property"]), cutoff, until)
    assert isinstance(fact, ChangedFact)
    for side in ("old", "new"):
        value, published = getattr(fact, side), row[side]
        assert value.entity.qid == published["qid"]
        assert value.entity.label == published["label"]
        assert list(value.entity.names) == list(dict.fromkeys([published["label"], *published["aliases"]]))
        assert value.entity.wiki_title == published["wiki_title"]
        assert value.claim_id == published["claim_id"]
        assert value.start == parse_time(published["start_time"])
        assert value.end == (parse_time(published["end_time"]) if published["end_time"] else None)


@pytest.mark.parametrize("row", FACTS, ids=name_of)
def test_every_published_change_has_a_document_that_names_both(row):
    cutoff, until = windows(row)
    fact = SAMPLE.outcome((row["subject"]["qid"], row["property"]), cutoff, until)
    claim = Claim(fact.subject, fact.relation, fact.new.entity, fact.new.start)
    document = SAMPLE.find(claim)
    assert document.text == row["summary"]
    assert document.source == "summary"
    support = check_support(document, claim)
    assert contains_any(document.text, [support.subject.name])
    longer = [name for name in fact.subject.names if len(name) > len(support.subject.name)]
    assert not contains_any(document.text, longer)


@pytest.mark.parametrize(
    "row",
    CHAINS,
    ids=lambda row: " > ".join([row["subject"]["label"], *(hop["property"] for hop in row["hops"])]),
)
def test_every_published_chain_can_be_followed(row):
    _, until = windows(row)
    until = max(until, PartialDate(2023, 12, 31), key=lambda day: day.sort_key)
    cutoff, _ = windows(row)
    fact = SAMPLE.outcome((row["subject"]["qid"], row["property"]), cutoff, until)
    wanted = [hop["property"] for hop in row["hops"][1:]]
    (chain,) = [chain for chain in fact.chains if [hop.relation for hop in chain] == wanted]
    assert [hop.value.entity.qid for hop in chain] == [hop["object"]["qid"] for hop in row["hops"][1:]]
    result = build_items([fact], SAMPLE, BuildSettings(cutoff, until, hops=len(row["hops"])))
    (item,) = [each for each in result.items if [hop.relation for hop in each.chain] == wanted]
    assert item.answers == list(dict.fromkeys([row["hops"][-1]["object"]["label"], *row["answers"]]))
    assert len(item.documents) == len(row["hops"])
    for hop in row["hops"][:-1]:
        assert not contains_any(item.question, [hop["object"]["label"]])


def test_counts():
    assert len(FACTS) == 100
    assert len(CHAINS) == 11
    assert len({row["property"] for row in FACTS}) == 29
    assert sum(not entity.made_up for entity in SAMPLE.entities.values()) == 324


# Oddities of the real data, one test each.


def outcome(subject, prop, cutoff, until="2024-12-31"):
    (pair,) = [
        pair for pair in SAMPLE.statements if SAMPLE.entities[pair[0]].label == subject and pair[1] == prop
    ]
    return SAMPLE.outcome(pair, parse_day(cutoff, "cutoff"), parse_day(until, "until"))


def test_dates_known_to_the_year_or_month_only():
    starts = [parse_time(row["new"]["start_time"]).precision for row in FACTS]
    assert {Precision.YEAR, Precision.MONTH, Precision.DAY} == set(starts)
    assert outcome("Qantas", "P169", "2023-08-31").new.start == PartialDate(2023, 9)


def test_old_end_and_new_start_equal_or_equal_at_the_coarser_precision():
    italy = outcome("Italy", "P6", "2022-06-30")
    assert italy.old.end == italy.new.start == PartialDate(2022, 10, 22)
    anderson = outcome("Lee Anderson", "P102", "2023-12-31")
    assert (anderson.old.end, anderson.new.start) == (PartialDate(2024, 3), PartialDate(2024, 3, 11))


@pytest.mark.parametrize(("subject", "prop"), [("Alireza Faghani", "P1532"), ("David Croitoru", "P54")])
def test_starts_at_the_edge_of_a_window(subject, prop):
    """Starts of 2023-00-00 and 2023-01-00 may lie before a cutoff of 15 January 2023."""
    assert outcome(subject, prop, "2023-01-15") is Drop.UNCHANGED
    assert isinstance(outcome(subject, prop, "2022-12-31"), ChangedFact)


def test_an_old_value_that_started_when_it_ended():
    fact = outcome("Abelardo Fernández", "P6087", "2022-01-31")
    assert fact.old.start == fact.old.end == PartialDate(2021)


def test_new_values_that_have_themselves_ended():
    ended = [row for row in FACTS if row["new"]["end_time"]]
    assert len(ended) == 8
    facts, _ = SAMPLE.changed_facts(DEFAULT_CUTOFF, made_up=False)
    result = build_items(facts, SAMPLE, BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL))
    assert {item.subject.label for item in result.items if item.new_has_ended} >= {
        "Rishi Sunak",
        "Luka Jović",
    }


@pytest.mark.parametrize(
    ("subject", "prop", "cutoff", "new"),
    [
        ("FC Groningen", "P286", "2022-06-30", "Dick Lukkien"),
        ("FC Groningen", "P286", "2022-12-31", "Dick Lukkien"),
        ("Minister of Education, Youth and Sports", "P1308", "2022-03-31", "Mikuláš Bek"),
        ("Minister of Education, Youth and Sports", "P1308", "2022-12-31", "Mikuláš Bek"),
    ],
)
def test_several_changes_of_one_subject_give_the_last_value(subject, prop, cutoff, new):
    fact = outcome(subject, prop, cutoff)
    assert fact.new.entity.label == new
    assert fact.old.entity.label in {"Danny Buijs", "Frank Wormuth", "Petr Gazdík", "Vladimír Balaš"}


def test_a_gap_of_years_with_skipped_holders():
    fact = outcome("Bradford City A.F.C.", "P286", "2022-06-30")
    assert (fact.old.end, fact.new.start) == (PartialDate(2020, 12), PartialDate(2023, 11, 6))


def test_overlaps_and_returns_are_dropped():
    assert outcome("The Oster Courier", "P98", "2022-12-31") is Drop.OVERLAP
    assert outcome("Mirosk", "P6", "2022-12-31") is Drop.REVERTED


def test_only_the_page_that_documents_the_relation_is_needed():
    assert SAMPLE.entities["Q30312984"].wiki_title is None
    assert isinstance(outcome("Minister of Education, Youth and Sports", "P1308", "2022-12-31"), ChangedFact)
    assert isinstance(outcome("Sara Funaro", "P39", "2024-01-31"), ChangedFact)
    assert outcome("Tenby Gannets", "P634", "2022-12-31") is Drop.NO_PAGE


def test_statement_ids_with_a_lower_case_letter():
    small = [
        each
        for group in SAMPLE.statements.values()
        for each in group
        if (each.claim_id or "").startswith("q")
    ]
    assert len(small) == 2
    assert all(each.subject[0] == "Q" for each in small)


@pytest.mark.parametrize(
    ("subject", "prop", "cutoff", "name"),
    [
        ("1. FC Köln", "P634", "2023-12-31", "1. FC Köln"),
        (
            "National Recovery and Resilience Agency",
            "P749",
            "2022-06-01",
            "National Recovery and Resilience Agency",
        ),
    ],
)
def test_names_with_characters_that_mean_something_in_a_pattern(subject, prop, cutoff, name):
    fact = outcome(subject, prop, cutoff, "2024-12-31")
    (item,) = build_items([fact], SAMPLE, BuildSettings(parse_day(cutoff, "cutoff"), DEFAULT_UNTIL)).items
    assert name in item.question
    special = [n for each in SAMPLE.entities.values() for n in each.names if set(n) & set("[](){}.+*?|^$\\")]
    assert any("[" in n for n in special)
    assert all(contains_any(f"before {n} after", [n]) for n in special)


def test_very_short_aliases_do_not_match_within_words_or_in_another_case():
    short = {n for each in SAMPLE.entities.values() for n in each.names if len(n) <= 2}
    assert {"tv", "IT"} <= short
    assert not contains_any("Since then it is on television in Italy.", ["tv", "IT", "City", "Wednesday"])


def test_ambiguous_subjects_keep_their_id_and_page():
    assert (
        outcome("Socialist Party", "P3975", "2022-12-31").subject.wiki_title == "Socialist Party (Portugal)"
    )
    assert outcome("Chief Whip", "P1308", "2022-12-31").subject.qid == "Q32947134"


def test_names_in_other_scripts_are_kept_as_answers():
    assert "さい えいぶん" in SAMPLE.entities["Q233984"].names


def test_the_day_of_the_statement_counts_not_that_of_the_text():
    """The statement on the Dutch Labour Party starts in June 2023; its document does not say when."""
    fact = outcome("Labour Party", "P210", "2022-12-31")
    assert fact.new.start == PartialDate(2023, 6, 11)


def test_a_document_that_names_the_old_value_too_still_supports_the_new_one():
    fact = outcome("Willem II", "P118", "2023-12-31")
    claim = Claim(fact.subject, fact.relation, fact.new.entity, fact.new.start)
    document = SAMPLE.find(claim)
    assert contains_any(document.text, fact.old.entity.names)
    assert check_support(document, claim).value.name == "Eredivisie"


# Made-up cases.


def test_every_reason_of_the_change_rule_has_a_made_up_case():
    outcomes = {
        reason
        for pair, reason in SAMPLE.outcomes(DEFAULT_CUTOFF, DEFAULT_UNTIL)
        if SAMPLE.is_made_up(pair) and isinstance(reason, Drop)
    }
    assert outcomes == {
        Drop.NO_START, Drop.NO_OLD, Drop.TIE, Drop.NO_VALUE, Drop.UNCHANGED, Drop.REVERTED, Drop.NO_END, Drop.OVERLAP,
        Drop.NO_LABEL, Drop.NO_PAGE,
    }  # fmt: skip


def test_later_reasons_have_made_up_cases_too():
    facts = [fact for fact in SAMPLE.changed_facts(DEFAULT_CUTOFF)[0] if fact.made_up]
    one = build_items(facts, SAMPLE, BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL)).funnel
    two = build_items(facts, SAMPLE, BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL, hops=2)).funnel
    assert set(one.dropped) == {Drop.NO_DOCUMENT, Drop.NOT_NAMED}
    assert Drop.CYCLE in two.dropped


def test_made_up_things_are_marked_and_can_be_left_out():
    assert all(entity.made_up == (int(entity.qid[1:]) > 9_900_000_000) for entity in SAMPLE.entities.values())
    facts, funnel = SAMPLE.changed_facts(DEFAULT_CUTOFF, made_up=False)
    assert not any(fact.made_up for fact in facts)
    assert funnel.considered == sum(not SAMPLE.is_made_up(pair) for pair in SAMPLE.statements)


def test_a_deprecated_statement_changes_nothing():
    assert outcome("Brigade of Ostmark", "P4791", "2022-12-31") is Drop.UNCHANGED


@pytest.mark.parametrize("cutoff", ["2021-06-30", "2022-12-31", "2023-09-15", "2024-07-31"])
def test_the_funnel_adds_up_at_any_cutoff(cutoff):
    facts, funnel = SAMPLE.changed_facts(parse_day(cutoff, "cutoff"))
    assert funnel.kept == len(facts)
    assert funnel.considered == len(SAMPLE.statements)
    assert all(compare(fact.new.start, parse_day(cutoff, "cutoff")) > 0 for fact in facts)


def test_newest_of_the_shipped_statements_is_never_unclear_but_where_it_is_meant():
    unclear = [pair for pair, group in SAMPLE.statements.items() if newest(group, DEFAULT_UNTIL) is Drop.TIE]
    assert [SAMPLE.entities[pair[0]].label for pair in unclear] == ["Velm Society"]


# Relations.


def test_the_39_relations():
    assert len(RELATIONS) == 39
    assert {each.question_form for each in RELATIONS.values()} == set(TEMPLATES)
    assert RELATIONS["P54"].chains[-1] == ("P634", "P27")
    assert all(part in RELATIONS for each in RELATIONS.values() for chain in each.chains for part in chain)


@pytest.mark.parametrize("prop", sorted(RELATIONS))
def test_every_relation_can_be_put_as_a_question_and_as_a_phrase(prop):
    for text in (RELATIONS[prop].question("{relation} & {subject}"), RELATIONS[prop].phrase("Ann")):
        assert text.count("{") == text.count("}") <= 2
    assert RELATIONS[prop].question("Ann").endswith("?")
    assert "Ann" in RELATIONS[prop].phrase("Ann")


def test_an_unknown_relation():
    with pytest.raises(UsageError, match=r"Unknown relation 'P1'\. Known: P6, P35"):
        relation("P1")
