"""Splits: exact targets, prompts kept whole, order of rows without effect, and the skip rule against brute force."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import settings as profile
from hypothesis import strategies as st

from core.benchmark.model import Benchmark
from core.benchmark.settings import Settings
from core.benchmark.splits import _Feasibility, cached_held_out_mask, held_out_mask, holdout_targets
from core.errors import DataError, UsageError
from tests.oracles.splitting import split
from tests.reuse.random_benchmarks import benchmarks

ORDINARY = profile(deadline=None, derandomize=True, database=None, max_examples=80)


def labelled(sizes, *, categories=None, prompts=None, **settings):
    """A benchmark with `sizes` = {task: items}; scores do not matter."""
    task = [name for name, size in sizes.items() for _ in range(size)]
    items = [f"i{index:03d}" for index in range(len(task))]
    return Benchmark.from_columns(
        Settings(**{"name": "splits"} | settings),
        ["a", "b"],
        items,
        np.zeros((2, len(items))),
        task=task,
        category=[categories[name] for name in task] if categories else None,
        prompt_hash=prompts,
    )


def per_category(number):
    return {"holdout_fraction": None, "holdout_per_category": number}


def masks_or_nothing(benchmark, trials):
    try:
        return held_out_mask(benchmark, trials)
    except DataError:
        return None


@ORDINARY
@given(benchmark=benchmarks())
def test_targets_are_hit_exactly_and_prompts_stay_whole(benchmark):
    masks = masks_or_nothing(benchmark, range(3))
    assume(masks is not None)
    targets = holdout_targets(benchmark)
    for mask in masks:
        # The mask is one of prompts, so that items of one prompt cannot be separated.
        held_out = mask[benchmark.item_prompt]
        assert np.array_equal(np.bincount(benchmark.item_task[held_out], minlength=len(targets)), targets)


@ORDINARY
@given(benchmark=benchmarks(), trial=st.integers(0, 5))
def test_the_split_is_that_of_the_twin(benchmark, trial):
    masks = masks_or_nothing(benchmark, [trial])
    if masks is None:
        with pytest.raises(DataError):
            split(benchmark, trial)
        return
    reused, held_out = split(benchmark, trial)
    assert np.flatnonzero(masks[0][benchmark.item_prompt]).tolist() == held_out
    assert np.flatnonzero(~masks[0][benchmark.item_prompt]).tolist() == reused


@ORDINARY
@given(benchmark=benchmarks(), seed=st.integers(0, 1000))
def test_the_order_of_rows_and_the_scores_have_no_effect(benchmark, seed):
    masks = masks_or_nothing(benchmark, range(2))
    assume(masks is not None)
    order = random.Random(seed).sample(range(len(benchmark.items)), len(benchmark.items))
    other = Benchmark.from_columns(
        benchmark.settings,
        benchmark.models,
        [benchmark.items[index] for index in order],
        1 - benchmark.scores[:, order],
        task=[benchmark.tasks[benchmark.item_task[index]] for index in order],
        category=[
            benchmark.categories[benchmark.task_category[benchmark.item_task[index]]] for index in order
        ],
        prompt_hash=[benchmark.prompts[benchmark.item_prompt[index]] for index in order],
    )
    assert np.array_equal(masks, held_out_mask(other, range(2)))


def test_a_trial_is_the_same_whichever_trials_are_asked_for_with_it():
    benchmark = labelled({"x": 30, "y": 20})
    many = held_out_mask(benchmark, range(10))
    assert np.array_equal(held_out_mask(benchmark, [7, 3]), many[[7, 3]])
    assert np.array_equal(
        held_out_mask(benchmark.with_settings(benchmark.settings.with_changes(split_seed_base=3)), [0]),
        many[[3]],
    )
    assert len({mask.tobytes() for mask in many}) == 10


@profile(deadline=None, derandomize=True, database=None, max_examples=300)
@given(sizes=st.lists(st.integers(1, 5), min_size=1, max_size=9), data=st.data())
def test_groups_are_skipped_only_where_the_target_would_be_missed(sizes, data):
    target = data.draw(st.integers(0, sum(sizes)))

    def reachable(wanted, groups):
        return any(
            sum(chosen) == wanted
            for count in range(len(groups) + 1)
            for chosen in combinations(groups, count)
        )

    check = _Feasibility(np.array(sizes))
    assert check.reachable(target) == reachable(target, sizes)
    assume(reachable(target, sizes))
    order = np.array(data.draw(st.permutations(range(len(sizes)))))
    expected, missing = [], target
    for place, index in enumerate(order):
        later = [sizes[other] for other in order[place + 1 :]]
        if sizes[index] <= missing and reachable(missing - sizes[index], later):
            expected.append(int(index))
            missing -= sizes[index]
    assert check.take(order, target) == expected
    assert missing == 0


@pytest.mark.parametrize(
    ("fraction", "size", "target"), [(0.5, 5, 2), (0.5, 7, 4), (0.25, 10, 2), (2 / 3, 10, 7), (2 / 3, 3, 2)]
)
def test_a_share_of_a_task_is_rounded_half_to_even(fraction, size, target):
    assert holdout_targets(labelled({"x": size}, holdout_fraction=fraction)).tolist() == [target]


def test_a_number_per_category_is_shared_out_by_largest_remainder():
    categories = {"a": "C", "b": "C", "c": "C"}
    # 10 x 7 / 17, 10 x 5 / 17, 10 x 5 / 17 = 4.12, 2.94, 2.94: both remainders of .94 are served.
    sizes = {"a": 7, "b": 5, "c": 5}
    assert holdout_targets(labelled(sizes, categories=categories, **per_category(10))).tolist() == [4, 3, 3]
    # 4 x 5 / 15 = 1.33 three times: the name that sorts first takes the one that is left.
    sizes = {"c": 5, "b": 5, "a": 5}
    assert holdout_targets(labelled(sizes, categories=categories, **per_category(4))).tolist() == [2, 1, 1]


@ORDINARY
@given(sizes=st.lists(st.integers(2, 40), min_size=1, max_size=6), data=st.data())
def test_shares_of_a_category_add_up_and_are_off_by_less_than_one(sizes, data):
    number = data.draw(st.integers(1, sum(sizes) - 1))
    names = {f"t{index}": size for index, size in enumerate(sizes)}
    benchmark = labelled(names, categories=dict.fromkeys(names, "C"), **per_category(number))
    try:
        targets = holdout_targets(benchmark)
    except DataError as error:
        assert "is left without a" in str(error)  # noqa: PT017
        return
    assert targets.sum() == number
    quotas = number * np.array(sizes) / sum(sizes)
    assert np.all(np.abs(targets - quotas) < 1)


def test_categories_are_drawn_with_their_own_hash():
    sizes = {"x": 12}
    plain = held_out_mask(labelled(sizes, holdout_fraction=0.5), range(4))
    named = held_out_mask(labelled(sizes, categories={"x": "C"}, **per_category(6)), range(4))
    assert plain.sum(axis=1).tolist() == named.sum(axis=1).tolist() == [6] * 4
    assert not np.array_equal(plain, named)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: labelled({"good": 9, "tiny": 1}, holdout_fraction=0.4), ("'tiny'", "1 item ", "held-out")),
        (lambda: labelled({"good": 9, "tiny": 1}), ("'tiny'", "without a reused")),
        (
            lambda: labelled({"x": 4, "y": 3}, categories={"x": "Both", "y": "Both"}, **per_category(7)),
            ("Category 'Both'", "7 items", "holdout_per_category"),
        ),
    ],
)
def test_a_side_without_items_is_named(build, words):
    with pytest.raises(DataError) as caught:
        holdout_targets(build())
    for word in words:
        assert word in str(caught.value)


def test_a_target_that_would_split_a_prompt_is_an_error_with_the_tasks_name():
    benchmark = labelled({"pairs": 6}, prompts=["p", "p", "q", "q", "r", "r"], holdout_fraction=0.5)
    with pytest.raises(DataError, match="Task 'pairs' cannot hold out exactly 3 of its 6 items"):
        held_out_mask(benchmark, [0])


def test_a_negative_trial_is_refused():
    with pytest.raises(UsageError, match="start at 0"):
        held_out_mask(labelled({"x": 9}), [-1])


def test_stored_splits_serve_fewer_trials_and_grow_to_more(tmp_path, monkeypatch):
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path))
    benchmark = labelled({"x": 11, "y": 14})
    expected = held_out_mask(benchmark, range(12))
    for trials in (5, 3, 12, 5):
        assert np.array_equal(cached_held_out_mask(benchmark, trials), expected[:trials])
    (entry,) = (tmp_path / "splits").iterdir()
    entry.write_bytes(entry.read_bytes()[:-1])
    assert np.array_equal(cached_held_out_mask(benchmark, 12), expected)


def test_another_split_has_an_entry_of_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path))
    for settings in ({}, {"split_seed_base": 5}, {"holdout_fraction": 0.5}):
        benchmark = labelled({"x": 11, "y": 14}, **settings)
        for _ in range(2):
            assert np.array_equal(cached_held_out_mask(benchmark, 2), held_out_mask(benchmark, range(2)))
    assert len(list((tmp_path / "splits").iterdir())) == 3


def test_nothing_is_stored_where_the_cache_is_off(tmp_path, monkeypatch):
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path))
    cached_held_out_mask(labelled({"x": 11}), 2, cache=False)
    assert list(tmp_path.iterdir()) == []
