"""Badges that say where a number comes from: published, recomputed here, or simulated."""

from __future__ import annotations

from typing import Final, Literal

import streamlit as st

Origin = Literal["published", "recomputed", "simulated"]

_BADGES: Final = {
    "published": (":material/menu_book:", "blue", "Taken as printed from the authors' public tables."),
    "recomputed": (":material/calculate:", "green", "Computed by this program, from data that it holds."),
    "simulated": (
        ":material/casino:",
        "violet",
        "Drawn by a random generator; no real model stands behind it.",
    ),
}


def origin_badge(origin: Origin, note: str = "") -> None:
    """Draw the badge of an origin, with an optional note after the word."""
    icon, color, meaning = _BADGES[origin]
    st.badge(f"{origin} {note}".strip(), icon=icon, color=color, help=meaning)  # type: ignore[arg-type]
