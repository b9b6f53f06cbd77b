"""How many submissions a rule survives: read off a curve, with an interval that covers what it should."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.errors import UsageError
from core.reuse.study import run_study
from core.reuse.survival import survival
from tests.oracles import rules as twin
from tests.reuse.rule_samples import drawn

BUDGETS = (1, 2, 4, 8, 16, 32)
TEMPLATE = run_study(drawn(), trials=2, budgets=BUDGETS, cache=False)


def study_of(losses_pp, eligible=None, budgets=BUDGETS):
    """A study with these losses, shape (trials, budgets), percentage points."""
    losses = np.asarray(losses_pp, dtype=np.float64)
    trials = len(losses)
    found = {}
    for field in dataclasses.fields(TEMPLATE.outcomes):
        value = getattr(TEMPLATE.outcomes, field.name)
        shape = (trials,) if value.ndim == 1 else (trials, len(budgets))
        found[field.name] = np.zeros(shape, dtype=value.dtype)
    found["selected_heldout"] = -losses / 100
    found["eligible"] = np.ones(trials, bool) if eligible is None else np.asarray(eligible)
    outcomes = dataclasses.replace(TEMPLATE.outcomes, **found)
    return dataclasses.replace(TEMPLATE, outcomes=outcomes, budgets=tuple(budgets))


def test_the_last_budget_before_the_loss_exceeds_the_tolerance():
    found = survival(study_of([[9, 0.2, 0.9, 1.0, 1.5, 0.1]] * 3), 1.0)
    assert (found.submissions, found.low, found.high) == (8, 8, 8)
    assert found.largest == 32


def test_the_static_control_does_not_count():
    assert survival(study_of([[5, 0, 0, 0, 0, 2]] * 2), 1.0).submissions == 16


def test_a_rule_that_fails_at_once_survives_nothing():
    assert survival(study_of([[0, 3, 0, 0, 0, 0]] * 2), 1.0).submissions == 0


def test_a_rule_that_holds_is_not_reached():
    found = survival(study_of([[0, 1, 1, 1, 1, 1]] * 2), 1.0)
    assert found.submissions is found.low is found.high is None


def test_ineligible_trials_are_left_out():
    found = survival(study_of([[0, 0, 0, 2, 2, 2], [0, 9, 9, 9, 9, 9]], eligible=[True, False]), 1.0)
    assert (found.submissions, found.low, found.high) == (4, 4, 4)
    nobody = survival(study_of([[0, 9, 9, 9, 9, 9]], eligible=[False]), 1.0)
    assert nobody.submissions is None


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.lists(st.integers(-3, 6), min_size=6, max_size=6), min_size=1, max_size=8),
    st.integers(0, 20),
)
def test_the_estimate_is_the_definition_and_lies_in_its_interval_or_beside_it(losses, tolerance):
    study = study_of(losses)
    found = survival(study, tolerance / 4)
    mean = np.mean(study.per_trial["model_selection_loss_pp"], axis=0)
    assert found.submissions == twin.survival(mean[1:].tolist(), BUDGETS[1:], tolerance / 4)
    end = lambda value: 99 if value is None else value  # noqa: E731
    assert end(found.low) <= end(found.high)


@settings(deadline=None, max_examples=25)
@given(
    st.lists(st.lists(st.floats(-3, 6), min_size=6, max_size=6), min_size=1, max_size=8),
    st.lists(st.floats(0, 6), min_size=2, max_size=5),
)
def test_more_tolerance_never_shortens_a_life(losses, tolerances):
    study = study_of(losses)
    lives = [survival(study, tolerance) for tolerance in sorted(tolerances)]
    for name in ("submissions", "low", "high"):
        values = [99 if getattr(life, name) is None else getattr(life, name) for life in lives]
        assert values == sorted(values)


def test_the_interval_covers_the_truth():
    """Losses are normal around a rising curve: the true answer is 8. Coverage may miss 95 % by 3 standard errors.

    The answer is one of a few budgets, so the interval covers at least as often as asked; that it is not simply
    everything is checked too.
    """
    curve = np.array([0.0, 0.4, 0.6, 0.8, 1.3, 1.8])
    generator = np.random.default_rng(7)
    repeats, covered, widths = 200, 0, []
    for _ in range(repeats):
        shared = generator.normal(0, 1.5, (60, 1))
        losses = curve + shared + generator.normal(0, 1.0, (60, 6))
        found = survival(study_of(losses), 1.0)
        ends = [99 if value is None else value for value in (found.low, found.high)]
        covered += ends[0] <= 8 <= ends[1]
        widths.append(ends)
    assert covered / repeats >= 0.95 - 3 * np.sqrt(0.95 * 0.05 / repeats)
    assert np.mean([high == 99 and low == 0 for low, high in widths]) < 0.5


@pytest.mark.parametrize("tolerance", [-0.1, float("nan"), float("inf")])
def test_a_tolerance_is_a_number_of_points(tolerance):
    with pytest.raises(UsageError, match="A tolerance is a number of percentage points of at least 0"):
        survival(study_of([[0] * 6]), tolerance)


def test_the_static_control_alone_has_no_lifespan():
    study = run_study(drawn(), trials=2, budgets=(1,), cache=False)
    with pytest.raises(UsageError, match="budget of at least 2"):
        survival(study, 1.0)
