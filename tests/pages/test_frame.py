"""The frame around every page: navigation, titles, notices about the link and about bundled data."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import DataError
from pages.kit import frame as kit_frame
from pages.kit.registry import PAGES, ROOT


@pytest.fixture(autouse=True)
def _fresh_caches():
    kit_frame._faults_at.clear()
    yield
    kit_frame._faults_at.clear()


def open_page(stem, **query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).run()
    for key, value in query.items():
        at.query_params[key] = value
    if stem != PAGES[0].stem:
        at.switch_page(f"pages/{stem}.py")
    return at.run()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_opens_without_a_fault(page):
    at = open_page(page.stem)
    assert not at.exception
    assert not at.error
    assert len(at.title) == 1
    assert len(at.title[0].value) > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_chart_has_words_and_downloads(page):
    at = open_page(page.stem, reveal="1")
    charts = at.get("vega_lite_chart")
    assert charts
    assert all(len(chart.proto.alt) > 40 for chart in charts)
    labels = [button.proto.label for button in at.get("download_button")]
    assert {"CSV", "SVG", "PNG", "JSON"} <= set(labels)


def test_links_of_a_newer_version_and_unknown_controls_are_told_and_dismissed():
    at = open_page("selection_loss", v="2", sl_gone="1", sl_budget="17")
    (words,) = [text.value for text in at.markdown if "left out" in text.value]
    assert "newer version (2)" in words
    assert "sl_gone is not a control" in words
    assert "sl_budget = “17”" in words
    at.button(key="sl_dismiss").click().run()
    assert not any("left out" in text.value for text in at.markdown)
    at.run()
    assert not any("left out" in text.value for text in at.markdown)


def test_a_switch_that_is_neither_on_nor_off_is_told():
    at = open_page("selection_loss", present="yes", reveal="2")
    (words,) = [text.value for text in at.markdown if "left out" in text.value]
    assert "present = “yes” is neither 0 nor 1" in words
    assert "reveal = “2” is neither 0 nor 1" in words


def test_a_good_link_says_nothing():
    at = open_page("selection_loss", v="1", sl_budget="128")
    assert not any("left out" in text.value for text in at.markdown)


def test_altered_data_is_a_sentence_on_every_page(monkeypatch):
    monkeypatch.setattr(
        kit_frame,
        "verify_all",
        lambda: ["The shipped file data/a.csv is missing. Restore it.", "And data/b.csv."],
    )
    at = open_page("selection_loss")
    assert "data/a.csv is missing" in at.warning[0].value
    assert "1 more" in at.warning[0].value
    assert not at.error
    assert at.get("vega_lite_chart")


def test_missing_checksums_are_a_sentence(monkeypatch):
    def gone():
        raise DataError("The shipped file data/README.md is missing.")

    monkeypatch.setattr(kit_frame, "verify_all", gone)
    assert "data/README.md is missing" in open_page("start").warning[0].value


def test_a_fault_inside_a_page_never_shows_a_traceback(monkeypatch):
    from pages.parts.start import figures

    def broken(*_, **__):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(figures, "choices", broken)
    at = open_page("start")
    assert not at.exception
    assert "secret" not in at.error[0].value
    assert "number" in at.error[0].value


def test_a_file_that_changes_under_a_running_server_is_told_at_once_and_checked_once(monkeypatch):
    states, checks = [1], []

    def check():
        checks.append(states[-1])
        return ["The shipped file data/x.csv is missing."] if states[-1] == 2 else []

    monkeypatch.setattr(kit_frame, "state", lambda: states[-1])
    monkeypatch.setattr(kit_frame, "verify_all", check)
    at = open_page("methods")
    assert not any("x.csv" in one.value for one in at.warning)
    states.append(2)
    assert any("x.csv" in one.value for one in at.run().warning)
    at.run()
    states.append(3)
    assert not any("x.csv" in one.value for one in at.run().warning)
    assert checks == [1, 2, 3]
