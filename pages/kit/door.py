"""Links from one page to another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from pages.kit.registry import find_page

if TYPE_CHECKING:
    from streamlit.navigation.page import StreamlitPage

    from pages.kit.registry import PageInfo


def streamlit_page(page: PageInfo) -> StreamlitPage:
    """Return Streamlit's page, without an icon: the browser would fetch it from elsewhere, for its tab."""
    return st.Page(
        page.file,
        title=page.title,
        url_path="" if page.is_start else page.stem,
        default=page.is_start,
        help=page.help,
    )


def page_door(
    stem: str,
    label: str | None = None,
    *,
    icon: str | None = None,
    help: str | None = None,  # noqa: A002 - Streamlit's own name
    **query: str | list[str],
) -> bool:
    """Draw a link to a page if that page exists, and say whether it does.

    Parameters
    ----------
    stem
        The page's file stem.
    label, icon
        What the link says; default: the page's own.
    help
        What the page shows, on hover.
    query
        URL parameters.
    """
    page = find_page(stem)
    if page is None:
        return False
    st.page_link(
        streamlit_page(page),
        label=label or page.title,
        icon=icon or page.icon,
        help=help,
        query_params=query or None,
        width="content",
    )
    return True
