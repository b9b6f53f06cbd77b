"""Heavy work on a page: asked for once, shown while it waits and runs, given up when the reader moves on.

The visitor's id lives as long as the browser's connection; when that ends, the visitor's job ends with it.
"""

from __future__ import annotations

import atexit
import secrets
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from core.jobs import JobQueue, JobStatus, jobs_at_once
from pages.kit.guard import guarded
from pages.kit.literal import literal

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

POLL_SECONDS: Final = 0.4
_WANTED: Final = "_job_wanted"
_ASKED: Final = "_job_asked"


@lru_cache(maxsize=1)
def queue() -> JobQueue:
    """Return the server's queue; its worker processes end with the server."""
    made = JobQueue(max_jobs=jobs_at_once())
    atexit.register(made.close)
    return made


def _goodbye(visitor_id: str) -> None:
    queue().leave(visitor_id)


@st.cache_resource(scope="session", on_release=_goodbye, show_spinner=False)
def visitor() -> str:
    """Return the visitor's id; its job is ended when the browser disconnects."""
    return secrets.token_hex(8)


def job_result(
    name: str,
    key: Hashable,
    function: Callable[..., Any],
    *arguments: Any,
    label: str,
    light: bool = False,
    keep: bool = True,
    wording: Callable[[JobStatus], tuple[float, str]] | None = None,
    beside: Callable[[], None] | None = None,
) -> Any | None:
    """Return the result of heavy work, or draw its progress here and return None.

    Call it in the page's body, not inside a fragment. The page starts over by itself when the result is there. A
    visitor has one job at a time: a page that needs two asks for the second once the first is done.

    Parameters
    ----------
    name
        Unique on the page; part of the keys.
    key
        Everything that the result depends on, small and hashable.
    function, arguments
        A function of `core` with a keyword argument ``progress``, and what it takes.
    label
        What is being computed, for the reader.
    light
        True for work of at most about half a second: it is done at once, in this process.
    keep
        False for a reader's own data: the result is the visitor's alone and is never shared.
    wording
        Returns the completed share and what a waiting reader is told, where counted blocks do not say it best.
    beside
        Draws what stands under the progress, and only there: not under a failure.

    Raises
    ------
    MirageError
        Only where `light`: the fault that the function met.
    """
    if light:
        with st.spinner(label, show_time=False):
            return queue().run_here(key, function, *arguments)
    me = visitor()
    st.session_state[_WANTED] = st.session_state[_ASKED] = True
    status = queue().status(me, key)
    if status.state == "cancelled":
        status = queue().submit(me, key, function, *arguments, keep=keep)
    if status.state == "done":
        return queue().result(me, key)
    if status.state == "failed":
        _show_failure(name, status, key, function, arguments, keep)
        return None
    st.fragment(run_every=POLL_SECONDS)(_waiting)(key, label, wording)
    if beside:
        beside()
    return None


def begin_run() -> None:
    """Forget what the last run wanted; the frame calls it before a page runs."""
    st.session_state[_WANTED] = False


def end_run() -> None:
    """Give up the visitor's job if this run of the page did not ask for it; the frame calls it after a page ran."""
    if st.session_state.get(_ASKED) and not st.session_state.get(_WANTED):
        st.session_state[_ASKED] = False
        queue().leave(visitor())


@guarded
def _waiting(
    key: Hashable, label: str, wording: Callable[[JobStatus], tuple[float, str]] | None = None
) -> None:
    status = queue().status(visitor(), key)
    if status.is_over:
        st.rerun()
    share, text = wording(status) if wording else (progress_share(status), progress_text(status, label))
    st.progress(share, text=text)
    st.caption("Changing a control or leaving the page stops this.")


def progress_share(status: JobStatus) -> float:
    """Return the completed share of a job, 0 to 1."""
    return min(status.done / status.total, 1.0) if status.total else 0.0


def progress_text(status: JobStatus, label: str) -> str:
    """Return what a waiting reader is told.

    Examples
    --------
    >>> progress_text(JobStatus("queued", place=2), "Recomputing")
    'Recomputing: waiting, place 2 in line'
    >>> progress_text(JobStatus("running", done=3, total=10), "Recomputing")
    'Recomputing: 3 of 10 blocks'
    >>> progress_text(JobStatus("running"), "Recomputing")
    'Recomputing: starting'
    """
    if status.state == "queued":
        return f"{label}: waiting, place {status.place} in line"
    if not status.total:
        return f"{label}: starting"
    return f"{label}: {status.done} of {status.total} blocks"


def _show_failure(
    name: str,
    status: JobStatus,
    key: Hashable,
    function: Callable[..., Any],
    arguments: tuple[Any, ...],
    keep: bool,
) -> None:
    def again() -> None:
        queue().submit(visitor(), key, function, *arguments, keep=keep)

    st.error(literal(status.message), icon=":material/error:")
    st.button("Run it again", key=f"{name}_again", on_click=again, icon=":material/refresh:")
