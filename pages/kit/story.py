"""A page's story for the lecture hall: its steps as data. Who draws them: `pages.kit.stage`.

A step's name is part of its link and therefore frozen, like the labels of controls.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from pages.kit.literal import plain

if TYPE_CHECKING:
    from core.figures.base import Figure
    from core.figures.plotly_base import PlotlyFigure
    from pages.kit.badges import Origin
    from pages.kit.controls import Controls

PRESENT: Final = "present"
STEP: Final = "step"
_UNIT: Final = re.compile(r"(?<=\d) (?=(?:pp|%)(?!\w))")

State = Mapping[str, Any]
Words = str | Callable[[State], str]
"""Words as they stand, or a function that computes them from the step's control values."""


@dataclass(frozen=True, eq=False)
class Step:
    """One idea.

    Parameters
    ----------
    name
        Short and unique in its story; letters, digits and hyphens. It is what the URL holds.
    title
        The idea, as a claim or a question.
    sentence
        One sentence under it.
    notes
        What the speaker says, for the speaker's eyes.
    values
        Control values by name; those not named are at their defaults.
    figure
        What is revealed: builds the figure from the control values. None for a step of words alone.
    origins
        Where the figure's numbers come from, as badges.
    """

    name: str
    title: Words
    sentence: Words
    notes: Words
    values: State = field(default_factory=dict)
    figure: Callable[[State], Figure | PlotlyFigure] | None = None
    origins: tuple[Origin, ...] = ()

    def state(self, controls: Controls | None) -> dict[str, Any]:
        """Return the values of all of the page's controls in this step."""
        defaults = {item.name: item.default for item in controls.items} if controls else {}
        return {**defaults, **self.values}


@dataclass(frozen=True, eq=False)
class Story:
    """The steps of a page, in order.

    Raises
    ------
    ValueError
        If there is no step, or a name repeats or cannot stand in a link as it is.
    """

    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        names = self.names
        if not names:
            raise ValueError("A story needs at least one step.")
        if len(set(names)) != len(names):
            raise ValueError(f"Names of steps repeat: {names}.")
        for name in names:
            if not name or set(name) - set("abcdefghijklmnopqrstuvwxyz0123456789-"):
                raise ValueError(
                    f"Step '{name}' needs a name of lower-case letters, digits and hyphens: it is part of a link."
                )

    @property
    def names(self) -> list[str]:
        """Names of the steps, in order."""
        return [step.name for step in self.steps]

    def place(self, name: str | None) -> int:
        """Return the place of a step, 0 for the first; the first if there is none of this name."""
        return self.names.index(name) if name in self.names else 0


def tall(figure: Figure, height: int) -> Figure:
    """Return a figure with another plot height, that of its panels if it has any: a stage has more room than a page.

    Parameters
    ----------
    figure
        The page's figure.
    height
        In pixels, before the stage enlarges it.
    """
    if figure.panels:
        return replace(figure, panels=tuple(replace(panel, height=height) for panel in figure.panels))
    return replace(figure, height=height)


def said(words: Words, state: State) -> str:
    r"""Return words, computed where they are a function; a number and its unit stay on one line.

    Examples
    --------
    >>> said(lambda state: f"A loss of 2 pp in {state['share']} % of splits", {"share": 90})
    'A loss of 2\xa0pp in 90\xa0% of splits'
    """
    return _UNIT.sub("\u00a0", words if isinstance(words, str) else words(state))


def step_fault(story: Story | None, name: str | None) -> str | None:
    r"""Return a phrase if a link names a step that the story does not have.

    Examples
    --------
    >>> story = Story((Step("one", "A title", "A sentence.", "Notes."),))
    >>> step_fault(story, "two")
    'step = “two” is not one of the steps (one)'
    >>> print(step_fault(story, "[x](//y)"))
    step = “\[x\]\(//y\)” is not one of the steps (one)
    >>> step_fault(story, "one") is None
    True
    """
    if story is None or name is None or name in story.names:
        return None
    return f"step = “{plain(name[:40])}” is not one of the steps ({', '.join(story.names)})"
