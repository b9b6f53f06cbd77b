from __future__ import annotations

import json
import re
import string
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import f1_score

from core.errors import DataError, UsageError
from core.fresh.answers import Answers, answer_all, baseline, names_in, parse_answers, read_answers
from core.fresh.building import BuildSettings, build_items
from core.fresh.items import LETTERS, UNKNOWN
from core.fresh.sample import DEFAULT_CUTOFF, DEFAULT_UNTIL, load_sample
from core.fresh.scoring import (
    ScoreReport,
    _one_hot,
    bucket_of,
    judge,
    macro_f1,
    names_old_value,
    read_letter,
    score_items,
)
from core.fresh.scoring_text import exact_match, normalise, token_f1
from core.fresh.times import PartialDate
from core.statistics import resample_blocks, resample_counts

SAMPLE = load_sample()
FACTS = SAMPLE.changed_facts(DEFAULT_CUTOFF)[0]


def build(**settings_):
    return build_items(FACTS, SAMPLE, BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL, **settings_)).items


FREE, CHOICE, CHAINED = build(), build(format="choice"), build(hops=2)
ITALY = next(item for item in FREE if item.subject.label == "Italy")


# Free answers.


def squad_normalise(text):
    """The published script's steps, one by one."""
    text = "".join(character for character in text.lower() if character not in set(string.punctuation))
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", text).split())


def squad_f1(output, name):
    said, right = squad_normalise(output).split(), squad_normalise(name).split()
    shared = sum((Counter(said) & Counter(right)).values())
    if not said or not right:
        return float(said == right and output.strip() == name.strip())
    if shared == 0:
        return 0.0
    precision, recall = shared / len(said), shared / len(right)
    return 2 * precision * recall / (precision + recall)


words = st.text(alphabet="abthe .-'’É", max_size=20)


@settings(deadline=None)
@given(words, st.lists(words, max_size=3))
def test_em_and_f1_equal_their_plain_twins(output, names):
    assert normalise(output) == squad_normalise(output)
    assert token_f1(output, names) == pytest.approx(
        max((squad_f1(output, name) for name in names), default=0.0)
    )
    if exact_match(output, names):
        assert token_f1(output, names) == 1.0


@pytest.mark.parametrize(
    ("output", "right", "f1"),
    [
        ("Giorgia Meloni", True, 1.0),
        ("the giorgia meloni.", True, 1.0),
        ("Meloni", False, 2 / 3),
        ("It is Giorgia Meloni", False, 2 * 2 / 6),
        ("Mario Draghi", False, 0.0),
        ("", False, 0.0),
    ],
)
def test_free_answers(output, right, f1):
    verdict = judge(ITALY, output)
    assert verdict.right is right
    assert verdict.f1 == pytest.approx(f1)
    assert verdict.letter is None


@pytest.mark.parametrize(
    ("output", "outdated"),
    [
        ("Mario Draghi", True),
        ("mario draghi", True),
        ("It is Mario Draghi.", True),
        ("Giorgia Meloni", False),
        ("Giorgia Meloni, after Mario Draghi", True),
        ("Mario", False),
        ("Matteo Renzi", False),
        ("", False),
    ],
)
def test_the_outdated_value(output, outdated):
    assert names_old_value(output, ITALY) is outdated


def test_a_right_name_that_contains_the_old_one_is_not_outdated():
    item = ITALY.model_copy(
        update={
            "answers": ["Minister of Fisheries and Seafood"],
            "old": ITALY.old.model_copy(update={"label": "Minister of Fisheries"}),
        }
    )
    assert not names_old_value("He is Minister of Fisheries and Seafood", item)
    assert names_old_value("He is Minister of Fisheries", item)


def test_very_short_names_of_the_old_value_are_not_found_in_other_words():
    item = ITALY.model_copy(update={"old": ITALY.old.model_copy(update={"aliases": ["IT", "tv"]})})
    assert not names_old_value("It is shown on television", item)
    assert names_old_value("IT", item)


def test_multi_hop_items_have_no_outdated_value():
    with pytest.raises(UsageError, match="multi-hop"):
        names_old_value("x", CHAINED[0])
    assert judge(CHAINED[0], "x").outdated is None


# Choices.

OPTIONS = ["Feleti Teo", "Unknown.", "Kausea Natano", "Haris Doukas"]


@pytest.mark.parametrize(
    ("output", "letter"),
    [
        ("B", "B"), (" b ", None), ("(C)", "C"), ("D.", "D"), ("**A**", "A"), ("A. Feleti Teo", "A"), ("C) because", "C"),
        ("B: Unknown.", "B"), ("The answer is D", "D"), ("answer: c", "C"), ("Option (A)", "A"), ("Answer is **B**.", "B"),
        ("Feleti Teo", "A"), ("unknown", "B"), ("the Haris Doukas!", "D"), ("A good question", None), ("A or B", None),
        ("The answer is A or the answer is B", None), ("A. No, the answer is B", None), ("E", None), ("", None),
        ("I do not know", None), ("Natano", None), ("AB", None), ("Answer: A’s team", None),
    ],
)  # fmt: skip
def test_reading_a_letter(output, letter):
    assert read_letter(output, OPTIONS) == letter


@settings(deadline=None)
@given(st.text(max_size=30))
def test_reading_never_fails(output):
    assert read_letter(output, OPTIONS) in {*LETTERS, None}


def test_a_choice_is_judged_by_the_type_of_its_option():
    item = CHOICE[0]
    for letter, kind in zip(LETTERS, item.types, strict=True):
        verdict = judge(item, letter)
        assert verdict.right is (kind == "correct")
        assert verdict.outdated is (kind == "outdated")
    assert judge(item, "?").outdated is False


letters = st.lists(
    st.tuples(st.sampled_from(LETTERS), st.sampled_from([*LETTERS, None])), min_size=1, max_size=30
)


@settings(deadline=None)
@given(letters)
def test_macro_f1_equals_scikit_learn_over_the_four_letters(pairs):
    gold, said = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    found = macro_f1(np.ones((1, len(pairs))), _one_hot(gold), _one_hot(said))[0]
    plain = f1_score(
        gold, [each or "none" for each in said], labels=list(LETTERS), average="macro", zero_division=np.nan
    )
    assert found == pytest.approx(plain)


def test_an_unparsable_output_is_a_miss_and_never_a_class():
    letters_ = {item.id: item.correct_letter for item in CHOICE}
    clean = score_items(CHOICE, Answers(letters_))
    assert clean.value("macro_f1").value == clean.value("accuracy").value == 1.0
    spoilt = score_items(CHOICE, Answers(letters_ | {CHOICE[0].id: "no idea"}))
    assert spoilt.value("unparsable_rate").value == pytest.approx(1 / len(CHOICE))
    assert 1 > spoilt.value("macro_f1").value > 0.95
    assert spoilt.value("accuracy").value == pytest.approx(1 - 1 / len(CHOICE))


# Baselines: the loop must show what it is built to show.


def test_remembering_the_old_values_is_always_outdated_and_never_right():
    for items, right in ((FREE, "exact_match"), (CHOICE, "accuracy")):
        report = score_items(items, answer_all(items, baseline("remembers")))
        assert report.value("outdated_rate").value == 1.0
        assert report.value(right).value == 0.0


def test_a_memory_up_to_a_day_is_right_before_it_and_outdated_after_it():
    day = PartialDate(2023, 6, 30)
    for items, right in ((FREE, "exact_match"), (CHOICE, "accuracy")):
        report = score_items(items, answer_all(items, baseline("remembers:2023-06-30")), cutoff=day)
        assert report.value(right, bucket="by cutoff").value == 1.0
        assert report.value(right, bucket="after cutoff").value == 0.0
        assert report.value("outdated_rate", bucket="by cutoff").value == 0.0
        assert report.value("outdated_rate", bucket="after cutoff").value == 1.0


def test_reading_is_mostly_right_and_seldom_outdated():
    for items, right in (
        (FREE, "exact_match"),
        (CHOICE, "accuracy"),
        (build(distractors=7), "exact_match"),
        (CHAINED, "exact_match"),
    ):
        report = score_items(items, answer_all(items, baseline("reads")))
        assert report.value(right).value > 0.8
        if items[0].hops == 1:
            assert report.value("outdated_rate").value < 0.1


def test_the_reader_does_not_look_at_the_gold_fields():
    reads = baseline("reads")
    for item in (*FREE, *CHOICE):
        blind = item.model_copy(
            update={"answers": ["x"], "new": item.subject, "old": item.subject, "types": []}
        )
        assert reads(blind) == reads(item)


def test_a_memory_without_the_option_says_unknown():
    item = next(item for item in build(format="choice", hops=2))
    assert item.options[LETTERS.index(baseline("remembers")(item))] == UNKNOWN


@pytest.mark.parametrize("name", ["", "guesses", "reads:2023", "remembers:soon"])
def test_unknown_answerers(name):
    with pytest.raises(UsageError):
        baseline(name)


def test_names_in_a_text():
    assert names_in("On 20 May 2024 Lai Ching-te followed Tsai Ing-wen as head of state of the Republic of China.") == [
        "Lai Ching-te", "Tsai Ing-wen", "Republic of China",
    ]  # fmt: skip
    assert names_in("") == []


# Answers files.


def lines(*rows):
    return b"\n".join(json.dumps(row).encode() for row in rows)


def test_answers_with_unknown_repeated_and_missing_ids():
    one, two = FREE[0].id, FREE[1].id
    found = parse_answers(
        lines(
            {"id": one, "output": "x"},
            {"id": "Q0", "output": "y"},
            {"id": one, "output": "x"},
            {"id": two, "output": None},
        ),
        "a.jsonl",
        FREE,
    )
    assert found.outputs == {one: "x", two: ""}
    assert (found.unknown, found.repeated) == (("Q0",), (one,))
    assert len(found.missing) == len(FREE) - 2
    assert [note.split(": ")[1].split()[0] for note in found.notes()] == ["1", "1", str(len(FREE) - 2)]
    report = score_items(FREE, found)
    assert report.value("exact_match").items == len(FREE)
    assert len(report.notes) == 3


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (
            [{"id": FREE[0].id, "output": "x"}, {"id": FREE[0].id, "output": "y"}],
            "line 2: the id .* stands there twice with different outputs",
        ),
        ([{"output": "x"}], "line 1: 'id' is missing"),
        ([{"id": 7, "output": "x"}], "line 1: 'id' is missing"),
        ([{"id": FREE[0].id}], "must be text, found None"),
        ([{"id": FREE[0].id, "output": ["A"]}], "must be text"),
        ([{"id": "Q0", "output": "x"}], "No answer in 'a.jsonl' belongs to one of the"),
        ([], "No answer in"),
    ],
)
def test_answers_files_that_are_none(rows, message):
    with pytest.raises(DataError, match=message):
        parse_answers(lines(*rows), "a.jsonl", FREE)


def test_answers_from_a_file(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + lines({"id": FREE[0].id, "output": "x"}))
    assert read_answers(path, FREE).outputs == {FREE[0].id: "x"}
    with pytest.raises(DataError, match="cannot be read"):
        read_answers(tmp_path / "none", FREE)
    path.write_bytes(b"{")
    with pytest.raises(DataError, match="line 1, is not JSON"):
        read_answers(path, FREE)


# Groups and intervals.


def test_formats_and_settings_are_never_averaged_together():
    items = [*FREE[:10], *build(distractors=3)[:10]]
    items = [
        item.model_copy(update={"id": f"{item.id}/{place}"})
        for place, item in enumerate([*items, *CHOICE[:10], *CHAINED])
    ]
    report = score_items(items, answer_all(items, baseline("reads")))
    groups = [
        (row.format, row.setting)
        for row in report.rows
        if row.bucket == "all" and row.metric in {"exact_match", "accuracy"}
    ]
    assert groups == [
        ("choice", "single_hop_gold"), ("generation", "single_hop_gold"), ("generation", "single_hop_n3"), ("generation", "multi_hop_gold"),
    ]  # fmt: skip
    assert "outdated_rate" not in {row.metric for row in report.rows if row.setting == "multi_hop_gold"}


@pytest.mark.parametrize("bucket", ["year", "quarter"])
def test_buckets_partition_the_items(bucket):
    report = score_items(FREE, answer_all(FREE, baseline("reads")), bucket=bucket)
    rows = [row for row in report.rows if row.metric == "exact_match"]
    parts = [row for row in rows if row.bucket != "all"]
    assert sum(row.items for row in parts) == len(FREE) == rows[0].items
    assert sum(row.items * row.value for row in parts) == pytest.approx(rows[0].items * rows[0].value)
    assert [row.bucket for row in parts] == sorted(row.bucket for row in parts)


def test_a_year_cannot_be_put_in_a_quarter():
    assert bucket_of(PartialDate(2024), "quarter") == "2024, month unknown"


def test_intervals_equal_a_plain_loop_over_resamples():
    answers = answer_all(CHOICE, baseline("remembers:2023-06-30"))
    report = score_items(CHOICE, answers, replicates=60, seed=5)
    right = np.array([verdict.right for verdict in report.judged], float)
    gold = np.array([item.correct_letter for item in CHOICE])
    said = np.array([verdict.letter for verdict in report.judged])
    indices = np.random.default_rng(5).integers(0, len(CHOICE), (60, len(CHOICE)))
    means = [right[row].mean() for row in indices]
    f1s = [
        f1_score(gold[row], said[row], labels=list(LETTERS), average="macro", zero_division=np.nan)
        for row in indices
    ]
    for metric, drawn in (("accuracy", means), ("macro_f1", f1s)):
        row = report.value(metric)
        assert (row.low, row.high) == pytest.approx(tuple(np.quantile(drawn, [0.025, 0.975])))


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 50), st.integers(1, 40), st.integers(0, 5))
def test_blocks_are_the_rows_of_the_whole(items, resamples, seed):
    whole = resample_counts(items, resamples, seed)
    assert np.array_equal(np.concatenate(list(resample_blocks(items, resamples, seed))), whole)


def test_blocks_are_small(monkeypatch):
    monkeypatch.setattr("core.statistics.BLOCK_CELLS", 70)
    blocks = list(resample_blocks(20, 10, 3))
    assert [len(block) for block in blocks] == [3, 3, 3, 1]
    assert np.array_equal(np.concatenate(blocks), resample_counts(20, 10, 3))


def test_intervals_cover_a_known_rate():
    """With truth 0.7 and 100 items, about 95 % of intervals hold it; 3 standard errors of 200 repetitions are 4.6 %."""
    rng = np.random.default_rng(11)
    hits = 0
    for number in range(200):
        right = rng.random(len(FREE)) < 0.7
        outputs = {item.id: item.answers[0] if good else "x" for item, good in zip(FREE, right, strict=True)}
        row = score_items(FREE, Answers(outputs), replicates=300, seed=number).value("exact_match")
        hits += row.low <= 0.7 <= row.high
    assert 0.90 <= hits / 200 <= 0.996


def test_the_table_of_figures():
    frame = score_items(FREE, answer_all(FREE, baseline("reads"))).frame()
    assert list(frame.columns) == ["format", "setting", "bucket", "metric", "items", "value", "low", "high"]
    assert ((frame["low"] <= frame["value"]) & (frame["value"] <= frame["high"])).all()
    assert ScoreReport((), (), ()).frame().empty


@pytest.mark.parametrize(
    ("items", "settings_", "message"),
    [
        ([], {}, "no item to score"),
        (FREE, {"bucket": "week"}, "Unknown bucket 'week'"),
        (FREE, {"replicates": 0}, "At least 1 replicate"),
    ],
)
def test_what_cannot_be_scored(items, settings_, message):
    with pytest.raises(UsageError, match=message):
        score_items(items, Answers({}), **settings_)


def test_a_figure_that_is_not_there():
    with pytest.raises(KeyError):
        score_items(CHAINED, Answers({})).value("outdated_rate")
