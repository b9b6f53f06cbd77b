"""The options and arguments that several commands have, and how their texts are read."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Bench = Annotated[
    str,
    typer.Argument(
        metavar="BENCH",
        help="A bundled name (see 'list'), simulated:NAME, a folder with items.parquet and settings.toml, "
        "or an items file.",
    ),
]
Settings = Annotated[
    Path | None, typer.Option("--settings", metavar="FILE", help="Settings file, TOML or JSON.")
]
Incomplete = Annotated[
    str,
    typer.Option(
        "--incomplete",
        metavar="stop|drop_models|drop_items",
        help="What to do when a model lacks items: stop, leave out those models, or leave out those items.",
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", metavar="INT", help="Other splits and routers; 0 keeps the benchmark's own seeds."
    ),
]
Out = Annotated[Path | None, typer.Option("--out", metavar="PATH", help="Write the result there.")]
Force = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]
Quiet = Annotated[bool, typer.Option("--quiet", help="Print no more than is needed.")]
Backend = Annotated[
    str, typer.Option("--backend", metavar="loky|dask", help="Where trials run: here or on a Dask cluster.")
]
Scheduler = Annotated[
    str | None,
    typer.Option(
        "--scheduler", metavar="ADDRESS", help="Address of the Dask scheduler, with --backend dask."
    ),
]
Workers = Annotated[
    int | None,
    typer.Option(
        "--workers",
        metavar="N",
        envvar="MIRAGE_WORKERS",
        help="Processes to use; default: this one alone.",
    ),
]


Trials = Annotated[int, typer.Option("--trials", metavar="N", help="Random splits.")]
Endpoints = Annotated[
    str | None,
    typer.Option("--endpoints", metavar="top5|full_frontier", help="Where the two mixed models are sought."),
]
Budgets = Annotated[
    str | None,
    typer.Option("--budgets", metavar="K,K,...", help="Submission budgets; default 1,2,4,...,2048."),
]
Tolerance = Annotated[
    float,
    typer.Option(
        "--tolerance", metavar="PP", help="Selection loss that is still accepted, percentage points."
    ),
]


def parse_budgets(text: str) -> list[int]:
    """Return the budgets of a comma-separated list.

    Raises
    ------
    UsageError
        If an entry is not a whole number.

    Examples
    --------
    >>> parse_budgets("1, 16,128")
    [1, 16, 128]
    """
    from core.errors import UsageError

    budgets = []
    for part in text.split(","):
        try:
            budgets.append(int(part))
        except ValueError:
            raise UsageError(
                f"Budgets are whole numbers separated by commas, such as 1,16,128; found '{part.strip()}'."
            ) from None
    return budgets
