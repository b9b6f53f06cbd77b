"""The two parts of the lifespan page: the law against observations, and the calculator with its simulated alternative."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from core.benchmark.simulated import livebench_fit
from core.figures.guess_mark import Spot
from core.figures.lifespan_words import is_published
from core.figures.wording import number
from core.reuse.lifespan_simulation import LifespanWish, simulate_lifespan
from pages.kit.figure import show_figure
from pages.kit.guard import guard
from pages.kit.guess import Question, ask, is_shown, show_verdict, with_guess
from pages.kit.jobs import job_result
from pages.kit.notice import show_notes
from pages.parts.lifespan import words
from pages.parts.lifespan.controls import CONTROLS, DRAWS, GUESS_BENCHMARK, TRIALS
from pages.parts.lifespan.figures import (
    answer_figure,
    evidence,
    law_figure,
    simulated_figures,
    simulated_reading,
)

if TYPE_CHECKING:
    from core.reuse.lifespan import Case
    from core.reuse.lifespan_simulation import LifespanCurves
    from pages.kit.badges import Origin
    from pages.kit.registry import PageInfo


def guess_case() -> Case:
    """Return the published observation that the reader guesses."""
    return next(
        case for case in evidence("score_gap", 2.0).external if case.cell.benchmark == GUESS_BENCHMARK
    )


def guess_question() -> Question:
    """Return the question, worded from the published prediction."""
    case = guess_case()
    return Question(
        "guess",
        words.question(case),
        "submissions",
        "The first tested budget that got there",
        decimals=0,
        place=Spot(
            "predicted",
            case.predicted,
            "observed",
            f"where the law predicts {number(case.predicted, 0)} submissions",
        ),
    )


def show_law(page: PageInfo) -> bool:
    """Draw the law against observations; return whether the other benchmarks are shown."""
    asked = guess_question()
    if not is_shown(page, CONTROLS, asked):
        ask(page, CONTROLS, asked)
        show_figure(
            page, "law", law_figure("score_gap", 2.0, external=False), ["published"], controls=CONTROLS
        )
        return False
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        outcome = CONTROLS.show("outcome")
        tolerance = CONTROLS.value("tolerance")
        if outcome == "score_gap":
            with st.container(width=320):
                tolerance = CONTROLS.show("tolerance")
    show_verdict(page, CONTROLS, asked, guess_case().cell.observed)
    known = evidence(outcome, tolerance)
    origin = "published" if is_published(known.law) else "recomputed"
    figure = law_figure(outcome, tolerance)
    if (outcome, tolerance) == ("score_gap", 2.0):
        figure = with_guess(page, CONTROLS, asked, figure)
    show_figure(page, "law", figure, [origin], controls=CONTROLS)
    show_notes(words.law_notes(known))
    return True


def show_calculator(page: PageInfo) -> None:
    """Draw the calculator: the prediction with its external errors and, on request, the simulated alternative."""
    values = CONTROLS.values()
    outcome, tolerance = values["outcome"], values["tolerance"]
    st.header("Your benchmark", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(width=180):
            items = CONTROLS.show("items")
        with st.container(width=180):
            scores = CONTROLS.show("scores")
        simulate = CONTROLS.show("simulate")
    origin: Origin = "published" if is_published(evidence(outcome, tolerance).law) else "recomputed"
    simulated = None
    if simulate:
        with guard():
            simulated = _simulation(page, items, scores)
    if simulated is None:
        figure = answer_figure(outcome, tolerance, items, scores)
        show_figure(page, "answer", figure, [origin], controls=CONTROLS)
        return
    wish, curves = simulated
    reading = simulated_reading(wish, outcome, tolerance, curves)
    both, curve = simulated_figures(wish, outcome, tolerance, reading)
    show_figure(page, "answer", both, [origin, "simulated"], controls=CONTROLS)
    show_figure(page, "curve", curve, ["simulated"], controls=CONTROLS)
    predicted = evidence(outcome, tolerance).law.predict(items, scores)
    show_notes(words.reading_notes(reading, predicted, livebench_fit(), wish.dependence))


def _simulation(page: PageInfo, items: int, scores: int) -> tuple[LifespanWish, LifespanCurves] | None:
    """Draw the simulation's controls and its progress; return it once it is there.

    Raises
    ------
    UsageError
        If the size is outside what is simulated.
    """
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        for name, width in (("models", 140), ("gap", 240), ("dependence", 240), ("seed", 140)):
            with st.container(width=width):
                CONTROLS.show(name)
    chosen = CONTROLS.values()
    wish = LifespanWish(
        items, scores, chosen["models"], chosen["gap"], chosen["dependence"], DRAWS, TRIALS, chosen["seed"]
    )
    curves = job_result(
        f"{page.prefix}_simulation",
        wish,
        simulate_lifespan,
        wish,
        label=f"Simulating {DRAWS} benchmarks, {TRIALS} splits each",
    )
    return None if curves is None else (wish, curves)
