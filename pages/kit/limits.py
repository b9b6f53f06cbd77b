"""How much a reader may hand over."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

DEFAULT_LIMIT_MB: Final = 200


def upload_limit_mb() -> int:
    """Return the largest upload in MB: ``MIRAGE_MAX_UPLOAD_MB``, or 200 where it is not a positive number."""
    return _count(os.environ.get("MIRAGE_MAX_UPLOAD_MB", "")) or DEFAULT_LIMIT_MB


def setting_faults(environment: Mapping[str, str]) -> list[str]:
    """Return a sentence for every variable of ours whose value cannot be used, with what is used instead.

    Examples
    --------
    >>> setting_faults({"MIRAGE_MAX_JOBS": "two", "MIRAGE_MAX_UPLOAD_MB": "50"})
    ["MIRAGE_MAX_JOBS is 'two', which is not a whole number of 1 or more; 1 is used instead."]
    """
    faults = [
        f"{name} is {environment[name]!r:.60}, which is not a whole number of 1 or more; {default} is used instead."
        for name, default in (("MIRAGE_MAX_JOBS", 1), ("MIRAGE_MAX_UPLOAD_MB", DEFAULT_LIMIT_MB))
        if environment.get(name) and not _count(environment[name])
    ]
    return faults + [
        f"{name} is {environment[name]!r:.60}, which does not begin with https:// or http://; it is ignored."
        for name in ("MIRAGE_PUBLIC_URL", "MIRAGE_REPOSITORY")
        if environment.get(name) and not environment[name].startswith(("https://", "http://"))
    ]


def _count(text: str) -> int:
    """Return a positive whole number of at most nine digits, or 0 if the text is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
