"""Sentences of the changed facts page, all computed from what is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.figures.wording import plural
from core.fresh.documents import first_paragraph
from core.fresh.facts import EXPLANATIONS, Drop
from core.fresh.names import find_all
from core.fresh.relations import RELATIONS
from pages.kit.literal import plain, plain_line

if TYPE_CHECKING:
    from core.fresh.documents import Document
    from core.fresh.facts import ChangedFact
    from core.fresh.items import Item, ItemDocument

LEAD: Final = (
    "A benchmark leaks when its questions are older than the model. A fact that changed after a model's cutoff cannot be in "
    "its training data in its new form, so a question about it is fresh, and the old value shows who answers from memory. "
    "No human labels are needed: the set can be built again for every new model."
)
NOT_COVERED: Final = (
    "The sample's documents are one or two sentences in our own words, far easier to read than an article; scores on it show "
    "the loop at work, not how good a model is."
)
NO_MODEL: Final = (
    "The answerer is a few lines of code that shows what the scores mean; no model stands behind it."
)
SIGNAL: Final = (
    "This is the contamination signal: before the cutoff a model can answer from memory and be right; after it the memory "
    "holds the old value."
)
SIGNAL_READING: Final = (
    "The fall of right answers and the rise of outdated ones show how much of the earlier score was memory."
)
_MARKS: Final = {"subject": "gray", "new": "blue", "old": "orange"}


def page_claim(kept: int, total: int, cutoff_words: str) -> str:
    """Return the page's title."""
    return f"{kept:,} of {total:,} facts changed after {cutoff_words}: items about them cannot have leaked"


def notice(first: tuple[str, int], last: tuple[str, int]) -> str:
    """Return what to notice when the cutoff moves."""
    return f"**What to notice.** {aging(first, last)}"


def aging(first: tuple[str, int], last: tuple[str, int]) -> str:
    """Return how many facts are usable at the first and the last position of the cutoff, and what follows."""
    return (
        f"With the cutoff on {first[0]}, {plural(first[1], 'fact')} can become items; on {last[0]}, {last[1]:,} can: a set ages with "
        "every new model, and building it again costs no human labour."
    )


def marked(text: str, fact: ChangedFact) -> str:
    """Return a document's text as Markdown with the names of the fact on coloured ground."""
    names = {
        "subject": fact.subject.names,
        "new": fact.new.entity.names,
        "old": fact.old.entity.names,
    }
    role_of = {name: role for role in ("old", "new", "subject") for name in names[role]}
    parts, place = [], 0
    for match in find_all(text, role_of):
        parts.append(plain(text[place : match.start]))
        colour = _MARKS[role_of[match.name]]
        parts.append(f":{colour}-background[{plain(text[match.start : match.end])}]")
        place = match.end
    parts.append(plain(text[place:]))
    return "".join(parts)


def why_not(reason: Drop) -> str:
    """Return why a case gives no item."""
    return f"**No item: {reason.value}.** {EXPLANATIONS[reason]}"


def why(fact: ChangedFact) -> str:
    """Return why a fact counts as changed."""
    assert fact.old.start is not None
    assert fact.old.end is not None
    assert fact.new.start is not None
    relation = RELATIONS[fact.relation].name
    said = (
        f"**{plain_line(fact.old.entity.label or '')}** was {relation} from {fact.old.start.in_words()} to "
        f"{fact.old.end.in_words()}; **{plain_line(fact.new.entity.label or '')}** since {fact.new.start.in_words()}. Both values "
        "are dated, they differ, and they do not overlap."
        if RELATIONS[fact.relation].document_page == "object"
        else f"The value was **{plain_line(fact.old.entity.label or '')}** from {fact.old.start.in_words()} to "
        f"{fact.old.end.in_words()} and is **{plain_line(fact.new.entity.label or '')}** since {fact.new.start.in_words()}. Both "
        "values are dated, they differ, and they do not overlap."
    )
    if fact.new.end is not None:
        said += f" The new value has itself ended ({fact.new.end.in_words()}); its item says so."
    return said


def evidence(document: Document) -> str:
    """Return where a document comes from."""
    if document.source == "summary":
        return (
            "Evidence: a summary in our own words that ships with the sample, in place of the page "
            f"“{plain_line(document.title)}”. In a set made from Wikipedia, the revision's number and time stand here."
        )
    return f"Evidence: revision {document.revision_id} of “{plain_line(document.title)}”, saved {document.timestamp}."


def document_lines(document: ItemDocument) -> str:
    """Return a document of an item as Markdown: role, title, first paragraph and evidence."""
    badge = ":blue-badge[gold]" if document.role == "gold" else ":gray-badge[distractor]"
    first = first_paragraph(document.text)
    rest = " …" if len(first) < len(" ".join(document.text.split())) else ""
    said = f"{badge} **{plain_line(document.title)}**  \n{plain_line(first)}{rest}"
    if document.revision_id is not None:
        said += f"  \n:gray[Revision {document.revision_id}, saved {plain_line(document.timestamp or '')}]"
    return said


def set_sentence(items: int, facts: int) -> str:
    """Return the size of a set."""
    return f"{plural(items, 'item')} from {plural(facts, 'fact')}."


def option_line(item: Item, place: int) -> str:
    """Return one option with what it is."""
    kind = item.types[place]
    colour = {"correct": "blue", "outdated": "orange"}.get(kind, "gray")
    return f"**{'ABCD'[place]}.** {plain_line(item.options[place])} :{colour}-badge[{kind}]"
