"""One trial, score gap and methods in a real browser: scrubbing, playing, "Use this", keyboard and links."""

from __future__ import annotations

import hashlib
from urllib.parse import parse_qs, quote_plus, urlsplit

from core.citations import PAPERS

VOTE = "/one_trial?ot_step=C.+Vote&reveal=1"
RANGE = ".vega-bind input[type=range]"
SWITCH = ".vega-bind input[type=checkbox]"


def _query(page):
    return parse_qs(urlsplit(page.page.url).query, keep_blank_values=True)


def _heading(page):
    return page.page.locator("h2").first.inner_text()


def test_scrubbing_is_live_and_use_this_copies_it(server, visit):
    page = visit(server).open(f"{VOTE}&ot_play=true&ot_counted=3")
    scrubber = page.page.locator(RANGE)
    assert scrubber.input_value() == "3"
    before = _heading(page)
    scrubber.focus()
    for _ in range(5):
        page.page.keyboard.press("ArrowRight")
    assert scrubber.input_value() == "8"
    page.page.wait_for_selector("[data-testid=stVegaLiteChart] svg text:has-text('−3.59 pp')")
    assert _heading(page) == before
    page.page.get_by_role("button", name="Use this").press("Enter")
    page.page.wait_for_selector("h2:has-text('After eight of 31')")
    page.settled()
    assert _query(page)["ot_counted"] == ["8"]
    assert page.page.locator(RANGE).input_value() == "8"
    assert page.complaints == []
    assert page.elsewhere == []


def test_play_moves_by_itself_only_when_asked_and_stops_at_the_end(server, visit):
    page = visit(server).open(f"{VOTE}&ot_play=true&ot_counted=27")
    scrubber, switch = page.page.locator(RANGE), page.page.locator(SWITCH)
    page.page.wait_for_timeout(1200)
    assert scrubber.input_value() == "27"
    switch.focus()
    page.page.keyboard.press("Space")
    page.page.wait_for_function(f"() => document.querySelector('{RANGE}').value === '31'")
    page.page.wait_for_function(f"() => !document.querySelector('{SWITCH}').checked")
    page.page.wait_for_timeout(1000)
    assert scrubber.input_value() == "31"
    switch.check()
    page.page.wait_for_function(f"() => +document.querySelector('{RANGE}').value < 10")
    page.page.locator(SWITCH).uncheck()


def test_weights_and_history_scrub_too(server, visit):
    page = visit(server).open("/one_trial?ot_step=B.+Weights&ot_play=true")
    page.page.locator(RANGE).fill("12")
    page.page.get_by_role("button", name="Use this").click()
    page.page.wait_for_selector("h2:has-text('Random router 12 weighs')")
    assert _query(page)["ot_candidate"] == ["12"]
    gap = visit(server).open("/score_gap?sg_view=One+trial&sg_play=true&sg_position=2")
    gap.page.locator(RANGE).fill("38")
    gap.page.get_by_role("button", name="Use this").click()
    gap.page.wait_for_selector("h2:has-text('After 38 genuine models')")
    assert _query(gap)["sg_position"] == ["38"]


def test_steps_are_walked_with_the_keyboard_and_each_has_a_link(server, visit):
    page = visit(server).open("/one_trial")
    seen = [_heading(page)]
    for step in ("B. Weights", "C. Vote", "D. Outcome"):
        page.page.get_by_role("button", name="Next").focus()
        page.page.keyboard.press("Enter")
        page.page.wait_for_url(f"**ot_step={quote_plus(step).replace('+', '*')}**")
        page.page.wait_for_function(
            "before => { const found = document.querySelector('h2'); return found && found.innerText !== before }",
            arg=seen[-1],
        )
        page.settled()
        seen.append(_heading(page))
        assert _query(page)["ot_step"] == [step]
    other = visit(server)
    other.page.goto(page.page.url)
    other.ready()
    assert _heading(other) == seen[-1]
    assert "74.10 % held out becomes 70.14 %" in other.text


def test_a_setting_survives_a_walk_to_another_step_and_back(server, visit):
    page = visit(server).open("/one_trial?ot_step=B.+Weights&ot_candidate=9")
    assert _heading(page).startswith("Random router 9")
    page.page.get_by_role("button", name="Next").click()
    page.page.wait_for_selector("h2:has-text('weighted coin flips')")
    page.page.get_by_role("button", name="Back").click()
    page.page.wait_for_selector("h2:has-text('Random router')")
    page.settled()
    assert _heading(page).startswith("Random router 9")


def test_a_typed_text_gets_its_hash_and_goes_into_the_link(server, visit):
    page = visit(server).open(f"{VOTE}&ot_prompt=A+text+of+yours")
    box = page.page.get_by_role("textbox", name="Your text")
    box.fill("Who owns a photograph?")
    box.press("Enter")
    page.page.wait_for_url("**ot_text=**")
    digest = hashlib.sha256(b"Who owns a photograph?").hexdigest()
    page.page.wait_for_selector(f"[data-testid=stCode] code:has-text('{digest}')")
    page.settled()
    code = page.page.locator("[data-testid=stCode] code").first.inner_text()
    assert _query(page)["ot_text"] == ["Who owns a photograph?"]
    again = visit(server)
    again.page.goto(page.page.url)
    again.ready()
    assert again.page.locator("[data-testid=stCode] code").first.inner_text() == code


def test_citations_are_copied_by_a_button(server, visit):
    page = visit(server)
    page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.page.goto(f"{server}/methods?me_section=Cite")
    page.page.wait_for_selector("[data-testid=stCode]")
    page.page.wait_for_timeout(800)
    buttons = page.page.locator("[aria-label='Copy to clipboard']")
    assert buttons.count() == page.page.locator("[data-testid=stCode]").count() == len(PAPERS) + 1
    page.page.locator("[data-testid=stCode]").first.hover()
    buttons.first.click()
    assert page.page.evaluate("() => navigator.clipboard.readText()").strip() == PAPERS[0].bibtex
