"""What to notice: the sentences under a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.kit.frame import PROSE_WIDTH

if TYPE_CHECKING:
    from collections.abc import Sequence


def show_notes(notes: Sequence[str]) -> None:
    """Draw what to notice, one sentence or two each."""
    st.subheader("What to notice", anchor=False)
    st.markdown("\n".join(f"- {note}" for note in notes), width=PROSE_WIDTH)
