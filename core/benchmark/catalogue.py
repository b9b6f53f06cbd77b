"""Benchmarks by name: the bundled ones, simulated ones, folders and items files."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from core import data_files
from core.benchmark import free_form, simulated
from core.benchmark.normalisation import NORMALISATION_FILE, read_normalisation
from core.benchmark.parameters import read_parameters
from core.benchmark.reading import ITEMS_FILE, SETTINGS_FILE, read_benchmark, read_with_notes
from core.benchmark.settings import Settings
from core.benchmark.settings_files import read_settings, take_origin
from core.errors import DataError, UsageError
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from core.benchmark.checking import Incomplete
    from core.benchmark.model import Benchmark

SIMULATED: Final = "simulated:"
Kind = Literal["bundled", "simulated"]


@dataclass(frozen=True, slots=True)
class Entry:
    """One benchmark that can be studied by name.

    Parameters
    ----------
    name
        What the command line takes, such as ``terminal_science`` or ``simulated:livebench``.
    kind
        Shipped with real scores, or drawn by a generator.
    models, items, tasks
        Sizes; None where a shipped file cannot be read.
    what
        One line that says what it is.
    source
        Where the scores come from.
    licence
        Terms of the scores.
    """

    name: str
    kind: Kind
    models: int | None
    items: int | None
    tasks: int | None
    what: str
    source: str
    licence: str


@dataclass(frozen=True, slots=True)
class Bank:
    """What is known about a bundled benchmark without reading it."""

    what: str
    source: str
    licence: str


@dataclass(frozen=True, slots=True)
class Generator:
    """A simulated benchmark: sizes for the list, and a function that draws it.

    Parameters
    ----------
    name
        The name after ``simulated:``.
    models, items, tasks
        Sizes of what `build` returns.
    what
        One line that says what it is.
    source
        What it is modelled on.
    build
        Draws the benchmark; the same every time for the same parameters.
    parameters
        Type of each keyword argument that `build` takes.
    """

    name: str
    models: int
    items: int
    tasks: int
    what: str
    source: str
    build: Callable[..., Benchmark]
    parameters: Mapping[str, type] = field(default_factory=dict)


BANKS: Final[dict[str, Bank]] = {
    "terminal_science": Bank(
        "Terminal-Bench-Science 0.1 with the published protocol: 3 runs of each item",
        "public artifact 0.1.0 of Allouah, Duchi and Koyejo (2026)",
        "no licence claim on the scores",
    ),
    "swe_verified_38": Bank(
        "SWE-bench Verified, recomputed on 38 public submissions (not the published study's pool)",
        "public results of SWE-bench/experiments",
        "no licence claim on the scores",
    ),
}
"""Bundled benchmarks by name."""

GENERATORS: Final[dict[str, Generator]] = {}
"""Simulated benchmarks by the name after ``simulated:``; see `register`. The product's own are added below."""


def register(generator: Generator) -> None:
    """Add a simulated benchmark to the catalogue.

    Raises
    ------
    UsageError
        If the name is taken.
    """
    if generator.name in GENERATORS:
        raise UsageError(f"A simulated benchmark named '{generator.name}' is already there.")
    GENERATORS[generator.name] = generator


register(
    Generator(
        "livebench", 33, 612, 18, "LiveBench's public task scores, items invented",
        "LiveBench public leaderboard, release 2024-08-31", simulated.livebench, {"dependence": float, "seed": int},
    )
)  # fmt: skip
register(
    Generator(
        "helm_capabilities", 68, 3192, 5, "HELM Capabilities' public scenario scores, items invented",
        "HELM Capabilities v1.15, public leaderboard", simulated.helm_capabilities, {"dependence": float, "seed": int},
    )
)  # fmt: skip
register(
    Generator(
        "free", 12, 600, 6, "any size: simulated:free:models=12,tasks=6,items=600,gap=1,dependence=0.5",
        "a generator of this program", free_form.free_form,
        {"models": int, "tasks": int, "items": int, "gap": float, "dependence": float, "seed": int},
    )
)  # fmt: skip


def names() -> tuple[str, ...]:
    """Return every name that `load` takes: bundled first, then simulated."""
    return (*BANKS, *(f"{SIMULATED}{name}" for name in GENERATORS))


def entries() -> list[Entry]:
    """Return the catalogue with sizes; a bank whose file is at fault says so in its line."""
    found = []
    for name, bank in BANKS.items():
        try:
            benchmark = load(name)
            sizes: tuple[int | None, int | None, int | None] = (
                len(benchmark.models),
                len(benchmark.items),
                len(benchmark.tasks),
            )
            what = bank.what
        except DataError as error:
            sizes, what = (None, None, None), str(error)
        found.append(Entry(name, "bundled", *sizes, what, bank.source, bank.licence))
    found += [
        Entry(
            f"{SIMULATED}{one.name}", "simulated", one.models, one.items, one.tasks, one.what, one.source,
            "simulated, no rights reserved",
        )
        for one in GENERATORS.values()
    ]  # fmt: skip
    return found


def load(
    name_or_path: str | Path,
    settings: Settings | Mapping[str, Any] | Path | str | bytes | None = None,
    incomplete: Incomplete = "stop",
) -> Benchmark:
    """Return a benchmark by name or path.

    Parameters
    ----------
    name_or_path
        A bundled name, ``simulated:NAME`` or ``simulated:NAME:key=value,...``, a folder with ``items.parquet`` and ``settings.toml`` (read together), or
        an items file (a ``settings.toml`` beside it is not read). A bundled name wins over a file of that name;
        ``./NAME`` means the file.
    settings
        Settings that replace the benchmark's own; see `core.benchmark.reading.check_benchmark`.
    incomplete
        What to do when a model lacks items: ``"stop"``, ``"drop_models"`` or ``"drop_items"``.

    Raises
    ------
    UsageError
        If there is no benchmark of that name; the nearest is named.
    BenchmarkFileError
        If the items are at fault; every fault is listed.
    DataError
        If the settings are at fault, or a file is missing, unreadable or, when shipped, altered.
    """
    return load_with_notes(name_or_path, settings, incomplete)[0]


def load_with_notes(
    name_or_path: str | Path,
    settings: Settings | Mapping[str, Any] | Path | str | bytes | None = None,
    incomplete: Incomplete = "stop",
) -> tuple[Benchmark, tuple[str, ...]]:
    """Return a benchmark and the remarks made on reading it; parameters and errors as in `load`."""
    text = str(name_or_path)
    if text in BANKS:
        return _with_settings(_bundled(text), settings), ()
    if text.startswith(SIMULATED):
        return _with_settings(_simulated(text.removeprefix(SIMULATED)), settings), ()
    path = Path(name_or_path)
    try:
        is_folder, exists = path.is_dir(), path.exists()
    except (OSError, ValueError):
        is_folder = exists = False
    if is_folder:
        return _from_folder(path, settings, incomplete)
    if not exists:
        raise _unknown(text)
    return read_with_notes(path, settings, incomplete=incomplete)


def _bundled(name: str) -> Benchmark:
    folder = f"banks/{name}"
    items = data_files.path(f"{folder}/{ITEMS_FILE}")
    wishes = data_files.path(f"{folder}/{SETTINGS_FILE}")
    return _read_bundled(items, wishes, items.stat().st_mtime_ns, wishes.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read_bundled(items: Path, settings: Path, _items_ns: int, _settings_ns: int) -> Benchmark:
    return read_benchmark(items, settings, provenance="bundled")


def _simulated(text: str) -> Benchmark:
    name, _, parameters = text.partition(":")
    generator = GENERATORS.get(name)
    if generator is None:
        known = ", ".join(f"{SIMULATED}{one}" for one in GENERATORS)
        there = f"Simulated benchmarks: {known}." if known else "There are no simulated benchmarks."
        raise UsageError(
            f"Unknown simulated benchmark '{shown(name)}'.{_nearest(name, tuple(GENERATORS))} {there}"
        )
    return generator.build(**read_parameters(name, parameters, generator.parameters))


def _with_settings(
    benchmark: Benchmark, settings: Settings | Mapping[str, Any] | Path | str | bytes | None
) -> Benchmark:
    """Return a named benchmark under the reader's settings; keys that they leave out stay the benchmark's own."""
    if settings is None:
        return benchmark
    if isinstance(settings, Settings):
        return benchmark.with_settings(settings)
    values = read_settings(settings) if isinstance(settings, str | Path | bytes) else dict(settings)
    values, _ = take_origin(values)  # a named benchmark is what it is
    own = {field.name: getattr(benchmark.settings, field.name) for field in fields(Settings)}
    if "holdout_per_category" in values or "holdout_fraction" in values:
        own.pop("holdout_per_category", None)
        own.pop("holdout_fraction", None)
    return benchmark.with_settings(Settings.from_mapping(values, **own))


def _from_folder(
    folder: Path,
    settings: Settings | Mapping[str, Any] | Path | str | bytes | None,
    incomplete: Incomplete,
) -> tuple[Benchmark, tuple[str, ...]]:
    items, own = folder / ITEMS_FILE, folder / SETTINGS_FILE
    missing = [path.name for path in (items, own) if not path.is_file()]
    if settings is not None:
        missing = [name for name in missing if name != SETTINGS_FILE]
    if missing:
        raise DataError(
            f"The folder '{shown(folder, 200)}' has no {' and no '.join(missing)}; a benchmark's folder holds both "
            f"{ITEMS_FILE} and {SETTINGS_FILE}. Name an items file directly to read it alone."
        )
    chosen = own if settings is None else settings
    benchmark, notes = read_with_notes(items, chosen, name=folder.resolve().name, incomplete=incomplete)
    if settings is not None and own.is_file() and take_origin(read_settings(own), own.name)[1] == "simulated":
        benchmark = replace(benchmark, provenance="simulated")  # other settings do not make the scores real
    beside = folder / NORMALISATION_FILE
    return (read_normalisation(beside, benchmark) if beside.is_file() else benchmark), notes


def _unknown(text: str) -> DataError | UsageError:
    if "/" in text or "\\" in text or Path(text).suffix:
        return DataError(f"No file or folder '{shown(text, 200)}'. Check the path.")
    return UsageError(
        f"Unknown benchmark '{shown(text)}'.{_nearest(text, names())} Known: {', '.join(names())}; "
        "or give the path of an items file or of a benchmark's folder."
    )


def _nearest(word: str, known: tuple[str, ...]) -> str:
    close = difflib.get_close_matches(word[:200], known, n=1, cutoff=0.4)
    return f" Did you mean '{close[0]}'?" if close else ""
