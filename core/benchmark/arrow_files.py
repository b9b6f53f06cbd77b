"""Items files as Parquet or Arrow (Feather), read batch by batch and only in the columns that are used."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from core.benchmark.arrow_arrays import coded, is_name_type, is_score_type, scores_of
from core.benchmark.arrow_messages import unpacked_bytes
from core.benchmark.columns import choose_columns
from core.benchmark.faults import BenchmarkFileError, Fault
from core.benchmark.item_parquet import ORIGIN_KEY
from core.benchmark.item_table import (
    MAX_ROWS,
    MAX_TEXT_BYTES,
    ItemTable,
    TableCollector,
    too_large,
    too_many_rows,
)
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from core.benchmark.sources import Source

BATCH_ROWS: Final = 131_072
_DAMAGE: Final = (pa.ArrowException, OSError, UnicodeError, ValueError, OverflowError, MemoryError)


def read_parquet(source: Source) -> ItemTable:
    """Read a Parquet file of items.

    Raises
    ------
    BenchmarkFileError
        If the file is damaged or truncated, lacks a column, or is larger than the limits.
    """
    from pyarrow import parquet

    with _damage_told(source.label, "Parquet"):
        with source.open_arrow() as stream, parquet.ParquetFile(stream) as probe:
            schema, metadata = probe.schema_arrow, probe.metadata
            used, notes = _choose(source.label, schema)
            if metadata.num_rows > MAX_ROWS:
                raise too_many_rows(source.label, metadata.num_rows)
            _refuse_volume(source.label, _parquet_volume(metadata))
            texts = [name for name in used if _is_plain_text(schema.field(name).type)]
            stream.seek(0)
            with parquet.ParquetFile(stream, read_dictionary=texts) as file:
                batches = file.iter_batches(batch_size=BATCH_ROWS, columns=used, use_threads=False)
                table = _collect(source.label, used, notes, batches)
        is_simulated = (metadata.metadata or {}).get(ORIGIN_KEY) == b"simulated"
        return replace(table, origin="simulated") if is_simulated else table


def read_feather(source: Source) -> ItemTable:
    """Read an Arrow IPC file (Feather version 2) of items.

    Raises
    ------
    BenchmarkFileError
        If the file is damaged or truncated, lacks a column, or is larger than the limits.
    """
    with _ipc(source, "Arrow (Feather)") as stream, pa.ipc.open_file(stream) as probe:
        used, notes = _choose(source.label, probe.schema)
        rows = probe.count_rows()
        if rows > MAX_ROWS:
            raise too_many_rows(source.label, rows)
        fields = [probe.schema.get_field_index(name) for name in used]
        stream.seek(0)
        with pa.ipc.open_file(stream, options=pa.ipc.IpcReadOptions(included_fields=fields)) as reader:
            batches = (reader.get_batch(index) for index in range(reader.num_record_batches))
            return _collect(source.label, used, notes, batches)


def read_arrow_stream(source: Source) -> ItemTable:
    """Read an Arrow IPC stream of items.

    Raises
    ------
    BenchmarkFileError
        If the stream is damaged or truncated, lacks a column, or is larger than the limits.
    """
    with _ipc(source, "Arrow") as stream, pa.ipc.open_stream(stream) as reader:
        used, notes = _choose(source.label, reader.schema)
        return _collect(source.label, used, notes, reader)


@contextmanager
def _ipc(source: Source, what: str) -> Iterator[Any]:
    """Open Arrow IPC bytes that do not unpack to more than the limit; damage becomes a fault."""
    with _damage_told(source.label, what):
        _refuse_volume(source.label, unpacked_bytes(source))
        with source.open_arrow() as stream:
            yield stream


@contextmanager
def _damage_told(label: str, what: str) -> Iterator[None]:
    """Turn whatever a damaged file makes Arrow raise into a fault."""
    try:
        yield
    except _DAMAGE as error:
        raise _damaged(label, what, error) from None


def _choose(label: str, schema: Any) -> tuple[list[str], list[str]]:
    used, notes = choose_columns(label, schema.names)
    faults = []
    for name in used:
        kind = schema.field(name).type
        if name == "score" and not is_score_type(kind):
            faults.append(
                Fault("score_type", f"Column 'score' is of type {kind}, expected numbers between 0 and 1.")
            )
        elif name != "score" and not is_name_type(kind):
            faults.append(Fault("name_type", f"Column '{name}' is of type {kind}, expected text."))
    if faults:
        raise BenchmarkFileError(label, faults)
    return used, notes


def _collect(label: str, used: list[str], notes: list[str], batches: Iterable[Any]) -> ItemTable:
    collector = TableCollector(label, used)
    for batch in batches:
        batch.validate(full=True)
        columns = {name: batch.column(batch.schema.get_field_index(name)) for name in used}
        names = {name: coded(column) for name, column in columns.items() if name != "score"}
        collector.add(names, *scores_of(columns["score"]))
    return collector.finish(notes=notes)


def _parquet_volume(metadata: Any) -> int:
    """Return the bytes that the file takes once decompressed, by its own account.

    The sizes of single columns are not asked for: on damaged metadata pyarrow's accessor ends the process.
    """
    return sum(metadata.row_group(group).total_byte_size for group in range(metadata.num_row_groups))


def _refuse_volume(label: str, volume: int) -> None:
    if volume > MAX_TEXT_BYTES:
        raise too_large(
            label,
            f"The file unpacks to more than {MAX_TEXT_BYTES // 1024**3} GB, which is the limit.",
            "Leave out the prompts or other extra columns.",
        )


def _is_plain_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind))


def _damaged(label: str, what: str, error: BaseException) -> BenchmarkFileError:
    reason = " ".join(str(error).split()) or type(error).__name__
    return BenchmarkFileError(
        label,
        [
            Fault(
                "damaged",
                f"The {what} file is damaged or truncated ({shown(reason, 160)}).",
                repair="Make or download it again.",
            )
        ],
    )
