"""Feedback rules: each modifier against a plain twin, their order, and what no rule may do."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmark.splits import cached_held_out_mask
from core.reuse import exact
from core.reuse.rules import Cap, FrontierOnly, Ladder, Noise, Round, Rule, parse_rule
from core.reuse.study import run_studies, run_study
from tests.oracles import rules as twin
from tests.reuse.rule_samples import (
    ITEMS,
    attack,
    boards,
    counted,
    drawn,
    occasion,
    with_held_out_shuffled,
)

EVERY_RULE = (
    "task", "category", "overall", "grouped:2:1", "policy:task", "policy:category", "policy:aggregate",
    "task+round:1", "category+ladder:1", "task+ladder:auto", "task+frontier:0", "category+frontier:2", "task+noise:1",
    "category+round:0.1+cap:4", "overall+ladder:auto", "grouped:3:0+round:1+cap:6",
    "policy:category+noise:0.5+frontier:1",
)  # fmt: skip
STEPS = (Fraction(1, 100), Fraction(1, 10), Fraction(1), Fraction(5), Fraction(10), Fraction(50))


def scores_of(released):
    return released.doubles()[1][:, :, 0]


# Single modifiers against their twins ------------------------------------------------------------------------------


@settings(deadline=None)
@given(boards(), st.sampled_from(STEPS))
def test_rounding_is_exact_and_half_to_even(board, step):
    table, scores = board
    released = Round(float(step)).apply(counted(table, scores), occasion(len(table), len(scores[0])))
    for limbs, counts in ((released.table, table), (released.scores, scores)):
        ticks = exact.collapse(limbs).reshape(len(table), -1)
        for row, wanted in zip(ticks, counts, strict=True):
            assert [int(tick) for tick in row] == [
                twin.nearest_even(Fraction(count, ITEMS) * 100 / step) for count in wanted
            ]
    assert released.ones == (int(100 / step),) * len(table)
    assert released.shown is None


def test_a_tie_goes_to_the_even_tick():
    released = Round(1.0).apply(counted([[1]], [[1, 3, 5]], one=200), occasion(submissions=3))
    assert scores_of(released)[0].tolist() == [0.0, 0.02, 0.02]


@settings(deadline=None)
@given(boards(coordinates=1), st.sampled_from(STEPS))
def test_the_ladder_climbs_as_its_twin(board, step):
    (table,), (scores,) = board
    released = Ladder(float(step)).apply(counted([table], [scores]), occasion(submissions=len(scores)))
    wanted = twin.ladder(
        [Fraction(one, ITEMS) for one in table], [Fraction(one, ITEMS) for one in scores], step / 100
    )
    assert released.visible[0, :, 0].tolist() == [answer is not None for answer in wanted]
    for found, answer in zip(scores_of(released)[0], wanted, strict=True):
        if answer is not None:
            assert found == pytest.approx(float(min(max(answer, 0), 1)), abs=1e-12)


@settings(deadline=None)
@given(boards(), st.sampled_from((Fraction(0), *STEPS)))
def test_the_frontier_rule_releases_as_its_twin(board, margin):
    table, scores = board
    released = FrontierOnly(float(margin)).apply(counted(table, scores), occasion(len(table), len(scores[0])))

    def seen(count):
        score = Fraction(count, ITEMS)
        return twin.rounded(score, margin / 100) if margin else score

    wanted = twin.frontier(
        [[seen(row[place]) for row in table] for place in range(len(table[0]))],
        [[seen(row[place]) for row in scores] for place in range(len(scores[0]))],
        margin / 100,
    )
    assert released.visible[:, :, 0].tolist() == [wanted] * len(table)


@settings(deadline=None)
@given(boards(), st.integers(1, 14))
def test_a_cap_answers_the_first_submissions_and_leaves_one_for_the_final_router(board, cap):
    table, scores = board
    released = Cap(cap).apply(counted(table, scores), occasion(len(table), len(scores[0])))
    assert released.visible[0, :, 0].tolist() == [place < cap - 1 for place in range(len(scores[0]))]
    assert scores_of(released).tolist() == scores_of(counted(table, scores)).tolist()


def test_the_parameter_free_ladder_asks_for_a_standard_error():
    asked = []

    def errors(coordinate, trial, ahead, best):
        asked.append((list(ahead), best))
        return np.full(len(ahead), 0.06)

    board = counted([[20, 18]], [[21, 22, 23, 23, 26]])  # best 0.5, then 0.525, 0.55, 0.575, 0.575, 0.65
    stage = occasion(submissions=5)
    released = Ladder(None).apply(board, type(stage)(**{**stage.__dict__, "standard_errors": errors}))
    assert released.visible[0, :, 0].tolist() == [False, False, True, False, True]
    assert asked[0] == ([0, 1, 2, 3, 4], ("model", 0))
    assert asked[1] == ([4], ("submission", 2))


def test_without_an_error_to_beat_the_same_score_again_is_no_news():
    released = Ladder(None).apply(counted([[20]], [[21, 21, 22, 22, 21]]), occasion(submissions=5))
    assert released.visible[0, :, 0].tolist() == [True, False, True, False, False]


# Noise -------------------------------------------------------------------------------------------------------------


def test_noise_has_the_right_size_and_no_drift():
    submissions, coordinates = 4000, 3
    board = counted([[20]] * coordinates, [[20] * submissions] * coordinates)
    noisy = scores_of(Noise(2.0).apply(board, occasion(coordinates, submissions))) - 0.5
    count = noisy.size
    assert abs(noisy.mean()) < 4 * 0.02 / np.sqrt(count)
    assert abs(noisy.std() - 0.02) < 4 * 0.02 / np.sqrt(2 * count)
    assert abs(np.corrcoef(noisy)[0, 1]) < 4 / np.sqrt(submissions)


def test_the_same_submission_gets_the_same_noise():
    keys = (b"one", b"two", b"one")
    first = Noise(1.0).apply(counted([[20]], [[9, 9, 9]]), occasion(submissions=3, keys=keys))
    noisy = scores_of(first)[0]
    assert noisy[0] == noisy[2] != noisy[1]
    alone = Noise(1.0).apply(counted([[20]], [[9]]), occasion(submissions=1, keys=(b"two",)))
    assert scores_of(alone)[0, 0] == noisy[1]
    other_seed = Noise(1.0).apply(counted([[20]], [[9]]), occasion(keys=(b"two",), seed="other"))
    other_pair = Noise(1.0).apply(counted([[20]], [[9]]), occasion(keys=(b"two",), pairs=("c|d|",)))
    other_sd = Noise(3.0).apply(counted([[20]], [[9]]), occasion(keys=(b"two",)))
    assert len({noisy[1], *(scores_of(one)[0, 0] for one in (other_seed, other_pair, other_sd))}) == 4


def test_no_noise_changes_nothing():
    board = counted([[20, 7]], [[9, 11]])
    silent = Noise(0.0).apply(board, occasion(submissions=2, models=("a", "b")))
    assert scores_of(silent).tolist() == scores_of(board).tolist()


def test_the_public_table_is_noisy_too_and_the_same_in_every_trial():
    benchmark = drawn()
    _, _, played = attack(benchmark, "task+noise:2")
    _, _, quiet = attack(benchmark, "task")
    noise = played.answers.doubles()[0] - quiet.answers.doubles()[0]
    assert np.allclose(noise, noise[:, :1], atol=1e-12)
    assert 0.01 < noise[:, 0].std() < 0.03


# Composition -------------------------------------------------------------------------------------------------------


def test_modifiers_apply_from_left_to_right():
    benchmark = drawn()
    rule = parse_rule(benchmark, "task+round:1+noise:2+cap:4")
    assert rule.modifiers == (Round(1.0), Noise(2.0), Cap(4))
    board = counted([[20]], [[9, 11, 13, 15, 17]], one=48)
    stage = occasion(submissions=5)
    step_by_step = board
    for modifier in rule.modifiers:
        step_by_step = modifier.apply(step_by_step, stage)
    whole = Rule("", rule.interface, rule.modifiers).apply(board, stage)
    assert scores_of(whole).tolist() == scores_of(step_by_step).tolist()
    assert whole.visible.tolist() == step_by_step.visible.tolist()
    swapped = Rule("", rule.interface, (Noise(2.0), Round(1.0), Cap(4))).apply(board, stage)
    ticks = scores_of(swapped) * 100
    assert np.allclose(ticks, np.rint(ticks))
    ticks = scores_of(whole) * 100
    assert not np.allclose(ticks, np.rint(ticks))


def test_a_score_that_one_rule_withholds_does_not_raise_the_next_rules_bar():
    board = counted([[20], [20]], [[10, 30], [22, 30]])
    stage = occasion(2, 2)
    frontier_first = Rule("", None, (Ladder(1.0), FrontierOnly(0.0))).apply(board, stage)
    assert frontier_first.visible[:, :, 0].tolist() == [[False, True], [False, True]]
    hidden = counted([[20]], [[30, 25]]).withhold(np.array([[[False], [True]]]))
    assert Ladder(1.0).apply(hidden, occasion(submissions=2)).visible[0, :, 0].tolist() == [False, True]
    wanted = twin.ladder([Fraction(1, 2)], [Fraction(3, 4), Fraction(5, 8)], Fraction(1, 100), [False, True])
    assert [one is not None for one in wanted] == [False, True]


def test_the_smallest_cap_counts():
    assert parse_rule(drawn(), "task+cap:9+cap:4+cap:6").cap == 4
    assert parse_rule(drawn(), "task+round:1").cap is None


@pytest.mark.parametrize("cap", [1, 2, 5, 8])
def test_budgets_above_a_cap_equal_the_cap(cap):
    budgets = tuple(sorted({1, 2, 5, 8, cap, 16, 64}))
    study = run_study(drawn(), trials=6, budgets=budgets, feedback=f"task+cap:{cap}", cache=False)
    free = run_study(drawn(), trials=6, budgets=budgets, feedback="task", cache=False)
    at = budgets.index(cap)
    for name, values in study.per_trial.items():
        assert np.array_equal(values[:, at:], np.repeat(values[:, at : at + 1], len(budgets) - at, axis=1)), (
            name
        )
        assert np.array_equal(values[:, : at + 1], free.per_trial[name][:, : at + 1]), name
    assert (study.outcomes.released_scores[:, at:] == 6 * (cap - 1)).all()


# What no rule may do -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_held_out_scores_change_nothing_that_is_released(rule):
    benchmark = drawn()
    held_out = cached_held_out_mask(benchmark, 2, cache=False)
    for trial in range(2):
        masks = held_out[trial : trial + 1]
        _, _, before = attack(benchmark, rule, held_out=masks)
        _, _, after = attack(with_held_out_shuffled(benchmark, masks[0], seed=trial), rule, held_out=masks)
        for one, other in zip(
            (*before.answers.doubles(), before.answers.visible, before.endpoints.a, before.endpoints.b),
            (*after.answers.doubles(), after.answers.visible, after.endpoints.a, after.endpoints.b),
            strict=True,
        ):
            assert np.array_equal(one, other)
        for one, other in zip(before.router_sums[0], after.router_sums[0], strict=True):
            assert np.array_equal(one, other)
        assert any(
            not np.array_equal(one, other)
            for one, other in zip(before.router_sums[1], after.router_sums[1], strict=True)
        )


@pytest.mark.parametrize("rule", EVERY_RULE)
def test_what_is_withheld_has_no_weight_in_the_vote(rule):
    """Votes counted one by one from what was released give the same final router."""
    benchmark = drawn(items=6)
    plan, masks, played = attack(benchmark, rule, trials=2)
    home = {
        task: column
        for column, coordinate in enumerate(plan.rule.interface.coordinates)
        for task in coordinate.tasks
    }
    released, shown = played.answers, played.answers.visible
    for trial in range(2):
        pair = int(played.endpoints.a[trial]), int(played.endpoints.b[trial])
        for place, budget in enumerate(plan.budgets[1:], start=1):
            answered = plan.answered(budget)
            sums = [Fraction(0)] * len(benchmark.tasks)
            for item in range(len(benchmark.items)):
                prompt, task = benchmark.item_prompt[item], int(benchmark.item_task[item])
                if masks[trial, prompt]:
                    continue
                column = home[task]
                a, b = (exact.fraction(released.table, (column, trial, model)) for model in pair)
                vote = Fraction(0)
                for number in range(answered - 1):
                    if shown[column, number, trial]:
                        p = exact.fraction(released.scores, (column, number, trial))
                        vote += (2 * p - a - b) * int(plan.gates.signs([prompt])[0, number])
                tie = 1 if plan.gates.tie[prompt] else -1
                choice = (a > b) - (a < b) if answered == 1 else (vote > 0) - (vote < 0)
                chosen = pair[0] if (choice or tie) > 0 else pair[1]
                sums[task] += Fraction(float(benchmark.scores[chosen, item]))
            found = exact.collapse(played.router_sums[0])[:, place, trial]
            assert found.tolist() == [float(total) for total in sums]


def test_rules_played_together_give_what_each_gives_alone():
    benchmark = drawn()
    together = run_studies(benchmark, EVERY_RULE, trials=4, budgets=(1, 2, 8, 32), cache=False)
    assert [study.feedback for study in together] == list(EVERY_RULE)
    for study in together:
        alone = run_study(benchmark, trials=4, budgets=(1, 2, 8, 32), feedback=study.feedback, cache=False)
        for name, values in alone.per_trial.items():
            assert np.array_equal(values, study.per_trial[name], equal_nan=True), (study.feedback, name)


@settings(max_examples=25, deadline=None)
@given(st.sampled_from(EVERY_RULE), st.integers(1, 5))
def test_every_rule_is_read_back_from_its_own_text(rule, seed):
    benchmark = drawn(seed=seed)
    once = parse_rule(benchmark, rule)
    assert parse_rule(benchmark, once.text) == once
    spaced = parse_rule(benchmark, " + ".join(rule.split("+")))
    assert (spaced.interface, spaced.modifiers) == (once.interface, once.modifiers)


def test_the_settings_may_carry_the_rule():
    benchmark = drawn(feedback="category+round:0.1")
    assert parse_rule(benchmark).modifiers == (Round(0.1),)
    assert parse_rule(benchmark).interface.name == "category"
    assert parse_rule(drawn()).interface.name == "task"
