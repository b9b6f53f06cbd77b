"""The steps of the one trial page, for the published example and for any trial recomputed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from core import published
from core.worked_example import public_frontier
from pages.kit.figure import show_figure
from pages.kit.frame import PROSE_WIDTH
from pages.kit.guess import ask, guess_again, is_shown, show_verdict, with_guess
from pages.kit.notice import show_notes
from pages.kit.play import player
from pages.parts.one_trial import figures, words
from pages.parts.one_trial.controls import CANDIDATES, CONTROLS, QUESTION, SEEN_FIRST, STEPS, VOTE

if TYPE_CHECKING:
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.walkthrough import Walkthrough
    from pages.kit.registry import PageInfo

_SLIDER = 520


def show_steps() -> str:
    """Draw the view and the step, with a way back and on, and return the step."""
    CONTROLS.show("view")
    keys = [key for key, _ in STEPS]
    step = CONTROLS.show("step")
    place = keys.index(step)
    with st.container(horizontal=True, gap="small"):
        for label, icon, to in (("Back", "arrow_back", place - 1), ("Next", "arrow_forward", place + 1)):
            inside = 0 <= to < len(keys)
            st.button(
                label,
                key=f"{CONTROLS.prefix}_{label.lower()}",
                icon=f":material/{icon}:",
                disabled=not inside,
                on_click=_go,
                args=(keys[to] if inside else step,),
            )
    return step


def page_claim() -> str:
    """Return the page's title, for the trial that is shown."""
    if CONTROLS.value("view") == "published":
        return words.page_claim(published.helm_lite_trial165())
    return words.any_claim(figures.walked(*_which()))


def lead() -> str:
    """Return the paragraph under the title."""
    if CONTROLS.value("view") == "published":
        return words.lead(published.helm_lite_trial165())
    bank, trial, budget, _ = _which()
    return words.any_lead(figures.bank_name(bank), trial, budget)


def _which() -> tuple[str, int, int, EndpointPolicy]:
    values = CONTROLS.values()
    return values["bank"], values["trial"], values["budget"], values["endpoints"]


def _go(step: str) -> None:
    st.session_state[CONTROLS.key("step")] = step


def _say(text: str) -> None:
    st.markdown(text, width=PROSE_WIDTH)


def show_published(page: PageInfo, step: str) -> None:
    """Draw one step of the published example."""
    {"A": _endpoints, "B": _weights, "C": _vote, "D": _outcome}[step](page)


def _endpoints(page: PageInfo) -> None:
    example = published.helm_lite_trial165()
    models, provenance = public_frontier()
    _say(words.frontier_lead(example, models))
    _say(words.frontier_list(example, models))
    st.caption(f"Source of the list: {provenance.sentence}")
    show_figure(page, "endpoints", figures.example_profiles(), ["published"], controls=CONTROLS)
    show_notes(words.frontier_notes(example))


def _weights(page: PageInfo) -> None:
    example = published.helm_lite_trial165()
    _say(words.weight_lead("scenario"))
    scenarios = CONTROLS.show("scenarios")
    play = _slider_row("candidate")
    candidate = CONTROLS.value("candidate")
    if not scenarios:
        st.info("No scenario is chosen. Choose at least one above.", icon=":material/info:")
        return
    moving = (
        player(figures.example_weights(scenarios, candidate, play=True), CONTROLS, "candidate")
        if play
        else None
    )
    figure = figures.example_weights(scenarios, candidate)
    show_figure(page, "weights", figure, ["published", "recomputed"], controls=CONTROLS, draw=moving)
    show_notes(words.weight_notes(example, scenarios, candidate))


def _slider_row(control: str) -> bool:
    """Draw a slider over the random routers with the Play switch beside it; return whether Play is on."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        with st.container(width=_SLIDER):
            CONTROLS.show(control)
        return bool(CONTROLS.show("play"))


def offer_guess(page: PageInfo) -> None:
    """Draw the way back to the question where one is asked."""
    values = CONTROLS.values()
    if (values["view"], values["step"]) == ("published", "C"):
        guess_again(page, VOTE, QUESTION)


def _vote(page: PageInfo) -> None:
    _say(words.vote_lead(CANDIDATES, "scenario"))
    if is_shown(page, VOTE, QUESTION):
        _whole_vote(page)
        return
    ask(page, VOTE, QUESTION)
    prompt = published.helm_lite_trial165().prompt
    figure = figures.example_vote_figure(
        prompt.scenario,
        prompt.prompt_hash,
        _prompt_name(prompt.scenario, prompt.prompt_hash),
        SEEN_FIRST,
        hide_rest=True,
    )
    show_figure(page, "vote", figure, ["recomputed"], controls=CONTROLS)


def _prompt_name(scenario: str, prompt_hash: str) -> str:
    return f"{words.SCENARIO_NAMES[scenario]} prompt {prompt_hash[:8]}…"


def _whole_vote(page: PageInfo) -> None:
    example = published.helm_lite_trial165()
    own = CONTROLS.show("prompt") == "own"
    scenario, prompt_hash = example.prompt.scenario, example.prompt.prompt_hash
    if own:
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            with st.container(width=300):
                scenario = CONTROLS.show("scenario")
            with st.container(width=_SLIDER):
                text = CONTROLS.show("text")
        prompt_hash = figures.own_prompt(text)
    name = words.SCENARIO_NAMES[scenario]
    vote = figures.example_vote(scenario, prompt_hash)
    kind = "SHA-256 of your text" if own else f"SHA-256 of the {name} prompt with the smallest hash"
    st.code(
        f"{kind}\n{prompt_hash}\n\nthe {len(vote.choices)} coin flips\n{words.flips(vote)}",
        language=None,
        wrap_lines=True,
    )
    play = _slider_row("counted")
    counted = CONTROLS.value("counted")
    what = f"Your text as a {name} prompt" if own else _prompt_name(scenario, prompt_hash)
    still, *moves = (
        figures.example_vote_figure(scenario, prompt_hash, what, counted, play=moves)
        for moves in ((False, True) if play else (False,))
    )
    if not own:
        show_verdict(page, VOTE, QUESTION, float(100 * vote.total))
        still, *moves = (with_guess(page, VOTE, QUESTION, figure) for figure in (still, *moves))
    moving = player(moves[0], CONTROLS, "counted") if moves else None
    show_figure(page, "vote", still, ["recomputed"], controls=CONTROLS, draw=moving)
    show_notes(words.vote_notes(vote, counted))


def _outcome(page: PageInfo) -> None:
    example = published.helm_lite_trial165()
    show_figure(page, "outcome", figures.example_outcome(), ["published"], controls=CONTROLS)
    show_notes(words.outcome_notes(example))


def show_any(page: PageInfo, step: str) -> None:
    """Draw one step of any trial of a bundled benchmark."""
    bank = CONTROLS.show("bank")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        endpoints: EndpointPolicy = CONTROLS.show("endpoints")
        with st.container(width=130):
            trial = CONTROLS.show("trial")
        with st.container(width=300):
            budget = CONTROLS.show("budget")
    found = figures.walked(bank, trial, budget, endpoints)
    if not found.eligible:
        st.info(
            f"In trial {trial} one model leads on every returned score, so there is no pair to mix. Such trials are counted and "
            "left out of averages. Choose another trial.",
            icon=":material/info:",
        )
        return
    which = (bank, trial, budget, endpoints)
    if step == "A":
        show_figure(page, "pairs", figures.any_pairs(*which), ["recomputed"], controls=CONTROLS)
        show_figure(page, "endpoints", figures.any_profiles(*which), ["recomputed"], controls=CONTROLS)
        _public_table(found)
        show_notes(words.any_endpoint_notes(found))
    elif step == "B":
        _any_weights(page, found, which)
    elif step == "C":
        _any_vote(page, found, which)
    else:
        show_figure(page, "outcome", figures.any_outcome(*which), ["recomputed"], controls=CONTROLS)
        show_notes(
            words.any_outcome_notes(found, {model: figures.short_name(model) for model in found.models})
        )


def _public_table(found: Walkthrough) -> None:
    """Draw the public table, folded: every model's released scores, frontier and pool."""
    expander = st.expander(
        "The public table of this trial",
        icon=":material/leaderboard:",
        key=f"{CONTROLS.prefix}_public_table",
        on_change="rerun",
        type="compact",
    )
    if not expander.open:
        return
    import pandas as pd

    order = np.argsort(found.public_rank, kind="stable")
    frame = pd.DataFrame(found.public_pp[order], columns=list(found.coordinates)).round(2)
    frame.insert(0, "place", found.public_rank[order])
    frame.insert(1, "model", [figures.short_name(found.models[place]) for place in order])
    frame.insert(2, "on the frontier", found.frontier[order])
    frame.insert(3, "in the pool", found.pool[order])
    with expander:
        st.dataframe(
            frame,
            hide_index=True,
            key=f"{CONTROLS.prefix}_public_data",
            alt="Released scores of all models, percent",
        )


def _any_weights(page: PageInfo, found: Walkthrough, which: tuple[str, int, int, EndpointPolicy]) -> None:
    _say(words.weight_lead("category"))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        with st.container(width=180):
            router = min(CONTROLS.show("router"), found.budget - 1)
        play = CONTROLS.show("play")
    if CONTROLS.value("router") > router:
        st.caption(f"{found.budget} submissions hold {router} random routers; the last is shown.")
    moving = player(figures.any_weights(*which, router, play=True), CONTROLS, "router") if play else None
    show_figure(
        page, "weights", figures.any_weights(*which, router), ["recomputed"], controls=CONTROLS, draw=moving
    )


def _any_vote(page: PageInfo, found: Walkthrough, which: tuple[str, int, int, EndpointPolicy]) -> None:
    kind = CONTROLS.show("item")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        if kind == "number":
            with st.container(width=150):
                number = CONTROLS.show("number")
        with st.container(width=220):
            CONTROLS.show("tally")
        play = CONTROLS.show("play")
    _say(words.vote_lead(found.budget - 1, "category"))
    prompt = pick_item(found, kind, number if kind == "number" else 1)
    if prompt is None:
        st.info(
            "No vote of this trial is exactly zero. Choose another trial or a smaller number of submissions.",
            icon=":material/info:",
        )
        return
    counted = min(CONTROLS.value("tally"), found.budget - 1)
    vote = found.vote_on(prompt)
    side = "held out: no submission was ever scored on it" if found.held_out[prompt] else "public"
    _say(f"Item {prompt + 1} of {len(found.prompts)}, {side}.")
    moving = None
    if play:
        moving = player(figures.any_vote_figure(*which, prompt, counted, play=True), CONTROLS, "tally")
    show_figure(
        page,
        "vote",
        figures.any_vote_figure(*which, prompt, counted),
        ["recomputed"],
        controls=CONTROLS,
        draw=moving,
    )
    show_notes([*words.vote_notes(vote, counted), *words.any_vote_notes(found)])


def pick_item(found: Walkthrough, kind: str, number: int) -> int | None:
    """Return the item to show: by number (the last one if there are fewer), or by what its vote is like.

    Parameters
    ----------
    found
        An eligible trial.
    kind
        ``close``, ``tie``, ``clear`` or ``number``.
    number
        From 1; used for ``number`` alone.

    Returns
    -------
    int or None
        Index of the prompt; None if a tie is asked for and there is none.
    """
    if kind == "number":
        return min(number, len(found.prompts)) - 1
    ties = np.flatnonzero(found.ties)
    if kind == "tie":
        weighted = [
            int(place) for place in ties if any(found.weights[int(found.prompt_coordinate[place])])
        ]  # a tie that comes about by counting is more telling than one without any weight
        return weighted[0] if weighted else int(ties[0]) if len(ties) else None
    size = np.abs(found.votes)
    if kind == "close":
        return int(np.where(found.ties, np.inf, size).argmin()) if len(ties) < len(size) else int(ties[0])
    return int(size.argmax())
