"""Scores corrected for chance and counted by instruction: the engine and its slow twin give the same rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.benchmark.catalogue import load
from core.benchmark.model import Benchmark
from core.benchmark.normalisation import Normalisation, normalised
from core.benchmark.reading import write_benchmark
from core.benchmark.settings import Settings
from core.errors import DataError, UsageError
from core.reuse.study import run_study
from tests.oracles.comparison import differences
from tests.oracles.normalised import NormalisedOracle
from tests.reuse.random_benchmarks import benchmarks, rules

BUDGETS = (1, 2, 3, 8, 17)


def with_normalisation(benchmark, seed):
    """Give tasks chance rates, and one task instructions, at random."""
    generator = np.random.default_rng(seed)
    tasks, items = len(benchmark.tasks), len(benchmark.items)
    chance = generator.choice([0.0, 0.1, 0.25, 0.5], tasks)
    instructions = np.zeros(items, dtype=np.int64)
    followed = np.zeros((len(benchmark.models), items))
    if seed % 3:
        task = int(generator.integers(tasks))
        chance[task] = 0.0
        members = np.flatnonzero(benchmark.item_task == task)
        instructions[members] = generator.integers(1, 6, len(members))
        followed[:, members] = generator.integers(0, instructions[members] + 1, (len(followed), len(members)))
        if seed % 2:
            followed[:, members] *= generator.random((len(followed), len(members)))
    return replace(benchmark, normalisation=Normalisation(chance, instructions, followed))


@settings(
    deadline=None, derandomize=True, database=None, max_examples=60, suppress_health_check=list(HealthCheck)
)
@given(data=st.data())
def test_every_row_is_identical(data):
    ranking = data.draw(st.sampled_from(("coordinate_mean", "category_mean", "mean_win_rate")))
    precision = data.draw(st.sampled_from(("float64", 0.001, 0.01, 1.0)))
    benchmark = with_normalisation(
        data.draw(benchmarks(ranking=ranking, precision=precision)), data.draw(st.integers(0, 999))
    )
    endpoints, feedback = data.draw(rules(benchmark))
    try:
        oracle = NormalisedOracle(benchmark, 0, endpoints, feedback)
    except DataError:
        return
    if endpoints == "full_frontier" and oracle.without_frontier:
        return
    study = run_study(
        benchmark, trials=1, budgets=BUDGETS, endpoints=endpoints, feedback=feedback, cache=False
    )
    for budget, row in zip(BUDGETS, study.trial_rows(), strict=True):
        wrong = differences(oracle.at(budget), row)
        assert not wrong, (wrong, budget, endpoints, feedback, benchmark.settings)


def plain():
    return Benchmark.from_columns(
        Settings(
            name="plain",
            coordinates="task",
            ranking="category_mean",
            precision="float64",
            holdout_fraction=0.5,
        ),
        ["a", "b", "c"],
        [f"q{place}" for place in range(8)],
        np.array([[1, 0, 1, 1, 0, 1, 0, 1], [0, 1, 1, 0, 1, 1, 1, 0], [1, 1, 0, 0, 1, 0, 1, 1]], dtype=float),
        task=["t", "u"] * 4,
    )


def test_no_chance_and_no_instructions_change_nothing():
    before = run_study(plain(), trials=6, budgets=BUDGETS, cache=False)
    after = run_study(normalised(plain(), {}), trials=6, budgets=BUDGETS, cache=False)
    assert list(before.trial_rows()) == list(after.trial_rows())


def test_a_score_below_chance_counts_as_zero():
    bank = normalised(plain(), {"t": 0.75, "u": 0.75})
    frame = run_study(bank, trials=8, budgets=(1,), cache=False).trial_frame()
    reused = frame["router_reused_pp"].dropna()
    # two reused items per task: a raw mean of 0 or 1/2 is below chance, of 1 is certain
    assert set(reused) <= {0.0, 50.0, 100.0}
    assert (reused > 0).any()


def test_a_folder_brings_it_back(tmp_path):
    bank = normalised(
        plain(), {"u": 0.25}, {f"q{place}": 2 + place for place in (0, 2, 4, 6)},
        {model: {f"q{place}": float(place) / 2 for place in (0, 2, 4, 6)} for model in "abc"},
    )  # fmt: skip
    written = write_benchmark(bank, tmp_path / "bank")
    assert [path.name for path in written] == ["items.parquet", "settings.toml", "normalisation.json"]
    again = load(tmp_path / "bank")
    assert again.digest == bank.digest
    assert again.digest != plain().digest
    assert load(tmp_path / "bank" / "items.parquet").normalisation is None


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"precision": "exact"}, 'need precision = "float64" or a step'),
        ({"ranking": "item_mean"}, "averaged by task"),
    ],
)
def test_settings_that_do_not_go_with_it_are_named(change, message):
    bank = normalised(plain(), {"t": 0.5})
    with pytest.raises(DataError, match=message):
        bank.with_settings(bank.settings.with_changes(**change))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (({"v": 0.5},), "lacks: 'v'"),
        (({"t": 1.0},), "1 excluded"),
        (({"t": -0.1},), "1 excluded"),
        (({}, {"q0": 1}, {}), "'a' lacks the instructions followed of 1 items: 'q0'"),
        (({}, {"q0": 1}, {model: {"q0": 2.0} for model in "abc"}), "at most all"),
        (({}, {"q0": 1}, {model: {"q0": 1.0} for model in "abc"}), "Task 't' has items with and without"),
    ],
)
def test_faults_are_named(arguments, message):
    with pytest.raises(DataError, match=message):
        normalised(plain(), *arguments)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "must hold chance, instructions, followed"),
        ('{"odd": {}}', "and nothing else"),
        ('{"chance": {"t": "x"}}', "'chance' of 't' must be a number"),
        ('{"chance": {"t": NaN}}', "must be a number"),
        ('{"instructions": {"q0": 1.5}}', "whole number"),
        ('{"followed": {"a": 3}}', "'followed' must map names to numbers"),
        ("{", "not valid JSON"),
    ],
)
def test_faults_of_the_file_are_named(tmp_path, text, message):
    write_benchmark(plain(), tmp_path / "bank")
    (tmp_path / "bank" / "normalisation.json").write_text(text)
    with pytest.raises(DataError, match=message):
        load(tmp_path / "bank")


def test_the_parameter_free_ladder_is_refused():
    with pytest.raises(UsageError, match="needs standard errors of plain means"):
        run_study(
            normalised(plain(), {"t": 0.5}), trials=2, budgets=(2,), feedback="task+ladder:auto", cache=False
        )
