"""The start page: its claim follows the data, its doors lead to pages that exist, and a missing table is a sentence."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core import published
from core.errors import DataError
from core.figures.series import published_series
from pages.kit.registry import ROOT
from pages.parts.start import content, figures


@pytest.fixture(autouse=True)
def _fresh_caches():
    figures.losses.clear()
    figures.choices.clear()
    yield
    figures.losses.clear()
    figures.choices.clear()


def open_start():
    return AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).run()


def test_the_claim_is_the_published_one():
    at = open_start()
    assert not at.exception
    assert not at.error
    assert at.title[0].value == (
        "Follow the public ranking after 128 submissions and you pick a worse model, on six benchmarks out of six"
    )
    chart = at.get("vega_lite_chart")[0].proto
    assert "HELM Lite" in chart.alt
    assert at.page_link


def test_claim_and_paragraph_change_with_the_data():
    rows = published_series("model_selection_loss_pp")
    here = (rows["benchmark"] == "helm_lite") & (rows["new_submissions"] == content.BUDGET)
    before = content.paragraph(rows)
    rows.loc[here, ["value", "low", "high"]] = [-1.0, -1.5, -0.5]
    assert content.claim(rows).endswith("on five benchmarks out of six")
    assert content.paragraph(rows) != before
    rows[["low", "high"]] = [-1.0, 1.0]
    assert content.claim(rows) == (
        "Follow the public ranking after 128 submissions and you lose nothing for certain, on six benchmarks out of six"
    )


def test_title_figure_and_alternative_text_change_with_the_table(monkeypatch):
    table = published.selection_loss()
    frame = table.frame
    here = (frame["benchmark"] == "livebench") & (frame["new_submissions"] == content.BUDGET)
    frame.loc[
        here, ["model_selection_loss_pp", "model_selection_loss_pp_low", "model_selection_loss_pp_high"]
    ] = [
        0.1,
        -0.2,
        0.4,
    ]
    before = open_start()
    figures.losses.clear()
    figures.choices.clear()
    changed = published.PublishedTable(table.provenance, frame)
    monkeypatch.setattr(published, "selection_loss", lambda: changed)
    after = open_start()
    assert after.title[0].value.endswith("on five benchmarks out of six")
    assert after.header[0].value != before.header[0].value
    assert after.get("vega_lite_chart")[0].proto.alt != before.get("vega_lite_chart")[0].proto.alt


def test_a_missing_table_is_a_sentence_and_the_doors_stay_open(monkeypatch):
    def gone():
        raise DataError("The shipped file data/published/selection_loss.csv is missing. Restore it.")

    monkeypatch.setattr(published, "selection_loss", gone)
    at = open_start()
    assert not at.exception
    assert at.title[0].value == "Mirage"
    assert "selection_loss.csv is missing" in at.error[0].value
    assert at.page_link


def test_what_the_product_is_fits_four_sentences():
    assert content.ABOUT.count(". ") + 1 <= 4
