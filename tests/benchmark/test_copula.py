"""The one-factor Gaussian copula: marginals, dependence, and what the seed decides."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import multivariate_normal, norm

from core.benchmark.copula import draw_outcomes, quantiles

ITEMS = 40_000


def draws(expected, dependence, seed=0, items=ITEMS):
    table = np.array(expected)[:, None]
    return draw_outcomes(table, np.zeros(items, dtype=np.intp), dependence, np.random.default_rng(seed))


@pytest.mark.parametrize("dependence", [0.0, 0.3, 0.8, 1.0])
def test_marginals_are_the_expected_scores(dependence):
    expected = np.array([0.02, 0.3, 0.5, 0.9])
    means = np.mean([draws(expected, dependence, seed).mean(axis=1) for seed in range(5)], axis=0)
    error = np.sqrt(expected * (1 - expected) / (5 * ITEMS))
    assert np.all(np.abs(means - expected) < 4 * error)


@pytest.mark.parametrize("dependence", [0.0, 0.5, 0.8])
def test_two_models_solve_an_item_together_as_often_as_the_normal_law_says(dependence):
    first, second = 0.4, 0.7
    outcomes = draws([first, second], dependence)
    together = float((outcomes[0] * outcomes[1]).mean())
    thresholds = norm.ppf([first, second])
    exact = float(multivariate_normal(cov=[[1, dependence], [dependence, 1]]).cdf(thresholds))
    assert abs(together - exact) < 4 * math.sqrt(exact * (1 - exact) / ITEMS)


def test_full_dependence_nests_the_solved_items():
    outcomes = draws([0.2, 0.5, 0.9], 1.0)
    assert np.all(outcomes[0] <= outcomes[1])
    assert np.all(outcomes[1] <= outcomes[2])


def test_more_dependence_makes_models_agree_more():
    agreement = [np.mean(np.equal(*draws([0.5, 0.5], dependence))) for dependence in (0.0, 0.4, 0.8, 1.0)]
    assert agreement == sorted(agreement)
    assert agreement[0] == pytest.approx(0.5, abs=0.02)
    assert agreement[-1] == 1.0


def test_the_same_state_draws_the_same_outcomes():
    assert np.array_equal(draws([0.4, 0.6], 0.5, 7, 500), draws([0.4, 0.6], 0.5, 7, 500))
    assert not np.array_equal(draws([0.4, 0.6], 0.5, 7, 500), draws([0.4, 0.6], 0.5, 8, 500))


@given(
    st.lists(st.floats(0, 1), min_size=2, max_size=6),
    st.floats(0, 1),
    st.integers(0, 2**32 - 1),
)
def test_outcomes_are_zero_or_one_and_certain_where_the_chance_is(expected, dependence, seed):
    outcomes = draws(expected, dependence, seed, 30)
    assert set(np.unique(outcomes)) <= {0.0, 1.0}
    for row, chance in zip(outcomes, expected, strict=True):
        if chance in (0.0, 1.0):
            assert np.all(row == chance)


@given(st.floats(1e-12, 1 - 1e-12))
def test_quantiles_are_those_of_the_normal_distribution(chance):
    assert quantiles(np.array([chance]))[0] == pytest.approx(norm.ppf(chance), rel=1e-9, abs=1e-9)
