"""Start: the one claim, its figure, and three doors."""

import streamlit as st

from pages.kit.door import page_door
from pages.kit.figure import show_figure
from pages.kit.frame import PROSE_WIDTH, frame, heading
from pages.kit.guard import guard
from pages.parts.start.content import ABOUT, DOORS, claim, paragraph
from pages.parts.start.figures import choices, losses

PAGE = frame("start")

heading(lambda: claim(losses()), lambda: paragraph(losses()), fallback="Mirage")
with guard():
    show_figure(PAGE, "choice", choices(), ["published"])

st.subheader("Where to go", anchor=False)
with st.grid(3, min_column_width=280, gap="medium"):
    for door in DOORS:
        with st.container(border=True, gap="small"):
            st.markdown(f"**{door.who}**")
            st.markdown(door.why)
            for stem, label in door.pages:
                page_door(stem, label)

st.subheader("What this is", anchor=False)
st.markdown(ABOUT, width=PROSE_WIDTH)
