"""How a name from a reader's file is written in a message."""

from __future__ import annotations

from typing import Final

NAME_WIDTH: Final = 60
"""Longest name shown in a message, in characters."""


def shown(name: object, width: int = NAME_WIDTH) -> str:
    r"""Return a name fit for a message: control characters escaped, long names cut in the middle.

    Right-to-left marks and other characters that do not print are escaped too, so that one odd name cannot
    rearrange the rest of the message.

    Examples
    --------
    >>> shown("model\x00one")
    'model\\x00one'
    >>> len(shown("x" * 10_000))
    60
    """
    text = str(name)
    if len(text) > width:
        head = (width - 3) * 2 // 3
        text = f"{text[:head]}...{text[len(text) - (width - 3 - head) :]}"
    printable = "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode("ascii")
        for character in text
    )
    return printable if len(printable) <= 4 * width else printable[: 4 * width] + "..."
