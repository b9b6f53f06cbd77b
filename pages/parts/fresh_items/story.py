"""The story of the changed facts page for the lecture hall; its numbers come from the figures shown."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any, Final

from core.figures.fresh_items import changes_figure, timeline_figure
from core.figures.fresh_scores import results_figure, scores_figure, signal_figure
from core.fresh import frames
from core.fresh.facts import Drop
from core.fresh.relations import RELATIONS
from core.fresh.sample import load_sample
from pages.kit.story import Step, Story, tall
from pages.parts.fresh_items import data, words
from pages.parts.fresh_items.controls import DAYS, PRESETS
from pages.parts.fresh_items.views import cutoff_words

if TYPE_CHECKING:
    from core.figures.base import Figure
    from pages.kit.story import State

LATER: Final[dict[str, Any]] = dict(next(preset for preset in PRESETS if preset.name == "later").values)
"""The state of the page's preset with a later cutoff."""


def _changes(state: State) -> Figure:
    cutoff = state["cutoff"]
    rows = data.change_rows(cutoff, made_up=state["made_up"])
    return tall(changes_figure(rows, date.fromisoformat(cutoff), cutoff_words(cutoff)), 360)


def _claim(state: State) -> str:
    facts, funnel = data.changed(state["cutoff"], made_up=False)
    return words.page_claim(len(facts), funnel.considered, cutoff_words(state["cutoff"]))


def _aging(_: State) -> str:
    first, last = ((name, len(data.changed(iso, made_up=False)[0])) for iso, name in (DAYS[0], DAYS[-1]))
    return words.aging(first, last)


def _pair(state: State) -> tuple[str, str]:
    subject, relation = state["fact"].split("-", 1)
    return subject, relation


def _timeline(state: State) -> Figure:
    pair = _pair(state)
    name = load_sample().entities[pair[0]].label or pair[0]
    rows = data.timeline_rows(pair, state["cutoff"])
    figure = timeline_figure(
        rows, name, RELATIONS[pair[1]].name, date.fromisoformat(state["cutoff"]), date(2024, 12, 31)
    )
    return tall(figure, 240)


def _why(state: State) -> str:
    found = data.outcome(_pair(state), state["cutoff"])
    return words.why_not(found) if isinstance(found, Drop) else words.why(found)


def _scores(state: State) -> Figure:
    who, learnt = state["answers"], state["learnt"]
    wish = data.Wish(
        state["cutoff"], state["format"], state["hops"], state["distractors"], state["seed"], state["made_up"]
    )
    report = data.simple_scores(wish, who, learnt, state["bucket"])
    rows = frames.score_frame(report, "simulated", data.simple_source())
    return scores_figure(rows, data.SIMPLE_ANSWERERS[who].format(day=cutoff_words(learnt)))


def _signal(_: State) -> Figure:
    return tall(signal_figure(data.signal_rows()), 280)


def _results(state: State) -> Figure:
    return tall(results_figure(data.published_rows(), *state["result"], state["model"]), 340)


STORY: Final = Story(
    (
        Step(
            "which-facts",
            _claim,
            f"How many are left for a model whose data end on {cutoff_words(LATER['cutoff'])}?",
            "A question about a fact that changed after a model's last day cannot be in its training data in the new form. Blue dots can "
            "become items, grey ones were known. Ask for a guess at the later day before you go on. These are a sample of real changes, "
            "not all of them.",
            figure=_changes,
            origins=("recomputed",),
        ),
        Step(
            "later",
            _claim,
            _aging,
            "The dots are the same; only the line has moved. A set of this kind has to be built anew for every model, and can be, since "
            "no person labels anything.",
            LATER,
            _changes,
            ("recomputed",),
        ),
        Step(
            "one-change",
            lambda state: _timeline(state).title,
            _why,
            "Ask who would still give the old name, and what that says about them. Vermilion is what a memory up to the cutoff holds, "
            "blue what the item asks for. A document saved after the change has to name the new value, or there is no item.",
            {"view": "one"},
            _timeline,
            ("recomputed",),
        ),
        Step(
            "memory",
            lambda state: _scores(state).title,
            words.NO_MODEL,
            "This is what contamination would look like in its purest form: right up to a day, outdated after it. Where every answer is "
            "alike the whiskers shrink to a point, which is not certainty.",
            {"view": "score"},
            _scores,
            ("simulated",),
        ),
        Step(
            "signal",
            lambda state: _signal(state).title,
            words.SIGNAL,
            "The memory's two changes in a real model, only smaller. No interval is published, so none is drawn. Ask what documents "
            "about other things would cost it.",
            {"view": "published"},
            _signal,
            ("published",),
        ),
        Step(
            "distractors",
            lambda state: _results(state).title,
            "The answer lies in the prompt. What costs points is finding it among documents about other things.",
            "Fresh items take memory away; what is left to measure is reading. Compare the thick line on the left with the one on the "
            "right. The tables they come from do not fit together everywhere; the page lists where.",
            {"view": "published"},
            _results,
            ("published",),
        ),
    )
)
