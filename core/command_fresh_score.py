"""The command ``fresh score``: how a model answered the items."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core import command_options as options
from core.command_fresh_shared import (
    BASELINE,
    CutoffOption,
    SeedOption,
)
from core.command_line import complain, print_table, say

if TYPE_CHECKING:
    from core.fresh.items import Item
    from core.fresh.scoring import ScoreReport


def score(
    items_file: Annotated[Path, typer.Argument(metavar="ITEMS", help="A file written by 'fresh build'.")],
    answers_file: Annotated[
        str,
        typer.Argument(
            metavar="ANSWERS",
            help="JSON Lines with id and output, or a simple answerer: baseline:remembers, "
            "baseline:remembers:DATE, baseline:reads.",
        ),
    ],
    *,
    cutoff: CutoffOption = None,
    bucket: Annotated[
        str, typer.Option("--bucket", metavar="year|quarter", help="How the dates of change are grouped.")
    ] = "year",
    seed: SeedOption = 0,
    out: options.Out = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Score a model's answers: right, outdated or unreadable, by setting and by date of change."""
    from core.command_line import write_csv
    from core.files import check_writable
    from core.fresh.answers import answer_all, baseline, read_answers
    from core.fresh.items import read_items
    from core.fresh.scoring import score_items
    from core.fresh.times import parse_day
    from core.statistics import BOOTSTRAP_SEED, check_seed

    if out is not None:
        check_writable(out, force=force)
    check_seed(seed)
    items: list[Item] = read_items(items_file)
    if answers_file.startswith(BASELINE):
        answers = answer_all(items, baseline(answers_file.removeprefix(BASELINE)))
    else:
        answers = read_answers(Path(answers_file), items)
    report = score_items(
        items,
        answers,
        bucket=bucket,  # type: ignore[arg-type]
        seed=BOOTSTRAP_SEED + seed,
        cutoff=None if cutoff is None else parse_day(cutoff, "cutoff"),
    )
    write_csv(out, report.table(), force=force)
    for note in report.notes:
        complain(f"Note: {note}")
    if not quiet:
        _print_scores(report)
        if out is not None:
            say(f"Written: {out}")


def _print_scores(report: ScoreReport) -> None:
    say("Shares in percent, with 95 % intervals over resampled items.")
    print_table(
        ("format", "setting", "changed", "metric", "items", "value", "interval"),
        [
            (
                row.format,
                row.setting,
                row.bucket,
                row.metric,
                f"{row.items:,}",
                f"{100 * row.value:.1f}",
                f"{100 * row.low:.1f} to {100 * row.high:.1f}",
            )
            for row in report.rows
        ],
        right=("items", "value"),
    )
