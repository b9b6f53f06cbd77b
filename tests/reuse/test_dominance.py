"""Which profiles survive: the compiled scan and the plain one are the same function."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.reuse import dominance
from core.reuse.dominance import plain_scan, undominated
from tests.oracles.rules import frontier


def cases(trials, models, submissions, coordinates, seed):
    generator = np.random.default_rng(seed)
    known = generator.integers(0, 6, (trials, models, coordinates)) / 5.0
    profiles = generator.integers(0, 6, (trials, submissions, coordinates)) / 5.0
    candidates = generator.random((trials, submissions)) < 0.8
    return known, profiles, candidates


sizes = st.tuples(
    st.integers(1, 3), st.integers(0, 4), st.integers(0, 20), st.integers(1, 4), st.integers(0, 2**32)
)


@settings(deadline=None)
@given(sizes, st.sampled_from((0.0, 0.2, 0.5)))
def test_loops_and_arrays_release_the_same(size, eta):
    known, profiles, candidates = cases(*size)
    assert np.array_equal(
        dominance._scan(known, profiles, candidates, eta), plain_scan(known, profiles, candidates, eta)
    )


@settings(deadline=None)
@given(sizes, st.sampled_from((0, 1, 2)))
def test_the_plain_scan_is_the_definition(size, steps):
    known, profiles, candidates = cases(*size)
    shown = plain_scan(known, profiles, candidates, steps / 5.0)
    for trial in range(len(profiles)):
        places = np.flatnonzero(candidates[trial])
        whole = np.rint(known[trial] * 5).astype(int).tolist()
        wanted = frontier(whole, np.rint(profiles[trial, places] * 5).astype(int).tolist(), steps)
        assert shown[trial, places].tolist() == wanted
        assert not shown[trial, ~candidates[trial]].any()


def test_a_profile_shuts_out_its_equals():
    known = np.zeros((1, 0, 2))
    profiles = np.array([[[0.3, 0.4], [0.3, 0.4], [0.4, 0.3], [0.3, 0.3]]])
    assert plain_scan(known, profiles, np.ones((1, 4), bool), 0.0).tolist() == [[True, False, True, False]]


def test_a_gain_of_exactly_the_margin_is_not_enough():
    for base, eta in ((0.1, 0.2), (0.7, 0.1), (0.35, 0.01)):
        profiles = np.round(np.array([[[base], [base + eta], [base + 2.1 * eta]]]), 12)
        assert plain_scan(np.zeros((1, 0, 1)), profiles, np.ones((1, 3), bool), eta).tolist() == [
            [True, False, True]
        ]


@pytest.mark.skipif(importlib.util.find_spec("numba") is None, reason="Numba is not installed")
def test_the_compiled_scan_is_used_for_long_sequences_and_agrees(monkeypatch):
    known, profiles, candidates = cases(2, 3, 60, 4, seed=3)
    table, scores = np.moveaxis(known, 2, 0), np.moveaxis(profiles, (0, 1, 2), (2, 1, 0))
    plain = undominated(table, scores, candidates.T, 0.2)
    asked = []
    compiled = dominance._compiled()
    monkeypatch.setattr(dominance, "KERNEL_FROM", 1)
    monkeypatch.setattr(dominance, "_compiled", lambda: asked.append(1) or compiled)
    assert np.array_equal(undominated(table, scores, candidates.T, 0.2), plain)
    assert asked
    monkeypatch.setenv("MIRAGE_NO_NUMBA", "1")
    asked.clear()
    assert np.array_equal(undominated(table, scores, candidates.T, 0.2), plain)
    assert not asked


def test_without_numba_the_plain_scan_does_it(monkeypatch):
    known, profiles, candidates = cases(1, 2, 30, 3, seed=4)
    monkeypatch.setattr(dominance, "KERNEL_FROM", 1)
    monkeypatch.setattr(dominance, "_compiled", lambda: None)
    table, scores = np.moveaxis(known, 2, 0), np.moveaxis(profiles, (0, 1, 2), (2, 1, 0))
    assert np.array_equal(
        undominated(table, scores, candidates.T, 0.0).T, plain_scan(known, profiles, candidates, 0.0)
    )
