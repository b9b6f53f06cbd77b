"""The palette keeps its contrast, and stays apart without hue."""

from __future__ import annotations

import itertools
import json

import numpy as np
import pytest

from core.figures import theme
from core.figures.theme import BENCHMARK_STYLES, DARK, ESTIMATORS, LIGHT, SURFACES, Token
from core.published import BENCHMARKS

# Machado, Oliveira and Fernandes (2009), severity 1.0, on linear RGB
MACHADO = {
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.011820, 0.042940, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.303900],
    ],
    "normal": np.eye(3).tolist(),
}
GRAPHICS, TEXT = 3.0, 4.5  # WCAG 2.2, 1.4.11 and 1.4.3
APART = 10.0  # CIE76 distance below which two large marks are easily confused
ROLES = {
    "public": theme.PUBLIC,
    "held out": theme.HELD_OUT,
    "model A": theme.MODEL_A,
    "model B": theme.MODEL_B,
    "no attack": theme.NO_ATTACK,
    "final router": theme.FINAL_ROUTER,
}


def linear(colour):
    values = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def luminance(colour):
    return float(linear(colour) @ [0.2126, 0.7152, 0.0722])


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(colour, kind="normal"):
    rgb = np.clip(np.array(MACHADO[kind]) @ linear(colour), 0, 1)
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ rgb
    scaled = xyz / [0.95047, 1.0, 1.08883]
    root = np.where(scaled > 0.008856, np.cbrt(scaled), 7.787 * scaled + 16 / 116)
    return np.array([116 * root[1] - 16, 500 * (root[0] - root[1]), 200 * (root[1] - root[2])])


def distance(one, other, kind):
    return float(np.linalg.norm(lab(one, kind) - lab(other, kind)))


def colour_of(value, mode):
    return getattr(SURFACES[mode], value.value) if isinstance(value, Token) else value


def test_measures_of_this_file_are_right():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert distance("#FFFFFF", "#000000", "normal") == pytest.approx(100, abs=0.1)
    assert contrast("#0072B2", "#FFFFFF") == pytest.approx(5.19, abs=0.01)


@pytest.mark.parametrize("mode", ["light", "dark", "print"])
@pytest.mark.parametrize("name", [*ROLES, *ESTIMATORS, *BENCHMARK_STYLES])
def test_marks_keep_three_to_one(name, mode):
    value = ROLES.get(name) or ESTIMATORS.get(name) or BENCHMARK_STYLES[name].colour
    assert contrast(colour_of(value, mode), SURFACES[mode].paper) >= GRAPHICS


@pytest.mark.parametrize("surface", [LIGHT, DARK])
def test_text_keeps_four_and_a_half_to_one(surface):
    assert contrast(surface.ink, surface.paper) >= 7
    assert contrast(surface.muted, surface.paper) >= TEXT


@pytest.mark.parametrize("kind", ["normal", "protan", "deutan", "tritan"])
def test_role_colours_stay_apart_without_full_colour_vision(kind):
    for one, other in itertools.combinations((theme.BLUE, theme.VERMILION, theme.GREEN, theme.PURPLE), 2):
        assert distance(one, other, kind) >= APART, (one, other)


def test_paired_roles_differ_clearly():
    """Public against held out and A against B are read against each other in every figure that has them."""
    for kind in MACHADO:
        assert distance(theme.PUBLIC, theme.HELD_OUT, kind) >= 40
        assert distance(theme.MODEL_A, theme.MODEL_B, kind) >= 15


def test_estimators_are_four_different_colours():
    assert len(set(ESTIMATORS.values())) == 4


def test_benchmarks_have_a_style_each():
    assert list(BENCHMARK_STYLES) == list(BENCHMARKS)
    for part in ("colour", "dash", "shape"):
        values = [getattr(style, part) for style in BENCHMARK_STYLES.values()]
        assert len(set(values)) == len(values), part


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_benchmarks_that_colour_cannot_tell_apart_have_other_dashes_and_shapes(mode):
    """Grey-scale and every kind of colour vision: whoever loses one channel keeps two."""
    close = 0
    for one, other in itertools.combinations(BENCHMARK_STYLES.values(), 2):
        first, second = colour_of(one.colour, mode), colour_of(other.colour, mode)
        grey = abs(lab(first)[0] - lab(second)[0])
        if grey < 20 or min(distance(first, second, kind) for kind in MACHADO) < 20:
            close += 1
            assert one.dash != other.dash
            assert one.shape != other.shape
    assert close > 0


def test_unknown_benchmark_has_a_style():
    assert theme.benchmark_style("somebody's own").colour is Token.INK


def test_resolve_leaves_data_alone():
    spec = {
        "data": {"values": [{"name": "ink", "value": 1}]},
        "mark": {"color": Token.PAPER},
        "list": [Token.GRID],
    }
    found = theme.resolve(spec, "dark")
    assert found["data"]["values"] is spec["data"]["values"]
    assert found["mark"]["color"] == DARK.paper
    assert found["list"] == [DARK.grid]
    assert spec["mark"]["color"] is Token.PAPER


@pytest.mark.parametrize("mode", ["light", "dark", "print"])
def test_themed_specification_is_json_with_our_fonts(mode):
    spec = theme.themed({"mark": {"type": "line", "color": Token.INK}}, mode)
    text = json.dumps(spec)
    assert "Mirage Sans" in text
    assert "Mirage Serif" in text
    assert spec["config"]["background"] == ("#FFFFFF" if mode == "print" else "transparent")


def test_submissions_axis_has_the_tested_budgets_as_ticks():
    x = theme.submissions_axis([2**power for power in range(12)])
    assert x["axis"]["values"] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048]
    assert x["axis"]["format"] == "d"
    assert x["scale"]["base"] == 2
    assert x["scale"]["domain"] == [1, 2048]


@pytest.mark.parametrize("budgets", [[], [0, 1, 2], [-4]])
def test_submissions_axis_refuses_budgets_below_one(budgets):
    with pytest.raises(ValueError, match="at least 1"):
        theme.submissions_axis(budgets)
