"""Platt scaling, many at once, and the correction of its prior."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.special import expit

from core.contamination.calibration import platt, platt_many, prior_shift
from core.errors import DataError, UsageError


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(4, 60), st.floats(0, 6))
def test_many_at_once_equal_one_by_one(seed, items, shift):
    rng = np.random.default_rng(seed)
    label = np.arange(items) % 2
    score = rng.standard_normal(items) + shift * label
    weight = rng.integers(0, 3, (3, items)).astype(float)
    weight[:, :2] += 1  # both classes in every fit
    batch = platt_many(score, label.astype(float), weight)
    for fit in range(3):
        repeated = np.repeat(np.arange(items), weight[fit].astype(int))
        single = platt(score[repeated], label[repeated])
        assert batch.slope[fit] == pytest.approx(single.slope, abs=2e-4)
        assert batch.intercept[fit] == pytest.approx(single.intercept, abs=2e-4)
        assert batch(score)[fit] == pytest.approx(single(score), abs=1e-4)


def test_scaling_recovers_a_logistic_law():
    """Tolerance: 4 standard errors of logistic coefficients at 20,000 items (about .02 each)."""
    rng = np.random.default_rng(0)
    score = rng.normal(3, 2, 20_000)
    label = rng.random(20_000) < expit(-1 + 1.5 * (score - 3) / 2)
    fitted = platt(score, label)
    assert fitted.intercept == pytest.approx(-1, abs=0.08)
    assert fitted.slope == pytest.approx(1.5, abs=0.08)


def test_separated_classes_give_finite_steep_scaling():
    fitted = platt([0.0, 0.1, 5.0, 5.1], [0, 0, 1, 1])
    assert np.isfinite(fitted.slope)
    assert fitted([0.0])[0] < 0.3 < 0.7 < fitted([5.0])[0]


def test_a_constant_score_gives_the_prior():
    assert platt([1.0, 1.0, 1.0, 1.0], [0, 1, 1, 1])([1.0])[0] == pytest.approx(0.75, abs=1e-4)


@settings(deadline=None)
@given(st.floats(0.05, 0.95), st.floats(0.05, 0.95))
def test_a_prior_correction_multiplies_the_odds(share, target):
    fitted = platt([0.0, 1.0, 2.0, 3.0], [0, 1, 0, 1]).at_prior(share)
    moved = fitted.at_prior(target)
    odds = moved([1.0]) / (1 - moved([1.0])) / (fitted([1.0]) / (1 - fitted([1.0])))
    assert odds[0] == pytest.approx(target / (1 - target) / (share / (1 - share)))
    assert moved.at_prior(share).intercept == pytest.approx(fitted.intercept)


def test_a_corrected_prior_calibrates_another_mixture():
    """Half the calibration items are positive, 30 % of the test set; mean probability within 4 standard errors."""
    rng = np.random.default_rng(1)
    label = np.arange(20_000) % 2
    fitted = platt(rng.standard_normal(20_000) + label, label)
    target = rng.random(20_000) < 0.3
    score = rng.standard_normal(20_000) + target
    tolerance = 4 * np.sqrt(0.21 / 20_000) + 4 * np.sqrt(0.25 / 20_000)
    assert fitted.at_prior(0.3)(score).mean() == pytest.approx(0.3, abs=tolerance)
    assert fitted(score).mean() > 0.3 + tolerance


def test_a_batch_corrects_its_prior_like_a_single_scaling():
    score, label = np.array([0.0, 1.0, 2.0, 3.0]), np.array([0.0, 1.0, 0.0, 1.0])
    batch = platt_many(score, label, np.ones((1, 4))).at_prior(0.3)
    assert batch(score)[0] == pytest.approx(platt(score, label).at_prior(0.3)(score), abs=1e-4)


def test_a_fit_with_one_class_can_be_constant():
    weight = np.array([[1.0, 0.0, 2.0], [1.0, 1.0, 1.0]])
    score, label = np.array([0.0, 1.0, 5.0]), np.array([1.0, 0.0, 1.0])
    batch = platt_many(score, label, weight, constant_if_one_class=True)
    assert batch(score)[0] == pytest.approx(3.5 / 4)
    assert batch(score)[1] == pytest.approx(platt(score, label)(score), abs=1e-4)


def test_the_start_does_not_change_the_fit():
    rng = np.random.default_rng(3)
    label = np.arange(50) % 2.0
    score, weight = rng.standard_normal(50) + 2 * label, rng.integers(0, 3, (4, 50)) + 1.0
    cold, warm = platt_many(score, label, weight), platt_many(score, label, weight, start=(1.0, 3.0))
    assert warm.slope == pytest.approx(cold.slope, abs=1e-6)
    assert warm.intercept == pytest.approx(cold.intercept, abs=1e-6)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: platt([1.0, 2.0], [1, 1]), DataError, "2 positive and 0 negative"),
        (lambda: platt([1.0, np.nan], [0, 1]), DataError, "finite"),
        (lambda: platt([1.0], [0, 1]), DataError, "one label per score"),
        (lambda: platt([1.0, 2.0], [0, 2]), DataError, "0 or 1"),
        (
            lambda: platt_many(np.zeros(2), np.array([0.0, 1.0]), np.array([[1.0, 0.0]])),
            DataError,
            "contaminated and clean",
        ),
        (lambda: prior_shift(0.5, 1.0), UsageError, "strictly between 0 and 1, found 1.0"),
    ],
)
def test_wrong_input_is_refused(call, error, words):
    with pytest.raises(error, match=words):
        call()
