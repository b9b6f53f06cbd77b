"""Reading and checking a benchmark's files, and writing them.

`read_benchmark` raises on the first file that cannot be used and names all of its faults; `check_benchmark` returns
them as data, for a page or the ``check`` command.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.benchmark.check_report import CheckReport
from core.benchmark.checking import check_table
from core.benchmark.faults import BenchmarkFileError, Fault, quoted
from core.benchmark.model import Benchmark
from core.benchmark.normalisation import NORMALISATION_FILE
from core.benchmark.settings import Settings
from core.benchmark.settings_files import read_settings, settings_for, settings_toml, take_origin
from core.benchmark.sources import Source, kind_of, source_of
from core.benchmark.splits import split_fault
from core.benchmark.summary import summarise
from core.errors import DataError
from core.files import atomic_write, prepare_folder

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    from core.benchmark.checking import Incomplete, Matrix
    from core.benchmark.item_table import ItemTable
    from core.benchmark.model import Provenance

ITEMS_FILE = "items.parquet"
SETTINGS_FILE = "settings.toml"
_BINARY_KINDS: Final = {
    ".parquet": "a Parquet file",
    ".feather": "a Feather file",
    ".arrow": "an Arrow file",
    ".ipc": "an Arrow file",
}


def read_table(source: Source) -> ItemTable:
    """Read an items file of any kind, told by its first bytes.

    Raises
    ------
    BenchmarkFileError
        If the file cannot be read as a table of items.
    """
    kind = kind_of(source)
    if kind == "csv":
        return _read_text(source)
    from core.benchmark import arrow_files

    readers = {
        "parquet": arrow_files.read_parquet,
        "feather": arrow_files.read_feather,
        "arrow_stream": arrow_files.read_arrow_stream,
    }
    return readers[kind](source)


def _read_text(source: Source) -> ItemTable:
    """Read a file as text; where its name promises Parquet or Arrow and it is no table of text, say that first."""
    from core.benchmark.delimited import read_delimited

    try:
        return read_delimited(source)
    except BenchmarkFileError:
        promised = _BINARY_KINDS.get(Path(source.label).suffix.lower())
        if promised is None:
            raise
    raise BenchmarkFileError(
        source.label,
        [
            Fault(
                "format",
                f"The file is not {promised}: it does not begin like one.",
                repair="Make or download it again; if it is text, name it .csv.",
            )
        ],
    )


def check_benchmark(
    items: Source | Path | str | bytes | BinaryIO,
    settings: Settings | Mapping[str, Any] | Path | str | bytes | None = None,
    *,
    label: str | None = None,
    name: str | None = None,
    incomplete: Incomplete = "stop",
    provenance: Provenance = "loaded",
) -> tuple[CheckReport, Benchmark | None]:
    """Read a benchmark and report on it without raising for its faults.

    Parameters
    ----------
    items
        The items file: a path, bytes or an open upload; CSV, gzipped CSV, Parquet or Arrow/Feather.
    settings
        A settings file (path, or TOML or JSON as bytes), its values, finished settings, or None for the defaults.
    label
        The items file's name, for uploads.
    name
        Default of the settings' ``name``; default: the items file's name without suffixes.
    incomplete
        What to do when a model lacks items: ``"stop"``, ``"drop_models"`` or ``"drop_items"``.
    provenance
        See `Benchmark`.

    Returns
    -------
    tuple
        The report and the benchmark (None when there are faults).

    Raises
    ------
    UsageError
        If `incomplete` is unknown.
    """
    try:
        benchmark, notes = read_with_notes(
            items, settings, label=label, name=name, incomplete=incomplete, provenance=provenance
        )
    except BenchmarkFileError as error:
        return CheckReport(error.faults), None
    except DataError as error:
        return CheckReport((Fault("unreadable", str(error)),)), None
    fault = split_fault(benchmark)
    if fault is not None:
        notes = (f"It cannot be studied under these settings: {fault}", *notes)
    return CheckReport((), notes, summarise(benchmark)), benchmark


def read_benchmark(
    items: Source | Path | str | bytes | BinaryIO,
    settings: Settings | Mapping[str, Any] | Path | str | bytes | None = None,
    *,
    label: str | None = None,
    name: str | None = None,
    incomplete: Incomplete = "stop",
    provenance: Provenance = "loaded",
) -> Benchmark:
    """Read a benchmark; parameters as in `check_benchmark`.

    Items are sorted by id and models by name, so that the order of the rows never matters.

    Raises
    ------
    BenchmarkFileError
        If the items are at fault; the message lists every fault of the file.
    DataError
        If the settings are at fault or a file cannot be opened.
    UsageError
        If `incomplete` is unknown.
    """
    return read_with_notes(
        items, settings, label=label, name=name, incomplete=incomplete, provenance=provenance
    )[0]


def read_with_notes(
    items: Source | Path | str | bytes | BinaryIO,
    settings: Settings | Mapping[str, Any] | Path | str | bytes | None = None,
    *,
    label: str | None = None,
    name: str | None = None,
    incomplete: Incomplete = "stop",
    provenance: Provenance = "loaded",
) -> tuple[Benchmark, tuple[str, ...]]:
    """Read a benchmark and return it with the remarks made on reading; otherwise as `read_benchmark`."""
    source = source_of(items, label)
    values, settings_label = _settings_values(settings)
    origin = None
    if values is not None and not isinstance(values, Settings):
        values, origin = take_origin(values, settings_label)
    stem = name or source.stem
    wanted = settings_for(
        values, stem=stem, label=settings_label
    )  # refuses bad settings before reading items
    table = read_table(source)
    faults, notes, matrix = check_table(table, wanted.repeats, incomplete)
    if matrix is None:
        raise BenchmarkFileError(source.label, faults)
    binary = bool(np.all((matrix.scores == 0) | (matrix.scores == 1)))
    final = settings_for(values, stem=stem, binary=binary, label=settings_label)
    task = matrix.task
    if task is None and matrix.category is not None:
        task = matrix.category
        notes = [*notes, "There is no task column; each category is taken as one task."]
    elif task is None:
        notes = [*notes, f"There is no task column; all items are one task, {quoted(final.name)}."]
    if provenance == "loaded" and "simulated" in (origin, table.origin):
        provenance = "simulated"  # a folder that 'simulate' wrote, whichever of its files is read
    return _benchmark(final, matrix, task, provenance), tuple(notes)


def write_benchmark(benchmark: Benchmark, folder: Path | str, *, force: bool = False) -> list[Path]:
    """Write a benchmark as a folder that reads back to the same benchmark.

    Parameters
    ----------
    benchmark
        What to write.
    folder
        Where ``items.parquet`` and ``settings.toml`` go (and ``normalisation.json`` where task scores are more than
        means); made if it does not exist.
    force
        Whether existing files are replaced.

    Raises
    ------
    DataError
        If a file exists and `force` is not given, or the folder cannot be written.
    """
    from core.benchmark.item_parquet import items_parquet

    target = Path(folder)
    origin = "simulated" if benchmark.provenance == "simulated" else None
    contents = {
        ITEMS_FILE: items_parquet(benchmark),
        SETTINGS_FILE: settings_toml(benchmark.settings, origin).encode(),
    }
    if benchmark.normalisation is not None:
        contents[NORMALISATION_FILE] = benchmark.normalisation.to_json(benchmark).encode()
    prepare_folder(target, list(contents), force=force)
    for file_name, content in contents.items():
        atomic_write(target / file_name, content, force=force)
    return [target / file_name for file_name in contents]


def _benchmark(
    settings: Settings, matrix: Matrix, task: tuple[str, ...] | None, provenance: Provenance
) -> Benchmark:
    return Benchmark.from_columns(
        settings,
        matrix.models,
        matrix.items,
        matrix.scores,
        task=task,
        category=matrix.category,
        prompt_hash=matrix.prompt_hash,
        provenance=provenance,
    )


def _settings_values(
    settings: Settings | Mapping[str, Any] | Path | str | bytes | None,
) -> tuple[Settings | Mapping[str, Any] | None, str]:
    if isinstance(settings, str | Path):
        return read_settings(settings), Path(settings).name
    if isinstance(settings, bytes):
        return read_settings(settings), "settings"
    return settings, "Settings"
