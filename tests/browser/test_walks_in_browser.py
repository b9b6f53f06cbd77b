"""Walks through the pages in a real browser: back and forward, and a tour with the keyboard alone."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from pages.kit.registry import PAGES

FOCUS = """() => {
  const focused = document.activeElement
  if (!focused || focused === document.body) return null
  const ringed = element => {
    const style = getComputedStyle(element)
    const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
    return outlined || style.boxShadow !== 'none'
  }
  const washed = element => !['rgba(0, 0, 0, 0)', 'transparent'].includes(getComputedStyle(element).backgroundColor)
  return {
    name: focused.getAttribute('aria-label') || focused.innerText || focused.tagName,
    what: focused.dataset.testid || '',
    role: focused.type === 'range' ? 'slider' : focused.getAttribute('role') || focused.tagName.toLowerCase(),
    ring: ringed(focused),
    wash: washed(focused),
  }
}"""

WASHED = {
    "stSidebarNavLink": "a link of the navigation",
    "stPageLink-NavLink": "a link to a page",
    "stBaseButton-elementToolbar": "a button over a chart",
}
"""What Streamlit marks as focused by its background instead of a ring; no setting changes that."""


def _tab_to(page, wanted, most=60):
    """Press Tab until `wanted(focus)`, and see a ring around everything on the way."""
    for _ in range(most):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        if focus is None or focus["what"] == "stMain":  # the page's body, which arrow keys scroll
            continue
        # Some rings fade in.
        page.wait_for_function(
            f"washes => {{ const focus = ({FOCUS})(); return focus.ring || (focus.wash && washes.includes(focus.what)) }}",
            arg=list(WASHED),
        )
        if wanted(focus):
            return focus
    raise AssertionError("the keyboard does not get there")


def test_a_tour_with_the_keyboard_alone(server, visit):
    tour = visit(server).go("/")
    page = tour.page
    focus = _tab_to(page, lambda focus: focus["what"] == "stSidebarNavLink" and "Score gap" in focus["name"])
    page.keyboard.press("Enter")
    page.wait_for_selector("h1:has-text('stops describing')")
    tour.at_rest()

    page.keyboard.press("Tab")
    focus = _tab_to(page, lambda focus: focus["name"].endswith("Show me"))
    page.keyboard.press("Enter")
    page.wait_for_selector("text=What to notice")
    tour.at_rest()

    _tab_to(page, lambda focus: focus["role"] == "slider")
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**sg_budget=256**")
    page.wait_for_selector("h2:has-text('At 256 submissions')")
    tour.at_rest()

    _tab_to(page, lambda focus: focus["what"] == "stBaseButton-elementToolbar")
    _tab_to(page, lambda focus: "CSV" in focus["name"])
    with page.expect_download() as waiting:
        page.keyboard.press("Enter")
    assert waiting.value.suggested_filename == "mirage-score-gap-curves.csv"

    _tab_to(page, lambda focus: focus["name"].split("\n")[-1] == "expand_more" and "Link" in focus["name"])
    page.keyboard.press("Enter")
    link = page.locator("[data-testid=stPopoverBody] code").first
    link.wait_for()
    assert parse_qs(urlsplit(link.inner_text()).query) == {
        "v": ["1"],
        "sg_budget": ["256"],
        "reveal": ["1"],
    }
    page.keyboard.press("Escape")
    link.wait_for(state="detached")
    focus = page.evaluate(FOCUS)
    assert "Link" in focus["name"], "the focus went elsewhere when the popover closed"

    _tab_to(page, lambda focus: "How this is computed" in focus["name"])
    page.keyboard.press("Enter")
    page.wait_for_selector(".katex")
    assert tour.complaints == []
    assert tour.elsewhere == []


def test_every_page_is_reached_from_the_navigation_by_keyboard(server, visit):
    tour = visit(server).go("/")
    reached = []
    for _ in PAGES:
        focus = _tab_to(tour.page, lambda focus: focus["what"] == "stSidebarNavLink")
        reached.append(focus["name"].strip())
    assert reached == [page.title for page in PAGES]


def test_back_and_forward_walk_over_the_pages(server, visit):
    walk = visit(server).go("/lifespan?ls_scores=2&reveal=1")
    page = walk.page
    stops = [
        ("/lifespan?ls_scores=2&reveal=1", "A simple law"),
        ("/lifespan", "A simple law"),  # noted by Streamlit when the page is left
        ("/score_gap", "stops describing"),
        ("/fresh_items", "facts changed after"),
        ("/methods", "Every number"),
    ]

    def arrived(path, title):
        page.wait_for_url(f"{server}{path}")
        page.wait_for_selector(f"h1:has-text('{title}')")
        walk.at_rest()

    for path, title in stops[2:]:
        page.locator(f"[data-testid=stSidebarNavLink][href$='{path}']").click()
        arrived(path, title)
    for path, title in reversed(stops[:-1]):
        page.go_back()
        arrived(path, title)
    assert page.get_by_role("spinbutton", name="Returned scores d").input_value() == "2"
    for path, title in stops[1:-1]:
        page.go_forward()
        arrived(path, title)
    assert page.title() == "Changed facts · Mirage"
    assert walk.complaints == []
    assert walk.elsewhere == []
