"""How much a reader may hand over."""

from __future__ import annotations

import os
from typing import Final

DEFAULT_LIMIT_MB: Final = 200


def upload_limit_mb() -> int:
    """Return the largest upload in MB: ``MIRAGE_MAX_UPLOAD_MB``, or 200 where it is not a positive number."""
    text = os.environ.get("MIRAGE_MAX_UPLOAD_MB", "")
    return int(text) if text.isascii() and text.isdigit() and int(text) > 0 else DEFAULT_LIMIT_MB
