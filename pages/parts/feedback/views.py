"""The three views of the feedback richness page: published curves, the same recomputed live, and rules compared."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from core.feedback_wish import OWN_GROUPS, RulesWish, prepared, run_comparison, run_sweep
from pages.kit.figure import show_figure
from pages.kit.frame import PROSE_WIDTH
from pages.kit.guard import guard
from pages.kit.guess import ask, is_shown, show_verdict, with_guess
from pages.kit.jobs import job_result
from pages.kit.notice import show_notes
from pages.kit.play import player
from pages.parts.feedback import words
from pages.parts.feedback.controls import CONTROLS, DIMENSIONS, GUESS_BUDGET, POLICY_BUDGETS, QUESTION
from pages.parts.feedback.figures import (
    Look,
    bank_tiles,
    compared_figure,
    compared_rows,
    label_of,
    live_figure,
    name_of,
    own_tiles,
    policy_figure,
    policy_rows,
    published_figure,
    published_rows,
    published_surface,
    published_tiles,
    sweep_rules,
)
from pages.parts.feedback.groups import edit_groups
from pages.parts.feedback.rule_builder import rule_builder

if TYPE_CHECKING:
    import pandas as pd

    from core.figures.base import Figure
    from pages.kit.badges import Origin
    from pages.kit.registry import PageInfo

SLIDER_WIDTH: Final = 400


def show_published(page: PageInfo) -> None:
    """Draw the published curves, after the reader's guess, and the grouping behind them."""
    if not is_shown(page, CONTROLS, QUESTION):
        CONTROLS.show("view")
        ask(page, CONTROLS, QUESTION)
        last = len(DIMENSIONS)
        look = Look(position=last, only=(last,), ranges=False)
        show_figure(page, "published", published_figure(look), ["published"], controls=CONTROLS)
        return
    look, picture, play = _published_controls()
    rows = published_rows(look.measure)
    show_verdict(page, CONTROLS, QUESTION, _published_value())
    if picture != "curves":
        show_figure(
            page, "surface", published_surface(look.measure, picture), ["published"], controls=CONTROLS
        )
    else:
        moving = None
        if play:
            moving = player(_curves(page, replace(look, play=True)), CONTROLS, "scores", DIMENSIONS)
        show_figure(page, "published", _curves(page, look), ["published"], controls=CONTROLS, draw=moving)
    notes = [words.ends_note(rows, look.budget), words.collapse_note(rows, published=True)]
    if look.static and picture == "curves" and (static := words.static_note(rows)):
        notes.append(static)
    show_notes(notes)
    with guard():
        partition = CONTROLS.show("partition")
        tiles = published_tiles(DIMENSIONS[look.position - 1], partition)
        show_figure(page, "groups", tiles, ["recomputed"], controls=CONTROLS)


def _published_controls() -> tuple[Look, Any, bool]:
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("view")
        measure = CONTROLS.show("measure")
        picture = CONTROLS.show("picture")
    values = CONTROLS.values()
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        with st.container(width=SLIDER_WIDTH):
            scores = CONTROLS.show("scores")
        with st.container(width=SLIDER_WIDTH):
            budget = CONTROLS.show("budget")
    axis, play = values["axis"], values["play"]
    bands, ranges, static = values["bands"], values["ranges"], values["static"]
    if picture == "curves":
        with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
            axis = CONTROLS.show("axis")
            with st.popover("Options", icon=":material/tune:"):
                bands, ranges = CONTROLS.show("bands"), CONTROLS.show("ranges")
                static = CONTROLS.show("static")
            play = CONTROLS.show("play")
    position = DIMENSIONS.index(scores) + 1
    return Look(measure, axis, position, budget, bands, ranges, static), picture, play


def _curves(page: PageInfo, look: Look) -> Figure:
    """Return the published curves, with the reader's guess drawn in where it belongs to what is shown."""
    figure = published_figure(look)
    if look.measure != "model_selection_loss_pp" or look.axis != "new_submissions":
        return figure
    return with_guess(page, CONTROLS, QUESTION, figure)


def _published_value() -> float:
    rows = published_rows("model_selection_loss_pp")
    here = rows[(rows["dimension"] == DIMENSIONS[0]) & (rows["new_submissions"] == GUESS_BUDGET)]
    return float(here["value"].iloc[0])


def show_live(page: PageInfo) -> None:
    """Draw the experiment recomputed with the reader's benchmark, grouping, precision and rule."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("view")
        measure = CONTROLS.show("measure")
        picture = CONTROLS.show("picture")
    values = CONTROLS.values()
    axis, focus = values["axis"], values["focus"]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(width=270):
            bank = CONTROLS.show("bank")
        with st.container(width=300):
            typed = str(CONTROLS.show("rule")).strip()
        rule_builder(page.prefix, CONTROLS, "rule")
        own_groups = CONTROLS.show("groups")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        with st.container(width=SLIDER_WIDTH):
            budget = CONTROLS.show("budget")
        if picture == "curves":
            axis, focus = CONTROLS.show("axis"), CONTROLS.show("focus")
        with st.popover("Options", icon=":material/tune:"):
            partition = CONTROLS.show("partition")
            precision = CONTROLS.show("precision")
            trials = CONTROLS.show("trials")
            seed = CONTROLS.show("seed")
    pairs: tuple[tuple[str, str], ...] = ()
    tiles: Figure | None = None
    with guard():
        pairs = edit_groups(page.prefix, bank) if own_groups else ()
        tiles = (
            own_tiles(bank, pairs) if pairs else bank_tiles(bank, sweep_middle(bank, partition), partition)
        )
    if tiles is None:
        return
    with guard():
        wish, curves = _sweep(bank, partition, typed, pairs, trials, seed, precision)
        prepared(wish)  # a rule or a grouping that does not fit is said at once, not after a wait
        _run_live(page, wish, curves, Look(measure, axis, budget=budget, ranges=False), focus, picture)
    with guard():
        show_figure(page, "groups", tiles, [label_of(bank)], controls=CONTROLS)


def _run_live(
    page: PageInfo, wish: RulesWish, curves: tuple[str, ...], look: Look, focus: str, picture: str
) -> None:
    studies = job_result(
        f"{page.prefix}_sweep",
        wish,
        run_sweep,
        wish,
        label=f"Recomputing {name_of(wish.benchmark)}, {len(curves)} rules, {wish.trials} trials",
        keep=not wish.groups,
    )
    if studies is None:
        return
    equal = sum(curve.isdigit() for curve in curves)
    position = {"most": equal, "rule": len(curves)}.get(focus, 1)
    _live_result(page, wish, curves, replace(look, position=position, curves=len(curves)), picture, studies)


def sweep_middle(bank: str, partition: int) -> int:
    """Return a middling number of groups of a benchmark, for the tiles."""
    numbers = [int(curve) for curve in sweep_rules(bank, partition)[1]]
    return numbers[len(numbers) // 2]


def _sweep(
    bank: str,
    partition: int,
    typed: str,
    pairs: tuple[tuple[str, str], ...],
    trials: int,
    seed: int,
    precision: str,
) -> tuple[RulesWish, tuple[str, ...]]:
    """Return what to run, and what its curves are called."""
    rules, curves = sweep_rules(bank, partition)
    own = typed or (OWN_GROUPS if pairs else "")
    if own:
        rules, curves = (*rules, own), (*curves, own)
    return RulesWish(bank, rules, trials, seed, precision, pairs), curves


def _live_result(
    page: PageInfo, wish: RulesWish, curves: tuple[str, ...], look: Look, picture: str, studies: Any
) -> None:
    origin: Origin = label_of(wish.benchmark)
    with guard():
        figure, rows = live_figure(wish, curves, look, picture, studies)
        show_figure(page, "live", figure, [origin], controls=CONTROLS)
        notes = [words.ends_note(rows, look.budget), words.collapse_note(rows, published=False)]
        if not curves[-1].isdigit():
            notes.append(words.rule_note(rows, curves[-1], look.budget))
        if origin == "simulated":
            notes.append(words.simulated_note(name_of(wish.benchmark)))
        show_notes(notes)


def show_rules(page: PageInfo) -> None:
    """Draw feedback rules side by side, and the published study of practical rules beside them."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        CONTROLS.show("view")
        with st.container(width=270):
            bank = CONTROLS.show("bank")
    chosen = CONTROLS.show("rules")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        with st.container(width=420):
            more = CONTROLS.show("more")
        rule_builder(page.prefix, CONTROLS, "more", append=True)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="large"):
        with st.container(width=SLIDER_WIDTH):
            budget = CONTROLS.show("budget")
        with st.container(width=260):
            tolerance = CONTROLS.show("tolerance")
        with st.popover("Options", icon=":material/tune:"):
            precision = CONTROLS.show("precision")
            trials = CONTROLS.show("trials")
            seed = CONTROLS.show("seed")
    rules = tuple(dict.fromkeys([*chosen, *(rule.strip() for rule in str(more).split(",") if rule.strip())]))
    if not rules:
        st.info("No rule is chosen. Choose at least one above.", icon=":material/info:")
    else:
        with guard():
            _compared(page, rules, bank, precision, budget, tolerance, trials, seed)
    with guard():
        _policies(page, budget)


def _compared(
    page: PageInfo,
    rules: tuple[str, ...],
    bank: str,
    precision: str,
    budget: int,
    tolerance: float,
    trials: int,
    seed: int,
) -> None:
    wish = RulesWish(bank, rules, trials, seed, precision)
    prepared(wish)  # a rule that does not fit is said at once, not after a wait
    comparison = job_result(
        f"{page.prefix}_rules",
        ("compare", wish),
        run_comparison,
        wish,
        label=f"Comparing {len(rules)} rules on {name_of(bank)}, {trials} trials",
    )
    if comparison is None:
        return
    with guard():
        rows = compared_rows(wish, budget, tolerance, comparison)
        figure = compared_figure(wish, budget, tolerance, rows)
        show_figure(page, "rules", figure, [label_of(bank)], controls=CONTROLS)
        _table(page, rows)
        notes = [words.best_note(rows), words.survival_note(rows)]
        if label_of(bank) == "simulated":
            notes.append(words.simulated_note(name_of(bank)))
        show_notes([note for note in notes if note])


def _table(page: PageInfo, rows: pd.DataFrame) -> None:
    import pandas as pd

    largest = int(rows["largest_budget"].iloc[0])
    columns: dict[str, list[Any]] = {
        "": [],
        "Rule": [],
        "Loss (pp)": [],
        "Pairs kept (%)": [],
        "Scores released": [],
        "Survives": [],
    }
    for row in rows.to_dict("records"):
        interval = f"{row['model_selection_loss_pp_low']:.2f} to {row['model_selection_loss_pp_high']:.2f}"
        ends = [
            words.life(None if pd.isna(row[name]) else int(row[name]), largest)
            for name in ("survives_submissions", "survives_submissions_low", "survives_submissions_high")
        ]
        for column, value in zip(
            columns,
            (
                row["letter"],
                row["feedback"],
                f"{row['model_selection_loss_pp']:.2f} ({interval})",
                f"{row['pairs_kept']:.1f}",
                f"{row['released_scores']:,.1f}",
                ends[0] if len(set(ends)) == 1 else f"{ends[0]} ({ends[1]} to {ends[2]})",
            ),
            strict=True,
        ):
            columns[column].append(value)
    st.dataframe(
        pd.DataFrame(columns),
        hide_index=True,
        key=f"{page.prefix}_rules_table",
        alt="Harm and use of each rule, and the submissions it survives within the accepted loss",
    )


def _policies(page: PageInfo, budget: int) -> None:
    st.header("The published study of practical rules", anchor=False)
    st.markdown(
        "Under the practical rules the choice of the two mixed models is restricted too: it may use nothing but what the rule "
        "returns. These are the authors' printed results, on another set of items than any benchmark above.",
        width=PROSE_WIDTH,
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        axis = CONTROLS.show("axis")
        measure = CONTROLS.value("measure")
    measure = measure if measure == "false_winner" else "model_selection_loss_pp"
    shown = min(budget, POLICY_BUDGETS[-1])
    figure = policy_figure(measure, axis, shown)
    show_figure(page, "policies", figure, ["published"], controls=CONTROLS)
    notes = [words.policy_note(policy_rows("model_selection_loss_pp"), shown)]
    if shown != budget:
        notes.append(f"The published study ends at {POLICY_BUDGETS[-1]} submissions.")
    st.markdown("\n".join(f"- {note}" for note in notes), width=PROSE_WIDTH)
