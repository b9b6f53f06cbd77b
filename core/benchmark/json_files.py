"""JSON files, read safely: bounded, UTF-8, and with messages that name the line."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from core.errors import DataError
from core.files import read_file
from core.shown import shown

if TYPE_CHECKING:
    from pathlib import Path

MAX_JSON_BYTES: Final = 1 << 30
"""Most bytes of a JSON file."""


def read_json(path: Path, *, limit: int = MAX_JSON_BYTES) -> Any:
    """Return the content of a JSON file.

    Raises
    ------
    DataError
        If the file cannot be read, is too large, or is not JSON; the message names it.
    """
    label = shown(path.name)
    try:
        return json.loads(read_file(path, "JSON file", limit).decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise DataError(f"{label} is not UTF-8 text.") from None
    except json.JSONDecodeError as error:
        raise DataError(f"{label} is not valid JSON (line {error.lineno}): {error.msg}.") from None
    except RecursionError:
        raise DataError(f"{label} is nested too deeply.") from None
