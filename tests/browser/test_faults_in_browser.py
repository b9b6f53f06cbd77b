"""A server that is started anew under an open page, two tabs of one browser, and a slow line."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

from tests.browser.conftest import Visit, running_server

START = "/selection_loss?reveal=1&sl_layout=Small+multiples"
CONNECTED = "[data-testid=stApp][data-test-connection-state={}]"


def _query(visitor):
    return parse_qs(urlsplit(visitor.page.url).query)


def _choose(visitor, label):
    """Choose a segment, and wait until the address and the page say so."""
    visitor.idle()
    visitor.page.get_by_role("radio", name=label, exact=True).click()
    visitor.page.wait_for_url(lambda url: label.replace(" ", "+") in url or label.replace(" ", "%20") in url)
    visitor.idle().settled()


def test_a_page_outlives_its_server(visit):
    with running_server() as (address, _):
        visitor = visit(address).open(START)
        _choose(visitor, "Rank drop")
        title, url, charts = visitor.title, visitor.page.url, visitor.chart_words()
        assert _query(visitor)["sl_measure"] == ["Rank drop"]
        assert any("rank" in words.lower() for words in charts)
    visitor.page.wait_for_selector(
        "[data-testid=stApp]:not([data-test-connection-state=CONNECTED])", timeout=60_000
    )
    with running_server(port=urlsplit(address).port):
        visitor.page.wait_for_selector(CONNECTED.format("CONNECTED"), timeout=120_000)
        visitor.idle().settled()
        assert (visitor.title, visitor.page.url, visitor.chart_words()) == (title, url, charts)
        _choose(visitor, "False winners")  # and it goes on
        assert _query(visitor) == {
            "reveal": ["1"],
            "sl_layout": ["Small multiples"],
            "sl_measure": ["False winners"],
        }
        assert visitor.chart_words() != charts


def test_two_tabs_of_one_browser_have_states_of_their_own(server, visit):
    first = visit(server).open(START)
    second = Visit(first.page.context.new_page(), server).open("/selection_loss?reveal=1&sl_budget=512")
    before = second.chart_words()
    _choose(first, "Rank drop")
    first_words = first.chart_words()
    second.page.bring_to_front()
    assert second.chart_words() == before
    assert _query(second) == {"reveal": ["1"], "sl_budget": ["512"]}
    _choose(second, "False winners")
    assert _query(second) == {"reveal": ["1"], "sl_budget": ["512"], "sl_measure": ["False winners"]}
    assert _query(first) == {"reveal": ["1"], "sl_layout": ["Small multiples"], "sl_measure": ["Rank drop"]}
    assert first.chart_words() == first_words
    assert first.complaints == second.complaints == []


def test_a_slow_line_still_brings_the_page(server, visit):
    slow = visit(server)
    line = slow.page.context.new_cdp_session(slow.page)
    line.send("Network.enable")
    line.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": 150, "downloadThroughput": 600_000, "uploadThroughput": 100_000},
    )
    slow.page.goto(f"{server}{START}", wait_until="commit")
    slow.ready()
    _choose(slow, "Rank drop")
    assert any("rank" in words.lower() for words in slow.chart_words())
    assert slow.complaints == []
