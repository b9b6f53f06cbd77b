"""Which importer reads a source, told by its layout."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from core.benchmark.importers.artifact import is_artifact, read_artifact
from core.benchmark.importers.common import Converted, ignore
from core.benchmark.importers.lm_eval import read_lm_eval, sample_files
from core.benchmark.importers.swebench import is_swebench, read_swebench
from core.benchmark.importers.table import read_wide
from core.errors import DataError, UsageError
from core.shown import shown

if TYPE_CHECKING:
    from core.benchmark.checking import Incomplete
    from core.benchmark.importers.common import Progress

Kind = Literal["artifact", "swebench", "lm-eval", "table"]
KINDS: Final = ("auto", "artifact", "swebench", "lm-eval", "table")

_READERS: Final = {
    "artifact": read_artifact,
    "swebench": read_swebench,
    "lm-eval": read_lm_eval,
    "table": read_wide,
}


def kind_of_source(source: Path) -> Kind:
    """Return which importer reads a source.

    Raises
    ------
    DataError
        If there is no such path, or a folder is laid out like none of those that are known.
    """
    try:
        is_folder, is_file = source.is_dir(), source.is_file()
    except (OSError, ValueError):
        is_folder = is_file = False
    if is_file:
        return "lm-eval" if sample_files(source) else "table"
    if not is_folder:
        raise DataError(f"No file or folder '{shown(source, 200)}'. Check the path.")
    if is_artifact(source):
        return "artifact"
    if is_swebench(source):
        return "swebench"
    if sample_files(source):
        return "lm-eval"
    raise DataError(
        f"The folder '{shown(source, 200)}' is laid out like none of these: the paper's artifact (data/*_scores.parquet), "
        "SWE-bench/experiments (evaluation/verified), sample logs of lm-evaluation-harness (samples_*.jsonl). "
        "Name a single table directly."
    )


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
    fits = {
        "artifact": is_artifact(path),
        "swebench": is_swebench(path),
        "lm-eval": bool(sample_files(path)) if found == "lm-eval" else False,
        "table": path.is_file(),
    }
    expected = {
        "artifact": "a folder with data/*_scores.parquet",
        "swebench": "a folder with evaluation/verified",
        "lm-eval": "samples_*.jsonl, or a folder that holds some",
        "table": "a file",
    }
    if not path.exists():
        raise DataError(f"No file or folder '{shown(path, 200)}'. Check the path.")
    if not fits[found]:
        raise DataError(f"'{shown(path, 200)}' is no source of the kind {found}: expected {expected[found]}.")
    return _READERS[found](path, incomplete=incomplete, progress=progress)
