"""What speakers are told to say of a figure holds for the figure shown."""

from __future__ import annotations

import pytest

from pages.kit.story import said, tall
from tests.pages.story_samples import STORIES, controls_of
from tests.pages.test_stage import stage_of, step_of


def figure_of(stem, name):
    step = step_of(stem, name)
    return step.figure(step.state(controls_of(stem)))


def by(figure, column="estimator"):
    return figure.data.set_index(column)


def test_one_copy_earns_a_correction_only_with_a_nearly_perfect_correctness_predictor():
    cells = figure_of("phase_diagrams", "single-copy").data
    corrected = cells[~cells["winner"].isin(["naive"]) & ~cells["tie"]]
    assert len(corrected)
    assert corrected["bias"].max() < 0.1 * cells["bias"].max()


def test_the_diamond_has_another_winner_where_hard_items_leaked():
    step = step_of("phase_diagrams", "easy-or-hard")
    sentence = said(step.sentence, step.state(controls_of("phase_diagrams")))
    assert sentence.count("errs least") == 2


def test_naive_is_precise_and_wrong_in_the_cell():
    cell = by(figure_of("phase_diagrams", "one-cell"))
    assert cell["sd"].idxmin() in ("naive", "imputation", "combined")
    assert cell.loc["naive", "bias"] > 5 * cell.loc["naive", "sd"]


def test_imputation_starts_far_off_and_ends_well_while_ipw_is_useful_at_once():
    table = figure_of("correct_a_score", "how-many").data.pivot(
        index="size", columns="estimator", values="rmse_pp"
    )
    first, last = table.iloc[0], table.iloc[-1]
    assert first["imputation"] > first["naive"] > first["ipw"]
    assert last["imputation"] < last["ipw"]


@pytest.mark.parametrize("name", ["one-draw", "more-items"])
def test_ipw_stays_too_high_and_combined_repairs_part_of_it(name):
    table = by(figure_of("correct_a_score", name))
    estimates, truth = table["estimate"], table["truth"].iloc[0]
    assert estimates["naive"] > estimates["ipw"] > estimates["combined"] > truth


def test_more_calibration_items_shorten_the_whiskers():
    few, more = (by(figure_of("correct_a_score", name)) for name in ("one-draw", "more-items"))
    for name in ("ipw", "imputation", "combined"):
        assert (more["high"] - more["low"])[name] < (few["high"] - few["low"])[name]


def test_reference_sees_most_where_everybody_guessed():
    table = figure_of("pocket_hubble", "detect").data
    assert table[table["duplicates"] == 1].set_index("attack")["auroc"].idxmax() == "Reference"


def test_the_item_of_the_question_stood_once():
    assert "1 copy" in figure_of("pocket_hubble", "guess").title


def test_ipw_is_off_on_the_other_side_until_the_question_alone_is_scored():
    whole, question = (by(figure_of("pocket_hubble", name)) for name in ("correct", "question-only"))
    assert whole.loc["naive", "bias_pp"] > 0 > whole.loc["ipw", "bias_pp"]
    assert question.loc["ipw", "rmse_pp"] < whole.loc["ipw", "rmse_pp"]


def test_the_rule_that_answers_almost_nothing_loses_least():
    rows = by(figure_of("stress_test", "use-and-harm"), "feedback")
    assert rows["model_selection_loss_pp"].idxmin() == rows["pairs_kept"].idxmin()


def test_the_next_title_is_that_of_the_next_step_in_its_own_state():
    app = stage_of("phase_diagrams", step="single-copy")
    app.button(key="stage_notes").click().run()
    following = step_of("phase_diagrams", "many-copies")
    title = said(following.title, following.state(controls_of("phase_diagrams")))
    assert any(caption.value == f"Next: {title}" for caption in app.caption)


def test_a_taller_figure_has_taller_panels_and_leaves_the_first_as_it_was():
    figure = figure_of("fresh_items", "distractors")
    taller = tall(figure, 999)
    assert {panel.height for panel in taller.panels} == {999}
    assert 999 not in {panel.height for panel in figure.panels}


@pytest.mark.parametrize("stem", ["phase_diagrams", "fresh_items"])
def test_panels_on_a_step_are_two_at_most(stem):
    for step in STORIES[stem].steps:
        assert len(step.figure(step.state(controls_of(stem))).panels) <= 2
