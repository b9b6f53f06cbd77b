"""Every page in a real browser: deep links on a fresh server, widths, colours, and nothing from elsewhere."""

from __future__ import annotations

import pytest

from pages.kit.registry import PAGES

by_page = pytest.mark.parametrize("info", PAGES, ids=lambda info: info.stem)


@by_page
def test_a_deep_link_is_the_first_visit_of_a_fresh_server(fresh_server, visit, info):
    query = f"?v=1&{info.prefix}_nonsense=1" if not info.is_start else "?v=1"
    first = visit(fresh_server).open(f"{info.path}{query}")
    links = first.page.locator("[data-testid=stSidebarNavLink]")
    assert [text.strip() for text in links.all_inner_texts()] == [page.title for page in PAGES]
    assert first.page.title() == ("Mirage" if info.is_start else f"{info.title} · Mirage")
    assert first.page.locator("[role=dialog]").count() == 0
    assert "v=1" in first.page.url
    assert first.page.locator("[data-testid=stVegaLiteChart]").count() >= 1
    if not info.is_start:
        assert f"{info.prefix}_nonsense is not a control" in first.text
    assert first.elsewhere == []
    assert first.complaints == []


@by_page
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_needs_no_sideways_scrolling(server, visit, info, scheme):
    phone = visit(server, width=390, height=844, scheme=scheme).open(f"{info.path}?reveal=1")
    overflow = phone.page.evaluate(
        "() => { const main = document.querySelector('[data-testid=stMain]');"
        " return Math.max(main.scrollWidth - main.clientWidth, document.documentElement.scrollWidth - innerWidth) }"
    )
    assert overflow <= 0
    sizes = phone.page.evaluate(
        "() => [...document.querySelectorAll('[data-testid=stVegaLiteChart] svg text')]"
        ".filter(text => text.textContent.trim() && parseFloat(getComputedStyle(text).fontSize) > 0)"
        ".map(text => parseFloat(getComputedStyle(text).fontSize) * text.getCTM().a"
        " / (window.devicePixelRatio || 1))"
    )
    assert sizes
    assert min(sizes) >= 11
    background = phone.page.evaluate(
        "() => getComputedStyle(document.querySelector('.stApp')).backgroundColor"
    )
    assert background == {"light": "rgb(255, 255, 255)", "dark": "rgb(23, 22, 20)"}[scheme]
    assert phone.elsewhere == []
    assert phone.complaints == []


@by_page
def test_charts_have_words_for_those_who_do_not_see_them(server, visit, info):
    page = visit(server).open(f"{info.path}?reveal=1")
    words = page.chart_words()
    assert words
    assert all(len(text) > 60 for text in words)
