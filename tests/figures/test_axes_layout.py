"""Ticks are round, labels never touch, and widths only replace the word width."""

from __future__ import annotations

import itertools
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.figures.axes import Scale, round_scale, spread, with_width
from core.figures.wording import join, number, points, span, text_width, wrap

finite = st.floats(-1e4, 1e4, allow_nan=False).map(lambda value: round(value, 6))


@given(st.lists(finite, min_size=1, max_size=12), st.booleans())
def test_scale_holds_its_values_with_round_ticks(values, zero):
    scale = round_scale(values, zero=zero)
    assert scale.low <= min(values) + 1e-9
    assert scale.high >= max(values) - 1e-9
    assert all(scale.low - 1e-6 <= tick <= scale.high + 1e-6 for tick in scale.ticks)
    if zero:
        assert scale.low <= 0 <= scale.high
        assert 0 in scale.ticks
    if len(scale.ticks) > 1:
        step = scale.ticks[1] - scale.ticks[0]
        assert round(step / 10 ** math.floor(math.log10(step) + 1e-6), 3) in {1, 2, 5}


def test_scale_of_nothing_still_is_a_scale():
    assert round_scale([math.nan]).ticks
    assert round_scale([0.0, 0.0]).high > round_scale([0.0, 0.0]).low


@pytest.mark.parametrize(
    ("ticks", "decimals"), [((0.0, 1.0), 0), ((0.0, 0.5), 1), ((0.0, 0.02), 2), ((0.0, 20.0), 0), ((1.0,), 0)]
)
def test_ticks_get_the_decimals_they_need(ticks, decimals):
    assert Scale(0, 1, ticks).decimals == decimals


@given(st.lists(finite, min_size=1, max_size=10), st.floats(0.01, 50))
def test_labels_keep_their_distance_and_order(wanted, gap):
    low, high = min(wanted), max(wanted)
    placed = spread(wanted, gap, low, high)
    by_place = sorted(placed)
    assert all(b - a >= gap - 1e-6 for a, b in itertools.pairwise(by_place))
    order = sorted(range(len(wanted)), key=lambda index: (wanted[index], index))
    assert [placed[index] for index in order] == by_place
    if (len(wanted) - 1) * gap <= high - low:
        assert min(placed) >= low - 1e-6
        assert max(placed) <= high + 1e-6


@given(st.lists(finite, min_size=2, max_size=8, unique=True), st.floats(0.01, 1))
def test_labels_that_do_not_touch_stay_where_they_are(wanted, gap):
    ordered = sorted(wanted)
    if all(b - a >= gap for a, b in itertools.pairwise(ordered)):
        assert spread(wanted, gap, ordered[0], ordered[-1]) == pytest.approx(wanted)


def test_no_labels():
    assert spread([], 1.0, 0.0, 1.0) == []


def test_width_is_replaced_in_expressions_alone():
    spec = {
        "a": [{"expr": "width - (width < 9 ? 1 : strokewidth)"}],
        "title": "width",
        "values": [{"expr": "width"}],
    }
    assert with_width(spec, 7) == {
        "a": [{"expr": "7 - (7 < 9 ? 1 : strokewidth)"}],
        "title": "width",
        "values": [{"expr": "width"}],
    }


@given(st.text(alphabet="abc de", min_size=1, max_size=80).map(str.strip).filter(bool), st.integers(20, 300))
def test_wrapped_lines_fit_and_lose_nothing(text, width):
    lines = wrap(text, width, 13)
    assert " ".join(lines) == text
    assert all(text_width(line, 13) <= width or " " not in line for line in lines)


def test_units_stay_with_their_numbers():
    assert any("95\u00a0%" in line for line in wrap("with 95 % intervals of 3 pp", 60, 13))


@given(st.floats(-1e6, 1e6, allow_nan=False), st.integers(0, 3))
def test_numbers_read_back(value, digits):
    text = number(value, digits)
    assert "-" not in text
    assert float(text.replace(",", "").replace("−", "-")) == pytest.approx(value, abs=0.5001 * 10**-digits)
    assert (
        not text.startswith("−0." + "0" * digits)
        or digits == 0
        or float(text.replace("−", "-").replace(",", "")) != 0
    )


@pytest.mark.parametrize(
    ("value", "text"),
    [(math.nan, "not available"), (math.inf, "infinite"), (-math.inf, "−infinite"), (-0.0, "0.0")],
)
def test_special_numbers(value, text):
    assert number(value) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.05, "0.1"),
        (0.0123, "0.01"),
        (0.0012, "0.001"),
        (1e-9, "less than 0.001"),
        (-1e-9, "more than −0.001"),
    ],
)
def test_small_losses_are_not_rounded_away(value, text):
    assert points(value) == text


def test_span_and_join():
    assert span([-0.6, 4.8]) == "−0.6 to 4.8"
    assert join([]) == ""
