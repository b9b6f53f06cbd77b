"""The files of every page's main figure, fetched in a real browser and opened."""

from __future__ import annotations

import io
import json
import xml.etree.ElementTree as ET

import numpy as np
import pandas as pd
import pytest
from PIL import Image

from pages.kit.registry import PAGES
from tests.browser.states import link


@pytest.mark.parametrize("info", PAGES, ids=lambda info: info.stem)
def test_the_main_figures_files_can_be_opened(server, visit, info):
    page = visit(server).go(link(info.stem, {}))
    figure = page.page.locator("[class*='_figure']").first
    title = figure.locator("h2").first.inner_text()
    files = {}
    for kind in ("CSV", "SVG", "PNG", "JSON"):
        with page.page.expect_download() as waiting:
            figure.get_by_role("button", name=kind, exact=True).click()
        assert waiting.value.suggested_filename.startswith(f"mirage-{info.stem.replace('_', '-')}-")
        assert waiting.value.suggested_filename.endswith(f".{kind.lower()}")
        files[kind] = waiting.value.path().read_bytes()

    rows = pd.read_csv(io.BytesIO(files["CSV"]))
    assert len(rows) >= 2
    assert set(rows["label"]) <= {"published", "recomputed", "simulated"}
    assert rows["source"].str.len().min() > 5
    assert rows["link"].str.startswith(page.address).all()

    words = " ".join(
        " ".join(element.itertext())
        for element in ET.fromstring(files["SVG"]).iter()
        if element.tag.endswith("}text")
    )
    assert all(word in words for word in title.split())
    assert "Source:" in words
    assert server in words

    specification = json.loads(files["JSON"])
    assert title in specification["description"]

    picture = np.asarray(Image.open(io.BytesIO(files["PNG"])).convert("RGB"))
    height, width, _ = picture.shape
    assert width > 800
    assert height > 200
    colours, counts = np.unique(picture.reshape(-1, 3), axis=0, return_counts=True)
    assert len(colours) > 20
    assert counts.max() < 0.995 * height * width, "hardly any ink"
    heading = picture[: max(height // 10, 120)].max(axis=2)
    assert (heading < 100).sum() > 500, "no ink where the title stands"
    assert page.complaints == []
    assert page.elsewhere == []
