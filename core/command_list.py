"""The command ``list``: benchmarks that can be studied by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import command_options as options
from core.command_line import print_table, say

if TYPE_CHECKING:
    import typer


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "list",
        short_help="List the benchmarks that can be studied by name.",
        epilog="Example: python -m core list",
    )(list_benchmarks)


def list_benchmarks(*, quiet: options.Quiet = False) -> None:
    """List the benchmarks that can be studied by name, and what is cached; --quiet prints the names alone."""
    from core.benchmark import catalogue

    if quiet:
        for name in catalogue.names():
            say(name)
        return
    rows = [
        (
            entry.name,
            entry.kind,
            *("?" if size is None else f"{size:,}" for size in (entry.models, entry.items, entry.tasks)),
            entry.what,
            f"{entry.source}; {entry.licence}",
        )
        for entry in catalogue.entries()
    ]
    columns = ("name", "kind", "models", "items", "tasks", "what", "source and licence")
    print_table(columns, rows, right=("models", "items", "tasks"), whole=columns[:5])
    say()
    say(_cached())


def _cached() -> str:
    """Return what of earlier studies is kept on disk, so that the same benchmark is faster next time."""
    from core import cache

    kinds = [
        f"{count:,} {'set' if count == 1 else 'sets'} of {kind} ({size / 1e6:.1f} MB)"
        for kind, (count, size) in cache.contents().items()
    ]
    return f"Cached in {cache.directory()}: {', '.join(kinds) if kinds else 'nothing yet'}."
