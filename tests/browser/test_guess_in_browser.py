"""Guess first in a real browser: the address keeps the guess and the answer, whatever else is done with the page."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit


def test_a_guess_stays_in_the_address_and_survives_a_reload(server, visit):
    page = visit(server).open("/")
    slider = page.page.get_by_role("slider")
    slider.focus()
    page.page.keyboard.press("ArrowRight")
    page.page.wait_for_url("**hm_guess=2.1**")
    page.idle()
    page.page.get_by_role("button", name="That is my guess").click()
    page.page.wait_for_url("**reveal=1**")
    page.page.wait_for_selector("text=You guessed 2.1 pp")
    page.settled()
    assert parse_qs(urlsplit(page.page.url).query) == {"hm_guess": ["2.1"], "reveal": ["1"]}
    page.page.reload()
    page.ready()
    page.page.wait_for_selector("text=You guessed 2.1 pp")
    page.page.get_by_role("button", name="Guess first").click()
    page.page.wait_for_selector("text=That is my guess")
    page.page.wait_for_url(lambda url: "guess" not in url and "reveal" not in url)
    assert page.complaints == []
