"""The feedback study's frames, curves, tiles and surface: numbers held to the published tables, words to the rows."""

from __future__ import annotations

import json
import math
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from core import published
from core.errors import UsageError
from core.figures import export
from core.figures.feedback import HEIGHT, SHAPES, RichnessOptions, richness_figure
from core.figures.feedback_series import (
    COLUMNS,
    LEVELS,
    MEASURE_KEYS,
    POLICY_SCORES,
    crossings,
    fold,
    partition_folds,
    published_policies,
    published_richness,
    recomputed_richness,
)
from core.figures.feedback_words import collapse_sentence
from core.figures.grouping import COLUMNS as TILE_COLUMNS
from core.figures.grouping import grouping_figure
from core.figures.player import FRAME, Player
from core.figures.series import measure_of
from core.reuse.study import run_studies
from tests.reuse.rule_samples import drawn

DIMENSIONS = (1, 2, 3, 6, 9, 18)


@pytest.fixture(params=MEASURE_KEYS)
def rows(request):
    return published_richness(request.param)


def figure_of(measure="model_selection_loss_pp", **options):
    return richness_figure(published_richness(measure), "LiveBench", RichnessOptions(**options))


# Frames ------------------------------------------------------------------------------------------------------------


def test_published_frames_hold_the_tables_values(rows):
    measure = rows["measure"].iloc[0]
    loss = measure == "model_selection_loss_pp"
    table = (published.feedback_selection_loss() if loss else published.feedback_score_gap()).frame
    column = {"false_winner": "first_s_not_t", "score_gap_pp": "score_gap_mean_pp"}.get(measure, measure)
    factor = 100 if measure == "false_winner" else 1
    assert list(rows.columns) == list(COLUMNS)
    assert len(rows) == len(table) == 72
    for row in rows.to_dict("records"):
        (own,) = table[
            (table["dimension"] == row["dimension"]) & (table["new_submissions"] == row["new_submissions"])
        ].to_dict("records")
        assert row["value"] == own[column] * factor
        assert (row["low"], row["high"]) == (
            own[f"{column}_ci_low"] * factor,
            own[f"{column}_ci_high"] * factor,
        )
        assert row["released_scores"] == row["dimension"] * (row["new_submissions"] - 1)
        assert row["static_control"] == (row["new_submissions"] == 1)
        if row["dimension"] in (1, 18):
            assert math.isnan(row["least"])
        else:
            assert row["least"] <= row["value"] + 1e-9
            assert row["value"] <= row["most"] + 1e-9


@pytest.mark.parametrize(
    ("measure", "prefix"), [("false_winner", "false90"), ("score_gap_pp", "score_gap_plus2")]
)
def test_crossings_are_the_published_thresholds(measure, prefix):
    table = published.feedback_thresholds().frame
    means = table[table["summary"] == "dimension_mean"].set_index("dimension")
    for one in crossings(published_richness(measure)):
        assert one.submissions == means.loc[one.dimension, f"{prefix}_k_random"]
        assert one.scores == means.loc[one.dimension, f"{prefix}_I_random"]


def test_the_collapse_is_a_number():
    found = crossings(published_richness("false_winner"))
    assert fold([one.submissions for one in found]) == 16
    assert fold([one.scores for one in found]) == 1.5
    assert partition_folds("false90") == (16, pytest.approx(93 / 42))
    told = collapse_sentence(published_richness("false_winner"), measure_of("false_winner"))
    assert "4 to 64 submissions, a spread of 16×" in told
    assert "42 to 63 released scores, a spread of 1.5×" in told


def test_headlines_come_from_the_rows():
    assert (
        figure_of(budget=8).title
        == "At 8 submissions the loss is 1.43 pp with 1 returned score and 4.29 pp with 18"
    )
    at_128 = published_richness("model_selection_loss_pp").query("new_submissions == 128")["value"]
    assert (round(at_128.min(), 2), round(at_128.max(), 2)) == (4.59, 4.85)
    changed = published_richness("model_selection_loss_pp")
    changed.loc[(changed["dimension"] == 1) & (changed["new_submissions"] == 8), "value"] = 9.87
    assert "9.87 pp with 1" in richness_figure(changed, "LiveBench", RichnessOptions()).title


def test_a_level_that_is_not_reached_is_said():
    rows = published_richness("model_selection_loss_pp")
    rows.loc[rows["dimension"] == 1, "value"] = 0.1
    assert "with 1 not reached" in richness_figure(rows, "LiveBench").alt
    assert "With 1 it is not reached" in collapse_sentence(rows, measure_of("model_selection_loss_pp"))
    rows["value"] = 0.0
    assert "no spread to measure" in collapse_sentence(rows, measure_of("model_selection_loss_pp"))


def test_curves_that_do_not_come_together_are_not_said_to():
    rows = published_richness("false_winner")
    rows["released_scores"] = rows["dimension"] ** 3 * (rows["new_submissions"] - 1)
    title = richness_figure(rows, "LiveBench", RichnessOptions(axis="released_scores")).title
    assert "come together" not in title
    assert "released scores" in title


def test_policies_hold_the_published_study():
    rows = published_policies("model_selection_loss_pp")
    assert len(rows) == 24
    at = rows[rows["new_submissions"] == 128].set_index("curve")["value"].round(2).to_dict()
    assert at == {"aggregate": 4.03, "category": 4.84, "task": 4.48}
    assert set(rows["label"]) == {"published"}
    shares = published_policies("false_winner")
    table = published.policy_summary().frame
    assert sorted(shares["value"]) == sorted(table["false_winner"] * 100)
    assert POLICY_SCORES == {"aggregate": 1, "category": 6, "task": 18}
    with pytest.raises(UsageError, match="not published for the practical rules"):
        published_policies("score_gap_pp")


def test_studies_become_a_frame():
    studies = run_studies(
        drawn(), ["grouped:1:0", "grouped:6:0", "task+cap:3"], trials=5, budgets=(1, 2, 8), cache=False
    )
    rows = recomputed_richness(
        studies, ("1", "6", "task+cap:3"), "false_winner", source="here", label="simulated"
    )
    assert list(rows.columns) == list(COLUMNS)
    assert rows["dimension"].dropna().unique().tolist() == [1, 6]
    assert rows["released_scores"].tolist() == [0, 1, 7, 0, 6, 42, 0, 6, 12]
    assert set(rows["label"]) == {"simulated"}
    figure = richness_figure(rows, "drawn", RichnessOptions(focus=3, budget=8))
    assert "the rule task+cap:3" in figure.title
    assert "Simulated." in figure.subtitle


# Drawings ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", ["new_submissions", "released_scores"])
@pytest.mark.parametrize("focus", [1, 6, Player("Curve", 1, 6, 2)])
def test_curves_are_valid_in_every_mode(rows, axis, focus, assert_valid_spec):
    figure = richness_figure(rows, "LiveBench", RichnessOptions(axis=axis, focus=focus))
    for mode in ("light", "dark", "print"):
        spec = figure.in_mode(mode).themed_spec
        # A timer is Vega's, below what the schema of Vega-Lite describes.
        spec["params"] = [{key: one[key] for key in one if key != "on"} for one in spec.get("params", [])]
        assert_valid_spec(spec)


def test_the_static_control_stands_apart_and_on_no_axis():
    figure = figure_of(axis="released_scores")
    data = figure.spec["data"]["values"]
    assert all((row["x"] is None) == row["static"] for row in data)
    assert "static" in json.dumps(figure.themed_spec)
    without = figure_of(static=False)
    assert not any(row["static"] for row in without.spec["data"]["values"])
    assert "static control" not in without.subtitle


def test_no_mark_is_placed_by_a_fixed_height():
    text = json.dumps(replace(figure_of(), height=123).themed_spec["layer"])
    assert f'"value": {HEIGHT}' not in text
    assert f'"value": {HEIGHT + 10}' not in text
    assert '{"expr": "height"}' in text


def test_a_player_moves_the_focus_without_a_rerun():
    text = json.dumps(figure_of(focus=Player("Curve", 1, 6, 2)).themed_spec)
    assert f"datum.position == {FRAME}" in text
    assert FRAME in [one["name"] for one in figure_of(focus=Player("Curve", 1, 6, 2)).spec["params"]]
    assert "params" not in figure_of().spec


def test_curves_are_told_apart_without_colour():
    marks = {row["position"]: row["shape"] for row in figure_of().spec["data"]["values"]}
    assert list(marks.values()) == list(SHAPES)


def test_images_carry_the_title():
    figure = figure_of("false_winner", axis="released_scores")
    svg = ET.fromstring(export.to_svg(figure, link="http://x/y"))
    words = " ".join(" ".join(one.itertext()) for one in svg.iter() if one.tag.endswith("text"))
    assert all(word in words for word in figure.title.split())
    assert "http://x/y" in words


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"budget": 3}, "Budget 3 was not tested"),
        ({"focus": 9}, "No curve has the position 9"),
        ({"only": (7,)}, "There is no curve to show"),
    ],
)
def test_refusals(options, words):
    with pytest.raises(UsageError, match=words):
        figure_of(**options)


def test_unknown_measures_are_refused():
    with pytest.raises(UsageError, match="Unknown measure 'rank_drop'"):
        published_richness("rank_drop")
    assert set(LEVELS) == set(MEASURE_KEYS)


# Tiles -------------------------------------------------------------------------------------------------------------

GROUPS = [("group 1", ("a/x", "b/y")), ("group 2", ("a/z", "b/w")), ("group 3", ("c/v", "c/u"))]


def test_every_task_is_one_tile_with_its_groups_number(assert_valid_spec):
    figure = grouping_figure(GROUPS, "Mine", "by hash, partition 1", source="The tasks.")
    tiles = figure.spec["data"]["values"]
    assert [(tile["task"], tile["number"]) for tile in tiles] == [
        ("x", 1), ("y", 1), ("z", 2), ("w", 2), ("v", 3), ("u", 3),
    ]  # fmt: skip
    assert len({(tile["row"], tile["column"]) for tile in tiles}) == 6
    assert max(tile["column"] for tile in tiles) == TILE_COLUMNS - 1
    assert figure.title == "Three returned scores of 2 tasks each"
    assert "group 2: z and w" in figure.alt
    assert figure.data["task"].tolist() == ["x", "y", "z", "w", "v", "u"]
    for mode in ("light", "dark", "print"):
        assert_valid_spec(figure.in_mode(mode).themed_spec)


def test_unequal_and_single_groups_are_named():
    assert (
        grouping_figure(GROUPS[:1], "Mine", "", source="s").title
        == "One returned score: the mean of all 2 tasks"
    )
    uneven = [*GROUPS[:2], ("more", ("d/1", "d/2", "d/3"))]
    assert (
        grouping_figure(uneven, "Mine", "", source="s").title == "Three returned scores of 2 to 3 tasks each"
    )
    with pytest.raises(UsageError, match="no task to group"):
        grouping_figure([], "Mine", "", source="s")
