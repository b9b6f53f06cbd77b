"""Interfaces: groupings by hash, the reader's own groups, and what equal tasks make of an overall score."""

from __future__ import annotations

import hashlib
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core import published
from core.benchmark.model import Benchmark
from core.benchmark.settings import Settings
from core.errors import DataError
from core.reuse import exact
from core.reuse.interfaces import category_weights, group_prefix, group_tasks, interface_of, task_labels
from tests.oracles.rules import group_order, nearest_even
from tests.reuse.rule_samples import attack, drawn

PREFIX = "livebench-bandwidth-v1-partition-"
THREE_GROUPS = [
    {
        "language/plot_unscrambling",
        "instruction_following/summarize",
        "reasoning/spatial",
        "language/typos",
        "math/AMPS_Hard",
        "reasoning/zebra_puzzle",
    },
    {
        "data_analysis/tablereformat",
        "math/math_comp",
        "data_analysis/cta",
        "coding/coding_completion",
        "instruction_following/paraphrase",
        "instruction_following/story_generation",
    },
    {
        "math/olympiad",
        "instruction_following/simplify",
        "coding/LCB_generation",
        "data_analysis/tablejoin",
        "reasoning/web_of_lies_v2",
        "language/connections",
    },
]


def livebench():
    """LiveBench's tasks and categories, with two models and two items a task."""
    table = published.livebench_categories().frame
    rows = [
        (category, task)
        for category, task in zip(table["category"], table["task"], strict=True)
        for _ in "ab"
    ]
    return Benchmark.from_columns(
        Settings("LiveBench", coordinates="task"),
        ["one", "two"],
        [f"item {index}" for index in range(len(rows))],
        np.zeros((2, len(rows))),
        task=[task for _, task in rows],
        category=[category for category, _ in rows],
    )


def groups_of(benchmark, rule):
    labels = task_labels(benchmark)
    return [{labels[task] for task in one.tasks} for one in interface_of(benchmark, rule).coordinates]


# The published groupings -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("partition", [0, 1, 2])
@pytest.mark.parametrize("dimension", [1, 2, 3, 6, 9, 18])
def test_the_published_groupings_follow_from_their_seed_strings(dimension, partition):
    bank = livebench()
    order = group_order(PREFIX, partition, task_labels(bank))
    size = 18 // dimension
    found = groups_of(bank, f"grouped:{dimension}:{partition}")
    assert found == [set(order[start : start + size]) for start in range(0, 18, size)]
    assert [len(group) for group in found] == [size] * dimension


def test_one_and_eighteen_groups_do_not_depend_on_the_partition():
    bank = livebench()
    for dimension in (1, 18):
        different = {
            frozenset(map(frozenset, groups_of(bank, f"grouped:{dimension}:{partition}")))
            for partition in range(3)
        }
        assert len(different) == 1
    different = {
        frozenset(map(frozenset, groups_of(bank, f"grouped:3:{partition}"))) for partition in range(3)
    }
    assert len(different) == 3


def test_the_three_groups_of_the_first_partition():
    """Computed with sha256sum and sort in a shell, away from this code."""
    assert groups_of(livebench(), "grouped:3:0") == THREE_GROUPS


def test_another_benchmark_hashes_its_own_name():
    bank = drawn()
    assert group_prefix(bank) == "drawn-partition-"
    order = group_order("drawn-partition-", 4, task_labels(bank))
    assert groups_of(bank, "grouped:3:4") == [set(order[:2]), set(order[2:4]), set(order[4:])]
    digest = hashlib.sha256(f"drawn-partition-4|{order[0]}".encode()).hexdigest()
    assert all(hashlib.sha256(f"drawn-partition-4|{name}".encode()).hexdigest() >= digest for name in order)


def test_grouped_endpoints_come_from_the_full_interface():
    bank = drawn()
    _, _, whole = attack(bank, "task")
    for rule in ("grouped:1:0", "grouped:2:1", "grouped:6:0"):
        _, _, grouped = attack(bank, rule)
        assert np.array_equal(grouped.endpoints.a, whole.endpoints.a)
        assert np.array_equal(grouped.endpoints.b, whole.endpoints.b)


def test_as_many_groups_as_tasks_are_the_tasks():
    bank = drawn()
    _, _, whole = attack(bank, "task")
    _, _, grouped = attack(bank, "grouped:6:2")
    for one, other in zip(whole.router_sums, grouped.router_sums, strict=True):
        assert all(np.array_equal(left, right) for left, right in zip(one, other, strict=True))


# One group and the overall -----------------------------------------------------------------------------------------


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 1000), st.integers(1, 3))
def test_one_group_is_the_overall_of_equal_tasks(seed, repeats):
    bank = drawn(models=4, tasks=4, items=6, categories=2, seed=seed, repeats=repeats)
    _, _, grouped = attack(bank, "grouped:1:0", trials=2, budgets=(1, 4))
    for ranking in ("item_mean", "category_mean", "coordinate_mean"):
        alike = bank.with_settings(bank.settings.with_changes(ranking=ranking))
        _, _, overall = attack(alike, "overall", trials=2, budgets=(1, 4))
        assert np.allclose(grouped.answers.doubles()[0], overall.answers.doubles()[0], rtol=0, atol=1e-15)


def test_a_group_rounds_the_mean_of_its_tasks_ticks():
    bank = drawn(items=9, precision=1.0)
    _, _, played = attack(bank, "grouped:2:0", trials=2)
    _, _, tasks = attack(bank, "task", trials=2)
    ticks = exact.collapse(tasks.answers.table)
    for column, group in enumerate(interface_of(bank, "grouped:2:0").coordinates):
        total = ticks[list(group.tasks)].sum(axis=0)
        wanted = [[nearest_even(Fraction(int(cell), 3)) for cell in row] for row in total]
        assert exact.collapse(played.answers.table)[column].tolist() == wanted


def test_categories_count_equally_under_the_practical_task_rule():
    bank = drawn(tasks=5, categories=3)
    weights = category_weights(bank, interface_of(bank, "policy:task"))
    assert sum(weights) == 1
    assert weights == (Fraction(1, 6), Fraction(1, 6), Fraction(1, 3), Fraction(1, 6), Fraction(1, 6))


# The reader's groups -----------------------------------------------------------------------------------------------


def write(tmp_path, text, encoding="utf-8"):
    path = tmp_path / "groups.csv"
    path.write_bytes(text.encode(encoding))
    return f"groups:{path}"


def test_a_file_of_groups(tmp_path):
    rule = write(
        tmp_path, "task,group\ntask 0,b\ntask 1,a\ntask 2,b\ntask 3,a\ntask 4,b\ncategory 2/task 5, a \n"
    )
    interface = interface_of(drawn(), rule)
    assert [(one.name, one.tasks) for one in interface.coordinates] == [("a", (1, 3, 5)), ("b", (0, 2, 4))]
    assert interface.endpoints_from == "own"


def test_the_published_grouping_from_a_file_gives_the_same_scores(tmp_path):
    bank = drawn()
    pairs = [
        f"{bank.tasks[task]},{one.name}"
        for one in interface_of(bank, "grouped:2:1").coordinates
        for task in one.tasks
    ]
    rule = write(tmp_path, "\ufefftask,group,note\n" + "\n".join(f"{pair},x" for pair in pairs))
    _, _, by_hash = attack(bank, "grouped:2:1")
    _, _, by_file = attack(bank, rule)
    assert np.array_equal(by_hash.answers.doubles()[1], by_file.answers.doubles()[1])


ROWS = ["task 0,a", "task 1,a", "task 2,b", "task 3,b", "task 4,c", "task 5,c"]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (ROWS[:4], "missing tasks: 'task 4', 'task 5'"),
        ([*ROWS, "task 0,b"], "tasks given more than once: 'task 0'"),
        ([*ROWS, "category 0/task 0,b"], "tasks given more than once: 'task 0'"),
        ([*ROWS, "task 9,b"], "unknown tasks: 'task 9'"),
        ([*ROWS[:5], "task 5, "], "1 tasks without a group name"),
        ([*ROWS[:5], "task 5"], "1 tasks without a group name"),
        ([], "missing tasks: 'task 0', 'task 1', 'task 2', 'task 3', 'task 4' and 1 more"),
    ],
)
def test_faults_of_a_grouping_are_named(tmp_path, rows, words):
    rule = write(tmp_path, "task,group\n" + "\n".join(rows))
    with pytest.raises(DataError) as caught:
        interface_of(drawn(), rule)
    assert words in str(caught.value)
    assert "must name every task of drawn once" in str(caught.value)


def test_all_faults_come_in_one_message():
    pairs = [("task 0", "a"), ("task 0", "b"), ("task 8", "a"), ("task 1", "")]
    with pytest.raises(DataError) as caught:
        group_tasks(drawn(), pairs, "The grouping")
    for words in (
        "The grouping must",
        "unknown tasks",
        "missing tasks",
        "more than once",
        "without a group name",
    ):
        assert words in str(caught.value)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "needs the columns task and group; found none"),
        (b"name,group\nx,y\n", "needs the columns task and group; found name, group"),
        ("task,group\né,a\n".encode("latin-1"), "Cannot read the groups file"),
    ],
)
def test_a_file_that_holds_no_groups(tmp_path, content, words):
    path = tmp_path / "groups.csv"
    path.write_bytes(content)
    with pytest.raises(DataError, match=words):
        interface_of(drawn(), f"groups:{path}")


def test_groups_given_as_pairs_leave_files_alone(tmp_path):
    path = tmp_path / "groups.csv"
    path.write_text("task,group\ntask 0,a\n")
    pairs = [(f"task {number}", "ab"[number % 2]) for number in range(6)]
    interface = interface_of(drawn(), f"groups:{path}", pairs)
    assert [one.tasks for one in interface.coordinates] == [(0, 2, 4), (1, 3, 5)]
    with pytest.raises(DataError, match="The grouping must name every task"):
        interface_of(drawn(), "groups:yours", [])


def test_a_missing_file_of_groups(tmp_path):
    with pytest.raises(
        DataError, match=r"Cannot read the groups file '.*none\.csv': No such file or directory\.$"
    ):
        interface_of(drawn(), f"groups:{tmp_path / 'none.csv'}")
