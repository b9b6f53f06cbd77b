"""The sample that ships: real changes from Wikidata, their summaries in our own words, and made-up cases.

The statements (CC0) were selected by AntiLeakBench's release; the one- or two-sentence summaries are this project's
own text and stand in for documents, so that everything runs without a network. Made-up entities, marked as such, give
each reason of the funnel a case.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final

from core.errors import DataError
from core.fresh.chains import chains_from
from core.fresh.documents import Claim, Document
from core.fresh.entities import Entity, Statement
from core.fresh.facts import (
    ChangedFact,
    Drop,
    Funnel,
    check_window,
    describe_change,
    find_change,
    group_statements,
)
from core.fresh.files import parse_lines
from core.fresh.times import PartialDate, parse_day, parse_time
from core.provenance import Provenance, read_shipped

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

SOURCE: Final = "Wikidata statements (CC0) selected by AntiLeakBench (arXiv 2412.13670, release 9daf9304); summaries in our own words"
DEFAULT_CUTOFF: Final = parse_day("2022-06-30", "cutoff")
DEFAULT_UNTIL: Final = parse_day("2024-12-31", "until")


@dataclass(frozen=True, eq=False)
class Sample:
    """The sample's entities, statements and summaries.

    Parameters
    ----------
    entities
        By id.
    statements
        Of every pair of subject and relation.
    summaries
        By subject, relation and value.
    provenance
        Of the statements.
    """

    entities: Mapping[str, Entity]
    statements: Mapping[tuple[str, str], Sequence[Statement]]
    summaries: Mapping[tuple[str, str, str], Document]
    provenance: Provenance

    def statements_of(self, qid: str, relation: str) -> Sequence[Statement]:
        """Return the statements of one pair."""
        return self.statements.get((qid, relation), ())

    def is_made_up(self, pair: tuple[str, str]) -> bool:
        """Whether a pair's subject is invented."""
        return self.entities[pair[0]].made_up

    def changed_facts(
        self, cutoff: PartialDate, until: PartialDate = DEFAULT_UNTIL, *, made_up: bool = True
    ) -> tuple[list[ChangedFact], Funnel]:
        """Apply the change rule to the whole sample.

        Parameters
        ----------
        cutoff, until
            The window.
        made_up
            Whether the made-up cases take part.

        Returns
        -------
        list of ChangedFact, Funnel
            The facts with their chains, and the counts by reason.

        Raises
        ------
        UsageError
            If the cutoff is not before `until`.
        """
        facts: list[ChangedFact] = []
        funnel = Funnel()
        for _, outcome in self.outcomes(cutoff, until, made_up=made_up):
            funnel.count(outcome if isinstance(outcome, Drop) else None)
            if isinstance(outcome, ChangedFact):
                facts.append(outcome)
        return facts, funnel

    def outcomes(
        self, cutoff: PartialDate, until: PartialDate = DEFAULT_UNTIL, *, made_up: bool = True
    ) -> list[tuple[tuple[str, str], ChangedFact | Drop]]:
        """Return every pair of subject and relation with the fact or the reason why there is none."""
        check_window(cutoff, until)
        return [
            (pair, self.outcome(pair, cutoff, until))
            for pair in self.statements
            if made_up or not self.is_made_up(pair)
        ]

    def outcome(self, pair: tuple[str, str], cutoff: PartialDate, until: PartialDate) -> ChangedFact | Drop:
        """Apply the change rule to one pair."""
        change = find_change(self.statements[pair], cutoff, until)
        fact = change if isinstance(change, Drop) else describe_change(change, self.entities.get)
        if isinstance(fact, Drop):
            return fact
        return chains_from(fact, until, self.entities.get, self.statements_of)

    def find(self, claim: Claim) -> Document | None:
        """Return the summary for a claim, so that the sample serves as a source of documents."""
        return self.summaries.get((claim.subject.qid, claim.relation, claim.value.qid))


def _rows(name: str) -> tuple[list[dict[str, Any]], Provenance]:
    content, provenance = read_shipped(f"fresh/{name}", SOURCE)
    return [row for _, row in parse_lines(content, name, "sample")], provenance


@lru_cache(maxsize=1)
def load_sample() -> Sample:
    """Read the sample.

    Raises
    ------
    DataError
        If a shipped file is missing or damaged.
    """
    try:
        return _load()
    except (KeyError, TypeError) as problem:
        raise DataError(f"The shipped files in data/fresh are damaged ({problem}). Restore them from the repository.") from None  # fmt: skip


def _load() -> Sample:
    entities = {
        row["qid"]: Entity(
            row["qid"], row["label"], tuple(row["aliases"]), row["wiki_title"], bool(row.get("made_up"))
        )
        for row in _rows("entities.jsonl")[0]
    }
    rows, provenance = _rows("statements.jsonl")
    statements = [
        Statement(
            subject=row["subject"],
            relation=row["relation"],
            value=row["value"],
            start=parse_time(row["start"]),
            end=parse_time(row["end"]),
            claim_id=row["claim_id"],
        )
        for row in rows
        if row.get("rank") != "deprecated"
    ]
    summaries = {
        (row["subject"], row["relation"], row["value"]): Document(
            title=Claim(
                entities[row["subject"]], row["relation"], entities[row["value"]], DEFAULT_CUTOFF
            ).title
            or "",
            text=row["summary"],
            source="summary",
            made_up=bool(row.get("made_up")),
        )
        for row in _rows("summaries.jsonl")[0]
    }
    return Sample(
        entities=MappingProxyType(entities),
        statements=MappingProxyType(group_statements(statements)),
        summaries=MappingProxyType(summaries),
        provenance=provenance,
    )
