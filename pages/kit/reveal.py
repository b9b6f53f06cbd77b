"""Whether a page's answer is already shown: the ``reveal`` parameter and the button behind it."""

from __future__ import annotations

import streamlit as st

PARAMETER = "reveal"


def _key(prefix: str) -> str:
    return f"{prefix}_revealed"


def is_revealed(prefix: str) -> bool:
    """Whether the reader asked to see the answer, now or by the link."""
    if st.query_params.get(PARAMETER) == "1":
        st.session_state[_key(prefix)] = True
    return bool(st.session_state.get(_key(prefix), False))


def reveal(prefix: str) -> None:
    """Show the answer from now on; call it from a callback."""
    st.session_state[_key(prefix)] = True


def hide(prefix: str) -> None:
    """Hide the answer again, for another guess; call it from a callback."""
    st.session_state[_key(prefix)] = False
    if PARAMETER in st.query_params:
        del st.query_params[PARAMETER]


def reveal_parameter(prefix: str) -> dict[str, str]:
    """Return the URL parameter that a link to the present state needs, if any."""
    return {PARAMETER: "1"} if st.session_state.get(_key(prefix), False) else {}
