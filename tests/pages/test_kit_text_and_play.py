"""A text in the link, and the scrubber whose place "Use this" copies to its control."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as some
from streamlit.testing.v1 import AppTest

from core.figures.player import FRAME
from pages.kit.controls import Controls
from pages.kit.play import player_spec
from pages.kit.text import Text

TABLE = Controls("xy", (Text("text", "Text", "hello", most=20),))


@given(some.text(max_size=20))
def test_any_short_text_survives_its_link(text):
    query = TABLE.query({"text": text})
    assert TABLE.faults(query) == []
    if text != "hello":
        assert TABLE["text"].from_url(query["xy_text"]) == text


def test_a_long_text_is_named_and_not_used():
    assert "xy_text" in TABLE.faults({"xy_text": ["x" * 21]})[0]
    assert not TABLE["text"].is_valid("x" * 21)
    assert not TABLE["text"].is_valid(3)
    assert TABLE.query({"text": "hello"}) == {"v": ["1"]}


def script():
    import pandas as pd
    import streamlit as st

    from core.figures.base import Figure
    from core.figures.player import Player
    from pages.kit.controls import Controls, Whole
    from pages.kit.play import player

    controls = Controls("xy", (Whole("frame_of", "Frame", 1, 9, 2, look="slider"),))
    value = controls.show("frame_of")
    rows = [{"x": 1, "y": 2}]
    spec = {
        "params": Player("Frame", 1, 9, value).parameters(),
        "data": {"values": rows},
        "layer": [{"mark": "point", "encoding": {"x": {"field": "x", "type": "quantitative"}}}],
    }
    moving = Figure(spec, "T", "S", "A", pd.DataFrame(rows), "")
    player(moving, controls, "frame_of")("xy_main", moving)
    st.write(f"value {value}")


def test_use_this_without_a_move_changes_nothing():
    at = AppTest.from_function(script, default_timeout=20).run()
    at = at.button[0].click().run()
    assert not at.exception
    assert at.markdown[-1].value == "value 2"


@pytest.mark.parametrize(("frame", "expected"), [(7, 7), (7.0, 7), (99, 2), ("x", 2), (None, 2)])
def test_use_this_takes_what_the_control_allows(monkeypatch, frame, expected):
    from pages.kit import play
    from pages.kit.controls import Whole

    controls = Controls("xy", (Whole("frame_of", "Frame", 1, 9, 2),))
    state = {"chart": {"selection": {FRAME: frame}}, "xy_frame_of": 2}
    monkeypatch.setattr(play.st, "session_state", state)
    play._use("chart", controls, "frame_of")
    assert state["xy_frame_of"] == expected
    state.pop("chart")
    play._use("chart", controls, "frame_of")
    assert state["xy_frame_of"] == expected


def test_the_frame_is_declared_where_streamlit_finds_it_and_vega_does_not(monkeypatch):
    from streamlit.elements import vega_charts

    still = SimpleNamespace(themed_spec={"layer": [], "params": []})
    spec = player_spec(still)
    assert vega_charts._extract_selection_parameters(spec) == {FRAME}
    assert vega_charts._extract_selection_parameters(still.themed_spec) == set()
