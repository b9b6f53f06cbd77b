"""What the pocket Hubble page draws: spike, detect, calibrate, correct, and the lessons."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from core.contamination import requests, shipped
from core.contamination.detection import auroc_by_level
from core.figures.wording import number
from pages.kit.figure import show_figure
from pages.kit.frame import PROSE_WIDTH
from pages.kit.guess import ask, given_guess, is_shown, show_verdict, with_guess
from pages.kit.jobs import job_result
from pages.parts.pocket_hubble import figures as fig
from pages.parts.pocket_hubble.controls import CONTROLS, GUESS_LEVEL, QUESTION

if TYPE_CHECKING:
    from core.contamination.pocket.pair import PocketPair, PocketSettings
    from core.figures.base import Figure
    from pages.kit.badges import Origin
    from pages.kit.registry import PageInfo

LEAD: Final = (
    "Two tiny language models learn the same invented language from 60,000 sentences. They start alike and take the same "
    "steps, but the *perturbed* one finds test items among its sentences. Nothing here is assumed: outcomes, likelihoods and "
    "errors are measured on the models."
)
TRUTH: Final = "The truth is the standard model's score on the same 500 items, three in ten of them leaked."


def claim() -> str:
    """Return the page's title from the shipped pair."""
    table = shipped.default_pocket_pair().accuracy_frame().set_index("duplicates")
    level = int(table.index[3])
    return (
        f"Train a tiny pair, leak the test: {level} copies lift the score from {number(100 * table['standard'][level], 0)} to "
        f"{number(100 * table['perturbed'][level], 0)} %"
    )


def show(page: PageInfo) -> None:
    """Draw the question, or the controls and the five parts."""
    pair: PocketPair | None
    if not is_shown(page, CONTROLS, QUESTION):
        ask(page, CONTROLS, QUESTION)
        settings, pair = shipped.default_pocket_settings(), shipped.default_pocket_pair()
        figure = fig.auroc_levels(settings, "whole", pair, GUESS_LEVEL)
        show_figure(page, "auroc", figure, ["recomputed"], controls=CONTROLS)
        _spike(page, settings, pair)
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(width=430):
            CONTROLS.show("rate")
        CONTROLS.show("levels")
        CONTROLS.show("seed")
    settings = fig.settings_of(CONTROLS.values())
    if settings == shipped.default_pocket_settings():
        pair = shipped.default_pocket_pair()
        areas = auroc_by_level(pair.scores["whole"]["LOSS"], pair.duplicates)
        show_verdict(page, CONTROLS, QUESTION, areas[GUESS_LEVEL].value)
        if given_guess(page, CONTROLS, QUESTION) is not None and CONTROLS.value("scope") == "whole":
            st.caption("Both are in the first figure under “2. Detect”.")
    else:
        pair = job_result(
            "ph_pair",
            ("pocket", settings),
            requests.pocket_pair,
            settings,
            label="Training three small models",
        )
    if pair is None:
        return
    wish = wish_of(CONTROLS.values())
    _spike(page, settings, pair)
    _detect(page, wish, pair)
    _calibrate(page, wish, pair)
    _correct(page, wish, pair)
    _lessons(wish, pair)


def wish_of(values: dict[str, Any]) -> fig.Wish:
    """Return how the controls ask for test sets to be corrected."""
    return fig.Wish(
        fig.settings_of(values),
        values["attack"],
        values["scope"],
        values["signal"],
        values["regime"],
        0.3 if values["prior"] else None,
        values["measured"],
    )


def spike_words(settings: PocketSettings) -> str:
    """Say what was put into the training data."""
    return (
        f"{settings.exposures:,} of the perturbed model's 60,000 sentences are test items with their answers; half of the 2,000 items "
        "never appear. Each is asked as a choice of four."
    )


def tie_lesson(attack: str, ties: dict[str, float]) -> str:
    """Say how a score is tied to being right, over the whole text and over the question."""
    return (
        f"On clean items {attack} correlates with being right: {number(ties['whole'], 2)} over the whole text, "
        f"{number(ties['question'], 2)} over the question. Where that is large, IPW throws out items that are right and lands too low."
    )


def _side_by_side(page: PageInfo, parts: list[tuple[str, Figure, Origin]]) -> None:
    with st.grid(2, min_column_width=330, gap="medium"):
        for name, figure, origin in parts:
            with st.container(gap="xsmall"):
                show_figure(page, name, figure, [origin], controls=CONTROLS)


def _spike(page: PageInfo, settings: PocketSettings, pair: PocketPair) -> None:
    st.header("1. Spike", anchor=False)
    st.markdown(spike_words(settings), width=PROSE_WIDTH)
    _side_by_side(
        page,
        [
            ("accuracy", fig.accuracies(settings, pair), "recomputed"),
            ("hubble_accuracy", fig.published_accuracies(), "published"),
        ],
    )


def _detect(page: PageInfo, wish: fig.Wish, pair: PocketPair) -> None:
    st.header("2. Detect", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("scope")
    figure = fig.auroc_levels(wish.settings, wish.scope, pair)
    if wish.settings == shipped.default_pocket_settings() and wish.scope == "whole":
        figure = with_guess(page, CONTROLS, QUESTION, figure)
    _side_by_side(
        page,
        [
            ("auroc", figure, "recomputed"),
            ("hubble_auroc", fig.published_aurocs(), "published"),
        ],
    )
    with st.container(width=300):
        item = CONTROLS.show("item")
    st.caption(f"Items by number of copies: {fig.items_of_level(pair)}.", width=PROSE_WIDTH)
    show_figure(
        page, "tokens", fig.tokens_of(wish.settings, item - 1, pair), ["recomputed"], controls=CONTROLS
    )


def _calibrate(page: PageInfo, wish: fig.Wish, pair: PocketPair) -> None:
    st.header("3. Calibrate", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("attack")
        CONTROLS.show("signal")
    show_figure(
        page,
        "reliability",
        fig.reliability_of(replace(wish, prior=None), pair),
        ["recomputed"],
        controls=CONTROLS,
    )


def _correct(page: PageInfo, wish: fig.Wish, pair: PocketPair) -> None:
    st.header("4. Correct", anchor=False)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("regime")
        CONTROLS.show("prior")
        CONTROLS.show("measured")
    if not fig.is_offered(wish, pair):
        st.info(
            "No item has these numbers of copies; choose other copies above, or another leak.",
            icon=":material/info:",
        )
        return
    st.markdown(TRUTH, width=PROSE_WIDTH)
    show_figure(page, "drawn", fig.drawn_figure(wish, pair), ["recomputed"], controls=CONTROLS)
    show_figure(page, "errors", fig.errors_figure(wish, pair), ["recomputed"], controls=CONTROLS)


def _lessons(wish: fig.Wish, pair: PocketPair) -> None:
    st.header("5. What the pair teaches", anchor=False)
    ties = fig.ties_of(wish.settings, wish.attack, pair)
    areas = fig.signal_areas(wish.settings, pair)
    lines = [
        f"**A score over the whole text knows the answer.** {tie_lesson(wish.attack, ties)}",
        (
            "**The first word is never predicted**, so it is left out of every score; with the seven others, a fifth is one token, and "
            "Min-K% is the single least likely word."
        ),
        (
            f"**A correctness signal is not an oracle.** The independent model's largest option probability separates right from wrong with "
            f"AUROC {number(areas['largest'], 2)}; its probability of the right option, which nobody has, with {number(areas['right'], 2)}."
        ),
        (
            f"**Two clean trainings differ.** Standard and perturbed model agree on {number(100 * pair.clean_agreement, 0)} % of the clean "
            "items. Showing the standard model's outcome there is an idealisation; the switch above takes what was measured."
        ),
    ]
    if fig.is_offered(wish, pair):
        lines.insert(1, _prior_lesson(wish, pair))
    st.markdown("\n".join(f"- {line}" for line in lines), width=PROSE_WIDTH)


def _prior_lesson(wish: fig.Wish, pair: PocketPair) -> str:
    helps: dict[bool, list[str]] = {}
    for regime, words in (("random_low", "low"), ("random_high", "high")):
        here = replace(wish, regime=regime)
        if not fig.is_offered(here, pair):
            continue
        rmse = [
            fig.errors_of(replace(here, prior=prior), pair).set_index("estimator")["rmse_pp"]["ipw"]
            for prior in (None, 0.3)
        ]
        helps.setdefault(rmse[1] < rmse[0], []).append(
            f"{words} doses ({number(rmse[0])} to {number(rmse[1])} pp)"
        )
    parts = [
        f"{'lowers' if good else 'raises'} IPW's error at {' and at '.join(where)}"
        for good, where in helps.items()
    ]
    return (
        f"**Correcting the prior {' and '.join(parts)}.** The scaling was fitted on all doses together, so what the "
        "correction does depends on the dose, and on what else biases the score."
    )
