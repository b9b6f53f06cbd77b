"""The story of the correct a score page for the lecture hall; its numbers come from the figures shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.contamination import shipped
from pages.kit.story import Step, Story, tall
from pages.parts.correct_a_score.controls import MARK, QUESTION
from pages.parts.correct_a_score.figures import (
    detection_figures,
    drawn_figure,
    inflation,
    sizes_of,
    sizes_wish,
    wish_of,
)

if TYPE_CHECKING:
    from core.figures.base import Figure
    from pages.kit.story import State

_HEIGHT: Final = 400


def _sizes(state: State) -> Figure:
    """Return the shipped errors by calibration size."""
    return tall(sizes_of(sizes_wish(wish_of(dict(state))), state["spiked"], shipped.default_sizes()), _HEIGHT)


def _drawn(state: State) -> Figure:
    return tall(drawn_figure(wish_of(dict(state))), _HEIGHT)


def _drawn_title(state: State) -> str:
    return _drawn(state).title


def _roc(state: State) -> Figure:
    return tall(detection_figures(wish_of(dict(state)))[0], _HEIGHT)


STORY: Final = Story(
    (
        Step(
            "guess",
            f"What are {MARK} items of known status worth?",
            QUESTION.text,
            "The picture says what there is to correct, from published accuracies of real model pairs. Ask for a number between 0 and "
            "40 points, and whether IPW, which trusts the other predictor, will do better.",
            figure=lambda _: tall(inflation(), _HEIGHT),
            origins=("published",),
        ),
        Step(
            "how-many",
            lambda state: _sizes(state).title,
            "Each estimator's error by the number of items whose status is known.",
            "Follow imputation from left to right, then IPW: one starts far off and ends well, the other is useful at once. Every "
            "point draws its calibration items anew, so luck with ten items is inside the error. The bands do not cover another pool.",
            {"spiked": MARK},
            _sizes,
            ("simulated",),
        ),
        Step(
            "one-draw",
            _drawn_title,
            f"One test set, one draw of {MARK} calibration items. The dashed line is what a clean model would have scored.",
            "A maintainer sees this without the dashed line. A point may lie close by luck; the whiskers say how little so few items "
            "settle. They do not cover a leak at other doses than the spiked items'.",
            {"spiked": MARK},
            _drawn,
            ("simulated",),
        ),
        Step(
            "more-items",
            _drawn_title,
            lambda state: (
                f"The same test set with {state['spiked']} items of known status: compare the whiskers with the step before."
            ),
            "Go back and forth once with the arrow keys. IPW stays too high even with more items, since a leaked item keeps a little "
            "weight; combined repairs part of it by imputing.",
            {},
            _drawn,
            ("simulated",),
        ),
        Step(
            "seen",
            lambda state: _roc(state).title,
            "What the correction lives on: how well a score tells leaked from clean items.",
            "High doses are easy to see; a single copy is not, as the phase diagrams show. A ROC curve says that items can be ranked. "
            "It does not say that their probabilities are right: those come from the calibration items.",
            {},
            _roc,
            ("simulated",),
        ),
    )
)
