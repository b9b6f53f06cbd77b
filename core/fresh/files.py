"""JSON Lines in and out: nothing half-written, and every fault named by its line."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from core.errors import DataError
from core.files import check_writable, read_file

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


def write_lines(path: Path, rows: Iterable[object], *, force: bool = False) -> int:
    """Write one JSON object per line, under a temporary name first.

    Parameters
    ----------
    path
        The file.
    rows
        Objects that `orjson` can write.
    force
        Whether a file that exists may be replaced.

    Returns
    -------
    int
        How many lines were written.

    Raises
    ------
    DataError
        If the file exists and `force` is not set, or it cannot be written.
    """
    check_writable(path, force=force)
    count = 0
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            for row in rows:
                file.write(orjson.dumps(row) + b"\n")
                count += 1
        temporary.replace(path)
        temporary = None
    except OSError as problem:
        raise DataError(f"'{path}' cannot be written: {problem.strerror}.") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
    return count


def to_lines(rows: Iterable[object]) -> bytes:
    """Return the bytes that `write_lines` would write."""
    return b"".join(orjson.dumps(row) + b"\n" for row in rows)


def read_lines(path: Path, what: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each line's number and object; blank lines are passed over.

    Parameters
    ----------
    path
        The file.
    what
        What it should hold ("facts"), for the messages.

    Raises
    ------
    DataError
        If the file is missing or too large, or a line is no JSON object; the line is named.
    """
    yield from parse_lines(read_file(path, f"{what} file"), path.name, what)


def not_json(problem: orjson.JSONDecodeError) -> str:
    """Say where a text stops being JSON, and why."""
    if "UTF-8" in problem.msg:
        return "not UTF-8 text"
    return f"not JSON ({problem.msg} at column {problem.colno:,})"


def parse_lines(content: bytes, name: str, what: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield each line's number and object of a file's content, as `read_lines` does."""
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").splitlines(), start=1):
        if not line.strip():
            continue
        try:
            row = orjson.loads(line)
        except orjson.JSONDecodeError as problem:
            raise DataError(
                f"'{name}', line {number}, is {not_json(problem)}. The {what} file needs one JSON object per line."
            ) from None
        if not isinstance(row, dict):
            raise DataError(
                f"'{name}', line {number}, is not a JSON object. The {what} file needs one per line."
            )
        yield number, row
