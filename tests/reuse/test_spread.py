"""Where blocks of trials run: the same outcome to the bit on this process, on workers and on a Dask cluster."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from core.benchmark.catalogue import load
from core.errors import UsageError
from core.reuse import spread
from core.reuse.study import run_study

SMALL = {"trials": 24, "budgets": (1, 4, 32), "cache": False}


@pytest.fixture(scope="module")
def bank():
    return load("terminal_science")


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(spread, "BLOCK_BYTES", 1)


def assert_same(one, other):
    for field in fields(one.outcomes):
        left, right = getattr(one.outcomes, field.name), getattr(other.outcomes, field.name)
        np.testing.assert_array_equal(left, right, err_msg=field.name)


@pytest.mark.usefixtures("small_blocks")
def test_dask_gives_the_same_to_the_bit(bank):
    distributed = pytest.importorskip("distributed")
    here = run_study(bank, **SMALL)
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, processes=False
    ) as cluster:
        there = run_study(bank, **SMALL, backend="dask", scheduler=cluster.scheduler_address)
    assert_same(here, there)


def test_block_size_does_not_matter(bank, monkeypatch):
    whole = run_study(bank, **SMALL)
    monkeypatch.setattr(spread, "BLOCK_BYTES", 1)
    assert_same(whole, run_study(bank, **SMALL))


@pytest.mark.usefixtures("small_blocks")
def test_progress_counts_up_to_all_trials(bank):
    seen = []
    run_study(bank, **SMALL, progress=lambda done, total: seen.append((done, total)))
    assert [total for _, total in seen] == [24] * len(seen)
    assert [done for done, _ in seen] == sorted({done for done, _ in seen})
    assert len(seen) > 1
    assert seen[-1] == (24, 24)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"workers": 0}, "at least 1, found 0"),
        ({"backend": "threads"}, "Unknown backend 'threads'; choose loky or dask"),
        ({"backend": "dask"}, "needs the address of a scheduler"),
        ({"scheduler": "tcp://127.0.0.1:1"}, "goes with the backend dask"),
    ],
)
def test_wrong_options_are_named(bank, options, message):
    with pytest.raises(UsageError, match=message):
        run_study(bank, **SMALL, **options)
