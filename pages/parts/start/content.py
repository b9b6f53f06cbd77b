"""What the start page says, computed from the published losses, and its doors as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.figures.claims import readings
from core.figures.wording import count, number, span

if TYPE_CHECKING:
    import pandas as pd

BUDGET: Final = 128

ABOUT: Final = (
    "A public benchmark answers every submission with scores, and the ranking is made of them. Mirage shows how far such "
    "a score can be trusted: what is lost by following it, what changes when less is released, and what can be corrected. "
    "Every number here is either taken as printed from the published tables or computed while you watch, and says which. "
    "Every view is a link."
)


@dataclass(frozen=True, slots=True)
class Door:
    """A way in for one kind of reader.

    Parameters
    ----------
    who
        The reader.
    why
        What they find, in a sentence or two.
    pages
        Stems of the pages to offer with the label of each; those that do not exist are left out.
    query
        URL parameters for the pages.
    """

    who: str
    why: str
    pages: tuple[tuple[str, str], ...]


DOORS: Final = (
    Door(
        "You have read the paper",
        "See its main figure with every interval, read any point off it, and rerun the study on the data that is bundled.",
        (("selection_loss", "Selection loss"), ("score_gap", "Score gap"), ("one_trial", "One trial")),
    ),
    Door(
        "You teach or give a talk",
        "Let the room guess before the curves appear. Every state of a page is a link for your slides.",
        (
            ("selection_loss", "Guess first"),
            ("phase_diagrams", "Phase diagrams"),
            ("fresh_items", "Changed facts"),
        ),
    ),
    Door(
        "You maintain a benchmark",
        "See how many submissions pass before a ranking misleads, and how that depends on what you release.",
        (
            ("stress_test", "Stress test"),
            ("feedback", "Feedback richness"),
            ("selection_loss", "Thresholds by budget"),
        ),
    ),
)


def claim(frame: pd.DataFrame, budget: int = BUDGET) -> str:
    """Return the page's title.

    Parameters
    ----------
    frame
        Tidy frame of the selection loss (`core.figures.series`).
    budget
        A budget of the frame.
    """
    found = readings(frame, budget)
    worse = [reading for reading in found if reading.sign == "worse"]
    opening = f"Follow the public ranking after {budget:,} submissions and you"
    total = count(len(found))
    if not worse:
        return f"{opening} lose nothing for certain, on {total} benchmarks out of {total}"
    return f"{opening} pick a worse model, on {count(len(worse))} benchmarks out of {total}"


def paragraph(frame: pd.DataFrame, budget: int = BUDGET, hidden: str | None = None) -> str:
    """Return the paragraph under the title: how much worse, with one benchmark kept back for a guess.

    Parameters
    ----------
    frame, budget
        As in `claim`.
    hidden
        Key of a benchmark that is not spoken of.
    """
    found = readings(frame[frame["benchmark"] != hidden], budget)
    worst = max(found, key=lambda reading: reading.value)
    opening = "The pick" if hidden is None else f"On {count(len(found))} of them the pick"
    return (
        f"{opening} is worse by {span([reading.value for reading in found])} percentage points of held-out score, most on "
        f"{worst.name} ({number(worst.value)}). Nobody cheats in this experiment: somebody submits random mixtures of two "
        "models and keeps what scores well."
    )
