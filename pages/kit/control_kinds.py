"""The kinds of controls: what each accepts from a URL, how it is written there, and the widget that draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

import streamlit as st

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

PHONE_WIDTH: Final = 358
"""What is left of a phone's 390 pixels inside the margins."""

Value = Any


@dataclass(frozen=True, slots=True)
class Choice:
    """One of several options.

    `options` are (value, label) pairs; the label is what the reader sees *and* what the URL holds, so it is frozen.
    `look` is the widget: a row of segments, a row of pills, a drop-down list, or a slider with named stops. Segments
    that would not fit on a phone become pills, which wrap.
    """

    name: str
    label: str
    options: tuple[tuple[Value, str], ...]
    default: Value
    look: Literal["segments", "pills", "list", "slider"] = "segments"
    help: str | None = None

    def accepts(self, raw: Sequence[str]) -> bool:
        """Whether these values from a URL are valid."""
        return len(raw) >= 1 and raw[-1] in _labels(self.options)

    def from_url(self, raw: Sequence[str]) -> Value:
        """Return the value that accepted URL values stand for."""
        return {label: value for value, label in self.options}[raw[-1]]

    def to_url(self, value: Value) -> list[str]:
        """Return the value as the URL holds it."""
        return [dict(self.options)[value]]

    def is_valid(self, value: Value) -> bool:
        """Whether a value of the session belongs to this control."""
        return value in dict(self.options)

    def draw(self, key: str, on_change: Callable[[], None] | None) -> Value:
        """Draw the widget and return its value."""
        names = dict(self.options)
        values = list(names)
        common: dict[str, Any] = {
            "format_func": lambda value: names.get(value, str(value)),
            "key": key,
            "help": self.help,
            "bind": "query-params",
            "on_change": on_change or "rerun",
        }
        if self.look == "segments" and _fits_a_phone(names.values()):
            return st.segmented_control(self.label, values, default=self.default, required=True, **common)
        if self.look in {"segments", "pills"}:
            return st.pills(self.label, values, default=self.default, required=True, wrap=True, **common)
        if self.look == "list":
            return st.selectbox(self.label, values, index=values.index(self.default), **common)
        return st.select_slider(self.label, values, value=self.default, **common)


@dataclass(frozen=True, slots=True)
class Several:
    """Any subset of several options, none included; `options` as in `Choice`, drawn as pills."""

    name: str
    label: str
    options: tuple[tuple[Value, str], ...]
    default: tuple[Value, ...]
    help: str | None = None

    def accepts(self, raw: Sequence[str]) -> bool:
        """Whether these values from a URL are valid."""
        return list(raw) == [""] or (len(raw) > 0 and set(raw) <= _labels(self.options))

    def from_url(self, raw: Sequence[str]) -> Value:
        """Return the value that accepted URL values stand for."""
        return tuple(value for value, label in self.options if label in raw)

    def to_url(self, value: Value) -> list[str]:
        """Return the value as the URL holds it."""
        return [label for one, label in self.options if one in value] or [""]

    def ordered(self, value: Sequence[Value]) -> tuple[Value, ...]:
        """Return a selection in the order of the options, whatever the order of the clicks."""
        return tuple(one for one, _ in self.options if one in value)

    def is_valid(self, value: Value) -> bool:
        """Whether a value of the session belongs to this control."""
        return isinstance(value, list | tuple) and set(value) <= set(dict(self.options))

    def draw(self, key: str, on_change: Callable[[], None] | None) -> tuple[Value, ...]:
        """Draw the widget and return its value, in the order of the options."""
        names = dict(self.options)
        chosen = st.pills(
            self.label,
            list(names),
            selection_mode="multi",
            default=list(self.default),
            format_func=lambda value: names.get(value, str(value)),
            key=key,
            help=self.help,
            bind="query-params",
            on_change=on_change or "rerun",
            wrap=True,
        )
        return self.ordered(chosen)


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number within bounds."""

    name: str
    label: str
    low: int
    high: int
    default: int
    step: int = 1
    help: str | None = None
    look: Literal["field", "slider"] = "field"

    def accepts(self, raw: Sequence[str]) -> bool:
        """Whether these values from a URL are valid."""
        try:
            return self.low <= int(raw[-1]) <= self.high
        except (ValueError, IndexError):
            return False

    def from_url(self, raw: Sequence[str]) -> Value:
        """Return the value that accepted URL values stand for."""
        return int(raw[-1])

    def to_url(self, value: Value) -> list[str]:
        """Return the value as the URL holds it."""
        return [str(value)]

    def is_valid(self, value: Value) -> bool:
        """Whether a value of the session belongs to this control."""
        return isinstance(value, int) and self.low <= value <= self.high

    def draw(self, key: str, on_change: Callable[[], None] | None) -> int:
        """Draw the widget and return its value."""
        widget = st.number_input if self.look == "field" else st.slider
        return widget(
            self.label,
            min_value=self.low,
            max_value=self.high,
            value=self.default,
            step=self.step,
            key=key,
            help=self.help,
            bind="query-params",
            on_change=on_change or "rerun",
        )


@dataclass(frozen=True, slots=True)
class Decimal:
    """A number within bounds, drawn as a slider."""

    name: str
    label: str
    low: float
    high: float
    default: float
    step: float = 0.1
    format: str | None = None
    help: str | None = None

    def accepts(self, raw: Sequence[str]) -> bool:
        """Whether these values from a URL are valid."""
        try:
            return self.low <= float(raw[-1]) <= self.high
        except (ValueError, IndexError):
            return False

    def from_url(self, raw: Sequence[str]) -> Value:
        """Return the value that accepted URL values stand for."""
        return float(raw[-1])

    def to_url(self, value: Value) -> list[str]:
        """Return the value as the URL holds it."""
        return [f"{value:.12g}"]

    def is_valid(self, value: Value) -> bool:
        """Whether a value of the session belongs to this control."""
        return isinstance(value, int | float) and self.low <= value <= self.high

    def draw(self, key: str, on_change: Callable[[], None] | None) -> float:
        """Draw the widget and return its value."""
        return st.slider(
            self.label,
            min_value=self.low,
            max_value=self.high,
            value=self.default,
            step=self.step,
            format=self.format,
            key=key,
            help=self.help,
            bind="query-params",
            on_change=on_change or "rerun",
        )


@dataclass(frozen=True, slots=True)
class Switch:
    """On or off."""

    name: str
    label: str
    default: bool = False
    help: str | None = None

    def accepts(self, raw: Sequence[str]) -> bool:
        """Whether these values from a URL are valid."""
        return len(raw) >= 1 and raw[-1].lower() in {"true", "false"}

    def from_url(self, raw: Sequence[str]) -> Value:
        """Return the value that accepted URL values stand for."""
        return raw[-1].lower() == "true"

    def to_url(self, value: Value) -> list[str]:
        """Return the value as the URL holds it."""
        return [str(bool(value)).lower()]

    def is_valid(self, value: Value) -> bool:
        """Whether a value of the session belongs to this control."""
        return isinstance(value, bool)

    def draw(self, key: str, on_change: Callable[[], None] | None) -> bool:
        """Draw the widget and return its value."""
        return st.toggle(
            self.label,
            value=self.default,
            key=key,
            help=self.help,
            bind="query-params",
            on_change=on_change or "rerun",
        )


Control = Choice | Several | Whole | Decimal | Switch


def budget_control(
    name: str,
    label: str,
    budgets: Sequence[int],
    default: int,
    *,
    help: str | None = None,  # noqa: A002
) -> Choice:
    """Return a slider over submission budgets; equal steps are doublings, as on the charts' axes."""
    return Choice(name, label, tuple((budget, str(budget)) for budget in budgets), default, "slider", help)


def _fits_a_phone(labels: Iterable[str]) -> bool:
    """Whether a row of segments with these labels is narrow enough, by the letters' mean width and the margins."""
    return sum(7.5 * len(label) + 28 for label in labels) <= PHONE_WIDTH


def _labels(options: tuple[tuple[Value, str], ...]) -> set[str]:
    return {label for _, label in options}
