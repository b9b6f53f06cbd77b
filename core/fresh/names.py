"""Finding a name in a text: as whole words, escaped, case-sensitive (AntiLeakBench, section 3)."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_SPACES: Final = re.compile(r"[^\S\n]+")


@dataclass(frozen=True, slots=True)
class Match:
    """A name found in a text.

    Parameters
    ----------
    name
        The name that was looked for; in the text a line may end between its words.
    start, end
        Character offsets, end excluded.
    """

    name: str
    start: int
    end: int


def tidy(text: str) -> str:
    r"""One Unicode form (NFC) and one kind of space, so that equal names are equal strings; line ends stay.

    Examples
    --------
    >>> tidy("FC\u00a0Bayern  ")
    'FC Bayern'
    """
    return _SPACES.sub(" ", unicodedata.normalize("NFC", text)).strip()


@lru_cache(maxsize=4096)
def _pattern(name: str) -> re.Pattern[str]:
    words = r"\s+".join(re.escape(word) for word in name.split())
    return re.compile(rf"(?<!\w){words}(?!\w)")


def find_name(text: str, names: Iterable[str]) -> Match | None:
    """Find the longest of `names` that stands in `text` as whole words; its first place.

    Parameters
    ----------
    text
        A text passed through `tidy`.
    names
        A label and its aliases, in any order. Empty names are passed over.

    Returns
    -------
    Match or None
        None if no name is there. Among names of equal length the first in the text wins, then the alphabet.

    Examples
    --------
    >>> find_name("1. FC Köln plays on.", ["Köln", "1. FC Köln"]).name
    '1. FC Köln'
    >>> find_name("An Italian town", ["It", "Ital"]) is None
    True
    """
    best: Match | None = None
    for name in sorted({tidy(name) for name in names} - {""}, key=lambda each: (-len(each), each)):
        if best is not None and len(name) < len(best.name):
            break
        found = _pattern(name).search(text)
        if found and (best is None or found.start() < best.start):
            best = Match(name, found.start(), found.end())
    return best


def contains_any(text: str, names: Iterable[str]) -> bool:
    """Whether any of `names` stands in `text` as whole words."""
    return any(_pattern(name).search(text) for name in {tidy(name) for name in names} - {""})


def find_all(text: str, names: Iterable[str]) -> list[Match]:
    """Every place where one of `names` stands, the longest first where they overlap, in the order of the text.

    Examples
    --------
    >>> [match.name for match in find_all("Ann and Ann Lee", ["Ann", "Ann Lee"])]
    ['Ann', 'Ann Lee']
    """
    taken: list[Match] = []
    for name in sorted({tidy(name) for name in names} - {""}, key=lambda each: (-len(each), each)):
        taken.extend(
            Match(name, found.start(), found.end())
            for found in _pattern(name).finditer(text)
            if all(found.end() <= match.start or found.start() >= match.end for match in taken)
        )
    return sorted(taken, key=lambda match: match.start)
