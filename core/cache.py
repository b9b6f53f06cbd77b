"""A small disk cache for results that are costly and never change (gates, splits).

Entries are checked when read, written to a temporary name and moved into place, so that two processes may write at
once and a damaged or half-written entry is the same as none. A cache that cannot be read or written slows the
product down and does nothing worse.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
from pathlib import Path
from typing import Final

import platformdirs

_MAGIC: Final = b"mirage-cache-1\n"
_LIMIT_BYTES: Final = 1 << 30


def directory() -> Path:
    """Return the cache's folder: ``MIRAGE_CACHE_DIR``, by default the user's cache directory."""
    chosen = os.environ.get("MIRAGE_CACHE_DIR")
    # Unlike Path.expanduser, this leaves the name of an unknown user as it is instead of raising.
    return Path(os.path.expanduser(chosen)) if chosen else Path(platformdirs.user_cache_dir("mirage"))  # noqa: PTH111


def key(*parts: object) -> str:
    """Return a file name for a computation described by `parts` (texts and numbers)."""
    state = hashlib.sha256()
    for part in parts:
        encoded = str(part).encode()
        state.update(f"{len(encoded)}:".encode() + encoded)
    return state.hexdigest()


def load(kind: str, name: str) -> bytes | None:
    """Return an entry's content, or None where there is none or it is damaged."""
    path = directory() / kind / name
    try:
        raw = path.read_bytes()
    except OSError:
        return None
    head = len(_MAGIC)
    content = raw[head + 32 :]
    if raw[:head] != _MAGIC or hashlib.sha256(content).digest() != raw[head : head + 32]:
        return None
    return content


def store(kind: str, name: str, content: bytes) -> bool:
    """Write an entry; return whether it was stored. Never raises for a full, missing or read-only folder."""
    folder = directory() / kind
    temporary = None
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=folder, suffix=".tmp")
        with os.fdopen(handle, "wb") as file:
            file.write(_MAGIC + hashlib.sha256(content).digest() + content)
        Path(temporary).replace(folder / name)
    except OSError:
        if temporary is not None:
            with contextlib.suppress(OSError):
                Path(temporary).unlink()
        return False
    _prune(folder)
    return True


def contents() -> dict[str, tuple[int, int]]:
    """Return, per kind of entry, how many there are and their bytes together."""
    found: dict[str, tuple[int, int]] = {}
    with contextlib.suppress(OSError):
        for path in sorted(directory().glob("*/*")):
            if (
                path.is_file()
                and path.suffix != ".tmp"
                and len(path.name) == hashlib.sha256().digest_size * 2
            ):
                count, size = found.get(path.parent.name, (0, 0))
                found[path.parent.name] = (count + 1, size + path.stat().st_size)
    return found


def _prune(folder: Path) -> None:
    """Remove the oldest entries of a folder that has outgrown its limit."""
    with contextlib.suppress(OSError):
        entries = sorted((path.stat().st_mtime, path.stat().st_size, path) for path in folder.iterdir())
        total = sum(size for _, size, _ in entries)
        for _, size, path in entries[:-1]:
            if total <= _LIMIT_BYTES:
                break
            path.unlink(missing_ok=True)
            total -= size
