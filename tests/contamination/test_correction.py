"""Corrections with intervals: against plain refits, against known truth, and from a reader's file."""

import io

import numpy as np
import pandas as pd
import pytest

from core.contamination import regimes as reg
from core.contamination.calibration import platt
from core.contamination.correction import Calibration, CorrectionSettings, TestSet, correct
from core.contamination.correction_files import TEMPLATE, read_items
from core.contamination.estimators import ESTIMATORS, Undefined, combine, ipw
from core.contamination.pool_correction import PoolCase, calibration_sizes, draw_case, repeated_errors
from core.contamination.pools import calibrated_pool

FEW = CorrectionSettings(resamples=50)


@pytest.fixture(scope="module")
def pool():
    return calibrated_pool("mmlu", 1)


def by_name(correction):
    return {score.estimator: score for score in correction.scores}


def test_point_estimates_use_scikit_learns_scaling(pool):
    case = draw_case(pool, PoolCase(spiked=100))
    found = by_name(correct(case.test, case.calibration, FEW))
    known = case.calibration
    d = platt(known.score, known.spiked)(case.test.score)
    clean = ~known.spiked
    c = platt(known.confidence[clean], known.y[clean])(case.test.confidence)
    assert found["ipw"].value == pytest.approx(ipw(case.test.y, d).value, abs=1e-5)
    assert found["combined"].value == pytest.approx(combine(case.test.y, d, c).value, abs=1e-5)


def test_a_prior_correction_is_that_of_a_single_scaling(pool):
    case = draw_case(pool, PoolCase(spiked=100))
    known = case.calibration
    d = platt(known.score, known.spiked).at_prior(0.3)(case.test.score)
    corrected = correct(case.test, known, CorrectionSettings(resamples=10, prior=0.3))
    assert corrected.contaminated_probability == pytest.approx(d, abs=1e-4)
    assert corrected.memorization.prior == 0.3


def test_all_estimators_come_in_a_fixed_order_with_an_interval_around_them(pool):
    case = draw_case(pool, PoolCase(spiked=200))
    correction = correct(case.test, case.calibration, FEW)
    assert tuple(score.estimator for score in correction.scores) == ESTIMATORS
    assert all(
        score.low <= score.value <= score.high for score in correction.scores if score.estimator != "epg"
    )


def test_the_naive_interval_is_the_binomial_one(pool):
    """Bootstrap standard error of a proportion; tolerance 4 Monte Carlo standard errors at 2,000 resamples (6 %)."""
    case = draw_case(pool, PoolCase(spiked=20))
    naive = by_name(correct(case.test, case.calibration))["naive"]
    p = naive.value
    width = 2 * 1.96 * np.sqrt(p * (1 - p) / 500)
    assert naive.high - naive.low == pytest.approx(width, rel=0.1)


def test_fewer_calibration_items_widen_the_ipw_interval(pool):
    def width(spiked):
        case = draw_case(pool, PoolCase(spiked=spiked))
        found = by_name(correct(case.test, case.calibration, CorrectionSettings(resamples=400)))
        return found["ipw"].high - found["ipw"].low

    assert width(10) > 1.2 * width(1000)


def test_a_correction_is_a_function_of_its_seed(pool):
    case = draw_case(pool, PoolCase(spiked=20))
    frames = [
        correct(case.test, case.calibration, CorrectionSettings(resamples=30, seed=seed)).frame()
        for seed in (1, 1, 2)
    ]
    assert frames[0].equals(frames[1])
    assert not frames[0].equals(frames[2])


def test_without_calibration_the_rest_says_what_it_needs():
    test = TestSet(np.array([1.0, 0.0, 1.0]), np.array([0.1, 0.2, 0.3]))
    found = by_name(correct(test, None, FEW))
    assert found["naive"].value == pytest.approx(2 / 3)
    assert isinstance(found["combined"].value, Undefined)
    assert "items of known status to calibrate on and a correctness signal" in str(found["combined"].value)
    assert not correct(test, None, FEW).frame()["estimate"].isna()[0]


def test_the_combined_estimate_recovers_a_high_dose_score(pool):
    """Random, high dose with the whole calibration half; the paper has RMSE 1.8 for MMLU, naive 13.1."""
    table = repeated_errors(pool, PoolCase(design=reg.Design(replicates=400))).set_index("estimator")
    assert table.loc["combined", "rmse_pp"] < 3
    assert 11 < table.loc["naive", "rmse_pp"] < 15.5
    assert table.loc["naive", "bias_pp"] > 11


def test_ten_spiked_items_already_beat_the_naive_score_and_more_help(pool):
    """Differences of RMSE in 300 replicates; tolerance: the intervals of 2 standard errors must not overlap."""
    table = calibration_sizes(pool, PoolCase(design=reg.Design(replicates=300)), (10, 500))
    rows = table.set_index(["size", "estimator"])
    assert rows.loc[(10, "ipw"), "rmse_high_pp"] < rows.loc[(10, "naive"), "rmse_low_pp"]
    assert rows.loc[(500, "imputation"), "rmse_high_pp"] < rows.loc[(10, "imputation"), "rmse_low_pp"] / 3


def test_intervals_cover_a_score_that_is_estimable():
    """Leaks without effect on the outcomes: IPW is consistent for the population mean .6, whatever its weights.

    Coverage over 120 data sets with 200 resamples; tolerance 3.5 standard errors at .95, below only (the bootstrap
    of a ratio may over-cover).
    """
    rng = np.random.default_rng(0)
    hits = 0
    for seed in range(120):
        spiked = np.arange(200) % 2 == 0
        calibration = Calibration(rng.standard_normal(200) + 3 * spiked, spiked, np.full(200, np.nan))
        leaked = rng.random(300) < 0.3
        y = (rng.random(300) < 0.6).astype(float)
        test = TestSet(y, rng.standard_normal(300) + 3 * leaked)
        found = by_name(correct(test, calibration, CorrectionSettings(resamples=200, seed=seed, prior=0.3)))[
            "ipw"
        ]
        hits += found.low <= 0.6 <= found.high
    assert hits / 120 > 0.95 - 3.5 * np.sqrt(0.95 * 0.05 / 120)


def test_soft_weights_leave_part_of_a_leak_in_the_score():
    """With a calibrated d, the leaked share of the weights is 1 - E[(1-d)^2] / E[1-d], not zero: IPW under-corrects."""
    rng = np.random.default_rng(4)
    d = rng.beta(1, 2, 200_000)
    leaked = rng.random(200_000) < d
    left = np.sum((1 - d)[leaked]) / np.sum(1 - d)
    assert left == pytest.approx(1 - np.mean((1 - d) ** 2) / np.mean(1 - d), abs=4 / np.sqrt(200_000))
    assert ipw(leaked.astype(float), d).value == pytest.approx(left)


def test_the_template_is_read_and_corrected():
    items = read_items(io.StringIO(TEMPLATE))
    assert items.score_column == "min_k_plus"
    assert items.correctness_column == "correct_probability"
    assert items.items == ("test-1", "test-2", "test-3", "test-4")
    assert int(items.calibration.spiked.sum()) == 4
    found = by_name(correct(items.test, items.calibration, FEW))
    assert found["naive"].value == 0.75
    assert not isinstance(found["combined"].value, Undefined)


@pytest.mark.parametrize(
    ("spiked", "clean", "warned"), [(1, 1, True), (5, 4, True), (4, 9, True), (5, 5, False)]
)
def test_few_items_of_known_status_are_said_to_be_few(spiked, clean, warned):
    rows = [f"k{place},1,{int(place < spiked)},{place % 7}" for place in range(spiked + clean)]
    items = read_items(io.StringIO("item,y,spiked,score\n" + "\n".join([*rows, "t1,1,,2", "t2,0,,3"])))
    said = [note for note in items.notes if "unreliable" in note]
    assert bool(said) == warned
    if warned:
        assert said[0].startswith(f"The calibration rests on {spiked} spiked and {clean} clean item")


def test_probabilities_are_taken_as_they_are_without_clean_items():
    table = pd.read_csv(io.StringIO(TEMPLATE)).drop(columns="spiked")
    items = read_items(table)
    assert items.calibration is None
    assert "taken as a probability" in items.notes[-1]
    found = by_name(correct(items.test, None, FEW))
    assert found["imputation"].value == pytest.approx(table["correct_probability"].mean())


def test_text_can_be_the_correctness_signal():
    table = pd.read_csv(io.StringIO(TEMPLATE))
    table["question"] = ["easy sum" if index % 2 == 0 else "hard proof" for index in range(len(table))]
    table.loc[table["item"].str.startswith("known"), "y"] = [1, 0, 1, 0]
    items = read_items(table, correctness="question")
    assert "text classifier (tfidf)" in items.notes[-1]
    assert items.test.probability[0] > items.test.probability[1]


def test_outcomes_of_spiked_items_may_be_blank():
    table = pd.read_csv(io.StringIO(TEMPLATE))
    table.loc[table["spiked"] == 1, "y"] = np.nan
    assert read_items(table).calibration is not None
