"""Comparing a free answer with the right names: exact match and token F1, normalised as for SQuAD."""

from __future__ import annotations

import re
import string
from collections import Counter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_ARTICLES: Final = re.compile(r"\b(a|an|the)\b")
_PUNCTUATION: Final = str.maketrans("", "", string.punctuation)


def normalise(text: str) -> str:
    """Put in lower case and drop punctuation, articles and extra spaces (Rajpurkar et al. 2016, evaluation script).

    Examples
    --------
    >>> normalise("The  Kansas City Chiefs!")
    'kansas city chiefs'
    """
    return " ".join(_ARTICLES.sub(" ", text.lower().translate(_PUNCTUATION)).split())


def exact_match(output: str, names: Iterable[str]) -> bool:
    """Whether an answer equals one of the names, both normalised.

    A name of which nothing is left ("A", "...") equals only an answer that is the same without normalisation.
    """
    plain = normalise(output)
    return any(plain == normalise(name) and (bool(plain) or output.strip() == name.strip()) for name in names)


def token_f1(output: str, names: Iterable[str]) -> float:
    """Return the best F1 over the names, of the tokens that answer and name share, both normalised.

    Examples
    --------
    >>> token_f1("coach Andy Reid", ["Andy Reid", "Andrew Walter Reid"])
    0.8
    """
    return max((_f1(output, name) for name in names), default=0.0)


def _f1(output: str, name: str) -> float:
    said, right = normalise(output).split(), normalise(name).split()
    if not said or not right:
        return float(exact_match(output, [name]))
    shared = (Counter(said) & Counter(right)).total()
    return 2 * shared / (len(said) + len(right))
