"""The command ``study``: run the router attack on a benchmark and print or write what it did."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from core.command_line import (
    BackendOption,
    BenchArgument,
    ForceOption,
    IncompleteOption,
    OutOption,
    QuietOption,
    SchedulerOption,
    SeedOption,
    SettingsOption,
    WorkersOption,
    print_table,
    say,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from core.reuse.result import Study

TABLE: Final = (
    ("loss pp", "model_selection_loss_pp", 1.0, 2),
    ("rank drop", "rank_drop", 1.0, 2),
    ("score gap pp", "score_gap_pp", 1.0, 2),
    ("false winner %", "false_winner", 100.0, 1),
    ("router chosen %", "selected_router", 100.0, 1),
)
"""What the printed table shows: heading, column, factor, decimals."""

TrialsOption = Annotated[int, typer.Option("--trials", metavar="N", help="Random splits.")]
EndpointsOption = Annotated[
    str | None,
    typer.Option("--endpoints", metavar="top5|full_frontier", help="Where the two mixed models are sought."),
]
BudgetsOption = Annotated[
    str | None,
    typer.Option("--budgets", metavar="K,K,...", help="Submission budgets; default 1,2,4,...,2048."),
]
FeedbackOption = Annotated[
    str | None,
    typer.Option(
        "--feedback", metavar="RULE", help="What a submission gets back; default: the benchmark's own scores."
    ),
]

TrialsOutOption = Annotated[
    Path | None,
    typer.Option("--trials-out", metavar="PATH", help="Write one row per trial and budget there."),
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "study",
        short_help="Run the router attack over many splits and budgets.",
        epilog="Example: python -m core study terminal_science --trials 250 --budgets 1,16,128 --out study.csv",
    )(study)


def study(
    bench: BenchArgument,
    *,
    settings: SettingsOption = None,
    trials: TrialsOption = 250,
    budgets: BudgetsOption = None,
    endpoints: EndpointsOption = None,
    policy: Annotated[
        str | None, typer.Option("--policy", metavar="NAME", help="Older spelling of --endpoints.")
    ] = None,
    feedback: FeedbackOption = None,
    incomplete: IncompleteOption = "stop",
    out: OutOption = None,
    trials_out: TrialsOutOption = None,
    force: ForceOption = False,
    quiet: QuietOption = False,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
    backend: BackendOption = "loky",
    scheduler: SchedulerOption = None,
) -> None:
    """Run the router attack over many splits and budgets; print a table, write it with --out."""
    from core.benchmark.catalogue import load
    from core.benchmark.checking import checked_incomplete
    from core.errors import UsageError
    from core.files import check_writable
    from core.reuse.study import DEFAULT_BUDGETS, reseed, run_study

    if endpoints and policy and endpoints != policy:
        raise UsageError(
            f"--endpoints {endpoints} and --policy {policy} contradict each other; keep --endpoints."
        )
    if out and trials_out and out.resolve() == trials_out.resolve():
        raise UsageError("--out and --trials-out name the same file; give two names.")
    for path in (out, trials_out):
        if path is not None:
            check_writable(path, force=force)
    chosen = parse_budgets(budgets) if budgets is not None else DEFAULT_BUDGETS
    benchmark = load(bench, settings, checked_incomplete(incomplete))
    benchmark = benchmark.with_settings(reseed(benchmark.settings, seed))
    with progress_bar("Trials", show=not quiet) as progress:
        result = run_study(
            benchmark,
            trials=trials,
            budgets=chosen,
            endpoints=endpoints or policy or "top5",  # type: ignore[arg-type]
            feedback=feedback,
            progress=progress,
            workers=1 if workers is None else workers,
            backend=backend,
            scheduler=scheduler,
        )
    write_csv(out, result.rows(), force=force)
    write_csv(trials_out, result.trial_rows(), force=force)
    if not quiet:
        _print_study(result)
        for path in (out, trials_out):
            if path is not None:
                say(f"Written: {path}")


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


@contextmanager
def progress_bar(label: str, *, show: bool) -> Iterator[Callable[[int, int], None]]:
    """Show a progress bar on a terminal; yield a function that takes (done, total)."""
    if not show or not sys.stderr.isatty():
        yield lambda _done, _total: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def write_csv(path: Path | None, rows: Iterable[dict[str, Any]], *, force: bool) -> None:
    """Write rows as CSV in one step; None is an empty cell, floats keep every digit, formulas are disarmed."""
    if path is None:
        return
    from core.csv_text import csv_text
    from core.files import atomic_write

    atomic_write(path, csv_text(rows), force=force)


def origin(provenance: str) -> str:
    """Return the word that goes with computed numbers: simulated where the item scores are, else recomputed."""
    return "simulated" if provenance == "simulated" else "recomputed"


def _print_study(result: Study) -> None:
    from core.shown import shown

    trials = "trial" if result.trials == 1 else "trials"
    say(
        f"{shown(result.benchmark, 100)}, {origin(result.provenance)}: {result.eligible_trials} of {result.trials} {trials} eligible, "
        f"endpoints {result.endpoints}, feedback {result.feedback}."
    )
    if result.eligible_trials == 0:
        say(
            "In no trial are there two models to mix: one is at least as good as every other on every returned score. "
            "There is nothing to average beyond the state before the attack."
        )
    say(
        "Means over eligible trials, with 95 % bootstrap intervals over trials; budget 1 is the static control."
    )
    rows = []
    for row in result.rows():
        cells = [f"{row['new_submissions']}"]
        for _, name, factor, decimals in TABLE:
            cells.append(_with_interval(row, name, factor, decimals))
        rows.append(tuple(cells))
    headings = ("submissions", *(heading for heading, *_ in TABLE))
    print_table(headings, rows, right=headings, whole=headings)


def _with_interval(row: dict[str, Any], name: str, factor: float, decimals: int) -> str:
    values = [row[name + suffix] for suffix in ("", "_low", "_high")]
    if any(value is None for value in values):
        return "-"
    mean, low, high = (f"{factor * value:.{decimals}f}" for value in values)
    return f"{mean} [{low}, {high}]"
