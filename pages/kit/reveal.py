"""Whether a page's answer is already shown: the ``reveal`` parameter and the button behind it."""

from __future__ import annotations

from typing import Final

import streamlit as st

PARAMETER: Final = "reveal"
GIVEN: Final = "_guess_is_given"
"""End of the session's key that says whether the reader gave a guess; a control at its default does not say so."""


def _key(prefix: str) -> str:
    return f"{prefix}_revealed"


def is_revealed(prefix: str) -> bool:
    """Whether the reader asked to see the answer, now or by the link."""
    if st.query_params.get(PARAMETER) == "1":
        st.session_state[_key(prefix)] = True
    return bool(st.session_state.get(_key(prefix), False))


def note_revealed(prefix: str) -> None:
    """Show the answer from now on, without a word in the address: what is there says so already."""
    st.session_state[_key(prefix)] = True


def reveal(prefix: str) -> None:
    """Show the answer from now on, whatever was guessed before; call it from a callback."""
    note_revealed(prefix)
    st.session_state[f"{prefix}{GIVEN}"] = False
    st.query_params[PARAMETER] = "1"


def hide(prefix: str) -> None:
    """Hide the answer again, for another guess; call it from a callback."""
    st.session_state[_key(prefix)] = False
    st.session_state[f"{prefix}{GIVEN}"] = False
    if PARAMETER in st.query_params:
        del st.query_params[PARAMETER]


def reveal_parameter(prefix: str) -> dict[str, str]:
    """Return the URL parameter that a link to the present state needs, if any."""
    return {PARAMETER: "1"} if st.session_state.get(_key(prefix), False) else {}
