"""`ItemTable`: the rows of an items file, names as integer codes, and the collector that builds it block by block.

Names are kept once each and rows hold their codes, so that five million rows take 28 bytes a row whatever the length
of the names.
"""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.benchmark.faults import BenchmarkFileError, Fault

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

REQUIRED: Final = ("model", "item", "score")
OPTIONAL: Final = ("task", "category", "prompt_hash", "prompt")

MAX_ROWS: Final = 5_000_000
"""Most rows of an items file: 200 models x 25,000 items."""
MAX_TEXT_BYTES: Final = 2 * 1024**3
"""Most bytes of an items file once decompressed."""
MAX_NAMES: Final = 1_000_000
"""Most distinct names in one column."""
MAX_NAME_CHARACTERS: Final = 256 * 1024**2
"""Most characters that the distinct names of one column may have together."""

OK, EMPTY, NOT_A_NUMBER, NOT_FINITE = range(4)
"""States of a score: fine, missing, not a number, or NaN or infinite."""

_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_SPECIAL: Final = re.compile(r"[+-]?(nan|inf|infinity)", re.ASCII | re.IGNORECASE)
_KEPT_TEXTS: Final = 1000


@dataclass(frozen=True)
class Names:
    """A column of names as codes.

    Parameters
    ----------
    values
        The distinct names in order of first appearance.
    codes
        Shape (rows,): index into `values`.
    """

    values: tuple[str, ...]
    codes: NDArray[np.int32]

    def where(self, keep: NDArray[np.bool_]) -> Names:
        """Return the rows that are kept, without the names that no longer occur."""
        codes = self.codes[keep]
        used = np.flatnonzero(np.bincount(codes, minlength=len(self.values)))
        renumbered = np.full(len(self.values), -1, dtype=np.int32)
        renumbered[used] = np.arange(len(used), dtype=np.int32)
        return Names(tuple(self.values[code] for code in used), renumbered[codes])


@dataclass(frozen=True)
class ItemTable:
    """The rows of an items file, not yet checked against one another.

    Parameters
    ----------
    columns
        The name columns that the file has: ``model``, ``item`` and any of ``task``, ``category``, ``prompt_hash``
        (a ``prompt`` column has become its hash).
    scores
        Shape (rows,); NaN where `states` is not `OK`.
    states
        Shape (rows,): one of `OK`, `EMPTY`, `NOT_A_NUMBER`, `NOT_FINITE`.
    texts
        What stood in place of a score, by row position, for the first thousand such rows.
    rows
        Shape (rows,): row numbers in the file; the header is row 1.
    faults
        What reading itself found (rows with too many or too few fields).
    notes
        Remarks on reading.
    hashed
        Whether ``prompt_hash`` was made from a ``prompt`` column.
    origin
        ``"simulated"`` where the file says so of itself, else empty.
    """

    columns: dict[str, Names]
    scores: NDArray[np.float64]
    states: NDArray[np.int8]
    texts: dict[int, str]
    rows: NDArray[np.int32]
    faults: tuple[Fault, ...] = ()
    notes: tuple[str, ...] = ()
    hashed: bool = False
    origin: str = ""

    def shown_column(self, column: str) -> str:
        """Return the name that a column has in the file."""
        return "prompt" if column == "prompt_hash" and self.hashed else column

    def where(self, keep: NDArray[np.bool_]) -> ItemTable:
        """Return the rows that are kept."""
        position = np.cumsum(keep) - 1
        return ItemTable(
            columns={name: column.where(keep) for name, column in self.columns.items()},
            scores=self.scores[keep],
            states=self.states[keep],
            texts={int(position[row]): text for row, text in self.texts.items() if keep[row]},
            rows=self.rows[keep],
            faults=self.faults,
            notes=self.notes,
            hashed=self.hashed,
            origin=self.origin,
        )


class NameCollector:
    """Gathers one column of names from blocks that are already coded within themselves."""

    def __init__(self, label: str, column: str, *, hashed: bool = False) -> None:
        self._label = label
        self._column = column
        self._hashed = hashed
        self._position: dict[str, int] = {}
        self._characters = 0
        self._blocks: list[NDArray[np.int32]] = []

    def add(self, values: Sequence[str], codes: NDArray[np.integer]) -> None:
        """Take one block: its distinct names and each row's index into them."""
        position = self._position
        names = [_digest(value) for value in values] if self._hashed else values
        known = list(map(position.get, names))  # most names of a block stood in the blocks before
        if None in known:
            for index, name in enumerate(names):
                if known[index] is None:
                    before = len(position)
                    known[index] = position.setdefault(name, before)
                    self._characters += len(name) if len(position) > before else 0
        mapping = np.array(known or [0], dtype=np.int32)
        if len(position) > MAX_NAMES or self._characters > MAX_NAME_CHARACTERS:
            raise too_large(
                self._label,
                f"Column '{self._column}' has more than {MAX_NAMES:,} different values "
                f"or more than {MAX_NAME_CHARACTERS // 1024**2} MB of them.",
                "Check that the columns are not swapped, or use shorter ids.",
            )
        self._blocks.append(mapping[codes])

    def finish(self) -> Names:
        """Return the column."""
        codes = np.concatenate(self._blocks) if self._blocks else np.empty(0, dtype=np.int32)
        self._blocks.clear()
        return Names(tuple(self._position), codes)


class TableCollector:
    """Gathers the rows of an items file block by block, within the limits on rows and names.

    Parameters
    ----------
    label
        The file's name for messages.
    columns
        The name columns to keep, of ``model, item, task, category, prompt_hash, prompt``.
    """

    def __init__(self, label: str, columns: Sequence[str]) -> None:
        self._label = label
        self._names = {
            name: NameCollector(label, name, hashed=name == "prompt") for name in columns if name != "score"
        }
        self._scores: list[NDArray[np.float64]] = []
        self._states: list[NDArray[np.int8]] = []
        self._texts: dict[int, str] = {}
        self.row_count = 0

    def add(
        self,
        names: Mapping[str, tuple[Sequence[str], NDArray[np.integer]]],
        scores: NDArray[np.float64],
        states: NDArray[np.int8],
        texts: dict[int, str],
    ) -> None:
        """Take one block of rows; `texts` is keyed by position within the block."""
        if self.row_count + len(scores) > MAX_ROWS:
            raise too_many_rows(self._label)
        for name, (values, codes) in names.items():
            self._names[name].add(values, codes)
        if len(self._texts) < _KEPT_TEXTS:
            self._texts.update({self.row_count + row: text for row, text in texts.items()})
        self._scores.append(scores)
        self._states.append(states)
        self.row_count += len(scores)

    def finish(
        self,
        rows: NDArray[np.int32] | None = None,
        faults: Sequence[Fault] = (),
        notes: Sequence[str] = (),
    ) -> ItemTable:
        """Return the table; `rows` defaults to 2, 3, 4 and so on."""
        columns = {
            ("prompt_hash" if name == "prompt" else name): collector.finish()
            for name, collector in self._names.items()
        }
        scores = np.concatenate(self._scores) if self._scores else np.empty(0)
        states = np.concatenate(self._states) if self._states else np.empty(0, dtype=np.int8)
        self._scores.clear()
        self._states.clear()
        if rows is None:
            rows = np.arange(2, len(scores) + 2, dtype=np.int32)
        hashed = "prompt" in self._names
        return ItemTable(columns, scores, states, self._texts, rows, tuple(faults), tuple(notes), hashed)


def parse_score(text: str) -> tuple[float, int]:
    """Return a score written as text and its state.

    Only plain decimal numbers count: no thousands separators, hexadecimal digits or other scripts.

    Examples
    --------
    >>> parse_score("0.25"), parse_score(" 1 "), parse_score("0,5")
    ((0.25, 0), (1.0, 0), (nan, 2))
    >>> parse_score(""), parse_score("NaN")
    ((nan, 1), (nan, 3))
    """
    stripped = text.strip()
    if not stripped:
        return math.nan, EMPTY
    if _NUMBER.fullmatch(stripped):
        value = float(stripped)
        return (value, OK) if math.isfinite(value) else (math.nan, NOT_FINITE)
    return math.nan, NOT_FINITE if _SPECIAL.fullmatch(stripped) else NOT_A_NUMBER


def too_large(label: str, message: str, repair: str) -> BenchmarkFileError:
    """Return the error for a file that is beyond a limit."""
    return BenchmarkFileError(label, [Fault("too_large", message, repair=repair)])


def too_many_rows(label: str, found: int | None = None) -> BenchmarkFileError:
    """Return the error for a file with more than `MAX_ROWS` rows."""
    has = f"The file has {found:,} rows" if found is not None else "The file has more rows than can be read"
    return too_large(
        label,
        f"{has}; the limit is {MAX_ROWS:,} rows (200 models x 25,000 items).",
        "Leave out models or items until it fits.",
    )


def _digest(text: str) -> str:
    """Return the SHA-256 of a prompt; an empty prompt stays empty, so that it is found as a fault."""
    return hashlib.sha256(text.encode()).hexdigest() if text.strip() else ""
