"""What the commands share: their common options, tables for terminals and pipes, and errors as one sentence."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from core.errors import DataError, MirageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TextIO

DONE: Final = 0
DATA_AT_FAULT: Final = 1
WRONG_USAGE: Final = 2
INTERRUPTED: Final = 130

BenchArgument = Annotated[
    str,
    typer.Argument(
        metavar="BENCH",
        help="A bundled name (see 'list'), simulated:NAME, a folder with items.parquet and settings.toml, "
        "or an items file.",
    ),
]
SettingsOption = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="Settings file, TOML or JSON.")
]
IncompleteOption = Annotated[
    str,
    typer.Option(
        "--incomplete",
        metavar="stop|drop_models|drop_items",
        help="What to do when a model lacks items: stop, leave out those models, or leave out those items.",
    ),
]
SeedOption = Annotated[
    int,
    typer.Option(
        "--seed", metavar="INT", help="Other splits and routers; 0 keeps the benchmark's own seeds."
    ),
]
OutOption = Annotated[Path | None, typer.Option("--out", metavar="PATH", help="Write the result there.")]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
QuietOption = Annotated[bool, typer.Option("--quiet", help="Print no more than is needed.")]
BackendOption = Annotated[
    str, typer.Option("--backend", metavar="loky|dask", help="Where trials run: here or on a Dask cluster.")
]
SchedulerOption = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="Address of the Dask scheduler, with --backend dask."
    ),
]
WorkersOption = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        envvar="MIRAGE_WORKERS",
        help="Processes to use; default: this one alone.",
    ),
]


def run(call: Callable[[], object]) -> int:
    """Run a command and turn whatever happens into an exit status and at most one message on stderr.

    Returns
    -------
    int
        0 done, 1 the data is at fault or something unexpected happened, 2 wrong usage, 130 interrupted.
    """
    logging.basicConfig(format="%(message)s")
    logging.getLogger("mirage").setLevel(logging.INFO)
    try:
        result = call()
        sys.stdout.flush()
    except BrokenPipeError:  # the reader of a pipe has gone; there is nobody to tell
        sys.stdout = sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
        return DATA_AT_FAULT
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the last line of defence against a traceback
        status, message = explain(error)
        complain(message)
        return status
    if result == INTERRUPTED:  # typer's way of saying that the keyboard interrupted a command
        complain(explain(KeyboardInterrupt())[1])
    return result if isinstance(result, int) else DONE


def explain(error: BaseException) -> tuple[int, str]:
    """Return the exit status and the sentence for an exception."""
    if isinstance(error, MirageError):
        return (DATA_AT_FAULT if isinstance(error, DataError) else WRONG_USAGE), str(error)
    wrong_usage = getattr(error, "format_message", None)  # typer's own, whose class is not public
    if callable(wrong_usage):
        path = getattr(getattr(error, "ctx", None), "command_path", None) or "python -m core"
        return WRONG_USAGE, f"{_sentence(wrong_usage())} See: {path} --help"
    if isinstance(error, KeyboardInterrupt | typer.Abort):
        return INTERRUPTED, "Stopped."
    if isinstance(error, MemoryError):
        return DATA_AT_FAULT, "There is not enough memory for this; use fewer models, items or trials."
    what = " ".join(str(error).split())[:300] or "no details"
    return DATA_AT_FAULT, (
        f"Unexpected fault, {type(error).__name__}: {_sentence(what)} This is a mistake in Mirage; please report it "
        "with the command that was run."
    )


def complain(message: str) -> None:
    """Print a message on stderr, literally; characters that the terminal lacks are escaped."""
    _write(sys.stderr, message)


def say(text: str = "") -> None:
    """Print a line on stdout, literally; characters that the terminal lacks are escaped."""
    _write(sys.stdout, text)


def print_table(
    columns: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    right: Sequence[str] = (),
    whole: Sequence[str] = (),
) -> None:
    """Print a table: framed on a terminal, plain aligned columns elsewhere.

    Parameters
    ----------
    columns
        Headings.
    rows
        Cells as text; markup characters are printed as they are.
    right
        Headings of the columns that are aligned to the right.
    whole
        Headings of the columns that are never broken over lines on a narrow terminal.
    """
    if not sys.stdout.isatty():
        _print_plain(columns, rows, right)
        return
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in columns:
        table.add_column(
            Text(column),
            justify="right" if column in right else "left",
            overflow="fold",
            no_wrap=column in whole,
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    Console().print(table)


def _print_plain(columns: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str]) -> None:
    from rich.cells import cell_len

    lines = [list(columns), *(list(row) for row in rows)]
    widths = [max(cell_len(line[index]) for line in lines) for index in range(len(columns))]
    for line in lines:
        cells = []
        for index, cell in enumerate(line):
            blanks = " " * (widths[index] - cell_len(cell))
            cells.append(blanks + cell if columns[index] in right else cell + blanks)
        say("  ".join(cells).rstrip())


def _write(stream: TextIO, text: str) -> None:
    encoding = stream.encoding or "utf-8"
    stream.write(text.encode(encoding, errors="backslashreplace").decode(encoding) + "\n")


def _sentence(text: str) -> str:
    plain = " ".join(text.split())
    return plain if plain.endswith((".", "?", "!")) else f"{plain}."
