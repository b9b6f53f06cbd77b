"""Keep tidying up cheap: after every run of a page Streamlit searches all of Python's objects for unused ones.

The libraries and caches of a warm server are about a million objects that stay, and looking at each costs more than drawing a
light page, with all other visitors waiting. So what survives a full search is set aside, and the searches after a run look at
what is new. Now and then nothing is set aside and everything is searched, so that what became unused meanwhile is freed.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from typing import Final

FULL_SEARCH_SECONDS: Final = 15.0


class Tidying:
    """When the last full search was, and how many modules were loaded then.

    Examples
    --------
    >>> tidying = Tidying()
    >>> tidying.after_run(now=0.0), tidying.after_run(now=1.0), tidying.after_run(now=16.0)
    (True, False, True)
    >>> import gc; gc.unfreeze()
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._due = float("-inf")
        self._modules = 0

    def after_run(self, now: float | None = None) -> bool:
        """Search everything and set aside what stays, if it is time or new modules were loaded; say whether that was done."""
        now = time.monotonic() if now is None else now
        if not self._lock.acquire(blocking=False):
            return False  # another visitor's run is at it
        try:
            if now < self._due and len(sys.modules) == self._modules:
                return False
            gc.unfreeze()
            gc.collect()
            gc.freeze()
            self._due, self._modules = now + FULL_SEARCH_SECONDS, len(sys.modules)
            return True
        finally:
            self._lock.release()


TIDYING: Final = Tidying()
"""The server's own."""
