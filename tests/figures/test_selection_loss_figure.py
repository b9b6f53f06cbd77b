"""Title, text and alternative text of the selection-loss figure follow the data."""

from __future__ import annotations

import itertools
import math

import pytest

from core.errors import UsageError
from core.figures.selection_loss import Options, loss_figure
from core.figures.series import MEASURES, published_series, study_series
from core.published import BENCHMARKS


def set_value(frame, key, budget, value, low, high):
    here = (frame["benchmark"] == key) & (frame["new_submissions"] == budget)
    frame.loc[here, ["value", "low", "high"]] = [value, low, high]


def test_title_states_the_range_at_the_marked_budget(loss):
    assert (
        loss_figure(loss).title
        == "At 128 submissions the ranking has cost 0.9 to 4.8 points on all six benchmarks"
    )


def test_every_word_follows_the_data(loss):
    before = loss_figure(loss)
    loss["value"] += 1
    loss["low"] += 1
    loss["high"] += 1
    after = loss_figure(loss)
    assert after.title == "At 128 submissions the ranking has cost 1.9 to 5.8 points on all six benchmarks"
    assert after.alt != before.alt
    assert "LiveBench 5.6 pp (5.3 to 5.9)" in after.alt
    assert after.themed_spec["data"] != before.themed_spec["data"]


def test_title_follows_the_budget(loss):
    titles = {budget: loss_figure(loss, Options(budget=budget)).title for budget in (2, 16, 1024)}
    assert (
        titles[2]
        == "At 2 submissions the ranking has cost 0.1 to 2.5 points on five of six benchmarks; no clear loss on HELM Lite"
    )
    assert titles[16] == "At 16 submissions the ranking has cost 0.9 to 4.2 points on all six benchmarks"
    assert titles[1024].endswith("; no clear loss on Terminal-Bench-Science")


def test_title_of_one_benchmark(loss):
    assert (
        loss_figure(loss, benchmarks=["livebench"]).title
        == "At 128 submissions the ranking has cost 4.6 points on LiveBench"
    )


def test_title_of_two_benchmarks(loss):
    assert loss_figure(loss, benchmarks=["livebench", "helm_lite"]).title.endswith(
        "4.6 to 4.8 points on both benchmarks"
    )


def test_title_tells_a_gain(loss):
    set_value(loss, "livebench", 128, -2.0, -3.0, -1.0)
    assert "it has gained 2.0 points on LiveBench" in loss_figure(loss).title
    alone = loss_figure(loss, benchmarks=["livebench"])
    assert alone.title == "At 128 submissions the ranking has gained 2.0 points on LiveBench"


def test_title_when_nothing_is_clear_of_zero(loss):
    found = loss_figure(loss, Options(budget=1024), ["terminal_science"])
    assert (
        found.title
        == "At 1,024 submissions the ranking has cost nothing clear of zero on Terminal-Bench-Science"
    )


def test_title_when_nothing_is_lost(loss):
    set_value(loss, "livebench", 128, 0.0, 0.0, 0.0)
    assert (
        loss_figure(loss, benchmarks=["livebench"]).title
        == "At 128 submissions the ranking has cost nothing on LiveBench"
    )
    assert "LiveBench no loss" in loss_figure(loss).alt


def test_static_control_is_told_apart(loss):
    figure = loss_figure(loss, Options(budget=1))
    assert figure.title.startswith(
        "With the static control alone the ranking has cost 0.4 to 2.4 points on three of six benchmarks"
    )
    assert any("static control" in notice for notice in figure.notices)
    lines = [layer for layer in figure.spec["layer"] if layer["mark"]["type"] == "line"]
    assert lines
    assert all({"filter": "!datum.static"} in layer["transform"] for layer in lines)


def test_without_static_rows_nothing_is_said_about_it(loss):
    figure = loss_figure(loss[loss["new_submissions"] > 1])
    assert not any("static" in notice for notice in figure.notices)
    assert "static" not in figure.subtitle


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("layout", ["overlay", "small multiples"])
def test_every_view_is_valid_vega_lite(measure, layout, assert_valid_spec):
    figure = loss_figure(published_series(measure), Options(layout=layout))
    assert_valid_spec(figure.themed_spec)
    assert figure.title
    assert figure.alt.startswith(figure.title)


@pytest.mark.parametrize("measure", MEASURES)
def test_unit_of_the_measure_is_on_the_axis(measure):
    figure = loss_figure(published_series(measure))
    titles = {
        layer["encoding"]["y"].get("axis", {}).get("title")
        for layer in figure.spec["layer"]
        if isinstance(layer["encoding"].get("y"), dict) and "axis" in layer["encoding"]["y"]
    }
    assert titles == {MEASURES[measure].axis}


def test_false_winner_title_is_in_percent():
    title = loss_figure(published_series("false_winner")).title
    assert title == "At 128 submissions 93 to 100 % of splits end with a false winner on all six benchmarks"


def test_missing_intervals_are_said():
    notices = " ".join(loss_figure(published_series("false_winner")).notices)
    assert (
        "No interval is given for false winners on LiveBench, HELM Lite, Open LLM v2, HELM Capabilities and SWE-bench Verified."
        in notices
    )


def test_threshold_names_the_first_tested_budget(loss):
    figure = loss_figure(loss, Options(threshold=2))
    (sentence,) = [notice for notice in figure.notices if notice.startswith("First tested budget")]
    assert sentence == (
        "First tested budget at which selection loss reaches 2 pp: LiveBench at 2 submissions; Terminal-Bench-Science at 4 "
        "submissions; HELM Lite and Open LLM v2 at 32 submissions. Not reached on HELM Capabilities and SWE-bench Verified "
        "within 2,048 submissions."
    )


def test_threshold_that_nobody_reaches(loss):
    sentence = loss_figure(loss, Options(threshold=90)).notices[0]
    assert sentence.startswith("Selection loss does not reach 90 pp on LiveBench")


def test_gap_thresholds_agree_with_the_published_crossings():
    from core.figures.claims import first_reaching
    from core.published import threshold_crossings

    reached = first_reaching(published_series("false_winner"), 90)
    table = threshold_crossings().frame.query("policy == 'top5' and metric == 'first_s_not_t'")
    for row in table.itertuples():
        assert reached[BENCHMARKS[row.benchmark].name] == row.smallest_tested_random_budget


def test_bands_can_be_left_out(loss):
    def areas(figure):
        return [layer for layer in figure.spec["layer"] if layer["mark"]["type"] == "area"]

    assert areas(loss_figure(loss))
    plain = loss_figure(loss, Options(bands=False))
    assert not areas(plain)
    assert "interval" not in plain.subtitle


def test_small_multiples_share_their_axes(loss):
    figure = loss_figure(loss, Options(layout="small multiples"))
    assert [panel.title for panel in figure.panels] == [facts.name for facts in BENCHMARKS.values()]
    domains = {
        tuple(layer["encoding"]["y"]["scale"]["domain"])
        for panel in figure.panels
        for layer in panel.spec["layer"]
        if "scale" in layer["encoding"].get("y", {})
    }
    assert len(domains) == 1
    (low, high) = domains.pop()
    assert low <= 0 <= high
    assert all(panel.alt.startswith(panel.title) for panel in figure.panels)


def test_labels_do_not_touch(loss):
    from core.figures.end_labels import LABEL_SIZE

    figure = loss_figure(loss)
    (labels,) = [
        layer
        for layer in figure.spec["layer"]
        if layer["mark"]["type"] == "text" and layer["encoding"]["text"]["field"] == "name"
    ]
    domain = next(
        layer["encoding"]["y"]["scale"]["domain"]
        for layer in figure.spec["layer"]
        if "scale" in layer["encoding"].get("y", {})
    )
    per_pixel = (domain[1] - domain[0]) / figure.height
    places = sorted(row["place"] for row in labels["data"]["values"])
    assert len(places) == 6
    assert min(b - a for a, b in itertools.pairwise(places)) >= LABEL_SIZE * per_pixel


def test_source_is_named(loss):
    figure = loss_figure(loss)
    assert "Allouah, Duchi and Koyejo" in figure.source
    assert "data/published/selection_loss.csv" in figure.source
    assert set(figure.data["label"]) == {"published"}


def test_names_stay_out_of_expressions(loss):
    nasty = "'] + alert(1) + ['"
    loss.loc[loss["benchmark"] == "livebench", "name"] = nasty

    def expressions(part):
        if isinstance(part, dict):
            for key, value in part.items():
                if key in {"expr", "filter", "test", "labelExpr", "calculate"} and isinstance(value, str):
                    yield value
                elif key != "values":
                    yield from expressions(value)
        elif isinstance(part, list):
            for value in part:
                yield from expressions(value)

    figure = loss_figure(loss)
    found = list(expressions(figure.themed_spec))
    assert found
    assert not any("alert" in text for text in found)
    assert nasty in figure.alt


def test_study_frame_is_drawn_as_recomputed(published_loss):
    import pandas as pd

    summary = pd.DataFrame(
        {
            "benchmark": "own",
            "new_submissions": [0, 1, 2, 4],
            "model_selection_loss_pp": [0.0, 0.5, 1.5, 2.5],
            "model_selection_loss_pp_low": [0.0, 0.1, 1.0, 2.0],
            "model_selection_loss_pp_high": [0.0, 0.9, 2.0, 3.0],
        }
    )
    frame = study_series(summary, "model_selection_loss_pp", name="My benchmark", source="computed here")
    assert list(frame.columns) == list(published_loss.columns)
    assert frame["new_submissions"].tolist() == [1, 2, 4]
    assert frame["static_control"].tolist() == [True, False, False]
    figure = loss_figure(frame, Options(budget=4))
    assert figure.title == "At 4 submissions the ranking has cost 2.5 points on My benchmark"
    assert "Recomputed" in figure.subtitle
    assert "recomputed values" in figure.alt


def test_one_budget_is_enough(loss, assert_valid_spec):
    figure = loss_figure(loss[loss["new_submissions"] == 128])
    assert_valid_spec(figure.themed_spec)
    assert "0.9 to 4.8" in figure.title


def test_missing_values_draw_no_mark(loss):
    loss.loc[
        (loss["benchmark"] == "livebench") & (loss["new_submissions"] == 4), ["value", "low", "high"]
    ] = math.nan
    rows = loss_figure(loss).spec["data"]["values"]
    (row,) = [row for row in rows if row["benchmark"] == "livebench" and row["new_submissions"] == 4]
    assert row["value"] is None
    assert row["interval"] == "none given"


def test_same_figure_in_other_colours(loss):
    figure = loss_figure(loss)
    dark = figure.in_mode("dark")
    assert dark.mode == "dark"
    assert "#ECEAE4" in str(dark.themed_spec)
    assert "#ECEAE4" not in str(figure.themed_spec)
    assert dark.chart.to_dict() == dark.themed_spec
    assert dark.themed_spec["width"] == "container"


class TestRefusals:
    def test_unknown_measure(self):
        with pytest.raises(UsageError, match=r"Unknown measure 'loss'. Valid: model_selection_loss_pp"):
            published_series("loss")

    def test_budget_that_was_not_tested(self, loss):
        with pytest.raises(UsageError, match=r"Budget 100 was not tested. Valid: 1, 2, 4"):
            loss_figure(loss, Options(budget=100))

    def test_no_benchmark(self, loss):
        with pytest.raises(UsageError, match="No benchmark is chosen"):
            loss_figure(loss, benchmarks=[])

    def test_mixed_labels(self, loss):
        loss.loc[0, "label"] = "recomputed"
        with pytest.raises(UsageError, match="cannot mix published and recomputed values"):
            loss_figure(loss)

    def test_unknown_label(self, loss):
        with pytest.raises(UsageError, match="Unknown label 'guessed'"):
            study_series(loss, "rank_drop", name="x", source="y", label="guessed")
