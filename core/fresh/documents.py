"""The document that supports a fact: which revision, its plain text, and whether it names both ends of the fact.

After AntiLeakBench (arXiv 2412.13670, section 3.2). Among the revisions strictly later than the start of the value, the
earliest calendar day (UTC) is taken, and of that day the last revision. Its summary, the first paragraph that is not
empty, must contain the subject and the value by label or alias, as whole words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

from core.errors import DataError
from core.fresh.facts import Drop, page_owner
from core.fresh.names import Match, find_name, tidy
from core.fresh.times import PartialDate, compare, from_date

if TYPE_CHECKING:
    from collections.abc import Iterable

    from core.fresh.entities import Entity

_HIDDEN_TAGS: Final = frozenset({
    "ref", "references", "gallery", "math", "chem", "syntaxhighlight", "source", "timeline", "score", "imagemap",
    "templatestyles", "table", "style", "script", "graph", "mapframe", "hiero", "noinclude",
})  # fmt: skip
_HIDDEN_LINKS: Final = frozenset({
    "file", "image", "category", "media", "datei", "bild", "kategorie", "fichier", "catégorie", "archivo", "imagen",
    "categoría", "immagine", "categoria", "bestand", "categorie", "plik", "kategoria", "ficheiro", "imagem", "fil",
    "kategori", "файл", "категория", "ファイル",
})  # fmt: skip
_EMPTY_BRACKETS: Final = re.compile(r" ?\([\s,;:–-]*\)")
_MAGIC_WORDS: Final = re.compile(r"__[A-Z]+__")
_BLANK_LINE: Final = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class Revision:
    """One saved state of a page.

    Parameters
    ----------
    revision_id
        Wikipedia's number.
    timestamp
        When it was saved, in UTC.
    title
        The page.
    wikitext
        The source text; None until it is fetched, or where it is hidden.
    """

    revision_id: int
    timestamp: datetime
    title: str
    wikitext: str | None = None


@dataclass(frozen=True, slots=True)
class Document:
    """A supporting text.

    Parameters
    ----------
    title
        Page title.
    text
        The whole article as plain text.
    source
        ``revision`` of a page, or ``summary``: a sentence of our own that ships with the sample.
    revision_id, timestamp
        Evidence; None for a summary.
    made_up
        Whether the text is about invented entities.
    """

    title: str
    text: str
    source: Literal["revision", "summary"]
    revision_id: int | None = None
    timestamp: str | None = None
    made_up: bool = False

    @property
    def summary(self) -> str:
        """The first paragraph that is not empty."""
        return first_paragraph(self.text)


@dataclass(frozen=True, slots=True)
class Claim:
    """What a document must support: that a relation of a subject has a value, since a day."""

    subject: Entity
    relation: str
    value: Entity
    since: PartialDate

    @property
    def title(self) -> str | None:
        """The page that should say so."""
        return page_owner(self.subject, self.relation, self.value).wiki_title

    @property
    def is_made_up(self) -> bool:
        """Whether it is about something invented."""
        return self.subject.made_up or self.value.made_up


@dataclass(frozen=True, slots=True)
class Support:
    """A document with the places of both names in its summary."""

    document: Document
    subject: Match
    value: Match


class DocumentSource(Protocol):
    """Finds the document for a claim."""

    def find(self, claim: Claim) -> Document | None:
        """Return the document by the day rule, or None if there is none."""
        ...


def later_than(revision: Revision, since: PartialDate) -> bool:
    """Whether a revision is strictly later than a date, at the precision of that date.

    Examples
    --------
    >>> revision = Revision(1, datetime(2023, 9, 30, 12, tzinfo=UTC), "A")
    >>> later_than(revision, PartialDate(2023, 9, 29)), later_than(revision, PartialDate(2023, 9))
    (True, False)
    """
    return compare(from_date(revision.timestamp.date()), since) > 0


def choose_revision(revisions: Iterable[Revision], since: PartialDate) -> Revision | None:
    """Apply the day rule: the last revision of the earliest day strictly later than `since`."""
    later = [each for each in revisions if later_than(each, since)]
    if not later:
        return None
    day = min(each.timestamp.date() for each in later)
    return max(
        (each for each in later if each.timestamp.date() == day),
        key=lambda each: (each.timestamp, each.revision_id),
    )


def document_of(revision: Revision, *, made_up: bool = False) -> Document:
    """Turn a revision with its text into a document."""
    return Document(
        title=revision.title,
        text=plain_text(revision.wikitext or ""),
        source="revision",
        revision_id=revision.revision_id,
        timestamp=revision.timestamp.strftime("%Y-%m-%dT%H:%M:%SZ"),
        made_up=made_up,
    )


def plain_text(wikitext: str) -> str:
    r"""Strip wikitext to the text that a reader sees.

    Templates, tables, notes, pictures, categories and comments go; link labels stay. Paragraphs stay apart by blank
    lines.

    Examples
    --------
    >>> plain_text("{{Infobox}}\n'''Tuvalu''' is led by [[Feleti Teo|Teo]].<ref>A note</ref>\n\n[[Category:Isles]]")
    'Tuvalu is led by Teo.'
    """
    import mwparserfromhell
    from mwparserfromhell.parser import ParserError

    try:
        code = mwparserfromhell.parse(wikitext)
    except ParserError as problem:
        raise DataError(f"A page's wikitext cannot be parsed: {problem}.") from None
    for node in code.filter(recursive=True, matches=_is_hidden):
        try:
            code.remove(node)
        except ValueError:
            continue  # it went with an outer node
    text = _MAGIC_WORDS.sub("", str(code.strip_code(normalize=True, collapse=False)))
    lines = [tidy(_EMPTY_BRACKETS.sub("", line)) for line in text.splitlines()]
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()


def _is_hidden(node: Any) -> bool:
    from mwparserfromhell.nodes import Comment, Tag, Wikilink

    if isinstance(node, Comment):
        return True
    if isinstance(node, Tag):
        return str(node.tag).strip().lower() in _HIDDEN_TAGS
    if isinstance(node, Wikilink):
        namespace, colon, _ = str(node.title).partition(":")
        return bool(colon) and namespace.strip().lower() in _HIDDEN_LINKS
    return False


def first_paragraph(text: str) -> str:
    r"""Return the first paragraph that is not empty, on one line.

    Examples
    --------
    >>> first_paragraph("\n\nOne\ntwo.\n\nThree.")
    'One two.'
    """
    for paragraph in _BLANK_LINE.split(text):
        if paragraph.strip():
            return tidy(" ".join(paragraph.split()))
    return ""


def check_support(document: Document, claim: Claim) -> Support | None:
    """Find the longest name of the subject and of the value in the document's summary; None unless both are there."""
    summary = document.summary
    subject = find_name(summary, claim.subject.names)
    value = find_name(summary, claim.value.names)
    return Support(document, subject, value) if subject and value else None


def support_for(claim: Claim, source: DocumentSource) -> Support | Drop:
    """Find a claim's document and check it; on failure, the reason."""
    document = source.find(claim)
    if document is None:
        return Drop.NO_DOCUMENT
    return check_support(document, claim) or Drop.NOT_NAMED


def parse_timestamp(text: object) -> datetime | None:
    """Read an ISO time such as ``2023-10-01T12:00:00Z``; None if it is not one. Without a zone it is UTC."""
    if not isinstance(text, str):
        return None
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
