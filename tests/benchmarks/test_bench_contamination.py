"""Timings of the contamination strand; run by ``make bench``."""

from __future__ import annotations

import subprocess
import sys
from itertools import count
from pathlib import Path

import pytest

from core.contamination.correction import correct
from core.contamination.phase import PhaseSettings, cell_errors, phase_diagram
from core.contamination.pocket.pair import PocketSettings, train_pair
from core.contamination.pool_correction import PoolCase, calibration_sizes, draw_case
from core.contamination.pools import calibrated_pool
from core.contamination.regimes import Design

pytestmark = pytest.mark.benchmark
ROOT = Path(__file__).parents[2]
MEMORY = (
    "import resource, sys; sys.path.insert(0, '.'); {call}; "
    "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024)"
)


@pytest.fixture(scope="module")
def pool():
    return calibrated_pool("mmlu")


def peak(call: str) -> int:
    """Return the largest resident size of a new process that makes a call, in MiB."""
    command = [sys.executable, "-c", MEMORY.format(call=call)]
    return int(subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT).stdout)


@pytest.mark.parametrize(("grid", "budget"), [(21, "1 s"), (61, "5 s")])
def test_six_phase_panels(benchmark, report, pool, grid, budget):
    benchmark.pedantic(lambda: phase_diagram(pool, PhaseSettings(grid=grid)), rounds=5, warmup_rounds=1)
    report(f"six phase panels, {grid} x {grid} x 1,000 replicates", budget)


def test_phase_memory(benchmark, report):
    call = (
        "from core.contamination.phase import *; from core.contamination.pools import calibrated_pool; "
        "phase_diagram(calibrated_pool('mmlu'), PhaseSettings(grid=61))"
    )
    megabytes = benchmark.pedantic(lambda: peak(call), rounds=1)
    report("six phase panels, 61 x 61: peak memory", "1,536 MiB", f"{megabytes} MiB")


def test_one_cell(benchmark, report, pool):
    benchmark.pedantic(lambda: cell_errors(pool, PhaseSettings(), "hard", 12, 6), rounds=7, warmup_rounds=1)
    report("errors of one clicked cell", "0.1 s")


def test_correction_with_refits(benchmark, report, pool):
    case = draw_case(pool, PoolCase(spiked=100))
    benchmark.pedantic(lambda: correct(case.test, case.calibration), rounds=5, warmup_rounds=1)
    report("correction, 500 items, 100 calibration items, 2,000 refitted resamples", "0.5 s")


def test_calibration_sizes(benchmark, report, pool):
    case = PoolCase(design=Design(replicates=500))
    benchmark.pedantic(lambda: calibration_sizes(pool, case), rounds=3, warmup_rounds=1)
    report("nine calibration sizes x 500 replicates", "2 s")


def test_pocket_training(benchmark, report):
    seeds = count()
    benchmark.pedantic(lambda: train_pair(PocketSettings(seed=next(seeds))), rounds=3)
    report("pocket pair and its independent model, trained and measured", "10 s")


def test_pocket_memory(benchmark, report):
    call = "from core.contamination.pocket.pair import train_pair; train_pair()"
    megabytes = benchmark.pedantic(lambda: peak(call), rounds=1)
    report("pocket pair: peak memory", "500 MiB", f"{megabytes} MiB")
