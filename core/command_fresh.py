"""The commands ``fresh facts``, ``fresh build`` and ``fresh score``: a test set from facts that changed."""

from __future__ import annotations

import typer

from core.command_fresh_build import build
from core.command_fresh_facts import facts
from core.command_fresh_score import score


def register(app: typer.Typer) -> None:
    """Add the commands to the command line."""
    group = typer.Typer(
        help="Build and score test items about facts that changed after a cutoff.",
        epilog="Example: python -m core fresh build sample --out items.jsonl",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    group.command(
        "facts",
        short_help="Find the facts that changed between two days.",
        epilog="Example: python -m core fresh facts latest-all.json.bz2 --cutoff 2023-06-30 --out facts.jsonl",
    )(facts)
    group.command(
        "build",
        short_help="Build test items from changed facts and their documents.",
        epilog="Example: python -m core fresh build sample --format choice --distractors 3 --out items.jsonl",
    )(build)
    group.command(
        "score",
        short_help="Score a model's answers to the items.",
        epilog="Example: python -m core fresh score items.jsonl answers.jsonl --cutoff 2023-06-30 --out scores.csv",
    )(score)
    app.add_typer(group, name="fresh", short_help="Build and score items about facts that changed.")
