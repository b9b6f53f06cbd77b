"""Figures of the contamination strand: valid specifications, computed words, readable colours, exports with text."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from core.contamination import hubble, shipped
from core.contamination.correction import CorrectionSettings, correct
from core.contamination.detection import auroc, reliability, roc
from core.contamination.phase import PhaseSettings, cell_errors
from core.contamination.pocket.summary import auroc_table, calibrated_reliability
from core.contamination.pool_correction import PoolCase, draw_case, repeated_errors
from core.contamination.pools import calibrated_pool
from core.contamination.regimes import Design
from core.figures.auroc_lines import auroc_lines_figure
from core.figures.cell_errors import cell_figure
from core.figures.detection import auroc_figure, reliability_figure, roc_figure
from core.figures.estimates import _number_place, error_figure, estimate_figure, sizes_figure
from core.figures.estimator_lines import spread_labels
from core.figures.export import to_csv, to_json, to_png, to_svg
from core.figures.inflation import inflation_figure
from core.figures.phase_diagrams import (
    COLOURS,
    LETTERS,
    SELECTION,
    STRONGEST,
    PhaseLook,
    claim,
    phase_figure,
    strength,
    with_predictors,
)
from core.figures.pocket_hubble import accuracy_figure, tokens_figure
from core.figures.theme import DARK, ESTIMATORS, GREY, LIGHT, PURPLE, Token

LOOK = PhaseLook("MMLU", "A drawn pool")


@pytest.fixture(scope="module")
def pool():
    return calibrated_pool("mmlu")


@pytest.fixture(scope="module")
def diagram():
    frame = shipped.default_phase_frame()
    return frame[frame["pool"] == "mmlu"].drop(columns="pool")


@pytest.fixture(scope="module")
def pair():
    return shipped.default_pocket_pair()


@pytest.fixture(scope="module")
def figures(pool, diagram, pair):
    """Return one of each figure."""
    case = draw_case(pool, PoolCase(spiked=20))
    correction = correct(case.test, case.calibration, CorrectionSettings(resamples=40))
    score, leaked = case.test.score, case.contaminated
    area = auroc(score, leaked)
    levels = auroc_table(pair)
    levels = levels[(levels["scope"] == "whole") & (levels["duplicates"] != "all")].astype(
        {"duplicates": int}
    )
    errors = cell_errors(pool, PhaseSettings(), "hard", 12, 6)
    inflation = pd.DataFrame(
        {"benchmark": label, "duplicates": level, "inflation_pp": value}
        for label, level, value in (("A", 1, 0.5), ("A", 256, 9.0), ("B", 1, 0.1), ("B", 256, 9.4))
    )
    common = {"label": "simulated", "source": "A drawn pool."}
    return {
        "phase": with_predictors(phase_figure(diagram, LOOK), 0.8, 6.0),
        "cell": cell_figure(errors, regime="hard", auroc=0.8, bias_pp=5.0, **common),
        "lines": auroc_lines_figure(diagram, "random_high", LOOK),
        "estimate": estimate_figure(correction.frame(), truth=case.truth, where="here", **common),
        "blind": estimate_figure(
            correction.frame(), truth=None, where="here", label="recomputed", source="A file."
        ),
        "error": error_figure(
            repeated_errors(pool, PoolCase(design=Design(replicates=50))),
            where="here",
            test_sets=50,
            **common,
        ),
        "sizes": sizes_figure(shipped.default_sizes(), mark=10, where="here", source="A drawn pool."),
        "roc": roc_figure(
            *roc(score, leaked), area=(area.value, area.low, area.high), attack="LOSS", name="here", **common
        ),
        "reliability": reliability_figure(
            {
                "a": reliability(np.linspace(0, 1, 50), np.arange(50) > 25),
                "b": reliability([0.2, 0.8], [0, 1]),
            },
            attack="LOSS",
            name="here",
            **common,
        ),
        "levels": auroc_figure(levels, name="Pocket pair", label="recomputed", source="Here."),
        "accuracy": accuracy_figure(
            pair.accuracy_frame(), name="Pocket pair", label="recomputed", source="Here.", chance=0.25
        ),
        "tokens": tokens_figure(
            pair.texts[0].split(), list(pair.standard[0]), list(pair.perturbed[0]), copies=0, source="Here."
        ),
        "inflation": inflation_figure(inflation, rate_percent=30, source="Tables."),
    }


NAMES = [
    "phase",
    "cell",
    "lines",
    "estimate",
    "blind",
    "error",
    "sizes",
    "roc",
    "reliability",
    "levels",
    "accuracy",
    "tokens",
    "inflation",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("mode", ["light", "dark", "print"])
def test_specifications_are_valid_in_every_mode(figures, name, mode, assert_valid_spec):
    figure = figures[name].in_mode(mode)
    assert_valid_spec(figure.themed_spec)
    for panel in figure.panels:
        assert_valid_spec(panel.in_mode(mode).themed_spec)


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_says_what_it_shows(figures, name):
    figure = figures[name]
    assert figure.title
    assert any(word in figure.subtitle.lower() for word in ("published", "recomputed", "simulated"))
    assert figure.title in figure.alt or name == "phase"
    assert "nan" not in f"{figure.title} {figure.alt} {figure.subtitle}".lower().split()
    assert set(figure.data["label"]) <= {"published", "recomputed", "simulated"}
    assert figure.data["source"].iloc[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_figure_can_be_exported_with_its_words(figures, name):
    figure = figures[name]
    svg = to_svg(figure, link="https://example.org/here")
    assert figure.title.split()[0] in svg
    assert "example.org" in svg
    assert to_png(figure, scale=0.5)[:4] == b"\x89PNG"
    assert to_csv(figure).count("\r\n") == len(figure.data) + 1
    assert figure.title.split()[0] in to_json(figure)


def test_the_title_follows_the_winners(diagram):
    assert "naive for low random doses (89 % of cells)" in phase_figure(diagram, LOOK).title
    changed = diagram.assign(winner="ipw")
    assert "IPW wins the most cells: 100 % for low random doses" in phase_figure(changed, LOOK).title


def test_a_panel_can_be_clicked_and_the_joint_figure_not(figures):
    figure = figures["phase"]
    params = figure.panels[0].spec["layer"][0]["params"]
    assert params[0]["name"] == SELECTION
    assert all("params" not in layer for part in figure.spec["concat"] for layer in part["layer"])
    assert len(figure.panels) == 6


def test_the_readers_mark_is_left_out_beyond_the_axis(diagram):
    plain = phase_figure(diagram, LOOK)

    def layers(bias):
        return {panel.title: len(panel.spec["layer"]) for panel in with_predictors(plain, 0.8, bias).panels}

    inside, beyond = layers(6.0), layers(20.0)
    assert inside["Hard items leaked"] == beyond["Hard items leaked"] + 2
    assert inside["Random, high dose"] == beyond["Random, high dose"]


def test_paleness_means_a_closer_race():
    values = [strength(margin) for margin in (0, 0.1, 1, 3, 10)]
    assert values == sorted(values)
    assert strength(5.0, tie=True) == strength(0.0)


def _mix(colour, paper, share):
    front, back = (tuple(int(text[i : i + 2], 16) for i in (1, 3, 5)) for text in (colour, paper))
    return [share * a + (1 - share) * b for a, b in zip(front, back, strict=True)]


def _luminance(rgb):
    parts = [
        value / 255 / 12.92 if value / 255 <= 0.03928 else ((value / 255 + 0.055) / 1.055) ** 2.4
        for value in rgb
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("surface", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("name", [name for name in LETTERS if name != "epg"])
def test_letters_are_readable_on_the_strongest_colour(surface, name):
    """WCAG AA: 4.5 to 1 for text."""
    ground = _luminance(_mix(COLOURS[name], surface.paper, STRONGEST))
    ink = _luminance(_mix(surface.ink, surface.paper, 1.0))
    high, low = max(ground, ink), min(ground, ink)
    assert (high + 0.05) / (low + 0.05) >= 4.5


def test_epg_in_the_contest_has_the_colour_of_text_and_a_letter():
    assert COLOURS["epg"] is Token.INK
    assert LETTERS["epg"] == "E"


def test_undefined_estimates_are_named_and_never_drawn(figures):
    table = figures["blind"].data[["estimator", "estimate", "low", "high", "note"]].copy()
    table.loc[table["estimator"] == "ipw", ["estimate", "low", "high"]] = np.nan
    table.loc[table["estimator"] == "ipw", "note"] = "undefined (no weight)"
    figure = estimate_figure(table, truth=None, where="here", label="recomputed", source="A file.")
    assert any(
        "IPW" in notice or "Ipw" in notice for notice in figure.notices if "undefined (no weight)" in notice
    )
    drawn = [row["key"] for row in figure.spec["data"]["values"]]
    assert "ipw" not in drawn
    assert "NaN" not in to_json(figure)


@pytest.mark.parametrize(
    ("value", "place", "anchor"),
    [(49, "left", 49), (50, "right", 50), (52, "right", 52), (80, "over", 80), (12, "start", 12)],
)
def test_numbers_stand_beside_the_clean_score_and_not_on_its_line(value, place, anchor):
    table = pd.DataFrame(
        {
            "estimator": ["naive", "ipw"],
            "estimate": [0.9, value / 100],
            "low": [0.6, 0.02],
            "high": [0.98, 0.9],
            "note": ["", ""],
        }
    )
    figure = estimate_figure(table, truth=0.5, where="here", label="simulated", source="A pool.")
    row = next(row for row in figure.spec["data"]["values"] if row["key"] == "ipw")
    assert (row["place"], row["anchor"]) == (place, pytest.approx(anchor))
    texts = [layer for layer in figure.spec["layer"] if layer["mark"]["type"] == "text"]
    drawn = [layer for layer in texts if layer["transform"][0]["filter"] == f"datum.place == '{place}'"]
    assert len(drawn) == 2
    assert all(layer["encoding"]["x"]["field"] == "anchor" for layer in texts)


def test_a_number_left_of_the_axis_start_stands_right_of_the_line():
    """A number at the start of the axis has no room to its left; it stands behind the line instead."""
    assert _number_place(11.0, [0.0, 100.0], 12.0) == {"place": "right", "anchor": 12.0}
    assert _number_place(11.0, [0.0, 100.0], None) == {"place": "start", "anchor": 11.0}


def test_one_winner_everywhere_is_not_called_a_change():
    frame = pd.DataFrame({"regime": ["random_low", "random_high"], "winner": ["combined", "combined"]})
    assert claim(frame, "mine").startswith("On mine combined wins the most cells: 100 % for ")
    changed = frame.assign(winner=["naive", "combined"])
    assert "changes with the leak: naive for" in claim(changed, "mine")


def test_nothing_to_correct_with_is_said():
    table = pd.DataFrame(
        {"estimator": ["naive"], "estimate": [0.5], "low": [0.4], "high": [0.6], "note": [""]}
    )
    figure = estimate_figure(table, truth=None, where="2 items", label="recomputed", source="A file.")
    assert "nothing here can correct it" in figure.title


def test_labels_are_moved_apart():
    ends = [{"rmse": 1.0, "name": "a"}, {"rmse": 1.1, "name": "b"}, {"rmse": 5.0, "name": "c"}]
    assert [row["at"] for row in spread_labels(ends, 0.5)] == [1.0, 1.5, 5.0]


def test_an_item_that_was_not_inserted_is_called_so(figures):
    assert figures["tokens"].title.startswith("An item that nobody inserted")


@pytest.mark.parametrize("name", ["levels", "accuracy", "tokens", "reliability"])
def test_colours_are_left_to_the_estimators_beside_them(figures, name):
    """On one page a colour has one meaning: models, scores and calibrations differ by ink, dash and shape."""
    drawn = json.dumps(figures[name].in_mode("light").themed_spec)
    assert not [colour for colour in ESTIMATORS.values() if colour in drawn and colour != GREY]
    assert PURPLE not in drawn


@pytest.mark.parametrize("name", ["levels", "reliability"])
def test_the_symbols_of_a_legend_are_as_dark_as_the_marks(figures, name):
    spec = figures[name].spec
    legends = [
        channel["legend"]
        for layer in spec["layer"]
        for channel in layer["encoding"].values()
        if isinstance(channel, dict) and channel.get("legend")
    ]
    assert legends
    assert {legend["symbolOpacity"] for legend in legends} == {1}


def test_the_models_are_named_at_their_lines(figures):
    for name in ("accuracy", "tokens"):
        ends = figures[name].spec["layer"][-1]
        assert ends["mark"]["type"] == "text"
        assert {row["model"] for row in ends["data"]["values"]} == {"standard", "perturbed"}


def test_losing_by_a_copy_is_said_as_lowering():
    table = pd.DataFrame({"duplicates": [0, 1, 4], "standard": [0.5, 0.5, 0.5], "perturbed": [0.5, 0.4, 0.9]})
    figure = accuracy_figure(table, name="A pair", label="published", source="Tables.", chance=0.25)
    assert "one copy lowers it by 10.0 pp" in figure.title


def test_published_aurocs_make_a_figure_without_intervals():
    rows = [
        {"attack": attack, "duplicates": level, "auroc": value}
        for attack, values in hubble.attack_aurocs().items()
        for level, value in values.items()
    ]
    figure = auroc_figure(pd.DataFrame(rows), name="Hubble", label="published", source="Tables.")
    assert "interval" not in figure.subtitle
    assert "Min-K%++ 0.94" in figure.title


def test_a_corrected_prior_is_more_reliable_where_doses_mix(pair):
    before, after = (
        calibrated_reliability(pair.pool(), "LOSS", 0.3, corrected=corrected) for corrected in (False, True)
    )
    assert after.error < 0.5 * before.error
