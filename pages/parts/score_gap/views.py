"""The views of the score gap page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from core.bundled_study import StudyWish, run_wish
from pages.kit.door import page_door
from pages.kit.figure import show_figure
from pages.kit.frame import PROSE_WIDTH
from pages.kit.guard import guard
from pages.kit.guess import ask, is_shown, show_verdict
from pages.kit.jobs import job_result
from pages.kit.play import player
from pages.parts.score_gap import figures, words
from pages.parts.score_gap.controls import (
    BANKS,
    CONTROLS,
    GUESS_BENCHMARK,
    GUESS_BUDGET,
    HIDDEN_ABOVE,
    QUESTION,
    TESTED,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pages.kit.registry import PageInfo

_SLIDER: Final = 620
_LIGHT_TRIALS: Final = 250
"""Studies of Terminal-Bench-Science up to this many trials take under half a second and run at once."""


def show_view(page: PageInfo) -> None:
    """Draw the chosen view; the curves ask for a guess first."""
    view = CONTROLS.show("view")
    if view == "curves" and not is_shown(page, CONTROLS, QUESTION):
        ask(page, CONTROLS, QUESTION)
        first = figures.curves(CONTROLS["benchmarks"].default, HIDDEN_ABOVE, HIDDEN_ABOVE)
        show_figure(page, "curves", first, ["published"], controls=CONTROLS)
        return
    {
        "curves": _curves,
        "increase": _increase,
        "trial": _trial,
        "recomputed": _recomputed,
        "loss": _loss,
    }[view](page)


def _notice(notes: Sequence[str]) -> None:
    st.subheader("What to notice", anchor=False)
    st.markdown("\n".join(f"- {note}" for note in notes), width=PROSE_WIDTH)


def _choice(allowed: Sequence[str] = ()) -> tuple[tuple[str, ...], int]:
    """Draw the benchmarks and the budget; return those that are allowed, and the budget."""
    benchmarks = CONTROLS.show("benchmarks")
    with st.container(width=_SLIDER):
        budget = CONTROLS.show("budget")
    shown = tuple(key for key in benchmarks if not allowed or key in allowed)
    return shown, budget


def _nothing() -> None:
    st.info("None of the chosen benchmarks can be shown. Choose another one above.", icon=":material/info:")


def _curves(page: PageInfo) -> None:
    benchmarks, budget = _choice()
    if not benchmarks:
        _nothing()
        return
    rows = figures.published_rows()
    true = rows[(rows["benchmark"] == GUESS_BENCHMARK) & (rows["new_submissions"] == GUESS_BUDGET)]["value"]
    show_verdict(page, CONTROLS, QUESTION, float(true.iloc[0]))
    show_figure(page, "curves", figures.curves(benchmarks, budget), ["published"], controls=CONTROLS)
    with guard():
        shown = rows[rows["benchmark"].isin(benchmarks)]
        _notice(words.curve_notes(shown, figures.baseline_rows(), budget))


def _increase(page: PageInfo) -> None:
    benchmarks, budget = _choice(TESTED)
    if not benchmarks:
        _nothing()
        return
    show_figure(page, "increase", figures.increase(benchmarks, budget), ["published"], controls=CONTROLS)
    with guard():
        _notice(words.increase_notes(benchmarks))


def _trial(page: PageInfo) -> None:
    bank = CONTROLS.show("one_bank")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(width=130):
            trial = CONTROLS.show("trial")
        with st.container(width=260):
            budget = CONTROLS.show("one_budget")
    found = figures.history(bank, trial, budget)
    total = len(found.names)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        with st.container(width=520):
            CONTROLS.show("position")
        play = CONTROLS.show("play")
    position = min(CONTROLS.value("position"), total)
    if total == found.kinds.count("model"):
        st.info(
            f"In trial {trial} one model leads on every returned score, so nothing can be submitted: the history holds the "
            "genuine models alone.",
            icon=":material/info:",
        )
    moving = None
    if play:
        moving = player(figures.trial_figure(bank, trial, budget, position, play=True), CONTROLS, "position")
    figure = figures.trial_figure(bank, trial, budget, position)
    show_figure(page, "trial", figure, ["recomputed"], controls=CONTROLS, draw=moving)
    with guard():
        _notice(words.trial_notes(found, position))
        page_door(
            "one_trial",
            "The same trial step by step",
            ot_view="Any trial, recomputed",
            ot_step="D. Outcome",
            ot_bank=dict(BANKS)[bank],
            ot_trial=str(trial),
            ot_budget=str(budget),
        )


def _recomputed(page: PageInfo) -> None:
    bank = CONTROLS.show("bank")
    endpoints = CONTROLS.show("endpoints")
    with st.container(horizontal=True, gap="large"):
        with st.container(width=380):
            budget = CONTROLS.show("budget")
        with st.container(width=260):
            trials = CONTROLS.show("trials")
        with st.container(width=160):
            seed = CONTROLS.show("seed")
    wish = StudyWish(bank, trials=trials, seed=seed, endpoints=endpoints)
    study = job_result(
        f"{page.prefix}_study",
        wish,
        run_wish,
        wish,
        label=f"Recomputing {dict(BANKS)[bank]}, {trials} trials",
        light=bank == "terminal_science" and trials <= _LIGHT_TRIALS,
    )
    if study is None:
        return
    summary = figures.study_summary(wish, study)
    figure = figures.study_figure(wish, budget, summary)
    show_figure(page, "recomputed", figure, ["recomputed"], controls=CONTROLS)
    with guard():
        _notice(words.recomputed_notes(summary, wish, budget))


def _loss(page: PageInfo) -> None:
    show_figure(page, "loss", figures.gap_and_loss(), ["published"], controls=CONTROLS)
    with guard():
        _notice(words.loss_notes())
        page_door("selection_loss", "Selection loss")
