"""The story of the selection loss page for the lecture hall; its titles and numbers come from the figures shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core import published
from core.figures.series import measure_of
from pages.kit.story import Step, Story
from pages.parts.selection_loss import words
from pages.parts.selection_loss.controls import (
    GUESS_BENCHMARK,
    GUESS_BUDGET,
    HIDDEN_ABOVE,
    THRESHOLDS,
)
from pages.parts.selection_loss.figures import (
    Look,
    published_claim,
    published_figure,
    published_rows,
    published_scores_figure,
)

if TYPE_CHECKING:
    from core.figures.base import Figure
    from pages.kit.story import State

_NAME: Final = published.BENCHMARKS[GUESS_BENCHMARK].name


def _look(state: State, up_to: int = 0) -> Look:
    measure = state["measure"]
    return Look(
        measure,
        state["budget"],
        state["layout"],
        state["bands"],
        state["static"],
        state[THRESHOLDS[measure]],
        state["benchmarks"],
        up_to,
    )


def _figure(state: State) -> Figure:
    return published_figure(_look(state))


def _stopped(state: State) -> Figure:
    return published_figure(_look(state, HIDDEN_ABOVE))


def _title(state: State) -> str:
    return _figure(state).title


def _shape(state: State) -> str:
    rows = _look(state).rows(published_rows(state["measure"]))
    return words.shape_note(rows, measure_of(state["measure"]))


STORY: Final = Story(
    (
        Step(
            "guess",
            "What does it cost to follow the public ranking?",
            f"The curves stop at {HIDDEN_ABOVE} submissions. How much held-out score will it be on {_NAME}, the dotted "
            f"curve, after {GUESS_BUDGET:,}?",
            f"Ask for hands: does {_NAME} lose less than 2 points at {GUESS_BUDGET:,} submissions, 2 to 5, or more? "
            "A submission is a mixture of two public models; nobody trains anything. The bands are 95 % intervals over splits.",
            figure=_stopped,
            origins=("published",),
        ),
        Step(
            "six-benchmarks",
            lambda _: published_claim(),
            _shape,
            "Read one curve aloud from left to right before you compare. The point at one submission is the static control: "
            "no random search at all. The intervals resample splits of one snapshot; they say nothing about other random routers.",
            figure=_figure,
            origins=("published",),
        ),
        Step(
            "after-128",
            _title,
            "Held-out score lost, in percentage points: the distance between the model that led before and the one that leads now.",
            "The upright rule marks the number of submissions in the title. Sixteen is an afternoon, and so is this.",
            {"budget": 128},
            _figure,
            ("published",),
        ),
        Step(
            "ranks",
            _title,
            "The same choices, counted in held-out ranks: where the leaders lie close together, few points are many ranks.",
            "Points and ranks disagree about which benchmark suffers most. Ask which of the two a reader of a leaderboard acts on.",
            {"measure": "rank_drop", "budget": 128},
            _figure,
            ("published",),
        ),
        Step(
            "dip",
            lambda _: published_scores_figure().title,
            "The loss is the distance from blue up to grey: it shrinks because the chosen router happens to score better on the "
            "held-out half, not because anybody noticed.",
            "A falling curve is no recovery of the benchmark. Recomputed with other random routers the dip mostly goes away; the "
            "page's preset on luck shows it.",
            {"benchmarks": (GUESS_BENCHMARK,), "budget": GUESS_BUDGET, "why": True},
            lambda _: published_scores_figure(),
            ("published",),
        ),
    )
)
