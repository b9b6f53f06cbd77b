"""What a page says of itself before it runs, and how the server answers for it."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser

import httpx
import pytest
from starlette.responses import PlainTextResponse
from streamlit import config

from core.errors import DataError
from pages.kit import site
from pages.kit.page_head import shell, tab_title, with_head
from pages.kit.registry import PAGES, page_info


class Head(HTMLParser):
    """The titles, meta elements and links of a document."""

    def __init__(self, html):
        super().__init__()
        self.titles, self.named, self.preloads, self.language, self._in_title = [], {}, [], None, False
        self.feed(html)

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        if tag == "html":
            self.language = values.get("lang")
        if tag == "meta" and ("name" in values or "property" in values):
            name = values.get("property") or values["name"]
            assert name not in self.named, name
            self.named[name] = values["content"]
        if tag == "link" and values.get("rel") == "preload":
            self.preloads.append(values["href"])
        self._in_title = tag == "title"

    def handle_data(self, data):
        if self._in_title:
            self.titles.append(data)
            self._in_title = False


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_every_page_has_its_own_words(page):
    found = Head(with_head(shell(), page))
    assert found.titles == [tab_title(page)]
    assert found.language == "en"
    assert found.named["description"] == found.named["og:description"] == page.help
    assert page.title in found.named["og:title"] or page.is_start
    assert "og:url" not in found.named
    assert all(href.startswith("./app/static/Mirage") for href in found.preloads)


def test_descriptions_differ_and_are_of_a_useful_length():
    words = [page.help for page in PAGES]
    assert len(set(words)) == len(PAGES)
    assert all(40 <= len(text) <= 160 for text in words)


def test_nothing_in_the_registry_or_the_address_becomes_markup():
    hostile = '"><script>alert(1)</script>&\\1'
    page = replace(page_info("lifespan"), title=hostile, help=hostile)
    html = with_head(shell(), page, f"https://example.org/{hostile}")
    assert "<script>alert" not in html
    assert Head(html).named["description"] == hostile
    assert Head(html).named["og:url"] == f"https://example.org/{hostile}"


def test_a_file_without_title_or_language_gets_both():
    found = Head(with_head("<!DOCTYPE html><html><head></head><body></body></html>", PAGES[0]))
    assert found.titles == ["Mirage"]
    assert found.language == "en"


async def _inner(scope, receive, send):
    await PlainTextResponse("passed on")(scope, receive, send)


async def ask(path, method="GET", **headers):
    transport = httpx.ASGITransport(app=site.Site(_inner))
    async with httpx.AsyncClient(transport=transport, base_url="http://here") as client:
        return await client.request(method, path, headers=headers)


def get(path, method="GET", **headers):
    import asyncio

    return asyncio.run(ask(path, method, **headers))


@pytest.fixture
def below(monkeypatch):
    def put(base):
        monkeypatch.setattr(config, "get_option", lambda name: base if name == "server.baseUrlPath" else None)

    return put


@pytest.mark.parametrize("base", ["", "/mirage/", "a/b"])
def test_pages_are_answered_below_the_base_path_and_the_rest_is_passed_on(below, base):
    below(base)
    start = f"/{base.strip('/')}".rstrip("/")
    assert "<title>Mirage</title>" in get(f"{start}/").text
    assert "<title>Lifespan · Mirage</title>" in get(f"{start}/lifespan?v=1").text
    assert get(f"{start}/health").json()["status"] == "ok"
    for path in (f"{start}/lifespan/", f"{start}/nowhere", f"{start}/_stcore/health", "/elsewhere/lifespan"):
        assert get(path).text == "passed on"
    assert get(f"{start}/lifespan", "POST").text == "passed on"
    if start:
        assert get("/lifespan").text == "passed on"


def test_the_browser_may_keep_a_page_and_asks_whether_it_changed(below):
    below("")
    first = get("/lifespan")
    assert first.headers["cache-control"] == "no-cache"
    again = get("/lifespan", **{"If-None-Match": first.headers["etag"]})
    assert (again.status_code, again.text) == (304, "")
    assert get("/score_gap", **{"If-None-Match": first.headers["etag"]}).status_code == 200


def test_the_address_is_told_where_the_server_knows_it(below, monkeypatch):
    below("")
    monkeypatch.setenv("MIRAGE_PUBLIC_URL", "https://example.org/mirage/")
    assert Head(get("/lifespan").text).named["og:url"] == "https://example.org/mirage/lifespan"
    monkeypatch.setenv("MIRAGE_PUBLIC_URL", "javascript:alert(1)")
    assert "og:url" not in Head(get("/lifespan").text).named


def test_altered_data_are_a_fault_of_the_server(below, monkeypatch):
    below("")
    monkeypatch.setattr(site, "verify_all", lambda: ["The shipped file data/a.csv is missing."])
    answer = get("/health")
    assert answer.status_code == 503
    assert answer.json()["data"]["faults"] == ["The shipped file data/a.csv is missing."]

    def gone():
        raise DataError("The shipped file data/README.md is missing.")

    monkeypatch.setattr(site, "verify_all", gone)
    assert get("/health").json()["status"] == "fault"


def test_every_page_names_version_data_and_citation():
    from streamlit.testing.v1 import AppTest

    from core import __version__
    from core.data_files import data_version
    from pages.kit.registry import ROOT

    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=30).run()
    at.switch_page("pages/lifespan.py").run()
    captions = [caption.value for caption in at.caption]
    assert any(text.startswith(f"Mirage {__version__}, data {data_version()}.") for text in captions)
    assert any(re.search(r"The Mirage developers \(\d{4}\)\. \*Mirage: .+\*", text) for text in captions)
    (door,) = [link for link in at.get("page_link") if link.proto.label == "How to cite"]
    assert door.proto.page == "methods"
    assert "me_section=Cite" in door.proto.query_string
