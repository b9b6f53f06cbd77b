"""A guess drawn into a figure of curves."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as some

from core.errors import UsageError
from core.figures.guess_mark import with_guess
from core.figures.selection_loss import Options, loss_figure
from core.figures.series import published_series


@pytest.fixture(scope="module")
def figure():
    return loss_figure(published_series("model_selection_loss_pp"), Options(budget=1024))


def _added(figure, marked):
    return marked.spec["layer"][len(figure.spec["layer"]) :]


def test_the_guess_is_a_mark_with_its_number_in_words_and_picture(figure, assert_valid_spec):
    marked = with_guess(figure, 1024, 2.5)
    point, text = _added(figure, marked)
    assert point["data"]["values"][0]["value"] == 2.5
    assert text["data"]["values"][0]["text"] == "your guess: 2.5"
    assert marked.alt == f"{figure.alt} A diamond marks your guess of 2.5 at 1,024 submissions."
    assert marked.title == figure.title
    assert_valid_spec(marked.themed_spec)


def test_the_figure_itself_is_left_as_it_was(figure):
    layers = len(figure.spec["layer"])
    with_guess(figure, 1024, 2.5)
    assert len(figure.spec["layer"]) == layers


@given(some.floats(-50, 50))
def test_a_guess_beyond_the_axis_is_drawn_at_its_end_with_its_own_number(guess):
    figure = loss_figure(published_series("model_selection_loss_pp"), Options(budget=1024))
    low, high = next(
        layer["encoding"]["y"]["scale"]["domain"]
        for layer in figure.spec["layer"]
        if "scale" in layer["encoding"].get("y", {})
    )
    point, text = _added(figure, with_guess(figure, 1024, guess))
    assert low <= point["data"]["values"][0]["value"] <= high
    assert text["data"]["values"][0]["text"].startswith("your guess: ")


def test_an_axis_made_for_the_guess_holds_it():
    frame = published_series("model_selection_loss_pp")
    figure = loss_figure(frame, dataclasses.replace(Options(budget=1024), include=(9.0,)))
    point, _ = _added(figure, with_guess(figure, 1024, 9.0))
    assert point["data"]["values"][0]["value"] == 9.0


def test_small_multiples_hold_no_guess():
    figure = loss_figure(published_series("rank_drop"), Options(layout="small multiples"))
    with pytest.raises(UsageError, match="single plot"):
        with_guess(figure, 1024, 1.0)
