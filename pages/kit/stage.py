"""Presenter mode: one step of a page's story, large enough for the last row of a lecture hall.

The link says all: ``?present=1`` and the step's name. Next and back are buttons and arrow keys; the step's control
values decide what is drawn, so that leaving for the page itself shows the same state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import segno
import streamlit as st

from core.figures.theme import BLUE, SURFACES
from pages.kit.badges import origin_badge
from pages.kit.controls import SCENARIO_VERSION, query_string
from pages.kit.draw import draw_chart
from pages.kit.guard import guard
from pages.kit.place import page_address
from pages.kit.reveal import reveal
from pages.kit.story import PRESENT, STEP, said, step_fault

if TYPE_CHECKING:
    from core.figures.theme import Mode
    from pages.kit.controls import Controls
    from pages.kit.registry import PageInfo
    from pages.kit.story import State, Step, Story

_EXTRA: Final = "_stage_extra"
_EXTRAS: Final = (
    ("notes", "Notes", "N", ":material/notes:"),
    ("code", "QR code", "Q", ":material/qr_code:"),
)
"""What may be shown on request: name, label, key and icon."""

# The one place where the pages set styles: sizes of the stage, and of the margins around it while it is there.
_STYLE: Final = """
<style>
.st-key-stage { --size: clamp(1rem, 1.46vw, 4rem); font-variant-numeric: tabular-nums; }
.st-key-stage :is(p, li, label, code, [data-testid="stCaptionContainer"] p) { font-size: var(--size); line-height: 1.4; }
.st-key-stage :is(p, li) { text-wrap: pretty; }
.st-key-stage h1 { font-size: calc(1.75 * var(--size)); line-height: 1.15; padding-top: 0; text-wrap: balance; }
.st-key-stage .stMarkdownBadge, .st-key-stage .stMarkdownBadge * { font-size: calc(0.87 * var(--size)) !important; }
.st-key-stage [data-testid="stCaptionContainer"] p { font-size: max(1rem, calc(0.87 * var(--size))); }
.st-key-stage_alone { --size: clamp(1.1rem, 2.05vw, 5.6rem); }
.st-key-stage_alone .st-key-stage_notes_text { --size: clamp(1rem, 1.46vw, 4rem); }
.st-key-stage button :is(p, [data-testid="stIconMaterial"], kbd) { font-size: var(--size); }
.st-key-stage button[kind="primary"]:not(:disabled) { background: var(--accent); border-color: var(--accent); }
.st-key-stage button [data-testid="stIconMaterial"] { font-size: calc(1.2 * var(--size)); }
[data-testid="stMainBlockContainer"]:has(.st-key-stage) { padding-top: max(1.5rem, 2.5vh); padding-bottom: 1rem; }
[data-testid="stAppViewContainer"]:has(.st-key-stage) [data-testid="stSidebar"],
[data-testid="stApp"]:has(.st-key-stage) [data-testid="stHeader"] { display: none; }
.st-key-stage_figure { --zoom: 1; zoom: var(--zoom); }
.st-key-stage .st-key-stage_figure p { font-size: calc(var(--size) / var(--zoom)); }
.st-key-stage_figure [data-testid="stElementContainer"]:has([data-testid="stVegaLiteChart"], [data-testid="stPlotlyChart"]) {
  width: calc(100% / var(--zoom)) !important; overflow: visible; }
@media (min-width: 1200px) {
  .st-key-stage_figure { --zoom: 1.25; }
  .st-key-stage_steering { position: fixed; bottom: 0; padding-bottom: 1.5rem; width: 30vw; background: var(--paper); }
  .st-key-stage_words { padding-bottom: calc(5rem + 1.6 * var(--size)); }
  .st-key-stage_link img { max-height: 38vh; width: auto !important; }
  .st-key-stage_alone { min-height: 72vh; max-width: 74vw; margin: 0 auto; justify-content: center; }
  .st-key-stage:has(.st-key-stage_alone) .st-key-stage_steering { width: 74vw; }
}
@media (min-width: 1600px) { .st-key-stage_figure { --zoom: 1.5; } }
@media (min-width: 1900px) { .st-key-stage_figure { --zoom: 1.7; } }
@media (min-width: 2500px) { .st-key-stage_figure { --zoom: 2.4; } }
@media (min-width: 3800px) { .st-key-stage_figure { --zoom: 3.6; } }
</style>
"""


def is_presenting() -> bool:
    """Whether the link asks for the lecture hall."""
    return st.query_params.get(PRESENT) == "1"


def presenter_link(page: PageInfo, step: Step) -> str:
    """Return the link to a step."""
    query = {"v": [str(SCENARIO_VERSION)], PRESENT: ["1"], STEP: [step.name]}
    return f"{page_address(page)}?{query_string(query)}"


def show_stage(page: PageInfo, controls: Controls | None, story: Story) -> None:
    """Draw the step that the link names.

    Parameters
    ----------
    page, controls
        The page and its controls, if it has any.
    story
        The page's story.
    """
    place = story.place(st.query_params.get(STEP))
    step = story.steps[place]
    state = step.state(controls)
    st.html(
        _STYLE + f"<style>.st-key-stage {{ --paper: {SURFACES[_mode()].paper}; --accent: {BLUE}; }}</style>"
    )
    fault = step_fault(story, st.query_params.get(STEP))
    if fault:
        st.caption(
            f":material/info: Part of the link was left out: {fault}. The first step is shown instead."
        )
    with st.container(key="stage", gap="medium"):
        words, picture = (
            st.columns([1, 2.1], gap="large") if step.figure else (st.container(key="stage_alone"), None)
        )
        with words, st.container(key="stage_words"), guard():
            st.title(said(step.title, state), anchor=False)
            _say(page, controls, story, place)
        if picture is not None:
            with picture, guard():
                _show_figure(page, step, state)
        _steer(page, controls, story, place)


def _mode() -> Mode:
    return "dark" if st.context.theme.type == "dark" else "light"


def _show_figure(page: PageInfo, step: Step, state: State) -> None:
    assert step.figure is not None
    figure = step.figure(state).in_mode(_mode())
    with st.container(key="stage_figure", gap="xsmall"):
        draw_chart(f"{page.prefix}_stage_{step.name}", figure)
    with st.container(horizontal=True, gap="small", vertical_alignment="top"):
        for origin in step.origins:
            origin_badge(origin)
        if figure.subtitle:
            st.caption(figure.subtitle)


def _steer(page: PageInfo, controls: Controls | None, story: Story, place: int) -> None:
    last = len(story.steps) - 1
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="stage_steering"):
        st.button(
            "Back",
            key="stage_back",
            shortcut="Left",
            icon=":material/arrow_back:",
            disabled=place == 0,
            on_click=_go,
            args=(story.names[max(place - 1, 0)],),
        )
        st.button(
            "Next",
            key="stage_next",
            shortcut="Right",
            icon=":material/arrow_forward:",
            type="primary",
            disabled=place == last,
            on_click=_go,
            args=(story.names[min(place + 1, last)],),
        )
        st.markdown(f"{place + 1} of {last + 1}", width="content")
        for what, label, shortcut, icon in _EXTRAS:
            st.button(
                label,
                key=f"stage_{what}",
                shortcut=shortcut,
                icon=icon,
                type="tertiary",
                on_click=_toggle,
                args=(what,),
            )
        st.button(
            "Leave",
            key="stage_leave",
            icon=":material/close_fullscreen:",
            type="tertiary",
            help="The page itself, in this state",
            on_click=_leave,
            args=(page, controls, story.steps[place]),
        )


def _say(page: PageInfo, controls: Controls | None, story: Story, place: int) -> None:
    """Draw a step's sentence and, if asked for, the notes under it, or the code of the link: in its place beside a figure."""
    wanted = st.session_state.get(_EXTRA)
    step = story.steps[place]
    if wanted != "code" or step.figure is None:
        st.markdown(said(step.sentence, step.state(controls)))
    if wanted == "notes":
        with st.container(border=True, key="stage_notes_text"), guard():
            st.markdown(said(step.notes, step.state(controls)))
            if place + 1 < len(story.steps):
                following = story.steps[place + 1]
                st.caption(f"Next: {said(following.title, following.state(controls))}")
    elif wanted == "code":
        link = presenter_link(page, step)
        with st.container(key="stage_link"):
            st.image(qr_code(link), width=400, alt=f"QR code of {link}")


def qr_code(text: str) -> str:
    """Return a QR code as SVG text, dark on white with its quiet zone, whatever the page's colours.

    Examples
    --------
    >>> qr_code("https://example.org/")[:4]
    '<svg'
    """
    return segno.make(text, error="m").svg_inline(scale=8, border=4, dark="#1C1B19", light="#FFFFFF")


def enter_stage(controls: Controls | None, story: Story) -> None:
    """Go to the first step of a page's story; call it from a callback."""
    if controls:
        controls.put({})
    st.query_params[PRESENT] = "1"
    st.query_params[STEP] = story.names[0]


def _leave(page: PageInfo, controls: Controls | None, step: Step) -> None:
    """Go back to the page, in the step's state."""
    for parameter in (PRESENT, STEP):
        if parameter in st.query_params:
            del st.query_params[parameter]
    if controls:
        controls.put(step.values)
    reveal(page.prefix)


def _go(name: str) -> None:
    st.query_params[STEP] = name


def _toggle(what: str) -> None:
    st.session_state[_EXTRA] = None if st.session_state.get(_EXTRA) == what else what
