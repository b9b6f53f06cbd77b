"""From a source of entities to changed facts with names, pages and chains, in bounded memory.

All statements of a subject stand on one dump line, so the change rule runs while the dump passes by; only changes are
kept, in a temporary database on disk. The names of their objects, and the chains that lead on from them, are picked up
in further passes that skip every other line unparsed.
"""

from __future__ import annotations

import sqlite3
import tempfile
from collections import Counter
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import orjson

from core.errors import DataError
from core.fresh.chains import MAX_FURTHER_HOPS, chain_relations, chains_from, next_ids
from core.fresh.dump import EntitySource, ReadingReport
from core.fresh.entities import Entity, Statement, read_entity, read_statements
from core.fresh.facts import (
    Change,
    ChangedFact,
    Drop,
    Funnel,
    check_window,
    describe_change,
    find_change,
    group_statements,
)
from core.fresh.relations import RELATIONS
from core.fresh.times import PartialDate, parse_time

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_CHAINED: Final = tuple(sorted(chain_relations()))


@dataclass(slots=True)
class Gathering:
    """Counts of one run over a source.

    Parameters
    ----------
    funnel
        Cases (subject and relation) by reason.
    reading
        Lines and faults of the first pass.
    statements
        Statements by what was noted about them, such as ``deprecated``.
    passes
        How often the source was read.
    """

    funnel: Funnel = field(default_factory=Funnel)
    reading: ReadingReport = field(default_factory=ReadingReport)
    statements: Counter[str] = field(default_factory=Counter)
    passes: int = 0


def gather_facts(
    source: EntitySource,
    cutoff: PartialDate,
    until: PartialDate,
    *,
    language: str = "en",
    hops: int = 1,
    gathering: Gathering | None = None,
) -> Iterator[ChangedFact]:
    """Yield every fact of a source that changed between two days.

    Parameters
    ----------
    source
        Read once for the changes, once for the names, and once more for each further hop.
    cutoff, until
        The window.
    language
        Language of names and pages.
    hops
        1 to 3; with more than 1 the facts carry the chains that lead on.
    gathering
        Receives the counts, complete once the iterator is exhausted.

    Yields
    ------
    ChangedFact
        In the order of the source.

    Raises
    ------
    UsageError
        If the cutoff is not before `until`.
    DataError
        If the source cannot be read or holds no entity at all.
    """
    check_window(cutoff, until)
    gathering = Gathering() if gathering is None else gathering
    with _store() as store:
        wanted = _first_pass(source, cutoff, until, language, store, gathering)
        _later_passes(source, wanted, until, language, hops, store, gathering)
        for row in store.changes():
            fact = describe_change(row, store.entity)
            gathering.funnel.count(fact if isinstance(fact, Drop) else None)
            if isinstance(fact, ChangedFact):
                yield chains_from(fact, until, store.entity, store.statements) if hops > 1 else fact


def _first_pass(
    source: EntitySource,
    cutoff: PartialDate,
    until: PartialDate,
    language: str,
    store: _Store,
    gathering: Gathering,
) -> set[int]:
    wanted: set[int] = set()
    for raw in source.read(None, gathering.reading):
        changed = False
        for group in group_statements(read_statements(raw, RELATIONS, gathering.statements)).values():
            change = find_change(group, cutoff, until)
            if isinstance(change, Drop):
                gathering.funnel.count(change)
                continue
            store.add_change(change)
            wanted.update(int(each.value[1:]) for each in (change.old, change.new) if each.value)
            changed = True
        if changed:
            store.add_entity(raw, language, ())
    gathering.passes = 1
    if gathering.reading.entities == 0:
        first = f" The first fault: {gathering.reading.faults[0]}." if gathering.reading.faults else ""
        raise DataError(
            f"No Wikidata item was found ({gathering.reading.broken} lines could not be read).{first} "
            "Expected one JSON entity per line, or an answer of the entity API."
        )
    return wanted


def _later_passes(
    source: EntitySource,
    wanted: set[int],
    until: PartialDate,
    language: str,
    hops: int,
    store: _Store,
    gathering: Gathering,
) -> None:
    """Fetch the objects, then level by level what their chains reach."""
    frontier = _starts_of_chains(store) if hops > 1 else set()
    further = _CHAINED if hops > 1 else ()
    for depth in range(1, min(hops, MAX_FURTHER_HOPS + 1) + 1):
        if not wanted:
            return
        for raw in source.read(wanted, ReadingReport()):
            store.add_entity(raw, language, further)
        gathering.passes += 1
        if depth == hops:
            return
        frontier = {
            (found, relation)
            for qid, relation in frontier
            for found in next_ids(qid, depth, relation, until, store.statements)
        }
        wanted = {int(qid[1:]) for qid, _ in frontier}


def _starts_of_chains(store: _Store) -> set[tuple[str, str]]:
    return {
        (change.new.value, change.new.relation)
        for change in store.changes()
        if change.new.value and RELATIONS[change.new.relation].chains
    }


class _Store:
    """A temporary database of changes and of the entities that they mention."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        connection.executescript(
            "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
            "CREATE TABLE entity (qid TEXT PRIMARY KEY, body BLOB) WITHOUT ROWID;"
            "CREATE TABLE change (number INTEGER PRIMARY KEY, body BLOB);"
        )

    def add_change(self, change: Change) -> None:
        body = orjson.dumps([_packed(change.old), _packed(change.new)])
        self._connection.execute("INSERT INTO change (body) VALUES (?)", (body,))

    def changes(self) -> Iterator[Change]:
        for (body,) in self._connection.execute("SELECT body FROM change ORDER BY number"):
            old, new = orjson.loads(body)
            yield Change(_unpacked(old), _unpacked(new))

    def add_entity(self, raw: dict[str, Any], language: str, relations: Sequence[str]) -> None:
        entity = read_entity(raw, language)
        if entity is None:
            return
        statements = [_packed(each) for each in read_statements(raw, relations)]
        body = orjson.dumps([entity.label, entity.aliases, entity.wiki_title, statements])
        self._connection.execute("INSERT OR REPLACE INTO entity VALUES (?, ?)", (entity.qid, body))

    def _body(self, qid: str) -> Any:
        row = self._connection.execute("SELECT body FROM entity WHERE qid = ?", (qid,)).fetchone()
        return orjson.loads(row[0]) if row else None

    def entity(self, qid: str) -> Entity | None:
        body = self._body(qid)
        return Entity(qid, body[0], tuple(body[1]), body[2]) if body else None

    def statements(self, qid: str, relation: str) -> list[Statement]:
        body = self._body(qid)
        return [_unpacked(each) for each in body[3] if each[1] == relation] if body else []


def _packed(statement: Statement) -> list[str | None]:
    return [
        statement.subject,
        statement.relation,
        statement.value,
        statement.start.isoformat() if statement.start else None,
        statement.end.isoformat() if statement.end else None,
        statement.rank,
        statement.claim_id,
    ]


def _unpacked(row: list[Any]) -> Statement:
    subject, relation, value, start, end, rank, claim_id = row
    return Statement(subject, relation, value, parse_time(start), parse_time(end), rank, claim_id)


@contextmanager
def _store() -> Iterator[_Store]:
    with (
        tempfile.TemporaryDirectory(prefix="mirage-facts-") as folder,
        closing(sqlite3.connect(Path(folder) / "facts.sqlite", isolation_level=None)) as connection,
    ):
        yield _Store(connection)
