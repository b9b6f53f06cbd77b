"""Parts of the feedback page: groups from a file, pickers that spell a rule, and sentences."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.benchmark.catalogue import load
from core.errors import DataError
from core.reuse.interfaces import group_tasks
from core.reuse.rules import parse_rule
from pages.parts.feedback import words
from pages.parts.feedback.controls import BANKS, RULES
from pages.parts.feedback.groups import MAX_BYTES, halves, read_groups
from pages.parts.feedback.rule_builder import _SCORES, _STEPS, spell

BANK = load("terminal_science")


def test_groups_from_a_file():
    content = '\ufefftask,group,note\r\na,x,1\r\n"b, c",y,2\r\nd,\r\n'.encode()
    assert read_groups(content) == (("a", "x"), ("b, c", "y"), ("d", ""))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "needs the columns task and group; found none"),
        (b"name,team\na,b\n", "found name, team"),
        ("task,group\né,x\n".encode("latin-1"), "not a CSV in UTF-8"),
        (b"task,group\n" + b"a,b\n" * MAX_BYTES, "larger than 1 MB"),
    ],
)
def test_a_file_that_holds_no_groups(content, message):
    with pytest.raises(DataError, match=message):
        read_groups(content)


@given(st.binary(max_size=200))
def test_any_file_is_groups_or_a_sentence(content):
    try:
        pairs = read_groups(content)
    except DataError as fault:
        pairs = str(fault)
    assert pairs is not None


def test_the_table_starts_as_a_grouping_that_fits():
    rows = [(row["task"], row["group"]) for row in halves(BANK)]
    assert [one.name for one in group_tasks(BANK, rows, "The table")] == ["first", "second"]


@given(
    st.sampled_from([name for name, part in _SCORES.items() if not part.startswith("groups")]),
    st.sampled_from((None, *_STEPS)),
    st.sampled_from((None, *_STEPS)),
    st.sampled_from((None, "auto", *_STEPS)),
    st.sampled_from((None, 0.0, *_STEPS)),
    st.sampled_from((None, 4, 128)),
)
def test_whatever_is_picked_is_a_rule(scores, noise, step, ladder, frontier, cap):
    text = spell(scores, noise_pp=noise, round_pp=step, ladder=ladder, frontier_pp=frontier, cap=cap)
    rule = parse_rule(BANK, text)
    assert rule.text == text
    assert len(rule.modifiers) == sum(one is not None for one in (noise, step, ladder, frontier, cap))


@pytest.mark.parametrize("bank", [name for name, _ in BANKS])
def test_every_offered_rule_fits_every_offered_benchmark(bank):
    benchmark = load(bank)
    for rule, _ in RULES:
        assert parse_rule(benchmark, rule).text == rule


def test_simulated_benchmarks_are_called_so():
    assert all(("(simulated)" in label) == name.startswith("simulated:") for name, label in BANKS)


def test_lives_in_a_table():
    assert words.life(8, 2048) == "8"
    assert words.life(None, 2048) == "> 2,048"
