"""The story of the pocket Hubble page for the lecture hall, told on the shipped pair."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.contamination import shipped
from core.contamination.detection import auroc_by_level
from core.figures.wording import number
from pages.kit.story import Step, Story, tall
from pages.parts.pocket_hubble import figures as fig
from pages.parts.pocket_hubble import views
from pages.parts.pocket_hubble.controls import QUESTION

if TYPE_CHECKING:
    from core.figures.base import Figure
    from pages.kit.story import State

_HEIGHT: Final = 380
ONE_COPY: Final = 1001
"""An item that stood once among the training sentences."""


def _accuracies(_: State) -> Figure:
    return tall(fig.accuracies(shipped.default_pocket_settings(), shipped.default_pocket_pair()), _HEIGHT)


def _tokens(state: State) -> Figure:
    figure = fig.tokens_of(
        shipped.default_pocket_settings(), state["item"] - 1, shipped.default_pocket_pair()
    )
    return tall(figure, _HEIGHT)


def _aurocs(state: State) -> Figure:
    figure = fig.auroc_levels(
        shipped.default_pocket_settings(), state["scope"], shipped.default_pocket_pair()
    )
    return tall(figure, _HEIGHT)


def _real(_: State) -> Figure:
    return tall(fig.published_aurocs(), _HEIGHT)


def _errors(state: State) -> Figure:
    return tall(fig.errors_figure(views.wish_of(dict(state)), shipped.default_pocket_pair()), _HEIGHT)


def _answer(_: State) -> str:
    pair = shipped.default_pocket_pair()
    area = auroc_by_level(pair.scores["whole"]["LOSS"], pair.duplicates)[1].value
    return f"{QUESTION.subject} is {number(area, QUESTION.decimals)}; the dashed line is a coin."


def _tie(state: State) -> str:
    return views.tie_lesson(
        state["attack"],
        fig.ties_of(shipped.default_pocket_settings(), state["attack"], shipped.default_pocket_pair()),
    )


STORY: Final = Story(
    (
        Step(
            "spike",
            lambda _: views.claim(),
            lambda _: views.spike_words(shipped.default_pocket_settings()),
            "Two models start alike and read the same sentences, except that one also finds test items among them. Nothing is "
            "assumed here: every point is measured on the two models. The whiskers are binomial; they do not cover another "
            "training with another seed.",
            figure=_accuracies,
            origins=("recomputed",),
        ),
        Step(
            "guess",
            "Can a single copy be seen?",
            QUESTION.text,
            "The picture is one such item, word by word, under the model that read it and under the one that did not. LOSS is the "
            "mean of the perturbed model's line alone. Ask everybody for a number between 0.50 and 1.00 before you go on.",
            {"item": ONE_COPY},
            _tokens,
            ("recomputed",),
        ),
        Step(
            "detect",
            lambda state: _aurocs(state).title,
            _answer,
            "Begin at the left, where everybody guessed, then walk up the copies. Reference is the best of the five and needs a "
            "model that never saw the test. The whiskers cover the draw of items, not another training.",
            {},
            _aurocs,
            ("recomputed",),
        ),
        Step(
            "real-models",
            lambda state: _real(state).title,
            "The same scores on real models, as published: the shape is the pocket pair's, the scale is not.",
            "The real models have eight billion parameters, the pocket pair has 71,000. The published table gives no intervals, so none are "
            "drawn. Ask what a larger model would do to the curve at one copy.",
            {},
            _real,
            ("published",),
        ),
        Step(
            "correct",
            lambda state: _errors(state).title,
            views.TRUTH,
            "Whoever has the standard model needs no correction; here we have it, so the errors are real ones. Bias in brackets: IPW "
            "is off on the other side of naive. Ask why before the next step.",
            {},
            _errors,
            ("recomputed",),
        ),
        Step(
            "question-only",
            lambda state: _errors(state).title,
            _tie,
            "The score over the whole text contains the answer's own likelihood, so it prefers what the model gets right anyway. "
            "Scored on the question alone it sees less of a medium dose, which is the price.",
            {"scope": "question"},
            _errors,
            ("recomputed",),
        ),
    )
)
