"""The three ways into the correct a score page."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any, Final, TypeVar, cast

import streamlit as st

from core.contamination import hubble, requests, shipped
from core.contamination.calibration import few_items_note
from core.contamination.correction import CorrectionSettings
from core.contamination.correction_files import PROBABILITY, SPIKED, TEMPLATE
from core.contamination.logprobs import parse_logprobs, score_table
from core.contamination.pool_correction import PoolCase
from core.contamination.pool_files import read_table
from core.contamination.slider_case import SliderCase
from core.errors import DataError
from core.figures.correction_words import effect
from core.figures.estimates import estimate_figure
from core.figures.wording import number
from pages.kit.figure import show_figure
from pages.kit.frame import PROSE_WIDTH
from pages.kit.guess import ask, given_guess, is_shown, show_verdict, with_guess
from pages.kit.jobs import job_result
from pages.parts.correct_a_score.controls import ALL, CONTROLS, MARK, QUESTION
from pages.parts.correct_a_score.figures import (
    Wish,
    detection_figures,
    drawn,
    drawn_figure,
    errors_at,
    inflation,
    is_shipped,
    pool_check,
    repeated_figure,
    sizes_of,
    sizes_wish,
    slider_figure,
    wish_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable

    import pandas as pd

    from pages.kit.registry import PageInfo

T = TypeVar("T")

AT_ONCE: Final = 1000
"""Rows of a reader's table below which it is corrected at once, in about 0.3 s."""

LEAD: Final = (
    "Before training, some test items are *spiked*: put into the training data on purpose, while others are kept out. Their "
    "known status calibrates a memorization score, so that the rest of a contaminated test can be corrected."
)


def claim() -> str:
    """Return the page's title, from what its controls ask for."""
    values = CONTROLS.values()
    if values["way"] == "own":
        return "What would your model have scored without the leak?"
    if values["way"] == "sliders":
        inflation_pp = 100 * slider_case(values).inflation
        if number(abs(inflation_pp)) == "0.0":
            return "With these numbers the leak does not change the expected score"
        return (
            f"With these numbers the leak {'adds' if inflation_pp > 0 else 'takes'} {number(abs(inflation_pp))} pp "
            + ("to the expected score" if inflation_pp > 0 else "from the expected score")
        )
    wish = wish_of(values)
    errors = errors_at(wish)
    size = (
        "All calibration items" if wish.case.spiked is None else f"{wish.case.spiked:,} items of known status"
    )
    return f"{effect(errors['naive'], errors['ipw'], size)} ({wish.where})"


def show(page: PageInfo) -> None:
    """Draw the question, or the way that is chosen."""
    if not is_shown(page, CONTROLS, QUESTION):
        ask(page, CONTROLS, QUESTION)
        key = sizes_wish(wish_of(CONTROLS.values()))
        hidden = sizes_of(key, MARK, shipped.default_sizes(), ("imputation", "combined"))
        show_figure(page, "sizes", hidden, ["simulated"], controls=CONTROLS)
        st.header("What a leak adds to the score", anchor=False)
        show_figure(page, "inflation", inflation(), ["published"], controls=CONTROLS)
        return
    way = CONTROLS.value("way")
    {"pool": _show_pool, "own": _show_own, "sliders": _show_sliders}[way](page)


def _show_pool(page: PageInfo) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("way")
        CONTROLS.show("prior")
        with st.popover("Options", icon=":material/tune:"):
            for name in ("attack", "rate", "n", "seed"):
                CONTROLS.show(name)
        st.button("Draw again", icon=":material/casino:", on_click=_draw_again, key="cs_draw_again")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        for name in ("pool", "regime"):
            # Side by side these lists would cut their values off on a phone: wide enough for the longest, they wrap.
            with st.container(width=230):
                CONTROLS.show(name)
    with st.container(width=620):
        spiked = CONTROLS.show("spiked")
    wish = wish_of(CONTROLS.values())
    table = shipped.default_sizes()
    truth = float(table[(table["size"] == MARK) & (table["estimator"] == "imputation")]["rmse_pp"].iloc[0])
    show_verdict(page, CONTROLS, QUESTION, truth)
    if given_guess(page, CONTROLS, QUESTION) is not None and is_shipped(sizes_wish(wish)):
        st.caption("Both are in the figure “How many spiked items do I need?” below.")
    show_figure(page, "drawn", drawn_figure(wish), ["simulated"], controls=CONTROLS)
    _note_few(wish)
    _note_prior(wish)
    if CONTROLS.show("repeat"):
        _show_repeated(page, wish)
    st.header("How many spiked items do I need?", anchor=False)
    _show_sizes(page, wish, spiked)
    st.header("How well is the leak seen?", anchor=False)
    with st.grid(2, min_column_width=330, gap="medium"):
        for name, figure in zip(("roc", "reliability"), detection_figures(wish), strict=True):
            with st.container(gap="xsmall"):
                show_figure(page, name, figure, ["simulated"], controls=CONTROLS)
    st.header("What a leak adds to the score", anchor=False)
    show_figure(page, "inflation", inflation(), ["published"], controls=CONTROLS)
    _show_pool_check(wish.pool)


def _draw_again() -> None:
    st.session_state[CONTROLS.key("seed")] = (CONTROLS.value("seed") + 1) % 10_000


def _note_few(wish: Wish) -> None:
    spiked = drawn(wish)[0].calibration.spiked
    for note in few_items_note(int(spiked.sum()), int((~spiked).sum())):
        st.markdown(f":material/warning: {note}", width=PROSE_WIDTH)


def _note_prior(wish: Wish) -> None:
    case, correction = drawn(wish)
    if correction.contaminated_probability is None or correction.memorization is None:
        return
    mean = 100 * float(correction.contaminated_probability.mean())
    share = 100 * float(case.contaminated.mean())
    text = (
        f"The memorization predictor expects {number(mean)} % of these test items to have leaked; in truth {number(share)} % did. "
        f"It was calibrated where {number(100 * float(case.calibration.spiked.mean()), 0)} % had"
    )
    st.markdown(
        f"{text}{', and its odds were corrected for that' if wish.prior else ''}. IPW keeps a leaked item's weight 1 − *d*, so it "
        "under-corrects wherever *d* is not close to 1.",
        width=PROSE_WIDTH,
    )


def _show_repeated(page: PageInfo, wish: Wish) -> None:
    table = job_result(
        "cs_repeat",
        ("repeat", wish),
        requests.repeated_of_preset,
        wish.pool,
        shipped.POOL_SEED,
        wish.case,
        wish.prior,
        label=f"Correcting {wish.case.design.replicates:,} test sets",
        light=True,
    )
    if table is None:
        return
    show_figure(page, "repeated", repeated_figure(wish, table), ["simulated"], controls=CONTROLS)
    if wish == Wish("mmlu", PoolCase(spiked=None, seed=wish.case.seed), None):
        paper = hubble.PAPER_RMSE_PP
        st.markdown(
            f"Published for real Hubble models in this case: naive {paper['naive']} pp, combined {paper['combined']} pp "
            "(Min-K%++ with Qwen3-8B's confidence; arXiv 2605.24818).",
            width=PROSE_WIDTH,
        )


def _show_sizes(page: PageInfo, wish: Wish, spiked: int) -> None:
    """Draw the error by calibration size; the shipped one at default settings."""
    key = sizes_wish(wish)
    table: pd.DataFrame | None
    if is_shipped(key):
        table = shipped.default_sizes()
    else:
        table = job_result(
            "cs_sizes",
            ("sizes", key),
            requests.sizes_of_preset,
            wish.pool,
            shipped.POOL_SEED,
            key.case,
            wish.prior,
            label="Calibrating on 4 to 1,000 items, 500 times each",
        )
    if table is not None:
        figure = sizes_of(key, MARK if spiked == ALL else spiked, table)
        if is_shipped(key):
            figure = with_guess(page, CONTROLS, QUESTION, figure)
        show_figure(page, "sizes", figure, ["simulated"], controls=CONTROLS)


def _show_pool_check(key: str) -> None:
    expander = st.expander(
        "The pool beside the published means",
        icon=":material/fact_check:",
        key="cs_pool_check",
        type="compact",
        on_change="rerun",
    )
    if expander.open:
        with expander:
            borrowed = (
                " AUROCs are published for MMLU alone and borrowed from it here."
                if hubble.preset(key).borrows_auroc
                else ""
            )
            st.markdown(
                "Accuracies are met within 1 pp over the whole pool, AUROCs within .01. The pool is simulated: no real model stands "
                f"behind its items.{borrowed}"
            )
            st.dataframe(pool_check(key), hide_index=True, key="cs_pool_table")


def _show_own(page: PageInfo) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("way")
        CONTROLS.show("prior")
        st.download_button(
            "Template",
            data=TEMPLATE,
            file_name="mirage-items-template.csv",
            mime="text/csv",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )
    if CONTROLS.value("prior"):
        CONTROLS.show("rate")
    _show_detection()
    upload = st.file_uploader(
        "Items: CSV or Parquet with item, y, a score, and spiked (1 put in, 0 kept out, blank to be corrected)",
        type=["csv", "parquet"],
        key="cs_upload",
    )
    if upload is None:
        st.info(
            f"Load a file to correct its score. A column {PROBABILITY} or another confidence is optional. The file stays in this "
            "session.",
            icon=":material/upload:",
        )
        return
    digest = hashlib.sha256(upload.name.encode() + b"\0" + upload.getvalue()).hexdigest()
    table = _mine("table", digest, lambda: read_table(upload, ("item", "y")))
    offered = [str(name) for name in table.columns if name not in {"item", "y", SPIKED}]
    numeric = [name for name in offered if table[name].dtype.kind in "if" and name != PROBABILITY]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        score = st.selectbox("Memorization score", numeric, key="cs_own_score") if numeric else None
        signals = [name for name in offered if name != score]
        start = signals.index(PROBABILITY) if PROBABILITY in signals else None
        signal = st.selectbox(
            "Correctness signal", signals, index=start, key="cs_own_signal", placeholder="none"
        )
    prior = CONTROLS.value("rate") / 100 if CONTROLS.value("prior") else None
    found = _corrected(table, digest, score, signal, prior)
    if found is None:
        return
    figure = estimate_figure(
        found.frame,
        truth=None,
        where=f"{found.items:,} item{'' if found.items == 1 else 's'}",
        label="recomputed",
        source=f"Computed here from the loaded file: {found.known} calibration items, score '{found.score_column}'.",
    )
    for note in found.notes:
        st.caption(note, width=PROSE_WIDTH)
    show_figure(page, "own", figure, ["recomputed"], controls=CONTROLS)


def _corrected(
    table: pd.DataFrame, digest: str, score: str | None, signal: str | None, prior: float | None
) -> requests.CorrectedItems | None:
    """Return the reader's corrected items: few numbers at once, many or texts as a job of this visitor alone."""
    key = ("own", digest, score, signal, prior)
    settings = CorrectionSettings(prior=prior)
    arguments = (table, score, signal, settings)
    is_text = signal is not None and table[signal].dtype.kind not in "biuf"
    if len(table) < AT_ONCE and not is_text:
        return _mine("result", key, lambda: requests.corrected_items(*arguments))
    found: requests.CorrectedItems | None = job_result(
        "cs_own",
        key,
        requests.corrected_items,
        *arguments,
        label=f"Correcting {len(table):,} items, {settings.resamples:,} resamples",
        keep=False,
    )
    return found


def _mine(name: str, key: Hashable, make: Callable[[], T]) -> T:
    """Return something of the reader's own, made once and remembered in this session only."""
    slot = f"_cs_own_{name}"
    known = st.session_state.get(slot)
    if known is None or known[0] != key:
        known = st.session_state[slot] = (key, make())
    return cast("T", known[1])


def _show_detection() -> None:
    """Offer to turn token log-probabilities into scores."""
    expander = st.expander(
        "I have token log-probabilities, no score yet",
        icon=":material/troubleshoot:",
        key="cs_detection",
        type="compact",
        on_change="rerun",
    )
    if not expander.open:
        return
    with expander:
        st.markdown(
            "One JSON object per line with `id`, `text`, `token_logprobs` and, for Min-K%++, `token_mean` and `token_std`. You get LOSS, "
            "Min-K%, zlib and, where they can be computed, Min-K%++ and Reference.",
            width=PROSE_WIDTH,
        )
        target = st.file_uploader("Log-probabilities", type=["jsonl"], key="cs_logprobs")
        reference = st.file_uploader(
            "The same texts under a clean model (optional)", type=["jsonl"], key="cs_reference"
        )
        if target is None:
            return
        other = None if reference is None else parse_logprobs(_lines(reference.getvalue()))
        table = score_table(parse_logprobs(_lines(target.getvalue())), reference=other)
        st.dataframe(table, hide_index=True, key="cs_scores")
        st.download_button(
            "Scores",
            data=lambda: table.to_csv(index=False),
            file_name="mirage-scores.csv",
            mime="text/csv",
            icon=":material/download:",
            type="tertiary",
            on_click="ignore",
        )


def _lines(content: bytes) -> list[str]:
    try:
        return content.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise DataError("The file of log-probabilities is not UTF-8 text.") from None


def slider_case(values: dict[str, Any]) -> SliderCase:
    """Return the case that the sliders describe."""
    return SliderCase(
        clean=values["clean"] / 100,
        leaked_clean=values["leaked_clean"] / 100,
        leaked_observed=values["leaked_observed"] / 100,
        chance=values["chance"] / 100,
        auroc=values["auroc"],
        informativeness=values["q"],
        n=values["n"],
        rate=values["rate"] / 100,
    )


def _show_sliders(page: PageInfo) -> None:
    CONTROLS.show("way")
    with st.grid(2, min_column_width=300, gap="medium"):
        for name in ("clean", "leaked_clean", "leaked_observed", "chance", "rate", "n", "auroc", "q"):
            with st.container():
                CONTROLS.show(name)
    case = slider_case(CONTROLS.values())
    show_figure(page, "sliders", slider_figure(case), ["simulated"], controls=CONTROLS)
    st.markdown(
        f"Expected inflation of the observed score: {number(100 * case.inflation)} pp, the share of leaked items times their gain.",
        width=PROSE_WIDTH,
    )
