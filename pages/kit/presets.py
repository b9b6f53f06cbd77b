"""'Try this': instructive states of a page's controls, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.kit.controls import query_string
from pages.kit.place import page_address
from pages.kit.reveal import reveal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pages.kit.controls import Controls
    from pages.kit.registry import PageInfo


@dataclass(frozen=True)
class Preset:
    """One state worth looking at.

    Parameters
    ----------
    name
        Short, unique on its page; part of the button's key.
    label
        What the button says.
    why
        One sentence: what to notice there.
    values
        Control values by name; those not named are at their defaults.
    """

    name: str
    label: str
    why: str
    values: Mapping[str, Any]


def preset_link(page: PageInfo, controls: Controls, preset: Preset) -> str:
    """Return the link that opens a preset."""
    return f"{page_address(page)}?{query_string(controls.query(preset.values, reveal='1'))}"


def _apply(page: PageInfo, controls: Controls, preset: Preset) -> None:
    controls.put(preset.values)
    reveal(page.prefix)


def show_presets(
    page: PageInfo, controls: Controls, presets: Sequence[Preset], extra: Callable[[], None] | None = None
) -> None:
    """Draw the presets as a row of buttons, with something `extra` at its end; the one in force says what to notice."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown("Try this", width="content")
        for preset in presets:
            st.button(
                preset.label,
                key=f"{page.prefix}_preset_{preset.name}",
                help=preset.why,
                on_click=_apply,
                args=(page, controls, preset),
            )
        if extra is not None:
            extra()
    current = controls.query(controls.values())
    for preset in presets:
        if controls.query(preset.values) == current:
            st.caption(preset.why)
            break
