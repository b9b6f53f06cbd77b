"""The commands ``fresh facts``, ``fresh build`` and ``fresh score``: a test set from facts that changed."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from core.command_line import ForceOption, OutOption, QuietOption, complain, print_table, say

if TYPE_CHECKING:
    from collections.abc import Iterator

    from core.fresh.documents import DocumentSource
    from core.fresh.dump import EntitySource
    from core.fresh.facts import ChangedFact, Funnel
    from core.fresh.gather import Gathering
    from core.fresh.items import Item
    from core.fresh.scoring import ScoreReport
    from core.fresh.times import PartialDate

SAMPLE: Final = "sample"
LIVE: Final = "live"
BASELINE: Final = "baseline:"
SHOWN: Final = 10

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
    out: OutOption = None,
    force: ForceOption = False,
    quiet: QuietOption = False,
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
    begin, end = _window(cutoff, until, is_sample=source == SAMPLE)
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


def _window(cutoff: str | None, until: str | None, *, is_sample: bool) -> tuple[PartialDate, PartialDate]:
    from datetime import UTC, datetime

    from core.errors import UsageError
    from core.fresh.sample import DEFAULT_CUTOFF, DEFAULT_UNTIL
    from core.fresh.times import from_date, parse_day

    if cutoff is None and not is_sample:
        raise UsageError("Give the model's cutoff, such as --cutoff 2023-06-30.")
    begin = DEFAULT_CUTOFF if cutoff is None else parse_day(cutoff, "cutoff")
    today = DEFAULT_UNTIL if is_sample else from_date(datetime.now(UTC).date())
    return begin, today if until is None else parse_day(until, "last day looked at")


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
            _announce("www.wikidata.org", quiet=quiet)
            yield from gather_facts(entities, begin, end, language=language, hops=hops, gathering=gathering)
    else:
        with _reading(Path(source), quiet=quiet) as files:
            yield from gather_facts(files, begin, end, language=language, hops=hops, gathering=gathering)


@contextmanager
def _reading(path: Path, *, quiet: bool) -> Iterator[EntitySource]:
    """Yield a file or folder as a source, under a progress bar counted in megabytes."""
    from core.command_study import progress_bar
    from core.fresh.dump import FileSource

    size = path.stat().st_size // 10**6 if path.is_file() else 0
    with progress_bar("Reading (MB)", show=not quiet) as told:
        yield FileSource.from_path(path, lambda done: told(done // 10**6, max(size, done // 10**6)))


def _announce(host: str, *, quiet: bool) -> None:
    from core import cache

    if not quiet:
        complain(
            f"Asking {host}, at most once a second; answers are kept in {cache.directory()} and not asked for again."
        )


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
    _print_funnel(gathering.funnel, "cases (subject and relation)", "facts that changed")
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


def _print_funnel(funnel: Funnel, cases: str, kept: str) -> None:
    rows = [(f"all {cases}", "", f"{funnel.considered:,}")]
    rows += [(reason.value, f"-{count:,}", f"{left:,}") for reason, count, left in funnel.rows()]
    rows.append((kept, "", f"{funnel.kept:,}"))
    print_table(("step", "dropped", "left"), rows, right=("dropped", "left"))


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
    out: OutOption = None,
    force: ForceOption = False,
    quiet: QuietOption = False,
) -> None:
    """Build test items from changed facts and their documents; write them as JSON Lines with --out."""
    from core.command_study import progress_bar
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
        _print_funnel(result.funnel, "facts", "facts that gave items")
        say(f"Items: {len(result.items):,}.")
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
        begin, end = _window(cutoff, until, is_sample=True)
        return load_sample().changed_facts(begin, end)[0], begin, end
    path = Path(facts_file)
    found = read_facts(path)
    own = window_of(path)
    if own is None:
        begin, end = _window(cutoff, until, is_sample=False)
    else:
        begin = own[0] if cutoff is None else parse_day(cutoff, "cutoff")
        end = own[1] if until is None else parse_day(until, "last day looked at")
    return found, begin, end


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
        _announce(f"{language}.wikipedia.org", quiet=quiet)
        return LiveRevisions(PoliteClient(), language)
    folder = RevisionFolder(Path(where))
    for fault in folder.faults:
        complain(f"Passed over: {fault}.")
    return folder


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
    out: OutOption = None,
    force: ForceOption = False,
    quiet: QuietOption = False,
) -> None:
    """Score a model's answers: right, outdated or unreadable, by setting and by date of change."""
    from core.command_study import write_csv
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
