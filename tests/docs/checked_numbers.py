"""Numbers in prose: how they are written, and which of them no check covers."""

from __future__ import annotations

import re

UNCHECKED = re.compile(r"(?<![\w.+:])(?:\d+\.\d+|\d+ (?:pp|%))")


def signed(value, decimals=2):
    """Return a number with a typographic minus."""
    return f"{value:.{decimals}f}".replace("-", "−")


def percent(share):
    """Return a share as a percentage with one decimal."""
    return f"{100 * share:.1f} %"


def left_over(text, fragments):
    """Return numbers with a decimal or a unit that no checked fragment covers; every fragment must be in the text."""
    for fragment in fragments:
        assert fragment in text, f"not in the text: {fragment}"
    for fragment in sorted(fragments, key=len, reverse=True):
        text = text.replace(fragment, "")
    return UNCHECKED.findall(re.sub(r"arXiv \d+\.\d+", "", text))
