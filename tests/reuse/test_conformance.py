"""Two synthetic benchmarks with the rows that the paper's own code gives for them, for the engine and for its twin."""

from __future__ import annotations

import csv
from functools import lru_cache
from pathlib import Path

import pytest

from core.benchmark.reading import read_benchmark
from core.reuse.study import run_study
from tests.oracles.comparison import differences
from tests.oracles.reuse import TrialOracle

FOLDER = Path(__file__).parents[1] / "conformance"
CASES = ("livebench_like", "helm_lite_like")
FLAGS = ("eligible", "false_winner", "selected_router")
NUMBERS = (
    "model_selection_loss_pp",
    "score_gap_pp",
    "genuine_gap_pp",
    "router_reused_pp",
    "router_heldout_pp",
)


@lru_cache(maxsize=2)
def benchmark_of(case):
    return read_benchmark(FOLDER / case / "items.csv.gz", settings=FOLDER / case / "settings.toml")


@lru_cache(maxsize=2)
def expected_rows(case):
    with (FOLDER / case / "expected.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        for flag in FLAGS:
            row[flag] = {"True": True, "False": False}[row[flag]]
        for name in ("trial", "new_submissions", "rank_drop"):
            row[name] = int(row[name])
        for name in NUMBERS:
            row[name] = float(row[name])
    return rows


@pytest.mark.parametrize("case", CASES)
def test_every_published_row_is_what_the_engine_gives(case):
    rows = expected_rows(case)
    trials = 1 + max(row["trial"] for row in rows)
    budgets = tuple(sorted({row["new_submissions"] for row in rows}))
    assert (trials, len(rows)) == (20, 20 * len(budgets))

    frame = run_study(benchmark_of(case), trials=trials, budgets=budgets, cache=False).trial_frame()

    found = {(row["trial"], row["new_submissions"]): row for row in frame.to_dict("records")}
    assert len(found) == len(rows)
    assert list(frame.columns) == list(rows[0])
    for row in rows:
        assert not differences(row, found[row["trial"], row["new_submissions"]])


@pytest.mark.parametrize(
    ("case", "trials", "budgets"),
    [("livebench_like", (0, 3, 7, 12), (1, 2, 8, 64)), ("helm_lite_like", (1, 5, 14), (1, 4, 64))],
)
def test_the_twin_gives_a_sample_of_the_published_rows(case, trials, budgets):
    expected = {(row["trial"], row["new_submissions"]): row for row in expected_rows(case)}
    for trial in trials:
        oracle = TrialOracle(benchmark_of(case), trial)
        for budget in budgets:
            assert not differences(expected[trial, budget], oracle.at(budget))
