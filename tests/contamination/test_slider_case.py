"""Test sets from a handful of numbers behave as their numbers say."""

import numpy as np
import pytest

from core.contamination.slider_case import SliderCase, slider_errors
from core.errors import UsageError


def table(**changes):
    return slider_errors(SliderCase(**changes)).set_index("estimator")


def test_the_naive_bias_is_the_stated_inflation():
    """Tolerance 4 standard errors of a mean over 400 test sets of 150 leaked items."""
    case = SliderCase()
    assert case.inflation == pytest.approx(0.135)
    assert table().loc["naive", "bias_pp"] == pytest.approx(13.5, abs=4 * 100 * 0.5 * np.sqrt(150) / 500 / 20)


def test_perfect_predictors_have_no_error():
    perfect = table(informativeness=1.0)
    assert perfect.loc["imputation", "rmse_pp"] == pytest.approx(0, abs=1e-9)
    sharp = table(auroc=1.0, informativeness=1.0)  # even an AUROC of .9995 leaves d near .17 and .83
    assert sharp.loc["combined", "rmse_pp"] < 0.25 * sharp.loc["naive", "rmse_pp"]


def test_no_leak_leaves_the_naive_score_exact():
    assert table(rate=0.0).loc["naive", "rmse_pp"] == 0


def test_a_leak_can_lower_the_score():
    assert table(leaked_clean=0.6, leaked_observed=0.3).loc["naive", "bias_pp"] < -7


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"clean": 1.2}, "'clean' must lie within"),
        ({"auroc": 0.3}, "AUROC must lie within"),
        ({"n": 1}, "10 to 20,000 items"),
        ({"rate": 1.0}, "contamination rate"),
    ],
)
def test_impossible_numbers_are_refused(changes, words):
    with pytest.raises(UsageError, match=words):
        SliderCase(**changes)
