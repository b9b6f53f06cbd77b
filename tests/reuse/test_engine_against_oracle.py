"""The fast engine and its slow twin give the same rows on random benchmarks, whatever the settings and the rule."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.benchmark.model import Benchmark
from core.benchmark.settings import RANKINGS, Settings
from core.errors import DataError, UsageError
from core.reuse import exact
from core.reuse.scoring import ItemTable, coordinates_of
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


def test_rational_scores_line_up_whatever_their_size():
    """A tiny and an ordinary score, each computed alone, still subtract without loss."""
    rng = np.random.default_rng(11)
    scores = np.stack([rng.random(6) * 1e-9, rng.random(6)])
    settings_ = Settings(name="limbs", coordinates="overall", precision="exact")
    task = [f"t{index % 3}" for index in range(6)]
    benchmark = Benchmark.from_columns(settings_, ["a", "b"], list("uvwxyz"), scores, task=task)
    table = ItemTable.of(benchmark)
    scale = table.scale(benchmark, np.array([2, 2, 2]))
    (overall,) = coordinates_of(benchmark, "overall")
    one = scale.one(overall, rounded=True)
    parts = [
        scale.score(
            tuple(np.add.reduceat(limb[[model]], table.starts[:-1], axis=1).T for limb in table.limbs),
            overall,
            rounded=True,
        )
        for model in (0, 1)
    ]
    difference = exact.fraction(exact.add(parts[0], parts[1], factor=-1.0), (0,)) / one
    expected = sum(Fraction(float(low)) - Fraction(float(high)) for low, high in scores.T) / 6
    assert difference == expected
