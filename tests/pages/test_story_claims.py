"""What the reuse stories and the talk say in plain words holds for the numbers behind them."""

from __future__ import annotations

import re

from core import published
from pages.kit.story import said
from pages.parts.feedback.controls import DIMENSIONS, GUESS_BUDGET
from pages.parts.feedback.figures import published_rows
from pages.parts.lifespan.figures import evidence
from pages.parts.score_gap.controls import GUESS_BENCHMARK
from pages.parts.score_gap.figures import baseline_rows
from tests.pages.story_samples import STORIES, controls_of


def step_of(stem, name):
    return next(step for step in STORIES[stem].steps if step.name == name)


def words_of(stem, name):
    step = step_of(stem, name)
    state = step.state(controls_of(stem))
    return tuple(said(words, state) for words in (step.title, step.sentence, step.notes))


def test_the_answers_are_among_the_offered_hands():
    rows = published_rows("model_selection_loss_pp")
    here = rows[rows["new_submissions"] == GUESS_BUDGET].set_index("dimension")["value"]
    assert abs(here[DIMENSIONS[0]] / here[DIMENSIONS[-1]] - 1 / 3) < 0.05
    gap = step_of("score_gap", "answer")
    assert gap.figure(gap.state(controls_of("score_gap"))).data["value"].max() > 8


def test_the_gap_is_not_zero_before_any_submission():
    assert float(baseline_rows().set_index("benchmark").loc[GUESS_BENCHMARK, "value"]) > 1


def test_the_wider_gap_goes_with_the_smaller_loss():
    assert "the wider score gap goes with the smaller loss" in words_of("score_gap", "not-the-loss")[0]


def test_the_law_errs_in_both_directions_and_forgets_the_items_of_a_false_winner():
    assert words_of("lifespan", "elsewhere")[1].startswith("It errs in both directions")
    assert "The law knows only" in words_of("lifespan", "elsewhere")[2]
    law = evidence("false_winner", 2.0).law
    assert law.predict(100, 5) == law.predict(10_000, 5)


def test_one_score_instead_of_ten_is_predicted_to_last_ten_times_as_long():
    few, many = (
        step_of("lifespan", name).state(controls_of("lifespan")) for name in ("one-score", "calculator")
    )
    law = evidence("score_gap", 2.0).law
    ratio = (law.predict(few["items"], few["scores"]) - 1) / (law.predict(many["items"], many["scores"]) - 1)
    assert abs(ratio - 10) < 1e-9


def test_curves_average_hundreds_of_splits():
    assert published.score_gap().frame["trials"].min() >= 200


def test_the_mixed_models_are_not_the_best_ones():
    places = re.search(r"The two stand (\w+) and (\w+) publicly", words_of("one_trial", "endpoints")[2])
    assert places is not None
    assert not {"first", "second"} & set(places.groups())


def test_late_means_that_fewer_scores_no_longer_help():
    assert words_of("feedback", "late")[1].endswith("returning fewer scores no longer makes a difference.")
    assert "come together" in words_of("feedback", "collapse")[0]
