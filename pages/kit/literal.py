"""Text that Markdown shows as it is written: sentences about a reader's file or a document carry names of their own."""

from __future__ import annotations

import re
from typing import Final

_PUNCTUATION: Final = re.compile(r"([\\`*_{}\[\]()#+\-.!|$:~^])")

# What Streamlit's Markdown would turn into emphasis, code, links, formulas, colours, icons, tables or dashes.
_SPECIAL: Final = re.compile(
    r"[\\`*\[\]$~|]|(?<!\w)_|_(?!\w)|:(?=[A-Za-z_])|(?<=-)-|^\s*(?:#|>|\d+(?=\.\s))", re.MULTILINE
)


def literal(text: str) -> str:
    r"""Return text whose words and line breaks are shown as they are; lines that begin with ``- `` stay a list.

    Examples
    --------
    >>> print(literal("Model '$a$ :red[b] <b>' lacks items_of_x\n- give --force"))
    Model '\$a\$ \:red\[b\] &lt;b>' lacks items_of_x
    - give -\-force
    """
    quiet = text.replace("&", "&amp;").replace("<", "&lt;")  # a ">" quotes at a line's start alone: see below
    return _SPECIAL.sub(lambda found: f"{found.group()[:-1]}\\{found.group()[-1]}", quiet)


def plain(text: str) -> str:
    r"""Return a piece of text with every mark of Markdown switched off: no link, picture, list, formula, colour or HTML.

    For names and values inside Markdown of our own; line breaks and outer spaces are kept.

    Examples
    --------
    >>> print(plain("![x](http://y) :red[z] $a$ <b>"))
    \!\[x\]\(http\://y\) \:red\[z\] \$a\$ &lt;b&gt;
    >>> plain("1. FC")
    '1\\. FC'
    """
    quiet = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return _PUNCTUATION.sub(r"\\\1", quiet)


def plain_line(text: str) -> str:
    r"""Return a text as `plain` does, on one line.

    Examples
    --------
    >>> plain_line("two  words\nand  more")
    'two words and more'
    """
    return plain(" ".join(text.split()))
