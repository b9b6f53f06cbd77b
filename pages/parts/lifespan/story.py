"""The story of the lifespan page for the lecture hall: a law that fits, where it fails, and what a forecast is worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from pages.kit.story import Step, Story, tall
from pages.parts.lifespan import words
from pages.parts.lifespan.controls import PRESETS
from pages.parts.lifespan.figures import answer_figure, evidence, law_figure
from pages.parts.lifespan.views import guess_case

if TYPE_CHECKING:
    from core.figures.base import Figure
    from pages.kit.story import State
    from pages.parts.lifespan.figures import Evidence

_HEIGHT: Final = 385
_ONE_SCORE: Final = next(preset for preset in PRESETS if preset.name == "one_score")


def _known(state: State) -> Evidence:
    return evidence(state["outcome"], state["tolerance"])


def _fit(state: State) -> Figure:
    return tall(law_figure(state["outcome"], state["tolerance"], external=False), _HEIGHT)


def _law(state: State) -> Figure:
    return tall(law_figure(state["outcome"], state["tolerance"]), _HEIGHT)


def _claim(state: State) -> str:
    return words.page_claim(_known(state))


def _directions(state: State) -> str:
    return words.law_notes(_known(state))[1]


def _answer(state: State) -> Figure:
    return tall(answer_figure(state["outcome"], state["tolerance"], state["items"], state["scores"]), 200)


STORY: Final = Story(
    (
        Step(
            "guess",
            "How many submissions does a benchmark last?",
            lambda _: words.question(guess_case()),
            "Every small point is LiveBench with fewer items or fewer returned scores; on the line, law and observation agree. Ask the "
            "room to write a number down. Tested budgets double, so an observation is known to within a factor of two only.",
            figure=_fit,
            origins=("published",),
        ),
        Step(
            "elsewhere",
            _claim,
            _directions,
            lambda state: (
                f"Read the large marks from the worst to the best. {words.law_notes(_known(state))[2]}"
            ),
            {},
            _law,
            ("published",),
        ),
        Step(
            "false-winners",
            _claim,
            "The same picture for another end: nine of ten final routers lead publicly and are not the best. Here the law counts "
            "returned scores alone; the number of items drops out.",
            "Ask whether a benchmark with more items should last longer; by this law it does not. A thin line reaches down to the "
            "tested budget before; no interval over splits is drawn.",
            {"outcome": "false_winner"},
            _law,
            ("published",),
        ),
        Step(
            "calculator",
            lambda state: _answer(state).title,
            "The mark is what the law says for this size. The ticks are the same number, off as the law was on each benchmark that it "
            "was not fitted to.",
            lambda state: f"{_answer(state).notices[1]} Ask for somebody's own size, leave, and type it in.",
            {},
            _answer,
            ("published",),
        ),
        Step(
            "one-score",
            lambda state: _answer(state).title,
            _ONE_SCORE.why,
            lambda state: (
                f"Whether to believe it is another matter: the range spans the same factor as before. {_answer(state).notices[0]} The law was never "
                "tested on a benchmark of this size that returns a single score."
            ),
            _ONE_SCORE.values,
            _answer,
            ("published",),
        ),
    )
)
