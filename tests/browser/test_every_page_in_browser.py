"""Every page in a real browser: deep links on a fresh server, and every view in the widths and colours that readers have.

With ``MIRAGE_SCREENSHOTS=FOLDER`` each view is also kept as a picture.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pages.kit.registry import PAGES
from tests.browser.states import STATES, link, name_of

LOOKS = {
    "1440-light": {"width": 1440, "height": 900, "scheme": "light"},
    "1440-dark": {"width": 1440, "height": 900, "scheme": "dark"},
    "390-light": {"width": 390, "height": 844, "scheme": "light"},
    "390-dark": {"width": 390, "height": 844, "scheme": "dark"},
}
BACKGROUND = {"light": "rgb(255, 255, 255)", "dark": "rgb(23, 22, 20)"}
SMALLEST_LETTERS = 11

NAVIGATION = (
    "Streamlit puts each group of its navigation into a box of its own between the list and its items"
)
EXCEPTIONS = (
    ("list", "[data-testid=stSidebarNavItems]", NAVIGATION),
    ("listitem", "[data-testid=stSidebarNavItems] > div > li", NAVIGATION),
)
"""What the accessibility check may find: rule, exact element, and why it is not ours to mend."""

REQUIRED = {"heading-order", "page-has-heading-one", "empty-heading"}
"""Rules that hold besides the serious ones: headings are how those who do not see a page find their way on it."""

WORDS_IN_CHARTS = """() => [...document.querySelectorAll('[data-testid=stVegaLiteChart] svg')].flatMap(svg => {
  const frame = svg.getBoundingClientRect()
  return [...svg.querySelectorAll('text')].filter(text => {
    const style = getComputedStyle(text)
    return text.textContent.trim() && parseFloat(style.fontSize) > 0 && +style.opacity > 0
  }).map(text => {
    const box = text.getBoundingClientRect()
    return {
      words: text.textContent,
      size: parseFloat(getComputedStyle(text).fontSize) * text.getCTM().a / (window.devicePixelRatio || 1),
      outside: Math.max(frame.left - box.left, box.right - frame.right, frame.top - box.top, box.bottom - frame.bottom),
    }
  })
})"""

VISITS = [
    (look, stem, view)
    for look in LOOKS
    for stem, view in STATES
    if look.endswith("light") or not view  # the other views differ in no colour
]


@pytest.mark.parametrize("info", PAGES, ids=lambda info: info.stem)
def test_a_deep_link_is_the_first_visit_of_a_fresh_server(fresh_server, visit, info):
    query = f"?v=1&{info.prefix}_nonsense=1" if not info.is_start else "?v=1"
    first = visit(fresh_server).open(f"{info.path}{query}")
    links = first.page.locator("[data-testid=stSidebarNavLink]")
    assert [text.strip() for text in links.all_inner_texts()] == [page.title for page in PAGES]
    assert first.page.title() == ("Mirage" if info.is_start else f"{info.title} · Mirage")
    assert first.title.strip()
    assert first.page.locator("[role=dialog]").count() == 0
    assert "v=1" in first.page.url
    assert first.page.locator("[data-testid=stVegaLiteChart]").count() >= 1
    if not info.is_start:
        assert f"{info.prefix}_nonsense is not a control" in first.text
    assert first.elsewhere == []
    assert first.complaints == []


@pytest.fixture(scope="module", params=VISITS, ids=lambda visit: f"{visit[0]}-{name_of(*visit[1:])}")
def seen(request, server, tab):
    """A view, opened once for all the tests below."""
    look, stem, view = request.param
    page = tab(server, **LOOKS[look])
    page.go(link(stem, view))
    yield page
    folder = os.environ.get("MIRAGE_SCREENSHOTS")
    if folder:
        _keep(page, Path(folder) / f"{name_of(stem, view)}-{look}.png")
    page.page.close()


def _keep(page, path):
    """Save a picture of the whole page; the window is made as high as its content, which scrolls inside of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    height = page.page.evaluate(
        "() => document.querySelector('[data-testid=stMainBlockContainer]').scrollHeight"
    )
    page.page.set_viewport_size({**page.page.viewport_size, "height": min(height + 20, 8000)})
    page.at_rest()
    page.page.screenshot(path=path)


def test_a_view_needs_no_sideways_scrolling(seen):
    overflow = seen.page.evaluate(
        "() => { const main = document.querySelector('[data-testid=stMain]');"
        " return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth) }"
    )
    assert overflow <= 0
    edge = seen.page.evaluate("() => document.querySelector('.st-key-page').getBoundingClientRect().right")
    cut = seen.page.evaluate(
        """edge => [...document.querySelectorAll('.st-key-page [data-testid=stButtonGroup] button')]
          .filter(button => button.getBoundingClientRect().right > edge + 1).map(button => button.innerText)""",
        edge,
    )
    assert cut == []


def test_a_views_figures_are_legible(seen):
    words = seen.page.evaluate(WORDS_IN_CHARTS)
    assert [word for word in words if word["size"] < SMALLEST_LETTERS] == []
    assert [word for word in words if word["outside"] > 1] == []
    if seen.page.locator("[data-testid=stVegaLiteChart] svg").count():
        assert words


def test_a_views_charts_have_words_for_those_who_do_not_see_them(seen):
    assert [text for text in seen.chart_words() if len(text) <= 60] == []


def test_a_view_has_the_readers_colours(seen, request):
    look = request.node.callspec.params["seen"][0]
    background = seen.page.evaluate(
        "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"
    )
    assert background == BACKGROUND[LOOKS[look]["scheme"]]


def test_a_view_is_accessible(seen):
    from axe_playwright_python.sync_playwright import Axe

    report = Axe().run(seen.page, options={"resultTypes": ["violations"]}).response
    found = [
        (rule["id"], node["target"], node["html"][:200])
        for rule in report["violations"]
        if rule["impact"] in {"serious", "critical"} or rule["id"] in REQUIRED
        for node in rule["nodes"]
        if not _excepted(seen.page, rule["id"], node["target"][-1])
    ]
    assert found == []


def _excepted(page, rule, target):
    return any(
        page.evaluate("([one, of]) => document.querySelector(one).matches(of)", [target, selector])
        for known, selector, _ in EXCEPTIONS
        if known == rule
    )


def test_a_view_is_whole_and_quiet(seen):
    """No fault, nothing left out of the link, nothing asked of another machine, nothing said on the console."""
    assert seen.page.locator("[data-testid=stAlertContentError], [data-testid=stException]").count() == 0
    assert "Part of the link was left out" not in seen.text
    assert seen.elsewhere == []
    assert seen.complaints == []
