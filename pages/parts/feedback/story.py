"""The story of the feedback richness page for the lecture hall: what it buys to return fewer scores, and what not."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core.figures.feedback_words import collapse_sentence
from core.figures.series import measure_of
from core.figures.wording import plural
from pages.kit.story import Step, Story, tall
from pages.parts.feedback import words
from pages.parts.feedback.controls import DIMENSIONS, GUESS_BUDGET, POLICY_BUDGETS
from pages.parts.feedback.figures import (
    Look,
    policy_figure,
    policy_rows,
    published_figure,
    published_rows,
)

if TYPE_CHECKING:
    from core.figures.base import Figure
    from pages.kit.story import State

_MOST: Final = DIMENSIONS[-1]
_HEIGHT: Final = 370


def _figure(state: State) -> Figure:
    return tall(
        published_figure(
            Look(
                state["measure"],
                state["axis"],
                DIMENSIONS.index(state["scores"]) + 1,
                state["budget"],
                state["bands"],
                state["ranges"],
                state["static"],
            )
        ),
        _HEIGHT,
    )


def _richest(_: State) -> Figure:
    last = len(DIMENSIONS)
    return tall(published_figure(Look(position=last, only=(last,), ranges=False)), _HEIGHT)


def _title(state: State) -> str:
    return _figure(state).title


def _collapse(state: State) -> str:
    rows = published_rows(state["measure"])
    return collapse_sentence(rows[rows["dimension"].notna()], measure_of(state["measure"]))


def _collapse_notes(state: State) -> str:
    told = words.collapse_note(published_rows(state["measure"]), published=True)
    return (
        f"{told.removeprefix(_collapse(state)).strip()} This is one benchmark and one set of random routers. Leave to switch "
        "back to submissions."
    )


def _policies(state: State) -> Figure:
    return tall(
        policy_figure(state["measure"], state["axis"], min(state["budget"], POLICY_BUDGETS[-1])), _HEIGHT
    )


def _policy_sentence(state: State) -> str:
    return words.policy_note(policy_rows(state["measure"]), min(state["budget"], POLICY_BUDGETS[-1]))


STORY: Final = Story(
    (
        Step(
            "guess",
            "What does it buy to return fewer scores?",
            f"With {_MOST} returned scores per submission, {plural(GUESS_BUDGET, 'submission')} cost what the curve shows. What do the "
            "same submissions cost if each gets back a single score?",
            f"Ask for hands: the same, half, or a third of it. The benchmark is LiveBench with its {_MOST} task scores; a submission is "
            "a random mixture of two public models, as before.",
            figure=_richest,
            origins=("published",),
        ),
        Step(
            "one-or-eighteen",
            _title,
            f"Before they are returned, LiveBench's {_MOST} task scores are averaged in groups. Each curve is one number of groups, "
            f"from {DIMENSIONS[0]} to {_MOST}.",
            "Read the bold curve, then one of the others by the number at its end. The grey bars are the range over three ways to group "
            "the tasks; the band resamples splits and covers neither other groupings nor other random routers.",
            figure=_figure,
            origins=("published",),
        ),
        Step(
            "collapse",
            _title,
            _collapse,
            _collapse_notes,
            {"measure": "false_winner", "axis": "released_scores", "scores": _MOST},
            _figure,
            ("published",),
        ),
        Step(
            "late",
            _title,
            lambda state: words.ends_note(published_rows(state["measure"]), state["budget"]),
            "Fewer scores buy time, not safety. Ask how many submissions a year the benchmarks in the room answer, and on which side "
            "of the upright rule that is.",
            {"budget": 128},
            _figure,
            ("published",),
        ),
        Step(
            "rules",
            lambda state: _policies(state).title,
            _policy_sentence,
            "Here the choice of the two mixed models is restricted too: it sees no more than the rule returns. Another set of items than "
            "in the pictures before, so compare within this one. Leave to put rules side by side, harm against usefulness, on a "
            "benchmark of your own choice.",
            {"view": "rules"},
            _policies,
            ("published",),
        ),
    )
)
