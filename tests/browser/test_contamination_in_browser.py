"""The contamination pages in a real browser: a clicked cell, a computed diagram, the keyboard."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit


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
    page.page.wait_for_selector("h2:has-text('On MMLU the best estimator')", timeout=60_000)
    page.ready()
    assert "200 test sets of 100 items" in page.text


def test_the_sliders_of_the_drawn_test_set_follow_the_keyboard(server, visit):
    page = visit(server).open("/correct_a_score?reveal=1")
    before = page.page.locator("h2").first.inner_text()
    page.page.get_by_role("slider").first.focus()
    page.page.keyboard.press("ArrowLeft")
    page.page.wait_for_url("**cs_spiked=50**")
    page.page.wait_for_function("before => document.querySelector('h2').innerText !== before", arg=before)


def test_the_lists_of_a_phone_show_their_values_whole(server, visit):
    page = visit(server, width=390).open("/correct_a_score?reveal=1&cs_regime=Random%2C+medium+dose").idle()
    cut = page.page.evaluate(
        "() => [...document.querySelectorAll('.st-key-cs_regime input, .st-key-cs_regime [value]')]"
        ".map(field => [field.getAttribute('value') || field.textContent, field.scrollWidth - field.clientWidth])"
    )
    shown = [over for text, over in cut if text == "Random, medium dose"]
    assert shown, cut
    assert max(shown) <= 0
