"""Changed facts as JSON Lines, one fact with its names, dates and chains per line."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.errors import DataError
from core.fresh.entities import Entity, normal_qid
from core.fresh.facts import ChangedFact, Hop, Value
from core.fresh.files import read_lines
from core.fresh.names import tidy
from core.fresh.relations import RELATIONS
from core.fresh.times import PartialDate, parse_time

if TYPE_CHECKING:
    from pathlib import Path


def fact_to_row(fact: ChangedFact) -> dict[str, Any]:
    """Return a fact as a JSON object."""
    return {
        "id": fact.fact_id,
        "subject": _entity_row(fact.subject),
        "relation": fact.relation,
        "relation_name": RELATIONS[fact.relation].name,
        "old": _value_row(fact.old),
        "new": _value_row(fact.new),
        "chains": [
            [{"subject": _entity_row(hop.subject), "relation": hop.relation, "object": _value_row(hop.value)} for hop in chain]
            for chain in fact.chains
        ],
    }  # fmt: skip


def fact_from_row(row: dict[str, Any]) -> ChangedFact:
    """Read a fact back.

    Raises
    ------
    DataError
        If something is missing or is not what it should be; the message names the key.
    """
    relation = row.get("relation")
    if not isinstance(relation, str) or relation not in RELATIONS:
        raise DataError(f"'relation' is {relation!r}, not one of the {len(RELATIONS)} relations")
    chains = row.get("chains", [])
    if not isinstance(chains, list):
        raise DataError("'chains' is not a list")
    fact = ChangedFact(
        subject=_entity(row.get("subject"), "subject"),
        relation=relation,
        old=_value(row.get("old"), "old"),
        new=_value(row.get("new"), "new"),
        chains=tuple(tuple(_hop(hop) for hop in chain) for chain in chains),
    )
    if fact.old.start is None or fact.new.start is None or fact.old.end is None:
        raise DataError("'old' needs a start and an end, and 'new' a start")
    return fact


def read_facts(path: Path) -> list[ChangedFact]:
    """Read a facts file.

    Raises
    ------
    DataError
        If a line is broken (it is named), two lines are the same fact, or there is no fact.
    """
    facts: dict[str, ChangedFact] = {}
    for number, row in read_lines(path, "facts"):
        try:
            fact = fact_from_row(row)
        except DataError as problem:
            raise DataError(
                f"'{path.name}', line {number}: {problem}. Make the file with 'fresh facts'."
            ) from None
        if fact.fact_id in facts:
            raise DataError(f"'{path.name}', line {number}: the fact {fact.fact_id} stands there twice.")
        facts[fact.fact_id] = fact
    if not facts:
        raise DataError(
            f"'{path.name}' holds no fact. A wider window between cutoff and until may find some."
        )
    return list(facts.values())


def window_of(path: Path) -> tuple[PartialDate, PartialDate] | None:
    """Return the cutoff and the later day that a facts file was made for; None if it does not say."""
    for _, row in read_lines(path, "facts"):
        cutoff, until = parse_time(row.get("cutoff")), parse_time(row.get("until"))
        return (cutoff, until) if cutoff and until else None
    return None


def _entity_row(entity: Entity) -> dict[str, Any]:
    row: dict[str, Any] = {
        "qid": entity.qid,
        "label": entity.label,
        "aliases": list(entity.aliases),
        "wiki_title": entity.wiki_title,
    }
    return {**row, "made_up": True} if entity.made_up else row


def _value_row(value: Value) -> dict[str, Any]:
    return {
        **_entity_row(value.entity),
        "start": value.start.isoformat() if value.start else None,
        "end": value.end.isoformat() if value.end else None,
        "claim_id": value.claim_id,
    }


def _hop(row: Any) -> Hop:
    if not isinstance(row, dict) or row.get("relation") not in RELATIONS:
        raise DataError("a hop in 'chains' has no known 'relation'")
    return Hop(_entity(row.get("subject"), "subject"), row["relation"], _value(row.get("object"), "object"))


def _value(row: Any, key: str) -> Value:
    entity = _entity(row, key)
    claim_id = row.get("claim_id")
    return Value(
        entity=entity,
        start=_date(row.get("start"), f"{key}.start"),
        end=_date(row.get("end"), f"{key}.end"),
        claim_id=claim_id if isinstance(claim_id, str) else None,
    )


def _date(text: Any, key: str) -> PartialDate | None:
    if text is None:
        return None
    found = parse_time(text)
    if found is None:
        raise DataError(f"'{key}' is no date such as 2023-06-30 or 2023-00-00: {text!r}")
    return found


def _entity(row: Any, key: str) -> Entity:
    if not isinstance(row, dict):
        raise DataError(f"'{key}' is missing")
    qid, label, aliases, title = (
        normal_qid(row.get("qid")),
        row.get("label"),
        row.get("aliases", []),
        row.get("wiki_title"),
    )
    if qid is None:
        raise DataError(f"'{key}.qid' is no id such as Q38: {row.get('qid')!r}")
    if not isinstance(label, str) or not label.strip():
        raise DataError(f"'{key}.label' is missing")
    if not isinstance(aliases, list) or not all(isinstance(each, str) for each in aliases):
        raise DataError(f"'{key}.aliases' is not a list of names")
    return Entity(
        qid=qid,
        label=tidy(label),
        aliases=tuple(
            dict.fromkeys(name for each in aliases if (name := tidy(each)) and name != tidy(label))
        ),
        wiki_title=title if isinstance(title, str) else None,
        made_up=row.get("made_up") is True,
    )
