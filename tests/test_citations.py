"""Citations: well-formed entries, no invented fields, and the software's own from its citation file."""

from __future__ import annotations

import re

import pytest
import yaml

from core import __version__
from core.citations import CITATION_FILE, PAPERS, Citation, software
from core.errors import DataError


@pytest.mark.parametrize("citation", [*PAPERS, software()], ids=lambda citation: citation.key)
def test_an_entry_is_well_formed(citation):
    text = citation.bibtex
    assert re.match(rf"@{citation.kind}\{{{citation.key},\n", text)
    assert text.endswith("\n}")
    assert text.count("{") == text.count("}")
    lines = text.splitlines()[1:-1]
    assert all(re.fullmatch(r"  [a-z]+ += \{.+\},?", line) for line in lines)
    assert [line.endswith(",") for line in lines] == [True] * (len(lines) - 1) + [False]
    assert citation.title
    assert citation.shows.endswith(".")


def test_no_page_numbers_are_given():
    assert not [field for citation in PAPERS for field, _ in citation.fields if field == "pages"]


def test_the_papers_that_the_figures_come_from_are_there():
    eprints = {dict(citation.fields).get("eprint") for citation in PAPERS}
    assert {"2605.24818", "2510.19811", "2412.13670"} <= eprints
    assert PAPERS[0].title == "Fast but False Progress on Benchmarks with Richer Feedback"
    assert len({citation.key for citation in PAPERS}) == len(PAPERS)


def test_the_software_is_cited_as_its_file_says():
    stated = yaml.safe_load(CITATION_FILE.read_text(encoding="utf-8"))
    fields = dict(software().fields)
    assert fields["title"] == stated["title"]
    assert fields["version"] == str(stated["version"]) == __version__
    assert fields["date"] == str(stated["date-released"])
    assert fields["author"] == "{" + stated["authors"][0]["name"] + "}"
    assert "Allouah" not in software().bibtex


def test_a_citation_file_that_lacks_something_is_a_sentence(tmp_path):
    file = tmp_path / "CITATION.cff"
    with pytest.raises(DataError, match="missing or unreadable"):
        software(file)
    file.write_text('title: "A"\nversion: 1\nauthors:\n  - name: "B"\n', encoding="utf-8")
    with pytest.raises(DataError, match="lacks date-released"):
        software(file)
    file.write_text("title: A\nversion: 1\ndate-released: 2026-01-01\n", encoding="utf-8")
    with pytest.raises(DataError, match="lacks an author"):
        software(file)


def test_an_entry_without_optional_fields_has_none():
    assert "url" not in Citation("k", "misc", (("title", "T"),), "A.").bibtex
