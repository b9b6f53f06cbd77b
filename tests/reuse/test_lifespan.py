"""The lifespan law: constants, predictions, errors elsewhere, and what is read off the published curves."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core import published
from core.reuse.lifespan import (
    OUTCOMES,
    Case,
    Cell,
    error_range,
    external_cases,
    external_cases_at,
    first_crossing,
    fit_law,
    law_at,
    livebench_cells,
    published_law,
    training_cells,
)

CONSTANTS = {"score_gap": 0.6927637936637241, "false_winner": 58.779370191787386}
COLUMNS = {"score_gap": "score_gap_plus2", "false_winner": "false90"}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_constants_come_out_of_the_published_cells(outcome):
    law = published_law(outcome)
    assert law.constant == pytest.approx(CONSTANTS[outcome], rel=1e-12, abs=0)
    assert (law.cells, law.left_out) == {"score_gap": (23, 1), "false_winner": (18, 6)}[outcome]


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_predictions_are_the_published_ones(outcome):
    law = published_law(outcome)
    points = published.predictor_figure_points().frame
    points = points[points["panel"] == COLUMNS[outcome]]
    assert len(points) == {"score_gap": 27, "false_winner": 22}[outcome]
    for items, scores, predicted in zip(points["n"], points["d"], points["predicted_k"], strict=True):
        assert law.predict(items, scores) == pytest.approx(predicted, rel=1e-12)
    for case in external_cases(outcome):
        assert case.predicted == pytest.approx(law.predict(case.cell.items, case.cell.scores), rel=1e-12)


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_training_cells_are_those_of_the_figure(outcome):
    points = published.predictor_figure_points().frame
    points = points[(points["panel"] == COLUMNS[outcome]) & (points["source"] == "LiveBench fit cell")]
    used = [cell for cell in training_cells(outcome) if cell.status == "crossed"]
    assert [(cell.items, cell.scores, cell.observed) for cell in used] == list(
        zip(points["n"], points["d"], points["observed_k"], strict=True)
    )


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_factors_are_the_published_ones(outcome):
    table = published.predictor_external_validation().frame
    table = table[table["outcome"] == COLUMNS[outcome]].set_index("benchmark")
    for case in external_cases(outcome):
        row = table.loc[case.cell.benchmark]
        if case.cell.status == "right_censored":
            assert math.isinf(case.factor)
            assert case.least_factor == pytest.approx(row["max_tested_k"] / row["predicted_k"])
        else:
            assert case.factor == pytest.approx(1 / row["predicted_over_observed"], rel=1e-12)
            assert case.least_factor == case.factor


def test_error_range_is_open_where_a_case_is_censored():
    gap, winners = (error_range(external_cases(outcome)) for outcome in OUTCOMES)
    assert math.isinf(gap.high)
    assert gap.known_high == pytest.approx(2048 / 12.49987897481782)
    assert gap.low == pytest.approx(64 / 712.4684160926446)
    assert math.isinf(gap.around(10.0)[1])
    assert gap.around(1.0)[0] == 1.0
    assert winners.high == winners.known_high == pytest.approx(9.3051157376899)
    assert (gap.cases, winners.cases) == (4, 4)


def test_censored_cells_take_no_part_in_the_fit():
    used = (Cell("livebench", 100, 2, 51.0, "crossed"), Cell("livebench", 100, 5, 21.0, "crossed"))
    left = (Cell("livebench", 100, 10, math.inf, "right_censored"), Cell("livebench", 30, 18, 1.0, "static"))
    law = fit_law((*used, *left), "score_gap")
    assert law.constant == pytest.approx(1.0)
    assert (law.cells, law.left_out) == (2, 2)


def test_another_tolerance_reads_the_published_curves():
    exact = {case.cell.benchmark: case.cell for case in external_cases("score_gap")}
    nearly = {case.cell.benchmark: case.cell for case in external_cases_at(2.0 - 1e-12)}
    assert nearly == exact
    trained = [cell for cell in training_cells("score_gap") if cell.items == 204]
    assert list(livebench_cells(2.0)) == trained
    thresholds = published.feedback_thresholds().frame
    means = thresholds[thresholds["summary"] == "dimension_mean"].set_index("dimension")
    for cell in livebench_cells(1.0):
        assert cell.observed == means.loc[cell.scores, "score_gap_plus1_k"]


def test_at_two_points_the_law_is_the_published_one():
    assert law_at(2.0) == published_law("score_gap")
    assert external_cases_at(2.0) == external_cases("score_gap")
    assert law_at(1.0).constant < law_at(2.0).constant < law_at(3.0).constant


def test_static_crossings_are_no_evidence():
    static = Case(Cell("swe_verified", 166, 10, 1.0, "static"), 3.4)
    crossed = Case(Cell("helm_lite", 2721, 10, 64.0, "crossed"), 32.0)
    found = error_range((static, crossed))
    assert (found.low, found.high, found.cases) == (2.0, 2.0, 1)
    assert any(case.cell.status == "static" for case in external_cases_at(0.5))


@given(
    st.floats(0.01, 100),
    st.lists(st.tuples(st.integers(20, 5000), st.integers(1, 20)), min_size=1, max_size=20),
)
def test_the_fit_recovers_a_law_without_errors(constant, sizes):
    for outcome in OUTCOMES:
        cells = [
            Cell("livebench", n, d, 1 + constant * (n if outcome == "score_gap" else 1) / d, "crossed")
            for n, d in sizes
        ]
        law = fit_law(cells, outcome)
        assert law.constant == pytest.approx(constant, rel=1e-9)
        for cell in cells:
            assert law.predict(cell.items, cell.scores) == pytest.approx(cell.observed, rel=1e-9)


@given(st.lists(st.floats(-5, 5), min_size=2, max_size=12), st.floats(-5, 5))
def test_first_crossing_is_the_first(values, level):
    budgets = [1 << place for place in range(len(values))]
    found = first_crossing(budgets, values, level)
    later = dict(list(zip(budgets, values, strict=True))[1:])
    if math.isinf(found):
        assert all(value < level for value in later.values())
    else:
        assert later[found] >= level
        assert all(value < level for budget, value in later.items() if budget < found)
