"""The command ``study``: run the router attack on a benchmark and print or write what it did."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from core import command_options as options
from core.command_line import origin, print_table, progress_bar, say, write_csv

if TYPE_CHECKING:
    from core.reuse.result import Study

TABLE: Final = (
    ("loss pp", "model_selection_loss_pp", 1.0, 2),
    ("rank drop", "rank_drop", 1.0, 2),
    ("score gap pp", "score_gap_pp", 1.0, 2),
    ("false winner %", "false_winner", 100.0, 1),
    ("router chosen %", "selected_router", 100.0, 1),
)
"""What the printed table shows: heading, column, factor, decimals."""

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
    bench: options.Bench,
    *,
    settings: options.Settings = None,
    trials: options.Trials = 250,
    budgets: options.Budgets = None,
    endpoints: options.Endpoints = None,
    policy: Annotated[
        str | None, typer.Option("--policy", metavar="NAME", help="Older spelling of --endpoints.")
    ] = None,
    feedback: FeedbackOption = None,
    incomplete: options.Incomplete = "stop",
    out: options.Out = None,
    trials_out: TrialsOutOption = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    seed: options.Seed = 0,
    workers: options.Workers = None,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
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
            check_writable(path, force=force, sources=(bench, settings))
    chosen = options.parse_budgets(budgets) if budgets is not None else DEFAULT_BUDGETS
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
