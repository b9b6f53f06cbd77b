"""The frame around every page: navigation, tab title, notices about the link, and the footer.

Streamlit treats a folder named ``pages`` beside the entry script in an old way until some session has built the new
navigation. The first visitor of a fresh server who opens a page by its own path would get that page without the
frame. So the entry script marks its run, and every page's first statement is a call of `frame`, which builds the
navigation and starts over where the mark is missing.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Final

import streamlit as st

from core import __version__
from core.citations import software
from core.data_files import data_version, state, verify_all
from core.errors import MirageError
from pages.kit.controls import Controls, switch_fault, version_fault
from pages.kit.door import page_door, streamlit_page
from pages.kit.favicon import favicon
from pages.kit.guard import guard, show_fault
from pages.kit.jobs import begin_run, end_run
from pages.kit.page_head import tab_title
from pages.kit.registry import PageInfo, find_page, grouped_pages, page_info
from pages.kit.reveal import PARAMETER
from pages.kit.stage import enter_stage, is_presenting, show_stage
from pages.kit.story import PRESENT
from pages.kit.tidying import TIDYING

if TYPE_CHECKING:
    from collections.abc import Callable

    from streamlit.navigation.page import StreamlitPage

    from pages.kit.story import Story

_RUN: Final = (
    threading.local()
)  # a script runs in one thread; `framed` is true while the entry script runs a page
CONTENT_WIDTH: Final = 1080
PROSE_WIDTH: Final = 720


def _navigation() -> StreamlitPage:
    return st.navigation(
        {group: [streamlit_page(page) for page in pages] for group, pages in grouped_pages().items()},
        position="hidden" if st.context.is_embedded or is_presenting() else "sidebar",
        expanded=True,
    )


def run() -> None:
    """Build the navigation and run the current page inside the frame; the entry script's only statement."""
    current = _navigation()
    page = find_page(current.url_path) or page_info("start")
    st.set_page_config(
        page_title=tab_title(page),
        page_icon=favicon(page.group),
        layout="wide",
    )
    st.logo(favicon(""), size="large")
    with (
        st.container(horizontal_alignment="center"),
        st.container(width="stretch" if is_presenting() else CONTENT_WIDTH, key="page", gap="medium"),
    ):
        begin_run()
        _RUN.framed = True
        try:
            with guard():
                current.run()
        finally:
            _RUN.framed = False
            TIDYING.after_run()
        end_run()
        _footer()


def frame(stem: str, controls: Controls | None = None, story: Story | None = None) -> PageInfo:
    """Stand at the top of every page: guard its deep link, and say what of the link could not be used.

    Where the link asks for the lecture hall and the page has a story, a step of it is drawn in place of the page.

    Parameters
    ----------
    stem
        The page's own file stem.
    controls
        The page's controls, if it has any.
    story
        The page's story, if it has one.

    Returns
    -------
    PageInfo
        The page's line in the registry.
    """
    if not getattr(_RUN, "framed", False):
        _navigation()
        st.rerun()
    page = page_info(stem)
    _RUN.door = (page, controls, story) if story else None
    _data_notice()
    if story and is_presenting():
        show_stage(page, controls, story)
        end_run()
        st.stop()
    _notice(page, controls)
    return page


def heading(claim: Callable[[], str], paragraph: Callable[[], str] | str, fallback: str) -> None:
    """Draw a page's claim as its title, and one short paragraph under it.

    Parameters
    ----------
    claim, paragraph
        Functions that compute the words from the data.
    fallback
        The title if the data cannot be read; why not is said where the figure would be.
    """
    try:
        title, text = claim(), paragraph if isinstance(paragraph, str) else paragraph()
    except MirageError:
        title, text = fallback, ""
    st.title(title, anchor=False)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="top"):
        if text:
            st.markdown(text, width=PROSE_WIDTH)
        present_door()


def present_door() -> None:
    """Draw the way to the page's story, if it has one; `heading` does."""
    if _RUN.door:
        page, controls, story = _RUN.door
        st.button(
            "Present",
            key=f"{page.prefix}_present",
            icon=":material/slideshow:",
            type="tertiary",
            help="One idea per step, large, with arrow keys",
            on_click=enter_stage,
            args=(controls, story),
        )


def data_faults() -> tuple[str, ...]:
    """Return a sentence for every bundled file that is missing or altered; checked anew when a file has changed."""
    return _faults_at(state())


@st.cache_resource(ttl="5m", max_entries=1, show_spinner=False)
def _faults_at(state_of_files: int) -> tuple[str, ...]:
    try:
        return tuple(verify_all())
    except MirageError as fault:
        return (str(fault),)


def _data_notice() -> None:
    faults = data_faults()
    if faults:
        more = f" The same holds for {len(faults) - 1} more." if len(faults) > 1 else ""
        st.warning(f"{faults[0]}{more} What does not need it works as usual.", icon=":material/warning:")


def _notice(page: PageInfo, controls: Controls | None) -> None:
    """Show, once and dismissibly, what of the link was left out."""
    query = {key: st.query_params.get_all(key) for key in st.query_params}
    key = f"_{page.prefix}_notice"
    state = st.session_state.setdefault(key, {"seen": (), "phrases": ()})
    phrases = tuple(controls.faults(query) if controls else ())
    version = version_fault(query)
    if version:
        phrases += (version,)
    phrases += tuple(switch_fault(query, (PRESENT, PARAMETER)))
    if is_presenting():
        phrases += ("this page has no steps to present",)
    if phrases and phrases != state["seen"]:
        state = {"seen": phrases, "phrases": phrases}
        st.session_state[key] = state
    if not state["phrases"]:
        return
    with st.container(border=True, key=f"{page.prefix}_notice"):
        words, button = st.columns([5, 1], vertical_alignment="center")
        words.markdown(
            f":material/info: Part of the link was left out: {'; '.join(state['phrases'])}. Defaults are shown instead."
        )
        button.button(
            "Dismiss", key=f"{page.prefix}_dismiss", type="tertiary", on_click=_dismiss, args=(key,)
        )


def _dismiss(key: str) -> None:
    st.session_state[key] = {**st.session_state[key], "phrases": ()}


def _edition() -> str:
    """Return which program and which data these are; a link and a figure may be compared by them."""
    try:
        return f"Mirage {__version__}, data {data_version()}"
    except MirageError:
        return f"Mirage {__version__}"


def _citation() -> str:
    """Return this software as a short reference."""
    try:
        fields = dict(software().fields)
    except MirageError:
        return ""
    return f"{fields['author'].strip('{}')} ({fields['date'][:4]}). *{fields['title']}* Version {fields['version']}."


def _footer() -> None:
    try:
        st.space("medium")
        st.caption(f"{_edition()}. Every number on these pages is computed from the data shown.")
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
            st.caption(_citation(), width="content")
            page_door("methods", "How to cite", me_section="Cite")
    except Exception as fault:  # noqa: BLE001 - the footer must never take a page down
        show_fault(fault)
