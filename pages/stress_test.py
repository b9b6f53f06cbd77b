"""Stress test: a maintainer brings a benchmark, attacks a feedback rule, and leaves with a decision and a report."""

import streamlit as st

from core.reuse.comparison import pairs_kept
from core.reuse.endpoints import select_endpoints
from core.reuse.portions import StressWish, joined, run_portion
from core.reuse.survival import survival
from pages.kit.explain import Explanation, explain
from pages.kit.frame import PROSE_WIDTH, frame, present_door
from pages.kit.guard import guard
from pages.kit.guess import guess_again, is_shown
from pages.kit.presets import show_presets
from pages.parts.stress_test import words
from pages.parts.stress_test.controls import CONTROLS, OWN, PRESETS, QUESTION, budgets_up_to, rules_of
from pages.parts.stress_test.figures import STUDIES, kept
from pages.parts.stress_test.running import attack
from pages.parts.stress_test.story import STORY
from pages.parts.stress_test.views import (
    choose_bank,
    choose_rules,
    report_on,
    show_question,
    show_results,
    show_summary,
)

PAGE = frame("stress_test", CONTROLS, STORY)

title = st.empty()
title.title(words.QUESTION, anchor=False)
with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="top"):
    st.markdown(words.LEAD, width=PROSE_WIDTH)
    present_door()
if CONTROLS.value("source") != OWN:  # a preset sets every control, and would put a reader's file away
    show_presets(PAGE, CONTROLS, PRESETS, extra=lambda: guess_again(PAGE, CONTROLS, QUESTION))
with guard():
    bank = choose_bank()
    choose_rules()
    if bank is not None:
        values = CONTROLS.values()
        show_summary(bank)
        settings = bank.benchmark.settings
        own = values["rule"].strip() or settings.feedback or settings.coordinates
        wish = StressWish(
            rules_of(own, values["compare"]),
            budgets_up_to(values["largest"]),
            values["trials"],
            values["endpoints"],
            values["seed"],
        )
        portions = attack(bank, wish)
        if portions:
            tolerance = values["tolerance"]
            attacked = (bank.token, wish, portions[-1].stop)
            studies = kept(
                attacked, "joined", lambda: joined(bank.benchmark, wish, portions, tolerance), STUDIES
            )
            run = (*attacked, tolerance)
            comparison = kept(run, "comparison", lambda: studies.at_tolerance(tolerance))
            if is_shown(PAGE, CONTROLS, QUESTION):
                report = kept(run, "report", lambda: report_on(bank, wish, comparison, tolerance))
                title.title(
                    words.claim(bank.title, report.facts.content["rules"][0], tolerance), anchor=False
                )
                show_results(PAGE, bank, wish, comparison, report)
            else:
                show_question(PAGE, bank, wish, comparison)

explain(
    PAGE.prefix,
    (
        Explanation(
            "Each trial divides your items anew into a reused half, which the ranking shows, and a held-out half. Trials run in "
            "portions, so that curves appear early; portions joined are the whole, to the bit.",
            r"\mathrm{loss}_t(k) = 100\,\bigl(T_t(m^{\mathrm{before}}_t) - T_t(m^{\mathrm{after}}_t(k))\bigr)",
            run_portion,
        ),
        Explanation(
            "The attack mixes the pair of models that differs most among the five best of the public frontier.",
            r"(A, B) = \arg\max_{A, B} \sum_c \left|a_c - b_c\right|",
            select_endpoints,
        ),
        Explanation(
            "A rule survives up to the largest tested budget before the mean loss first exceeds what you accept. The interval "
            "resamples the splits and reads each resample's own curve.",
            r"k^\ast = \max\{k : \bar{\mathrm{loss}}(j) \le \tau \ \text{for all tested}\ j \le k\}",
            survival,
        ),
        Explanation(
            "Usefulness: the share of model pairs at least 1 pp apart on held-out items that the released scores put in the right "
            "order.",
            r"u = \frac{\#\{(m, m') : \operatorname{sign}(p_m - p_{m'}) = \operatorname{sign}(T_m - T_{m'})\}}"
            r"{\#\{(m, m') : |T_m - T_{m'}| \ge 0.01\}}",
            pairs_kept,
        ),
    ),
)
