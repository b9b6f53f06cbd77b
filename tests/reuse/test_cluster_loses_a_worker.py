"""A worker of a real local cluster dies in the middle of a study: Dask runs its blocks again and the outcome is the same."""

from __future__ import annotations

import os
import signal
from dataclasses import fields

import numpy as np
import pytest

from core.benchmark.catalogue import load
from core.reuse import spread
from core.reuse.study import run_study

WISH = {"trials": 96, "budgets": (1, 8, 256), "cache": False}


def test_a_worker_that_dies_is_replaced_and_the_run_completes(monkeypatch):
    distributed = pytest.importorskip("distributed")
    monkeypatch.setattr(spread, "BLOCK_BYTES", 1)  # blocks of eight trials
    bank = load("swe_verified_38")
    here = run_study(bank, **WISH)
    killed = []
    seen = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=True
    ) as cluster:
        before = {nanny.pid for nanny in cluster.workers.values()}

        def kill_one(done, total):
            seen.append((done, total))
            if not killed:
                victim = next(iter(cluster.workers.values())).pid
                os.kill(victim, signal.SIGKILL)
                killed.append(victim)

        there = run_study(
            bank, **WISH, backend="dask", scheduler=cluster.scheduler_address, progress=kill_one
        )
        after = {nanny.pid for nanny in cluster.workers.values()}
    assert killed
    assert killed[0] in before
    assert killed[0] not in after
    assert seen[-1] == (96, 96)
    assert len(seen) == 12
    for field in fields(here.outcomes):
        left, right = getattr(here.outcomes, field.name), getattr(there.outcomes, field.name)
        np.testing.assert_array_equal(left, right, err_msg=field.name)
