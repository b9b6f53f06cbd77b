"""Opening files with messages fit for a reader, and writing them so that nothing half-written is ever left.

A file is written under a temporary name in the same folder, then moved in one step.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.errors import DataError
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import BinaryIO

MAX_BYTES: Final = 512 * 1024**2
"""Most bytes of a file that is read as a whole."""
MAX_LINE_BYTES: Final = 64 * 1024**2
"""Most bytes of one line of a file that is read line by line."""
_PATH_WIDTH: Final = 200


def open_file(path: Path, what: str | None = None) -> BinaryIO:
    """Open a file for reading with messages fit for the reader.

    Parameters
    ----------
    path
        The file.
    what
        What it is ("items file"), for the messages.

    Raises
    ------
    DataError
        If the path is missing, a folder, or may not be read.
    """
    name = f"'{shown(path, _PATH_WIDTH)}'"
    try:
        return path.open("rb")
    except FileNotFoundError:
        lost = f"The {what} {name} cannot be read: there is no such file." if what else f"No file {name}."
        raise DataError(f"{lost} Check the path.") from None
    except IsADirectoryError:
        wanted = f"{'an' if what[:1] in 'aeiou' else 'a'} {what}" if what else "a file"
        raise DataError(f"{name} is a folder, expected {wanted}.") from None
    except PermissionError:
        raise DataError(f"The {what or 'file'} {name} may not be read; check its permissions.") from None
    except (OSError, ValueError) as error:
        raise DataError(f"The {what or 'file'} {name} cannot be opened: {_reason(error)}.") from None


def read_file(path: Path, what: str, limit: int = MAX_BYTES) -> bytes:
    """Return the content of a file that is not too large.

    Parameters
    ----------
    path
        The file.
    what
        What it is ("items file"), for the messages.
    limit
        Most bytes that are read.

    Raises
    ------
    DataError
        If it cannot be opened or read, or is larger than `limit`.
    """
    with open_file(path, what) as stream:
        try:
            content = stream.read(limit + 1)  # a device has no size to ask for
        except OSError as error:
            raise _unreadable(path, what, error) from None
    if len(content) > limit:
        raise DataError(
            f"The {what} '{shown(path, _PATH_WIDTH)}' is larger than {_size(limit)}, which is the limit. "
            "Split it into smaller files."
        )
    return content


def text_lines(path: Path, what: str, limit: int = MAX_LINE_BYTES) -> Iterator[str]:
    """Yield the lines of a UTF-8 file one by one, so that a large file needs little memory.

    Parameters
    ----------
    path
        The file; a byte order mark at its beginning is passed over.
    what
        What it is, for the messages.
    limit
        Most bytes of one line.

    Raises
    ------
    DataError
        If it cannot be opened or read, or a line is not UTF-8 or longer than `limit`; the line is named.
    """
    name = f"'{shown(path, _PATH_WIDTH)}'"
    with open_file(path, what) as stream:
        number = 0
        while True:
            number += 1
            try:
                line = stream.readline(limit + 1)
            except OSError as error:
                raise _unreadable(path, what, error) from None
            if not line:
                return
            if len(line) > limit:
                raise DataError(
                    f"{name}, line {number:,}, is longer than {_size(limit)}, which is the limit. Is this the {what}?"
                )
            try:
                yield line.decode("utf-8-sig" if number == 1 else "utf-8")
            except UnicodeDecodeError:
                raise DataError(
                    f"{name}, line {number:,}, is not UTF-8 text. Save the file as UTF-8, and check that it is the {what}."
                ) from None


def atomic_write(path: Path | str, content: bytes | str, *, force: bool = False) -> Path:
    """Write a file in one step.

    Parameters
    ----------
    path
        The file; its folder must exist.
    content
        Bytes, or text that is written as UTF-8.
    force
        Whether an existing file is replaced.

    Returns
    -------
    Path
        The file's path.

    Raises
    ------
    DataError
        If the file exists and `force` is not given, its folder is missing or read-only, or the disk is full; then
        nothing is left behind.
    """
    target = Path(path)
    check_writable(target, force=force)
    data = content.encode() if isinstance(content, str) else content
    temporary = target.with_name(f".{target.name[:80]}.{secrets.token_hex(6)}.tmp")
    try:
        with temporary.open("xb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        if force:
            temporary.replace(target)
        else:
            _move_if_free(temporary, target)
    except OSError as error:
        raise DataError(f"Cannot write '{target}': {_reason(error)}.") from None
    finally:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
    return target


def check_writable(
    path: Path | str, *, force: bool = False, sources: Sequence[Path | str | None] = ()
) -> None:
    """Refuse an output file before work begins.

    Parameters
    ----------
    path
        The file that is to be written.
    force
        Whether an existing file may be replaced.
    sources
        What is read: never replaced, whatever `force` says.

    Raises
    ------
    DataError
        If the file exists and `force` is not given, is read, or is a device; if the path is a folder, or its folder is
        missing or read-only.
    """
    target = Path(path)
    try:
        if target.is_dir():
            raise DataError(f"'{target}' is a folder, expected a file name.")
        if target.exists() and not target.is_file():
            raise DataError(f"'{target}' is a device or a pipe, expected a file name.")
        if any(_is_same(target, source) for source in sources):
            raise DataError(f"The file '{target}' is what is read; give the result another name.")
        if not force and target.exists():
            raise DataError(f"The file '{target}' exists. Give --force to replace it, or another name.")
        if not target.parent.is_dir():
            raise DataError(f"The folder '{target.parent}' does not exist; make it first.")
    except (OSError, ValueError) as error:
        raise DataError(f"Cannot write '{target}': {_reason(error)}.") from None
    if not os.access(target.parent, os.W_OK):
        raise DataError(f"The folder '{target.parent}' is read-only; choose another.")


def prepare_folder(folder: Path | str, file_names: Sequence[str], *, force: bool = False) -> None:
    """Make an output folder and refuse it before any of its files is written.

    Parameters
    ----------
    folder
        The folder, made if it does not exist.
    file_names
        The files that will be written into it.
    force
        Whether existing files may be replaced.

    Raises
    ------
    DataError
        If the folder cannot be made, is a file, or holds one of the files and `force` is not given.
    """
    target = Path(folder)
    try:
        target.mkdir(parents=True, exist_ok=True)
    except FileExistsError:
        raise DataError(f"'{target}' is a file, expected a folder.") from None
    except (OSError, ValueError) as error:
        raise DataError(f"Cannot make the folder '{target}': {_reason(error)}.") from None
    for name in file_names:
        check_writable(target / name, force=force)


def check_folder(folder: Path | str, file_names: Sequence[str], *, force: bool = False) -> None:
    """Refuse an output folder before work begins, without making it; parameters as in `prepare_folder`.

    Raises
    ------
    DataError
        If the folder is or lies in a file, or it holds one of the files and `force` is not given.
    """
    target = Path(folder)
    try:
        missing = not target.exists()
        existing = next(place for place in (target, *target.absolute().parents) if place.exists())
        if not existing.is_dir():
            raise DataError(f"'{existing}' is a file, expected a folder.")
    except (OSError, ValueError) as error:
        raise DataError(f"Cannot make the folder '{target}': {_reason(error)}.") from None
    if missing and not os.access(existing, os.W_OK):
        raise DataError(f"The folder '{existing}' is read-only; choose another.")
    for name in () if missing else file_names:
        check_writable(target / name, force=force)


def _is_same(target: Path, source: Path | str | None) -> bool:
    try:
        return source is not None and target.exists() and target.samefile(source)
    except (OSError, ValueError):  # a name such as simulated:free is no file
        return False


def _move_if_free(temporary: Path, target: Path) -> None:
    """Give a file its final name unless another file took it meanwhile."""
    try:
        os.link(temporary, target)
    except FileExistsError:
        raise DataError(f"The file '{target}' exists. Give --force to replace it, or another name.") from None
    except OSError:  # file systems without hard links
        temporary.replace(target)


def _reason(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error)


def _unreadable(path: Path, what: str, error: OSError) -> DataError:
    return DataError(f"The {what} '{shown(path, _PATH_WIDTH)}' cannot be read: {_reason(error)}.")


def _size(count: int) -> str:
    """Return a limit in the largest unit that fits.

    Examples
    --------
    >>> _size(64 * 1024**2), _size(2048), _size(10)
    ('64 MB', '2 kB', '10 bytes')
    """
    for unit, word in ((1024**3, "GB"), (1024**2, "MB"), (1024, "kB")):
        if count >= unit:
            return f"{count // unit:,} {word}"
    return f"{count} bytes"
