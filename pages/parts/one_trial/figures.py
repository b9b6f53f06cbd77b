"""Figures of the one trial page, built once per small frozen description and shared by all visitors."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import streamlit as st

from core import published
from core.benchmark.catalogue import BANKS, load
from core.figures.one_trial import Profiles, pairs_figure, profile_figure
from core.figures.outcome import outcome_figure
from core.figures.player import Player
from core.figures.vote import vote_figure
from core.figures.weights import WeightRow, weights_figure
from core.reuse.vote import text_hash
from core.reuse.walkthrough import Standing, walk
from core.worked_example import (
    SCENARIO_NAMES,
    prompt_vote,
    public_frontier,
    reference_pp,
    released_weights,
    scenario_of,
)
from pages.parts.studies import BANKS as BANK_NAMES

if TYPE_CHECKING:
    from core.figures.base import Figure
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.vote import Vote
    from core.reuse.walkthrough import Walkthrough

WHERE: Final = "HELM Lite, trial 165"
_RUN_ID: Final = re.compile(r" / [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$")


def short_name(model: str) -> str:
    """Return a model's name without the id of its run.

    Examples
    --------
    >>> short_name("Opus 5 / Claude Code / max / 0f2bb71c-54bb-44f5-bdd5-0a04c1ad51c8")
    'Opus 5 / Claude Code / max'
    """
    return _RUN_ID.sub("", model)


@st.cache_resource(max_entries=1, show_spinner=False)
def example_names() -> dict[str, str]:
    """Return display names of the worked example's models."""
    example = published.helm_lite_trial165()
    names = {model.model: model.name for model in public_frontier()[0]}
    names[example.endpoint_a], names[example.endpoint_b] = example.endpoint_names
    return {**names, "router": "Final router"}


@st.cache_resource(max_entries=1, show_spinner=False)
def example_profiles() -> Figure:
    """Return the endpoints' profiles."""
    example = published.helm_lite_trial165()
    profiles = Profiles(
        tuple(SCENARIO_NAMES[scenario.name] for scenario in example.scenarios),
        tuple(scenario.a_pp for scenario in example.scenarios),
        tuple(scenario.b_pp for scenario in example.scenarios),
        *example.endpoint_names,
    )
    return profile_figure(profiles, label="published", source=example.provenance.sentence, where=WHERE)


@st.cache_resource(max_entries=256, show_spinner=False)
def example_weights(scenarios: tuple[str, ...], candidate: int, *, play: bool = False) -> Figure:
    """Return a random router's weights on some scenarios."""
    example = published.helm_lite_trial165()
    rows = [
        WeightRow(
            SCENARIO_NAMES[name],
            reference_pp(scenario_of(example, name)),
            scenario_of(example, name).candidates_pp,
            released_weights(scenario_of(example, name)),
        )
        for name in scenarios
    ]
    frame = (
        Player("Random router", 1, len(rows[0].weights), candidate, milliseconds=700)
        if play and rows
        else candidate
    )
    return weights_figure(rows, frame, label="published", source=example.provenance.sentence, where=WHERE)


@st.cache_data(max_entries=64, show_spinner=False)
def example_vote(scenario: str, prompt_hash: str) -> Vote:
    """Return the vote on a prompt of the worked example."""
    return prompt_vote(published.helm_lite_trial165(), scenario, prompt_hash)


@st.cache_resource(max_entries=256, show_spinner=False)
def example_vote_figure(
    scenario: str, prompt_hash: str, prompt: str, counted: int, *, play: bool = False, hide_rest: bool = False
) -> Figure:
    """Return the figure of a vote of the worked example, the routers that are not counted pale or hidden."""
    example = published.helm_lite_trial165()
    vote = example_vote(scenario, prompt_hash)
    return vote_figure(
        vote,
        Player("Random routers counted", 1, len(vote.choices), counted) if play else counted,
        prompt=prompt,
        source=example.provenance.sentence,
        where=f"{WHERE}, {example.budget} submissions",
        hide_rest=hide_rest,
    )


def own_prompt(text: str) -> str:
    """Return the hash that stands for a text of the reader's."""
    return text_hash(text)


@st.cache_resource(max_entries=1, show_spinner=False)
def example_outcome() -> Figure:
    """Return the published outcome."""
    example = published.helm_lite_trial165()
    standings = [
        Standing(one.label, one.model, one.reused_pp, one.heldout_pp, one.reused_rank, one.heldout_rank)
        for one in example.scored
    ]
    return outcome_figure(
        standings,
        example_names(),
        label="published",
        source=example.provenance.sentence,
        where=f"{WHERE}, {example.budget} submissions",
        pool=example.models + 1,
    )


@st.cache_resource(max_entries=32, show_spinner=False)
def walked(bank: str, trial: int, budget: int, endpoints: EndpointPolicy) -> Walkthrough:
    """Return one trial of a bundled benchmark, run here."""
    return walk(load(bank), trial, budget, endpoints)


def bank_name(bank: str) -> str:
    """Return a bundled benchmark's display name."""
    return dict(BANK_NAMES)[bank]


def bank_source(bank: str) -> str:
    """Return where a bundled benchmark's item scores come from."""
    return f"computed here from the bundled item scores of {bank_name(bank)} ({BANKS[bank].source})."


def place_of(bank: str, trial: int, budget: int | None = None) -> str:
    """Return benchmark, trial and budget in words."""
    end = f", {budget} submissions" if budget else ""
    return f"{bank_name(bank)}, trial {trial}{end}"


@st.cache_resource(max_entries=64, show_spinner=False)
def any_pairs(bank: str, trial: int, budget: int, endpoints: EndpointPolicy) -> Figure:
    """Return all pairs of a trial."""
    found = walked(bank, trial, budget, endpoints)
    names = {model: short_name(model) for model in found.models}
    return pairs_figure(found.pairs, names=names, source=bank_source(bank), where=place_of(bank, trial))


@st.cache_resource(max_entries=64, show_spinner=False)
def any_profiles(bank: str, trial: int, budget: int, endpoints: EndpointPolicy) -> Figure:
    """Return the profiles of a trial's endpoints."""
    found = walked(bank, trial, budget, endpoints)
    profiles = Profiles(
        found.coordinates,
        tuple(float(score) for score in found.a_pp),
        tuple(float(score) for score in found.b_pp),
        short_name(found.endpoint_a or ""),
        short_name(found.endpoint_b or ""),
        "category",
    )
    return profile_figure(profiles, label="recomputed", source=bank_source(bank), where=place_of(bank, trial))


@st.cache_resource(max_entries=128, show_spinner=False)
def any_weights(
    bank: str, trial: int, budget: int, endpoints: EndpointPolicy, candidate: int, *, play: bool = False
) -> Figure:
    """Return a random router's weights on all categories of a trial."""
    found = walked(bank, trial, budget, endpoints)
    rows = [
        WeightRow(
            name,
            float(found.a_pp[place] + found.b_pp[place]) / 2,
            tuple(float(score) for score in found.candidates_pp[:, place]),
            tuple(float(weight) for weight in found.weights[place]),
        )
        for place, name in enumerate(found.coordinates)
    ]
    frame = Player("Random router", 1, budget - 1, candidate, milliseconds=700) if play else candidate
    return weights_figure(
        rows,
        frame,
        label="recomputed",
        source=bank_source(bank),
        where=place_of(bank, trial, budget),
        what="category",
    )


@st.cache_resource(max_entries=128, show_spinner=False)
def any_vote_figure(
    bank: str,
    trial: int,
    budget: int,
    endpoints: EndpointPolicy,
    prompt: int,
    counted: int,
    *,
    play: bool = False,
) -> Figure:
    """Return the vote on one item of a trial."""
    found = walked(bank, trial, budget, endpoints)
    vote = found.vote_on(prompt)
    category = found.coordinates[int(found.prompt_coordinate[prompt])]
    return vote_figure(
        vote,
        Player("Random routers counted", 1, len(vote.choices), counted) if play else counted,
        prompt=f"{found.prompt_items[prompt]} ({category})",
        source=bank_source(bank),
        where=place_of(bank, trial, budget),
    )


@st.cache_resource(max_entries=64, show_spinner=False)
def any_outcome(bank: str, trial: int, budget: int, endpoints: EndpointPolicy) -> Figure:
    """Return a trial's outcome."""
    found = walked(bank, trial, budget, endpoints)
    return outcome_figure(
        found.standings,
        {model: short_name(model) for model in found.models},
        label="recomputed",
        source=bank_source(bank),
        where=place_of(bank, trial, budget),
        pool=len(found.models) + 1,
    )
