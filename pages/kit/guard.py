"""Faults become sentences: what the reader sees when something goes wrong, and what the server's log keeps."""

from __future__ import annotations

import functools
import logging
import re
import secrets
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, ParamSpec, TypeVar

import streamlit as st

from core.errors import MirageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

P = ParamSpec("P")
R = TypeVar("R")

_MARKUP: Final = re.compile(r"([\\`*$<~])")
"""What would make mathematics or emphasis of a name that stands in a message."""
_LOG: Final = logging.getLogger("mirage.pages")


def show_fault(fault: Exception) -> None:
    """Show a fault as a sentence.

    A `MirageError` is written for the reader and shown as it is. Anything else is our mistake: the reader gets a
    neutral sentence with a number, and the log the details under the same number.
    """
    if isinstance(fault, MirageError):
        st.error(_MARKUP.sub(r"\\\1", str(fault)), icon=":material/error:")
        return
    number = secrets.token_hex(4)
    _LOG.error("Unexpected fault %s", number, exc_info=fault)
    st.error(
        f"Something went wrong here, and it is not your doing. The rest of the page works; reloading may help. "
        f"If it happens again, report it with the number {number}.",
        icon=":material/error:",
    )


@contextmanager
def guard() -> Iterator[None]:
    """Turn any fault inside the block into a sentence at this place on the page."""
    try:
        yield
    except Exception as fault:  # noqa: BLE001 - the last line of defence: a traceback never reaches the reader
        show_fault(fault)


def guarded(function: Callable[P, R]) -> Callable[P, R | None]:
    """Decorate a part of a page so that its faults are shown as sentences.

    Put it *under* ``@st.fragment``: a fragment's own reruns do not pass through the page's frame.
    """

    @functools.wraps(function)
    def inner(*args: P.args, **kwargs: P.kwargs) -> R | None:
        try:
            return function(*args, **kwargs)
        except Exception as fault:  # noqa: BLE001 - as in `guard`
            show_fault(fault)
            return None

    return inner
