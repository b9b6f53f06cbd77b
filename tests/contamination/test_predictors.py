"""The exact AUROC of Beta scores, its inversion, and correctness scores of a stated bias."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from scipy.integrate import quad
from scipy.stats import beta

from core.contamination import predictors as pred
from core.errors import UsageError


@pytest.mark.parametrize(
    ("concentration", "target", "stated"),
    [(10, 0.7, 0.556), (10, 0.9, 0.636), (5, 0.9, 0.682), (20, 0.9, 0.599), (10, 1.0, 0.833)],
)
def test_stated_means_come_out(concentration, target, stated):
    assert pred.beta_means([target], concentration)[0] == pytest.approx(stated, abs=5e-4)


@pytest.mark.parametrize("concentration", [2.0, 3.5, 10.0, 50.0])
@pytest.mark.parametrize("m", [0.52, 0.6, 0.75, 0.9])
def test_the_area_equals_adaptive_quadrature(concentration, m):
    positive = beta(m * concentration, (1 - m) * concentration)
    negative = beta((1 - m) * concentration, m * concentration)
    area = quad(lambda x: positive.pdf(x) * negative.cdf(x), 0, 1, limit=400, epsabs=1e-11)[0]
    assert pred.beta_auroc(m, concentration) == pytest.approx(area, abs=1e-7)


@settings(max_examples=25, deadline=None)
@given(st.floats(0.5, 1.0), st.floats(2, 200))
def test_inversion_returns_the_target(target, concentration):
    m = pred.beta_means([target], concentration)
    assert pred.beta_auroc(m, concentration)[0] == pytest.approx(min(target, pred.AUROC_CAP), abs=1e-9)


def test_area_grows_with_the_mean():
    assert (np.diff(pred.beta_auroc(np.linspace(0.5, 0.95, 60), 10)) > 0).all()


@pytest.mark.parametrize("target", [0.5, 0.7, 0.9, 1.0])
def test_drawn_scores_have_the_target_area(target):
    """Tolerance: 4 standard errors of an AUROC of 4,000 against 4,000 items (at most .0065 each)."""
    rng = np.random.default_rng(0)
    contaminated = np.arange(8000) < 4000
    m = pred.beta_means([target], 10)[0]
    scores = pred.memorization_scores(contaminated, m, 10, rng)
    assert pred.empirical_auroc(scores[None], contaminated)[0] == pytest.approx(
        min(target, 0.9995), abs=4 * 0.0065
    )


@pytest.mark.parametrize("chance", [0.0, 0.25, 0.5])
@pytest.mark.parametrize("q", [0.0, 0.3, 1.0])
def test_correctness_scores_have_the_stated_bias(chance, q):
    """E[c] - mean y = (1 - q) (chance - p); tolerance 4 standard errors of a mean of 20,000 scores (sd <= .5)."""
    rng = np.random.default_rng(1)
    y = (rng.random(20_000) < 0.6).astype(float)
    scores = pred.correctness_scores(y, q, chance, rng)
    assert scores.mean() - y.mean() == pytest.approx(
        (1 - q) * (chance - y.mean()), abs=4 * 0.5 / np.sqrt(20_000)
    )


def test_perfect_and_open_answer_scores_are_point_masses():
    rng = np.random.default_rng(2)
    y = np.array([0.0, 1.0])
    assert pred.correctness_scores(y, 1.0, 0.25, rng).tolist() == [0, 1]
    assert pred.correctness_scores(y, 0.0, 0.0, rng).tolist() == [0, 0]


def test_empirical_area_counts_ties_half():
    assert (
        pred.empirical_auroc(np.array([[1.0, 1.0, 2.0, 0.0]]), np.array([True, False, True, False]))[0]
        == 0.875
    )


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: pred.beta_means([0.4]), r"within \[0\.5, 1\]"),
        (lambda: pred.beta_means([0.7], 1), "concentration must lie within"),
        (lambda: pred.informativeness([0.1], 0.5, 0.5), "equals the chance rate"),
        (lambda: pred.check_lines(62), "2 to 61 lines"),
    ],
)
def test_impossible_wishes_are_refused(call, words):
    with pytest.raises(UsageError, match=words):
        call()
