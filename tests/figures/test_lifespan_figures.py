"""The lifespan figures: censoring drawn and said, words and data that agree, valid specifications."""

from __future__ import annotations

import json
import math
from itertools import combinations

import numpy as np
import pytest

from core.figures import export
from core.figures.lifespan import validation_claim, validation_figure
from core.figures.lifespan_calculator import Answer, calculator_figure
from core.figures.lifespan_curve import reading_figure
from core.figures.lifespan_words import SLOT, budget_words, fold, range_words
from core.published import BENCHMARKS
from core.reuse.lifespan import (
    OUTCOMES,
    Case,
    Cell,
    error_range,
    external_cases,
    external_cases_at,
    law_at,
    livebench_cells,
    published_law,
    training_cells,
)
from core.reuse.lifespan_simulation import LifespanCurves, LifespanWish, read_off
from core.reuse.study import DEFAULT_BUDGETS

TOLERANCES = (0.5, 1.0, 2.0, 3.0, 4.0)


def evidence(outcome, tolerance=2.0):
    if outcome == "false_winner":
        law, cells, external = published_law(outcome), training_cells(outcome), external_cases(outcome)
    else:
        law, external = law_at(tolerance), external_cases_at(tolerance)
        cells = training_cells(outcome) if tolerance == 2.0 else livebench_cells(tolerance)
    return law, tuple(Case(cell, law.predict(cell.items, cell.scores)) for cell in cells), external


def validation(outcome, tolerance=2.0):
    return validation_figure(*evidence(outcome, tolerance))


def reading_of(values, outcome="score_gap"):
    increase = np.broadcast_to(np.array(values, dtype=float), (3, 5, len(values))).copy()
    wish = LifespanWish(40, 4, models=6, draws=3, trials=5)
    budgets = DEFAULT_BUDGETS[: len(values)]
    known = np.ones((3, 5), dtype=bool)
    return read_off(LifespanCurves(wish, budgets, increase, increase / 10, known), outcome, 2.0), wish


def answer_of(outcome="score_gap", items=500, scores=10, tolerance=2.0, reading=None):
    law, _, external = evidence(outcome, tolerance)
    return Answer(law, items, scores, error_range(external), external, reading)


def drawn_rows(spec):
    return [row for layer in spec["layer"] for row in layer.get("data", {}).get("values", [])]


@pytest.mark.parametrize("outcome", OUTCOMES)
@pytest.mark.parametrize("mode", ["light", "dark"])
def test_specifications_are_valid(assert_valid_spec, outcome, mode):
    reading, wish = reading_of([0, 1, 3, 9, 9.5], outcome)
    for figure in (
        validation(outcome),
        calculator_figure(answer_of(outcome)),
        calculator_figure(answer_of(outcome, reading=reading)),
        reading_figure(reading, wish),
    ):
        assert_valid_spec(figure.in_mode(mode).themed_spec)


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_every_tolerance_has_a_valid_figure(assert_valid_spec, tolerance):
    figure = validation("score_gap", tolerance)
    assert_valid_spec(figure.themed_spec)
    assert set(figure.data["label"]) == ({"published"} if tolerance == 2.0 else {"recomputed"})
    assert_valid_spec(calculator_figure(answer_of(tolerance=tolerance)).themed_spec)


def test_the_censored_benchmark_stands_in_its_own_slot():
    figure = validation("score_gap")
    swe = [row for row in drawn_rows(figure.spec) if row.get("benchmark") == "swe_verified"]
    assert swe
    assert all(row["observed"] == SLOT and row["censored"] for row in swe)
    assert all(row["words"] == "none up to 2,048" for row in swe)
    others = [row for row in drawn_rows(figure.spec) if row.get("benchmark") in ("helm_lite", "openllm_v2")]
    assert all(row["observed"] <= 2048 and not row["censored"] for row in others)
    assert ">2,048" in json.dumps(figure.spec["layer"][0]["encoding"]["y"]["axis"])
    assert "observed more than 2,048" in figure.alt
    stored = figure.data.set_index("benchmark").loc["swe_verified"]
    assert math.isinf(stored["observed_k"])
    assert stored["status"] == "right_censored"


def test_the_claim_is_computed_from_the_cells():
    law, training, external = evidence("score_gap")
    assert validation_claim(training, external) == (
        "The law stays within a factor of 2.8 of the LiveBench cells it was fitted to, and misses SWE-bench Verified by a "
        "factor of more than 164"
    )
    assert validation_claim(training, external[:1]).endswith("misses HELM Capabilities by a factor of 1.2")
    assert "misses" not in validation_claim(training, ())
    assert validation("false_winner").title.endswith("misses HELM Lite by a factor of 9.3")
    assert law.constant == published_law("score_gap").constant


def test_a_censored_observation_does_not_contradict_a_later_prediction():
    def off(observed, predicted):
        status = "right_censored" if math.isinf(observed) else "crossed"
        return fold(Case(Cell("helm_lite", 100, 5, observed, status), predicted))

    assert off(math.inf, 5000.0) == 1.0
    assert off(math.inf, 512.0) == 4.0
    assert off(64.0, 512.0) == off(512.0, 64.0) == 8.0


def test_cells_that_took_no_part_are_named():
    assert "1 LiveBench cell crossed already with the static control" in " ".join(
        validation("score_gap").notices
    )
    assert "6 LiveBench cells (n = 30) never got there" in " ".join(validation("false_winner").notices)
    assert "Only at 2 pp is a fit published" in " ".join(validation("score_gap", 1.0).notices)
    assert "On SWE-bench Verified the static control crosses already" in " ".join(
        validation("score_gap", 0.5).notices
    )


@pytest.mark.parametrize(
    ("outcome", "tolerance"), [("false_winner", 2.0), *(("score_gap", t) for t in TOLERANCES)]
)
def test_names_touch_neither_one_another_nor_the_marks(outcome, tolerance):
    figure = validation(outcome, tolerance)
    right = figure.data["predicted"].max() if "predicted" in figure.data else figure.data["predicted_k"].max()
    across = 950 / max(11.0, math.ceil(math.log2(right)))
    up = 420 / math.log2(4096 * 1.25)
    boxes, marks = {}, {}
    for layer in figure.spec["layer"]:
        rows = layer.get("data", {}).get("values", ())
        if layer["mark"].get("fontWeight") == "bold" and layer["encoding"]["text"]["field"] == "name":
            (row,) = rows
            x = across * math.log2(row["predicted"]) + layer["mark"]["dx"]
            y = -up * math.log2(row["observed"]) + layer["mark"]["dy"]
            wide = 6.4 * len(row["name"])
            left = x - wide if layer["mark"]["align"] == "right" else x
            boxes[row["benchmark"]] = (left, left + wide, y - 6, y + 6)
        elif layer["mark"]["type"] == "point" and layer["mark"].get("size") == 170:
            marks = {
                row["benchmark"]: (across * math.log2(row["predicted"]), -up * math.log2(row["observed"]))
                for row in rows
            }
    assert boxes.keys() == marks.keys()
    for one, other in combinations(boxes.values(), 2):
        assert one[1] < other[0] or other[1] < one[0] or one[3] < other[2] or other[3] < one[2]
    for name, (left, after, top, bottom) in boxes.items():
        for other, (x, y) in marks.items():
            assert name == other or not (left < x < after and top < y < bottom)


def test_the_law_s_bar_is_open_where_its_errors_are():
    figure = calculator_figure(answer_of())
    assert figure.title == (
        "The law says 36 submissions; going by its errors elsewhere, anything from 3.2 to more than 5,839"
    )
    law = figure.data.iloc[0]
    assert math.isinf(law["high"])
    bars = [layer for layer in figure.spec["layer"] if layer["mark"]["type"] == "bar"]
    right = bars[0]["encoding"]["x"]["scale"]["domain"][1]
    assert bars[0]["data"]["values"][0]["end"] == right
    triangle = next(layer for layer in figure.spec["layer"] if layer["mark"].get("shape") == "triangle-right")
    assert [row["name"] for row in triangle["data"]["values"]] == ["SWE-bench Verified"]
    assert "SWE-bench Verified did not get there within 2,048" in " ".join(figure.notices)
    assert "no interval with a known coverage" in " ".join(figure.notices)
    closed = calculator_figure(answer_of("false_winner"))
    assert closed.title.endswith("anything from 2 to 64")
    assert "open" not in " ".join(closed.notices)


def test_the_simulated_row_is_labelled_and_apart():
    reading, _ = reading_of([0, 1, 3, 4])
    figure = calculator_figure(answer_of(reading=reading))
    labels = figure.data.groupby("what")["label"].first()
    assert labels["simulated"] == "simulated"
    assert labels["law"] == "published"
    assert "Simulated: 4 submissions" in figure.alt
    rows = {row["row"] for row in drawn_rows(figure.spec)}
    assert rows == {"the law", "simulated"}


def test_a_simulation_that_never_crosses_is_not_drawn_as_a_budget():
    reading, wish = reading_of([0] * 12)
    figure = calculator_figure(answer_of(reading=reading))
    simulated = [row for row in drawn_rows(figure.spec) if row["row"] == "simulated"]
    assert {row["text"] for row in simulated if "text" in row} == {">2,048"}
    marks = [layer["mark"] for layer in figure.spec["layer"] if simulated[0] in layer["data"]["values"]]
    assert all(mark.get("shape") != "diamond" for mark in marks)
    assert "not reached within 2,048" in figure.alt
    curve = reading_figure(reading, wish)
    assert "The tolerance is not used up within 2,048 submissions" in curve.title
    assert json.dumps(curve.themed_spec, allow_nan=False)


@pytest.mark.parametrize("size", [(3, 1), (20000, 1), (20000, 200), (200, 200)])
def test_extreme_sizes_stay_within_their_axis(assert_valid_spec, size):
    for outcome in OUTCOMES:
        figure = calculator_figure(answer_of(outcome, *size))
        assert_valid_spec(figure.themed_spec)
        low, high = figure.spec["layer"][0]["encoding"]["x"]["scale"]["domain"]
        assert all(low <= row["at"] <= high for row in drawn_rows(figure.spec))


def test_files_are_made():
    figure = validation("score_gap")
    assert b"SWE-bench" in export.to_svg(figure).encode()
    assert export.to_png(figure)[:4] == b"\x89PNG"
    table = export.to_csv(figure)
    assert "inf" in (table if isinstance(table, str) else table.decode())


def test_words():
    assert budget_words(math.inf) == "more than 2,048"
    assert range_words(4.0, 4.0) == "4"
    assert range_words(8.0, math.inf) == "8 to more than 2,048"
    assert range_words(math.inf, math.inf) == "more than 2,048"
    assert all(facts.short for facts in BENCHMARKS.values())
