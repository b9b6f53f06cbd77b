"""What a reader is told about a feedback rule that cannot be meant."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from core.errors import DataError, UsageError
from core.reuse.interfaces import GRAMMAR
from core.reuse.rules import parse_rule
from tests.reuse.rule_samples import drawn

BENCHMARK = drawn()


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("tasks", "Unknown feedback rule 'tasks'"),
        ("policy:overall", "Unknown feedback rule 'policy:overall'"),
        ("groups:", "Unknown feedback rule 'groups:'"),
        ("+round:1", "Unknown feedback rule"),
        ("task+", "Unknown part '+'"),
        ("task+round", "Unknown part '+round'"),
        ("task+rounding:1", "Unknown part '+rounding:1'"),
        ("task+Round:1", "Unknown part '+Round:1'"),
        ("task+round:1+task", "Unknown part '+task'"),
        ("task+round:", "expected a number above 0"),
        ("task+round:one", "expected a number above 0"),
        ("task+round:0", "expected a number above 0"),
        ("task+round:-0.0", "expected a number above 0"),
        ("task+round:-1", "expected a number above 0"),
        ("task+round:nan", "expected a number above 0"),
        ("task+round:inf", "expected a number above 0"),
        ("task+round:1e400", "expected a number above 0"),
        ("task+round:101", "up to 100"),
        ("task+round:1_0", "expected a number above 0"),
        ("task+round:٣", "expected a number above 0"),
        ("task+round:7", "does not divide 100 pp into whole steps"),
        ("task+round:1e-300", "at least 0.000000001 pp"),
        ("task+round:1e-320", "at least 0.000000001 pp"),
        ("task+ladder:0", "expected a number above 0"),
        ("task+ladder:-2", "expected a number above 0"),
        ("task+ladder:1e9", "up to 100"),
        ("task+ladder:automatic", "expected a number above 0"),
        ("task+ladder:1e-12", "at least 0.000000001 pp"),
        ("task+frontier:-1", "expected a number of at least 0"),
        ("task+frontier:3", "does not divide 100 pp into whole steps"),
        ("task+noise:-1", "expected a number of at least 0"),
        ("task+noise:1e308", "up to 100"),
        ("task+noise:auto", "expected a number of at least 0"),
        ("task+cap:0", "a cap is a whole number from 1"),
        ("task+cap:-4", "a cap is a whole number from 1"),
        ("task+cap:2.5", "a cap is a whole number from 1"),
        ("task+cap:auto", "a cap is a whole number from 1"),
        ("task+cap:" + "9" * 5000, "a cap is a whole number from 1"),
        ("task+cap:٤", "a cap is a whole number from 1"),
        ("grouped", "two whole numbers"),
        ("grouped:2", "two whole numbers"),
        ("grouped:2:", "two whole numbers"),
        ("grouped:two:0", "two whole numbers"),
        ("grouped:2.0:0", "two whole numbers"),
        ("grouped:1_0:0", "two whole numbers"),
        ("grouped:" + "9" * 5000 + ":0", "two whole numbers"),
        ("grouped:4:0", "4 groups do not divide the 6 tasks of drawn evenly; choose from 1, 2, 3, 6"),
        ("grouped:0:0", "0 groups do not divide"),
        ("grouped:12:0", "12 groups do not divide"),
        ("grouped:2:-1", "A partition number starts at 0, found -1"),
    ],
)
def test_the_fault_is_named_and_the_grammar_shown(rule, words):
    with pytest.raises(UsageError) as caught:
        parse_rule(BENCHMARK, rule)
    message = str(caught.value)
    assert words in message
    assert GRAMMAR in message
    assert len(message) < 700


def test_the_grammar_names_every_part():
    for part in (
        "task", "category", "overall", "grouped:D:P", "groups:FILE", "policy:task", "policy:category",
        "policy:aggregate", "+round:STEP", "+ladder:ETA", "+ladder:auto", "+frontier:ETA", "+noise:SD", "+cap:N",
    ):  # fmt: skip
        assert part in GRAMMAR
    assert parse_rule(BENCHMARK, GRAMMAR.split("for example ")[1].rstrip(".")).cap == 64


def test_one_score_and_win_rates_do_not_go_together():
    benchmark = drawn(ranking="mean_win_rate")
    with pytest.raises(UsageError, match="overall does not go with the ranking mean_win_rate"):
        parse_rule(benchmark, "overall")


def test_control_characters_are_escaped():
    with pytest.raises(UsageError) as caught:
        parse_rule(BENCHMARK, "task+\x1b[31mround\u202e:1")
    assert "\x1b" not in str(caught.value)
    assert "\u202e" not in str(caught.value)


@settings(deadline=None)
@given(st.text(max_size=60))
@example("task+noise:00001e-5")
@example("task+round:100.0000000001")
@example("groups:\x00")
def test_any_text_is_a_rule_or_a_sentence(text):
    for rule in (text, f"task+{text}", f"grouped:{text}", f"task+round:{text}", f"task+cap:{text}"):
        with contextlib.suppress(UsageError, DataError):
            parse_rule(BENCHMARK, rule)
