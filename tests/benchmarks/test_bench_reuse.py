"""Timings of the reuse study; run by ``make bench``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from core.benchmark.catalogue import load
from core.reuse.study import run_study
from tests.benchmarks.engine_benchmark import drawn_benchmark

pytestmark = pytest.mark.benchmark
ROOT = Path(__file__).parents[2]
PEAK = (
    "import resource, sys; sys.path.insert(0, '.'); "
    "from tests.benchmarks.engine_benchmark import drawn_benchmark; from core.reuse.study import run_study; "
    "run_study(drawn_benchmark()).rows(); "
    "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
)


@pytest.fixture
def empty_cache(tmp_path, monkeypatch):
    def forget() -> None:
        forget.count += 1
        monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path / f"cache-{forget.count}"))

    forget.count = 0
    return forget


def test_import_of_core(benchmark, report):
    command = [sys.executable, "-c", "import core"]
    benchmark.pedantic(lambda: subprocess.run(command, check=True, cwd=ROOT), rounds=5)
    report("import core (new process)", "0.3 s")


def test_study_command_on_terminal_bench_science(benchmark, report):
    command = [sys.executable, "-m", "core", "study", "terminal_science", "--quiet"]
    benchmark.pedantic(lambda: subprocess.run(command, check=True, cwd=ROOT), rounds=5, warmup_rounds=1)
    report("python -m core study terminal_science (new process)", "1 s")


def test_terminal_bench_science_cold(benchmark, report, empty_cache):
    bank = load("terminal_science")
    benchmark.pedantic(lambda: run_study(bank).rows(), setup=empty_cache, rounds=7)
    report("Terminal-Bench-Science, 250 trials x 12 budgets, cold", "0.5 s")


def test_engine_with_gates_cached(benchmark, report, empty_cache):
    drawn = drawn_benchmark()
    empty_cache()
    run_study(drawn)
    benchmark.pedantic(lambda: run_study(drawn).rows(), rounds=5)
    report("engine benchmark (14 models x 8,159 items), gates cached", "2 s")


def test_engine_cold_with_numba(benchmark, report, empty_cache):
    drawn = drawn_benchmark()
    empty_cache()
    run_study(drawn, trials=1)  # compiles once, kept on disk
    benchmark.pedantic(lambda: run_study(drawn).rows(), setup=empty_cache, rounds=3)
    report("engine benchmark, cold, with Numba", "4 s")


def test_engine_cold_without_numba(benchmark, report, empty_cache, monkeypatch):
    monkeypatch.setenv("MIRAGE_NO_NUMBA", "1")
    drawn = drawn_benchmark()
    benchmark.pedantic(lambda: run_study(drawn).rows(), setup=empty_cache, rounds=3)
    report("engine benchmark, cold, without Numba", "8 s")


def test_engine_memory(benchmark, report):
    command = [sys.executable, "-c", PEAK]
    result = benchmark.pedantic(
        lambda: subprocess.run(command, check=True, cwd=ROOT, capture_output=True, text=True), rounds=1
    )
    report("engine benchmark, peak memory of the process", "1,536 MiB", f"{int(result.stdout):,} MiB")


@pytest.mark.parametrize(
    ("models", "items", "budget"),
    [(169, 500, "2 s"), (8, 21_599, "4 s")],
)
def test_other_sizes_with_gates_cached(benchmark, report, empty_cache, models, items, budget):
    drawn = drawn_benchmark(models, items, tasks=10, ranking="item_mean", precision="exact")
    empty_cache()
    run_study(drawn)
    benchmark.pedantic(lambda: run_study(drawn).rows(), rounds=3)
    report(f"{models} models x {items:,} items, 250 trials x 12 budgets, gates cached", budget)


def test_largest_benchmark(benchmark, report):
    code = PEAK.replace(
        "drawn_benchmark()", "drawn_benchmark(200, 25_000, ranking='item_mean', precision='exact')"
    )
    result = benchmark.pedantic(
        lambda: subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            cwd=ROOT,
            capture_output=True,
            text=True,
            env=dict(os.environ),
        ),
        rounds=1,
    )
    report(
        "200 models x 25,000 items, peak memory of the process", "2,048 MiB", f"{int(result.stdout):,} MiB"
    )
