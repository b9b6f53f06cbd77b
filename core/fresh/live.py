"""A small set of items from Wikidata and Wikipedia as they are now, for a reader who asks for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from core.errors import UsageError
from core.fresh.building import BuildSettings, build_items
from core.fresh.entities import normal_qid
from core.fresh.facts import Funnel
from core.fresh.gather import Gathering, gather_facts
from core.fresh.revisions import WIKIDATA, WIKIPEDIA, LiveEntities, LiveRevisions
from core.fresh.web import PoliteClient

if TYPE_CHECKING:
    from collections.abc import Callable

    from core.fresh.facts import ChangedFact
    from core.fresh.items import Item

MOST_SUBJECTS: Final = 10


@dataclass(frozen=True, slots=True)
class LiveSet:
    """What was found.

    Parameters
    ----------
    facts, items
        Facts that changed, and the items built from them.
    funnel
        Cases by reason, both stages.
    requests, cached
        Questions that were asked, and answers that were already on disk.
    """

    facts: tuple[ChangedFact, ...]
    items: tuple[Item, ...]
    funnel: Funnel = field(default_factory=Funnel)
    requests: int = 0
    cached: int = 0


def subjects(text: str) -> tuple[str, ...]:
    """Read ids that a reader typed, separated by commas or spaces.

    Raises
    ------
    UsageError
        If one is no id, there are none, or more than `MOST_SUBJECTS`.

    Examples
    --------
    >>> subjects("q38, Q114 Q38")
    ('Q38', 'Q114')
    """
    found = []
    for word in text.replace(",", " ").split():
        qid = normal_qid(word)
        if qid is None:
            raise UsageError(
                f"'{word[:40]}' is no Wikidata id. Expected ids such as Q38, separated by commas."
            )
        found.append(qid)
    distinct = tuple(dict.fromkeys(found))
    if not 1 <= len(distinct) <= MOST_SUBJECTS:
        raise UsageError(f"Give 1 to {MOST_SUBJECTS} Wikidata ids, such as Q38, separated by commas.")
    return distinct


def fetch_set(
    qids: tuple[str, ...],
    settings: BuildSettings,
    *,
    progress: Callable[[int, int], None] | None = None,
    client: PoliteClient | None = None,
    addresses: tuple[str, str] = (WIKIDATA, WIKIPEDIA),
) -> LiveSet:
    """Fetch some subjects' statements, find what changed, fetch the documents and build items.

    Parameters
    ----------
    qids
        The subjects.
    settings
        What to build.
    progress
        Called with (done, total), in facts.
    client, addresses
        Replaced in tests.

    Raises
    ------
    DataError
        If Wikidata or Wikipedia does not answer.
    """
    with client or PoliteClient() as polite:
        entities = LiveEntities(polite, qids, addresses[0])
        gathering = Gathering()
        facts = tuple(
            gather_facts(
                entities,
                settings.cutoff,
                settings.until,
                language=settings.language,
                hops=settings.hops,
                gathering=gathering,
            )
        )
        total = len(facts)
        built = build_items(
            facts,
            LiveRevisions(polite, settings.language, addresses[1]),
            settings,
            None if progress is None else lambda done: progress(done, total),
        )
        return LiveSet(
            facts, built.items, gathering.funnel.then(built.funnel), polite.requests, polite.cached
        )
