"""Text that Markdown shows as it is written: sentences about a reader's file carry the file's own names."""

from __future__ import annotations

import re
from typing import Final

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
    quiet = text.replace("&", "&amp;").replace("<", "&lt;")
    return _SPECIAL.sub(lambda found: f"{found.group()[:-1]}\\{found.group()[-1]}", quiet)
