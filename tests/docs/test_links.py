"""Links of the documentation: files exist, headings exist, and a link to a page opens the state that it spells."""

from __future__ import annotations

import importlib
import re
from dataclasses import replace
from urllib.parse import parse_qs, unquote, urlsplit

import pytest

from pages.kit.controls import SCENARIO_VERSION, version_fault
from pages.kit.registry import PAGES
from pages.kit.story import PRESENT, STEP, step_fault
from tests.docs.documents import ADDRESS, DOCUMENTS, ROOT, links_of, prose_of

PRESENTED = {PRESENT, STEP}
FRAME_PARAMETERS = {"v", "reveal", "embed"} | PRESENTED
CODE = re.compile(r"`(/[a-z_]*\?[^`\s]+)`")
by_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)


def slugs(path):
    """Return the anchors that the headings of a Markdown file make."""
    headings = re.findall(r"^#+ (.+)$", prose_of(path), flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def file_faults(document):
    faults = []
    for link in links_of(document):
        parts = urlsplit(link)
        if parts.scheme:
            continue
        target = (document.parent / unquote(parts.path)).resolve() if parts.path else document
        if not target.exists():
            faults.append(f"{link}: no such file")
        elif parts.fragment and target.suffix == ".md" and parts.fragment not in slugs(target):
            faults.append(f"{link}: no such heading")
    return faults


def page_addresses(document):
    linked = [link.removeprefix(ADDRESS) for link in links_of(document) if link.startswith(ADDRESS)]
    return linked + CODE.findall(prose_of(document))


def controls_of(page):
    """Return a page's controls, or None for a page without any."""
    try:
        return importlib.import_module(f"pages.parts.{page.stem}.controls").CONTROLS
    except ModuleNotFoundError:
        return None


def presenting_faults(page, query):
    """Return what is wrong with a link to a step of a page's story."""
    if not PRESENTED & set(query):
        return []
    try:
        story = importlib.import_module(f"pages.parts.{page.stem}.story").STORY
    except ModuleNotFoundError:
        return ["the page has no story"]
    return [fault for fault in [step_fault(story, query.get(STEP, [None])[0])] if fault]


def address_faults(address):
    parts = urlsplit(address)
    page = next((one for one in PAGES if one.path == (parts.path or "/")), None)
    if page is None:
        return [f"{address}: no such page"]
    query = parse_qs(parts.query, keep_blank_values=True, strict_parsing=bool(parts.query))
    controls = controls_of(page)
    own = {key for key in query if controls is not None and key.startswith(f"{page.prefix}_")}
    faults = list(controls.faults(query)) if controls is not None else []
    faults += [f"{key} is no parameter of this page" for key in set(query) - own - FRAME_PARAMETERS]
    faults += presenting_faults(page, query)
    if parts.query and "v" not in query:
        faults.append(f"v={SCENARIO_VERSION} is missing")
    faults += [fault for fault in [version_fault(query)] if fault]
    return [f"{address}: {fault}" for fault in faults]


@by_document
def test_linked_files_and_headings_exist(document):
    assert file_faults(document) == []


@by_document
def test_links_to_pages_open_what_they_spell(document):
    assert [fault for address in page_addresses(document) for fault in address_faults(address)] == []


@by_document
def test_elsewhere_is_reached_by_https(document):
    for link in links_of(document):
        assert urlsplit(link).scheme in {"", "https"} or link.startswith(ADDRESS), link


def test_the_index_links_every_document():
    index = ROOT / "docs" / "README.md"
    linked = {(index.parent / urlsplit(link).path).resolve() for link in links_of(index)}
    assert linked >= set(DOCUMENTS) - {index, ROOT / "README.md"}
    assert "docs/README.md" in links_of(ROOT / "README.md")


@pytest.mark.parametrize(
    ("address", "fault"),
    [
        ("/selection_los?v=1", "no such page"),
        ("/selection_loss?v=1&sl_budget=17", "is not one of its values"),
        ("/selection_loss?v=1&sl_budgets=16", "is not a control"),
        ("/selection_loss?sl_budget=32", "v=1 is missing"),
        ("/selection_loss?v=9", "newer version"),
        ("/selection_loss?v=1&sg_view=Curves", "no parameter of this page"),
        ("/selection_loss?v=1&present=1&step=nowhere", "is not one of the steps"),
        ("/selection_loss?v=1&present=1", None),
        ("/selection_loss?v=1&sl_budget=32&reveal=1", None),
        ("/", None),
    ],
)
def test_a_wrong_address_is_found(address, fault):
    found = address_faults(address)
    assert found == [] if fault is None else any(fault in one for one in found)


def test_a_page_without_a_story_has_no_steps():
    nowhere = replace(PAGES[0], stem="nowhere")
    assert presenting_faults(nowhere, {PRESENT: ["1"]}) == ["the page has no story"]
    assert presenting_faults(nowhere, {"reveal": ["1"]}) == []


def test_a_wrong_link_is_found(tmp_path):
    (tmp_path / "there.md").write_text("# A heading, here\n")
    document = tmp_path / "one.md"
    document.write_text("[a](there.md#a-heading-here) [b](gone.md) [c](there.md#other) ![d](no.png)\n")
    assert [fault.split(":")[0] for fault in file_faults(document)] == ["gone.md", "there.md#other", "no.png"]
