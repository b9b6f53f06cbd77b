"""The story of the score gap page for the lecture hall: how far it opens, whose scores it compares, what it is not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core import published
from core.figures.wording import number, plural
from pages.kit.story import Step, Story, tall
from pages.parts.score_gap import figures, words
from pages.parts.score_gap.controls import GUESS_BENCHMARK, GUESS_BUDGET, HIDDEN_ABOVE, TESTED

if TYPE_CHECKING:
    from core.figures.base import Figure
    from core.reuse.history import History
    from pages.kit.story import State

_NAME: Final = published.BENCHMARKS[GUESS_BENCHMARK].name


def _stopped(state: State) -> Figure:
    return figures.curves(state["benchmarks"], HIDDEN_ABOVE, HIDDEN_ABOVE)


def _curves(state: State) -> Figure:
    return figures.curves(state["benchmarks"], state["budget"])


def _history(state: State) -> History:
    return figures.history(state["one_bank"], state["trial"], state["one_budget"])


def _trial(state: State) -> Figure:
    position = min(state["position"], len(_history(state).names))
    return figures.trial_figure(state["one_bank"], state["trial"], state["one_budget"], position)


def _trial_sentence(state: State) -> str:
    found = _history(state)
    return words.trial_notes(found, len(found.names))[0]


def _trial_notes(state: State) -> str:
    found = _history(state)
    return (
        f"Walk along the two lines: {found.kinds.count('model')} genuine models by name, then the submissions. The gap is the widest "
        f"distance up to any point, here {number(float(found.gap_pp.max()), 2)} pp after {plural(state['one_budget'], 'submission')}. This "
        "is one split, recomputed on public item scores; the curves before and after average hundreds."
    )


def _increase(state: State) -> Figure:
    return figures.increase(TESTED, state["budget"])


STORY: Final = Story(
    (
        Step(
            "guess",
            "How well does the best public score describe the best held-out score?",
            f"The curve stops at {HIDDEN_ABOVE} submissions. How far apart will the two be on {_NAME}, in percentage points, after "
            f"{GUESS_BUDGET:,}?",
            f"Ask for three hands: below 4 points at {GUESS_BUDGET:,} submissions, 4 to 8, above 8. The dashed line is the distance "
            "before any submission; it is not zero, because few models on few items already differ by luck.",
            {"benchmarks": (GUESS_BENCHMARK,)},
            _stopped,
            ("published",),
        ),
        Step(
            "answer",
            lambda state: _curves(state).title,
            "What the submissions add is the distance from the dashed line: it is what the genuine models alone show, before any "
            "submission.",
            "Read the curve from left to right, then the distance from the dashed line. The band resamples the splits of one snapshot; "
            "it does not cover new items, new models or another set of random routers.",
            {"benchmarks": (GUESS_BENCHMARK,), "budget": GUESS_BUDGET},
            _curves,
            ("published",),
        ),
        Step(
            "two-bests",
            lambda state: _trial(state).title,
            _trial_sentence,
            _trial_notes,
            {"view": "trial"},
            _trial,
            ("recomputed",),
        ),
        Step(
            "paired-test",
            lambda state: _increase(state).title,
            lambda _: words.increase_notes(TESTED)[0],
            "Bands hold one by one, ticks hold all at once: ask which a careful reader wants. Gap and baseline come from the same "
            "split, so its difficulty cancels out. Terminal-Bench-Science is not in the test.",
            {"view": "increase"},
            _increase,
            ("published",),
        ),
        Step(
            "not-the-loss",
            lambda _: figures.gap_and_loss().title,
            lambda _: words.loss_notes()[1],
            lambda _: (
                f"Ask first which of the two pairs an organiser who watches the gap alone would worry about. {words.loss_notes()[2]}"
            ),
            {"view": "loss"},
            lambda _: tall(figures.gap_and_loss(), 220),
            ("published",),
        ),
    )
)
