"""Presenter mode: stories as data, and a step in place of the page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from pages.kit.registry import PAGES, ROOT, page_info
from pages.kit.stage import presenter_link, qr_code
from pages.kit.story import Step, Story, said
from tests.pages.story_samples import STEPS, STORIES, controls_of


def stage_of(stem, **query):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    for key, value in {"present": "1", **query}.items():
        app.query_params[key] = value
    app.run()
    if stem != "start":
        app.switch_page(f"pages/{stem}.py").run()
    assert not app.exception
    return app


def step_of(stem, name):
    return next(step for step in STORIES[stem].steps if step.name == name)


def test_every_page_with_a_figure_has_a_story():
    assert set(STORIES) == {page.stem for page in PAGES} - {"methods"}


@pytest.mark.parametrize(("stem", "name"), STEPS)
def test_a_step_says_and_draws_what_its_values_give(stem, name):
    step, controls = step_of(stem, name), controls_of(stem)
    state = step.state(controls)
    for control, value in step.values.items():
        assert controls is not None
        assert controls[control].is_valid(value), control
        assert value != controls[control].default, f"{control} is at its default and need not be said"
    for words in (step.title, step.sentence, step.notes):
        assert said(words, state).strip()
    assert len(said(step.title, state)) <= 140
    assert len(said(step.sentence, state)) <= 260
    if step.figure is not None:
        assert step.origins
        assert step.figure(state).alt
    app = stage_of(stem, step=name)
    assert app.title[0].value == said(step.title, state)
    assert not app.error
    charts = len(app.get("vega_lite_chart")) + len(app.get("plotly_chart"))
    assert bool(charts) == (step.figure is not None)


def test_an_unknown_step_opens_the_first_and_says_so():
    app = stage_of("selection_loss", step="nowhere")
    assert app.title[0].value == STORIES["selection_loss"].steps[0].title
    assert any("step = “nowhere” is not one of the steps" in caption.value for caption in app.caption)


def test_next_and_back_walk_the_story_and_leaving_keeps_the_state():
    app = stage_of("selection_loss")
    names = STORIES["selection_loss"].names
    for name in names[1:]:
        app.button(key="stage_next").click().run()
        assert app.query_params["step"] == name
    assert app.button(key="stage_next").disabled
    app.button(key="stage_back").click().run()
    assert app.query_params["step"] == "ranks"
    app.button(key="stage_leave").click().run()
    assert "present" not in app.query_params
    assert app.session_state["sl_measure"] == "rank_drop"
    assert app.session_state["sl_budget"] == 128


def test_notes_and_code_are_shown_on_request():
    app = stage_of("selection_loss")
    notes = said(STORIES["selection_loss"].steps[0].notes, {})
    assert not any(block.value == notes for block in app.markdown)
    app.button(key="stage_notes").click().run()
    assert any(block.value == notes for block in app.markdown)
    app.button(key="stage_code").click().run()
    assert not any(block.value == notes for block in app.markdown)
    assert len(app.get("image")) == 1
    app.button(key="stage_code").click().run()
    assert len(app.get("image")) == 0


def test_the_code_takes_the_place_of_the_sentence_beside_a_figure_only():
    for name, stays in (("answer", False), ("where-next", True)):
        app = stage_of("start", step=name)
        sentence = said(step_of("start", name).sentence, step_of("start", name).state(controls_of("start")))
        assert any(block.value == sentence for block in app.markdown)
        app.button(key="stage_code").click().run()
        assert any(block.value == sentence for block in app.markdown) is stays


def test_a_page_without_a_story_is_shown_whole_with_a_notice():
    app = stage_of("methods")
    assert any("no steps to present" in block.value for block in app.markdown)


def test_the_code_holds_the_link():
    link = presenter_link(page_info("selection_loss"), STORIES["selection_loss"].steps[1])
    assert link == "/selection_loss?v=1&present=1&step=six-benchmarks"
    assert qr_code(link) != qr_code(link + "x")


@pytest.mark.parametrize(
    ("names", "message"),
    [((), "at least one step"), (("a", "a"), "repeat"), (("A step",), "lower-case")],
)
def test_a_story_refuses_names_that_cannot_be_links(names, message):
    with pytest.raises(ValueError, match=message):
        Story(tuple(Step(name, "Title", "Sentence.", "Notes.") for name in names))
