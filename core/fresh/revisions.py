"""Where entities and revisions come from: a folder of saved pages, or Wikidata and Wikipedia themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any, Final

import orjson

from core.errors import DataError, UsageError
from core.files import open_file, read_file
from core.fresh.documents import (
    Claim,
    Document,
    Revision,
    choose_revision,
    document_of,
    later_than,
    parse_timestamp,
)
from core.fresh.dump import MAX_ANSWER_BYTES, MAX_LINE_BYTES, Fault, ReadingReport, entities_of_answer
from core.fresh.entities import normal_qid
from core.fresh.files import not_json
from core.fresh.times import PartialDate, Precision

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator
    from pathlib import Path

    from core.fresh.web import PoliteClient

WIKIDATA: Final = "https://www.wikidata.org/w/api.php"
WIKIPEDIA: Final = "https://{language}.wikipedia.org/w/api.php"
IDS_PER_QUESTION: Final = 50
REVISIONS_PER_QUESTION: Final = 50
_MOST_QUESTIONS: Final = 40
_SUFFIXES: Final = (".json", ".jsonl", ".ndjson")


def page_key(title: str) -> str:
    """Return a title as Wikipedia compares it: spaces for underscores, the first letter a capital.

    Examples
    --------
    >>> page_key("iPhone_4")
    'IPhone 4'
    """
    title = " ".join(title.replace("_", " ").split())
    return title[:1].upper() + title[1:]


@dataclass(slots=True)
class RevisionFolder:
    """Saved revisions in a folder.

    Files ending in ``.jsonl`` hold one revision per line: ``{"title", "revision_id", "timestamp", "wikitext"}``. Files
    ending in ``.json`` hold answers of the MediaWiki API (``action=query&prop=revisions``). Only the whereabouts are
    kept in memory; a text is read when it is needed.

    Parameters
    ----------
    folder
        The folder, without its subfolders.
    faults
        What could not be read, named by file and line.

    Raises
    ------
    DataError
        If the folder does not exist or holds no revision at all.
    """

    folder: Path
    faults: list[Fault] = field(default_factory=list)
    _pages: dict[str, list[tuple[Revision, Path, int]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Index the folder."""
        if not self.folder.is_dir():
            raise DataError(f"There is no folder '{self.folder}' with saved revisions.")
        for file in sorted(self.folder.iterdir()):
            if file.suffix in _SUFFIXES and file.is_file():
                self._index(file)
        if not self._pages:
            first = f" The first fault: {self.faults[0]}." if self.faults else ""
            raise DataError(
                f"Folder '{self.folder}' holds no saved revision.{first} Expected .jsonl files with title, "
                "revision_id, timestamp and wikitext on each line, or .json answers of the MediaWiki API."
            )

    def _index(self, file: Path) -> None:
        found = (
            _revisions_of_lines(file, self.faults)
            if file.suffix != ".json"
            else _revisions_of_answer(file, self.faults)
        )
        for revision, place in found:
            entry = (Revision(revision.revision_id, revision.timestamp, revision.title), file, place)
            self._pages.setdefault(page_key(revision.title), []).append(entry)

    def revisions(self, title: str) -> list[Revision]:
        """Return a page's saved revisions in the order of time, without their texts."""
        found = {each.revision_id: each for each, _, _ in self._pages.get(page_key(title), [])}
        return sorted(found.values(), key=lambda each: (each.timestamp, each.revision_id))

    def find(self, claim: Claim) -> Document | None:
        """Return the page's revision by the day rule, or None."""
        if claim.title is None:
            return None
        entries = {
            each.revision_id: (file, place)
            for each, file, place in self._pages.get(page_key(claim.title), [])
        }
        chosen = choose_revision(self.revisions(claim.title), claim.since)
        if chosen is None:
            return None
        file, place = entries[chosen.revision_id]
        return document_of(_load(file, place, chosen), made_up=claim.is_made_up)


def _revisions_of_lines(file: Path, faults: list[Fault]) -> Iterator[tuple[Revision, int]]:
    try:
        stream = open_file(file)
    except DataError as problem:
        faults.append(Fault(file.name, 1, str(problem)))
        return
    with stream:
        number, offset = 0, 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            place, offset = offset, offset + len(line)
            if not line.strip():
                continue
            if len(line) > MAX_LINE_BYTES:
                faults.append(
                    Fault(
                        file.name, number, f"longer than {MAX_LINE_BYTES >> 20} MiB; the rest is passed over"
                    )
                )
                return
            try:
                yield _revision(orjson.loads(line)), place
            except orjson.JSONDecodeError as problem:
                faults.append(Fault(file.name, number, not_json(problem)))
            except ValueError as problem:
                faults.append(Fault(file.name, number, str(problem)))


def _revisions_of_answer(file: Path, faults: list[Fault]) -> Iterator[tuple[Revision, int]]:
    try:
        answer = orjson.loads(read_file(file, "file of revisions", MAX_ANSWER_BYTES))
        found = list(revisions_of(answer))
    except orjson.JSONDecodeError as problem:
        faults.append(Fault(file.name, 1, not_json(problem)))
        return
    except DataError as problem:
        faults.append(Fault(file.name, 1, str(problem)))
        return
    yield from ((revision, -1) for revision in found if revision.wikitext is not None)


def _revision(row: Any) -> Revision:
    if not isinstance(row, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - becomes a named fault of the file
    title, number, text = row.get("title"), row.get("revision_id"), row.get("wikitext")
    moment = parse_timestamp(row.get("timestamp"))
    if not isinstance(title, str) or not title.strip():
        raise ValueError("'title' is missing")
    if not isinstance(number, int) or isinstance(number, bool):
        raise ValueError("'revision_id' is not a whole number")  # noqa: TRY004
    if moment is None:
        raise ValueError("'timestamp' is no time such as 2023-10-01T12:00:00Z")
    if not isinstance(text, str):
        raise ValueError("'wikitext' is missing")  # noqa: TRY004
    return Revision(number, moment, title, text)


def _load(file: Path, place: int, wanted: Revision) -> Revision:
    if place >= 0:
        with open_file(file) as stream:
            stream.seek(place)
            return _revision(orjson.loads(stream.readline(MAX_LINE_BYTES)))
    found = revisions_of(orjson.loads(read_file(file, "file of revisions", MAX_ANSWER_BYTES)))
    return next(each for each in found if each.revision_id == wanted.revision_id)


def revisions_of(answer: Any) -> Iterator[Revision]:
    """Yield the revisions in one answer of the MediaWiki API (format version 1 or 2).

    Raises
    ------
    DataError
        If it is no such answer.
    """
    query = answer.get("query") if isinstance(answer, dict) else None
    if not isinstance(query, dict):
        raise DataError("not an answer of the MediaWiki API: it has no 'query'")
    pages = query.get("pages", [])
    for page in pages.values() if isinstance(pages, dict) else pages:
        for row in page.get("revisions", []):
            moment = parse_timestamp(row.get("timestamp"))
            if moment is not None and isinstance(row.get("revid"), int):
                yield Revision(row["revid"], moment, str(page.get("title", "")), _content(row))


def _content(row: dict[str, Any]) -> str | None:
    slots = row.get("slots")
    main = slots.get("main", {}) if isinstance(slots, dict) else row
    text = main.get("content", main.get("*"))
    return text if isinstance(text, str) else None


@dataclass(slots=True)
class LiveRevisions:
    """Revisions from Wikipedia itself.

    Parameters
    ----------
    client
        Asks politely.
    language
        Which Wikipedia.
    address
        Address of the interface; ``{language}`` is filled in.
    """

    client: PoliteClient
    language: str = "en"
    address: str = WIKIPEDIA

    @property
    def url(self) -> str:
        """The address for the language."""
        return self.address.replace("{language}", self.language)

    def find(self, claim: Claim) -> Document | None:
        """Return the page's revision by the day rule, or None if the page or such a revision does not exist.

        Raises
        ------
        DataError
            If Wikipedia does not answer.
        """
        begin = _day_after(claim.since)
        if claim.title is None or begin is None:
            return None
        candidates = self._first_day(claim.title, claim.since, begin)
        while candidates:
            chosen = choose_revision(candidates, claim.since)
            assert chosen is not None
            full = self._with_text(chosen)
            if full.wikitext is not None:
                return document_of(full, made_up=claim.is_made_up)
            candidates.remove(chosen)  # its text is hidden: the one before it on the same day
        return None

    def _first_day(self, title: str, since: PartialDate, begin: date) -> list[Revision]:
        """List the revisions of the earliest later day, following the continuation until the day is complete."""
        params = {
            "action": "query", "format": "json", "formatversion": "2", "prop": "revisions", "titles": title,
            "redirects": "1", "rvdir": "newer", "rvstart": f"{begin.isoformat()}T00:00:00Z",
            "rvlimit": str(REVISIONS_PER_QUESTION), "rvprop": "ids|timestamp",
        }  # fmt: skip
        more: dict[str, str] = {}
        found: list[Revision] = []
        for _ in range(_MOST_QUESTIONS):
            answer = self.client.get(self.url, {**params, **more})
            found.extend(each for each in revisions_of(answer) if later_than(each, since))
            days = {each.timestamp.date() for each in found}
            following = answer.get("continue")
            if len(days) > 1 or not isinstance(following, dict):
                break
            more = {key: str(value) for key, value in following.items()}
        first = min((each.timestamp.date() for each in found), default=None)
        return [each for each in found if each.timestamp.date() == first]

    def _with_text(self, revision: Revision) -> Revision:
        answer = self.client.get(
            self.url,
            {
                "action": "query", "format": "json", "formatversion": "2", "prop": "revisions",
                "revids": str(revision.revision_id), "rvprop": "ids|timestamp|content", "rvslots": "main",
            },
        )  # fmt: skip
        return next(
            (each for each in revisions_of(answer) if each.revision_id == revision.revision_id), revision
        )


def _day_after(since: PartialDate) -> date | None:
    """Return the first day strictly later than a date at its precision; None where the calendar ends before it."""
    if since.year < 1:
        return date(2001, 1, 1)
    if since.year >= 9999:
        return None
    if since.precision == Precision.YEAR:
        return date(since.year + 1, 1, 1)
    assert since.month is not None
    if since.precision == Precision.MONTH:
        return date(since.year + since.month // 12, since.month % 12 + 1, 1)
    assert since.day is not None
    return date(since.year, since.month, since.day) + timedelta(days=1)


@dataclass(slots=True)
class LiveEntities:
    """Entities from Wikidata itself.

    Parameters
    ----------
    client
        Asks politely.
    qids
        The subjects to begin with.
    address
        Address of the interface.

    Raises
    ------
    UsageError
        If an id is none.
    """

    client: PoliteClient
    qids: tuple[str, ...]
    address: str = WIKIDATA

    def __post_init__(self) -> None:
        """Check the ids."""
        for qid in self.qids:
            if normal_qid(qid) is None:
                raise UsageError(f"'{qid}' is no Wikidata id. Expected ids such as Q38, separated by commas.")
        if not self.qids:
            raise UsageError("No Wikidata id is given. Expected ids such as Q38, separated by commas.")

    def read(self, wanted: Collection[int] | None, report: ReadingReport) -> Iterator[dict[str, Any]]:
        """Yield the subjects or, with `wanted`, the entities with these numbers.

        Raises
        ------
        DataError
            If Wikidata does not answer.
        """
        ids = (
            [normal_qid(qid) or qid for qid in self.qids]
            if wanted is None
            else [f"Q{number}" for number in sorted(wanted)]
        )
        for begin in range(0, len(ids), IDS_PER_QUESTION):
            answer = self.client.get(
                self.address,
                {
                    "action": "wbgetentities", "format": "json", "ids": "|".join(ids[begin : begin + IDS_PER_QUESTION]),
                    "props": "labels|aliases|claims|sitelinks", "redirects": "yes",
                },
            )  # fmt: skip
            for entity in entities_of_answer(answer, "Wikidata", None, report):
                merged = entity.get("redirects")
                if wanted is not None and isinstance(merged, dict) and normal_qid(merged.get("from")):
                    yield {
                        **entity,
                        "id": merged["from"],
                    }  # a statement still names the id that was merged away
                else:
                    yield entity
