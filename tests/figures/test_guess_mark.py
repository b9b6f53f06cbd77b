"""A guess drawn into a figure: a point on a line, or a frame around a share of the area."""

from __future__ import annotations

import dataclasses

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as some

from core import published
from core.contamination import shipped
from core.errors import UsageError
from core.figures.base import Figure
from core.figures.guess_mark import Patch, Spot
from core.figures.phase_diagrams import PANEL_TITLES, PhaseLook, phase_figure
from core.figures.selection_loss import Options, loss_figure
from core.figures.series import published_series
from core.figures.start import choice_figure

AT_1024 = Spot("new_submissions", 1024, "value", "at 1,024 submissions", panel="LiveBench")
LOW = PANEL_TITLES["random_low"]


@pytest.fixture(scope="module")
def figure():
    return loss_figure(published_series("model_selection_loss_pp"), Options(budget=1024))


@pytest.fixture(scope="module")
def panels():
    return loss_figure(published_series("rank_drop"), Options(layout="small multiples"))


@pytest.fixture(scope="module")
def diagram():
    frame = shipped.default_phase_frame()
    return phase_figure(frame[frame["pool"] == "mmlu"].drop(columns="pool"), PhaseLook("MMLU", "here"))


def added(spec, marked):
    return marked["layer"][len(spec["layer"]) :]


def row_of(layer):
    (row,) = layer["data"]["values"]
    return row


def test_the_guess_is_a_mark_with_its_number_in_words_and_picture(figure, assert_valid_spec):
    marked = AT_1024.mark(figure, 2.5)
    point, halo, text = added(figure.spec, marked.spec)
    assert point["mark"]["shape"] == "diamond"
    assert (row_of(point)["new_submissions"], row_of(point)["value"]) == (1024, 2.5)
    assert row_of(text)["text"] == row_of(halo)["text"] == "your guess: 2.5"
    assert marked.alt == f"{figure.alt} A diamond marks your guess of 2.5 at 1,024 submissions."
    assert marked.title == figure.title
    assert_valid_spec(marked.themed_spec)


def test_the_figure_itself_is_left_as_it_was(figure):
    layers = len(figure.spec["layer"])
    AT_1024.mark(figure, 2.5)
    assert len(figure.spec["layer"]) == layers


@given(some.floats(-50, 50))
def test_a_guess_beyond_the_axis_is_drawn_at_its_end_with_its_own_number(guess):
    figure = loss_figure(published_series("model_selection_loss_pp"), Options(budget=1024))
    low, high = next(
        layer["encoding"]["y"]["scale"]["domain"]
        for layer in figure.spec["layer"]
        if "scale" in layer["encoding"].get("y", {})
    )
    point, _, text = added(figure.spec, AT_1024.mark(figure, guess).spec)
    assert row_of(point)["value"] == min(max(guess, low), high)
    assert row_of(text)["text"].startswith("your guess: ")


def test_an_axis_made_for_the_guess_holds_it():
    frame = published_series("model_selection_loss_pp")
    figure = loss_figure(frame, dataclasses.replace(Options(budget=1024), include=(9.0,)))
    assert row_of(added(figure.spec, AT_1024.mark(figure, 9.0).spec)[0])["value"] == 9.0


def test_of_several_panels_one_is_marked_on_the_page_and_in_the_export(panels, assert_valid_spec):
    marked = AT_1024.mark(panels, 1.0)
    place = [panel.title for panel in panels.panels].index("LiveBench")
    for at, (before, after) in enumerate(zip(panels.panels, marked.panels, strict=True)):
        assert len(added(before.spec, after.spec)) == (3 if at == place else 0)
        assert (after.alt != before.alt) == (at == place)
        assert len(added(panels.spec["concat"][at], marked.spec["concat"][at])) == (3 if at == place else 0)
    assert_valid_spec(marked.themed_spec)
    assert_valid_spec(marked.panels[place].themed_spec)


def test_a_distance_is_drawn_from_where_it_begins():
    table = published.selection_loss()
    figure = choice_figure(table.frame, table.provenance)
    spot = Spot("place", 0, "before", "for the loss", base=0.5)
    assert row_of(added(figure.spec, spot.mark(figure, 2.0).spec)[0]) == {
        "place": 0,
        "before": 2.5,
        "text": "your guess: 2.0",
    }
    down = dataclasses.replace(spot, base=4.5, sign=-1)
    assert row_of(added(figure.spec, down.mark(figure, 2.0).spec)[0])["before"] == 2.5


@pytest.mark.parametrize("share", [0, 7, 40, 100])
def test_a_share_is_a_frame_of_that_area(diagram, share, assert_valid_spec):
    patch = Patch("auroc", "bias", "of the cells", LOW)
    marked = patch.mark(diagram, share)
    place = [panel.title for panel in diagram.panels].index(LOW)
    panel = diagram.panels[place]
    frame = added(panel.spec, marked.panels[place].spec)[1]
    row, encoding = row_of(frame), frame["encoding"]
    wide, tall = (encoding[channel]["scale"]["domain"] for channel in ("x", "y"))
    area = (row["guess_x"] - row["auroc"]) * (row["bias"] - row["guess_y"])
    assert area / ((wide[1] - wide[0]) * (tall[1] - tall[0])) == pytest.approx(share / 100)
    assert (row["auroc"], row["bias"]) == (wide[0], tall[1])
    assert marked.alt.endswith(f"A dashed frame covers your guess of {share} % of the cells.")
    assert len(added(diagram.spec["concat"][place], marked.spec["concat"][place])) == 4
    assert_valid_spec(marked.panels[place].themed_spec)


def test_what_cannot_be_marked_is_said(panels, figure, diagram):
    with pytest.raises(UsageError, match=r"No panel is called 'Nowhere'; there are LiveBench"):
        dataclasses.replace(AT_1024, panel="Nowhere").mark(panels, 1.0)
    with pytest.raises(UsageError, match="No plot here has size on one axis and value on the other"):
        Spot("size", 1, "value", "here").mark(figure, 1.0)
    with pytest.raises(UsageError, match="axes whose ends are given"):
        Patch("x", "y", "of it").mark(_plain(), 10)
    bare = Figure({"hconcat": []}, "", "", "", pd.DataFrame(), "")
    with pytest.raises(UsageError, match="into a plot with axes"):
        AT_1024.mark(bare, 1.0)


def _plain():
    encoding = {name: {"field": name, "type": "quantitative"} for name in ("x", "y")}
    return Figure({"layer": [{"mark": "point", "encoding": encoding}]}, "", "", "", pd.DataFrame(), "")
