from __future__ import annotations

from collections import Counter

import pytest

from core.fresh.entities import normal_qid, read_entity, read_statements, split_periods
from core.fresh.times import PartialDate
from tests.fresh.wikidata_json import claim, entity, time_snak


def read(raw, relations=("P6", "P54")):
    counts: Counter[str] = Counter()
    return list(read_statements(raw, relations, counts)), counts


def test_names_and_page():
    raw = entity("q38", "Italy", aliases=["Italia", "Italy", "IT", "Italia"], title="Italy")
    found = read_entity(raw, "en")
    assert (found.qid, found.label, found.aliases, found.wiki_title) == (
        "Q38",
        "Italy",
        ("Italia", "IT"),
        "Italy",
    )
    assert found.names == ("Italy", "Italia", "IT")


def test_no_label_in_the_language_is_none_but_the_common_label_counts():
    raw = entity("Q1", "Italien", language="de")
    assert read_entity(raw, "en").label is None
    raw["labels"]["mul"] = {"language": "mul", "value": "Italia"}
    assert read_entity(raw, "en").label == "Italia"
    assert read_entity(raw, "de").label == "Italien"


def test_empty_collections_are_lists_in_wikidata():
    found = read_entity({"id": "Q1", "labels": [], "aliases": [], "claims": [], "sitelinks": []}, "en")
    assert found.names == ()
    assert read({"id": "Q1", "claims": []})[0] == []


def test_names_are_brought_to_one_form():
    assert read_entity(entity("Q1", "Sa\u0303o\u00a0Paulo "), "en").label == "São Paulo"


def test_something_that_is_no_item_is_none():
    assert read_entity({"id": "P6"}, "en") is None
    assert read_entity({}, "en") is None


@pytest.mark.parametrize(
    ("text", "expected"), [("q7", "Q7"), ("Q07", None), ("L1", None), (7, None), (None, None)]
)
def test_ids(text, expected):
    assert normal_qid(text) == expected


def test_a_statement_with_its_period_and_id():
    (one,), counts = read(
        entity("Q1", claims=[claim("P6", "q2", "2019-05-01", ("2023-03-00", 10), claim_id="q1$X")])
    )
    assert (one.subject, one.relation, one.value, one.claim_id) == ("Q1", "P6", "Q2", "q1$X")
    assert (one.start, one.end) == (PartialDate(2019, 5, 1), PartialDate(2023, 3))
    assert counts == {"statements": 1}


def test_deprecated_statements_are_dropped_and_counted():
    kept, counts = read(
        entity(
            "Q1",
            claims=[
                claim("P6", "Q2", "2019-05-01", rank="deprecated"),
                claim("P6", "Q3", "2020-01-01", rank="preferred"),
            ],
        )
    )
    assert [each.value for each in kept] == ["Q3"]
    assert kept[0].rank == "preferred"
    assert counts["deprecated"] == 1


@pytest.mark.parametrize("kind", ["somevalue", "novalue"])
def test_a_statement_without_a_value_stays_in_the_order_of_values(kind):
    (one,), counts = read(entity("Q1", claims=[claim("P6", None, "2023-05-01", kind=kind)]))
    assert one.value is None
    assert one.start == PartialDate(2023, 5, 1)
    assert counts["no value"] == 1


@pytest.mark.parametrize("kind", ["somevalue", "novalue"])
def test_an_unknown_start_or_end_is_none(kind):
    snak = [time_snak(None, kind=kind)]
    (one,), counts = read(entity("Q1", claims=[claim("P6", "Q2", starts=snak, ends=snak)]))
    assert (one.start, one.end) == (None, None)
    assert counts["unreadable start"] == 1


def test_two_starts_are_two_periods():
    starts = [time_snak("+2019-01-01T00:00:00Z"), time_snak("+2010-00-00T00:00:00Z", 9)]
    ends = [time_snak("+2012-06-30T00:00:00Z")]
    kept, counts = read(entity("Q1", claims=[claim("P54", "Q2", starts=starts, ends=ends)]))
    assert [(each.start, each.end) for each in kept] == [
        (PartialDate(2010), PartialDate(2012, 6, 30)),
        (PartialDate(2019, 1, 1), None),
    ]
    assert counts["several starts"] == 1


def test_the_same_start_at_two_precisions_is_one():
    assert split_periods([PartialDate(2019), PartialDate(2019, 5, 1)], []) == [
        (PartialDate(2019, 5, 1), None)
    ]


def test_of_two_ends_the_later_counts():
    assert split_periods([PartialDate(2019)], [PartialDate(2022), PartialDate(2021)]) == [
        (PartialDate(2019), PartialDate(2022))
    ]


def test_no_period_at_all():
    assert split_periods([], []) == [(None, None)]
    assert split_periods([], [PartialDate(2020)]) == [(None, PartialDate(2020))]


@pytest.mark.parametrize(
    "broken",
    [
        "text",
        {},
        {"mainsnak": None},
        {"mainsnak": {"snaktype": "value"}},
        {"mainsnak": {"snaktype": "value", "datavalue": {"value": "Q2"}}},
    ],
)
def test_malformed_claims_are_counted_and_passed_over(broken):
    kept, counts = read({"id": "Q1", "claims": {"P6": [broken, claim("P6", "Q3", "2020-01-01")]}})
    assert [each.value for each in kept] == ["Q3"]
    assert counts["malformed"] == 1


def test_the_older_form_of_an_object_id():
    raw = claim("P6", "Q3")
    raw["mainsnak"]["datavalue"]["value"] = {"entity-type": "item", "numeric-id": 38}
    assert read({"id": "Q1", "claims": {"P6": [raw]}})[0][0].value == "Q38"


def test_qualifiers_that_are_an_empty_list():
    raw = {**claim("P6", "Q3"), "qualifiers": []}
    assert read({"id": "Q1", "claims": {"P6": [raw]}})[0][0].start is None
