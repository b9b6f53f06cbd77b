"""Writing files so that nothing half-written is ever left: a temporary name in the same folder, then one move."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path
from typing import TYPE_CHECKING

from core.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence


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


def check_writable(path: Path | str, *, force: bool = False) -> None:
    """Refuse an output file before work begins.

    Parameters
    ----------
    path
        The file that is to be written.
    force
        Whether an existing file may be replaced.

    Raises
    ------
    DataError
        If the file exists and `force` is not given, the path is a folder, or its folder is missing or read-only.
    """
    target = Path(path)
    try:
        if target.is_dir():
            raise DataError(f"'{target}' is a folder, expected a file name.")
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
