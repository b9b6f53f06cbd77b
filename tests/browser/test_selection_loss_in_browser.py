"""The selection loss page in a real browser: links, history, keyboard."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit


def _query(page):
    return parse_qs(urlsplit(page.page.url).query, keep_blank_values=True)


def _share_link(page):
    page.page.get_by_role("button", name="Link").first.click()
    link = page.page.locator("[data-testid=stPopoverBody] code").first.inner_text()
    page.page.keyboard.press("Escape")
    return link.strip()


def test_controls_write_the_url_and_the_link_brings_them_back(server, visit):
    first = visit(server).open("/selection_loss?reveal=1")
    first.page.get_by_role("radio", name="Rank drop").click()
    first.settled()
    first.page.get_by_role("button", name="LiveBench", exact=True).click()
    first.page.wait_for_url("**sl_benchmarks=**")
    first.settled()
    query = _query(first)
    assert query["sl_measure"] == ["Rank drop"]
    assert "LiveBench" not in query["sl_benchmarks"]
    link = _share_link(first)
    assert link.startswith(server)
    assert parse_qs(urlsplit(link).query) == {**query, "v": ["1"], "reveal": ["1"]}
    second = visit(server)
    second.page.goto(link)
    second.ready()
    assert second.chart_words() == first.chart_words()
    assert second.page.locator("h2").first.inner_text() == first.page.locator("h2").first.inner_text()
    assert "left out" not in second.text


def test_back_and_forward_restore_the_controls(server, visit):
    page = visit(server).open("/selection_loss?reveal=1&sl_budget=64")
    before = page.page.locator("h2").first.inner_text()
    assert "64 submissions" in before
    page.page.locator("[data-testid=stSidebarNavLink]").first.click()
    page.page.wait_for_selector("h1:has-text('Follow the public ranking')")
    page.settled()
    # Streamlit notes the page without its parameters when it is left, so the linked state is one entry further back.
    for _ in range(2):
        page.page.go_back()
        page.page.wait_for_selector("h1:has-text('already cost')")
        page.settled()
    page.page.wait_for_selector(f"h2:has-text('{before}')")
    assert "sl_budget=64" in page.page.url
    for _ in range(2):
        page.page.go_forward()
    page.page.wait_for_selector("h1:has-text('Follow the public ranking')")
    assert page.complaints == []


def test_guess_show_and_guess_again(server, visit):
    page = visit(server).open("/selection_loss")
    assert "Guess first." in page.text
    page.page.get_by_role("slider").first.focus()
    for _ in range(5):
        page.page.keyboard.press("ArrowRight")
    page.page.wait_for_url("**sl_guess=**")
    page.settled()
    page.page.get_by_role("button", name="That is my guess").click()
    page.page.wait_for_selector("text=You guessed")
    page.settled()
    assert "too high" in page.text
    page.page.get_by_role("button", name="Guess first").click()
    page.page.wait_for_selector("text=The curves below stop")
    page.settled()
    assert "You guessed" not in page.text
    assert page.complaints == []


def test_a_stale_value_is_told_once_and_dismissed(server, visit):
    page = visit(server).open("/selection_loss?sl_budget=17&reveal=1")
    assert "sl_budget = “17” is not one of its values" in page.text
    page.page.get_by_role("button", name="Dismiss").click()
    page.page.wait_for_selector("text=left out", state="detached")
    assert "sl_budget" not in page.page.url


def test_the_keyboard_alone_reaches_and_moves_a_control(server, visit):
    page = visit(server).open("/selection_loss?reveal=1")
    before = page.page.locator("h2").first.inner_text()
    for _ in range(60):
        page.page.keyboard.press("Tab")
        kind = page.page.evaluate("() => document.activeElement.type")
        if kind == "range":
            break
    assert kind == "range"
    page.page.keyboard.press("ArrowRight")
    page.page.wait_for_url("**sl_budget=32**")
    page.settled()
    page.page.wait_for_function(
        "before => document.querySelector('h2').innerText !== before", arg=before, timeout=10_000
    )
    assert "32 submissions" in page.page.locator("h2").first.inner_text()
