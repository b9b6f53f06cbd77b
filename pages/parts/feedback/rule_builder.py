"""Pickers that spell a feedback rule, and the check of a rule that a reader typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from core.feedback_wish import OWN_GROUPS
from pages.kit.emphasis import main_button

if TYPE_CHECKING:
    from pages.kit.controls import Controls

_SCORES: Final = {
    "Task scores": "task",
    "Category scores": "category",
    "One overall score": "overall",
    "My own groups": OWN_GROUPS,
    "Practical: task": "policy:task",
    "Practical: category": "policy:category",
    "Practical: aggregate": "policy:aggregate",
}
_STEPS: Final = (0.01, 0.1, 0.5, 1.0, 2.0, 5.0)


def spell(
    scores: str,
    *,
    round_pp: float | None = None,
    noise_pp: float | None = None,
    ladder: str | float | None = None,
    frontier_pp: float | None = None,
    cap: int | None = None,
) -> str:
    """Return a rule as text; parts in the order in which they make sense.

    Examples
    --------
    >>> spell("Category scores", round_pp=0.1, cap=64)
    'category+round:0.1+cap:64'
    >>> spell("One overall score", ladder="auto")
    'overall+ladder:auto'
    """
    parts = [_SCORES[scores]]
    for name, value in (
        ("noise", noise_pp),
        ("round", round_pp),
        ("ladder", ladder),
        ("frontier", frontier_pp),
    ):
        if value is not None:
            parts.append(f"{name}:{value if isinstance(value, str) else f'{value:g}'}")
    if cap is not None:
        parts.append(f"cap:{cap}")
    return "+".join(parts)


def rule_builder(prefix: str, controls: Controls, control: str, *, append: bool = False) -> None:
    """Draw the pickers in a popover; the button puts the spelled rule into a text control.

    Parameters
    ----------
    prefix
        The page's prefix.
    controls, control
        The text control that gets the rule.
    append
        Whether the rule is added after a comma instead of replacing the text.
    """
    key = f"{prefix}_build_{control}"
    popover = st.popover("Build a rule", icon=":material/build:", key=key, on_change="rerun")
    if not popover.open:
        return

    def use() -> None:
        rule = _picked(key)
        before = str(controls.value(control)).strip().rstrip(",")
        st.session_state[controls.key(control)] = f"{before},{rule}" if append and before else rule

    with popover:
        # Side by side only rules that a link can hold are compared.
        offered = [name for name, part in _SCORES.items() if not (append and part == OWN_GROUPS)]
        st.selectbox("A submission gets back", offered, key=f"{key}_scores")
        first, second = st.columns(2)
        first.selectbox("Gaussian noise", (None, *_STEPS), format_func=_step, key=f"{key}_noise")
        second.selectbox("Rounded to", (None, *_STEPS), format_func=_step, key=f"{key}_round")
        first.selectbox("Ladder", (None, "auto", *_STEPS), format_func=_step, key=f"{key}_ladder")
        second.selectbox(
            "Frontier only, margin", (None, 0.0, *_STEPS), format_func=_step, key=f"{key}_frontier"
        )
        st.selectbox(
            "Answers",
            (None, 4, 8, 16, 32, 64, 128),
            format_func=lambda value: "no cap" if value is None else f"at most {value}",
            key=f"{key}_cap",
        )
        st.code(_picked(key), language=None)
        st.button(
            "Add this rule" if append else "Use this rule", key=f"{key}_use", type=main_button(), on_click=use
        )


def _picked(key: str) -> str:
    state = st.session_state
    return spell(
        state.get(f"{key}_scores") or "Task scores",
        round_pp=state.get(f"{key}_round"),
        noise_pp=state.get(f"{key}_noise"),
        ladder=state.get(f"{key}_ladder"),
        frontier_pp=state.get(f"{key}_frontier"),
        cap=state.get(f"{key}_cap"),
    )


def _step(value: str | float | None) -> str:
    return "none" if value is None else "without a step" if value == "auto" else f"{value:g} pp"
