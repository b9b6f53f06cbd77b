"""Reading Wikidata's JSON as a stream: dump lines (plain, gzip or bzip2) or answers of the entity API.

A dump is read line by line, so memory does not grow with its size. A line that is no JSON is counted and named, and
reading goes on.
"""

from __future__ import annotations

import bz2
import gzip
import re
import zlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, BinaryIO, Final, Protocol, cast

import orjson

from core.errors import DataError
from core.files import open_file
from core.fresh.entities import normal_qid
from core.fresh.files import not_json

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator
    from pathlib import Path

MAX_LINE_BYTES: Final = 64 * 2**20
MAX_ANSWER_BYTES: Final = 256 * 2**20
NAMED_FAULTS: Final = 20
_ID: Final = re.compile(rb'"id"\s*:\s*"[Qq](\d+)"')
_ID_WITHIN: Final = 200
_ANSWER: Final = re.compile(rb'^\s*\{\s*"(entities|error|warnings|success|servedby)"\s*:')
_SUFFIXES: Final = (".json", ".jsonl", ".ndjson", ".gz", ".bz2")


@dataclass(frozen=True, slots=True)
class Fault:
    """A line that could not be read."""

    file: str
    line: int
    problem: str

    def __str__(self) -> str:
        """Name the fault in words."""
        return f"{self.file}, line {self.line}: {self.problem}"


@dataclass(slots=True)
class ReadingReport:
    """What was read.

    Parameters
    ----------
    lines, bytes_read
        Lines that hold something, and bytes after decompression.
    entities
        Items read; properties and lexemes are in `others`.
    others
        Entities that are no items.
    missing
        Ids that the API does not know.
    broken
        Lines that are no entity.
    faults
        The first of them, named.
    """

    lines: int = 0
    bytes_read: int = 0
    entities: int = 0
    others: int = 0
    missing: int = 0
    broken: int = 0
    faults: list[Fault] = field(default_factory=list)

    def fault(self, file: str, line: int, problem: str) -> None:
        """Count a broken line, and name it if it is among the first."""
        self.broken += 1
        if len(self.faults) < NAMED_FAULTS:
            self.faults.append(Fault(file, line, problem))


class EntitySource(Protocol):
    """Something that yields entities, and can do so again for chosen ids."""

    def read(self, wanted: Collection[int] | None, report: ReadingReport) -> Iterator[dict[str, Any]]:
        """Yield the raw entities; with `wanted`, only those with these numbers."""
        ...


@dataclass(frozen=True, slots=True)
class FileSource:
    """Entities in files.

    Parameters
    ----------
    files
        Dump files or saved API answers.
    progress
        Called with the bytes read so far, about once per MiB.
    """

    files: tuple[Path, ...]
    progress: Callable[[int], None] | None = None

    @classmethod
    def from_path(cls, path: Path, progress: Callable[[int], None] | None = None) -> FileSource:
        """Take one file, or every JSON file of a folder in the order of their names.

        Raises
        ------
        DataError
            If there is nothing to read.
        """
        if path.is_dir():
            files = tuple(
                sorted(each for each in path.iterdir() if each.is_file() and each.suffix in _SUFFIXES)
            )
            if not files:
                raise DataError(f"Folder '{path}' holds no file ending in {', '.join(_SUFFIXES)}.")
            return cls(files, progress)
        if not path.is_file():
            raise DataError(
                f"There is no file '{path}'. Give a Wikidata dump, a saved API answer, or 'sample'."
            )
        return cls((path,), progress)

    def read(self, wanted: Collection[int] | None, report: ReadingReport) -> Iterator[dict[str, Any]]:
        """Yield the entities of every file in turn.

        Raises
        ------
        DataError
            If a file cannot be read, a compressed one is cut short or damaged, or a saved API answer is an error.
        """
        for file in self.files:
            try:
                with open_binary(file) as stream:
                    if _ANSWER.match(_peek(stream)):
                        yield from _read_answer(stream, file.name, wanted, report)
                    else:
                        yield from self._read_lines(stream, file.name, wanted, report)
            except (EOFError, zlib.error, OSError) as problem:
                why = getattr(problem, "strerror", None)  # of the system; a decompressor gives none
                raise DataError(
                    f"File '{file.name}' cannot be read: {why}."
                    if why
                    else f"File '{file.name}' is cut short or damaged: it does not decompress. Fetch it again."
                ) from None

    def _read_lines(
        self, stream: BinaryIO, name: str, wanted: Collection[int] | None, report: ReadingReport
    ) -> Iterator[dict[str, Any]]:
        next_call = 2**20
        for number, line in enumerate(_lines(stream), start=1):
            report.bytes_read += len(line)
            if self.progress is not None and report.bytes_read >= next_call:
                next_call = report.bytes_read + 2**20
                self.progress(report.bytes_read)
            if wanted is not None and not _is_wanted(line, wanted):
                continue
            text = line.strip().rstrip(b",")
            if text in {b"", b"[", b"]"}:
                continue
            report.lines += 1
            if len(line) >= MAX_LINE_BYTES:
                report.fault(name, number, f"longer than {MAX_LINE_BYTES >> 20} MiB")
                continue
            try:
                entity = orjson.loads(text)
            except orjson.JSONDecodeError as problem:
                report.fault(name, number, not_json(problem))
                continue
            if not isinstance(entity, dict) or not isinstance(entity.get("id"), str):
                report.fault(name, number, "not an entity (no id)")
            elif _counted(entity, report) and (wanted is None or _number(entity) in wanted):
                yield entity


def open_binary(file: Path) -> BinaryIO:
    """Open a file for reading, decompressing what its first bytes show to be gzip or bzip2."""
    with open_file(file) as raw:
        magic = raw.read(3)
    if magic[:2] == b"\x1f\x8b":
        return cast("BinaryIO", gzip.open(file, "rb"))
    if magic == b"BZh":
        return cast("BinaryIO", bz2.open(file, "rb"))
    return file.open("rb", buffering=2**20)


def _peek(stream: BinaryIO) -> bytes:
    head = stream.read(4096)
    stream.seek(0)
    return head


def _lines(stream: BinaryIO) -> Iterator[bytes]:
    """Yield lines; of one that is too long only the beginning, MAX_LINE_BYTES long."""
    while line := stream.readline(MAX_LINE_BYTES):
        yield line
        while len(line) == MAX_LINE_BYTES and not line.endswith(b"\n"):
            line = stream.readline(MAX_LINE_BYTES)


def _is_wanted(line: bytes, wanted: Collection[int]) -> bool:
    """Decide by the id near the line's beginning; without one there, the line must be parsed."""
    found = _ID.search(line, 0, _ID_WITHIN)
    return found is None or int(found.group(1)) in wanted


def _number(entity: dict[str, Any]) -> int:
    qid = normal_qid(entity["id"])
    return int(qid[1:]) if qid else 0


def _counted(entity: dict[str, Any], report: ReadingReport) -> bool:
    if normal_qid(entity["id"]) is None:
        report.others += 1
        return False
    report.entities += 1
    return True


def _read_answer(
    stream: BinaryIO, name: str, wanted: Collection[int] | None, report: ReadingReport
) -> Iterator[dict[str, Any]]:
    text = stream.read(MAX_ANSWER_BYTES + 1)
    if len(text) > MAX_ANSWER_BYTES:
        raise DataError(
            f"File '{name}' is an API answer of more than {MAX_ANSWER_BYTES >> 20} MiB; split it."
        )
    report.bytes_read += len(text)
    try:
        answer = orjson.loads(text)
    except orjson.JSONDecodeError as problem:
        raise DataError(
            f"File '{name}' begins as an API answer but is {not_json(problem)}. Fetch it again."
        ) from None
    yield from entities_of_answer(answer, name, wanted, report)


def entities_of_answer(
    answer: Any, name: str, wanted: Collection[int] | None, report: ReadingReport
) -> Iterator[dict[str, Any]]:
    """Yield the entities of one answer of the entity API.

    Raises
    ------
    DataError
        If the answer is an error message or holds no entities.
    """
    if isinstance(answer, dict) and isinstance(answer.get("error"), dict):
        error = answer["error"]
        raise DataError(f"'{name}' is an error of the API, {error.get('code')}: {error.get('info')}.")
    entities = answer.get("entities") if isinstance(answer, dict) else None
    if not isinstance(entities, dict):
        raise DataError(f"'{name}' is no answer of the entity API: it has no 'entities'.")
    for key, entity in entities.items():
        report.lines += 1
        if not isinstance(entity, dict) or not isinstance(entity.get("id"), str):
            report.fault(name, 1, f"entity '{key}' has no id")
        elif "missing" in entity:
            report.missing += 1
        elif _counted(entity, report) and (wanted is None or _number(entity) in wanted):
            yield entity
