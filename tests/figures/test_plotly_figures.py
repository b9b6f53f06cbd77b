"""The surface: Plotly's drawing of the same rows, its colours, and images where a browser is found."""

from __future__ import annotations

import importlib.util
import json

import pytest

from core.errors import DataError, UsageError
from core.figures import export, plotly_export
from core.figures.feedback_series import MEASURE_KEYS, published_richness
from core.figures.feedback_surface import SCALE, surface_figure
from core.figures.theme import SURFACES


@pytest.fixture(params=["surface", "heat map"])
def picture(request):
    return request.param


@pytest.mark.parametrize("measure", MEASURE_KEYS)
def test_every_cell_is_the_published_value(measure, picture):
    rows = published_richness(measure)
    figure = surface_figure(rows, "LiveBench", picture)
    z = figure.traces[0]["z"]
    random = rows[~rows["static_control"]]
    for column, dimension in enumerate((1, 2, 3, 6, 9, 18)):
        assert z[column] == random[random["dimension"] == dimension]["value"].tolist()
    assert len(figure.data) == 66
    low, high = min(map(min, z)), max(map(max, z))
    digits = 0 if measure == "false_winner" else 2
    assert f"{low:.{digits}f}" in figure.title
    assert f"{high:.{digits}f}" in figure.title
    assert "published values" in figure.alt


def test_colours_follow_the_mode(picture):
    figure = surface_figure(published_richness("false_winner"), "LiveBench", picture)
    for mode in ("light", "dark", "print"):
        drawing = json.loads(figure.in_mode(mode).drawing().to_json())
        assert drawing["layout"]["font"]["color"] == SURFACES[mode].ink
        assert "Token" not in json.dumps(drawing)
        transparent = drawing["layout"]["paper_bgcolor"] == "rgba(0,0,0,0)"
        assert transparent == (mode != "print")


def test_print_carries_title_source_and_link(picture):
    figure = surface_figure(published_richness("false_winner"), "LiveBench", picture)
    text = str(figure.printed("http://x/y").to_plotly_json())
    for words in (*figure.title.split(), "http://x/y", "feedback_score_gap.csv"):
        assert words in text


def test_the_colour_scale_rises_in_lightness():
    def lightness(colour):
        red, green, blue = (int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5))
        return 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2

    steps = [lightness(colour) for _, colour in SCALE]
    assert steps == sorted(steps)
    assert steps[-1] > 10 * steps[0]


def test_too_little_for_a_surface_is_a_sentence():
    rows = published_richness("false_winner")
    with pytest.raises(UsageError, match="at least two budgets and two numbers"):
        surface_figure(rows[rows["dimension"] == 1], "LiveBench")
    with pytest.raises(UsageError, match="at least two budgets and two numbers"):
        surface_figure(rows[rows["new_submissions"] <= 2], "LiveBench")


def test_without_kaleido_or_a_browser_the_reason_is_said(monkeypatch, picture):
    figure = surface_figure(published_richness("false_winner"), "LiveBench", picture)
    monkeypatch.setattr(plotly_export.importlib.util, "find_spec", lambda name: None)
    assert "Kaleido" in plotly_export.missing()
    for make in (export.to_svg, export.to_png):
        with pytest.raises(DataError, match="Kaleido"):
            make(figure)
    assert "dimension" in export.to_csv(figure)
    found = type("Package", (), {"origin": "somewhere"})
    monkeypatch.setattr(plotly_export.importlib.util, "find_spec", lambda name: found)
    monkeypatch.setattr(plotly_export.shutil, "which", lambda name: None)
    monkeypatch.delenv("BROWSER_PATH", raising=False)
    assert "Chromium" in plotly_export.missing()


@pytest.mark.skipif(
    importlib.util.find_spec("kaleido") is None or plotly_export.missing() is not None,
    reason="Kaleido or a Chromium is missing",
)
def test_images_are_drawn_where_a_browser_is_found():
    figure = surface_figure(published_richness("false_winner"), "LiveBench", "heat map")
    assert export.to_png(figure)[:8] == b"\x89PNG\r\n\x1a\n"
    assert "False" in export.to_svg(figure)
