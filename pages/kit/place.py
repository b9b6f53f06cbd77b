"""Where this copy of Mirage lives, and where its sources can be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import streamlit as st

from pages.kit.registry import PAGES

if TYPE_CHECKING:
    from pages.kit.registry import PageInfo

_GIVEN: Final = os.environ.get("MIRAGE_REPOSITORY", "").rstrip("/")
REPOSITORY: Final = _GIVEN if _GIVEN.startswith(("https://", "http://")) else ""
"""Address under which the sources are published, up to the path of a file; empty while there is none."""


def source_link(path: str) -> str:
    """Return a source file of the repository as Markdown: a link where an address is known, else its path."""
    return f"[`{path}`]({REPOSITORY}/{path})" if REPOSITORY else f"`{path}`"


def page_address(page: PageInfo) -> str:
    """Return the address of a page of this server, without parameters; only its path where no browser is known."""
    return address_under(st.context.url or "", page)


def address_under(url: str, page: PageInfo) -> str:
    """Return a page's address, given the address of any page as the browser shows it.

    Examples
    --------
    >>> from pages.kit.registry import page_info
    >>> address_under("http://localhost:8501/selection_loss", page_info("selection_loss"))
    'http://localhost:8501/selection_loss'
    >>> address_under("http://localhost:8501/selection_loss", page_info("start"))
    'http://localhost:8501/'
    >>> address_under("https://example.org/mirage/", page_info("selection_loss"))
    'https://example.org/mirage/selection_loss'
    >>> address_under("", page_info("start"))
    '/'
    """
    base = url.rstrip("/")
    for known in PAGES:
        if not known.is_start and base.endswith(known.path):
            base = base.removesuffix(known.path)
            break
    return f"{base}{page.path}"
