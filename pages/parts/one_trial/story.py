"""The story of the one trial page for the lecture hall: from coin flips to a public winner, in the page's four steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core import published
from core.figures.wording import capitalised, count, join, number, ordinal, plural
from core.worked_example import SCENARIO_NAMES, public_frontier
from pages.kit.story import Step, Story, tall
from pages.parts.one_trial import figures, words
from pages.parts.one_trial.controls import CANDIDATES

if TYPE_CHECKING:
    from core.figures.base import Figure
    from core.reuse.vote import Vote
    from core.trial165 import Trial165
    from pages.kit.story import State


def _example() -> Trial165:
    return published.helm_lite_trial165()


def _question_notes(_: State) -> str:
    example = _example()
    return (
        f"Ask where the last submission ends among {example.models} genuine models, publicly and in truth. One trial is one split of "
        f"the items into {example.reused_items:,} that the leaderboard scores and {example.heldout_items:,} that nobody is shown."
    )


def _endpoint_notes(_: State) -> str:
    example = _example()
    a, b = (example.scored[words.scored(example, f"Endpoint {letter}")] for letter in "AB")
    return (
        f"Point at the widest row and at the narrowest. {words.frontier_notes(example)[0]} The two stand "
        f"{ordinal(a.reused_rank)} and {ordinal(b.reused_rank)} publicly: the attack needs models that are good at different things, "
        "not the best ones."
    )


def _weights(state: State) -> Figure:
    return tall(figures.example_weights(state["scenarios"], state["candidate"]), 240)


def _weight_notes(state: State) -> str:
    names = join([SCENARIO_NAMES[name] for name in state["scenarios"]])
    return (
        f"{capitalised(count(len(state['scenarios'])))} of {count(len(_example().scenarios))} scenarios: {names}. The grey ticks are the other routers: luck alone tells them apart. Ask "
        "what the leaderboard would have to withhold so that no arrow could be drawn."
    )


def _vote(_: State) -> Vote:
    prompt = _example().prompt
    return figures.example_vote(prompt.scenario, prompt.prompt_hash)


def _vote_figure(state: State) -> Figure:
    prompt = _example().prompt
    name = f"{SCENARIO_NAMES[prompt.scenario]} prompt {prompt.prompt_hash[:8]}…"
    return figures.example_vote_figure(prompt.scenario, prompt.prompt_hash, name, state["counted"])


def _vote_notes(state: State) -> str:
    crossings = list(_vote(state).crossings)
    return (
        f"Follow the bars: the sum crosses zero {plural(len(crossings), 'time')}. The two rows of cells at the bottom are the coin flips "
        f"themselves. {words.vote_notes(_vote(state), state['counted'])[0]}"
    )


def _outcome_notes(_: State) -> str:
    return (
        f"Let the room read the two ranks of the first row aloud. {words.outcome_notes(_example())[2]} Averages are on the "
        "Selection loss page."
    )


def _flip_question(_: State) -> str:
    total = _example().models + 1
    return f"{words.attack(_example())} What rank will it have, out of {number(total, 0)}?"


STORY: Final = Story(
    (
        Step(
            "coin-flips",
            "Can coin flips win a public ranking?",
            _flip_question,
            _question_notes,
        ),
        Step(
            "endpoints",
            lambda _: figures.example_profiles().title,
            lambda _: words.pair_choice(public_frontier()[0]),
            _endpoint_notes,
            {},
            lambda _: tall(figures.example_profiles(), 400),
            ("published",),
        ),
        Step(
            "weights",
            lambda state: _weights(state).title,
            lambda _: words.weight_rule(),
            _weight_notes,
            {"step": "B"},
            _weights,
            ("published", "recomputed"),
        ),
        Step(
            "vote",
            lambda state: _vote_figure(state).title,
            lambda _: words.vote_lead(CANDIDATES, "scenario"),
            _vote_notes,
            {"step": "C"},
            _vote_figure,
            ("recomputed",),
        ),
        Step(
            "outcome",
            lambda _: words.page_claim(_example()),
            lambda _: words.outcome_notes(_example())[0],
            _outcome_notes,
            {"step": "D"},
            lambda _: tall(figures.example_outcome(), 340),
            ("published",),
        ),
    )
)
