"""Tables of the sample for figures and for the reader: one row for each step, change, period or score."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from core.fresh.facts import EXPLANATIONS, ChangedFact, Drop, Funnel
from core.fresh.relations import RELATIONS
from core.fresh.times import PartialDate, compare

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date

    import pandas as pd

    from core.fresh.entities import Statement
    from core.fresh.sample import Sample
    from core.fresh.scoring import ScoreReport

USABLE: Final = "usable"
KNOWN: Final = "known by the cutoff"
OUT: Final = "after the cutoff, not usable"
_HALF_YEAR: Final = 7
_MID_MONTH: Final = 15


def funnel_frame(
    funnel: Funnel, first: str, last: str, source: str, label: str = "recomputed"
) -> pd.DataFrame:
    """Return a funnel as rows: all cases, each reason that occurred, what is left.

    Returns
    -------
    pandas.DataFrame
        `step`, `kind` (``all``, ``dropped``, ``kept``), `count`, `left`, `why`, `label`, `source`.
    """
    import pandas as pd

    rows: list[dict[str, Any]] = [
        {"step": first, "kind": "all", "count": funnel.considered, "left": funnel.considered, "why": ""}
    ]
    rows += [
        {"step": reason.value, "kind": "dropped", "count": count, "left": left, "why": EXPLANATIONS[reason]}
        for reason, count, left in funnel.rows()
    ]
    rows.append({"step": last, "kind": "kept", "count": funnel.kept, "left": funnel.kept, "why": ""})
    return pd.DataFrame(rows).assign(label=label, source=source)


@dataclass(frozen=True, slots=True)
class _Event:
    pair: tuple[str, str]
    old: Statement
    new: Statement


def _events(sample: Sample, *, made_up: bool) -> list[_Event]:
    """Every place in the sample where a dated value follows another one."""
    events = []
    for pair, group in sample.statements.items():
        if sample.is_made_up(pair) and not made_up:
            continue
        dated = sorted((each for each in group if each.start), key=lambda each: each.start.sort_key)  # type: ignore[union-attr]
        events += [
            _Event(pair, before, after) for before, after in pairwise(dated) if before.value != after.value
        ]
    return events


def changes_frame(
    sample: Sample, cutoff: PartialDate, until: PartialDate, *, made_up: bool = False
) -> pd.DataFrame:
    """Return every change in the sample with what it is at a cutoff.

    Returns
    -------
    pandas.DataFrame
        `subject`, `relation`, `old`, `new`, `changed` (text with 00 for unknown parts), `day` (a date to draw it at: the
        middle of what is known), `precision`, `status` (`USABLE`, `KNOWN` or `OUT`), `why`, `made_up`, `label`, `source`;
        in the order of time.
    """
    import pandas as pd

    rows = []
    for event in _events(sample, made_up=made_up):
        start = event.new.start
        assert start is not None
        outcome = sample.outcome(event.pair, cutoff, until)
        status, why = _status(outcome, event, cutoff)
        rows.append(
            {
                "subject": _label(sample, event.pair[0]),
                "relation": RELATIONS[event.pair[1]].name,
                "old": _label(sample, event.old.value),
                "new": _label(sample, event.new.value),
                "changed": start.as_digits(),
                "day": middle_day(start),
                "precision": start.precision.name.lower(),
                "status": status,
                "why": why,
                "made_up": sample.is_made_up(event.pair),
            }
        )
    frame = pd.DataFrame(rows).sort_values(["changed", "subject"], kind="stable").reset_index(drop=True)
    return frame.assign(label="recomputed", source=sample.provenance.source)


def _status(outcome: ChangedFact | Drop, event: _Event, cutoff: PartialDate) -> tuple[str, str]:
    assert event.new.start is not None
    if compare(event.new.start, cutoff) <= 0:
        return KNOWN, "It changed by the cutoff."
    if isinstance(outcome, Drop):
        return OUT, EXPLANATIONS[outcome]
    if outcome.new.entity.qid != event.new.value:
        return OUT, "A later change within the window replaces it."
    return USABLE, ""


def middle_day(day: PartialDate) -> date:
    """Return a date to draw a partly known date at: the middle of the month or of the year."""
    from datetime import date

    return date(day.year, day.month or _HALF_YEAR, day.day or (_MID_MONTH if day.month else 1))


def _label(sample: Sample, qid: str | None) -> str:
    if qid is None:
        return "(no value)"
    return sample.entities[qid].label or f"({qid}, no label)"


def timeline_frame(
    sample: Sample, pair: tuple[str, str], cutoff: PartialDate, until: PartialDate
) -> pd.DataFrame:
    """Return the dated values of one subject and relation.

    Returns
    -------
    pandas.DataFrame
        `value`, `start`, `end` (text with 00 for unknown parts; empty: none), `first_day`, `last_day` (the earliest start
        and the latest end that the dates allow; an open period runs to `until`), `open`, `role` (``old``, ``new`` or
        ``other``), `label`, `source`. Empty if no value is dated.
    """
    import pandas as pd

    outcome = sample.outcome(pair, cutoff, until)
    names = ["value", "start", "end", "first_day", "last_day", "open", "role"]
    rows = []
    for each in sample.statements[pair]:
        if each.start is None or (first := each.start.first_day()) is None:
            continue
        role = "other"
        if isinstance(outcome, ChangedFact):
            if (each.value, each.start) == (outcome.old.entity.qid, outcome.old.start):
                role = "old"
            elif (each.value, each.start) == (outcome.new.entity.qid, outcome.new.start):
                role = "new"
        end = last_day(each.end) if each.end else last_day(until)
        rows.append(
            {
                "value": _label(sample, each.value),
                "start": each.start.as_digits(),
                "end": each.end.as_digits() if each.end else "",
                "first_day": first,
                "last_day": max(end, first),
                "open": each.end is None,
                "role": role,
            }
        )
    frame = pd.DataFrame(rows, columns=names).sort_values(["first_day", "value"], kind="stable")
    return frame.reset_index(drop=True).assign(label="recomputed", source=sample.provenance.source)


def last_day(day: PartialDate) -> date:
    """Return the last day that a partly known date can mean."""
    from datetime import date, timedelta

    if day.month is None:
        return date(day.year, 12, 31)
    if day.day is None:
        following = date(day.year + day.month // 12, day.month % 12 + 1, 1)
        return following - timedelta(days=1)
    return date(day.year, day.month, day.day)


def score_frame(report: ScoreReport, label: str, source: str) -> pd.DataFrame:
    """Return a report's figures in percent with their origin: the columns of `ScoreReport.frame`, `label`, `source`."""
    frame = report.frame()
    for name in ("value", "low", "high"):
        frame[name] = 100 * frame[name]
    return frame.assign(label=label, source=source)


def facts_table(facts: Sequence[ChangedFact]) -> list[dict[str, str]]:
    """Return facts as rows for a reader."""
    return [
        {
            "subject": fact.subject.label or "",
            "relation": RELATIONS[fact.relation].name,
            "old value": fact.old.entity.label or "",
            "new value": fact.new.entity.label or "",
            "since": fact.new.start.in_words() if fact.new.start else "",
        }
        for fact in facts
    ]
