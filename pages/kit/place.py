"""Where this copy of Mirage lives, and where its sources can be read."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

import streamlit as st

if TYPE_CHECKING:
    from pages.kit.registry import PageInfo

REPOSITORY: Final = os.environ.get("MIRAGE_REPOSITORY", "").rstrip("/")
"""Address under which the sources are published, up to the path of a file; empty while there is none."""


def source_link(path: str) -> str:
    """Return a source file of the repository as Markdown: a link where an address is known, else its path."""
    return f"[`{path}`]({REPOSITORY}/{path})" if REPOSITORY else f"`{path}`"


def page_address(page: PageInfo) -> str:
    """Return the address of a page of this server, without parameters; only its path where no browser is known."""
    base = (st.context.url or "").rstrip("/")
    return f"{base}{page.path}"
