"""Which importer reads a source, told by its layout.

To add an importer: write a module with a function that recognises a source and one that reads it, and add one line to
`IMPORTERS`.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from core.benchmark.importers.artifact import is_artifact, read_artifact
from core.benchmark.importers.common import Converted, ignore
from core.benchmark.importers.lm_eval import read_lm_eval, sample_files
from core.benchmark.importers.swebench import is_swebench, read_swebench
from core.benchmark.importers.table import read_wide
from core.errors import DataError, UsageError
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.benchmark.checking import Incomplete
    from core.benchmark.importers.common import Progress


@dataclass(frozen=True, slots=True)
class Importer:
    """One kind of source.

    Parameters
    ----------
    kind
        Its name on the command line.
    recognises
        Whether a path that exists is such a source.
    read
        Reads every benchmark of it: ``read(path, incomplete=..., progress=...)``.
    expected
        What such a source is, for the message when a path is none.
    layout
        How such a folder is laid out, for the message when a folder is of no kind; empty where a source is one file.
    """

    kind: str
    recognises: Callable[[Path], bool]
    read: Callable[..., list[Converted]]
    expected: str
    layout: str = ""


IMPORTERS: Final = (
    Importer(
        "artifact",
        is_artifact,
        read_artifact,
        "a folder with data/*_scores.parquet",
        "the paper's artifact (data/*_scores.parquet)",
    ),
    Importer(
        "swebench",
        is_swebench,
        read_swebench,
        "a folder with evaluation/verified",
        "SWE-bench/experiments (evaluation/verified)",
    ),
    Importer(
        "lm-eval",
        lambda source: bool(sample_files(source)),
        read_lm_eval,
        "samples_*.jsonl, or a folder that holds some",
        "sample logs of lm-evaluation-harness (samples_*.jsonl)",
    ),
    Importer("table", Path.is_file, read_wide, "a file"),
)
"""In the order in which a source is tried."""

KINDS: Final = ("auto", *(importer.kind for importer in IMPORTERS))


def kind_of_source(source: Path) -> str:
    """Return which importer reads a source.

    Raises
    ------
    DataError
        If there is no such path, or a folder is laid out like none of those that are known.
    """
    try:
        exists = source.is_dir() or source.is_file()
    except (OSError, ValueError):
        exists = False
    if not exists:
        raise DataError(f"No file or folder '{shown(source, 200)}'. Check the path.")
    found = next((importer.kind for importer in IMPORTERS if importer.recognises(source)), None)
    if found is None:
        layouts = ", ".join(importer.layout for importer in IMPORTERS if importer.layout)
        raise DataError(
            f"The folder '{shown(source, 200)}' is laid out like none of these: {layouts}. Name a single table directly."
        )
    return found


def convert(
    source: Path | str, kind: str = "auto", *, incomplete: Incomplete = "stop", progress: Progress = ignore
) -> list[Converted]:
    """Read every benchmark of a source.

    Parameters
    ----------
    source
        A folder or a file.
    kind
        One of `KINDS`; ``auto`` tells it by the layout.
    incomplete
        What to do when a model lacks items.
    progress
        Called with (steps done, steps in all).

    Raises
    ------
    UsageError
        If the kind is unknown.
    DataError
        If the source cannot be read; the message names the file at fault.
    """
    path = Path(source)
    if kind not in KINDS:
        raise UsageError(f"Unknown kind '{shown(kind)}'; choose {', '.join(KINDS)}.")
    found = kind_of_source(path) if kind == "auto" else kind
    importer = next(one for one in IMPORTERS if one.kind == found)
    if not path.exists():
        raise DataError(f"No file or folder '{shown(path, 200)}'. Check the path.")
    if not importer.recognises(path):
        raise DataError(
            f"'{shown(path, 200)}' is no source of the kind {found}: expected {importer.expected}."
        )
    return importer.read(path, incomplete=incomplete, progress=progress)
