"""Which columns of an items file are used, and what is said about those that are missing or misspelt."""

from __future__ import annotations

import difflib
from collections import Counter
from typing import TYPE_CHECKING

from core.benchmark.faults import BenchmarkFileError, Fault, listing, quoted
from core.benchmark.item_table import OPTIONAL, REQUIRED

if TYPE_CHECKING:
    from collections.abc import Sequence


def choose_columns(label: str, found: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the columns to read and remarks on the others.

    A ``prompt`` column is read only where there is no ``prompt_hash``.

    Parameters
    ----------
    label
        The file's name for messages.
    found
        The file's column names.

    Raises
    ------
    BenchmarkFileError
        If a required column is missing or a column that is used occurs twice.
    """
    faults = []
    missing = [name for name in REQUIRED if name not in found]
    if missing:
        faults.append(_missing_fault(missing, found))
    known = (*REQUIRED, *OPTIONAL)
    repeated = [name for name, count in Counter(found).items() if count > 1 and name in known]
    if repeated:
        faults.append(
            Fault(
                "duplicate_columns",
                f"Column {listing([quoted(name) for name in repeated])} stands in the header more than once.",
                count=len(repeated),
                repair="Keep one of them.",
            )
        )
    if faults:
        raise BenchmarkFileError(label, faults)
    used = [name for name in known if name in found]
    if "prompt_hash" in used and "prompt" in used:
        used.remove("prompt")
    return used, _remarks(found, known)


def refuse_delimiter(label: str, header: Sequence[str]) -> None:
    """Raise a `BenchmarkFileError` if a one-column header is really separated by something else than commas."""
    if len(header) != 1:
        return
    for separator, word in ((";", "semicolons"), ("\t", "tabs"), ("|", "vertical bars")):
        if separator in header[0] and "model" in [part.strip(" \"'") for part in header[0].split(separator)]:
            raise BenchmarkFileError(
                label,
                [
                    Fault(
                        "format",
                        f"The columns are separated by {word}, expected commas.",
                        repair="Save the file as comma-separated CSV.",
                    )
                ],
            )


def near_miss(name: str, found: Sequence[str]) -> str | None:
    """Return the column that is most likely meant by `name`: other case, blanks around it, or a slip."""
    for column in found:
        if column != name and _plain(column) == name:
            return column
    close = difflib.get_close_matches(name, [column for column in found if len(column) < 40], n=1, cutoff=0.7)
    return close[0] if close and close[0] != name else None


def _missing_fault(missing: Sequence[str], found: Sequence[str]) -> Fault:
    unknown = [column for column in found if column not in REQUIRED and column not in OPTIONAL]
    hints = []
    for name in missing:
        meant = near_miss(name, unknown)
        if meant is not None:
            blank = " (mind the blanks around it)" if meant != meant.strip() else ""
            hints.append(f"Rename column {quoted(meant)}{blank} to '{name}'.")
    names = ", ".join(quoted(name) for name in missing)
    return Fault(
        "missing_columns",
        f"Missing {'column' if len(missing) == 1 else 'columns'} {names}; "
        f"found {listing([quoted(column) for column in found]) or 'none'}.",
        count=len(missing),
        repair=" ".join(hints)
        or "A file needs the columns model, item and score, one row per model and item.",
    )


def _remarks(found: Sequence[str], known: Sequence[str]) -> list[str]:
    ignored = [column for column in found if column not in known and column.strip()]
    remarks = []
    for name in OPTIONAL:
        if name in found:
            continue
        remarks += [
            f"Column {quoted(column)} is not used; if '{name}' is meant, rename it to that."
            for column in ignored
            if _plain(column) == name
        ]
    if ignored:
        remarks.append(f"Columns that are not used: {listing([quoted(column) for column in ignored])}.")
    return remarks


def _plain(column: str) -> str:
    return column.strip().casefold().replace(" ", "_").replace("-", "_")
