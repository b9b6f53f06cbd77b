"""The scrubber: two Vega parameters, bounds that hold, and a frame that still and moving figures share."""

from __future__ import annotations

import pytest

from core.figures.player import FRAME, PLAYING, Player, frame_number, frame_test


def test_it_is_a_slider_and_a_switch():
    slider, switch = Player("Routers", 1, 31, 5).parameters()
    assert (slider["name"], slider["value"]) == (FRAME, 5)
    assert slider["bind"] == {"input": "range", "min": 1, "max": 31, "step": 1, "name": "Routers "}
    assert (switch["name"], switch["value"]) == (PLAYING, False)
    assert switch["bind"]["input"] == "checkbox"


def test_nothing_moves_until_the_reader_asks():
    slider, switch = Player("Routers", 1, 31, 5).parameters()
    assert switch["value"] is False
    assert slider["on"][0]["update"].startswith(f"{PLAYING} ?")
    assert slider["on"][0]["update"].endswith(f": {FRAME}")


def test_still_and_moving_figures_name_their_frame():
    player = Player("Routers", 1, 31, 5)
    assert (frame_test(player), frame_number(player)) == (FRAME, 5)
    assert (frame_test(7), frame_number(7)) == ("7", 7)


@pytest.mark.parametrize("bounds", [(0, 3, 1), (1, 3, 4), (3, 1, 2), (2, 3, 1)])
def test_bounds_that_make_no_sense_are_refused(bounds):
    with pytest.raises(ValueError, match="1 <= low <= start <= high"):
        Player("x", *bounds)
