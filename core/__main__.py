"""The command line: ``python -m core COMMAND``.

Each command lives in a module ``core.command_*`` with a function ``register``; such a module imports what is heavy
inside its functions, so that ``--help`` stays fast.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Annotated, Final

import typer

from core import __version__
from core.command_line import WRONG_USAGE, run, say

if TYPE_CHECKING:
    from collections.abc import Sequence

COMMAND_MODULES: Final = (
    "core.command_list",
    "core.command_check",
    "core.command_study",
    "core.command_simulate",
    "core.command_compare",
    "core.command_convert",
    "core.command_report",
    "core.command_contamination",
    "core.command_fresh",
)
"""Modules that add a command each, in the order of the help page."""


def build() -> typer.Typer:
    """Return the command line with all its commands."""
    app = typer.Typer(
        name="mirage",
        help="Mirage: how far can a benchmark's score be trusted?",
        epilog="Example: python -m core check terminal_science",
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(frame)
    for module in COMMAND_MODULES:
        import_module(module).register(app)
    return app


def _print_version(wanted: bool) -> None:
    if wanted:
        say(f"Mirage {__version__}")
        raise typer.Exit


def frame(
    *,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop."),
    ] = False,
) -> None:
    """Take the options that stand before the command."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit status: 0 done, 1 the data is at fault, 2 wrong usage."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    status = run(lambda: build()(args=given or ["--help"], prog_name="python -m core", standalone_mode=False))
    return status if given else WRONG_USAGE


if __name__ == "__main__":
    sys.exit(main())
