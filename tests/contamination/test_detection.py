"""AUROC, its interval, ROC curve and reliability."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given
from sklearn.metrics import roc_auc_score

from core.contamination.detection import auroc, auroc_by_level, reliability, roc
from core.errors import DataError


@given(st.lists(st.tuples(st.integers(0, 5), st.booleans()), min_size=2, max_size=40))
def test_auroc_equals_scikit_learns(pairs):
    score, label = np.array([pair[0] for pair in pairs], float), np.array([pair[1] for pair in pairs])
    if label.all() or not label.any():
        with pytest.raises(DataError, match="contaminated and clean"):
            auroc(score, label)
        return
    result = auroc(score, label)
    assert result.value == pytest.approx(roc_auc_score(label, score), abs=1e-12)
    assert result.low <= result.value <= result.high


def test_delong_variance_equals_the_double_loop():
    rng = np.random.default_rng(1)
    positive, negative = rng.normal(1, 1, 30), rng.normal(0, 1, 40)
    kernel = np.array([[1.0 * (a > b) + 0.5 * (a == b) for b in negative] for a in positive])
    variance = kernel.mean(1).var(ddof=1) / 30 + kernel.mean(0).var(ddof=1) / 40
    result = auroc(np.concatenate([positive, negative]), np.repeat([1, 0], [30, 40]))
    assert result.value - result.low == pytest.approx(1.959963984540054 * np.sqrt(variance))


def test_the_interval_covers_as_often_as_it_says():
    """Coverage over 400 draws with known AUROC .76; tolerance 3 standard errors of a proportion at .95."""
    rng = np.random.default_rng(2)
    truth = 0.7602499389065233  # Phi(1 / sqrt 2)
    hits = 0
    for _ in range(400):
        result = auroc(
            np.concatenate([rng.normal(1, 1, 60), rng.normal(0, 1, 80)]), np.repeat([1, 0], [60, 80])
        )
        hits += result.low <= truth <= result.high
    assert abs(hits / 400 - 0.95) < 3 * np.sqrt(0.95 * 0.05 / 400)


def test_levels_are_compared_with_the_clean_items():
    by_level = auroc_by_level([0, 1, 2, 3, -1], [0, 0, 1, 4, 4])
    assert by_level[1].value == 1
    assert by_level[4].value == 0.5
    assert by_level[None].positives == 3


def test_roc_runs_from_corner_to_corner():
    false_rate, true_rate = roc([0.1, 0.4, 0.35, 0.8], [0, 0, 1, 1])
    assert (false_rate[0], true_rate[0], false_rate[-1], true_rate[-1]) == (0, 0, 1, 1)
    assert np.trapezoid(true_rate, false_rate) == pytest.approx(0.75)


def test_reliability_of_honest_probabilities_is_small():
    rng = np.random.default_rng(3)
    p = rng.random(20_000)
    diagram = reliability(p, rng.random(20_000) < p)
    assert diagram.count.sum() == 20_000
    assert diagram.error < 0.01
    assert (np.abs(diagram.predicted - diagram.observed) < 0.04).all()


def test_reliability_keeps_the_ends_and_skips_empty_bins():
    diagram = reliability([0.0, 1.0, 1.0], [0, 1, 0])
    assert diagram.count.tolist() == [1, 2]
    assert diagram.observed.tolist() == [0, 0.5]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: auroc([1.0], [1, 0]), "one label per score"),
        (lambda: auroc([1.0, float("nan")], [1, 0]), "finite"),
        (lambda: reliability([1.5], [1]), r"within \[0, 1\]"),
        (lambda: reliability([], []), "one outcome per probability"),
    ],
)
def test_wrong_input_is_refused(call, words):
    with pytest.raises(DataError, match=words):
        call()
