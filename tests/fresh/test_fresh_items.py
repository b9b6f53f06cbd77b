from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path

import pytest
from pydantic import ValidationError

from core.errors import DataError, UsageError
from core.fresh.building import BuildSettings, build_items
from core.fresh.drafting import outside_window, put_question
from core.fresh.entities import Entity
from core.fresh.facts import ChangedFact, Drop, Hop, Value
from core.fresh.files import read_lines, to_lines, write_lines
from core.fresh.items import LETTERS, UNKNOWN, checked_item, item_row, parse_items, read_items
from core.fresh.names import contains_any
from core.fresh.revisions import RevisionFolder
from core.fresh.sample import DEFAULT_CUTOFF, DEFAULT_UNTIL, load_sample
from core.fresh.scoring_text import normalise
from core.fresh.storing import fact_from_row, fact_to_row, read_facts
from core.fresh.times import PartialDate

SAMPLE = load_sample()
FACTS = SAMPLE.changed_facts(DEFAULT_CUTOFF)[0]


def build(facts=FACTS, source=SAMPLE, **settings):
    return build_items(facts, source, BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL, **settings))


SETTINGS = [
    {"format": kind, "hops": hops, "distractors": count}
    for kind, hops, count in product(("generation", "choice"), (1, 2, 3), (0, 3, 5, 7))
]


@pytest.mark.parametrize("settings", SETTINGS, ids=str)
def test_every_form_of_item(settings):
    result = build(**settings)
    assert len(result.items) >= (1 if settings["hops"] > 1 else 80)
    for item in result.items:
        assert (item.format, item.hops, item.distractors) == tuple(settings.values())
        gold = [document for document in item.documents if document.role == "gold"]
        assert len(gold) == item.hops
        names = {
            name
            for part in (item.subject, item.old, item.new, *(hop.value for hop in item.chain))
            for name in (part.label, *part.aliases)
        }
        for document in item.documents:
            if document.role == "distractor":
                assert not contains_any(document.text, names)
            assert document.source == "summary"
            assert document.revision_id is document.timestamp is None
        assert item.subject.name in item.question
        assert not contains_any(item.question, [item.new.label, item.old.label])


@pytest.mark.parametrize("settings", [each for each in SETTINGS if each["format"] == "choice"], ids=str)
def test_options(settings):
    letters = Counter()
    for item in build(**settings).items:
        expected = (
            ["correct", "outdated", "unknown", "other"]
            if item.hops == 1
            else ["correct", "unknown", "other", "other"]
        )
        assert sorted(item.types) == sorted(expected)
        by_type = dict(zip(item.types, item.options, strict=True))
        assert by_type["correct"] == item.answers[0]
        assert by_type["unknown"] == UNKNOWN
        if item.hops == 1:
            assert by_type["outdated"] == item.old.label
        known = {
            normalise(name) for name in (*item.answers, item.old.label, *item.old.aliases, item.subject.label)
        }
        others = [text for text, kind in zip(item.options, item.types, strict=True) if kind == "other"]
        assert not {normalise(text) for text in others} & known
        letters[item.correct_letter] += 1
    if settings["hops"] == 1:
        assert set(letters) == set(LETTERS)


def test_the_other_option_is_of_the_same_relation_where_there_is_one():
    relations = Counter(item.relation for item in build(format="choice").items)
    answers = {(item.relation, item.answers[0]) for item in build(format="choice").items}
    for item in build(format="choice").items:
        other = item.options[item.types.index("other")]
        if relations[item.relation] > 3 and not item.made_up:
            assert (item.relation, other) in answers


def test_nothing_made_up_is_mixed_into_a_real_item():
    made_up = {name for each in SAMPLE.entities.values() if each.made_up for name in each.names}
    for item in build(format="choice", distractors=7).items:
        if not item.made_up:
            texts = " ".join([item.question, *item.options, *(document.text for document in item.documents)])
            assert not contains_any(texts, made_up)


@pytest.mark.parametrize(
    "settings", [{"format": "choice", "distractors": 3}, {"hops": 2, "distractors": 5}], ids=str
)
def test_the_same_seed_gives_the_same_bytes_whatever_the_order_of_facts(settings):
    first = to_lines(item_row(item) for item in build(**settings).items)
    assert first == to_lines(item_row(item) for item in build(**settings).items)
    backwards = sorted(build(facts=FACTS[::-1], **settings).items, key=lambda item: item.id)
    assert backwards == sorted(build(**settings).items, key=lambda item: item.id)


def test_another_seed_shuffles_differently():
    one, other = (
        build(format="choice", distractors=3).items,
        build(format="choice", distractors=3, seed=1).items,
    )
    assert [item.id for item in one] == [item.id for item in other]
    assert sum(a.options != b.options for a, b in zip(one, other, strict=True)) > len(one) / 2
    assert sum(a.documents != b.documents for a, b in zip(one, other, strict=True)) > len(one) / 2


def test_gold_documents_do_not_always_come_first():
    places = Counter(
        next(place for place, document in enumerate(item.documents) if document.role == "gold")
        for item in build(distractors=3).items
    )
    assert set(places) == {0, 1, 2, 3}


def test_ids_are_unique():
    for hops in (1, 2, 3):
        ids = [item.id for item in build(hops=hops).items]
        assert len(set(ids)) == len(ids)


def test_a_later_cutoff_leaves_out_what_changed_before():
    later = build_items(FACTS, SAMPLE, BuildSettings(PartialDate(2023, 6, 30), DEFAULT_UNTIL))
    assert 0 < len(later.items) < len(build().items)
    assert later.funnel.dropped[Drop.UNCHANGED] > 0
    assert later.funnel.considered == len(FACTS)


def test_why_a_fact_is_outside_a_window():
    fact = FACTS[0]
    assert outside_window(fact, PartialDate(2000), PartialDate(2030)) is Drop.NO_OLD
    assert outside_window(fact, fact.new.start, PartialDate(2030)) is Drop.UNCHANGED
    assert outside_window(fact, DEFAULT_CUTOFF, PartialDate(2023)) is Drop.UNCHANGED
    assert outside_window(fact, DEFAULT_CUTOFF, DEFAULT_UNTIL) is None


def test_saved_revisions_leave_their_evidence():
    fact = next(fact for fact in FACTS if fact.subject.label == "Aslaug Foods")
    folder = RevisionFolder(Path(__file__).parents[2] / "data" / "fresh" / "revisions")
    (item,) = build(facts=[fact], source=folder).items
    (document,) = item.documents
    assert (document.source, document.revision_id, document.timestamp) == (
        "revision",
        8000000005,
        "2023-10-03T18:40:00Z",
    )
    assert item.made_up


class Recorder:
    """Remembers what it was asked, and answers from the sample."""

    def __init__(self):
        self.claims = []

    def find(self, claim):
        self.claims.append(claim)
        return SAMPLE.find(claim)


def test_a_hops_document_is_later_than_the_hop_and_the_change():
    recorder = Recorder()
    facts = [fact for fact in FACTS if fact.subject.label in {"Luka Jović", "Nikola Kalinić", "Robert Tsao"}]
    build_items(facts, recorder, BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL, hops=2))
    since = {(claim.subject.label, claim.relation): claim.since for claim in recorder.claims}
    assert since["ACF Fiorentina", "P118"] == PartialDate(
        2022, 7, 8
    )  # the hop began in 2004, the change came later
    assert since["Taiwan", "P35"] == PartialDate(2024, 5, 20)  # the hop came after the change


def value(qid, start=None, end=None):
    return Value(Entity(qid, f"Name {qid}", (), f"T {qid}"), start, end)


def test_where_hop_and_change_agree_the_coarser_date_counts():
    hop = Hop(Entity("Q3", "Name Q3", (), "T"), "P286", value("Q4", PartialDate(2023)))
    fact = ChangedFact(
        Entity("Q1", "S", (), "S"),
        "P54",
        value("Q2", PartialDate(2019), PartialDate(2023)),
        value("Q3", PartialDate(2023, 5, 1)),
        ((hop,),),
    )
    recorder = Recorder()
    recorder.find = recorder.claims.append
    build_items([fact], recorder, BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL, hops=2))
    assert [claim.since for claim in recorder.claims] == [PartialDate(2023, 5, 1)]
    from core.fresh.drafting import _later_of

    assert _later_of(PartialDate(2023), PartialDate(2023, 5, 1)) == PartialDate(2023)
    assert _later_of(None, PartialDate(2023, 5, 1)) == PartialDate(2023, 5, 1)


def test_too_few_others_are_counted():
    few = [fact for fact in FACTS if fact.subject.label in {"Italy", "Kenya"}]
    assert build(facts=few, distractors=3).funnel.dropped == {Drop.NO_DISTRACTORS: 2}
    assert build(facts=few[:1], format="choice").funnel.dropped == {Drop.NO_OPTIONS: 1}


def test_questions_of_chains_name_no_step_in_between():
    question = put_question("P54", "David Croitoru", ["P286", "P27"])
    assert (
        question
        == "What is now the country of citizenship of the person who is head coach of the team to which David Croitoru belongs?"
    )


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"format": "essay"}, "Unknown format 'essay'"),
        ({"hops": 4}, "must be 1, 2 or 3, found 4"),
        ({"hops": 0}, "must be 1, 2 or 3"),
        ({"distractors": 4}, "must be 0, 3, 5 or 7, found 4"),
    ],
)
def test_settings_outside_their_domain(wrong, message):
    with pytest.raises(UsageError, match=message):
        BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL, **wrong)


def test_progress():
    told = []
    build_items(FACTS[:3], SAMPLE, BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL), told.append)
    assert told == [1, 2, 3]


# Files.


def test_items_survive_writing_and_reading(tmp_path):
    items = build(format="choice", distractors=3).items
    path = tmp_path / "items.jsonl"
    assert write_lines(path, map(item_row, items)) == len(items)
    assert read_items(path) == list(items)
    row = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert row["setting"] == "single_hop_n3"
    assert set(row) >= {"id", "question", "answers", "options", "types", "documents", "subject", "old", "new"}


def test_the_prompt_holds_everything_a_model_needs():
    item = build(format="choice", distractors=3).items[0]
    prompt = item.prompt()
    assert prompt.count("Document ") == 4
    assert all(f"{letter}. {text}" in prompt for letter, text in zip(LETTERS, item.options, strict=True))


ROW = item_row(build(format="choice").items[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"answers": []}, "answers"),
        ({"question": ""}, "question"),
        ({"hops": 2}, "2 hops need a chain of 1"),
        ({"distractors": 3}, "1 gold and 3 distracting"),
        ({"distractors": 4}, "distractors"),
        ({"options": ["a", "b", "c"]}, "four options"),
        ({"options": ["a", "a", "b", "c"]}, "two options are the same"),
        ({"options": ["a", "b", "c", "d"]}, "correct option is not among the answers"),
        ({"types": ["correct", "other", "other", "unknown"]}, "four options of the types"),
        ({"format": "generation"}, "has no options"),
        ({"relation": "P1"}, "unknown relation 'P1'"),
        ({"cutoff": "2030-01-01"}, "started by the cutoff"),
        ({"cutoff": "soon"}, "must be dates"),
        ({"extra": 1}, "extra"),
        (
            {"documents": [{"title": "T", "text": "x", "role": "gold", "source": "revision"}]},
            "a revision needs",
        ),
        (
            {
                "documents": [
                    {
                        "title": "T",
                        "text": "x",
                        "role": "gold",
                        "source": "summary",
                        "revision_id": 1,
                        "timestamp": "t",
                    }
                ]
            },
            "a summary has neither",
        ),
    ],
)
def test_rows_that_are_no_item(change, message):
    with pytest.raises(DataError, match=message) as caught:
        checked_item(ROW | change, "'f', line 3")
    assert str(caught.value).startswith("'f', line 3: ")


def test_items_cannot_be_changed():
    with pytest.raises(ValidationError):
        build().items[0].question = "?"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "holds no item"),
        (b"{", "line 1, is not JSON"),
        (b"\n[1]\n", "line 2, is not a JSON object"),
        (json.dumps(ROW).encode() + b"\n" + json.dumps(ROW).encode(), "stands there twice"),
    ],
)
def test_items_files_that_are_none(content, message):
    with pytest.raises(DataError, match=message):
        parse_items(content, "items.jsonl")


def test_missing_files(tmp_path):
    for read in (read_items, read_facts, lambda path: list(read_lines(path, "answers"))):
        with pytest.raises(DataError, match="cannot be read"):
            read(tmp_path / "none.jsonl")


def test_facts_survive_writing_and_reading(tmp_path):
    path = tmp_path / "facts.jsonl"
    write_lines(path, map(fact_to_row, FACTS))
    assert read_facts(path) == FACTS


FACT = fact_to_row(FACTS[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"relation": "P1"}, "'relation' is 'P1'"),
        ({"relation": None}, "'relation' is None"),
        ({"subject": None}, "'subject' is missing"),
        ({"subject": {"qid": "X", "label": "a"}}, "'subject.qid' is no id"),
        ({"subject": {"qid": "Q1"}}, "'subject.label' is missing"),
        (
            {"subject": {"qid": "Q1", "label": "a", "aliases": [1]}},
            "'subject.aliases' is not a list of names",
        ),
        ({"new": FACT["new"] | {"start": "soon"}}, "'new.start' is no date"),
        ({"old": FACT["old"] | {"end": None}}, "'old' needs a start and an end"),
        ({"chains": {}}, "'chains' is not a list"),
        ({"chains": [[{"subject": FACT["subject"]}]]}, "no known 'relation'"),
    ],
)
def test_rows_that_are_no_fact(tmp_path, change, message):
    with pytest.raises(DataError, match=message):
        fact_from_row(FACT | change)
    path = tmp_path / "facts.jsonl"
    write_lines(path, [FACT, FACT | change])
    with pytest.raises(DataError, match=r"'facts\.jsonl', line 2: .*fresh facts"):
        read_facts(path)


def test_facts_files_that_are_none(tmp_path):
    path = tmp_path / "facts.jsonl"
    path.write_text("")
    with pytest.raises(DataError, match="holds no fact"):
        read_facts(path)
    write_lines(path, [FACT, FACT], force=True)
    with pytest.raises(DataError, match="stands there twice"):
        read_facts(path)


def test_nothing_half_written_is_left(tmp_path):
    path = tmp_path / "facts.jsonl"

    def rows():
        yield {"a": 1}
        raise RuntimeError("stopped")

    with pytest.raises(RuntimeError):
        write_lines(path, rows())
    assert list(tmp_path.iterdir()) == []
    write_lines(path, [1])
    with pytest.raises(DataError, match="--force"):
        write_lines(path, [2])
    assert write_lines(path, [2], force=True) == 1
    assert path.read_bytes() == b"2\n"
