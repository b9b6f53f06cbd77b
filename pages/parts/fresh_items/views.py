"""The first three steps of the changed facts page: which facts, one change, build a set."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from core.figures.fresh_items import changes_figure, funnel_figure, timeline_figure
from core.fresh.documents import Claim
from core.fresh.facts import Drop
from core.fresh.relations import RELATIONS
from core.fresh.sample import load_sample
from core.fresh.times import from_date
from pages.kit.figure import show_figure
from pages.kit.frame import PROSE_WIDTH
from pages.kit.literal import plain_line
from pages.parts.fresh_items import data, words
from pages.parts.fresh_items.controls import CONTROLS, DAYS
from pages.parts.fresh_items.fetching import show_fetch
from pages.parts.fresh_items.showing import downloads, show_item

if TYPE_CHECKING:
    from core.fresh.facts import ChangedFact
    from core.fresh.items import Item
    from pages.kit.registry import PageInfo

SLIDER_WIDTH: Final = 560
SHOWN_ITEMS: Final = 200


def cutoff_words(iso: str) -> str:
    """Return a control's date in words."""
    return from_date(date.fromisoformat(iso)).in_words()


def _cutoff_control() -> str:
    with st.container(width=SLIDER_WIDTH):
        return CONTROLS.show("cutoff")


def show_facts(page: PageInfo) -> None:
    """Draw which facts become usable as the cutoff moves."""
    CONTROLS.show("view")
    cutoff = _cutoff_control()
    made_up = CONTROLS.show("made_up")
    name = cutoff_words(cutoff)
    rows = data.change_rows(cutoff, made_up=made_up)
    show_figure(
        page,
        "changes",
        changes_figure(rows, date.fromisoformat(cutoff), name),
        ["recomputed"],
        controls=CONTROLS,
    )
    funnel = data.funnel_rows(cutoff, made_up=made_up)
    show_figure(
        page,
        "funnel",
        funnel_figure(funnel, f"cases changed after {name}"),
        ["recomputed"],
        controls=CONTROLS,
    )
    st.markdown(
        words.notice(
            *((name, len(data.changed(iso, made_up=made_up)[0])) for iso, name in (DAYS[0], DAYS[-1]))
        ),
        width=PROSE_WIDTH,
    )
    if made_up:
        st.caption(
            "The made-up cases are counted with the real ones here. They are marked in every table.",
            width=PROSE_WIDTH,
        )


def show_one(page: PageInfo) -> None:
    """Step through one change: its values, its document, its items."""
    CONTROLS.show("view")
    with st.container(width=SLIDER_WIDTH):
        chosen = CONTROLS.show("fact")
    cutoff = _cutoff_control()
    pair = tuple(chosen.split("-", 1))
    subject = load_sample().entities[pair[0]]
    rows = data.timeline_rows(pair, cutoff)
    found = data.outcome(pair, cutoff)
    if rows.empty:
        st.info(
            f"No value of {subject.label} ({RELATIONS[pair[1]].name}) has a date.",
            icon=":material/event_busy:",
        )
    else:
        figure = timeline_figure(
            rows,
            subject.label or pair[0],
            RELATIONS[pair[1]].name,
            date.fromisoformat(cutoff),
            date(2024, 12, 31),
        )
        show_figure(page, "timeline", figure, ["recomputed"], controls=CONTROLS)
    if isinstance(found, Drop):
        st.markdown(words.why_not(found), width=PROSE_WIDTH)
        return
    st.markdown(words.why(found), width=PROSE_WIDTH)
    _show_document(found)
    _show_items(found, cutoff)


def _show_document(fact: ChangedFact) -> None:
    st.header("The document that says so", anchor=False)
    assert fact.new.start is not None
    document = load_sample().find(Claim(fact.subject, fact.relation, fact.new.entity, fact.new.start))
    if document is None:
        st.markdown(words.why_not(Drop.NO_DOCUMENT), width=PROSE_WIDTH)
        return
    with st.container(border=True, width=PROSE_WIDTH, key="ff_document"):
        st.markdown(f"**{plain_line(document.title)}**")
        st.markdown(words.marked(document.text, fact))
        st.caption("Grey: the subject. Blue: the new value. Orange: the old value.")
    st.caption(words.evidence(document), width=PROSE_WIDTH)
    rule = st.expander(
        "How a revision is chosen",
        icon=":material/history:",
        key="ff_day_rule",
        type="compact",
        on_change="rerun",
    )
    if rule.open:
        with rule:
            st.markdown(
                "The saved revisions of a made-up page, about a change on 1 October 2023: among those strictly later than the "
                "day of the change, the earliest day counts, and of that day the last revision.",
                width=PROSE_WIDTH,
            )
            st.dataframe(
                data.day_rule_rows(),
                hide_index=True,
                alt="Saved revisions of a made-up page with what the day rule says of each",
            )


def _form_controls(*, with_seed: bool = False) -> dict[str, Any]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        names = ("format", "hops", "distractors", *(("seed",) if with_seed else ()))
        return {name: CONTROLS.show(name) for name in names}


def _show_items(fact: ChangedFact, cutoff: str) -> None:
    st.header("The items", anchor=False)
    form = _form_controls()
    wish = data.Wish(cutoff, **form, seed=CONTROLS.value("seed"), made_up=fact.made_up)
    found = [item for item in data.item_set(wish).items if item.id.startswith(fact.fact_id)]
    if not found:
        st.info(_no_item(fact, wish), icon=":material/info:")
    for item in found:
        show_item(item)


def _no_item(fact: ChangedFact, wish: data.Wish) -> str:
    from core.fresh.building import build_items

    alone = build_items([fact], load_sample(), wish.settings()).funnel
    reason = next(iter(alone.dropped), Drop.NO_OPTIONS)
    return f"No item of this form: {reason.value}. Choose fewer hops, fewer documents or another fact."


def wish_now() -> data.Wish:
    """Return the set that the controls describe."""
    return data.Wish(
        CONTROLS.value("cutoff"),
        CONTROLS.value("format"),
        CONTROLS.value("hops"),
        CONTROLS.value("distractors"),
        CONTROLS.value("seed"),
        CONTROLS.value("made_up"),
    )


def show_set(page: PageInfo) -> None:
    """Build a set, show it and hand it out."""
    CONTROLS.show("view")
    cutoff = _cutoff_control()
    CONTROLS.show("made_up")
    _form_controls(with_seed=True)
    wish = wish_now()
    built = data.item_set(wish)
    show_figure(
        page,
        "set",
        funnel_figure(data.set_funnel_rows(wish), f"cases give items after {cutoff_words(cutoff)}"),
        ["recomputed"],
        controls=CONTROLS,
    )
    if built.items:
        _show_table(built.items, built.funnel.kept)
    show_fetch(page, wish)


def _show_table(items: tuple[Item, ...], facts: int) -> None:
    st.header(words.set_sentence(len(items), facts), anchor=False)
    downloads(items, "mirage-fresh-items", "ff_set")
    table = [
        {
            "question": item.question,
            "answer": item.answers[0],
            **(
                {"options": " / ".join(item.options), "correct": item.correct_letter}
                if item.options
                else {"outdated": item.old.label}
            ),
            "changed": item.changed_on.as_digits(),
            "made up": item.made_up,
        }
        for item in items[:SHOWN_ITEMS]
    ]
    st.dataframe(table, hide_index=True, alt="The items of the set with their answers")
