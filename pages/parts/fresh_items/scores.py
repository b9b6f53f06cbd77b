"""The last two steps of the changed facts page: score answers, and the published results."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

import streamlit as st

from core.errors import MirageError
from core.figures.fresh_scores import results_figure, scores_figure, signal_figure
from core.fresh import frames, published
from core.fresh.answers import parse_answers
from core.fresh.items import parse_items
from core.fresh.scoring import score_items
from pages.kit.figure import show_figure
from pages.kit.frame import PROSE_WIDTH
from pages.kit.guess import ask, guess_again, show_verdict, with_guess
from pages.kit.literal import literal
from pages.parts.fresh_items import data, words
from pages.parts.fresh_items.controls import CONTROLS, PUBLISHED, QUESTION
from pages.parts.fresh_items.showing import downloads
from pages.parts.fresh_items.views import SLIDER_WIDTH, cutoff_words, wish_now

if TYPE_CHECKING:
    from core.fresh.items import Item
    from core.fresh.scoring import ScoreReport
    from pages.kit.registry import PageInfo

OWN_SOURCE: Final = "Your answers file, scored here; it stays in this session"


def show_score(page: PageInfo) -> None:
    """Score a simple answerer or the reader's own file."""
    CONTROLS.show("view")
    who = CONTROLS.show("answers")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        for name in ("format", "hops", "distractors", "bucket"):
            CONTROLS.show(name)
    with st.container(width=SLIDER_WIDTH):
        if who in {"memory", "file"}:
            CONTROLS.show("learnt")
        CONTROLS.show("cutoff")
    if who == "file":
        _score_file(page)
        return
    wish, learnt = wish_now(), CONTROLS.value("learnt")
    if not data.item_set(wish).items:
        st.info(
            "No item of this form. Choose fewer hops, fewer documents or an earlier cutoff.",
            icon=":material/info:",
        )
        return
    report = data.simple_scores(wish, who, learnt, CONTROLS.value("bucket"))
    name = data.SIMPLE_ANSWERERS[who].format(day=cutoff_words(learnt))
    _show_report(page, report, name, "simulated", data.simple_source())
    st.caption(f"{words.NO_MODEL} {words.NOT_COVERED}", width=PROSE_WIDTH)


def _show_report(page: PageInfo, report: ScoreReport, who: str, label: str, source: str) -> None:
    rows = frames.score_frame(report, label, source)
    for number, ((kind, setting), part) in enumerate(rows.groupby(["format", "setting"], sort=False)):
        name = (
            who
            if rows["setting"].nunique() == rows["format"].nunique() == 1
            else f"{who}, {kind}, {setting.replace('_', ' ')}"
        )
        show_figure(page, f"scores_{number}", scores_figure(part, name), [label], controls=CONTROLS)  # type: ignore[list-item]
    overall = rows[rows["bucket"] == "all"]
    st.dataframe(
        overall[["format", "setting", "metric", "items", "value", "low", "high"]],
        hide_index=True,
        alt="Every measure over all items, in percent, with its 95 % interval",
        column_config={
            name: st.column_config.NumberColumn(format="%.1f") for name in ("value", "low", "high")
        },
    )


def _score_file(page: PageInfo) -> None:
    built = data.item_set(wish_now()).items
    st.markdown(
        "1. Download the prompts of the set that the controls describe. 2. Let your model answer. 3. Load the outputs: one "
        'JSON object per line, `{"id": "…", "output": "…"}`. Files stay in this session and are not stored.',
        width=PROSE_WIDTH,
    )
    if built:
        downloads(built, "mirage-fresh-items", "ff_score")
    items_file = st.file_uploader(
        "Items file (leave empty for the set above)", type=["jsonl", "json"], key="ff_items_file"
    )
    answers_file = st.file_uploader("Answers file", type=["jsonl", "json"], key="ff_answers_file")
    if answers_file is None:
        return
    try:
        items: list[Item] = (
            list(built) if items_file is None else parse_items(items_file.getvalue(), items_file.name)
        )
        if not items:
            st.info(
                "The controls describe no item. Load an items file or change the controls.",
                icon=":material/info:",
            )
            return
        answers = parse_answers(answers_file.getvalue(), answers_file.name, items)
        report = score_items(
            items,
            answers,
            bucket=CONTROLS.value("bucket"),
            cutoff=data.score_cutoff("file", CONTROLS.value("learnt")),
        )
    except MirageError as fault:
        st.error(literal(str(fault)), icon=":material/error:")
        return
    for note in report.notes:
        st.warning(note, icon=":material/info:")
    name = f"Your answers, data up to {cutoff_words(CONTROLS.value('learnt'))}"
    _show_report(page, report, name, "recomputed", OWN_SOURCE)


def show_published(page: PageInfo) -> None:
    """Draw the published results, after the reader's guess."""
    CONTROLS.show("view")
    if not ask(page, PUBLISHED, QUESTION):
        (kind, metric), model = CONTROLS["result"].default, CONTROLS["model"].default
        hidden = results_figure(data.published_rows(), kind, metric, model, hidden=True)
        show_figure(page, "results", hidden, ["published"], controls=CONTROLS)
        return
    show_verdict(page, PUBLISHED, QUESTION, data.mean_loss())
    guess_again(page, PUBLISHED, QUESTION)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        kind, metric = CONTROLS.show("result")
        model = CONTROLS.show("model")
    figure = results_figure(data.published_rows(), kind, metric, model)
    if (kind, metric) == CONTROLS["result"].default:
        figure = with_guess(page, PUBLISHED, replace(QUESTION, place=data.guess_spot()), figure)
    show_figure(page, "results", figure, ["published"], controls=CONTROLS)
    st.markdown("**What does not fit together in these tables**", width=PROSE_WIDTH)
    st.markdown("\n".join(f"* {sentence}" for sentence in published.oddities()), width=PROSE_WIDTH)
    show_figure(page, "signal", signal_figure(data.signal_rows()), ["published"], controls=CONTROLS)
    st.markdown(f"{words.SIGNAL} {words.SIGNAL_READING}", width=PROSE_WIDTH)
