"""How a page's main button is told from the others."""

from __future__ import annotations

from typing import Literal

import streamlit as st


def main_button() -> Literal["primary", "secondary"]:
    """Return the kind of a page's main button: filled with the accent on white, outlined in the dark.

    The dark page's accent is light enough to be read as text, and therefore too light for the white words that Streamlit
    puts on it (a contrast of 3.5, where 4.5 is needed).
    """
    return "secondary" if st.context.theme.type == "dark" else "primary"
