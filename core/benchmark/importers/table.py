"""A wide table of scores as people publish them: models by items (or items by models), cells 0 and 1."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from typing import TYPE_CHECKING, Any, Final

from core.benchmark.faults import BenchmarkFileError, Fault, listing, plural, quoted
from core.benchmark.importers.common import Columns, Converted, folder_name, ignore
from core.benchmark.item_table import MAX_ROWS, REQUIRED, too_many_rows
from core.benchmark.reading import read_with_notes
from core.benchmark.sources import GuardedText, kind_of, source_of
from core.errors import DataError
from core.shown import shown

if TYPE_CHECKING:
    from pathlib import Path

    from core.benchmark.checking import Incomplete
    from core.benchmark.importers.common import Progress

TRUE: Final = frozenset({"1", "true", "yes", "pass", "passed", "resolved", "correct", "✓"})
FALSE: Final = frozenset({"0", "false", "no", "fail", "failed", "unresolved", "incorrect", "✗", "x"})
_MODEL_WORDS: Final = ("model", "system", "submission", "agent", "name", "method")
_ITEM_WORDS: Final = ("item", "instance", "question", "task", "problem", "prompt", "example", "id")
_DELIMITERS: Final = (",", "\t", ";")


def read_wide(
    source: Path, *, incomplete: Incomplete = "stop", progress: Progress = ignore
) -> list[Converted]:
    """Read a wide table, or an items file that is already tidy.

    The first row holds names of items (or models), the first column names of models (or items). Which is which is told by
    the heading of the first column; without a hint, rows are models. Blank cells are missing.

    Parameters
    ----------
    source
        CSV or TSV, gzipped or not; or an items file of any kind.
    incomplete
        What to do when a model lacks items.
    progress
        Called with (steps done, steps in all).

    Raises
    ------
    BenchmarkFileError
        If cells are no scores, rows are ragged, or names repeat; the message lists every fault.
    """
    origin = source_of(source)
    progress(0, 2)
    name = folder_name(origin.stem)
    if kind_of(origin) != "csv":
        benchmark, notes = read_with_notes(origin, incomplete=incomplete)
        progress(2, 2)
        return [Converted(name, benchmark, notes)]
    rows = _rows(source)
    header = [cell.strip() for cell in rows[0]]
    if set(REQUIRED) <= {cell.lower() for cell in header}:
        benchmark, notes = read_with_notes(source, incomplete=incomplete)
        progress(2, 2)
        return [Converted(name, benchmark, notes)]
    body = [row for row in rows[1:] if any(cell.strip() for cell in row)]
    faults = _shape_faults(header, body)
    if faults:
        raise BenchmarkFileError(origin.label, faults)
    by_model, note = _orientation(header[0])
    values, faults = _values(header, body)
    if faults:
        raise BenchmarkFileError(origin.label, faults)
    progress(1, 2)
    model: list[str] = []
    item: list[str] = []
    score: list[float | None] = []
    for row, numbers in zip(body, values, strict=True):
        for column, value in zip(header[1:], numbers, strict=True):
            if value is None:
                continue
            model.append(row[0] if by_model else column)
            item.append(column if by_model else row[0])
            score.append(value)
    settings: dict[str, Any] = {"name": origin.stem}
    benchmark, notes = Columns(model, item, score).read(
        origin.label, settings, name=origin.stem, incomplete=incomplete
    )
    progress(2, 2)
    return [Converted(name, benchmark, (note, *notes))]


def _rows(source: Path) -> list[list[str]]:
    label = shown(source.name)
    with GuardedText(source_of(source)) as stream:
        parts = [stream.start()]
        stream.read(len(parts[0]))
        while part := stream.read(1 << 24):
            parts.append(part)
    text = b"".join(parts).decode("utf-8")  # the guarded stream has checked it
    text = text.removeprefix("\ufeff")
    first = text.split("\n", 1)[0]
    delimiter = max(_DELIMITERS, key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    except csv.Error as error:
        raise DataError(f"{label} is not a table: {shown(error, 120)}.") from None
    if not rows or not any(cell.strip() for cell in rows[0]):
        raise BenchmarkFileError(
            source.name, [Fault("empty_file", "Row 1 is blank; it must hold names.", rows=(1,))]
        )
    if len(rows) * len(rows[0]) > MAX_ROWS:
        raise too_many_rows(source.name)
    return rows


def _shape_faults(header: list[str], body: list[list[str]]) -> list[Fault]:
    faults = []
    if len(header) < 2 or not body:
        faults.append(
            Fault(
                "no_rows",
                f"Expected a row of names and at least one row of scores, found {plural(len(body), 'row')} "
                f"of {plural(len(header), 'column')}.",
                repair="One row per model, one column per item.",
            )
        )
    ragged = [place for place, row in enumerate(body, start=2) if len(row) != len(header)]
    if ragged:
        faults.append(
            Fault(
                "ragged_rows",
                f"{plural(len(ragged), 'row')} with another number of fields than the header's {len(header)}: "
                f"rows {listing([str(place) for place in ragged])}.",
                tuple(ragged[:5]),
                len(ragged),
            )
        )
    for what, names in (("column", header[1:]), ("row", [row[0] for row in body if row])):
        blank = sum(not name.strip() for name in names)
        if blank:
            faults.append(Fault("empty_names", f"{plural(blank, what)} without a name.", count=blank))
        repeated = sorted(name for name, times in Counter(names).items() if times > 1 and name.strip())
        if repeated:
            faults.append(
                Fault(
                    "duplicates",
                    f"{plural(len(repeated), what + ' name')} more than once: {listing([quoted(name) for name in repeated])}.",
                    count=len(repeated),
                    repair="Give every model and every item a name of its own.",
                )
            )
    return faults


def _orientation(heading: str) -> tuple[bool, str]:
    """Return whether rows are models, and the remark that says so."""
    words = heading.lower()
    if any(word in words for word in _MODEL_WORDS):
        return True, f"Rows are models, columns are items (heading {quoted(heading)})."
    if any(word in words for word in _ITEM_WORDS):
        return False, f"Rows are items, columns are models (heading {quoted(heading)})."
    return True, (
        f"The heading of the first column ({quoted(heading)}) does not say what the rows are; they are taken for models. "
        "Write 'item' there if they are items."
    )


def _values(header: list[str], body: list[list[str]]) -> tuple[list[list[float | None]], list[Fault]]:
    values: list[list[float | None]] = []
    wrong: list[tuple[int, str, str]] = []
    for place, row in enumerate(body, start=2):
        numbers = []
        for column, cell in zip(header[1:], row[1:], strict=True):
            text = cell.strip().lower()
            number = None if text in {"", "na", "n/a", "nan", "null", "none", "-"} else _score(text)
            if number is not None and math.isnan(number):
                wrong.append((place, column, cell))
            numbers.append(number)
        values.append(numbers)
    if not wrong:
        return values, []
    examples = [f"row {place}, {quoted(column)}: {quoted(cell)}" for place, column, cell in wrong[:5]]
    return values, [
        Fault(
            "scores",
            f"{plural(len(wrong), 'cell')} without a score from 0 to 1: {listing(examples, len(wrong), separator='; ')}.",
            tuple(sorted({place for place, *_ in wrong})[:5]),
            len(wrong),
            repair="Write 1 or 0 (or a share from 0 to 1); leave a cell empty where a model has no result.",
        )
    ]


def _score(text: str) -> float:
    if text in TRUE:
        return 1.0
    if text in FALSE:
        return 0.0
    try:
        number = float(text)
    except ValueError:
        return math.nan
    return number if 0 <= number <= 1 else math.nan
