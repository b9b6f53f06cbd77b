"""The command ``fresh build``: test items from changed facts and their documents."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from core import command_options as options
from core.command_fresh_shared import (
    LIVE,
    SAMPLE,
    CutoffOption,
    LanguageOption,
    SeedOption,
    UntilOption,
    announce,
    print_funnel,
    window_of_dates,
)
from core.command_line import complain, say

if TYPE_CHECKING:
    from core.fresh.building import BuildSettings
    from core.fresh.documents import DocumentSource
    from core.fresh.facts import ChangedFact
    from core.fresh.times import PartialDate


def build(
    facts_file: Annotated[
        str, typer.Argument(metavar="FACTS", help="A file written by 'fresh facts', or 'sample'.")
    ],
    *,
    cutoff: CutoffOption = None,
    until: UntilOption = None,
    language: LanguageOption = "en",
    documents: Annotated[
        str | None,
        typer.Option(
            "--documents",
            metavar="DIR|live|sample",
            help="A folder of saved revisions, 'live' to ask Wikipedia, or 'sample' for the shipped summaries.",
        ),
    ] = None,
    item_format: Annotated[
        str, typer.Option("--format", metavar="generation|choice", help="A free answer, or four options.")
    ] = "generation",
    hops: Annotated[
        int, typer.Option("--hops", metavar="1|2|3", help="Relations from the subject to the answer.")
    ] = 1,
    distractors: Annotated[
        int, typer.Option("--distractors", metavar="0|3|5|7", help="Distracting documents in each item.")
    ] = 0,
    seed: SeedOption = 0,
    out: options.Out = None,
    force: options.Force = False,
    quiet: options.Quiet = False,
) -> None:
    """Build test items from changed facts and their documents; write them as JSON Lines with --out."""
    from core.command_line import progress_bar
    from core.files import check_writable
    from core.fresh.building import BuildSettings, build_items
    from core.fresh.files import write_lines
    from core.fresh.items import item_row

    if out is not None:
        check_writable(out, force=force)
    found, begin, end = _facts_to_build(facts_file, cutoff, until)
    settings = BuildSettings(
        cutoff=begin,
        until=end,
        format=item_format,  # type: ignore[arg-type]
        hops=hops,
        distractors=distractors,
        seed=seed,
        language=language,
    )
    where = documents or (SAMPLE if facts_file == SAMPLE else None)
    with progress_bar("Facts", show=not quiet) as progress:
        result = build_items(
            found,
            _documents(where, language, quiet=quiet),
            settings,
            lambda done: progress(done, len(found)),
        )
    if out is not None:
        write_lines(out, map(item_row, result.items), force=force)
    if not quiet:
        print_funnel(result.funnel, "facts", "facts that gave items")
        say(f"Items: {len(result.items):,}.")
        if hops > 1 and not result.items:
            complain(f"Note: {_hint(facts_file, found, settings)}")
        for item in result.items[:3] if out is None else ():
            say(f"\n{item.prompt()}")
        if out is not None:
            say(f"Written: {out}")


def _facts_to_build(
    facts_file: str, cutoff: str | None, until: str | None
) -> tuple[list[ChangedFact], PartialDate, PartialDate]:
    from core.fresh.sample import load_sample
    from core.fresh.storing import read_facts, window_of
    from core.fresh.times import parse_day

    if facts_file == SAMPLE:
        begin, end = window_of_dates(cutoff, until, is_sample=True)
        return load_sample().changed_facts(begin, end)[0], begin, end
    path = Path(facts_file)
    found = read_facts(path)
    own = window_of(path)
    if own is None:
        begin, end = window_of_dates(cutoff, until, is_sample=False)
    else:
        begin = own[0] if cutoff is None else parse_day(cutoff, "cutoff")
        end = own[1] if until is None else parse_day(until, "last day looked at")
    return found, begin, end


def _hint(facts_file: str, found: list[ChangedFact], settings: BuildSettings) -> str:
    """Say at which cutoffs there are facts with a chain of the wanted length."""
    from core.fresh.hints import chain_hint, cutoffs_with_chains
    from core.fresh.sample import load_sample

    if facts_file == SAMPLE:
        sample = load_sample()
        starts = [each.start for group in sample.statements.values() for each in group]

        def facts_at(cutoff: PartialDate) -> list[ChangedFact]:
            return sample.changed_facts(cutoff, settings.until)[0]
    else:
        starts = [each.start for fact in found for each in (fact.old, fact.new)]

        def facts_at(cutoff: PartialDate) -> list[ChangedFact]:
            return found

    years = [start.year for start in starts if start is not None]
    return chain_hint(
        cutoffs_with_chains(facts_at, years, settings.until, settings.hops), settings.cutoff, settings.hops
    )


def _documents(where: str | None, language: str, *, quiet: bool) -> DocumentSource:
    from core.errors import UsageError
    from core.fresh.revisions import LiveRevisions, RevisionFolder
    from core.fresh.sample import load_sample
    from core.fresh.web import PoliteClient

    if where is None:
        raise UsageError(
            "Say where the documents come from: --documents FOLDER (saved revisions), --documents live "
            "(asks Wikipedia) or --documents sample."
        )
    if where == SAMPLE:
        return load_sample()
    if where == LIVE:
        announce(f"{language}.wikipedia.org", quiet=quiet)
        return LiveRevisions(PoliteClient(), language)
    folder = RevisionFolder(Path(where))
    for fault in folder.faults:
        complain(f"Passed over: {fault}.")
    return folder
