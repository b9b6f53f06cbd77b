"""Bootstrap intervals over trials, against a plain loop over the same indices."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from core.statistics import BOOTSTRAP_SEED, RESAMPLES, mean_intervals, resample_counts


def by_loop(values, eligible, resamples, seed):
    """Mean, ends and number of dropped resamples of one column, with no array trick."""
    trials = len(values)
    indices = np.random.default_rng(seed).integers(0, trials, (resamples, trials))
    means, dropped = [], 0
    for row in indices:
        kept = [values[index] for index in row if eligible[index]]
        if kept:
            means.append(sum(kept) / len(kept))
        else:
            dropped += 1
    means.sort()

    def quantile(share):
        place = share * (len(means) - 1)
        below = int(place)
        above = min(below + 1, len(means) - 1)
        return means[below] + (place - below) * (means[above] - means[below])

    chosen = [value for value, fits in zip(values, eligible, strict=True) if fits]
    return sum(chosen) / len(chosen), quantile(0.025), quantile(0.975), dropped


def test_the_protocols_numbers():
    assert (BOOTSTRAP_SEED, RESAMPLES) == (2026081900, 2000)
    indices = np.random.default_rng(2026081900).integers(0, 250, (2000, 250))
    counts = resample_counts(250)
    assert counts.shape == (2000, 250)
    assert np.array_equal(counts[17], np.bincount(indices[17], minlength=250))
    assert np.all(counts.sum(axis=1) == 250)


@profile(deadline=None, derandomize=True, database=None, max_examples=40)
@given(
    trials=st.integers(1, 25), columns=st.integers(1, 3), seed=st.integers(0, 2**32), share=st.floats(0.05, 1)
)
def test_intervals_are_those_of_the_loop(trials, columns, seed, share):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(trials, columns))
    eligible = rng.random(trials) < share
    eligible[rng.integers(trials)] = True
    found = mean_intervals(values, eligible, resamples=60, seed=seed)
    for column in range(columns):
        mean, low, high, dropped = by_loop(values[:, column], eligible, 60, seed)
        assert found.mean[column] == pytest.approx(mean, abs=1e-12)
        assert found.low[column] == pytest.approx(low, abs=1e-12)
        assert found.high[column] == pytest.approx(high, abs=1e-12)
        assert found.dropped == dropped


def test_resamples_without_an_eligible_trial_are_dropped_and_counted():
    eligible = np.zeros(4, dtype=bool)
    eligible[2] = True
    values = np.array([np.nan, 50.0, 3.0, np.inf])  # entries of ineligible trials are not looked at
    found = mean_intervals(values, eligible)
    indices = np.random.default_rng(BOOTSTRAP_SEED).integers(0, 4, (RESAMPLES, 4))
    assert found.dropped == int((~(indices == 2).any(axis=1)).sum()) > 0
    assert (float(found.mean), float(found.low), float(found.high)) == (3.0, 3.0, 3.0)


def test_nothing_eligible_gives_no_number():
    found = mean_intervals(np.ones((5, 2)), np.zeros(5, dtype=bool), resamples=50)
    assert found.dropped == 50
    assert found.mean.shape == (2,)
    assert np.isnan(found.mean).all()
    assert np.isnan(found.low).all()
    assert np.isnan(found.high).all()


def test_all_columns_share_the_resampled_trials():
    rng = np.random.default_rng(5)
    values = rng.normal(size=30)
    found = mean_intervals(np.stack([values, 2 * values + 1], axis=1), np.ones(30, dtype=bool))
    assert found.low[1] == pytest.approx(2 * found.low[0] + 1)
    assert found.high[1] == pytest.approx(2 * found.high[0] + 1)
    assert found.dropped == 0


def test_shared_counts_cannot_be_written():
    with pytest.raises(ValueError, match="read-only"):
        resample_counts(10)[0, 0] = 1
