"""What is said about sizes, tolerances and outcomes that the lifespan law and its simulation do not take."""

from __future__ import annotations

import math

import pytest

from core.errors import DataError, UsageError
from core.reuse.lifespan import Case, Cell, error_range, fit_law, law_at, published_law, training_cells
from core.reuse.lifespan_simulation import LifespanWish


def test_unknown_outcome():
    with pytest.raises(UsageError, match="Unknown outcome 'gap'; choose score_gap or false_winner"):
        training_cells("gap")


@pytest.mark.parametrize("size", [(0, 1), (10, 0), (-5, 1), (math.nan, 1)])
def test_sizes_below_one(size):
    with pytest.raises(UsageError, match="at least one reused item and one returned score"):
        published_law("score_gap").predict(*size)


def test_more_scores_than_items():
    with pytest.raises(UsageError, match="30 returned scores need at least as many reused items, found 20"):
        published_law("false_winner").predict(20, 30)


@pytest.mark.parametrize("tolerance", [0.0, -1.0, math.inf, math.nan])
def test_tolerance_outside_its_domain(tolerance):
    with pytest.raises(UsageError, match="The tolerance is a positive number"):
        law_at(tolerance)


def test_tolerance_that_no_curve_reaches():
    with pytest.raises(DataError, match="nothing to fit"):
        law_at(50.0)


def test_nothing_to_fit_or_compare():
    censored = Cell("livebench", 30, 1, math.inf, "right_censored")
    with pytest.raises(DataError, match="nothing to fit"):
        fit_law([censored], "false_winner")
    with pytest.raises(DataError, match="no observation to compare"):
        error_range([Case(Cell("helm_lite", 10, 1, 1.0, "static"), 5.0)])


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"items": 3001}, "takes 1 to 3,000 reused items, found 3001"),
        ({"scores": 61}, "takes 1 to 60 returned scores"),
        ({"models": 1}, "takes 2 to 80 models"),
        ({"draws": 0}, "takes 1 to 50 draws"),
        ({"trials": 0}, "takes 1 to 1,000 splits"),
        ({"seed": -1}, "whole number from 0 to 9,999"),
        ({"items": 4}, "5 returned scores need at least 5 reused items, one each; found 4"),
        ({"gap": 9.0}, "the gap can be at most"),
        ({"dependence": 2.0}, "The dependence is a number from 0"),
    ],
)
def test_wishes_that_are_not_simulated(values, message):
    with pytest.raises(UsageError, match=message):
        LifespanWish(**{"items": 50, "scores": 5, **values})
