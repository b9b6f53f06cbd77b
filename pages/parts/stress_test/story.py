"""The story of the stress test page for the lecture hall, told on the shipped run; no reader's data comes near it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from core import stress_default
from core.errors import DataError
from core.reuse.portions import joined
from pages.kit.story import Step, Story
from pages.parts.stress_test import words
from pages.parts.stress_test.controls import CONTROLS, PRESETS
from pages.parts.stress_test.figures import losses_figure, measure_figure, usefulness_figure
from pages.parts.stress_test.sources import named_bank
from pages.parts.stress_test.views import report_on

if TYPE_CHECKING:
    from core.figures.base import Figure
    from core.reuse.comparison import Comparison
    from pages.kit.presets import Preset
    from pages.kit.story import State
    from pages.parts.stress_test.sources import Bank

STRICT: Final[Preset] = next(preset for preset in PRESETS if preset.name == "strict")


@dataclass(frozen=True, eq=False)
class Run:
    """The shipped run at one tolerance.

    Parameters
    ----------
    bank
        The benchmark.
    comparison
        Its rules under attack.
    rule
        The own rule's entry of the report.
    """

    bank: Bank
    comparison: Comparison
    rule: dict[str, Any]


@st.cache_resource(max_entries=8, show_spinner=False)
def run_at(tolerance_pp: float) -> Run:
    """Return the shipped run at a tolerance.

    Raises
    ------
    DataError
        If the file is missing, altered, or belongs to another state of the benchmark.
    """
    defaults = {item.name: item.default for item in CONTROLS.items}
    bank = named_bank(stress_default.BENCHMARK, defaults)
    assert bank.benchmark is not None
    portion = stress_default.shipped_portion(bank.benchmark)
    if portion is None:
        raise DataError(
            f"The shipped stress test belongs to another state of {bank.title}. Make it again with "
            "tools/make_stress_default.py; the page itself computes it meanwhile."
        )
    comparison = joined(bank.benchmark, stress_default.WISH, [portion], tolerance_pp)
    report = report_on(bank, stress_default.WISH, comparison, tolerance_pp)
    return Run(bank, comparison, report.facts.content["rules"][0])


@st.cache_resource(max_entries=8, show_spinner=False)
def losses_at(tolerance_pp: float) -> Figure:
    """Return the losses under each rule of the shipped run."""
    run = run_at(tolerance_pp)
    return losses_figure(run.bank, run.comparison, tolerance_pp)


@st.cache_resource(max_entries=8, show_spinner=False)
def usefulness_at(tolerance_pp: float) -> Figure:
    """Return harm against usefulness in the shipped run."""
    run = run_at(tolerance_pp)
    return usefulness_figure(run.bank, run.comparison)


@st.cache_resource(max_entries=8, show_spinner=False)
def measure_at(tolerance_pp: float, measure: str) -> Figure:
    """Return one measure under the own rule of the shipped run."""
    run = run_at(tolerance_pp)
    return measure_figure(run.bank, run.comparison, measure)


def _losses(state: State) -> Figure:
    return losses_at(state["tolerance"])


def _usefulness(state: State) -> Figure:
    return usefulness_at(state["tolerance"])


def _measure(state: State) -> Figure:
    return measure_at(state["tolerance"], state["measure"])


def _claim(state: State) -> str:
    run = run_at(state["tolerance"])
    return words.claim(run.bank.title, run.rule, state["tolerance"])


STORY: Final = Story(
    (
        Step(
            "guess",
            words.QUESTION,
            words.LEAD,
            lambda state: (
                f"{run_at(state['tolerance']).bank.title} is the example; whoever has item scores of their own can load them on the page. "
                f"Say what is accepted: {state['tolerance']:g} pp of held-out score on average. Then ask the room for a number of "
                "submissions: ten, a hundred, a thousand?"
            ),
        ),
        Step(
            "own-rule",
            _claim,
            lambda state: words.survival_sentence(run_at(state["tolerance"]).rule),
            "The dashed line is what was accepted. Read off where each rule crosses it. The bands are 95 % intervals over splits of one "
            "snapshot; they do not cover new items, new models or other random routers.",
            {},
            _losses,
            ("recomputed",),
        ),
        Step(
            "use-and-harm",
            lambda state: words.trade_off(_usefulness(state).data),
            lambda state: f"{_usefulness(state).title}.",
            "Down is less harm, to the right is more use. A rule that answers almost nothing is safe, and nobody learns from it. Ask "
            "the room which mark they would choose, and for what kind of benchmark.",
            {},
            _usefulness,
            ("recomputed",),
        ),
        Step(
            "stricter",
            lambda state: _losses(state).title,
            STRICT.why,
            "Only the dashed line has moved. There is no right tolerance; what can be asked of a maintainer is to name one before "
            "looking at the curves.",
            dict(STRICT.values),
            _losses,
            ("recomputed",),
        ),
        Step(
            "ranks",
            lambda state: _measure(state).title,
            "The own rule once more, counted in held-out ranks instead of points.",
            "Where the leading models lie close together a small loss is a whole rank, and where they do not, it is none. Ask which of "
            "the two a reader of the ranking acts on. The band covers splits, nothing else.",
            {"measure": "rank_drop"},
            _measure,
            ("recomputed",),
        ),
    )
)
