"""A control that holds a short text of the reader's; like every control it is part of the link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text of limited length."""

    name: str
    label: str
    default: str
    most: int = 200
    help: str | None = None

    def accepts(self, raw: Sequence[str]) -> bool:
        """Whether these values from a URL are valid."""
        return len(raw) >= 1 and len(raw[-1]) <= self.most

    def from_url(self, raw: Sequence[str]) -> str:
        """Return the value that accepted URL values stand for."""
        return raw[-1]

    def to_url(self, value: Any) -> list[str]:
        """Return the value as the URL holds it."""
        return [str(value)]

    def is_valid(self, value: Any) -> bool:
        """Whether a value of the session belongs to this control."""
        return isinstance(value, str) and len(value) <= self.most

    def draw(self, key: str, on_change: Callable[[], None] | None) -> str:
        """Draw the widget and return its value."""
        return st.text_input(
            self.label,
            value=self.default,
            max_chars=self.most,
            key=key,
            help=self.help,
            bind="query-params",
            on_change=on_change or "rerun",
        )
