"""The command ``compare``: feedback rules side by side on one benchmark."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from core import command_options as options
from core.command_line import origin, print_table, progress_bar, say, write_csv

if TYPE_CHECKING:
    from core.reuse.comparison import Comparison

RulesOption = Annotated[
    str,
    typer.Option("--rules", metavar="RULE,RULE,...", help="Feedback rules, separated by commas."),
]


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "compare",
        short_help="Compare feedback rules: harm against usefulness.",
        epilog="Example: python -m core compare terminal_science --rules category,overall,category+ladder:1 "
        "--budgets 8,128 --tolerance 1",
    )(compare)


def compare(
    bench: options.Bench,
    *,
    rules: RulesOption,
    settings: options.Settings = None,
    trials: options.Trials = 250,
    budgets: options.Budgets = None,
    tolerance: options.Tolerance = 1.0,
    endpoints: options.Endpoints = "top5",
    incomplete: options.Incomplete = "stop",
    out: options.Out = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
    seed: options.Seed = 0,
    workers: options.Workers = None,
    backend: options.Backend = "loky",
    scheduler: options.Scheduler = None,
) -> None:
    """Attack a benchmark under several feedback rules; print a table, write it with --out."""
    from core.benchmark.catalogue import load
    from core.benchmark.checking import checked_incomplete
    from core.files import check_writable
    from core.reuse import comparison
    from core.reuse.study import DEFAULT_BUDGETS, reseed

    if out is not None:
        check_writable(out, force=force, sources=(bench, settings))
    chosen = options.parse_budgets(budgets) if budgets is not None else DEFAULT_BUDGETS
    benchmark = load(bench, settings, checked_incomplete(incomplete))
    benchmark = benchmark.with_settings(reseed(benchmark.settings, seed))
    with progress_bar("Trials", show=not quiet) as progress:
        result = comparison.compare(
            benchmark,
            [rule.strip() for rule in rules.split(",") if rule.strip()],
            tolerance_pp=tolerance,
            trials=trials,
            budgets=chosen,
            endpoints=endpoints or "top5",  # type: ignore[arg-type]
            progress=progress,
            workers=1 if workers is None else workers,
            backend=backend,
            scheduler=scheduler,
        )
    write_csv(out, result.rows(), force=force)
    if not quiet:
        _print_comparison(result, benchmark.name, tolerance)
        if out is not None:
            say(f"Written: {out}")


def _print_comparison(result: Comparison, name: str, tolerance: float) -> None:
    from core.shown import shown

    say(
        f"{shown(name, 100)}, {origin(result.results[0].study.provenance)}: feedback rules under the same attack. 'survives' is the largest tested budget "
        f"before the mean selection loss first exceeds {tolerance:g} pp."
    )
    say(
        "'pairs kept' is the share of genuine pairs 1 pp or more apart that the released scores order rightly."
    )
    rows = []
    for one in result.results:
        largest = one.study.rows()[-1]
        rows.append(
            (
                one.study.feedback,
                _survived(one.survival),
                f"{largest['new_submissions']}",
                _number(largest["model_selection_loss_pp"], 2),
                f"{one.released_scores[-1]:.1f}",
                _number(100 * one.pairs_kept, 1),
            )
        )
    headings = ("feedback", "survives", "at budget", "loss pp", "scores released", "pairs kept %")
    print_table(headings, rows, right=headings[1:], whole=headings[1:])


def _survived(survival: Any) -> str:
    ends = [
        f"not reached within {survival.largest}" if value is None else str(value)
        for value in (survival.submissions, survival.low, survival.high)
    ]
    return ends[0] if ends[0] == ends[1] == ends[2] else f"{ends[0]} [{ends[1]}, {ends[2]}]"


def _number(value: float | None, decimals: int) -> str:
    return "-" if value is None or value != value else f"{value:.{decimals}f}"  # noqa: PLR0124 - NaN
