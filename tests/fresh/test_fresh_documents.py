from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import DataError
from core.fresh.documents import (
    Claim,
    Document,
    Revision,
    check_support,
    choose_revision,
    first_paragraph,
    parse_timestamp,
    plain_text,
    support_for,
)
from core.fresh.entities import Entity
from core.fresh.facts import Drop
from core.fresh.names import contains_any, find_all, find_name
from core.fresh.revisions import RevisionFolder, page_key
from core.fresh.times import PartialDate


def revision(number, stamp):
    return Revision(number, parse_timestamp(stamp), "T", "text")


DAY = PartialDate(2023, 3, 10)


@pytest.mark.parametrize(
    ("stamps", "since", "chosen"),
    [
        (["2023-03-10T23:59:59Z"], DAY, None),
        (["2023-03-11T00:00:00Z"], DAY, 0),
        (["2023-03-12T08:00:00Z", "2023-03-12T21:00:00Z", "2023-03-13T01:00:00Z"], DAY, 1),
        (["2023-03-13T01:00:00Z", "2023-03-12T21:00:00Z", "2023-03-12T08:00:00Z"], DAY, 1),
        (["2023-03-31T08:00:00Z", "2023-04-01T08:00:00Z"], PartialDate(2023, 3), 1),
        (["2023-12-31T08:00:00Z", "2024-01-02T08:00:00Z"], PartialDate(2023), 1),
        (["2023-03-11T01:30:00+03:00", "2023-03-11T05:00:00Z"], DAY, 1),
        ([], DAY, None),
    ],
)
def test_the_day_rule(stamps, since, chosen):
    revisions = [revision(number, stamp) for number, stamp in enumerate(stamps)]
    found = choose_revision(revisions, since)
    assert (found.revision_id if found else None) == chosen


@settings(deadline=None)
@given(
    st.lists(
        st.integers(0, 6 * 86_400).map(
            lambda seconds: datetime(2023, 3, 8, tzinfo=UTC) + timedelta(seconds=seconds)
        ),
        max_size=12,
    )
)
def test_the_day_rule_equals_its_plain_twin(moments):
    revisions = [Revision(number, moment, "T", "") for number, moment in enumerate(moments)]
    later = [each for each in revisions if each.timestamp.strftime("%Y-%m-%d") > "2023-03-10"]
    found = choose_revision(revisions, DAY)
    if not later:
        assert found is None
        return
    day = min(each.timestamp.strftime("%Y-%m-%d") for each in later)
    same = sorted(
        (each.timestamp, each.revision_id) for each in later if each.timestamp.strftime("%Y-%m-%d") == day
    )
    assert (found.timestamp, found.revision_id) == same[-1]


WIKITEXT = """{{Short description|x}}
{{Infobox settlement
| name = Tuvalu
| image = [[File:Inner.png|thumb|in a template]]
}}
[[File:Map.svg|thumb|A [[map]] of Tuvalu<ref>in a picture</ref>]]
<!-- a comment -->
'''Tuvalu'''&nbsp;({{lang|tvl|Tuvalu}}) is led by ''[[Feleti Teo|Teo]]''.<ref name="a">A note</ref><ref name="b" /> It has [http://example.org a site].
It goes on.

== History ==
{| class="wikitable"
|-
| hidden || cell
|}
More text with <math>x^2</math>.

[[Category:Islands]]
[[Datei:Karte.png|mini|Karte]]
__NOTOC__
"""


def test_wikitext_becomes_what_a_reader_sees():
    text = plain_text(WIKITEXT)
    assert first_paragraph(text) == "Tuvalu is led by Teo. It has a site. It goes on."
    for hidden in (
        "note",
        "hidden",
        "Category",
        "Map",
        "Karte",
        "comment",
        "x^2",
        "NOTOC",
        "Infobox",
        "thumb",
        "()",
    ):
        assert hidden not in text
    assert text.endswith("More text with .")


@pytest.mark.parametrize(
    "wikitext",
    ["", "{{Infobox", "[[File:a|b", "'''''", "<ref>", "{{{{{{", "]]}}", "<ref><ref></ref>", "[[a|[[b]]"],
)
def test_broken_wikitext_does_no_harm(wikitext):
    assert isinstance(plain_text(wikitext), str)


@settings(deadline=None)
@given(st.text(alphabet="[]{}|=<>/'\n refFile:ab", max_size=60))
def test_any_text_can_be_stripped(wikitext):
    assert plain_text(wikitext) == plain_text(wikitext).strip()


@pytest.mark.parametrize(
    ("text", "names", "found"),
    [
        ("1. FC Köln plays on", ["Köln", "1. FC Köln"], "1. FC Köln"),
        ("It was A.C.F. Fiorentina.", ["A.C.F. Fiorentina", "Fiorentina"], "A.C.F. Fiorentina"),
        (
            "the Department of Home Affairs [IV], Central Office of",
            ["Department of Home Affairs [IV], Central Office"],
            "Department of Home Affairs [IV], Central Office",
        ),
        ("Department of Home Affairs I", ["Department of Home Affairs [IV]"], None),
        ("C++ (language) wins", ["C++ (language)"], "C++ (language)"),
        ("Axb", ["A.b"], None),
        ("Italian food", ["Ital", "It", "IT"], None),
        ("it is IT", ["IT"], "IT"),
        ("on television", ["tv"], None),
        ("city life in the City", ["City"], "City"),
        ("on Sheffield\nWednesday", ["Sheffield Wednesday"], "Sheffield Wednesday"),
        ("Jović’s team", ["Jović"], "Jović"),
        ("Ann-Lee is here", ["Ann"], "Ann"),
        ("anna", ["Anna"], None),
        ("蔡英文 (さい えいぶん)", ["さい えいぶん"], "さい えいぶん"),
        ("x", ["", "  "], None),
        ("x", [], None),
    ],
)
def test_names_are_whole_words_escaped_and_case_sensitive(text, names, found):
    match = find_name(text, names)
    assert (match.name if match else None) == found
    assert contains_any(text, names) is (found is not None)


names = st.lists(st.text(alphabet="ab. [(+", min_size=1, max_size=5).filter(str.strip), max_size=5)


@settings(deadline=None)
@given(st.text(alphabet="ab. [(+", max_size=20).map(lambda text: " ".join(text.split())), names)
def test_the_longest_name_equals_its_plain_twin(text, given_names):
    tidied = {" ".join(name.split()) for name in given_names}

    def stands(name):
        places = [place for place in range(len(text)) if text.startswith(name, place)]
        return any(
            not re.match(r"\w", text[place - 1 : place]) and not re.match(r"\w", text[place + len(name) :])
            for place in places
        )

    present = {name for name in tidied if stands(name)}
    found = find_name(text, given_names)
    assert (found is not None) == bool(present)
    if found:
        assert len(found.name) == max(map(len, present))
        assert text[found.start : found.end] == found.name


def test_every_place_is_marked_once():
    text = "Ann Lee met Ann and Lee."
    assert [(match.name, match.start) for match in find_all(text, ["Ann", "Lee", "Ann Lee"])] == [
        ("Ann Lee", 0),
        ("Ann", 12),
        ("Lee", 20),
    ]


SUBJECT, VALUE = (
    Entity("Q1", "Arland", ("Republic of Arland", "AR")),
    Entity("Q2", "New Head", ("N. Head",), "New Head"),
)


def document(text):
    return Document("T", text, "summary")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("\n\nThe Republic of Arland is led by N. Head.", ("Republic of Arland", "N. Head")),
        ("Arland.\n\nNew Head leads it.", None),
        ("Arland alone.", None),
        ("", None),
    ],
)
def test_the_summary_must_name_both(text, names):
    support = check_support(document(text), Claim(SUBJECT, "P6", VALUE, DAY))
    assert ((support.subject.name, support.value.name) if support else None) == names


class Nothing:
    def find(self, _claim):
        return None


def test_reasons_of_a_failed_search():
    assert support_for(Claim(SUBJECT, "P6", VALUE, DAY), Nothing()) is Drop.NO_DOCUMENT


def line(number, stamp, text, title="New_Head"):
    return json.dumps({"title": title, "revision_id": number, "timestamp": stamp, "wikitext": text})


def test_a_folder_of_lines_and_of_answers(tmp_path):
    (tmp_path / "a.jsonl").write_text(
        "\n".join([line(1, "2023-03-09T10:00:00Z", "old"), "", line(2, "2023-03-12T10:00:00Z", "mid")])
    )
    row = {
        "revid": 3,
        "timestamp": "2023-03-12T11:00:00Z",
        "slots": {"main": {"content": "'''New Head''' leads [[Arland]]."}},
    }
    (tmp_path / "b.json").write_text(
        json.dumps({"query": {"pages": [{"title": "New Head", "revisions": [row]}]}})
    )
    old_form = {"revid": 4, "timestamp": "2023-03-11T11:00:00Z", "*": "older form"}
    (tmp_path / "c.json").write_text(
        json.dumps({"query": {"pages": {"9": {"title": "Other", "revisions": [old_form]}}}})
    )
    folder = RevisionFolder(tmp_path)
    found = folder.find(Claim(SUBJECT, "P6", VALUE, DAY))
    assert (found.revision_id, found.text, found.source) == (3, "New Head leads Arland.", "revision")
    other = Entity("Q3", "Other", (), "other")
    assert folder.find(Claim(SUBJECT, "P6", other, PartialDate(2023, 3, 10))).text == "older form"
    assert folder.find(Claim(SUBJECT, "P6", Entity("Q4", "X", (), "Absent"), DAY)) is None
    assert folder.find(Claim(SUBJECT, "P6", Entity("Q4", "X"), DAY)) is None
    assert folder.faults == []


def test_the_same_revision_saved_twice_is_one(tmp_path):
    (tmp_path / "a.jsonl").write_text("\n".join([line(2, "2023-03-12T10:00:00Z", "same")] * 2))
    assert RevisionFolder(tmp_path).find(Claim(SUBJECT, "P6", VALUE, DAY)).text == "same"


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("{", "unexpected end"),
        ("[]", "not a JSON object"),
        ('{"title": ""}', "'title' is missing"),
        (
            '{"title": "A", "timestamp": "2023-01-01T00:00:00Z", "revision_id": "7"}',
            "'revision_id' is not a whole number",
        ),
        ('{"title": "A", "revision_id": 7, "timestamp": "soon"}', "'timestamp' is no time"),
        ('{"title": "A", "revision_id": 7, "timestamp": "2023-01-01T00:00:00Z"}', "'wikitext' is missing"),
    ],
)
def test_broken_lines_of_a_folder_are_named(tmp_path, bad, problem):
    (tmp_path / "a.jsonl").write_text("\n".join([line(2, "2023-03-12T10:00:00Z", "fine"), bad]))
    (fault,) = RevisionFolder(tmp_path).faults
    assert (fault.file, fault.line) == ("a.jsonl", 2)
    assert problem in fault.problem


def test_folders_without_anything(tmp_path):
    with pytest.raises(DataError, match="There is no folder"):
        RevisionFolder(tmp_path / "none")
    with pytest.raises(DataError, match="holds no saved revision"):
        RevisionFolder(tmp_path)
    (tmp_path / "a.json").write_text('{"batchcomplete": true}')
    with pytest.raises(DataError, match=r"a\.json, line 1: not an answer of the MediaWiki API"):
        RevisionFolder(tmp_path)


def test_titles_as_wikipedia_compares_them():
    assert page_key("new_Head") == page_key("New Head") == "New Head"
    assert page_key("") == ""


@pytest.mark.parametrize("text", [None, 7, "", "2023-13-01T00:00:00Z", "today"])
def test_times_that_are_none(text):
    assert parse_timestamp(text) is None
