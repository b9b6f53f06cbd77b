"""'How this is computed': the formula, the function and where its source can be read."""

from __future__ import annotations

import inspect
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import streamlit as st

from pages.kit.place import source_link
from pages.kit.registry import ROOT

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


@dataclass(frozen=True)
class Explanation:
    """One step of a computation.

    Parameters
    ----------
    text
        What the step does, in a sentence or two (Markdown).
    formula
        The formula in LaTeX; empty for none.
    function
        The function or class of `core` that does it.
    """

    text: str
    formula: str
    function: Callable[..., Any]

    @property
    def name(self) -> str:
        """The function's full name."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    @property
    def path(self) -> str:
        """Path of the source file within the repository."""
        return Path(inspect.getsourcefile(self.function) or "").resolve().relative_to(ROOT).as_posix()

    @property
    def docstring(self) -> str:
        """The function's own documentation."""
        return inspect.getdoc(self.function) or ""


def explain(prefix: str, steps: Sequence[Explanation]) -> None:
    """Draw the explanation, folded; its body is built only while it is open."""
    expander = st.expander(
        "How this is computed",
        icon=":material/function:",
        key=f"{prefix}_how",
        type="compact",
        on_change="rerun",
    )
    if not expander.open:
        return
    with expander:
        for step in steps:
            st.markdown(step.text)
            if step.formula:
                show_formula(step.formula)
            st.markdown(f"`{step.name}` in {source_link(step.path)}")
            st.code(textwrap.dedent(step.docstring), language=None, wrap_lines=True)


def show_formula(formula: str, width: int | Literal["stretch"] = "stretch") -> None:
    """Draw a formula, with a thin space after it.

    A slanted last letter can stick out of its box by a pixel; the browser then makes the formula a region to
    scroll, which the keyboard cannot reach.
    """
    st.latex(rf"{formula}\,", width=width)
