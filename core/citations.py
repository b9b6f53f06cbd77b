"""What to cite: the papers whose figures are shown, and this software, as BibTeX.

The software's entry is read from ``CITATION.cff``, so that there is one place where its title and version are kept. Fields
that are not known for certain are left out; page numbers are not given at all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from core.errors import DataError

CITATION_FILE: Final = Path(__file__).resolve().parents[1] / "CITATION.cff"
_LINE: Final = re.compile(r"^(?P<key>[a-z-]+):\s*(?P<value>.+?)\s*$")
_AUTHOR: Final = re.compile(r"^\s+-\s+name:\s*(?P<name>.+?)\s*$")


@dataclass(frozen=True, slots=True)
class Citation:
    """One entry of a bibliography.

    Parameters
    ----------
    key
        The entry's key.
    kind
        ``misc``, ``inproceedings`` or ``software``.
    fields
        Names and values in the order of the entry.
    shows
        What of it is used here, for the reader.
    """

    key: str
    kind: str
    fields: tuple[tuple[str, str], ...]
    shows: str

    @property
    def title(self) -> str:
        """The work's title."""
        return dict(self.fields)["title"]

    @property
    def bibtex(self) -> str:
        """The entry as BibTeX.

        Examples
        --------
        >>> print(Citation("a2026", "misc", (("title", "A"), ("year", "2026")), "").bibtex)
        @misc{a2026,
          title = {A},
          year  = {2026}
        }
        """
        width = max(len(name) for name, _ in self.fields)
        lines = [f"  {name:<{width}} = {{{value}}}" for name, value in self.fields]
        return "\n".join([f"@{self.kind}{{{self.key},", ",\n".join(lines), "}"])


PAPERS: Final = (
    Citation(
        "allouah2026fast",
        "misc",
        (
            ("author", "Allouah and Duchi and Koyejo"),
            ("title", "Fast but False Progress on Benchmarks with Richer Feedback"),
            ("year", "2026"),
            ("note", "Public artifact 0.1.0, repository ysfalh/false-benchmark-progress"),
        ),
        "The router attack, its metrics, and all published figures on reuse.",
    ),
    Citation(
        "blum2015ladder",
        "inproceedings",
        (
            ("author", "Blum, Avrim and Hardt, Moritz"),
            ("title", "The Ladder: A Reliable Leaderboard for Machine Learning Competitions"),
            ("booktitle", "Proceedings of the 32nd International Conference on Machine Learning"),
            ("year", "2015"),
        ),
        "The Ladder rule among the feedback rules.",
    ),
    Citation(
        "spiking2026",
        "misc",
        (
            ("title", "Spiking the training data to correct for test set contamination"),
            ("year", "2026"),
            ("eprint", "2605.24818"),
            ("archiveprefix", "arXiv"),
        ),
        "Correction of contaminated scores, and its phase diagrams.",
    ),
    Citation(
        "hubble2025",
        "misc",
        (
            ("title", "Hubble: a Model Suite to Advance the Study of {LLM} Memorization"),
            ("year", "2025"),
            ("eprint", "2510.19811"),
            ("archiveprefix", "arXiv"),
        ),
        "Accuracy and detectability of items that were planted in the training data.",
    ),
    Citation(
        "antileak2024",
        "misc",
        (
            (
                "title",
                (
                    "AntiLeak-Bench: Preventing Data Contamination by Automatically Constructing Benchmarks with Updated "
                    "Real-World Knowledge"
                ),
            ),
            ("year", "2024"),
            ("eprint", "2412.13670"),
            ("archiveprefix", "arXiv"),
        ),
        "The construction of items about changed facts.",
    ),
)
"""The papers, most used first."""


def software(file: Path = CITATION_FILE) -> Citation:
    """Return the entry of this software, read from its citation file.

    Parameters
    ----------
    file
        A citation file (CFF 1.2) whose top-level values are one line each.

    Raises
    ------
    DataError
        If the file is missing or lacks title, version, date or author.
    """
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DataError(
            f"The file {file.name} is missing or unreadable. Restore it from the repository."
        ) from error
    values: dict[str, str] = {}
    authors: list[str] = []
    section = ""
    for line in text.splitlines():
        if found := _LINE.match(line):
            values[found["key"]] = found["value"].strip("\"'")
        if line and not line[0].isspace():
            section = line.partition(":")[0]
        elif section == "authors" and (author := _AUTHOR.match(line)):
            authors.append(author["name"].strip("\"'"))
    missing = [name for name in ("title", "version", "date-released") if name not in values]
    if missing or not authors:
        raise DataError(
            f"The file {file.name} lacks {missing[0] if missing else 'an author'}. Restore it from the repository."
        )
    fields = (
        ("author", " and ".join(f"{{{name}}}" for name in authors)),
        ("title", values["title"]),
        ("version", values["version"]),
        ("date", values["date-released"]),
        ("license", values.get("license", "")),
        ("url", values.get("repository-code", "")),
    )
    return Citation(
        "mirage", "software", tuple((name, value) for name, value in fields if value), "This software."
    )
