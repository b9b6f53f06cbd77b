"""The command ``check``: read a benchmark, list its faults, or say what was read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import command_options as options
from core.command_line import print_table, say

if TYPE_CHECKING:
    import typer

    from core.benchmark.model import Benchmark
    from core.benchmark.summary import Summary

LEADERS = 10
"""Models that the leaderboard shows."""


def register(app: typer.Typer) -> None:
    """Add the command to the command line."""
    app.command(
        "check",
        short_help="Read a benchmark: what it holds, or all its faults.",
        epilog="Example: python -m core check my_items.csv --settings settings.toml",
    )(check)


def check(
    bench: options.Bench,
    *,
    settings: options.Settings = None,
    incomplete: options.Incomplete = "stop",
    quiet: options.Quiet = False,
) -> None:
    """Read a benchmark and say what it holds, or list everything that is wrong with it."""
    from core.benchmark.catalogue import load_with_notes
    from core.benchmark.checking import checked_incomplete
    from core.benchmark.splits import split_fault
    from core.benchmark.summary import summarise
    from core.errors import DataError
    from core.reuse.rules import parse_rule
    from core.shown import shown

    benchmark, notes = load_with_notes(bench, settings, checked_incomplete(incomplete))
    parse_rule(benchmark)
    fault = split_fault(benchmark)
    if fault is not None:
        raise DataError(f"{shown(benchmark.name, 100)} reads well, but cannot be studied: {fault}")
    if quiet:
        return
    _print_summary(benchmark, summarise(benchmark))
    for note in notes:
        say(f"Note: {note}")


def _print_summary(benchmark: Benchmark, summary: Summary) -> None:
    from core.shown import shown

    settings = benchmark.settings
    split = (
        f"{settings.holdout_per_category:,} items per category held out"
        if settings.holdout_per_category is not None
        else f"{settings.holdout_fraction:.4g} of each task held out"
    )
    shared = (
        f" ({summary.shared_items:,} items share {summary.shared_prompts:,} of them)"
        if summary.shared_prompts
        else " (no two items share one)"
    )
    say(f"{shown(summary.name, 100)}: no faults found.")
    say(f"  models      {summary.models:,}")
    say(f"  items       {summary.items:,}")
    say(f"  prompts     {summary.prompts:,}{shared}")
    say(f"  tasks       {summary.tasks:,}")
    say(f"  categories  {summary.categories:,}")
    say(f"  split       {summary.reused_items:,} items reused, {summary.heldout_items:,} held out ({split})")
    say(f"  feedback    {settings.feedback or settings.coordinates}")
    say(f"  ranking     {settings.ranking}")
    say(f"  precision   {summary.precision}")
    say()
    first = min(LEADERS, len(summary.leaderboard))
    say(
        f"Leaderboard, first {first} of {summary.models:,}: mean item score in percent, with its standard error over "
        "items taken as independent"
    )
    rows = [
        (
            str(place),
            shown(standing.model, 100),
            f"{100 * standing.mean:.2f}",
            "-"
            if standing.standard_error != standing.standard_error
            else f"{100 * standing.standard_error:.2f}",
        )
        for place, standing in enumerate(summary.leaderboard[:first], start=1)
    ]
    print_table(
        ("place", "model", "mean", "error"),
        rows,
        right=("place", "mean", "error"),
        whole=("place", "mean", "error"),
    )
