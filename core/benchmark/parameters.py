"""The parameters of a simulated benchmark as text: ``models=12,tasks=6,dependence=0.5``."""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any

from core.errors import UsageError
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Mapping


def read_parameters(name: str, text: str, known: Mapping[str, type]) -> dict[str, Any]:
    """Return the parameters that a text gives, in the types that the generator takes.

    Parameters
    ----------
    name
        The generator's name, for messages.
    text
        ``key=value`` pairs separated by commas; empty for none.
    known
        Type of each parameter, ``int`` or ``float``.

    Raises
    ------
    UsageError
        If the text is not of this form, a key is unknown or given twice, or a value is no number of its type.

    Examples
    --------
    >>> read_parameters("free", "models=20, gap=0.5", {"models": int, "gap": float})
    {'models': 20, 'gap': 0.5}
    """
    found: dict[str, Any] = {}
    if not text.strip():
        return found
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals or not key or not value:
            raise UsageError(
                f"Expected key=value, found '{shown(part.strip())}' in the parameters of simulated:{name}. "
                f"{_form(name, known)}"
            )
        if key not in known:
            close = difflib.get_close_matches(key[:100], known, n=1, cutoff=0.4)
            hint = f" Did you mean '{close[0]}'?" if close else ""
            raise UsageError(
                f"Unknown parameter '{shown(key)}' of simulated:{name}.{hint} {_form(name, known)}"
            )
        if key in found:
            raise UsageError(f"Parameter '{key}' of simulated:{name} is given twice; keep one.")
        try:
            found[key] = known[key](value)
        except ValueError:
            kind = "a whole number" if known[key] is int else "a number"
            raise UsageError(
                f"Parameter '{key}' of simulated:{name} is {kind}, found '{shown(value)}'."
            ) from None
    return found


def _form(name: str, known: Mapping[str, type]) -> str:
    """Return how parameters are written, in one sentence."""
    samples = {"models": "12", "tasks": "6", "items": "600", "gap": "1", "dependence": "0.5", "seed": "1"}
    if not known:
        return f"It takes none: simulated:{name}."
    return (
        f"Write simulated:{name}:{','.join(f'{key}={samples.get(key, 1)}' for key in known)}; leave out any."
    )
