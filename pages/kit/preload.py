"""Which parts of Streamlit's program a page needs besides the first ones, so that the browser may fetch them at once.

Streamlit fetches the part that draws a chart only when the first chart arrives, and then that part's own parts. Until they are
there the page shows blanks of another size, and jumps when they fill. Every page here has charts, buttons and downloads.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Final

import streamlit as st

STATIC: Final = Path(st.__file__).parent / "static"
USED: Final = ("ArrowVegaLiteChart", "ButtonGroup", "Button", "DownloadButton", "PageLink", "Slider")
_FOLDER: Final = "static/js"
_IMPORT: Final = re.compile(r"""(?:\bfrom|\bimport)\s*["']\./([\w.+-]+\.js)["']""")


@lru_cache(maxsize=1)
def program_parts() -> tuple[str, ...]:
    """Return the files that every page needs and the first HTML does not name, as paths below the site's own.

    A name that this Streamlit does not have is passed over: the page then works, and fetches it later.
    """
    folder = STATIC / _FOLDER
    named = set(re.findall(rf"{_FOLDER}/([\w.+-]+\.js)", (STATIC / "index.html").read_text(encoding="utf-8")))
    waiting = [path.name for name in USED for path in sorted(folder.glob(f"{name}.*.js"))]
    found: dict[str, None] = {}
    while waiting:
        name = waiting.pop(0)
        if name in named or name in found or not (folder / name).is_file():
            continue
        found[name] = None
        waiting += _IMPORT.findall((folder / name).read_text(encoding="utf-8"))
    return tuple(f"{_FOLDER}/{name}" for name in found)
