"""The bundled Terminal-Bench-Science benchmark gives the published table, however its trials are spread."""

from __future__ import annotations

import csv
from dataclasses import fields
from functools import lru_cache
from pathlib import Path

import numpy as np
import pytest

from core.benchmark.catalogue import load
from core.reuse import spread
from core.reuse.study import run_study
from tests.oracles.comparison import differences
from tests.oracles.reuse import TrialOracle

PUBLISHED = Path(__file__).parents[2] / "data" / "published" / "terminal_science_summary.csv"
OTHER_NAMES = {
    "no_attack_s_pp": "no_attack_reused_pp",
    "no_attack_t_pp": "no_attack_heldout_pp",
    "selected_s_pp": "selected_reused_pp",
    "selected_t_pp": "selected_heldout_pp",
    "router_s_pp": "router_reused_pp",
    "router_t_pp": "router_heldout_pp",
    "score_gap_mean_pp": "score_gap_pp",
    "genuine_gap_mean_pp": "genuine_gap_pp",
}
IDENTIFICATION = ("benchmark", "policy", "new_submissions", "eligible_trials", "attempted_trials")


def our_name(column):
    for end in ("_low", "_high", ""):
        if column.endswith(end):
            stem = column.removesuffix(end) if end else column
            return OTHER_NAMES.get(stem, stem) + end
    raise AssertionError(column)


@lru_cache(maxsize=1)
def published_rows():
    with PUBLISHED.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@lru_cache(maxsize=1)
def study():
    return run_study(load("terminal_science"), cache=False)


def test_212_of_250_trials_are_eligible():
    assert (study().eligible_trials, study().trials) == (212, 250)


def test_every_cell_of_the_published_table():
    ours = {row["new_submissions"]: row for row in study().rows()}
    compared = 0
    for row in published_rows():
        own = ours[int(row["new_submissions"])]
        assert own["eligible_trials"] == int(row["eligible_trials"])
        assert own["attempted_trials"] == int(row["attempted_trials"])
        for column, text in row.items():
            if column in IDENTIFICATION:
                continue
            value = own[our_name(column)]
            if text == "":
                assert value is None, (column, row["new_submissions"])
            else:
                assert value == pytest.approx(float(text), rel=0, abs=1e-9), (column, row["new_submissions"])
                compared += 1
    assert compared == 13 * 39 - 6  # the router has no scores before any submission


def test_a_sample_of_trials_is_what_the_twin_gives():
    benchmark, budgets = load("terminal_science"), (1, 2, 16, 64)
    frame = run_study(benchmark, budgets=budgets, cache=False).trial_frame()
    ineligible = int(frame.trial[~frame.eligible].iloc[0])
    rows = {(row["trial"], row["new_submissions"]): row for row in frame.to_dict("records")}
    for trial in (0, 111, 249, ineligible):
        oracle = TrialOracle(benchmark, trial)
        for budget in budgets:
            assert not differences(oracle.at(budget), rows[trial, budget])


def assert_identical(left, right):
    for field in fields(left.outcomes):
        one, other = getattr(left.outcomes, field.name), getattr(right.outcomes, field.name)
        assert np.array_equal(one, other, equal_nan=True), field.name


@pytest.mark.parametrize("block_bytes", [1, 2_000_000])
def test_the_size_of_blocks_changes_no_bit(monkeypatch, block_bytes):
    arguments = {"trials": 60, "budgets": (1, 2, 16, 256), "cache": False}
    whole = run_study(load("terminal_science"), **arguments)
    monkeypatch.setattr(spread, "BLOCK_BYTES", block_bytes)
    assert_identical(whole, run_study(load("terminal_science"), **arguments))


def test_the_number_of_workers_changes_no_bit(monkeypatch):
    arguments = {"trials": 24, "budgets": (1, 4, 64), "cache": False}
    monkeypatch.setattr(spread, "BLOCK_BYTES", 1)  # several blocks, so that there is work for two
    one = run_study(load("terminal_science"), workers=1, **arguments)
    assert_identical(one, run_study(load("terminal_science"), workers=2, **arguments))


def test_progress_counts_trials_up_to_all_of_them():
    seen = []
    run_study(
        load("terminal_science"),
        trials=5,
        budgets=(1, 2),
        cache=False,
        progress=lambda done, total: seen.append((done, total)),
    )
    assert seen[-1] == (5, 5)
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
