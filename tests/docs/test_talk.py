"""The talk script: ten minutes, and every link is a step of a page's story."""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

import pytest

from pages.kit.registry import PAGES, ROOT
from tests.pages.story_samples import STORIES, link_of

TALK = (ROOT / "docs" / "talk.md").read_text(encoding="utf-8")
ADDRESS = "http://localhost:8501"
STATIONS = re.findall(
    r"^## (\d+):00 [^\n]+ \((\d+) minutes?\)\n(.*?)(?=^## )", TALK, flags=re.MULTILINE | re.DOTALL
)
LINKS = re.findall(r"\]\(([^)]+)\)", TALK)
STRANDS = {page.group for page in PAGES if page.group and page.stem in STORIES}


def step_of(link):
    parts = urlsplit(link.removeprefix(ADDRESS))
    page = next((page for page in PAGES if page.path == parts.path), None)
    return page, parse_qs(parts.query).get("step", [""])[0]


def test_it_takes_ten_minutes():
    begin = 0
    for said, minutes, _ in STATIONS:
        assert int(said) == begin
        begin += int(minutes)
    assert begin == 10


@pytest.mark.parametrize("link", LINKS)
def test_a_link_is_a_step(link):
    page, name = step_of(link)
    assert page is not None
    assert name in STORIES[page.stem].names
    assert link == f"{ADDRESS}{link_of(page.stem, name)}"


@pytest.mark.parametrize("text", [text for _, _, text in STATIONS])
def test_a_station_has_links_in_order_words_and_a_question(text):
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert links
    places = {}
    for link in links:
        page, name = step_of(link)
        places.setdefault(page.stem, []).append(STORIES[page.stem].names.index(name))
    assert all(found == sorted(found) for found in places.values())
    assert "**Say:** " in text
    assert "**Ask:** " in text


def test_all_strands_are_told():
    assert {step_of(link)[0].group for link in LINKS} - {""} == STRANDS
