"""Entities and dated statements, read from Wikidata's JSON.

The original benchmark keeps deprecated statements; here they are dropped, because Wikidata's editors have marked
them as wrong. Several start times on one statement are read as several periods of the same value.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from core.fresh.names import tidy
from core.fresh.times import PartialDate, compare, parse_snak_time

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Rank = Literal["preferred", "normal"]

START: Final = "P580"
END: Final = "P582"
_QID: Final = re.compile(r"^[Qq]([1-9]\d*)$")
_ANY_LANGUAGE: Final = "mul"


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing that facts are about.

    Parameters
    ----------
    qid
        Its id, with a capital Q.
    label
        Its name in the language, or None.
    aliases
        Other names in the language, without the label.
    wiki_title
        The title of its Wikipedia page in the language, or None.
    made_up
        True for an invented entity of the sample.
    """

    qid: str
    label: str | None = None
    aliases: tuple[str, ...] = ()
    wiki_title: str | None = None
    made_up: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The label and the aliases, the label first."""
        return self.aliases if self.label is None else (self.label, *self.aliases)


@dataclass(frozen=True, slots=True)
class Statement:
    """One value of one relation for one period.

    Parameters
    ----------
    subject, relation
        Ids, such as Q38 and P6.
    value
        The object's id; None where Wikidata says that there is none or that it is unknown.
    start, end
        The period; None where unknown.
    rank
        ``preferred`` or ``normal``; deprecated statements are not kept.
    claim_id
        Wikidata's id of the statement, or None.
    """

    subject: str
    relation: str
    value: str | None
    start: PartialDate | None = None
    end: PartialDate | None = None
    rank: Rank = "normal"
    claim_id: str | None = None


def normal_qid(text: object) -> str | None:
    """Return an item id with a capital Q, or None if it is not one.

    Examples
    --------
    >>> normal_qid("q114"), normal_qid("P6"), normal_qid("Q0")
    ('Q114', None, None)
    """
    match = _QID.match(text) if isinstance(text, str) else None
    return f"Q{match.group(1)}" if match else None


def read_entity(raw: dict[str, Any], language: str) -> Entity | None:
    """Read an entity's names and page.

    Parameters
    ----------
    raw
        An entity as Wikidata writes it (dump line or API).
    language
        A language code. Wikidata's label for all languages ("mul") stands in where the language has none.

    Returns
    -------
    Entity or None
        None if it has no item id.
    """
    qid = normal_qid(raw.get("id"))
    if qid is None:
        return None
    labels, sitelinks = _mapping(raw.get("labels")), _mapping(raw.get("sitelinks"))
    label = _value(labels.get(language)) or _value(labels.get(_ANY_LANGUAGE))
    aliases = _mapping(raw.get("aliases"))
    names = [_value(entry) for code in (language, _ANY_LANGUAGE) for entry in _listing(aliases.get(code))]
    link = _mapping(sitelinks.get(f"{language.replace('-', '_')}wiki"))
    title = link.get("title")
    return Entity(
        qid=qid,
        label=label,
        aliases=tuple(dict.fromkeys(name for name in names if name and name != label)),
        wiki_title=title if isinstance(title, str) and title.strip() else None,
    )


def read_statements(
    raw: dict[str, Any], relations: Iterable[str], counts: Counter[str] | None = None
) -> Iterator[Statement]:
    """Read an entity's statements of some relations.

    Parameters
    ----------
    raw
        An entity as Wikidata writes it.
    relations
        Property ids.
    counts
        Receives ``statements``, ``deprecated``, ``several starts``, ``unreadable start``, ``no value`` and
        ``malformed``.

    Yields
    ------
    Statement
        One for each period; a statement with no usable start has ``start=None``.
    """
    counts = Counter() if counts is None else counts
    subject, claims = normal_qid(raw.get("id")), _mapping(raw.get("claims"))
    if subject is None or not claims:
        return
    for relation in relations:
        if relation not in claims:
            continue
        group = _listing(claims[relation])
        counts["statements"] += len(group)
        for claim in group:
            if not isinstance(claim, dict) or not isinstance(claim.get("mainsnak"), dict):
                counts["malformed"] += 1
            elif claim.get("rank") == "deprecated":
                counts["deprecated"] += 1
            else:
                yield from _periods_of(claim, subject, relation, counts)


def _periods_of(claim: dict[str, Any], subject: str, relation: str, counts: Counter[str]) -> list[Statement]:
    snak = claim["mainsnak"]
    value: str | None = None
    if snak.get("snaktype") == "value":
        value = _object_id(snak)
        if value is None:
            counts["malformed"] += 1
            return []
    else:
        counts["no value"] += 1
    starts: list[PartialDate] = []
    ends: list[PartialDate] = []
    qualifiers = claim.get("qualifiers")
    if isinstance(qualifiers, dict):
        start_snaks = _listing(qualifiers.get(START))
        starts = [time for snak in start_snaks if (time := parse_snak_time(snak))]
        ends = [time for snak in _listing(qualifiers.get(END)) if (time := parse_snak_time(snak))]
        if start_snaks and not starts:
            counts["unreadable start"] += 1
    periods = split_periods(starts, ends)
    if len(periods) > 1:
        counts["several starts"] += 1
    rank: Rank = "preferred" if claim.get("rank") == "preferred" else "normal"
    claim_id = claim.get("id") if isinstance(claim.get("id"), str) else None
    return [Statement(subject, relation, value, start, end, rank, claim_id) for start, end in periods]


def split_periods(
    starts: list[PartialDate], ends: list[PartialDate]
) -> list[tuple[PartialDate | None, PartialDate | None]]:
    """Pair the starts and ends of one statement into periods.

    Starts that agree as far as both are known are one start, the finer kept. Each end belongs to the earliest period
    that it can close; of several, the latest counts (the cautious reading for an overlap).

    Examples
    --------
    >>> a, b, c = PartialDate(2010), PartialDate(2012), PartialDate(2019)
    >>> [(start.year, end and end.year) for start, end in split_periods([c, a], [b])]
    [(2010, 2012), (2019, None)]
    """
    if len(starts) < 2 and len(ends) < 2:
        return [(starts[0] if starts else None, ends[0] if ends else None)]
    distinct: list[PartialDate] = []
    for start in sorted(starts, key=lambda each: each.sort_key):
        if distinct and compare(distinct[-1], start) == 0:
            distinct[-1] = max(distinct[-1], start, key=lambda each: each.precision)
        else:
            distinct.append(start)
    left = sorted(ends, key=lambda each: each.sort_key)
    if not distinct:
        return [(None, left[-1] if left else None)]
    periods: list[tuple[PartialDate | None, PartialDate | None]] = []
    for index, start in enumerate(distinct):
        following = distinct[index + 1] if index + 1 < len(distinct) else None
        closing = [
            end
            for end in left
            if following is None or (compare(start, end) <= 0 and compare(end, following) <= 0)
        ]
        left = [end for end in left if end not in closing]
        periods.append((start, closing[-1] if closing else None))
    return periods


def _object_id(snak: dict[str, Any]) -> str | None:
    value = _mapping(_mapping(snak.get("datavalue")).get("value"))
    qid = normal_qid(value.get("id"))
    if qid is None and value.get("entity-type") == "item" and isinstance(value.get("numeric-id"), int):
        qid = normal_qid(f"Q{value['numeric-id']}")
    return qid


def _mapping(value: Any) -> dict[str, Any]:
    """Return an object; Wikidata writes an empty one as an empty list."""
    return value if isinstance(value, dict) else {}


def _listing(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _value(entry: Any) -> str | None:
    text = _mapping(entry).get("value")
    return (tidy(text) or None) if isinstance(text, str) else None
