"""Presenter mode in a real browser: size in the last row, keys, links, and a phone."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import TimeoutError  # noqa: A004 - the browser's own

from tests.pages.story_samples import STEPS, STORIES, link_of

BODY_PX = 24
FIGURE_PX = 19

# What the reader sees: the computed size times the zoom that it stands in.
SIZES = """selector => [...document.querySelectorAll(selector)]
  .filter(node => node.textContent.trim() && node.getBoundingClientRect().width > 0)
  .map(node => parseFloat(getComputedStyle(node).fontSize) * (node.currentCSSZoom ?? 1))"""
OVER = """() => { const main = document.querySelector('[data-testid=stMain]')
  return [main.scrollWidth - main.clientWidth, main.scrollHeight - main.clientHeight] }"""
UNDER_THE_STEERING = """selector => { const main = document.querySelector('[data-testid=stMain]')
  main.scrollTo(0, main.scrollHeight)
  return document.querySelector('.st-key-stage_steering').getBoundingClientRect().top
    - Math.max(...[...document.querySelectorAll(selector)].map(node => node.getBoundingClientRect().bottom)) }"""
TOO_WIDE = """() => { const edge = document.documentElement.clientWidth
  return [...document.querySelectorAll('.st-key-stage svg.marks, .st-key-stage canvas.marks, .st-key-stage .main-svg')]
    .filter(node => node.getBoundingClientRect().right > edge + 1).length }"""


def staged(visit, server, path, **size):
    page = visit(server, **size)
    page.page.goto(f"{server}{path}")
    page.page.wait_for_selector(".st-key-stage h1")
    page.idle()
    page.page.wait_for_function(
        "() => [...document.querySelectorAll('[data-testid=stVegaLiteChart]')]"
        ".every(chart => chart.querySelector('svg.marks, canvas.marks'))"
    )
    return page


def turned(page, key, name):
    """Press a key until the step is there: a key pressed while the page is being drawn anew may go nowhere."""
    page.page.keyboard.press(key)
    try:
        page.page.wait_for_url(f"**step={name}**", timeout=10_000)
    except TimeoutError:
        page.page.keyboard.press(key)
        page.page.wait_for_url(f"**step={name}**")
    page.idle()


@pytest.mark.parametrize("stem", list(STORIES))
def test_the_last_row_can_read_every_step(server, visit, stem):
    page = staged(visit, server, link_of(stem, STORIES[stem].names[0]), width=1920, height=1080)
    for place, name in enumerate(STORIES[stem].names):
        if place:
            turned(page, "ArrowRight", name)
            page.page.wait_for_selector(f"text={place + 1} of {len(STORIES[stem].names)}")
        page.page.wait_for_timeout(300)  # the charts' own resizing
        assert min(page.page.evaluate(SIZES, ".st-key-stage :is(h1, p, li)")) >= BODY_PX, name
        assert min(page.page.evaluate(SIZES, ".st-key-stage svg.marks text") or [FIGURE_PX]) >= FIGURE_PX, (
            name
        )
        across, down = page.page.evaluate(OVER)
        assert across <= 0, name
        assert down <= 0, name
        assert page.page.evaluate(TOO_WIDE) == 0, name
    assert page.elsewhere == []
    assert page.complaints == []


def test_arrow_keys_links_and_the_back_button(server, visit):
    page = staged(visit, server, "/selection_loss?present=1", width=1920, height=1080)
    names = STORIES["selection_loss"].names
    first = page.title
    for name in names[1:3]:
        turned(page, "ArrowRight", name)
    third = page.title
    assert third != first
    turned(page, "ArrowLeft", names[1])
    second = page.title
    page.page.go_back()
    page.page.wait_for_function("title => document.querySelector('h1')?.innerText === title", arg=third)
    same = staged(visit, server, link_of("selection_loss", names[1]), width=1920, height=1080)
    assert same.title == second
    page.idle()
    page.page.keyboard.press("q")
    page.page.wait_for_selector("img[alt^='QR code of http']")
    page.page.keyboard.press("n")
    page.page.wait_for_selector(".st-key-stage_notes_text")
    page.page.get_by_role("button", name="Leave").click()
    page.page.wait_for_selector("[data-testid=stSidebar]")
    assert "present" not in page.page.url
    assert page.complaints == []


@pytest.mark.parametrize(("stem", "name"), [("start", "answer"), ("fresh_items", "one-change")])
def test_on_a_small_projector_nothing_stays_hidden_under_the_buttons(server, visit, stem, name):
    page = staged(visit, server, link_of(stem, name), width=1280, height=720, scheme="dark")
    report = Axe().run(page.page, options={"runOnly": ["color-contrast"]}).response
    assert [node["html"] for rule in report["violations"] for node in rule["nodes"]] == []
    page.page.keyboard.press("q")
    code = page.page.locator("img[alt^='QR code of http']")
    code.wait_for()
    page.idle()
    box, steering = code.bounding_box(), page.page.locator(".st-key-stage_steering").bounding_box()
    assert box["height"] >= 240
    assert box["y"] + box["height"] <= steering["y"]
    page.page.keyboard.press("n")
    page.page.wait_for_selector(".st-key-stage_notes_text")
    page.idle()
    assert page.page.evaluate(UNDER_THE_STEERING, ".st-key-stage_notes_text p") >= 0


def test_the_button_of_a_guess_can_be_read_in_the_dark(server, visit):
    page = visit(server, scheme="dark").go("/lifespan")
    assert page.page.get_by_role("button", name="That is my guess").is_visible()
    report = Axe().run(page.page, ".st-key-ls_guess_first", {"runOnly": ["color-contrast"]}).response
    assert [node["html"] for rule in report["violations"] for node in rule["nodes"]] == []


@pytest.mark.parametrize(("stem", "name"), [step for step in STEPS if step[1] == STORIES[step[0]].names[-1]])
def test_a_phone_shows_the_step_without_sideways_scrolling(server, visit, stem, name):
    page = staged(visit, server, link_of(stem, name), width=390, height=844, scheme="dark")
    assert page.page.evaluate(OVER)[0] <= 0
    assert page.page.evaluate(TOO_WIDE) == 0
    assert min(page.page.evaluate(SIZES, ".st-key-stage :is(p, li)")) >= 14
