"""The story of the start page for the lecture hall: the question, its answer, how little it takes, and where to go."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core import published
from core.figures.claims import readings
from core.figures.wording import count, span
from pages.kit.story import Step, Story, tall
from pages.parts.start.content import BUDGET, DOORS, claim, paragraph
from pages.parts.start.figures import choices, losses

if TYPE_CHECKING:
    from core.figures.base import Figure
    from pages.kit.story import State

_EARLY: Final = 16
_HEIGHT: Final = 380
_TOTAL: Final = count(len(published.BENCHMARKS))


def _late_figure(_: State) -> Figure:
    return tall(choices(), _HEIGHT)


def _early_figure(_: State) -> Figure:
    return tall(choices(_EARLY), _HEIGHT)


def _loss_span(budget: int) -> str:
    return span([reading.value for reading in readings(losses(), budget)])


def _early(_: State) -> str:
    return (
        f"With {_EARLY} submissions the pick is already worse by {_loss_span(_EARLY)} percentage points; with "
        f"{BUDGET // _EARLY} times as many it is {_loss_span(BUDGET)}."
    )


def _ways(_: State) -> str:
    return "\n".join(f"- {door.who}: {', '.join(label for _, label in door.pages)}" for door in DOORS)


STORY: Final = Story(
    (
        Step(
            "question",
            f"A ranking has seen {BUDGET:,} submissions. Is its leader still the best choice?",
            f"The submissions are random mixtures of two public models. On how many of {_TOTAL} benchmarks does whoever "
            "follows the ranking now pick a worse model than before?",
            f"Ask for a show of fingers, from none to {_TOTAL}. Say what is not going on: nobody trains a model, nobody sees an "
            "item, and every submission is answered by the leaderboard as usual.",
        ),
        Step(
            "answer",
            lambda _: claim(losses()),
            lambda _: paragraph(losses()),
            "The open mark led before, the filled one leads now. The page's intervals resample splits; they do not cover new items, "
            "models or routers.",
            figure=_late_figure,
            origins=("published",),
        ),
        Step(
            "sixteen",
            lambda state: _early_figure(state).title,
            _early,
            "Let the room compare with the picture before, row by row: where did the harm come early, and where late? Ask how many "
            "entries their own favourite leaderboard has received since its test set was fixed.",
            figure=_early_figure,
            origins=("published",),
        ),
        Step(
            "where-next",
            "Where to go from here",
            _ways,
            "Show the QR code with the Q key and let people open a page while you talk. Every page has a Present button of its "
            "own, and whoever leaves it finds the page in the state that was on the wall.",
        ),
    )
)
