"""The command ``fresh facts``: which facts changed between two days."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from core import command_options as options
from core.command_fresh_shared import (
    LIVE,
    SAMPLE,
    CutoffOption,
    LanguageOption,
    UntilOption,
    announce,
    print_funnel,
    window_of_dates,
)
from core.command_line import print_table, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.fresh.dump import EntitySource
    from core.fresh.facts import ChangedFact
    from core.fresh.gather import Gathering
    from core.fresh.times import PartialDate

SHOWN: Final = 10


def facts(
    source: Annotated[
        str,
        typer.Argument(
            metavar="SOURCE",
            help="A Wikidata dump or saved API answer (plain, gzip or bzip2), a folder of them, 'sample', or "
            "live:Q38,Q948 to ask Wikidata.",
        ),
    ],
    *,
    cutoff: CutoffOption = None,
    until: UntilOption = None,
    language: LanguageOption = "en",
    hops: Annotated[
        int, typer.Option("--hops", metavar="1|2|3", help="Longest chain to gather; fewer need fewer passes.")
    ] = 3,
    out: options.Out = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Find the facts that changed between the cutoff and a later day, and count why the others do not count."""
    from core.errors import UsageError
    from core.files import check_writable
    from core.fresh.facts import check_window
    from core.fresh.files import write_lines
    from core.fresh.gather import Gathering
    from core.fresh.storing import fact_to_row

    if hops not in {1, 2, 3}:
        raise UsageError(f"The number of hops must be 1, 2 or 3, found {hops}.")
    if out is not None:
        check_writable(out, force=force)
    begin, end = window_of_dates(cutoff, until, is_sample=source == SAMPLE)
    check_window(begin, end)
    gathering = Gathering()
    found: list[ChangedFact] = []

    def rows() -> Iterator[dict[str, Any]]:
        for fact in _changed(source, begin, end, language, hops, gathering, quiet=quiet):
            if len(found) < SHOWN:
                found.append(fact)
            yield {**fact_to_row(fact), "cutoff": begin.isoformat(), "until": end.isoformat()}

    if out is not None:
        write_lines(out, rows(), force=force)
    else:
        for _ in rows():
            pass
    if not quiet:
        _print_facts(found, gathering)
        if out is not None:
            say(f"Written: {out}")


def _changed(
    source: str,
    begin: PartialDate,
    end: PartialDate,
    language: str,
    hops: int,
    gathering: Gathering,
    *,
    quiet: bool,
) -> Iterator[ChangedFact]:
    from core.fresh.gather import gather_facts
    from core.fresh.revisions import LiveEntities
    from core.fresh.sample import load_sample
    from core.fresh.web import PoliteClient

    if source == SAMPLE:
        found, funnel = load_sample().changed_facts(begin, end)
        gathering.funnel = funnel
        yield from found
    elif source.startswith(f"{LIVE}:"):
        ids = tuple(part.strip() for part in source.removeprefix(f"{LIVE}:").split(",") if part.strip())
        with PoliteClient() as client:
            entities = LiveEntities(client, ids)
            announce("www.wikidata.org", quiet=quiet)
            yield from gather_facts(entities, begin, end, language=language, hops=hops, gathering=gathering)
    else:
        with _reading(Path(source), quiet=quiet) as files:
            yield from gather_facts(files, begin, end, language=language, hops=hops, gathering=gathering)


@contextmanager
def _reading(path: Path, *, quiet: bool) -> Iterator[EntitySource]:
    """Yield a file or folder as a source, under a progress bar counted in megabytes."""
    from core.command_line import progress_bar
    from core.fresh.dump import FileSource

    size = path.stat().st_size // 10**6 if path.is_file() else 0
    with progress_bar("Reading (MB)", show=not quiet) as told:
        yield FileSource.from_path(path, lambda done: told(done // 10**6, max(size, done // 10**6)))


def _print_facts(found: list[ChangedFact], gathering: Gathering) -> None:
    from core.fresh.relations import RELATIONS

    reading = gathering.reading
    if reading.entities:
        say(f"Read {reading.entities:,} items in {reading.lines:,} lines, {reading.broken:,} of them broken.")
        for fault in reading.faults:
            say(f"Broken: {fault}.")
    noted = {name: count for name, count in sorted(gathering.statements.items()) if name != "statements"}
    if noted:
        say("Statements: " + ", ".join(f"{count:,} {name}" for name, count in noted.items()) + ".")
    print_funnel(gathering.funnel, "cases (subject and relation)", "facts that changed")
    if found:
        say()
        print_table(
            ("subject", "relation", "old value", "new value", "since"),
            [
                (
                    fact.subject.label or "",
                    RELATIONS[fact.relation].name,
                    fact.old.entity.label or "",
                    fact.new.entity.label or "",
                    fact.new.start.as_digits() if fact.new.start else "",
                )
                for fact in found
            ],
        )
        if gathering.funnel.kept > len(found):
            say(f"... and {gathering.funnel.kept - len(found):,} more.")
