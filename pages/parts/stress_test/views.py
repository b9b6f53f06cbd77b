"""What the stress test page draws: the choice of data, its check and summary, and the results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import streamlit as st

from core.errors import MirageError
from core.reuse.study import reseed
from pages.kit.figure import show_figure
from pages.kit.frame import PROSE_WIDTH
from pages.kit.guard import guard
from pages.kit.guess import ask, show_verdict, with_guess
from pages.kit.limits import upload_limit_mb
from pages.kit.literal import plain
from pages.kit.share import share_link
from pages.parts.stress_test import samples, words
from pages.parts.stress_test.controls import ASKED_RULE, CONTROLS, OWN, QUESTION
from pages.parts.stress_test.figures import kept, losses_figure, measure_figure, usefulness_figure
from pages.parts.stress_test.sources import TYPES, forget_own, named_bank, own_bank

if TYPE_CHECKING:
    from core.benchmark.check_report import CheckReport
    from core.report import Report
    from core.reuse.comparison import Comparison
    from core.reuse.portions import StressWish
    from pages.kit.registry import PageInfo
    from pages.parts.stress_test.sources import Bank


def choose_bank() -> Bank | None:
    """Draw the choice of data and return the benchmark; None where nothing can be read yet."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        source = CONTROLS.show("source")
        with st.popover("Settings", icon=":material/tune:"):
            st.caption(
                "“As given” is what the benchmark's settings say, or the default where they say nothing."
            )
            for name in ("coordinates", "ranking", "precision", "holdout"):
                CONTROLS.show(name)
            if source == OWN:
                CONTROLS.show("repeats")
            for name in ("endpoints", "trials", "seed"):
                CONTROLS.show(name)
    values = CONTROLS.values()
    if source != OWN:
        forget_own()
        return named_bank(source, values)
    bank = _upload(values)
    if bank is None:
        return None
    _show_check(bank.report)
    return bank if bank.benchmark is not None else None


def _upload(values: dict[str, Any]) -> Bank | None:
    limit = upload_limit_mb()
    items = st.file_uploader(
        f"Item scores: CSV, gzipped CSV, Parquet or Feather, up to {limit:,} MB",
        type=list(TYPES),
        max_upload_size=limit,
        key="st_items",
        help="One row per model and item: model, item, score (0 to 1), and if you have them task, category, prompt_hash.",
    )
    settings = st.file_uploader(
        "Settings: TOML or JSON, optional", type=["toml", "json"], max_upload_size=1, key="st_settings"
    )
    with st.container(horizontal=True, gap="xsmall"):
        for label, name, content in (
            ("Template", "template.csv", samples.TEMPLATE),
            ("Example", "example.csv", samples.example),
            ("Settings with every key", "settings.toml", samples.SETTINGS),
        ):
            st.download_button(
                label,
                data=content,
                file_name=name,
                mime="text/csv" if name.endswith("csv") else "application/toml",
                key=f"st_sample_{name.split('.')[0]}",
                on_click="ignore",
                type="tertiary",
                icon=":material/download:",
            )
    st.caption(words.PRIVACY, width=PROSE_WIDTH)
    if items is None:
        forget_own()
        st.info(
            "Load your item scores to begin. A link to this page carries its settings and rule, never data, so whoever opens it "
            "loads the file again.",
            icon=":material/upload_file:",
        )
        return None
    with st.spinner("Reading and checking"):
        return own_bank(items, settings, values)


def _show_check(report: CheckReport) -> None:
    """Draw every fault with its rows and its repair, or the remarks made on reading."""
    repairable = any(fault.code == "incomplete" for fault in report.faults)
    if report.faults:
        count = len(report.faults)
        st.error(
            f"**This file cannot be used yet: {count} fault{'' if count == 1 else 's'}**\n\n"
            + "\n".join(f"- {plain(fault.text)}" for fault in report.faults)
            + (
                "\n\nRows are counted as in a spreadsheet: the header is row 1."
                if any(fault.rows for fault in report.faults)
                else ""
            ),
            icon=":material/error:",
        )
    if repairable or CONTROLS.value("incomplete") != "stop":
        CONTROLS.show("incomplete")
    for note in report.notes:
        st.caption(f":material/info: {plain(note)}", width=PROSE_WIDTH)


def show_summary(bank: Bank) -> None:
    """Draw what was read: sizes, and the leaderboard with standard errors, unfolded on request."""
    summary = bank.report.summary
    if summary is None:
        return
    st.markdown(words.summary_sentence(summary), width=PROSE_WIDTH)
    board = st.expander(
        "Leaderboard", icon=":material/leaderboard:", key="st_board", type="compact", on_change="rerun"
    )
    if not board.open:
        return
    import pandas as pd

    from core.report_parts.cells import name

    with board:
        st.caption("Mean item score, with its standard error over items taken as independent draws.")
        st.dataframe(
            pd.DataFrame(
                {
                    "model": [name(one.model) for one in summary.leaderboard],
                    "mean (%)": [100 * one.mean for one in summary.leaderboard],
                    "standard error": [100 * one.standard_error for one in summary.leaderboard],
                }
            ),
            hide_index=True,
            key="st_board_table",
            alt="Leaderboard over all items",
            column_config={
                "mean (%)": st.column_config.NumberColumn(format="%.2f"),
                "standard error": st.column_config.NumberColumn(format="%.2f"),
            },
        )


def choose_rules() -> None:
    """Draw the rule, what to compare it with, and what is accepted."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(width=280):
            CONTROLS.show("rule")
        with st.container(width=270):
            CONTROLS.show("tolerance")
        with st.container(width=270):
            CONTROLS.show("largest")
    CONTROLS.show("compare")


def show_question(page: PageInfo, bank: Bank, wish: StressWish, comparison: Comparison) -> None:
    """Ask for a guess about one rule over the curves of the others."""
    ask(page, CONTROLS, QUESTION)
    tolerance = CONTROLS.value("tolerance")
    run = (bank.token, wish, comparison.results[0].study.trials, tolerance)
    figure = kept(run, "hidden", lambda: losses_figure(bank, comparison, tolerance, ASKED_RULE))
    show_figure(page, "rules", figure, [bank.origin], controls=CONTROLS)


def _judge(page: PageInfo, comparison: Comparison) -> None:
    """Say how the reader's guess compares with the rule that it was about."""
    for result in comparison.results:
        if result.study.feedback == ASKED_RULE and result.survival.submissions is not None:
            show_verdict(page, CONTROLS, QUESTION, result.survival.submissions)


def show_results(
    page: PageInfo, bank: Bank, wish: StressWish, comparison: Comparison, report: Report
) -> None:
    """Draw the results, partial or complete.

    Parameters
    ----------
    page
        The page.
    bank
        The benchmark.
    wish
        What was asked for.
    comparison
        What is there so far.
    report
        The report on it.
    """
    origins = [bank.origin]
    done = comparison.results[0].study.trials
    tolerance = CONTROLS.value("tolerance")
    run = (bank.token, wish, done, tolerance)
    is_partial = done < wish.trials
    rule = report.facts.content["rules"][0]
    if is_partial:
        st.caption(f"So far: {done:,} of {wish.trials:,} trials. Curves and intervals still move.")
    st.markdown(f"**{words.survival_sentence(rule)}**", width=PROSE_WIDTH)
    with guard():
        figure = kept(run, "rules", lambda: losses_figure(bank, comparison, tolerance))
        if not CONTROLS.changed("guess", "measure"):
            _judge(page, comparison)
            figure = with_guess(page, CONTROLS, QUESTION, figure)
        show_figure(page, "rules", figure, origins, controls=CONTROLS)
    if is_partial:
        return
    _show_decision(report)
    _show_report(page, report)
    if len(comparison.results) > 1:
        with guard():
            figure = kept(run, "usefulness", lambda: usefulness_figure(bank, comparison))
            show_figure(page, "usefulness", figure, origins, controls=CONTROLS)
    st.header("Under your rule, measure by measure", anchor=False)
    measure = CONTROLS.show("measure")
    with guard():
        figure = kept(run, ("measure", measure), lambda: measure_figure(bank, comparison, measure))
        show_figure(page, "measure", figure, origins, controls=CONTROLS)
    _show_pairs(rule)


def _show_decision(report: Report) -> None:
    decision = report.facts.content["decision"]
    st.subheader("What to notice", anchor=False)
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in decision["sentences"]), width=PROSE_WIDTH)
    st.caption(" ".join(plain(sentence) for sentence in decision["not_covered"]), width=PROSE_WIDTH)


def _show_report(page: PageInfo, report: Report) -> None:
    def page_alone() -> bytes:
        return report.files()["report.html"]

    st.header("Take it with you", anchor=False)
    st.markdown(
        "The decision with its numbers, chart and seeds. No item and no prompt is in it, and the same input gives the same files.",
        width=PROSE_WIDTH,
    )
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.download_button(
            "Report",
            data=report.archive,
            file_name="mirage-report.zip",
            mime="application/zip",
            key="st_report",
            on_click="ignore",
            icon=":material/download:",
            help="The page, its Markdown, its data as JSON and CSV, in one archive.",
        )
        st.download_button(
            "Report as one page",
            data=page_alone,
            file_name="mirage-report.html",
            mime="text/html",
            key="st_report_page",
            on_click="ignore",
            type="tertiary",
            icon=":material/description:",
        )
        share_link(page, CONTROLS, key="st_report")
        st.caption("A link carries settings and rule, never data.")


def _show_pairs(rule: dict[str, Any]) -> None:
    import pandas as pd

    from core.report_parts.cells import name

    st.header("Which models were mixed", anchor=False)
    pairs = rule["endpoint_pairs"]
    if not pairs:
        st.markdown("In no trial are there two models to mix.")
        return
    st.caption(
        f"Pairs under your rule in {rule['eligible_trials']:,} of {rule['attempted_trials']:,} trials. A pair that is chosen often is "
        "what the attack feeds on: two good models that are good at different things.",
        width=PROSE_WIDTH,
    )
    st.dataframe(
        pd.DataFrame(
            {
                "model A": [name(pair["a"]) for pair in pairs],
                "model B": [name(pair["b"]) for pair in pairs],
                "trials": [pair["trials"] for pair in pairs],
                "share (%)": [100 * pair["share"] for pair in pairs],
            }
        ),
        hide_index=True,
        key="st_pairs",
        alt="Pairs of models that were mixed, and how often",
        column_config={"share (%)": st.column_config.NumberColumn(format="%.1f")},
    )


def report_on(bank: Bank, wish: StressWish, comparison: Comparison, tolerance_pp: float) -> Report:
    """Return the report on what is there; nothing of it is kept outside this run of the page.

    Raises
    ------
    MirageError
        If the benchmark is not there.
    """
    from core.report import report_of
    from core.report_parts.facts import Options

    if bank.benchmark is None:
        raise MirageError("There is no benchmark to report on.")
    seeded = bank.benchmark.with_settings(reseed(bank.benchmark.settings, wish.seed))
    return report_of(seeded, comparison, Options(tolerance_pp, wish.endpoints, wish.seed))
