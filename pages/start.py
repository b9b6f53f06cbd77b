"""Start: the one claim, its figure, and three doors."""

import streamlit as st

from pages.kit.door import page_door
from pages.kit.frame import PROSE_WIDTH, frame, heading
from pages.kit.guard import guard
from pages.parts.start.content import ABOUT, DOORS, claim
from pages.parts.start.controls import CONTROLS
from pages.parts.start.figures import losses
from pages.parts.start.story import STORY
from pages.parts.start.views import lead, show_choices

PAGE = frame("start", CONTROLS, STORY)

heading(lambda: claim(losses()), lambda: lead(PAGE), fallback="Mirage")
with guard():
    show_choices(PAGE)

st.header("Where to go", anchor=False)
with st.grid(3, min_column_width=280, gap="medium"):
    for door in DOORS:
        with st.container(border=True, gap="small"):
            st.markdown(f"**{door.who}**")
            st.markdown(door.why)
            for stem, label in door.pages:
                page_door(stem, label)

st.header("What this is", anchor=False)
st.markdown(ABOUT, width=PROSE_WIDTH)
