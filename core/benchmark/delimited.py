"""Items files as text: comma-separated values, gzipped or not, read in one pass."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from core.benchmark.arrow_arrays import coded, scores_of
from core.benchmark.columns import choose_columns, refuse_delimiter
from core.benchmark.faults import BenchmarkFileError, Fault, plural
from core.benchmark.item_table import (
    EMPTY,
    MAX_ROWS,
    ItemTable,
    TableCollector,
    too_large,
    too_many_rows,
)
from core.benchmark.sources import GuardedText
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from core.benchmark.sources import Source

BLOCK_BYTES: Final = 8 * 1024**2
"""Text that is parsed at once; a row of this length can always be read."""
_BOM: Final = "\ufeff"


def read_delimited(source: Source) -> ItemTable:
    """Read a CSV file of items, gzipped or not.

    Fields may be quoted and then hold commas and line breaks. Blank lines are passed over. All names are kept as
    they stand: ``NA``, ``001`` and ``1e5`` are text.

    Raises
    ------
    BenchmarkFileError
        If the file is empty, damaged, not UTF-8, too large, or lacks a column.
    """
    with GuardedText(source) as text:
        header, is_all = _header(source.label, text.start())
        refuse_delimiter(source.label, header)
        used, notes = choose_columns(source.label, header)
        if is_all:
            return TableCollector(source.label, used).finish(notes=notes)
        skipped = _SkippedRows()
        try:
            return _read_blocks(source.label, text, header, used, notes, skipped)
        except (pa.ArrowException, OSError, UnicodeError) as error:
            if skipped.too_many:
                raise too_many_rows(source.label) from None
            raise _parse_error(source.label, error) from None


def _header(label: str, start: bytes) -> tuple[list[str], bool]:
    """Return the column names, and whether nothing follows them."""
    begin = start.decode("utf-8", errors="ignore").removeprefix(_BOM)
    if not begin.strip():
        raise BenchmarkFileError(label, [Fault("empty_file", "The file holds no text.")])
    stream = io.StringIO(begin, newline="")
    try:
        header = next(csv.reader(stream, strict=False))
    except (csv.Error, StopIteration) as error:
        raise BenchmarkFileError(
            label, [Fault("format", f"The header cannot be read: {shown(error, 120)}.")]
        ) from None
    if not header:
        raise BenchmarkFileError(
            label, [Fault("format", "Row 1 is blank; it must hold the column names.", rows=(1,))]
        )
    return header, not stream.read().strip()


class _SkippedRows:
    """Rows with too many or too few fields, as the parser comes upon them."""

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.too_many = False
        self.before = 0  # rows of the blocks before, the header included
        self.ragged: list[tuple[int, int]] = []
        self.ragged_count = 0
        self.expected = 0

    def __call__(self, row: Any) -> str:
        if len(self.numbers) >= MAX_ROWS:
            self.too_many = True
            return "error"
        number = self.before + row.number
        self.numbers.append(number)
        if row.text.strip():
            self.ragged_count += 1
            self.expected = row.expected_columns
            if len(self.ragged) < 5:
                self.ragged.append((number, row.actual_columns))
        return "skip"

    def fault(self, *, open_quote: bool) -> Fault:
        """Return the fault that names the rows."""
        examples = ", ".join(f"row {number} has {fields}" for number, fields in self.ragged)
        rest = self.ragged_count - len(self.ragged)
        more = f" and {rest:,} more" if rest else ""
        hint = (
            'A quotation mark is opened and not closed; look for a single " near the first of these rows.'
            if open_quote
            else "Quote fields that hold commas."
        )
        return Fault(
            "ragged_rows",
            f"{plural(self.ragged_count, 'row')} with another number of fields than the header's "
            f"{self.expected}: {examples}{more}.",
            rows=tuple(number for number, _ in self.ragged),
            count=self.ragged_count,
            repair=hint,
        )


def _read_blocks(
    label: str, text: GuardedText, header: list[str], used: list[str], notes: list[str], skipped: _SkippedRows
) -> ItemTable:
    from pyarrow import csv as arrow_csv

    parse = arrow_csv.ParseOptions(
        newlines_in_values=True, ignore_empty_lines=False, invalid_row_handler=skipped
    )
    convert = arrow_csv.ConvertOptions(
        check_utf8=False,  # the guarded stream has checked it
        column_types={name: pa.string() for name in used},
        include_columns=used,
        strings_can_be_null=False,
    )
    collector = TableCollector(label, used)
    blank: list[NDArray[np.bool_]] = []
    for number, block in enumerate(_blocks(label, text)):
        names = None if number == 0 else header  # the first block holds the header itself
        options = arrow_csv.ReadOptions(use_threads=False, block_size=len(block) + 1, column_names=names)
        skipped.before = 0 if number == 0 else 1 + collector.row_count + len(skipped.numbers)
        parsed = arrow_csv.read_csv(pa.BufferReader(block), options, parse, convert)
        blank += [_collect(collector, used, batch) for batch in parsed.to_batches()]
    faults = [skipped.fault(open_quote=text.quotes % 2 == 1)] if skipped.ragged_count else []
    table = collector.finish(_row_numbers(collector.row_count, skipped.numbers), faults, notes)
    is_blank = np.concatenate(blank) if blank else np.empty(0, dtype=np.bool_)
    return table.where(~is_blank) if is_blank.any() else table


def _collect(collector: TableCollector, used: list[str], batch: Any) -> NDArray[np.bool_]:
    """Hand a batch to the collector and return which of its rows are blank lines."""
    columns = dict(zip(used, batch.columns, strict=True))
    names = {name: coded(columns[name]) for name in used if name != "score"}
    scores, states, texts = scores_of(columns["score"])
    empty: NDArray[np.bool_] = states == EMPTY
    for values, codes in names.values():
        if not empty.any():
            break
        empty &= np.array([value == "" for value in values], dtype=np.bool_)[codes]
    collector.add(names, scores, states, texts)
    return empty


def _blocks(label: str, text: GuardedText) -> Iterator[bytes | memoryview]:
    """Cut the text into blocks of whole rows.

    Blocks are parsed one by one in this thread: a parser that reads ahead in threads of its own would call back into
    Python while the interpreter shuts down after an error.
    """
    rest = b""
    while data := text.read(BLOCK_BYTES):
        block = rest + data if rest else data
        cut = _last_row_end(block)
        if cut == 0 and len(block) > 2 * BLOCK_BYTES:
            raise _row_too_long(label)
        if cut:
            yield memoryview(block)[:cut]
        rest = block[cut:]
    if rest:
        yield rest


def _last_row_end(block: bytes) -> int:
    r"""Return where the last whole row of a block ends; 0 if there is none.

    A line break ends a row unless an odd number of quotation marks stands before it.

    Examples
    --------
    >>> _last_row_end(b'a,b\nc,"d\n'), _last_row_end(b'"a\nb'), _last_row_end(b'"a\n"\rb')
    (4, 0, 5)
    """
    return _last_outside_quotes(block, b"\n") or _last_outside_quotes(block[:-1], b"\r")


def _last_outside_quotes(block: bytes, ending: bytes) -> int:
    position = len(block)
    odd = block.count(b'"') % 2 == 1
    while True:
        if odd:  # within quotes: go back to the mark that opens them
            position = block.rfind(b'"', 0, position)
        place = block.rfind(ending, 0, position)
        if place < 0:
            return 0
        odd = block.count(b'"', place, position) % 2 == 1
        if not odd:
            return place + 1
        position = place


def _row_numbers(count: int, skipped: list[int]) -> NDArray[np.int32]:
    """Return the row numbers of the rows that were read, given those that were not."""
    if not skipped:
        return np.arange(2, count + 2, dtype=np.int32)
    keep = np.ones(count + len(skipped) + 2, dtype=np.bool_)
    keep[:2] = False
    keep[[number for number in skipped if number < len(keep)]] = False
    return np.flatnonzero(keep)[:count].astype(np.int32)


def _parse_error(label: str, error: Exception) -> BenchmarkFileError:
    text = shown(error, 160)
    return BenchmarkFileError(
        label, [Fault("format", f"The text is not a table of comma-separated values ({text}).")]
    )


def _row_too_long(label: str) -> BenchmarkFileError:
    return too_large(
        label,
        f"A row is longer than {BLOCK_BYTES // 1024**2} MB, or a quotation mark is opened and not closed.",
        'Look for a single " in the text.',
    )
