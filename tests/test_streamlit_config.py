"""The page's theme uses the shipped fonts and the palette of the charts."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import pytest

from core.figures import theme
from core.figures.export import FONT_FOLDER

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def config():
    return tomllib.loads((ROOT / ".streamlit/config.toml").read_text(encoding="utf-8"))


def test_every_font_face_is_a_shipped_file(config):
    faces = config["theme"]["fontFaces"]
    assert {Path(face["url"]).parent.as_posix() for face in faces} == {"app/static"}
    assert {Path(face["url"]).name for face in faces} == {path.name for path in FONT_FOLDER.glob("*.woff2")}


@pytest.mark.skipif(
    os.name == "nt", reason="links need a privilege on Windows; the page then uses the system's fonts"
)
def test_static_serves_the_font_folder():
    assert (ROOT / "static").resolve() == FONT_FOLDER


def test_families_are_those_of_the_charts(config):
    named = {face["family"] for face in config["theme"]["fontFaces"]}
    for family in named:
        assert family in config["theme"]["font"] + config["theme"]["headingFont"]
        assert family in theme.SANS + theme.SERIF


def test_chart_colours_are_the_palette(config):
    assert config["theme"]["chartCategoricalColors"] == [
        theme.BLUE,
        theme.VERMILION,
        theme.GREEN,
        theme.PURPLE,
    ]
    assert len(config["theme"]["chartSequentialColors"]) == 10
    assert len(config["theme"]["chartDivergingColors"]) == 10


@pytest.mark.parametrize(("mode", "surface"), [("light", theme.LIGHT), ("dark", theme.DARK)])
def test_page_and_charts_share_their_surface(config, mode, surface):
    assert config["theme"][mode]["backgroundColor"] == surface.paper
    assert config["theme"][mode]["textColor"] == surface.ink


def test_nothing_is_reported_and_no_traceback_is_shown(config):
    assert config["browser"]["gatherUsageStats"] is False
    assert config["client"]["showErrorDetails"] == "none"
    assert config["server"]["enableStaticServing"] is True
    assert config["server"]["maxUploadSize"] == 200
    assert "http" not in (ROOT / ".streamlit/config.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_accent_and_links_are_legible_as_text(config, mode):
    def luminance(colour):
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    colours = config["theme"][mode]
    for name in ("primaryColor", "linkColor", "textColor"):
        for ground in ("backgroundColor", "secondaryBackgroundColor"):
            low, high = sorted((luminance(colours[name]), luminance(colours[ground])))
            assert (high + 0.05) / (low + 0.05) >= 4.5, (name, ground)
