"""Fetching live: only when the reader asks, and with whom it talks said beforehand."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import streamlit as st

from core.figures.wording import plural
from core.fresh.frames import facts_table
from core.fresh.live import MOST_SUBJECTS, fetch_set, subjects
from core.fresh.times import from_date
from pages.kit.frame import PROSE_WIDTH
from pages.kit.jobs import job_result
from pages.parts.fresh_items.showing import downloads, show_item

if TYPE_CHECKING:
    from pages.kit.registry import PageInfo
    from pages.parts.fresh_items.data import Wish

_ASKED: Final = "ff_live_asked"
_IDS: Final = "ff_live_ids"
HOSTS: Final = ("www.wikidata.org", "en.wikipedia.org")


def show_fetch(page: PageInfo, wish: Wish) -> None:
    """Draw the part that fetches; nothing is contacted until its button is pressed."""
    wanted = st.toggle(
        "Fetch live",
        key="ff_live",
        help="Items from Wikidata and Wikipedia as they are today. Off: nothing is contacted.",
    )
    if not wanted:
        return
    with st.container(border=True, key="ff_live_part"):
        st.markdown(
            f"Builds the same kind of items from today's Wikidata and Wikipedia. Pressing the button makes **this server "
            f"contact {HOSTS[0]} and {HOSTS[1]}**, at most once a second, with the ids below and the titles of the pages that "
            "document their changes. Answers are kept on the server's disk and not asked for again. Without a network "
            "nothing is lost: the sample above needs none.",
            width=PROSE_WIDTH,
        )
        st.text_input(
            "Wikidata ids",
            key=_IDS,
            placeholder="Q38, Q114",
            help=f"1 to {MOST_SUBJECTS} ids, separated by commas.",
        )
        st.button("Contact them and fetch", key="ff_live_go", icon=":material/cloud_download:", on_click=_ask)
        asked = st.session_state.get(_ASKED)
        if asked is not None:
            _fetch(page, subjects(asked), wish)


def _ask() -> None:
    st.session_state[_ASKED] = st.session_state.get(_IDS, "")


def _fetch(page: PageInfo, asked: tuple[str, ...], wish: Wish) -> None:
    settings = replace(wish.settings(), until=from_date(datetime.now(UTC).date()))
    found = job_result(
        "live", ("fresh-live", asked, settings), fetch_set, asked, settings, label="Fetching", keep=False
    )
    if found is None:
        return
    st.markdown(
        f"{plural(len(found.facts), 'fact')} changed after the cutoff, {plural(len(found.items), 'item')} built; "
        f"{plural(found.requests, 'request')}, {plural(found.cached, 'answer')} from disk."
    )
    for reason, number, _ in found.funnel.rows():
        st.caption(f"{number:,} dropped: {reason.value}.")
    if found.facts:
        st.dataframe(facts_table(found.facts), hide_index=True, alt="The facts that changed")
    if found.items:
        downloads(found.items, f"mirage-{page.stem.replace('_', '-')}-live", "ff_live")
        for item in found.items[:5]:
            show_item(item)
