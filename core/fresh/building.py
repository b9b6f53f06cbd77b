"""From changed facts and their documents to test items (AntiLeakBench, arXiv 2412.13670, sections 3.2 and 3.3)."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import UsageError
from core.fresh.drafting import Draft, drafts_of
from core.fresh.facts import ChangedFact, Drop, Funnel, Value, check_window
from core.fresh.items import (
    DISTRACTOR_COUNTS,
    UNKNOWN,
    Format,
    Item,
    ItemDocument,
    ItemEntity,
    ItemHop,
    ItemValue,
    OptionType,
    checked_item,
)
from core.fresh.names import contains_any
from core.fresh.relations import RELATIONS
from core.fresh.scoring_text import normalise
from core.statistics import check_seed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from core.fresh.documents import Document, DocumentSource
    from core.fresh.entities import Entity
    from core.fresh.times import PartialDate

FORMATS: Final = ("generation", "choice")
MAX_HOPS: Final = 3


@dataclass(frozen=True, slots=True)
class BuildSettings:
    """What kind of items to build.

    Parameters
    ----------
    cutoff, until
        The window in which the facts changed.
    format
        ``generation`` (a free answer) or ``choice`` (four options).
    hops
        Relations from the subject to the answer, 1 to 3.
    distractors
        Distracting documents beside the gold ones: 0, 3, 5 or 7.
    seed
        Of the order of options and documents, and of what is drawn.
    language
        Of names and pages.

    Raises
    ------
    UsageError
        If a value is outside its domain.
    """

    cutoff: PartialDate
    until: PartialDate
    format: Format = "generation"
    hops: int = 1
    distractors: int = 0
    seed: int = 0
    language: str = "en"

    def __post_init__(self) -> None:
        """Check the values."""
        check_window(self.cutoff, self.until)
        check_seed(self.seed)
        if self.format not in FORMATS:
            raise UsageError(f"Unknown format '{self.format}'. Expected one of: {', '.join(FORMATS)}.")
        if self.hops not in range(1, MAX_HOPS + 1):
            raise UsageError(f"The number of hops must be 1, 2 or 3, found {self.hops}.")
        if self.distractors not in DISTRACTOR_COUNTS:
            raise UsageError(
                f"The number of distracting documents must be 0, 3, 5 or 7, found {self.distractors}."
            )


@dataclass(frozen=True, slots=True)
class ItemSet:
    """Items, and how many facts gave none for which reason."""

    items: tuple[Item, ...]
    funnel: Funnel


def build_items(
    facts: Iterable[ChangedFact],
    source: DocumentSource,
    settings: BuildSettings,
    progress: Callable[[int], None] | None = None,
) -> ItemSet:
    """Build items.

    Parameters
    ----------
    facts
        Changed facts; those that did not change within the window of `settings` are dropped and counted.
    source
        Where documents come from.
    settings
        What to build.
    progress
        Called with the number of facts done.

    Returns
    -------
    ItemSet
        Items in the order of the facts. A fact with several chains gives several items; the funnel counts facts, each
        dropped one under the reason that stopped it first. The same facts, documents and seed give the same items,
        whatever the order of the facts. Options and distractors come from the other items, for multi-hop items also
        from the single-hop items of the same facts; nothing made up is mixed into a real item.
    """
    drafts: list[list[Draft] | Drop] = []
    singles: list[Draft] = []
    needs_others = settings.hops > 1 and (settings.format == "choice" or settings.distractors > 0)
    for done, fact in enumerate(facts, start=1):
        drafts.append(drafts_of(fact, source, settings.cutoff, settings.until, settings.hops))
        if needs_others and not isinstance(
            alone := drafts_of(fact, source, settings.cutoff, settings.until, 1), Drop
        ):
            singles.extend(alone)
        if progress is not None:
            progress(done)
    ready = [draft for outcome in drafts if not isinstance(outcome, Drop) for draft in outcome]
    pool = _Pool.of([*ready, *singles])
    funnel = Funnel()
    items: list[Item] = []
    for outcome in drafts:
        if isinstance(outcome, Drop):
            funnel.count(outcome)
            continue
        made = [_finish(draft, pool, settings) for draft in outcome]
        items.extend(each for each in made if isinstance(each, Item))
        reasons = [each for each in made if isinstance(each, Drop)]
        funnel.count(reasons[0] if len(reasons) == len(made) else None)
    return ItemSet(tuple(items), funnel)


@dataclass(frozen=True, slots=True)
class _Pool:
    """What other items offer: answers as options, and gold documents as distractors; in an order of their own."""

    answers: tuple[tuple[str, Entity], ...]
    documents: tuple[Document, ...]

    @classmethod
    def of(cls, drafts: Sequence[Draft]) -> _Pool:
        answers = {(draft.relation, draft.answer.qid): draft.answer for draft in drafts}
        documents = {support.document for draft in drafts for support in draft.supports}
        return cls(
            tuple(
                (relation, entity)
                for (relation, _), entity in sorted(answers.items(), key=lambda pair: pair[0])
            ),
            tuple(sorted(documents, key=lambda each: (each.title, each.revision_id or 0, each.text))),
        )


def _finish(draft: Draft, pool: _Pool, settings: BuildSettings) -> Item | Drop:
    rng = _generator(settings.seed, draft.item_id)
    options: list[tuple[str, OptionType]] = []
    if settings.format == "choice":
        drawn = _options(draft, pool, rng)
        if drawn is None:
            return Drop.NO_OPTIONS
        options = drawn
    gold = [_document(support.document, "gold") for support in draft.supports]
    others = _distractors(draft, pool, settings.distractors, rng)
    if len(others) < settings.distractors:
        return Drop.NO_DISTRACTORS
    documents = [*gold, *others]
    fact = draft.fact
    row = {
        "id": draft.item_id,
        "format": settings.format,
        "hops": settings.hops,
        "distractors": settings.distractors,
        "language": settings.language,
        "relation": fact.relation,
        "question": draft.question,
        "answers": list(draft.answer.names),
        "options": [text for text, _ in options],
        "types": [kind for _, kind in options],
        "documents": [documents[place] for place in rng.permutation(len(documents))] if others else documents,
        "subject": _entity(fact.subject, draft.supports[0].subject.name),
        "old": _value(fact.old),
        "new": _value(fact.new),
        "chain": [
            ItemHop(relation=hop.relation, subject=_entity(hop.subject, None), value=_value(hop.value))
            for hop in draft.chain
        ],
        "cutoff": settings.cutoff.isoformat(),
        "until": settings.until.isoformat(),
        "seed": settings.seed,
        "new_has_ended": any(
            value.end is not None for value in (fact.new, *(hop.value for hop in draft.chain))
        ),
        "made_up": fact.made_up or any(hop.value.entity.made_up for hop in draft.chain),
    }
    return checked_item(row, draft.item_id)


def _generator(seed: int, item_id: str) -> np.random.Generator:
    """Give each item its own stream, so that an item does not depend on which others are built."""
    digest = hashlib.sha256(f"{seed}:{item_id}".encode()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _options(draft: Draft, pool: _Pool, rng: np.random.Generator) -> list[tuple[str, OptionType]] | None:
    assert draft.answer.label is not None
    fixed: list[tuple[str, OptionType]] = [(draft.answer.label, "correct")]
    if not draft.chain:
        assert draft.fact.old.entity.label is not None
        fixed.append((draft.fact.old.entity.label, "outdated"))
    fixed.append((UNKNOWN, "unknown"))
    taken = {normalise(name) for name in draft.names}
    form = RELATIONS[draft.relation].question_form
    order = rng.permutation(len(pool.answers))
    candidates = sorted(  # stable: the same relation first, then the same question form, each in random order
        (pool.answers[place] for place in order),
        key=lambda pair: (
            0 if pair[0] == draft.relation else 1 if RELATIONS[pair[0]].question_form == form else 2
        ),
    )
    others: list[tuple[str, OptionType]] = []
    for _, entity in candidates:
        names = {normalise(name) for name in entity.names}
        if len(fixed) + len(others) == 4:
            break
        if entity.label and not names & taken and (draft.fact.made_up or not entity.made_up):
            others.append((entity.label, "other"))
            taken |= names
    options = [*fixed, *others]
    return [options[place] for place in rng.permutation(4)] if len(options) == 4 else None


def _distractors(draft: Draft, pool: _Pool, count: int, rng: np.random.Generator) -> list[ItemDocument]:
    if count == 0:
        return []
    names, chosen = draft.names, []
    for place in rng.permutation(len(pool.documents)):
        document = pool.documents[place]
        if document.made_up and not draft.fact.made_up:
            continue
        if not contains_any(f"{document.title}\n{document.text}", names):
            chosen.append(_document(document, "distractor"))
            if len(chosen) == count:
                break
    return chosen


def _document(document: Document, role: str) -> ItemDocument:
    return ItemDocument.model_validate(
        {
            "title": document.title, "text": document.text, "role": role, "source": document.source,
            "revision_id": document.revision_id, "timestamp": document.timestamp,
        }
    )  # fmt: skip


def _entity(entity: Entity, name: str | None) -> ItemEntity:
    assert entity.label is not None
    return ItemEntity(qid=entity.qid, label=entity.label, aliases=list(entity.aliases), name=name)


def _value(value: Value) -> ItemValue:
    assert value.entity.label is not None
    return ItemValue(
        qid=value.entity.qid,
        label=value.entity.label,
        aliases=list(value.entity.aliases),
        start=value.start.isoformat() if value.start else None,
        end=value.end.isoformat() if value.end else None,
        claim_id=value.claim_id,
    )
