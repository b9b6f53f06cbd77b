"""What the ``fresh`` commands share: options, dates, announcements and the funnel."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from core.command_line import complain, print_table

if TYPE_CHECKING:
    from core.fresh.facts import Funnel
    from core.fresh.times import PartialDate

SAMPLE: Final = "sample"
LIVE: Final = "live"
BASELINE: Final = "baseline:"

CutoffOption = Annotated[
    str | None,
    typer.Option("--cutoff", metavar="DATE", help="The model's cutoff, such as 2023-06-30."),
]
UntilOption = Annotated[
    str | None, typer.Option("--until", metavar="DATE", help="The last day looked at; default: today.")
]
LanguageOption = Annotated[
    str, typer.Option("--language", metavar="CODE", help="Language of names and Wikipedia pages.")
]
SeedOption = Annotated[
    int, typer.Option("--seed", metavar="INT", help="Seed of what is drawn and shuffled, or resampled.")
]


def window_of_dates(
    cutoff: str | None, until: str | None, *, is_sample: bool
) -> tuple[PartialDate, PartialDate]:
    """Return the cutoff and the last day looked at, with the sample's or today where they are not given.

    Raises
    ------
    UsageError
        If a date is none, or the cutoff is missing.
    """
    from datetime import UTC, datetime

    from core.errors import UsageError
    from core.fresh.sample import DEFAULT_CUTOFF, DEFAULT_UNTIL
    from core.fresh.times import from_date, parse_day

    if cutoff is None and not is_sample:
        raise UsageError("Give the model's cutoff, such as --cutoff 2023-06-30.")
    begin = DEFAULT_CUTOFF if cutoff is None else parse_day(cutoff, "cutoff")
    today = DEFAULT_UNTIL if is_sample else from_date(datetime.now(UTC).date())
    return begin, today if until is None else parse_day(until, "last day looked at")


def announce(host: str, *, quiet: bool) -> None:
    """Say on standard error which host is asked, and how."""
    from core import cache

    if not quiet:
        complain(
            f"Asking {host}, at most once a second; answers are kept in {cache.directory()} and not asked for again."
        )


def print_funnel(funnel: Funnel, cases: str, kept: str) -> None:
    """Print how many cases were dropped for which reason."""
    rows = [(f"all {cases}", "", f"{funnel.considered:,}")]
    rows += [(reason.value, f"-{count:,}", f"{left:,}") for reason, count, left in funnel.rows()]
    rows.append((kept, "", f"{funnel.kept:,}"))
    print_table(("step", "dropped", "left"), rows, right=("dropped", "left"))
