"""The command ``convert``: other people's layouts of item scores, written as this project's files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core import command_options as options
from core.command_line import progress_bar, say

SourceArgument = Annotated[
    Path,
    typer.Argument(
        metavar="SOURCE",
        help="A clone of the paper's artifact or of SWE-bench/experiments, sample logs of lm-evaluation-harness, or a "
        "table of models by items.",
    ),
]
KindOption = Annotated[
    str,
    typer.Option(
        "--kind",
        metavar="auto|artifact|swebench|lm-eval|table",
        help="What the source is; told by its layout.",
    ),
]
ConvertFolder = Annotated[
    Path,
    typer.Option(
        "--out", metavar="DIR", help="Folder to write; one folder per benchmark where there are several."
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "convert",
        short_help="Turn a published layout of item scores into a benchmark's folder.",
        epilog="Example: python -m core convert experiments --kind swebench --out swe_verified",
    )(convert)


def convert(
    source: SourceArgument,
    *,
    out: ConvertFolder,
    kind: KindOption = "auto",
    incomplete: options.Incomplete = "stop",
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Read a source and write items.parquet and settings.toml, which every other command takes as a folder."""
    from core.benchmark.checking import checked_incomplete
    from core.benchmark.faults import plural
    from core.benchmark.importers import finding
    from core.benchmark.normalisation import NORMALISATION_FILE
    from core.benchmark.reading import ITEMS_FILE, SETTINGS_FILE, write_benchmark
    from core.files import prepare_folder
    from core.shown import shown

    with progress_bar("Reading", show=not quiet) as progress:
        found = finding.convert(source, kind, incomplete=checked_incomplete(incomplete), progress=progress)
    several = len(found) > 1
    folders = [out / one.name if several else out for one in found]
    for folder in folders:
        prepare_folder(folder, (ITEMS_FILE, SETTINGS_FILE, NORMALISATION_FILE), force=force)
    for one, folder in zip(found, folders, strict=True):
        if one.benchmark.normalisation is None:
            (folder / NORMALISATION_FILE).unlink(missing_ok=True)
        write_benchmark(one.benchmark, folder, force=force)
        if quiet:
            continue
        bank = one.benchmark
        say(
            f"{shown(bank.name, 100)}: {plural(len(bank.models), 'model')}, {plural(len(bank.items), 'item')}, "
            f"{plural(len(bank.tasks), 'task')}. Written: {folder}"
        )
        for note in one.notes:
            say(f"Note: {note}")
