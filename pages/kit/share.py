"""The link to a page's exact state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.kit.controls import SCENARIO_VERSION, Controls, query_string
from pages.kit.place import page_address
from pages.kit.reveal import reveal_parameter

if TYPE_CHECKING:
    from pages.kit.registry import PageInfo


def exact_link(page: PageInfo, controls: Controls | None = None) -> str:
    """Return the link that reproduces the page as it is now.

    The link carries the version of its meaning and every control that is not at its default.
    """
    extra = reveal_parameter(page.prefix)
    query = controls.query(controls.values(), **extra) if controls else {"v": [str(SCENARIO_VERSION)]}
    return f"{page_address(page)}?{query_string(query)}"


def share_link(page: PageInfo, controls: Controls | None = None, *, key: str = "") -> None:
    """Draw a button that shows the link to this exact state, ready to copy; `key` tells several on a page apart."""
    with st.popover(
        "Link",
        icon=":material/link:",
        type="tertiary",
        help="Link to this exact state",
        key=f"{key or page.prefix}_link",
    ):
        st.markdown("**Link to this exact state**")
        st.code(exact_link(page, controls), language=None, wrap_lines=True)
        st.caption("Whoever opens it sees this page with these controls.")
