"""The 39 relations whose changes become items, and how their questions are put.

The relations, the page that documents each and the chains that may follow are AntiLeakBench's (arXiv 2412.13670,
appendix); the wording of the questions is this project's own, one template for each question form.
"""

from __future__ import annotations

import csv
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from core import data_files
from core.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Mapping

_TABLE: Final = "published/antileak_relations.csv"


@dataclass(frozen=True, slots=True)
class Template:
    """How a relation is put in words.

    Parameters
    ----------
    question
        The question, with ``{subject}`` and, where the form serves several relations, ``{relation}``.
    phrase
        The object described without its name, for a chain's next hop.
    """

    question: str
    phrase: str


TEMPLATES: Final[Mapping[str, Template]] = MappingProxyType({
    "head_of_government": Template("Who now leads the government of {subject}?", "the person who leads the government of {subject}"),
    "head_of_state": Template("Who is now the head of state of {subject}?", "the head of state of {subject}"),
    "headquarters_city": Template("In which place does {subject} now have its headquarters?", "the place where {subject} has its headquarters"),
    "person_in_role": Template("Which person is now {relation} of {subject}?", "the person who is {relation} of {subject}"),
    "affiliation": Template("With which organisation is {subject} now affiliated?", "the organisation with which {subject} is affiliated"),
    "team_of_member": Template("Which team does {subject} now belong to?", "the team to which {subject} belongs"),
    "position": Template("Which position does {subject} now hold?", "the position that {subject} holds"),
    "league": Template("In which league does {subject} now play?", "the league in which {subject} plays"),
    "party": Template("Which political party is {subject} now a member of?", "the political party of which {subject} is a member"),
    "organisation_of_member": Template("Which organisation or body is {subject} now a member of?", "the organisation or body of which {subject} is a member"),
    "team_of_coach": Template("Which team does {subject} now coach?", "the team that {subject} coaches"),
    "attribute_value": Template("What is now the {relation} of {subject}?", "the {relation} of {subject}"),
    "commander": Template("Under whose command is {subject} now?", "the commander of {subject}"),
    "university": Template("At which institution is {subject} now studying?", "the institution at which {subject} studies"),
    "holding_collection": Template("Which collection does {subject} now belong to?", "the collection to which {subject} belongs"),
})  # fmt: skip


@dataclass(frozen=True, slots=True)
class Relation:
    """A relation between a subject and an object.

    Parameters
    ----------
    property
        Wikidata's id, such as P6.
    name
        Its name in English.
    document_page
        Whose Wikipedia page is read: the ``subject``'s or the ``object``'s.
    question_form
        A key of `TEMPLATES`.
    chains
        Further relations that may follow from the object, each chain a tuple of property ids.
    """

    property: str
    name: str
    document_page: Literal["subject", "object"]
    question_form: str
    chains: tuple[tuple[str, ...], ...]

    def question(self, subject: str) -> str:
        """Put the question about `subject`.

        Examples
        --------
        >>> RELATIONS["P54"].question("Sandro Tonali")
        'Which team does Sandro Tonali now belong to?'
        """
        return (
            TEMPLATES[self.question_form]
            .question.replace("{relation}", self.name)
            .replace("{subject}", subject)
        )

    def phrase(self, subject: str) -> str:
        """Describe the object without its name."""
        return (
            TEMPLATES[self.question_form]
            .phrase.replace("{relation}", self.name)
            .replace("{subject}", subject)
        )


@lru_cache(maxsize=1)
def _load() -> Mapping[str, Relation]:
    relations: dict[str, Relation] = {}
    with data_files.path(_TABLE).open(encoding="utf-8", newline="") as table:
        for row in csv.DictReader(table):
            page = row["document_page"]
            relations[row["property"]] = Relation(
                property=row["property"],
                name=row["name"].replace(" / ", " or "),
                document_page="object" if page == "object" else "subject",
                question_form=row["question_form"],
                chains=tuple(
                    tuple(chain.strip().split(">"))
                    for chain in row["multi_hop_chains"].split(";")
                    if chain.strip()
                ),
            )
    return MappingProxyType(relations)


RELATIONS: Final = _load()


def relation(property_id: str) -> Relation:
    """Look a relation up.

    Raises
    ------
    UsageError
        If it is not one of the 39.
    """
    if property_id not in RELATIONS:
        raise UsageError(f"Unknown relation '{property_id}'. Known: {', '.join(RELATIONS)}.")
    return RELATIONS[property_id]
