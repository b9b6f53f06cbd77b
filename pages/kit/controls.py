"""Controls whose state is in the URL: a frozen table per page, drawn with Streamlit's own widgets.

A control's name in the URL is ``<prefix>_<name>``. Values at their default are left out of the URL, so defaults are
part of a link's meaning: they are frozen in each page's table, and tests hold them in place.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final
from urllib.parse import urlencode

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pages.kit.control_kinds import (
    Choice,
    Control,
    Decimal,
    Several,
    Switch,
    Value,
    Whole,
    budget_control,
)
from pages.kit.literal import literal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

SCENARIO_VERSION: Final = 1
"""Version of the meaning of links; raised when a default or an option changes its meaning."""

__all__ = [
    "SCENARIO_VERSION",
    "Choice",
    "Control",
    "Controls",
    "Decimal",
    "Several",
    "Switch",
    "Value",
    "Whole",
    "budget_control",
    "query_string",
    "version_fault",
]


_PUT_BEFORE_DRAWN: Final = "_put_before_drawn"


@dataclass(frozen=True, slots=True)
class _Put:
    """A value put into a control that the address names and no widget has drawn yet."""

    value: Value
    overruled: bool = False


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
        """Draw a control here and return its value.

        Streamlit gives a widget that is drawn for the first time the value of the address with which the run began, even
        where `put` has set another since. Such a control is drawn once more, with what was put.
        """
        key = self.key(name)
        wanted = st.session_state.pop(f"{key}{_PUT_BEFORE_DRAWN}", None)
        if wanted is not None and wanted.overruled:
            st.session_state[key] = list(wanted.value) if isinstance(self[name], Several) else wanted.value
        value = self[name].draw(key, on_change)
        if wanted is not None and not wanted.overruled and value != wanted.value:
            st.session_state[f"{key}{_PUT_BEFORE_DRAWN}"] = _Put(wanted.value, overruled=True)
            st.rerun()
        return value

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
            if key in st.query_params and key not in st.session_state:
                put = item.ordered(value) if isinstance(item, Several) else value
                st.session_state[f"{key}{_PUT_BEFORE_DRAWN}"] = _Put(put)
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
            shown = literal(", ".join(raw)[:40])
            if key not in known:
                found.append(f"{literal(key[:40])} is not a control of this page")
            elif not known[key].accepts(raw):
                found.append(f"{key} = “{shown}” is not one of its values")
        return found


def version_fault(query: Mapping[str, Sequence[str]]) -> str | None:
    """Return a phrase if the link's version is newer than ours or is not a version."""
    if "v" not in query:
        return None
    raw = query["v"][-1] if query["v"] else ""
    number = int(raw) if raw.isascii() and raw.isdigit() and len(raw) < 10 else 0
    if 1 <= number <= SCENARIO_VERSION:
        return None
    if number > SCENARIO_VERSION:
        return f"the link was made for a newer version ({raw}) of these pages"
    return f"v = “{literal(raw[:20])}” is not a version"


def switch_fault(query: Mapping[str, Sequence[str]], names: Sequence[str]) -> list[str]:
    """Return a phrase for every parameter of these names that is neither 0 nor 1.

    Examples
    --------
    >>> switch_fault({"reveal": ["yes"], "present": ["1"]}, ("reveal", "present"))
    ['reveal = “yes” is neither 0 nor 1']
    """
    given = {name: query[name][-1] if query[name] else "" for name in names if name in query}
    return [
        f"{name} = “{literal(value[:20])}” is neither 0 nor 1"
        for name, value in given.items()
        if value not in {"0", "1"}
    ]


def query_string(query: Mapping[str, Sequence[str]]) -> str:
    """Return URL parameters as the text after the question mark."""
    return urlencode([(key, one) for key, raw in query.items() for one in raw])


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
