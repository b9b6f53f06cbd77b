"""The command ``simulate``: draw a simulated benchmark and write its two files."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotation
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from core import command_options as options
from core.command_line import say

if TYPE_CHECKING:
    from core.benchmark.catalogue import Generator

MISSING: Final = "Give --out FOLDER, where items.parquet and settings.toml are to be written."


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "simulate",
        short_help="Draw a simulated benchmark and write it as a folder.",
        epilog="Example: python -m core simulate free --models 20 --tasks 6 --items 900 --out my_simulation",
    )(simulate)


def simulate(
    name: Annotated[str, typer.Argument(metavar="NAME", help="livebench, helm_capabilities or free.")],
    *,
    models: Annotated[
        int | None, typer.Option("--models", metavar="N", help="free: number of models.")
    ] = None,
    tasks: Annotated[int | None, typer.Option("--tasks", metavar="N", help="free: number of tasks.")] = None,
    items: Annotated[int | None, typer.Option("--items", metavar="N", help="free: items in all.")] = None,
    gap: Annotated[
        float | None,
        typer.Option("--gap", metavar="PP", help="free: step between neighbouring models, in pp."),
    ] = None,
    dependence: Annotated[
        float | None,
        typer.Option(
            "--dependence",
            metavar="0..1",
            help="How far models fail on the same items; default: fitted, free 0.5.",
        ),
    ] = None,
    seed: Annotated[
        int, typer.Option("--seed", metavar="INT", help="Another draw; 0 is the one that 'list' shows.")
    ] = 0,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="Write the benchmark there.")
    ] = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Draw a simulated benchmark and write it as a folder that the other commands take."""
    from core.benchmark.reading import write_benchmark
    from core.errors import UsageError
    from core.shown import shown

    generator = _generator(name.removeprefix("simulated:"))
    given: dict[str, Any] = {
        "models": models, "tasks": tasks, "items": items, "gap": gap, "dependence": dependence, "seed": seed
    }  # fmt: skip
    chosen = {key: value for key, value in given.items() if value is not None}
    for key in chosen:
        if key not in generator.parameters:
            raise UsageError(
                f"--{key} goes with 'free'; {generator.name} has the models, tasks and items of its leaderboard."
            )
    if out is None:
        raise UsageError(MISSING)
    benchmark = generator.build(**chosen)
    write_benchmark(benchmark, out, force=force)
    if not quiet:
        say(
            f"{benchmark.name}: {len(benchmark.models):,} models x {len(benchmark.items):,} items in "
            f"{len(benchmark.tasks):,} tasks, simulated. No real model answered these items."
        )
        say(f"Written: {shown(out, 200)}; study it with: python -m core study {shown(out, 200)}")


def _generator(name: str) -> Generator:
    """Return a generator by name.

    Raises
    ------
    UsageError
        If there is none of that name; the nearest is named.
    """
    import difflib

    from core.benchmark.catalogue import GENERATORS
    from core.errors import UsageError
    from core.shown import shown

    if name in GENERATORS:
        return GENERATORS[name]
    close = difflib.get_close_matches(name[:100], GENERATORS, n=1, cutoff=0.4)
    hint = f" Did you mean '{close[0]}'?" if close else ""
    raise UsageError(f"Unknown simulated benchmark '{shown(name)}'.{hint} Known: {', '.join(GENERATORS)}.")
