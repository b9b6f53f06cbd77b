"""Which profiles of a sequence are released when dominated ones are withheld.

A kernel compiled by Numba does long sequences where it is installed; `plain_scan` is its twin without it.
"""

from __future__ import annotations

import importlib.util
import os
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

KERNEL_FROM: Final = 50_000  # profiles times trials from which compiling pays
MARGIN: Final = 1e-13  # scores come rounded to 12 decimals; this keeps equal ones equal after subtracting eta


def undominated(
    table: NDArray[np.float64], scores: NDArray[np.float64], candidates: NDArray[np.bool_], eta: float
) -> NDArray[np.bool_]:
    """Return which profiles are released, shape (submissions, trials).

    Parameters
    ----------
    table
        Shape (coordinates, trials, models): profiles released before the first submission.
    scores
        Shape (coordinates, submissions, trials): profiles in the order they are sent.
    candidates
        Shape (submissions, trials): False where nothing is released anyway.
    eta
        A profile is withheld if an earlier released one is within `eta` of it or above on every coordinate.
    """
    known = np.ascontiguousarray(np.moveaxis(table, 0, 2))
    profiles = np.ascontiguousarray(np.moveaxis(scores, (0, 1, 2), (2, 1, 0)))
    sequence = np.ascontiguousarray(candidates.T)
    scan: Callable[..., Any] = plain_scan
    if sequence.size >= KERNEL_FROM and not os.environ.get("MIRAGE_NO_NUMBA"):
        scan = _compiled() or plain_scan
    return np.asarray(scan(known, profiles, sequence, eta)).T


def plain_scan(
    known: NDArray[np.float64], profiles: NDArray[np.float64], candidates: NDArray[np.bool_], eta: float
) -> NDArray[np.bool_]:
    """Go through each trial's profiles in order; trials come first, coordinates last."""
    shown = np.zeros(candidates.shape, dtype=np.bool_)
    models = known.shape[1]
    for trial in range(len(profiles)):
        released = np.concatenate([known[trial], profiles[trial]])  # filled from the front
        count = models
        for place in np.flatnonzero(candidates[trial]):
            profile = profiles[trial, place].copy()
            if (released[:count] + eta >= profile - MARGIN).all(axis=1).any():
                continue
            shown[trial, place] = True
            released[count] = profile
            count += 1
    return shown


def _scan(
    known: NDArray[np.float64], profiles: NDArray[np.float64], candidates: NDArray[np.bool_], eta: float
) -> NDArray[np.bool_]:
    """Do the same as `plain_scan`, in loops for the compiler."""
    shown = np.zeros(candidates.shape, dtype=np.bool_)
    trials, submissions, coordinates = profiles.shape
    for trial in range(trials):
        for place in range(submissions):
            if not candidates[trial, place]:
                continue
            released = True
            for earlier in range(known.shape[1] + place):
                from_table = earlier < known.shape[1]
                if not from_table and not shown[trial, earlier - known.shape[1]]:
                    continue
                dominates = True
                for coordinate in range(coordinates):
                    rival = (
                        known[trial, earlier, coordinate]
                        if from_table
                        else profiles[trial, earlier - known.shape[1], coordinate]
                    )
                    if rival + eta < profiles[trial, place, coordinate] - MARGIN:
                        dominates = False
                        break
                if dominates:
                    released = False
                    break
            shown[trial, place] = released
    return shown


@lru_cache(maxsize=1)
def _compiled() -> Callable[..., Any] | None:
    if importlib.util.find_spec("numba") is None:
        return None
    import numba

    try:
        return numba.njit(cache=True)(_scan)
    except RuntimeError:  # no writable folder for the compiled code
        return numba.njit(_scan)
