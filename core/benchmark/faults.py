"""What can be wrong with a benchmark's files: faults as data, and the error that carries them.

A page shows the faults one by one, the command line prints them as one message. Row numbers are those of a
spreadsheet: the header is row 1, row 2 is the first line of data. Parquet and Feather files have no header line; they
are counted as if they had one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import DataError
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from numpy.typing import NDArray

LISTED: Final = 5
"""How many rows or names a message spells out before it says "and N more"."""
ROW_CONVENTION: Final = "Rows are counted as in a spreadsheet: the header is row 1."


@dataclass(frozen=True, slots=True)
class Fault:
    """One kind of fault of one file.

    Parameters
    ----------
    code
        A short stable name such as ``"duplicates"`` or ``"incomplete"``.
    message
        A sentence for the reader: what is wrong, how often and where.
    rows
        The first rows at fault, at most `LISTED`; the header is row 1. Empty where the fault has no row.
    count
        How often the fault occurs (rows, names or models, as the message says).
    repair
        What the reader can do about it.
    """

    code: str
    message: str
    rows: tuple[int, ...] = ()
    count: int = 1
    repair: str = ""

    @property
    def text(self) -> str:
        """Message and repair as one piece of text."""
        return f"{self.message} {self.repair}".strip()


class BenchmarkFileError(DataError):
    """A benchmark's file cannot be used; `faults` holds every reason.

    Parameters
    ----------
    label
        The file's name as the reader knows it.
    faults
        One or more faults.
    """

    def __init__(self, label: str, faults: Sequence[Fault]) -> None:
        self.label = label
        self.faults = tuple(faults)
        super().__init__(self._joined())

    def __reduce__(self) -> tuple[type[BenchmarkFileError], tuple[str, tuple[Fault, ...]]]:
        return type(self), (self.label, self.faults)

    def _joined(self) -> str:
        convention = f"\n{ROW_CONVENTION}" if any(fault.rows for fault in self.faults) else ""
        if len(self.faults) == 1:
            return f"{shown(self.label)}: {self.faults[0].text}{convention}"
        lines = "\n".join(f"- {fault.text}" for fault in self.faults)
        return f"{shown(self.label)} has {len(self.faults)} faults:\n{lines}{convention}"


def quoted(name: object) -> str:
    """Return `shown` in quotation marks."""
    return f"'{shown(name)}'"


def listing(parts: Iterable[str], total: int | None = None, *, separator: str = ", ") -> str:
    """Join the first parts and say how many more there are.

    Examples
    --------
    >>> listing(["a", "b", "c", "d", "e", "f", "g"])
    'a, b, c, d, e and 2 more'
    """
    every = list(parts)
    count = len(every) if total is None else total
    first = every[:LISTED]
    rest = count - len(first)
    return separator.join(first) + (f" and {rest:,} more" if rest > 0 else "")


def first_rows(rows: NDArray[np.integer] | Sequence[int]) -> tuple[int, ...]:
    """Return the first `LISTED` row numbers in rising order."""
    array = np.asarray(rows)
    if array.size > LISTED:
        array = np.partition(array, LISTED - 1)[:LISTED]
    return tuple(int(row) for row in np.sort(array))


def row_listing(rows: NDArray[np.integer] | Sequence[int]) -> str:
    """Return "row 7" or "rows 2, 3, 5, 8, 9 and 4 more".

    Examples
    --------
    >>> row_listing([7]), row_listing(range(2, 11))
    ('row 7', 'rows 2, 3, 4, 5, 6 and 4 more')
    """
    first = first_rows(rows)
    word = "row" if len(rows) == 1 else "rows"
    return f"{word} {listing([str(row) for row in first], len(rows))}"


def plural(count: int, noun: str, several: str | None = None) -> str:
    """Return the count with its noun, thousands separated.

    Examples
    --------
    >>> plural(1, "row"), plural(5000, "row")
    ('1 row', '5,000 rows')
    """
    return f"{count:,} {noun if count == 1 else several or noun + 's'}"
