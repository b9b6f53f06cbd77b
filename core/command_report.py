"""The command ``report``: a decision about feedback rules, as a folder of files."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from core import command_options as options
from core.command_line import progress_bar, say

ReportFolder = Annotated[
    Path, typer.Option("--out", metavar="DIR", help="Folder for the report; made if it does not exist.")
]
ReportRules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="RULE,RULE,...",
        help="Feedback rules, separated by commas; default: the benchmark's own, two coarser ones, and one score.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "report",
        short_help="Write the maintainer's report: a decision, its numbers and its chart.",
        epilog="Example: python -m core report terminal_science --rules category,category+ladder:1 --tolerance 1 "
        "--out report",
    )(report)


def report(
    bench: options.Bench,
    *,
    out: ReportFolder,
    rules: ReportRules = None,
    settings: options.Settings = None,
    trials: options.Trials = 250,
    budgets: options.Budgets = None,
    tolerance: options.Tolerance = 1.0,
    endpoints: options.Endpoints = "top5",
    incomplete: options.Incomplete = "stop",
    force: options.Force = False,
    quiet: options.Quiet = False,
    seed: options.Seed = 0,
    workers: options.Workers = None,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
) -> None:
    """Attack a benchmark under several feedback rules and write what a maintainer needs for a decision."""
    from core.benchmark.catalogue import load
    from core.benchmark.checking import checked_incomplete
    from core.files import check_folder
    from core.report import FILES, make_report
    from core.reuse.study import DEFAULT_BUDGETS

    check_folder(out, FILES, force=force)
    chosen = options.parse_budgets(budgets) if budgets is not None else DEFAULT_BUDGETS
    benchmark = load(bench, settings, checked_incomplete(incomplete))
    with progress_bar("Trials", show=not quiet) as progress:
        made = make_report(
            benchmark,
            [rule.strip() for rule in (rules or "").split(",") if rule.strip()],
            budgets=chosen,
            tolerance_pp=tolerance,
            trials=trials,
            endpoints=endpoints or "top5",  # type: ignore[arg-type]
            seed=seed,
            progress=progress,
            workers=1 if workers is None else workers,
            backend=backend,
            scheduler=scheduler,
        )
    written = made.write(out, force=force)
    if not quiet:
        for sentence in made.facts.content["decision"]["sentences"]:
            say(sentence)
        say(f"Written: {', '.join(str(path) for path in written)}")
