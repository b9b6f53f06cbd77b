"""Controls whose state is in the URL: a frozen table per page, drawn with Streamlit's own widgets.

A control's name in the URL is ``<prefix>_<name>``. Values at their default are left out of the URL, so defaults are
part of a link's meaning: they are frozen in each page's table, and tests hold them in place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

SCENARIO_VERSION: Final = 1
"""Version of the meaning of links; raised when a default or an option changes its meaning."""

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


@dataclass(frozen=True, slots=True)
class Controls:
    """A page's controls.

    Parameters
    ----------
    prefix
        Two letters, unique to the page (`pages.kit.registry`).
    items
        The controls, in the order of the link.
    """

    prefix: str
    items: tuple[Control, ...]

    def __post_init__(self) -> None:
        names = [item.name for item in self.items]
        if len(set(names)) != len(names):
            raise ValueError(f"Control names of '{self.prefix}' repeat: {names}.")
        for item in self.items:
            if not item.is_valid(item.default):
                raise ValueError(
                    f"Default {item.default!r} of control '{item.name}' is not one of its values."
                )

    def __getitem__(self, name: str) -> Control:
        """Return the control with this name."""
        for item in self.items:
            if item.name == name:
                return item
        raise KeyError(name)

    def key(self, name: str) -> str:
        """Return the control's key, in the session and in the URL."""
        return f"{self.prefix}_{self[name].name}"

    def show(self, name: str, on_change: Callable[[], None] | None = None) -> Value:
        """Draw a control here and return its value."""
        return self[name].draw(self.key(name), on_change)

    def value(self, name: str) -> Value:
        """Return a control's value without drawing it: the session's, else the URL's, else the default."""
        item = self[name]
        key = self.key(name)
        if key in st.session_state:
            value = st.session_state[key]
            if item.is_valid(value):
                return item.ordered(value) if isinstance(item, Several) else value
        elif key in st.query_params:
            raw = st.query_params.get_all(key)
            if item.accepts(raw):
                return item.from_url(raw)
        return item.default

    def changed(self, *except_for: str) -> bool:
        """Whether any control is away from its default, some names left out."""
        return any(
            self.value(item.name) != item.default for item in self.items if item.name not in except_for
        )

    def values(self) -> dict[str, Value]:
        """Return the values of all controls."""
        return {item.name: self.value(item.name) for item in self.items}

    def put(self, values: Mapping[str, Value]) -> None:
        """Set controls, those not named to their defaults; call it from a callback, before anything is drawn."""
        for item in self.items:
            key, value = self.key(item.name), values.get(item.name, item.default)
            st.session_state[key] = list(value) if isinstance(item, Several) else value
            _put_in_address(key, [] if value == item.default else item.to_url(value))

    def query(self, values: Mapping[str, Value], **extra: str) -> dict[str, list[str]]:
        """Return the URL parameters of a state: the version, whatever is not at its default, and extras.

        Examples
        --------
        >>> table = Controls("xy", (Switch("on", "On"), budget_control("k", "Budget", (2, 4, 8), 4)))
        >>> table.query({"on": True, "k": 4})
        {'v': ['1'], 'xy_on': ['true']}
        """
        found: dict[str, list[str]] = {"v": [str(SCENARIO_VERSION)]}
        for item in self.items:
            value = values.get(item.name, item.default)
            if value != item.default:
                found[self.key(item.name)] = item.to_url(value)
        found.update({key: [text] for key, text in extra.items()})
        return found

    def faults(self, query: Mapping[str, Sequence[str]]) -> list[str]:
        """Return a phrase for every URL parameter of this page that cannot be used."""
        known = {self.key(item.name): item for item in self.items}
        found = []
        for key, raw in query.items():
            if not key.startswith(f"{self.prefix}_"):
                continue
            shown = ", ".join(raw)[:40]
            if key not in known:
                found.append(f"{key} is not a control of this page")
            elif not known[key].accepts(raw):
                found.append(f"{key} = “{shown}” is not one of its values")
        return found


def version_fault(query: Mapping[str, Sequence[str]]) -> str | None:
    """Return a phrase if the link's version is newer than ours or is not a version."""
    if "v" not in query:
        return None
    raw = query["v"][-1] if query["v"] else ""
    if raw.isascii() and raw.isdigit() and 1 <= int(raw) <= SCENARIO_VERSION:
        return None
    if raw.isascii() and raw.isdigit() and int(raw) > SCENARIO_VERSION:
        return f"the link was made for a newer version ({raw}) of these pages"
    return f"v = “{raw[:20]}” is not a version"


def query_string(query: Mapping[str, Sequence[str]]) -> str:
    """Return URL parameters as the text after the question mark."""
    return urlencode([(key, one) for key, raw in query.items() for one in raw])


def _fits_a_phone(labels: Iterable[str]) -> bool:
    """Whether a row of segments with these labels is narrow enough, by the letters' mean width and the margins."""
    return sum(7.5 * len(label) + 28 for label in labels) <= PHONE_WIDTH


def _put_in_address(key: str, raw: list[str]) -> None:
    """Write a control's value to the address bar; nothing removes it.

    Streamlit does so itself for a widget that is on the page, and refuses others to; it does not for one that is drawn
    for the first time with a value set beforehand.
    """
    try:
        if raw:
            st.query_params[key] = raw
        elif key in st.query_params:
            del st.query_params[key]
    except StreamlitAPIException:
        return


def _labels(options: tuple[tuple[Value, str], ...]) -> set[str]:
    return {label for _, label in options}
