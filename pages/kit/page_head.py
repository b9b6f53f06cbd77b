"""What a page says of itself before it runs: title and description, for search engines and for previews of links.

Streamlit answers every page's path with one file. Readers of a link that run no script (chat programs, search engines) would
see the same bare title everywhere, so the words of the registry are written into that file's head.
"""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING, Final

from pages.kit.preload import STATIC, program_parts

if TYPE_CHECKING:
    from pages.kit.registry import PageInfo

SITE_NAME: Final = "Mirage"
_TITLE: Final = re.compile(r"<title>.*?</title>", re.DOTALL)
_FOREIGN_FONT: Final = re.compile(r"<link\b[^>]*\brel=\"preload\"[^>]*\bas=\"font\"[^>]*>", re.DOTALL)
_HTML_TAG: Final = re.compile(r"<html(?![^>]*\blang=)", re.IGNORECASE)
_FIRST_FONTS: Final = ("MirageSerif-Bold.woff2", "MirageSans-Regular.woff2")


def tab_title(page: PageInfo) -> str:
    """Return the title of a page's tab."""
    return SITE_NAME if page.is_start else f"{page.title} · {SITE_NAME}"


def link_title(page: PageInfo) -> str:
    """Return the title of a page's link where it is shown elsewhere."""
    return "Mirage: how far can a benchmark's score be trusted?" if page.is_start else tab_title(page)


@lru_cache(maxsize=1)
def shell() -> str:
    """Return the HTML file that Streamlit serves for every page."""
    return (STATIC / "index.html").read_text(encoding="utf-8")


def head(page: PageInfo, address: str = "") -> str:
    """Return the elements that a page's head gains.

    Parameters
    ----------
    page
        The page.
    address
        The page's public address, if it is known.
    """
    title, words = escape(link_title(page)), escape(page.help)
    lines = [
        f"<title>{escape(tab_title(page))}</title>",
        f'<meta name="description" content="{words}" />',
        f'<meta property="og:site_name" content="{SITE_NAME}" />',
        '<meta property="og:type" content="website" />',
        f'<meta property="og:title" content="{title}" />',
        f'<meta property="og:description" content="{words}" />',
        '<meta name="twitter:card" content="summary" />',
    ]
    if address:
        lines += [
            f'<meta property="og:url" content="{escape(address)}" />',
            f'<link rel="canonical" href="{escape(address)}" />',
        ]
    return "\n    ".join(lines)


def early_loads() -> str:
    """Return the hints at the head's end: what every page needs after Streamlit's own first files, which come first."""
    fonts = [
        f'<link rel="preload" href="./app/static/{font}" as="font" type="font/woff2" crossorigin />'
        for font in _FIRST_FONTS
    ]
    parts = [
        f'<link rel="modulepreload" crossorigin fetchpriority="low" href="./{part}" />'
        for part in program_parts()
    ]
    return "\n    ".join(fonts + parts)


def with_head(html: str, page: PageInfo, address: str = "") -> str:
    """Return the HTML file with a page's own head.

    The title takes the place of the file's; where there is none it goes to the head's end. The file's hint to load a font
    that no page uses gives way to the two that every page uses. A missing language is named. What may be fetched early is
    named last: a browser has few connections to one server, and without Streamlit's first files nothing is seen at all.

    Examples
    --------
    >>> from pages.kit.registry import page_info
    >>> with_head("<html><head><title>x</title></head></html>", page_info("lifespan"))[:54]
    '<html lang="en"><head><title>Lifespan · Mirage</title>'
    """
    added = head(page, address)
    html = _HTML_TAG.sub('<html lang="en"', _FOREIGN_FONT.sub("", html), count=1)
    html = html.replace("</head>", f"{early_loads()}\n  </head>", 1)
    if _TITLE.search(html):
        return _TITLE.sub(lambda _: added, html, count=1)
    return html.replace("</head>", f"{added}</head>", 1)
