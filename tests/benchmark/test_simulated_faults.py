"""What is said about parameters that no simulated benchmark can have."""

from __future__ import annotations

import math

import numpy as np
import pytest

from core.benchmark import catalogue
from core.benchmark.copula import draw_outcomes
from core.benchmark.free_form import free_form
from core.benchmark.parameters import read_parameters
from core.benchmark.settings import Settings
from core.benchmark.simulated import Profile, livebench, simulate
from core.errors import DataError, UsageError


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("free:itms=3", r"Unknown parameter 'itms' of simulated:free\. Did you mean 'items'\? Write simulated:free:models="),
        ("free:models", r"Expected key=value, found 'models'"),
        ("free:models=", r"Expected key=value, found 'models='"),
        ("free:models=5,", r"Expected key=value, found ''"),
        ("free:models=two", r"Parameter 'models' of simulated:free is a whole number, found 'two'"),
        ("free:gap=wide", r"Parameter 'gap' of simulated:free is a number, found 'wide'"),
        ("free:models=5,models=6", r"Parameter 'models' of simulated:free is given twice"),
        ("free:models=1", r"Parameter 'models' is a whole number from 2 to 1,000, found 1"),
        ("free:tasks=0", r"Parameter 'tasks' is a whole number from 1 to 1,000, found 0"),
        ("free:seed=-1", r"Parameter 'seed' is a whole number of at least 0, found -1"),
        ("free:items=10", r"10 items are too few for 6 tasks: .* at least 18 items"),
        ("free:models=1000,items=6000,gap=0", r"6,000,000 outcomes, more than 5,000,000"),
        ("free:dependence=1.5", r"The dependence is a number from 0 .* to 1 .*found 1\.5"),
        ("free:dependence=nan", r"The dependence is a number from 0"),
        ("free:gap=-1", r"Parameter 'gap' is a number of percentage points from 0, found -1\.0"),
        ("free:gap=nan", r"Parameter 'gap' is a number of percentage points from 0"),
        ("free:gap=9", r"12 models 9 pp apart do not fit between 5% and 95%; the gap can be at most 8\.181 pp"),
        ("livebench:models=5", r"Unknown parameter 'models' of simulated:livebench\."),
        ("livebench:seed=-2", r"A seed is a whole number of at least 0, found -2"),
        ("livebnch", r"Unknown simulated benchmark 'livebnch'\. Did you mean 'livebench'\?"),
    ],
)  # fmt: skip
def test_messages(name, message):
    with pytest.raises(UsageError, match=message):
        catalogue.load(f"simulated:{name}")


def test_the_largest_gap_of_the_message_fits():
    assert free_form(models=12, gap=8.181).scores.shape == (12, 600)


@pytest.mark.parametrize("dependence", [-0.1, 1.01, math.inf, True, "0.5"])
def test_dependence_outside_its_domain(dependence):
    with pytest.raises(UsageError, match="The dependence is a number from 0"):
        livebench(dependence=dependence)


def test_expected_scores_outside_their_domain():
    with pytest.raises(UsageError, match="within 0 and 1"):
        draw_outcomes(np.array([[1.2]]), np.zeros(3, dtype=np.intp), 0.5, np.random.default_rng(0))


def test_a_profile_that_does_not_fit_together():
    table = np.full((2, 2), 0.5)
    with pytest.raises(DataError, match=r"shape \(2, 1\) \(models, tasks\), found \(2, 2\)"):
        Profile(("a", "b"), ("t",), ("t",), table, (3,))
    with pytest.raises(DataError, match="one category and one number of items per task"):
        Profile(("a", "b"), ("t", "u"), ("t",), table, (3, 3))
    with pytest.raises(DataError, match="at least one item"):
        Profile(("a", "b"), ("t", "u"), ("t", "u"), table, (3, 0))


def test_a_seed_that_is_none():
    profile = Profile(("a", "b"), ("t",), ("t",), np.full((2, 1), 0.5), (3,))
    with pytest.raises(UsageError, match=r"found 1\.5"):
        simulate(profile, Settings(name="x"), dependence=0.5, seed=1.5)


def test_a_generator_without_parameters():
    assert read_parameters("toy", " ", {}) == {}
    with pytest.raises(
        UsageError, match=r"Unknown parameter 'x' of simulated:toy\. It takes none: simulated:toy\."
    ):
        read_parameters("toy", "x=1", {})


def test_a_long_or_hostile_parameter_is_shortened():
    with pytest.raises(UsageError) as caught:
        read_parameters("free", f"{'k' * 5000}=1", {"models": int})
    assert len(str(caught.value)) < 400
    with pytest.raises(UsageError) as caught:
        read_parameters("free", f"models={'9' * 5000}x", {"models": int})
    assert len(str(caught.value)) < 400
