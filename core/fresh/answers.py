"""Answers to items: read from a file, or given by two simple answerers so that the whole loop runs offline."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from core.errors import DataError, UsageError
from core.files import read_file
from core.fresh.files import parse_lines
from core.fresh.items import LETTERS, UNKNOWN, Item, ItemDocument
from core.fresh.names import contains_any, tidy
from core.fresh.times import PartialDate, compare

if TYPE_CHECKING:
    from pathlib import Path

NAMED_IDS: Final = 5
_WORD: Final = r"[^\W\d_](?:[\w’'&./-]*\w)?\.?"
_CAPITAL: Final = re.compile(
    rf"(?<!\w)(?:\d+\.\s)?{_WORD}(?:\s(?:(?:of|the|de|da|van|von|and|for|&)\s)*{_WORD})*"
)
_NOT_NAMES: Final = frozenset(
    [
        "A",
        "After",
        "An",
        "As",
        "At",
        "Before",
        "By",
        "From",
        "He",
        "Her",
        "His",
        "In",
        "It",
        "Its",
        "New",
        "On",
        "She",
        "Since",
        "The",
        "Their",
        "They",
        "Until",
        "Up",
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ]
)


@dataclass(frozen=True, slots=True)
class Answers:
    """A model's outputs for a set of items.

    Parameters
    ----------
    outputs
        By item id, for the items that have one.
    unknown
        Ids in the file that no item has; their outputs are left out.
    repeated
        Ids given twice with the same output.
    missing
        Items without an output; they count as wrong.
    """

    outputs: Mapping[str, str]
    unknown: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()

    def notes(self) -> list[str]:
        """Return what a reader should know about the file, one sentence each."""
        said = []
        if self.unknown:
            said.append(f"Outputs left out because no item has their id: {_some(self.unknown)}.")
        if self.repeated:
            said.append(f"Ids given twice with the same output: {_some(self.repeated)}.")
        if self.missing:
            said.append(f"Items without an output, which count as wrong: {_some(self.missing)}.")
        return said


def _some(ids: Sequence[str]) -> str:
    shown = ", ".join(ids[:NAMED_IDS]) + (", …" if len(ids) > NAMED_IDS else "")
    return f"{len(ids):,} ({shown})"


def read_answers(path: Path, items: Sequence[Item]) -> Answers:
    """Read an answers file, one ``{"id": …, "output": …}`` per line.

    Raises
    ------
    DataError
        If it cannot be read or is too large, a line is broken (it is named), an id has two different outputs, or no id fits.
    """
    return parse_answers(read_file(path, "answers file"), path.name, items)


def parse_answers(content: bytes, name: str, items: Sequence[Item]) -> Answers:
    """Read the content of an answers file, as `read_answers` does."""
    outputs: dict[str, str] = {}
    repeated: list[str] = []
    for number, row in parse_lines(content, name, "answers"):
        key, output = row.get("id"), row.get("output")
        if not isinstance(key, str) or not key:
            raise DataError(f"'{name}', line {number}: 'id' is missing. Each line needs 'id' and 'output'.")
        if "output" not in row or not isinstance(output, str | None):
            raise DataError(f"'{name}', line {number}: 'output' of {key} must be text, found {output!r}.")
        text = output or ""
        if key in outputs:
            if outputs[key] != text:
                raise DataError(
                    f"'{name}', line {number}: the id {key} stands there twice with different outputs."
                )
            repeated.append(key)
        outputs[key] = text
    known = [item.id for item in items]
    unknown = tuple(key for key in outputs if key not in set(known))
    if not outputs or len(unknown) == len(outputs):
        raise DataError(
            f"No answer in '{name}' belongs to one of the {len(known)} items (ids such as {known[0]}). "
            "Check that the answers were made for this items file."
        )
    return Answers(
        outputs={key: text for key, text in outputs.items() if key in set(known)},
        unknown=unknown,
        repeated=tuple(dict.fromkeys(repeated)),
        missing=tuple(key for key in known if key not in outputs),
    )


def remember(item: Item, as_of: PartialDate | None = None) -> str:
    """Answer from memory alone, as a model that learnt the world up to a day.

    Parameters
    ----------
    item
        The item; its documents are not looked at.
    as_of
        Facts that changed by this day are known in their new form, later ones in their old form. None: all in their
        old form.

    Returns
    -------
    str
        For a chain that has changed, an answerer without documents can only name what it knows of the changed fact.
    """
    knows_new = as_of is not None and compare(item.changed_on, as_of) <= 0
    text = item.answers[0] if knows_new else item.old.label
    if not item.options:
        return text
    if text in item.options:
        return LETTERS[item.options.index(text)]
    return LETTERS[item.options.index(UNKNOWN)]


def read_documents(item: Item) -> str:
    """Answer from the documents alone: follow the question's subject to the first other name in its document.

    A plain reader, on purpose: it sees the question, the options and the texts, never the gold answers.
    """
    name = _follow(item.question, item.documents)
    if not item.options:
        return name
    for letter, option in zip(LETTERS, item.options, strict=True):
        if option != UNKNOWN and name and (contains_any(option, [name]) or contains_any(name, [option])):
            return letter
    texts = " ".join(document.text for document in item.documents)
    for letter, option in zip(LETTERS, item.options, strict=True):
        if option != UNKNOWN and contains_any(texts, [option]):
            return letter
    return LETTERS[item.options.index(UNKNOWN)]


def _follow(question: str, documents: Sequence[ItemDocument]) -> str:
    """Walk from document to document, each time by the name found last, until none is left that has it."""
    left, known, found = list(documents), question, ""
    while left:
        place = max(range(len(left)), key=lambda index: _overlap(found or question, left[index]))
        if _overlap(found or question, left[place]) == 0:
            break
        document = left.pop(place)
        found = next((name for name in names_in(document.text) if not contains_any(known, [name])), found)
        known = f"{known} {found}"
    return found


def _overlap(text: str, document: ItemDocument) -> int:
    """Count the letters of the names in a text that the document has too."""
    return sum(len(name) for name in names_in(text) if contains_any(document.text, [name]))


def names_in(text: str) -> list[str]:
    """Find what looks like names: runs of capitalised words, in the order of the text.

    Examples
    --------
    >>> names_in("Since 1 June 2023 Helen McEntee has been Minister for Justice.")
    ['Helen McEntee', 'Minister for Justice']
    """
    names: list[str] = []
    for run in _CAPITAL.finditer(tidy(text)):
        words: list[str] = []
        for word in run.group().split():
            if (word[:1].isupper() and word not in _NOT_NAMES) or (
                words and not word[:1].isupper() and word in _LINKS
            ):
                words.append(word)
            else:
                names.append(_joined(words))
                words = []
        names.append(_joined(words))
    return list(dict.fromkeys(name for name in names if name))


_LINKS: Final = frozenset({"of", "the", "de", "da", "van", "von", "and", "for", "&"})


def _joined(words: Sequence[str]) -> str:
    kept = list(words)
    while kept and kept[-1] in _LINKS:
        kept.pop()
    return " ".join(kept).rstrip(".,;:")


Answerer = Callable[[Item], str]

BASELINES: Final[Mapping[str, Answerer]] = {"remembers": remember, "reads": read_documents}


def baseline(name: str) -> Answerer:
    """Find a simple answerer: ``remembers``, ``remembers:DATE`` (knows the world up to that day) or ``reads``.

    Raises
    ------
    UsageError
        If there is none of that name.
    """
    from core.fresh.times import parse_day

    kind, _, day = name.partition(":")
    if kind == "remembers" and day:
        return partial(remember, as_of=parse_day(day, "day that the answerer knows"))
    if kind not in BASELINES or day:
        raise UsageError(f"Unknown answerer '{name}'. Known: remembers, remembers:DATE, reads.")
    return BASELINES[kind]


def answer_all(items: Sequence[Item], answerer: Answerer) -> Answers:
    """Let an answerer answer every item."""
    return Answers({item.id: answerer(item) for item in items})
