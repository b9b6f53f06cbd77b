"""Estimators against their plain twins, and the rules that each must keep."""

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis.extra.numpy import arrays

from core.contamination import estimators as est
from core.contamination.epg import THRESHOLDS, epg
from tests.oracles import contamination_estimators as oracle

unit = st.floats(0, 1, allow_nan=False)
sizes = st.integers(1, 40)


@st.composite
def item_sets(draw):
    n = draw(sizes)
    y = draw(arrays(np.float64, n, elements=st.sampled_from([0.0, 1.0])))
    d, c = (draw(arrays(np.float64, n, elements=unit)) for _ in range(2))
    return y, d, c


def same(estimates, expected):
    if expected is None:
        return isinstance(estimates.value, est.Undefined)
    return estimates.value == pytest.approx(expected, abs=1e-9)


@given(item_sets())
def test_every_estimator_equals_its_plain_twin(data):
    y, d, c = data
    assert same(est.naive(y), oracle.naive(y))
    assert same(est.ipw_hard(y, d), oracle.ipw_hard(y, d))
    assert same(est.impute(c), oracle.impute(c))
    assert same(est.combine(y, d, c), oracle.combine(y, d, c))
    if sum(1 - d) > 1e-6:  # below that the two orders of summation differ by more than the tolerance
        assert same(est.ipw(y, d), oracle.ipw(y, d))
        assert same(est.control_variate(y, d, c), oracle.control_variate(y, d, c))


@given(item_sets())
def test_no_contamination_leaves_the_naive_score(data):
    y, d, c = data
    clean = np.zeros_like(d)
    assert est.ipw(y, clean).value == pytest.approx(est.naive(y).value)
    assert est.combine(y, clean, c).value == pytest.approx(est.naive(y).value)
    assert est.ipw_hard(y, clean).value == pytest.approx(est.naive(y).value)


@given(item_sets())
def test_full_contamination_makes_combined_the_imputed_score(data):
    y, d, c = data
    assert est.combine(y, np.ones_like(d), c).value == pytest.approx(est.impute(c).value)


@given(item_sets(), st.randoms(use_true_random=False))
def test_perfect_predictors_recover_the_clean_score(data, random):
    clean_outcomes, _, _ = data
    contaminated = np.array([random.random() < 0.4 for _ in clean_outcomes], dtype=float)
    observed = np.where(contaminated == 1, 1.0, clean_outcomes)
    truth = clean_outcomes.mean()
    assert est.combine(observed, contaminated, clean_outcomes).value == pytest.approx(truth, abs=1e-12)
    assert est.impute(clean_outcomes).value == pytest.approx(truth, abs=1e-12)
    if contaminated.sum() < len(contaminated):
        assert est.control_variate(observed, contaminated, clean_outcomes).value == pytest.approx(
            truth, abs=1e-12
        )


@given(item_sets())
def test_estimates_stay_within_the_unit_interval(data):
    y, d, c = data
    for estimates in (est.naive(y), est.ipw(y, d), est.ipw_hard(y, d), est.impute(c), est.combine(y, d, c)):
        if bool(estimates.defined):
            assert -1e-12 <= estimates.value <= 1 + 1e-12


@given(item_sets(), st.integers(0, 2**32 - 1))
def test_the_order_of_items_does_not_matter(data, seed):
    y, d, c = data
    order = np.random.default_rng(seed).permutation(len(y))
    for before, after in (
        (est.naive(y), est.naive(y[order])),
        (est.ipw_hard(y, d), est.ipw_hard(y[order], d[order])),
        (est.impute(c), est.impute(c[order])),
        (est.combine(y, d, c), est.combine(y[order], d[order], c[order])),
        (epg(y, d).estimates, epg(y[order], d[order]).estimates),
    ):
        assert before.value == after.value or before.value == pytest.approx(after.value, abs=1e-9)


@settings(max_examples=60)
@given(item_sets())
def test_epg_equals_its_plain_twin(data):
    y, score, _ = data
    thresholds = np.linspace(score.max(), score.min(), THRESHOLDS)
    assert epg(y, score).estimates.value == pytest.approx(oracle.epg(y, score, thresholds), abs=1e-9)


def test_many_replicates_equal_one_by_one():
    rng = np.random.default_rng(4)
    y = (rng.random((7, 50)) < 0.6).astype(float)
    d, c, score = rng.random((7, 50)), rng.random((7, 50)), rng.standard_normal((7, 50))
    many = {
        "naive": est.naive(y),
        "ipw": est.ipw(y, d),
        "hard": est.ipw_hard(y, d),
        "imputation": est.impute(c),
        "combined": est.combine(y, d, c),
        "control": est.control_variate(y, d, c),
        "epg": epg(y, score).estimates,
    }
    for row in range(7):
        single = {
            "naive": est.naive(y[row]),
            "ipw": est.ipw(y[row], d[row]),
            "hard": est.ipw_hard(y[row], d[row]),
            "imputation": est.impute(c[row]),
            "combined": est.combine(y[row], d[row], c[row]),
            "control": est.control_variate(y[row], d[row], c[row]),
            "epg": epg(y[row], score[row]).estimates,
        }
        for name, estimates in many.items():
            assert estimates.values[row] == pytest.approx(single[name].value, abs=1e-12), name


def test_one_predictor_serves_many_replicates():
    rng = np.random.default_rng(5)
    y, d = (rng.random((3, 20)) < 0.5).astype(float), rng.random(20)
    assert est.ipw(y, d).values[2] == pytest.approx(est.ipw(y[2], d).value)


def test_an_undefined_replicate_is_masked_and_says_why():
    estimates = est.ipw([[1, 0], [1, 0]], [[1, 1], [0, 1]])
    assert estimates.defined.tolist() == [False, True]
    assert "no weight is left" in estimates.reason
    assert np.isfinite(estimates.values).all()


def test_epg_finds_an_obvious_clean_part():
    y = np.array([0.0, 1.0] * 50 + [1.0] * 50)
    score = np.array([0.0] * 100 + [1.0] * 50)
    result = epg(y, score)
    assert result.estimates.value == 0.5
    assert float(result.clean_share) == pytest.approx(2 / 3)
    assert float(result.z) > 0


@pytest.mark.parametrize(
    ("y", "score"),
    [
        ([1, 1, 1, 1], [0.1, 0.2, 0.3, 0.4]),
        ([1, 0, 1, 0], [2.0, 2.0, 2.0, 2.0]),
        ([1, 1, 0, 0], [0.1, 0.2, 0.3, 0.4]),
    ],
    ids=["no spread", "one score", "clean part scores higher"],
)
def test_epg_without_a_gain_is_the_naive_score(y, score):
    result = epg(y, score)
    assert result.estimates.value == np.mean(y)
    assert float(result.clean_share) == 1
    assert float(result.z) == 0
