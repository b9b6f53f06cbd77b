"""The feedback richness page in a real browser: the scrubber, the surface, the table of groups, a run and its link."""

from __future__ import annotations

import csv
import io
from urllib.parse import parse_qs, urlsplit

LIVE = "/feedback?fb_view=Recomputed+live&fb_bank=Terminal-Bench-Science&fb_trials=50"


def _query(page):
    return parse_qs(urlsplit(page.page.url).query, keep_blank_values=True)


def _bold(page):
    """Path of the bold line of the first chart."""
    return page.page.evaluate(
        "() => [...document.querySelectorAll('[data-testid=stVegaLiteChart]')[0].querySelectorAll('path')]"
        ".filter(path => path.getAttribute('stroke-width') === '2.75').map(path => path.getAttribute('d')).join()"
    )


def test_controls_write_the_url_and_the_link_brings_them_back(server, visit):
    first = visit(server).open("/feedback?reveal=1")
    first.page.get_by_role("radio", name="Released scores").click()
    first.page.wait_for_url("**fb_axis=**")
    first.settled()
    assert _query(first)["fb_axis"] == ["Released scores"]
    assert "come together" in first.page.locator("h2").first.inner_text()
    second = visit(server)
    second.page.goto(first.page.url)
    second.ready()
    assert second.chart_words() == first.chart_words()
    assert first.complaints == second.complaints == []


def test_the_scrubber_moves_in_the_browser_and_use_this_copies_its_place(server, visit):
    page = visit(server).open("/feedback?reveal=1&fb_play=true")
    page.page.wait_for_selector("input[name=frame]")
    before = _bold(page)
    slider = page.page.locator("input[name=frame]")
    slider.focus()
    for _ in range(5):
        page.page.keyboard.press("ArrowRight")
    page.page.wait_for_timeout(300)
    moved = _bold(page)
    assert moved != before
    assert "fb_scores" not in page.page.url
    page.page.get_by_role("button", name="Use this").click()
    page.page.wait_for_url("**fb_scores=18**")
    page.settled()
    page.page.wait_for_selector("text=Bold: 18 returned scores")
    assert page.complaints == []


def test_the_surface_is_drawn_and_its_data_can_be_had(server, visit):
    page = visit(server).open("/feedback?reveal=1&fb_picture=Heat+map")
    page.page.wait_for_selector("[data-testid=stPlotlyChart] .plot-container")
    assert page.page.locator("[data-testid=stPlotlyChart] .heatmaplayer image").count() == 1
    with page.page.expect_download() as waiting:
        page.page.get_by_role("button", name="CSV", exact=True).first.click()
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_bytes().decode())))
    assert len(rows) == 66
    assert all("fb_picture=Heat" in row["link"] for row in rows)
    assert page.elsewhere == []


def test_a_live_run_finishes_by_itself(server, visit):
    page = visit(server).open(f"{LIVE}&fb_rule=overall%2Bnoise%3A1&fb_seed=5")
    page.page.wait_for_selector("text=Under your rule", timeout=60_000)
    page.settled()
    assert any("the rule overall+noise:1" in words for words in page.chart_words())
    assert page.complaints == []
    assert page.elsewhere == []


def test_a_rule_is_built_with_pickers(server, visit):
    page = visit(server).open(LIVE)
    page.page.get_by_role("button", name="Build a rule").click()
    page.page.get_by_role("button", name="Use this rule").click()
    page.page.wait_for_url("**fb_rule=task**")
    page.page.wait_for_selector("text=Under your rule", timeout=60_000)


def test_a_bad_rule_shows_the_grammar(server, visit):
    page = visit(server).open(f"{LIVE}&fb_rule=category%2Bround%3A7&fb_groups=false")
    page.page.wait_for_selector("text=does not divide 100 pp into whole steps")
    assert "A rule is one of task, category" in page.text
