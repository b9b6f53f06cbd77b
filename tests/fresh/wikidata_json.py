"""Building Wikidata's JSON for tests, in the form of the dump."""

from __future__ import annotations

import json


def time_snak(time: str | None, precision: int = 11, kind: str = "value") -> dict:
    snak = {"snaktype": kind, "property": "P580", "datatype": "time"}
    if kind == "value":
        snak["datavalue"] = {"type": "time", "value": {"time": time, "precision": precision, "timezone": 0}}
    return snak


def claim(
    relation,
    value,
    start=None,
    end=None,
    *,
    rank="normal",
    claim_id=None,
    kind="value",
    starts=None,
    ends=None,
):
    """`start` and `end` are (time, precision) or text; `starts` and `ends` are whole snaks."""
    mainsnak = {"snaktype": kind, "property": relation, "datatype": "wikibase-item"}
    if kind == "value":
        mainsnak["datavalue"] = {"type": "wikibase-entityid", "value": {"entity-type": "item", "id": value}}
    qualifiers = {}
    for key, given, snaks in (("P580", start, starts), ("P582", end, ends)):
        if snaks is not None:
            qualifiers[key] = snaks
        elif given is not None:
            time, precision = given if isinstance(given, tuple) else (given, 11)
            qualifiers[key] = [time_snak(f"+{time}T00:00:00Z" if time[0].isdigit() else time, precision)]
    made = {"mainsnak": mainsnak, "rank": rank, "type": "statement", "id": claim_id}
    return {**made, "qualifiers": qualifiers} if qualifiers else made


def entity(qid, label=None, *, aliases=(), title=None, claims=(), language="en"):
    grouped: dict[str, list] = {}
    for each in claims:
        grouped.setdefault(each["mainsnak"]["property"], []).append(each)
    return {
        "type": "item",
        "id": qid,
        "labels": {language: {"language": language, "value": label}} if label else [],
        "aliases": {language: [{"language": language, "value": name} for name in aliases]} if aliases else [],
        "claims": grouped or [],
        "sitelinks": {f"{language}wiki": {"site": f"{language}wiki", "title": title}} if title else {},
    }


def dump_lines(entities) -> bytes:
    return (
        "[\n"
        + ",\n".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in entities)
        + "\n]\n"
    ).encode()


def world():
    """A country with a new head of government, a footballer with a new team and its coach, and what they need."""
    return [
        entity("Q1", "Arland", title="Arland", claims=[
            claim("P6", "Q11", "2019-05-01", "2023-03-10", claim_id="Q1$a"), claim("P6", "Q12", "2023-03-10", claim_id="Q1$b"),
        ]),
        entity("Q2", "Bo Berg", title="Bo Berg", claims=[
            claim("P54", "Q21", ("2020-00-00", 9), ("2022-00-00", 9)), claim("P54", "Q22", ("2023-07-00", 10)),
        ]),
        entity("Q3", "Unmoved", title="Unmoved", claims=[claim("P6", "Q11", "2019-05-01")]),
        entity("Q11", "Old Head", title="Old Head"),
        entity("Q12", "New Head", aliases=["N. Head"], title="New Head", claims=[claim("P26", "Q13", "2001-01-01")]),
        entity("Q13", "Spouse One", title="Spouse One", claims=[claim("P27", "Q14")]),
        entity("Q14", "Norland", title="Norland"),
        entity("Q21", "Old Team", title="Old Team"),
        entity("Q22", "New Team", title="New Team", claims=[claim("P286", "Q23", "2021-01-01"), claim("P118", "Q24")]),
        entity("Q23", "Coach One", title="Coach One", claims=[claim("P27", "Q14")]),
        entity("Q24", "First League", title="First League"),
    ]  # fmt: skip
