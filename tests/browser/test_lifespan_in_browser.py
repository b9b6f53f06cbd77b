"""The lifespan page in a real browser: link, keyboard, simulation with progress and cancel, download."""

from __future__ import annotations

import csv
import io


def test_the_calculator_writes_the_url_and_the_link_brings_it_back(server, visit):
    first = visit(server).open("/lifespan?reveal=1")
    field = first.page.get_by_role("spinbutton", name="Returned scores d")
    field.fill("2")
    field.press("Enter")
    first.page.wait_for_url("**ls_scores=2**")
    first.page.wait_for_selector("h2:has-text('The law says 174 submissions')")
    first.settled()
    second = visit(server).open(first.page.url.removeprefix(server))
    assert second.chart_words() == first.chart_words()
    assert "left out" not in second.text
    assert first.complaints == second.complaints == []


def test_the_guess_moves_by_keyboard(server, visit):
    page = visit(server).open("/lifespan")
    page.page.get_by_role("slider").first.focus()
    page.page.keyboard.press("ArrowLeft")
    page.page.wait_for_url("**ls_guess=256**")
    page.settled()
    page.page.get_by_role("button", name="That is my guess").click()
    page.page.wait_for_selector("text=192 submissions too high")
    assert page.complaints == []


def test_a_simulation_shows_progress_and_its_result(server, visit):
    page = visit(server)
    page.page.goto(f"{server}/lifespan?ls_items=60&ls_scores=3&ls_models=8&ls_gap=2&ls_simulate=true")
    page.page.wait_for_selector("h2:has-text('on simulated benchmarks of this size')", timeout=120_000)
    page.settled()
    assert len(page.chart_words()) == 3
    assert "No real model stands behind these numbers" in page.text
    assert page.elsewhere == []
    assert page.complaints == []


def test_a_control_change_stops_the_simulation(server, visit):
    page = visit(server)
    page.page.goto(f"{server}/lifespan?ls_items=3000&ls_scores=6&ls_models=60&ls_simulate=true")
    page.page.wait_for_selector("text=Simulating 6 benchmarks", timeout=30_000)
    page.page.get_by_text("Simulate it too").click()
    page.page.wait_for_selector("text=Simulating 6 benchmarks", state="detached", timeout=30_000)
    page.settled()
    assert "ls_simulate" not in page.page.url
    assert "The law says" in page.text
    assert page.complaints == []


def test_the_download_keeps_what_was_not_reached(server, visit):
    page = visit(server).open("/lifespan?reveal=1")
    with page.page.expect_download() as waiting:
        page.page.get_by_role("button", name="CSV", exact=True).first.click()
    rows = list(csv.DictReader(io.StringIO(waiting.value.path().read_text())))
    (swe,) = [row for row in rows if row["benchmark"] == "swe_verified"]
    assert (swe["observed_k"], swe["status"]) == ("inf", "right_censored")


def test_the_explanation_opens(server, visit):
    page = visit(server).open("/lifespan?reveal=1")
    page.page.get_by_text("How this is computed").click()
    page.page.wait_for_selector("text=core.benchmark.copula.draw_outcomes")
    page.page.locator(".katex").nth(3).wait_for()
    assert page.complaints == []
