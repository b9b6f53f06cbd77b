"""Numbers, lists and ranges as words, so that every sentence beside a figure is grammatical whatever the data."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

_WORDS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def number(value: float, digits: int = 1) -> str:
    """Return a number with a fixed number of decimals and a real minus sign; a rounded zero has no sign.

    Parameters
    ----------
    value
        The number; infinite and NaN are named.
    digits
        Decimals.

    Examples
    --------
    >>> number(4.796), number(-0.602), number(-0.01), number(12345, 0)
    ('4.8', '−0.6', '0.0', '12,345')
    """
    if math.isnan(value):
        return "not available"
    if math.isinf(value):
        return "infinite" if value > 0 else "−infinite"
    text = f"{abs(value):,.{digits}f}"
    return f"−{text}" if value < 0 and float(text.replace(",", "")) != 0 else text


def points(value: float) -> str:
    """Return a size in percentage points with one decimal, or more where one would hide it.

    Examples
    --------
    >>> points(4.796), points(0.0155), points(0.0)
    ('4.8', '0.02', '0.0')
    """
    for digits in (1, 2, 3):
        if value == 0 or abs(value) >= 0.5 * 10**-digits:
            return number(value, digits)
    return number(value, 3) if value == 0 else ("less than 0.001" if value > 0 else "more than −0.001")


def span(values: Sequence[float], digits: int = 1) -> str:
    """Return the range of some values, or the one value where they round alike.

    Examples
    --------
    >>> span([0.93, 4.8, 2.4]), span([1.01, 1.02])
    ('0.9 to 4.8', '1.0')
    """
    low, high = number(min(values), digits), number(max(values), digits)
    return low if low == high else f"{low} to {high}"


def count(amount: int) -> str:
    """Return a count as a word up to twelve.

    Examples
    --------
    >>> count(6), count(250)
    ('six', '250')
    """
    return _WORDS[amount] if 0 <= amount < len(_WORDS) else f"{amount:,}"


def plural(amount: int, noun: str) -> str:
    """Return a count with its noun.

    Examples
    --------
    >>> plural(1, "submission"), plural(2048, "submission")
    ('1 submission', '2,048 submissions')
    """
    return f"{amount:,} {noun}{'' if amount == 1 else 's'}"


def join(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    Examples
    --------
    >>> join(["A"]), join(["A", "B"]), join(["A", "B", "C"])
    ('A', 'A and B', 'A, B and C')
    """
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else ""


def on_all(names: Sequence[str]) -> str:
    """Return "on A", "on both benchmarks" or "on all six benchmarks".

    Examples
    --------
    >>> on_all(["A"]), on_all(["A", "B"]), on_all(list("ABCDEF"))
    ('on A', 'on both benchmarks', 'on all six benchmarks')
    """
    if len(names) == 1:
        return f"on {names[0]}"
    return "on both benchmarks" if len(names) == 2 else f"on all {count(len(names))} benchmarks"


def capitalised(sentence: str) -> str:
    """Return a sentence with a capital first letter and the rest as it is.

    Examples
    --------
    >>> capitalised("six of six on LiveBench")
    'Six of six on LiveBench'
    """
    return sentence[:1].upper() + sentence[1:]


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """Estimate the width of a text in pixels, a little on the wide side.

    Parameters
    ----------
    text
        One line.
    size
        Type size in pixels.
    bold
        Bold type is a little wider.

    Examples
    --------
    >>> round(text_width("HELM Lite", 13))
    65
    """
    ems = 0.0
    for letter in text:
        if letter in "ijlI.,:;'|! ()[]-":
            ems += 0.33
        elif letter in "mwMW%—":
            ems += 0.92
        elif letter.isupper():
            ems += 0.68
        else:
            ems += 0.575
    return ems * size * (1.0 if bold else 0.92)


def wrap(text: str, width: float, size: float, *, bold: bool = False) -> list[str]:
    """Break a text into lines that fit a width, never between a number and its unit.

    Parameters
    ----------
    text
        One paragraph.
    width
        Room in pixels.
    size, bold
        See `text_width`.

    Examples
    --------
    >>> wrap("one two three", 60, 13)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in re.sub(r"(?<=\d) (?=%|pp\b)", "\u00a0", text).split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size, bold=bold) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


_ORDINALS = (
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
    "eleventh",
    "twelfth",
)


def ordinal(place: int) -> str:
    """Return a place in a ranking, as a word up to the twelfth.

    Examples
    --------
    >>> ordinal(1), ordinal(5), ordinal(13), ordinal(22), ordinal(111)
    ('first', 'fifth', '13th', '22nd', '111th')
    """
    if 1 <= place <= len(_ORDINALS):
        return _ORDINALS[place - 1]
    teens = place % 100 in {11, 12, 13}
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place:,}{ending}"


def signed(value: float, digits: int = 2) -> str:
    """Return a number with its sign, which a rounded zero has not.

    Examples
    --------
    >>> signed(0.02201289, 5), signed(-1.426), signed(0.001)
    ('+0.02201', '−1.43', '0.00')
    """
    text = number(value, digits)
    return f"+{text}" if value > 0 and float(text.replace(",", "")) != 0 else text
