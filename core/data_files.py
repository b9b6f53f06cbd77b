"""The shipped data files, checked against the checksums in ``data/README.md`` before they are used."""

from __future__ import annotations

import hashlib
import os
import re
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from core.errors import DataError

DATA_FOLDER: Final = Path(__file__).resolve().parent.parent / "data"
README: Final = "README.md"
_RESTORE: Final = "Restore it from the repository (git restore data)."
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class DataFile(NamedTuple):
    """One row of the table in ``data/README.md``."""

    file: str
    source: str
    licence: str
    sha256: str


def checksums(folder: Path = DATA_FOLDER) -> dict[str, DataFile]:
    """Return the shipped files by path below `folder`, as ``data/README.md`` lists them.

    The table has the columns file, source, licence and sha256; paths use forward slashes.

    Raises
    ------
    DataError
        If the README is missing or lists no files.
    """
    readme = folder / README
    try:
        text = readme.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        raise DataError(f"The shipped file data/{README} is missing or unreadable. {_RESTORE}") from None
    listed = {row.file: row for row in map(_row, text.splitlines()) if row is not None}
    if not listed:
        raise DataError(f"The shipped file data/{README} lists no checksums. {_RESTORE}")
    return listed


def data_version(folder: Path = DATA_FOLDER) -> str:
    """Return eight characters that change with any shipped file but the fonts.

    Raises
    ------
    DataError
        If ``data/README.md`` is missing or lists no files.
    """
    listed = _checksums_of(folder, _modified(folder / README))
    rows = sorted(f"{row.file} {row.sha256}" for row in listed.values() if not row.file.startswith("fonts/"))
    return hashlib.sha256("\n".join(rows).encode()).hexdigest()[:8]


def path(relative: str, folder: Path = DATA_FOLDER) -> Path:
    """Return the path of a shipped file that has been found unaltered.

    Parameters
    ----------
    relative
        Path below the data folder with forward slashes, such as ``"published/score_gap.csv"``.
    folder
        The data folder.

    Raises
    ------
    DataError
        If the file is missing, unreadable, not listed, or differs from its checksum; the message names it and says
        how to restore it.
    """
    target = folder / relative
    try:
        status = target.stat()
    except FileNotFoundError:
        raise DataError(f"The shipped file data/{relative} is missing. {_RESTORE}") from None
    except OSError as error:
        raise DataError(f"The shipped file data/{relative} cannot be read: {error.strerror}.") from None
    readme_time = _modified(folder / README)
    _verify(folder, relative, status.st_mtime_ns, status.st_size, readme_time)
    return target


def verify_all(folder: Path = DATA_FOLDER) -> list[str]:
    """Return one sentence for every shipped file that is missing, altered or not listed; empty when all is well.

    Raises
    ------
    DataError
        If ``data/README.md`` is missing or lists no files.
    """
    listed = checksums(folder)
    messages = []
    for relative in sorted({*listed, *present(folder)}):
        try:
            path(relative, folder)
        except DataError as error:
            messages.append(str(error))
    return messages


def state(folder: Path = DATA_FOLDER) -> int:
    """Return a number that changes with every file below a folder that is added, removed, replaced or written to.

    It looks at names, sizes and times only, in about a quarter of a millisecond; 0 where a folder cannot be read.
    """
    found, folders = [], [str(folder)]
    try:
        while folders:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    else:
                        status = entry.stat()
                        found.append((entry.path, status.st_mtime_ns, status.st_size))
    except OSError:
        return 0
    return hash(tuple(sorted(found)))


def present(folder: Path = DATA_FOLDER) -> list[str]:
    """Return the files below the data folder that need a checksum: all but READMEs and hidden files."""
    return sorted(
        relative.as_posix()
        for relative in (found.relative_to(folder) for found in folder.rglob("*") if found.is_file())
        if relative.name != README and not any(part.startswith(".") for part in relative.parts)
    )


@lru_cache(maxsize=1024)
def _verify(folder: Path, relative: str, _modified_ns: int, _size: int, _readme_ns: int) -> None:
    """Compare a file with its checksum, once for each state of the file."""
    listed = _checksums_of(folder, _readme_ns)
    if relative not in listed:
        raise DataError(f"The file data/{relative} is not listed in data/{README}. {_RESTORE}")
    try:
        found = hashlib.sha256((folder / relative).read_bytes()).hexdigest()
    except OSError as error:
        raise DataError(f"The shipped file data/{relative} cannot be read: {error.strerror}.") from None
    if found != listed[relative].sha256:
        raise DataError(
            f"The shipped file data/{relative} is not the one that was released: its SHA-256 begins with {found[:12]}, "
            f"expected {listed[relative].sha256[:12]}. {_RESTORE}"
        )


@lru_cache(maxsize=8)
def _checksums_of(folder: Path, _readme_ns: int) -> dict[str, DataFile]:
    return checksums(folder)


def _modified(file: Path) -> int:
    try:
        return file.stat().st_mtime_ns
    except OSError:
        return 0


def _row(line: str) -> DataFile | None:
    """Return a table row that ends in a checksum (or a dash, before one is filled in)."""
    cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
    if not line.lstrip().startswith("|") or len(cells) != 4:
        return None
    sha256 = cells[3].strip("`").lower()
    if not _SHA256.fullmatch(sha256):
        return None
    return DataFile(cells[0].strip("`"), cells[1], cells[2], sha256)
