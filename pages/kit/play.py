"""Play: the same figure with a scrubber in the browser, and "Use this", which copies its frame to the control.

The bound control stays the truth. The scrubber moves without a rerun; its frame reaches the server only when the reader
asks, because the chart sits in a form whose button is "Use this".
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from core.figures.base import chart_of
from core.figures.player import FRAME

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from core.figures.base import Figure
    from pages.kit.controls import Controls


def player(
    moving: Figure, controls: Controls, control: str, values: Sequence[Any] = ()
) -> Callable[[str, Figure], None]:
    """Return what `pages.kit.figure.show_figure` takes as ``draw`` to show a moving figure in place of its still one.

    Parameters
    ----------
    moving
        The same figure built with a `core.figures.player.Player`.
    controls, control
        The control that "Use this" sets: a `Whole` over the player's frames, or one that takes `values`.
    values
        What the frames 1, 2, ... stand for; empty where they stand for themselves.
    """

    def draw(key: str, still: Figure) -> None:
        show_player(key, moving.in_mode(still.mode), controls, control, values)

    return draw


def player_spec(figure: Figure) -> dict[str, Any]:
    """Return a moving figure's specification, with its frame declared as something that Streamlit reports.

    Streamlit reports Vega parameters that a specification declares as selections, wherever they stand in it. The frame is a
    plain parameter with a slider, so the declaration stands where Vega-Lite does not look.
    """
    return {**figure.themed_spec, "spec": {"params": [{"name": FRAME, "select": "point"}]}}


def show_player(
    key: str, figure: Figure, controls: Controls, control: str, values: Sequence[Any] = ()
) -> None:
    """Draw a moving figure in place of its still one.

    Parameters
    ----------
    key
        Prefix of the keys.
    figure
        A figure built with a `core.figures.player.Player`, in the page's colours.
    controls, control, values
        As in `player`.
    """
    chart_key = f"{key}_player_chart"
    with st.form(f"{key}_player", border=False):
        st.altair_chart(
            chart_of(player_spec(figure)),
            width="stretch",
            theme=None,
            key=chart_key,
            alt=figure.alt,
            on_select="rerun",
            selection_mode=FRAME,
        )
        st.form_submit_button(
            "Use this",
            help="Copies the scrubber's place to the control above, the text and the link.",
            icon=":material/check:",
            on_click=_use,
            args=(chart_key, controls, control, values),
        )


def _use(chart_key: str, controls: Controls, control: str, values: Sequence[Any] = ()) -> None:
    state = st.session_state.get(chart_key)
    frame = (state or {}).get("selection", {}).get(FRAME)
    if not isinstance(frame, int | float):
        return
    if values and not 1 <= frame <= len(values):
        return
    chosen = values[int(frame) - 1] if values else int(frame)
    if controls[control].is_valid(chosen):
        st.session_state[controls.key(control)] = chosen
