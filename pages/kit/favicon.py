"""Small pictures for the browser's tab, one per group of pages, drawn here so that nothing is fetched."""

from __future__ import annotations

from typing import Final

_PATHS: Final = {
    "": '<path d="M5 24 L13 11 L19 18 L27 8"/><path d="M5 27 L27 27" opacity=".6"/>',
    "Reuse": '<path d="M5 25 C11 25 11 9 17 9 S23 17 27 17"/><circle cx="17" cy="9" r="2.2" fill="#fff"/>',
    "Contamination": '<path d="M7 7 H25 V25 H7 Z"/><path d="M7 16 H25 M16 7 V25"/>',
    "Fresh items": '<path d="M16 6 A10 10 0 1 1 6.5 13"/><path d="M16 10 V17 L21 20"/>',
    "Maintainers": '<path d="M16 6 L25 10 V17 C25 22 21 25 16 27 C11 25 7 22 7 17 V10 Z"/>',
}


def favicon(group: str) -> str:
    """Return the group's picture as SVG text."""
    strokes = _PATHS.get(group, _PATHS[""])
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" '
        'fill="#0072B2"/><g fill="none" stroke="#fff" stroke-width="2.4" stroke-linecap="round" '
        f'stroke-linejoin="round">{strokes}</g></svg>'
    )
