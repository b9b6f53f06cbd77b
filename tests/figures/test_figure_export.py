"""Files made from a figure carry its words, its data and its source, whatever fonts the machine has."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from core.errors import DataError
from core.figures import export
from core.figures.base import Figure
from core.figures.export import export_spec, to_csv, to_json, to_png, to_svg
from core.figures.selection_loss import Options, loss_figure

LINK = "http://localhost:8501/selection_loss?sl_budget=64&v=1"
ROOT = Path(__file__).resolve().parents[2]


def words_of(svg):
    return " ".join(
        unescape(text) for text in re.findall(r"<text[^>]*>(.*?)</text>", svg, re.DOTALL)
    ).replace("\u00a0", " ")


def pixels(png):
    from PIL import Image

    return np.asarray(Image.open(io.BytesIO(png)).convert("L"))


@pytest.fixture(scope="module")
def figure(published_loss):
    return loss_figure(published_loss)


@pytest.fixture
def small():
    frame = pd.DataFrame(
        {"x": [1, 2], "y": [0.1 + 0.2, 1e-17], "label": ["published"] * 2, "source": ["a", "b"]}
    )
    spec = {
        "data": {"values": frame[["x", "y"]].to_dict("records")},
        "mark": "point",
        "encoding": {
            "x": {"field": "x", "type": "quantitative"},
            "y": {"field": "y", "type": "quantitative"},
        },
    }
    return Figure(spec, "A title", "A subtitle", "An alternative", frame, "A source.")


class TestSvg:
    @pytest.mark.parametrize("layout", ["overlay", "small multiples"])
    def test_holds_every_word(self, published_loss, layout):
        made = loss_figure(published_loss, Options(layout=layout))
        text = words_of(to_svg(made, link=LINK))
        for sentence in (made.title, made.subtitle, made.source):
            for word in sentence.split():
                assert word in text
        assert LINK in text
        for name in dict.fromkeys(published_loss["name"]):
            assert name in text

    def test_uses_our_fonts(self, figure):
        svg = to_svg(figure)
        families = set(re.findall(r'font-family="([^"]*)"', svg))
        assert families
        assert all(family.startswith("Mirage ") for family in families), families
        title = next(
            part
            for part in re.findall(r"<text[^>]*>.*?</text>", svg, re.DOTALL)
            if "128 submissions the" in part
        )
        assert 'font-family="Mirage Serif' in title

    def test_shows_markup_and_expressions_literally(self, small):
        nasty = '<script>alert(1)</script> & datum.value {{1+1}} "q"'
        svg = to_svg(replace(small, title=nasty, subtitle=nasty, source=nasty))
        assert "<script" not in svg
        assert words_of(svg).count("<script>alert(1)</script>") == 3
        assert "{{1+1}}" in words_of(svg)

    def test_title_breaks_into_lines_that_fit(self, figure):
        long = replace(figure, title=" ".join([figure.title] * 3))
        lines = export_spec(long)["title"]["text"]
        assert len(lines) >= 3
        assert " ".join(lines).replace("\u00a0", " ") == long.title


class TestPng:
    def test_has_ink_where_the_title_stands(self, figure):
        image = pixels(to_png(figure, scale=1))
        blank = pixels(to_png(replace(figure, title=" "), scale=1))
        top = image[20:50, 20:700]
        assert (top < 100).sum() > 800
        assert (blank[20:50, 20:700] < 100).sum() < (top < 100).sum() / 4

    def test_scale_multiplies_the_pixels(self, small):
        one, two = pixels(to_png(small, scale=1)), pixels(to_png(small, scale=2))
        assert two.shape == tuple(2 * side for side in one.shape)

    def test_is_white_for_print_whatever_the_mode(self, figure):
        assert pixels(to_png(figure.in_mode("dark"), scale=1))[0, 0] == 255
        assert export_spec(figure.in_mode("dark")) == export_spec(figure)

    def test_phone_width_fits_a_phone(self, published_loss):
        made = loss_figure(published_loss, Options(width="compact"))
        assert pixels(to_png(made, scale=1)).shape[1] <= 430


def test_text_is_drawn_on_a_machine_without_any_font(tmp_path):
    """A process whose font configuration is empty draws the same picture as this one."""
    (tmp_path / "fonts.conf").write_text('<?xml version="1.0"?><fontconfig></fontconfig>')
    code = (
        "import sys; from core.figures.export import to_png; from core.figures.selection_loss import loss_figure;"
        "from core.figures.series import published_series;"
        "sys.stdout.buffer.write(to_png(loss_figure(published_series('model_selection_loss_pp')), scale=1))"
    )
    bare = {
        "PATH": os.defpath,
        "HOME": str(tmp_path),
        "FONTCONFIG_FILE": str(tmp_path / "fonts.conf"),
        "XDG_DATA_HOME": str(tmp_path),
    }
    found = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=bare, capture_output=True, check=True, timeout=120
    )
    from core.figures.series import published_series

    here = pixels(to_png(loss_figure(published_series("model_selection_loss_pp")), scale=1))
    there = pixels(found.stdout)
    assert there.shape == here.shape
    assert (there != here).mean() < 0.001


def test_text_in_an_unknown_font_would_differ(figure, monkeypatch):
    """The comparison above can fail: other fonts give another picture."""
    ours = pixels(to_png(figure, scale=1))
    spec = json.loads(
        to_json(figure).replace("Mirage Sans", "Nobody Sans").replace("Mirage Serif", "Nobody Serif")
    )
    other = pixels(export._converter().vegalite_to_png(spec, scale=1))
    assert other.shape != ours.shape or (other != ours).mean() > 0.001


def face(name):
    from PIL import ImageFont

    return ImageFont.truetype(str(export.FONT_FOLDER / f"{name}.ttf"), 200)


@pytest.mark.parametrize(
    "name", ["MirageSans-Regular", "MirageSans-Bold", "MirageSerif-Regular", "MirageSerif-Bold"]
)
def test_every_character_of_the_charts_is_in_the_shipped_fonts(published_loss, name):
    """The minus sign, for one, is missing from older releases of the same family and would fall back."""
    made = loss_figure(published_loss, Options(budget=1024))
    needed = set(made.title + made.subtitle + made.source + "".join(made.notices) + "−0123456789%") - {
        " ",
        "\u00a0",
    }
    font = face(name)
    unknown = bytes(font.getmask("\uffff"))
    assert not {letter for letter in needed if bytes(font.getmask(letter)) == unknown}


@pytest.mark.parametrize(
    "name", ["MirageSans-Regular", "MirageSans-Bold", "MirageSerif-Regular", "MirageSerif-Bold"]
)
def test_digits_have_one_width(name):
    font = face(name)
    assert len({font.getlength(digit) for digit in "0123456789"}) == 1
    assert font.getlength("i") != font.getlength("m")


def test_page_fonts_are_the_faces_of_the_images():
    names = {path.stem for path in export.FONT_FOLDER.glob("*.ttf")}
    assert names == {path.stem for path in export.FONT_FOLDER.glob("*.woff2")}
    assert len(names) == 7


def test_missing_fonts_are_an_error_not_an_empty_picture(figure, monkeypatch, tmp_path):
    export._converter.cache_clear()
    monkeypatch.setattr(export, "FONT_FOLDER", tmp_path)
    with pytest.raises(DataError, match=r"shipped fonts .* missing, so an image would carry no text"):
        to_svg(figure)
    export._converter.cache_clear()


class TestJson:
    def test_is_a_complete_specification(self, figure, assert_valid_spec):
        spec = json.loads(to_json(figure, link=LINK))
        assert_valid_spec(spec)
        assert spec["title"]["text"][0] in figure.title
        assert spec["description"] == figure.alt
        assert len(spec["vconcat"][0]["data"]["values"]) == len(figure.data)
        assert LINK in json.dumps(spec)

    @pytest.mark.parametrize("layout", ["overlay", "small multiples"])
    def test_layouts_are_valid(self, published_loss, layout, assert_valid_spec):
        assert_valid_spec(json.loads(to_json(loss_figure(published_loss, Options(layout=layout)))))


class TestCsv:
    def test_holds_the_shown_rows_to_the_last_digit(self, figure):
        rows = list(csv.DictReader(io.StringIO(to_csv(figure))))
        assert len(rows) == len(figure.data) == 72
        assert [float(row["value"]) for row in rows] == figure.data["value"].tolist()
        assert {row["label"] for row in rows} == {"published"}
        assert all("selection_loss.csv" in row["source"] for row in rows)

    def test_numbers_round_trip(self, small):
        rows = list(csv.DictReader(io.StringIO(to_csv(small))))
        assert [float(row["y"]) for row in rows] == [0.1 + 0.2, 1e-17]

    @pytest.mark.parametrize("text", ["=1+1", "+cmd|' /C calc'!A0", "-2+3", "@SUM(A1)", "\t=1", "\r=1"])
    def test_text_that_a_spreadsheet_would_run_is_quoted(self, small, text):
        made = replace(small, data=small.data.assign(label=text))
        rows = list(csv.DictReader(io.StringIO(to_csv(made), newline="")))
        assert {row["label"] for row in rows} == {f"'{text}"}

    def test_dangerous_column_names_are_quoted_too(self, small):
        made = replace(small, data=small.data.rename(columns={"x": "=x"}))
        assert to_csv(made).startswith("'=x,")

    def test_negative_numbers_stay_numbers(self, small):
        made = replace(small, data=small.data.assign(y=[-1.5, -2]))
        assert [row["y"] for row in csv.DictReader(io.StringIO(to_csv(made)))] == ["-1.5", "-2.0"]

    def test_missing_values_are_blank(self, small):
        made = replace(small, data=small.data.assign(y=[np.nan, 1.0]))
        assert next(csv.DictReader(io.StringIO(to_csv(made))))["y"] == ""

    def test_link_is_a_column(self, small):
        assert {row["link"] for row in csv.DictReader(io.StringIO(to_csv(small, link=LINK)))} == {LINK}

    def test_commas_and_quotes_survive(self, small):
        made = replace(small, data=small.data.assign(label='a, "b"\nc'))
        assert next(csv.DictReader(io.StringIO(to_csv(made), newline="")))["label"] == 'a, "b"\nc'
