"""Rules side by side: harm as in a study of its own, usefulness as an honest reader of the scores would count it."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmark.splits import cached_held_out_mask
from core.errors import UsageError
from core.reuse.comparison import compare, pairs_kept
from core.reuse.rules import parse_rule
from core.reuse.study import run_study
from tests.reuse.rule_samples import drawn, plan_of

RULES = ("task", "category+round:1", "overall", "task+ladder:2+cap:8", "policy:aggregate", "task+frontier:0")
BUDGETS = (1, 2, 8, 32)


@pytest.fixture(scope="module")
def compared():
    done = []
    result = compare(
        drawn(),
        RULES,
        trials=6,
        budgets=BUDGETS,
        cache=False,
        progress=lambda one, all_: done.append((one, all_)),
    )
    return result, done


def test_harm_is_that_of_a_study_of_the_rule(compared):
    result, _ = compared
    assert [one.study.feedback for one in result.results] == list(RULES)
    for one in result.results:
        alone = run_study(drawn(), trials=6, budgets=BUDGETS, feedback=one.study.feedback, cache=False)
        assert alone.rows() == one.study.rows()


def test_one_row_per_rule_and_budget(compared):
    rows = compared[0].rows()
    assert [(row["feedback"], row["new_submissions"]) for row in rows] == [
        (rule, budget) for rule in RULES for budget in BUDGETS
    ]
    assert list(rows[0]) == [
        "feedback", "new_submissions", "model_selection_loss_pp", "model_selection_loss_pp_low",
        "model_selection_loss_pp_high", "survives_submissions", "survives_submissions_low", "survives_submissions_high",
        "released_scores", "pairs_kept",
    ]  # fmt: skip


def test_progress_counts_trials_over_all_rules(compared):
    done = compared[1]
    assert done[-1] == (36, 36)
    assert [one for one, _ in done] == sorted(one for one, _ in done)


def test_released_scores_are_counted(compared):
    released = {one.study.feedback: one.released_scores.tolist() for one in compared[0].results}
    assert released["task"] == [0, 6, 42, 186]
    assert released["overall"] == [0, 1, 7, 31]
    assert released["policy:aggregate"] == [0, 1, 7, 31]
    assert released["category+round:1"] == [0, 3, 21, 93]
    ladder = released["task+ladder:2+cap:8"]
    assert ladder[2] == ladder[3] < 42
    assert released["task+frontier:0"][3] < 186


def honest_reading(benchmark, rule, trial):
    """The share of pairs kept, with loops: plain means of the shown scores, weighted as the ranking weighs."""
    held_out = cached_held_out_mask(benchmark, trial + 1, cache=False)[trial][benchmark.item_prompt]
    coordinates = plan_of(benchmark, rule).rule.interface.coordinates
    ranking = benchmark.settings.ranking

    def task_mean(model, task, side):
        return float(np.mean(benchmark.scores[model, (benchmark.item_task == task) & side]))

    def mean_of(model, side):
        if ranking == "item_mean":
            return float(np.mean(benchmark.scores[model, side]))
        means = [task_mean(model, task, side) for task in range(len(benchmark.tasks))]
        groups = [
            [means[task] for task in np.flatnonzero(benchmark.task_category == category)]
            for category in range(len(benchmark.categories))
        ]
        return float(np.mean([np.mean(group) for group in groups]))

    def shown(model):
        total = 0.0
        for one in coordinates:
            tasks = list(one.tasks)
            if ranking == "item_mean":
                inside = np.isin(benchmark.item_task, tasks) & ~held_out
                share = inside.sum() / (~held_out).sum()
                score = np.mean(benchmark.scores[model, inside])
            else:
                members = np.bincount(benchmark.task_category)
                share = sum(1 / (len(members) * members[benchmark.task_category[task]]) for task in tasks)
                score = np.mean(
                    [np.mean([task_mean(model, task, ~held_out) for task in part]) for part in one.parts]
                )
            total += share * round(float(score), 12)
        return round(total, 12)

    right = counted = 0
    for one, other in combinations(range(len(benchmark.models)), 2):
        gap = round(100 * (mean_of(one, held_out) - mean_of(other, held_out)), 8)
        if abs(gap) >= 1:
            counted += 1
            right += np.sign(shown(one) - shown(other)) == np.sign(gap)
    return right / counted if counted else np.nan


@settings(deadline=None, max_examples=15)
@given(
    st.integers(0, 500),
    st.sampled_from(("task", "category", "overall", "grouped:2:1")),
    st.sampled_from(("item_mean", "category_mean")),
)
def test_pairs_kept_is_what_a_reader_of_the_scores_would_count(seed, rule, ranking):
    benchmark = drawn(models=5, tasks=4, items=7, categories=2, seed=seed, ranking=ranking)
    found = pairs_kept(benchmark, [rule], trials=2, cache=False)[0]
    assert found == pytest.approx([honest_reading(benchmark, rule, trial) for trial in range(2)], nan_ok=True)


def test_a_cap_does_not_make_scores_less_useful():
    assert np.array_equal(
        pairs_kept(drawn(), ["task+cap:2"], trials=3, cache=False)[0],
        pairs_kept(drawn(), ["task"], trials=3, cache=False)[0],
    )


def test_coarse_scores_and_withheld_ones_order_fewer_pairs():
    kept = {
        rule: pairs_kept(drawn(models=10), [rule], trials=8, cache=False)[0].mean()
        for rule in (
            "overall",
            "overall+round:10",
            "overall+round:50",
            "overall+ladder:5",
            "overall+noise:30",
        )
    }
    assert kept["overall"] > kept["overall+round:10"] > kept["overall+round:50"]
    assert kept["overall"] > kept["overall+ladder:5"]
    assert kept["overall"] > kept["overall+noise:30"]


def test_equal_models_are_no_pair():
    benchmark = drawn(models=2)
    twins = type(benchmark)(
        **{
            **benchmark.__dict__,
            "scores": np.repeat(benchmark.scores[:1], 2, axis=0),
            "models": ("one", "two"),
        }
    )
    assert np.isnan(pairs_kept(twins, ["task"], trials=3, cache=False)[0]).all()
    row = compare(twins, ["overall"], trials=3, budgets=(1, 4), cache=False).rows()[0]
    assert row["pairs_kept"] is None


def test_rules_may_come_parsed_with_the_readers_groups():
    benchmark = drawn()
    pairs = [(f"task {number}", "ab"[number // 3]) for number in range(6)]
    rule = parse_rule(benchmark, "groups:yours+round:1", pairs)
    result = compare(benchmark, [rule, "task"], trials=3, budgets=(1, 4), cache=False)
    assert [one.study.feedback for one in result.results] == ["groups:yours+round:1", "task"]
    assert result.results[0].released_scores.tolist() == [0, 6]


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ([], "at least one feedback rule"),
        (["task", "task"], "given twice"),
        (["task", "nonsense"], "Unknown feedback rule 'nonsense'"),
    ],
)
def test_refusals(rules, words):
    with pytest.raises(UsageError, match=words):
        compare(drawn(), rules, trials=2, budgets=(1, 2), cache=False)


def test_a_tolerance_below_zero_is_refused():
    with pytest.raises(UsageError, match="A tolerance is"):
        compare(drawn(), ["task"], tolerance_pp=-1, trials=2, budgets=(1, 2), cache=False)
