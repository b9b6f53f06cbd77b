"""The contamination pages in a real browser: a clicked cell, a computed diagram, phone width."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest


def _query(page):
    return parse_qs(urlsplit(page.page.url).query, keep_blank_values=True)


def test_a_clicked_cell_moves_the_readers_predictors(server, visit):
    page = visit(server, height=1600).open("/phase_diagrams?reveal=1")
    chart = page.page.locator("[data-testid=stVegaLiteChart]").nth(5)
    chart.scroll_into_view_if_needed()
    box = chart.bounding_box()
    page.page.mouse.click(box["x"] + 0.78 * box["width"], box["y"] + 0.6 * box["height"])
    page.page.wait_for_url("**pd_panel=Hard+leaked**")
    page.settled()
    query = _query(page)
    assert float(query["pd_auroc"][0]) != 0.8
    assert f"AUROC {float(query['pd_auroc'][0]):.2f}" in page.text
    assert "Hard items leaked, AUROC" in page.text


def test_a_diagram_is_computed_with_its_progress_and_drawn(server, visit):
    page = visit(server)
    page.page.goto(f"{server}/phase_diagrams?pd_n=100&pd_replicates=200")
    page.page.wait_for_selector("h3:has-text('On MMLU the best estimator')", timeout=60_000)
    page.ready()
    assert "200 test sets of 100 items" in page.text


def test_the_sliders_of_the_drawn_test_set_follow_the_keyboard(server, visit):
    page = visit(server).open("/correct_a_score?reveal=1")
    before = page.page.locator("h3").first.inner_text()
    page.page.get_by_role("slider").first.focus()
    page.page.keyboard.press("ArrowLeft")
    page.page.wait_for_url("**cs_spiked=50**")
    page.page.wait_for_function("before => document.querySelector('h3').innerText !== before", arg=before)


@pytest.mark.parametrize("stem", ["phase_diagrams", "correct_a_score", "pocket_hubble"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_sticks_out_on_a_phone(server, visit, stem, scheme):
    page = visit(server, width=390, height=844, scheme=scheme).open(f"/{stem}?reveal=1")
    over = page.page.evaluate(
        "() => { const main = document.querySelector('[data-testid=stMain]'); return main.scrollWidth - main.clientWidth }"
    )
    assert over <= 0
    assert not page.complaints
    assert not page.elsewhere
