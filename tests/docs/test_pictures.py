"""The pictures of the pages: one of each, of links that work, small, and shown by the README."""

from __future__ import annotations

import importlib

import pytest
from PIL import Image

from pages.kit.registry import PAGES
from tests.docs.documents import ROOT, links_of
from tests.docs.test_links import address_faults
from tools.make_pictures import COLOURS, FOLDER, HEIGHT, PICTURES, Picture, compressed, main

MOST_BYTES = 2_500_000


def test_every_page_has_one_picture_and_nothing_else_is_kept():
    assert [picture.stem for picture in PICTURES] == [page.stem for page in PAGES]
    assert {path.name for path in FOLDER.iterdir()} == {picture.file.name for picture in PICTURES}


@pytest.mark.parametrize("picture", PICTURES, ids=lambda picture: picture.stem)
def test_a_picture_shows_something_and_its_link_works(picture):
    assert address_faults(picture.link) == []
    assert "reveal=1" in picture.link
    with Image.open(picture.file) as image:
        assert image.format == "PNG"
        assert image.mode == "P"
        assert image.width >= 900
        assert 500 <= image.height <= HEIGHT
        colours = image.getcolors(COLOURS)
        assert colours is not None
        assert max(count for count, _ in colours) < 0.98 * image.width * image.height


def test_all_pictures_together_are_small():
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < MOST_BYTES


def test_the_readme_shows_every_picture():
    shown = [link for link in links_of(ROOT / "README.md") if link.startswith("docs/pictures/")]
    assert sorted(set(shown)) == sorted(f"docs/pictures/{page.stem}.png" for page in PAGES)


def test_a_value_that_is_not_the_controls_is_refused():
    with pytest.raises(KeyError):
        _ = Picture("selection_loss", {"budget": 17}).link


def test_compressing_keeps_flat_colours(tmp_path):
    source = tmp_path / "a.png"
    image = Image.new("RGB", (40, 30), "white")
    image.paste((0, 114, 178), (0, 0, 20, 30))
    image.save(source)
    result = tmp_path / "b.png"
    result.write_bytes(compressed(source.read_bytes()))
    with Image.open(result) as small:
        assert small.mode == "P"
        assert small.convert("RGB").getpixel((5, 5)) == (0, 114, 178)
        assert small.convert("RGB").getpixel((35, 5)) == (255, 255, 255)


def test_an_unknown_page_is_named(capsys):
    assert main(["selection_los"]) == 2
    assert "No page selection_los." in capsys.readouterr().err


def test_without_a_browser_the_remedy_is_named(capsys, monkeypatch):
    monkeypatch.setattr(importlib.import_module("tools.make_pictures").shutil, "which", lambda _: None)
    assert main(["start"]) == 1
    assert "apt-get install chromium" in capsys.readouterr().err
