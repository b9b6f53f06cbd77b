"""What the changed facts page shows, computed once per small frozen description and shared by all visitors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from core.data_files import DATA_FOLDER
from core.figures.fresh_scores import HOP_WORDS, SETTINGS
from core.figures.guess_mark import Spot
from core.fresh import frames, published
from core.fresh.answers import answer_all, baseline
from core.fresh.building import BuildSettings, build_items
from core.fresh.documents import choose_revision, later_than
from core.fresh.revisions import RevisionFolder
from core.fresh.sample import DEFAULT_UNTIL, load_sample
from core.fresh.scoring import score_items
from core.fresh.times import parse_day

if TYPE_CHECKING:
    from core.fresh.building import ItemSet
    from core.fresh.facts import ChangedFact, Drop, Funnel
    from core.fresh.scoring import ScoreReport
    from core.fresh.times import PartialDate

UNTIL = DEFAULT_UNTIL
SIMPLE_ANSWERERS = {
    "memory": "A memory that ends on {day}",
    "old": "A memory of the old values",
    "reads": "A plain reader",
}


@dataclass(frozen=True, slots=True)
class Wish:
    """A set of items: everything that it depends on besides the sample.

    Parameters
    ----------
    cutoff
        ISO date.
    format, hops, distractors, seed
        As in `BuildSettings`.
    made_up
        Whether made-up cases take part.
    """

    cutoff: str
    format: str = "generation"
    hops: int = 1
    distractors: int = 0
    seed: int = 0
    made_up: bool = False

    def settings(self) -> BuildSettings:
        """Return the settings of `core.fresh.building`."""
        return BuildSettings(
            cutoff=day_of(self.cutoff),
            until=UNTIL,
            format=self.format,  # type: ignore[arg-type]
            hops=self.hops,
            distractors=self.distractors,
            seed=self.seed,
        )


def day_of(iso: str) -> PartialDate:
    """Return a control's date."""
    return parse_day(iso, "cutoff")


@st.cache_data(max_entries=64, show_spinner=False)
def changed(cutoff: str, *, made_up: bool) -> tuple[list[ChangedFact], Funnel]:
    """Return the sample's facts that changed after a cutoff, with the funnel."""
    return load_sample().changed_facts(day_of(cutoff), UNTIL, made_up=made_up)


@st.cache_data(max_entries=64, show_spinner=False)
def funnel_rows(cutoff: str, *, made_up: bool):  # noqa: ANN201 - a data frame, imported lazily
    """Return the funnel of the change rule as a table."""
    funnel = changed(cutoff, made_up=made_up)[1]
    return frames.funnel_frame(funnel, "All cases", "Changed", load_sample().provenance.source)


@st.cache_data(max_entries=64, show_spinner=False)
def change_rows(cutoff: str, *, made_up: bool):  # noqa: ANN201
    """Return every change in the sample as a table."""
    return frames.changes_frame(load_sample(), day_of(cutoff), UNTIL, made_up=made_up)


@st.cache_data(max_entries=128, show_spinner=False)
def timeline_rows(pair: tuple[str, str], cutoff: str):  # noqa: ANN201
    """Return the dated values of one fact as a table."""
    return frames.timeline_frame(load_sample(), pair, day_of(cutoff), UNTIL)


def outcome(pair: tuple[str, str], cutoff: str) -> ChangedFact | Drop:
    """Apply the change rule to one fact."""
    return load_sample().outcome(pair, day_of(cutoff), UNTIL)


@st.cache_data(max_entries=64, show_spinner=False)
def item_set(wish: Wish) -> ItemSet:
    """Build a set from the sample."""
    facts = changed(wish.cutoff, made_up=wish.made_up)[0]
    return build_items(facts, load_sample(), wish.settings())


@st.cache_data(max_entries=64, show_spinner=False)
def set_funnel_rows(wish: Wish):  # noqa: ANN201
    """Return both stages of the funnel as one table."""
    funnel = changed(wish.cutoff, made_up=wish.made_up)[1].then(item_set(wish).funnel)
    return frames.funnel_frame(funnel, "All cases", "Gave items", load_sample().provenance.source)


@st.cache_data(max_entries=64, show_spinner=False)
def simple_scores(wish: Wish, answerer: str, learnt: str, bucket: str) -> ScoreReport:
    """Score one of the simple answerers on a set."""
    names = {"memory": f"remembers:{learnt}", "old": "remembers", "reads": "reads"}
    items = item_set(wish).items
    answers = answer_all(items, baseline(names[answerer]))
    return score_items(items, answers, bucket=bucket, cutoff=score_cutoff(answerer, learnt))  # type: ignore[arg-type]


def simple_source() -> str:
    """Return where the scores of the simple answerers come from, one line."""
    return f"Simple answerer on items from {load_sample().provenance.source}"


def score_cutoff(answerer: str, learnt: str) -> PartialDate | None:
    """Return the day at which scores are told apart; None where no memory ends."""
    return day_of(learnt) if answerer in {"memory", "file"} else None


@st.cache_data(max_entries=1, show_spinner=False)
def published_rows():  # noqa: ANN201
    """Return the published scores with their origin."""
    found = published.results()
    return found.frame.assign(label="published", source=found.provenance.sentence)


@st.cache_data(max_entries=1, show_spinner=False)
def signal_rows():  # noqa: ANN201
    """Return the published change at the cutoff with its origin."""
    found = published.cutoff_signal()
    return found.frame.assign(label="published", source=found.provenance.sentence)


def _mean_scores() -> tuple[float, float]:
    """Return the published mean exact match without and with seven distracting documents, single-hop."""
    rows = published_rows()
    own = rows[(rows["format"] == "generation") & (rows["metric"] == "EM") & (rows["hops"] == "single")]
    means = own.groupby("distractors")["value"].mean()
    return float(means[SETTINGS[0]]), float(means[SETTINGS[-1]])


def mean_loss() -> float:
    """Return the published mean loss of exact match between no and seven distracting documents, single-hop."""
    without, with_most = _mean_scores()
    return without - with_most


def guess_spot() -> Spot:
    """Return where a guessed mean loss stands in the figure of published scores."""
    return Spot(
        "distractors",
        SETTINGS[-1],
        "value",
        "points lost on average with seven distracting documents",
        base=_mean_scores()[0],
        sign=-1,
        panel=HOP_WORDS["single"],
    )


@st.cache_data(max_entries=1, show_spinner=False)
def day_rule_rows() -> list[dict[str, str]]:
    """Return the saved revisions of the made-up page, each with what the day rule says of it."""
    sample = load_sample()
    fact = next(
        found for found in changed("2022-06-30", made_up=True)[0] if found.subject.label == "Aslaug Foods"
    )
    assert fact.new.start is not None
    title = sample.entities[fact.new.entity.qid].wiki_title or ""
    found = RevisionFolder(DATA_FOLDER / "fresh" / "revisions").revisions(title)
    chosen = choose_revision(found, fact.new.start)
    assert chosen is not None
    rows = []
    for each in found:
        if not later_than(each, fact.new.start):
            verdict = "not later than the day of the change"
        elif each is chosen:
            verdict = "taken: the last of the earliest later day"
        elif each.timestamp.date() == chosen.timestamp.date():
            verdict = "same day, but not the last"
        else:
            verdict = "a later day"
        rows.append(
            {
                "revision": str(each.revision_id),
                "saved": f"{each.timestamp:%Y-%m-%d %H:%M} UTC",
                "verdict": verdict,
            }
        )
    return rows
