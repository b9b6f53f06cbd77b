"""The simulated lifespan: what is drawn, what is read off, and how often the interval holds the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.benchmark.free_form import free_form
from core.benchmark.splits import holdout_targets
from core.reuse.lifespan_simulation import LifespanCurves, LifespanWish, read_off, simulate_lifespan
from core.reuse.study import DEFAULT_BUDGETS, reseed, run_study

SMALL = LifespanWish(40, 4, models=6, gap=1.0, dependence=0.5, draws=3, trials=12)


@pytest.fixture(scope="module")
def small():
    return simulate_lifespan(SMALL)


def curves_of(increase, eligible=None, false_winner=None):
    draws, trials, budgets = increase.shape
    wish = LifespanWish(40, 4, models=6, draws=draws, trials=trials)
    known = np.ones((draws, trials), dtype=bool) if eligible is None else eligible
    winners = np.zeros_like(increase) if false_winner is None else false_winner
    return LifespanCurves(wish, DEFAULT_BUDGETS[:budgets], increase, winners, known)


def test_shapes_progress_and_repeatability(small):
    seen = []
    again = simulate_lifespan(SMALL, progress=lambda done, total: seen.append((done, total)))
    assert small.increase_pp.shape == small.false_winner.shape == (3, 12, 12)
    assert np.array_equal(small.increase_pp, again.increase_pp)
    assert np.array_equal(small.false_winner, again.false_winner)
    assert seen[-1] == (36, 36)
    assert seen == sorted(seen)


def test_a_draw_is_the_study_of_its_free_form(small):
    form = SMALL.form(1)
    benchmark = free_form(form.models, form.tasks, form.items, form.gap, form.dependence, form.seed)
    assert (np.bincount(benchmark.item_task) - holdout_targets(benchmark)).sum() == SMALL.items
    assert len(benchmark.tasks) == SMALL.scores
    study = run_study(benchmark.with_settings(reseed(benchmark.settings, form.seed)), trials=12)
    expected = study.per_trial["score_gap_pp"] - study.per_trial["genuine_gap_pp"]
    kept = study.outcomes.eligible
    assert np.array_equal(small.increase_pp[1][kept], expected[kept])


def test_draws_of_two_seeds_share_no_benchmark():
    first, second = SMALL, LifespanWish(40, 4, models=6, draws=3, trials=12, seed=1)
    assert not {first.form(draw).seed for draw in range(3)} & {second.form(draw).seed for draw in range(3)}


def test_the_reading_is_the_first_random_budget_of_the_mean_curve():
    increase = np.zeros((2, 4, 6))
    increase[..., 0] = 9.0  # the static control does not count
    increase[0, :, 3:] = 5.0
    increase[1, :, 4:] = 1.0
    reading = read_off(curves_of(increase), "score_gap", 2.0)
    assert reading.budget == 8.0
    assert reading.per_draw == (8.0, math.inf)
    assert reading.crosses_static
    assert reading.low == 8.0
    assert math.isinf(reading.high)


def test_false_winners_are_read_off_at_ninety_percent():
    winners = np.zeros((1, 10, 4))
    winners[:, :8, 1] = 1.0
    winners[:, :9, 2:] = 1.0
    reading = read_off(curves_of(np.zeros((1, 10, 4)), false_winner=winners), "false_winner", 2.0)
    assert reading.level == 0.9
    assert reading.budget == 4.0
    assert not reading.crosses_static


def test_a_level_that_is_never_reached_is_infinite():
    reading = read_off(curves_of(np.ones((2, 5, 12))), "score_gap", 2.0)
    assert reading.budget == reading.low == reading.high == math.inf


def test_ineligible_trials_do_not_count():
    increase = np.full((1, 4, 3), 5.0)
    increase[0, 0] = -1000.0
    eligible = np.array([[False, True, True, True]])
    reading = read_off(curves_of(increase, eligible), "score_gap", 2.0)
    assert reading.budget == 2.0
    assert (reading.eligible_trials, reading.trials) == (3, 4)
    assert reading.mean == (5.0, 5.0, 5.0)
    nothing = read_off(curves_of(increase, np.zeros((1, 4), dtype=bool)), "score_gap", 2.0)
    assert nothing.budget == math.inf
    assert nothing.eligible_trials == 0
    assert all(math.isnan(value) for value in nothing.mean)


def test_a_larger_tolerance_never_shortens_the_life(small):
    found = [read_off(small, "score_gap", tolerance).budget for tolerance in (0.5, 1.0, 2.0, 4.0, 8.0)]
    assert found == sorted(found)


def test_the_interval_holds_the_truth_about_as_often_as_it_says():
    generator = np.random.default_rng(5)
    truth = np.array([0.0, 0.4, 1.0, 1.7, 2.3, 2.9, 3.2, 3.4])
    crossing, hits, repeats = 16.0, 0, 300
    for _ in range(repeats):
        between = generator.normal(0, 0.4, (8, 1, 1))
        within = generator.normal(0, 1.5, (8, 40, 1)) + generator.normal(0, 0.5, (8, 40, 8))
        reading = read_off(curves_of(truth + between + within), "score_gap", 2.0, resamples=300)
        hits += reading.low <= crossing <= reading.high
    # 95 %, less what eight draws cost, plus what budgets that double add.
    assert hits / repeats >= 0.92


def test_the_interval_is_not_the_whole_range():
    generator = np.random.default_rng(6)
    truth = np.array([0.0, 0.1, 0.3, 0.8, 3.5, 5.0, 6.0, 6.5])
    reading = read_off(curves_of(truth + generator.normal(0, 1.0, (8, 40, 8))), "score_gap", 2.0)
    assert (reading.low, reading.budget, reading.high) == (16.0, 16.0, 16.0)
