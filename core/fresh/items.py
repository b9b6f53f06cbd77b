"""The form of a test item, checked by pydantic whenever items are written or read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from core.errors import DataError
from core.files import read_file
from core.fresh.files import parse_lines
from core.fresh.relations import RELATIONS
from core.fresh.times import PartialDate, compare, parse_time

if TYPE_CHECKING:
    from pathlib import Path

Format = Literal["generation", "choice"]
OptionType = Literal["correct", "outdated", "unknown", "other"]

LETTERS: Final = ("A", "B", "C", "D")
UNKNOWN: Final = "Unknown."
DISTRACTOR_COUNTS: Final = (0, 3, 5, 7)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class ItemEntity(_Part):
    """An entity in an item; `name` is the name that the question uses, for the subject only."""

    qid: str = Field(pattern=r"^Q[1-9]\d*$")
    label: str = Field(min_length=1)
    aliases: list[str] = []
    name: str | None = None


class ItemValue(ItemEntity):
    """A value of a relation with its period; unknown parts of a date are 00, an unknown date is null."""

    start: str | None = None
    end: str | None = None
    claim_id: str | None = None

    @model_validator(mode="after")
    def _dates(self) -> Self:
        for text in (self.start, self.end):
            if text is not None and parse_time(text) is None:
                raise ValueError(f"no date: {text!r}")
        return self

    @property
    def names(self) -> tuple[str, ...]:
        """The label and the aliases."""
        return (self.label, *self.aliases)


class ItemHop(_Part):
    """One step of a chain: the relation of a subject and its value."""

    relation: str
    subject: ItemEntity
    value: ItemValue


class ItemDocument(_Part):
    """A document given with the question; a revision carries its id and time as evidence, a summary carries none."""

    title: str
    text: str = Field(min_length=1)
    role: Literal["gold", "distractor"]
    source: Literal["revision", "summary"]
    revision_id: int | None = None
    timestamp: str | None = None

    @model_validator(mode="after")
    def _evidence(self) -> Self:
        if (self.source == "revision") != (self.revision_id is not None and self.timestamp is not None):
            raise ValueError("a revision needs 'revision_id' and 'timestamp', and a summary has neither")
        return self


class Item(_Part):
    """One question with its answers, its documents and the evidence.

    `options` and `types` are empty for free generation; for multiple choice they hold four texts and what each of them
    is, in the order A to D. `hops` counts the relations from the subject to the answer.
    """

    id: str = Field(min_length=1)
    format: Format
    hops: int = Field(ge=1, le=3)
    distractors: Literal[0, 3, 5, 7]
    language: str
    relation: str
    question: str = Field(min_length=1)
    answers: list[str] = Field(min_length=1)
    options: list[str] = []
    types: list[OptionType] = []
    documents: list[ItemDocument]
    subject: ItemEntity
    old: ItemValue
    new: ItemValue
    chain: list[ItemHop] = []
    cutoff: str
    until: str
    seed: int
    new_has_ended: bool = False
    made_up: bool = False

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.relation not in RELATIONS:
            raise ValueError(f"unknown relation {self.relation!r}")
        if len(self.chain) != self.hops - 1:
            raise ValueError(f"{self.hops} hops need a chain of {self.hops - 1}, found {len(self.chain)}")
        gold = sum(document.role == "gold" for document in self.documents)
        if gold != self.hops or len(self.documents) - gold != self.distractors:
            raise ValueError(f"expected {self.hops} gold and {self.distractors} distracting documents")
        self._check_options()
        self._check_dates()
        return self

    def _check_options(self) -> None:
        if self.format == "generation":
            if self.options or self.types:
                raise ValueError("free generation has no options")
            return
        wanted = (
            ["correct", "other", "outdated", "unknown"]
            if self.hops == 1
            else ["correct", "other", "other", "unknown"]
        )
        if len(self.options) != 4 or sorted(self.types) != wanted:
            raise ValueError(f"four options of the types {', '.join(wanted)} are needed")
        if len(set(self.options)) != 4:
            raise ValueError("two options are the same")
        if self.options[self.types.index("correct")] not in self.answers:
            raise ValueError("the correct option is not among the answers")

    def _check_dates(self) -> None:
        cutoff = parse_time(self.cutoff)
        start = parse_time(self.new.start)
        if cutoff is None or start is None or parse_time(self.until) is None:
            raise ValueError("'cutoff', 'until' and 'new.start' must be dates")
        if compare(start, cutoff) <= 0:
            raise ValueError("the new value started by the cutoff")

    @property
    def setting(self) -> str:
        """Hops and documents, in the words of the published tables (``single_hop_gold``, ``multi_hop_n3``)."""
        return f"{'single' if self.hops == 1 else 'multi'}_hop_{f'n{self.distractors}' if self.distractors else 'gold'}"

    @property
    def changed_on(self) -> PartialDate:
        """When the new value started."""
        start = parse_time(self.new.start)
        assert start is not None
        return start

    @property
    def correct_letter(self) -> str | None:
        """The letter of the correct option; None for free generation."""
        return LETTERS[self.types.index("correct")] if self.types else None

    def type_of(self, letter: str) -> OptionType:
        """Return what an option is."""
        return self.types[LETTERS.index(letter)]

    def prompt(self) -> str:
        """Return the documents, the question and the options as one text to give to a model."""
        parts = [
            f"Document {number}: {each.title}\n{each.text}"
            for number, each in enumerate(self.documents, start=1)
        ]
        parts.append(f"Question: {self.question}")
        if self.options:
            parts.append(
                "\n".join(f"{letter}. {text}" for letter, text in zip(LETTERS, self.options, strict=True))
            )
            parts.append("Reply with the letter of the right option only.")
        else:
            parts.append("Reply with the name only.")
        return "\n\n".join(parts)


def read_items(path: Path) -> list[Item]:
    """Read an items file.

    Raises
    ------
    DataError
        If it cannot be read or is too large, a line is no item (line and key are named), an id stands there twice, or it is empty.
    """
    return parse_items(read_file(path, "items file"), path.name)


def parse_items(content: bytes, name: str) -> list[Item]:
    """Read the content of an items file, as `read_items` does."""
    items: dict[str, Item] = {}
    for number, row in parse_lines(content, name, "items"):
        item = checked_item(row, f"'{name}', line {number}")
        if item.id in items:
            raise DataError(f"'{name}', line {number}: the id {item.id} stands there twice.")
        items[item.id] = item
    if not items:
        raise DataError(f"'{name}' holds no item. Make one with 'fresh build'.")
    return list(items.values())


def checked_item(row: dict[str, Any], where: str) -> Item:
    """Make an item of a JSON object.

    Raises
    ------
    DataError
        If it is none; the first fault is named.
    """
    row = {key: value for key, value in row.items() if key != "setting"}
    try:
        return Item.model_validate(row)
    except ValidationError as problem:
        fault = problem.errors()[0]
        place = ".".join(str(part) for part in fault["loc"])
        raise DataError(
            f"{where}: {f'{place}: ' if place else ''}{fault['msg']}. Make items with 'fresh build'."
        ) from None


def item_row(item: Item) -> dict[str, Any]:
    """Return an item as a JSON object, its setting included."""
    return {**item.model_dump(mode="json"), "setting": item.setting}
