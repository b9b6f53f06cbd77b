"""The fast engine and its slow twin give the same rows on random benchmarks, whatever the settings and the rule."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.benchmark.settings import RANKINGS
from core.errors import DataError, UsageError
from core.reuse import exact
from core.reuse.study import run_study
from tests.oracles.comparison import differences
from tests.oracles.reuse import TrialOracle
from tests.reuse.random_benchmarks import PRECISIONS, benchmarks, rules

BUDGETS = (1, 2, 3, 5, 8, 17)
ORDINARY = settings(
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(HealthCheck),
)


def compare(benchmark, endpoints, feedback, trials=2):
    """Hold every cell of every row of both against each other; return the number of rows compared."""
    arguments = {
        "trials": trials,
        "budgets": BUDGETS,
        "endpoints": endpoints,
        "feedback": feedback,
        "cache": False,
    }
    try:
        oracles = [TrialOracle(benchmark, trial, endpoints, feedback) for trial in range(trials)]
    except DataError:
        with pytest.raises(DataError):
            run_study(benchmark, **arguments)
        return 0
    if endpoints == "full_frontier" and oracles[0].without_frontier:
        with pytest.raises(UsageError, match="full_frontier"):
            run_study(benchmark, **arguments)
        return 0
    rows = run_study(benchmark, **arguments).trial_rows()
    compared = 0
    for oracle in oracles:
        for budget in BUDGETS:
            wrong = differences(oracle.at(budget), next(rows))
            assert not wrong, (wrong, oracle.trial, budget, endpoints, feedback, benchmark.settings)
            compared += 1
    return compared


@pytest.mark.parametrize("precision", PRECISIONS)
@pytest.mark.parametrize("ranking", RANKINGS)
@settings(parent=ORDINARY, max_examples=8)
@given(data=st.data())
def test_every_row_is_identical(data, ranking, precision):
    benchmark = data.draw(benchmarks(ranking=ranking, precision=precision))
    endpoints, feedback = data.draw(rules(benchmark))
    compare(benchmark, endpoints, feedback)


@settings(parent=ORDINARY, max_examples=40)
@given(data=st.data())
def test_every_row_is_identical_where_numbers_need_several_limbs(data):
    kind = data.draw(st.sampled_from(("doubles", "tiny", "mixed")))
    benchmark = data.draw(benchmarks(kind=kind, precision="exact"))
    endpoints, feedback = data.draw(rules(benchmark))
    compare(benchmark, endpoints, feedback)


@settings(parent=ORDINARY, max_examples=25)
@given(data=st.data())
def test_a_trial_does_not_depend_on_its_company(data):
    benchmark = data.draw(benchmarks(kind="mixed", precision="exact"))
    try:
        many = run_study(benchmark, trials=5, budgets=BUDGETS, feedback="policy:aggregate", cache=False)
    except DataError:
        return
    alone = run_study(benchmark, trials=1, budgets=BUDGETS, feedback="policy:aggregate", cache=False)
    rows = list(alone.trial_rows())
    assert rows == list(many.trial_rows())[: len(rows)]


def test_scores_made_of_different_numbers_of_limbs_add_up_exactly():
    large, small = 2**74 + 5, 2**37 - 3
    limbs = [
        exact.from_integers(np.array([value], dtype=object), headroom_bits=16, largest=2**75)
        for value in (large, small)
    ]
    difference = exact.add(limbs[0], limbs[1], factor=-1.0)
    assert exact.fraction(difference, (0,)) == large - small
