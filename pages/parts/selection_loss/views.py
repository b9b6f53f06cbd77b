"""The two views of the selection loss page: published curves, and the same study recomputed here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import streamlit as st

from core.bundled_study import other_seeds, run_seeds
from pages.kit.figure import show_figure
from pages.kit.guard import guard
from pages.kit.guess import ask, given_guess, is_shown, show_verdict, with_guess
from pages.kit.jobs import job_result
from pages.kit.notice import show_notes
from pages.parts.selection_loss import words
from pages.parts.selection_loss.controls import (
    CONTROLS,
    GUESS_BENCHMARK,
    GUESS_BUDGET,
    HIDDEN_ABOVE,
    OTHER_SEEDS,
    QUESTION,
    THRESHOLDS,
)
from pages.parts.selection_loss.figures import (
    Look,
    beside_published,
    is_comparable,
    other_seeds_figure,
    published_figure,
    published_notes,
    published_rows,
    published_scores_figure,
    size_of,
    study_figure,
    study_scores_figure,
)
from pages.parts.studies import BANKS, run_study, study_summary

if TYPE_CHECKING:
    import pandas as pd

    from core.bundled_study import StudyWish
    from core.figures.base import Figure
    from pages.kit.registry import PageInfo

SLIDER_WIDTH: Final = 620


def show_published(page: PageInfo) -> None:
    """Draw the published curves, after the reader's guess."""
    if not is_shown(page, CONTROLS, QUESTION):
        CONTROLS.show("view")
        ask(page, CONTROLS, QUESTION)
        look = Look(up_to=HIDDEN_ABOVE)
        show_figure(page, "published", published_figure(look), ["published"], controls=CONTROLS)
        return
    look = _published_controls()
    if not look.benchmarks:
        st.info("No benchmark is chosen. Choose at least one above.", icon=":material/info:")
        return
    show_verdict(page, CONTROLS, QUESTION, _published_value(GUESS_BENCHMARK, GUESS_BUDGET))
    show_figure(page, "published", _curves(page, look), ["published"], controls=CONTROLS)
    show_notes(published_notes(look))
    if "terminal_science" in look.benchmarks and CONTROLS.show("why"):
        show_figure(page, "scores", published_scores_figure(), ["published"], controls=CONTROLS, story=True)


def _published_controls() -> Look:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("view")
        measure = CONTROLS.show("measure")
        with st.popover("Options", icon=":material/tune:"):
            layout = CONTROLS.show("layout")
            threshold = CONTROLS.show(THRESHOLDS[measure])
            bands = CONTROLS.show("bands")
            static = CONTROLS.show("static")
    benchmarks = CONTROLS.show("benchmarks")
    with st.container(width=SLIDER_WIDTH):
        budget = CONTROLS.show("budget")
    return Look(measure, budget, layout, bands, static, threshold, benchmarks)


def _curves(page: PageInfo, look: Look) -> Figure:
    """Return the published curves, with the reader's guess drawn in where it belongs to what is shown."""
    guess = given_guess(page, CONTROLS, QUESTION)
    shown = look.measure == "model_selection_loss_pp" and GUESS_BENCHMARK in look.benchmarks
    if guess is None or not shown:
        return published_figure(look)
    return with_guess(page, CONTROLS, QUESTION, published_figure(look, (guess,)))


def _published_value(benchmark: str, budget: int) -> float:
    rows = published_rows("model_selection_loss_pp")
    here = rows[(rows["benchmark"] == benchmark) & (rows["new_submissions"] == budget)]
    return float(here["value"].iloc[0])


def show_recomputed(page: PageInfo) -> None:
    """Draw the study recomputed with the reader's seed, trials and endpoints."""
    values = CONTROLS.values()
    bands, static = values["bands"], values["static"]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("view")
        measure_key = CONTROLS.show("measure")
        with st.popover("Options", icon=":material/tune:"):
            endpoints = CONTROLS.show("endpoints")
            if not is_comparable(values["bank"], values["trials"], endpoints):
                bands, static = CONTROLS.show("bands"), CONTROLS.show("static")
    bank = CONTROLS.show("bank")
    wish, study, budget = run_study(page, CONTROLS, bank, endpoints)
    name = dict(BANKS)[bank]
    if study is None:
        return
    summary = study_summary(wish, study)
    figure: Figure | None = None
    if is_comparable(bank, wish.trials, endpoints):
        with guard():
            figure = beside_published(wish, measure_key, budget, name, summary)
    if figure is not None:
        show_figure(page, "recomputed", figure, ["recomputed", "published"], controls=CONTROLS)
    else:
        look = Look(measure_key, budget, bands=bands, static=static)
        figure = study_figure(wish, look, name, summary)
        show_figure(page, "recomputed", figure, ["recomputed"], controls=CONTROLS)
    with guard():
        show_notes(_recomputed_notes(wish, summary, budget, name))
    with st.container(horizontal=True, gap="large"):
        why = CONTROLS.show("why")
        others = CONTROLS.show("others")
    if why:
        figure = study_scores_figure(wish, name, summary)
        show_figure(page, "scores", figure, ["recomputed"], controls=CONTROLS, story=True)
    if others:
        _show_other_seeds(page, wish, summary, Look(measure_key, budget), name)


def _show_other_seeds(page: PageInfo, wish: StudyWish, summary: pd.DataFrame, look: Look, name: str) -> None:
    wishes = other_seeds(wish, OTHER_SEEDS)
    summaries = job_result(
        f"{page.prefix}_seeds", wishes, run_seeds, wishes, label=f"Running {OTHER_SEEDS} other seeds, {name}"
    )
    if summaries is None:
        return
    figure = other_seeds_figure((wish, *wishes), look.measure, look.budget, name, (summary, *summaries))
    show_figure(page, "seeds", figure, ["recomputed"], controls=CONTROLS, story=True)


def _recomputed_notes(wish: StudyWish, summary: pd.DataFrame, budget: int, name: str) -> list[str]:
    notes = [words.budget_note(summary, budget, name), words.trials_note(summary)]
    if wish.benchmark != "terminal_science":
        return [*notes, words.not_compared_note(*size_of(wish.benchmark))]
    notes.append(words.agreement_note(summary, wish))
    if not wish.own_seeds:
        notes.append(words.own_seeds_note(_published_value("terminal_science", budget), budget))
    return notes
