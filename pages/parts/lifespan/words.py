"""Sentences of the lifespan page, each computed from what is shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

from core.figures.lifespan import worst_words
from core.figures.lifespan_words import budget_words, factor_words, fold, interval_words
from core.figures.wording import join, number
from core.published import BENCHMARKS
from core.reuse.lifespan import MAX_TESTED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from core.reuse.lifespan import Case
    from core.reuse.lifespan_simulation import LifespanReading
    from pages.parts.lifespan.figures import Evidence

LEAD: Final = (
    "How many submissions does a benchmark last? On LiveBench the answer grows with the number of reused items *n* and shrinks "
    "with the number of returned scores *d*. The same law, applied elsewhere, shows what such a fit is worth."
)


def page_claim(known: Evidence) -> str:
    """Return the page's title from the published law."""
    fitted = max(fold(case) for case in known.training if case.cell.status == "crossed")
    return f"A simple law fits LiveBench within a factor of {factor_words(fitted)}, and {worst_words(known.external)}"


def question(case: Case) -> str:
    """Return the question that the reader answers before the other benchmarks are shown."""
    return (
        f"Fitted to LiveBench, the law predicts that the score gap of {BENCHMARKS[case.cell.benchmark].name} exceeds its "
        f"baseline by 2 pp after {budget_words(case.predicted)} submissions. How many did it take?"
    )


def failures(external: Sequence[Case]) -> str:
    """Return how each benchmark that took no part in the fit compares, from the worst to the best."""
    parts = []
    for case in sorted(external, key=fold, reverse=True):
        name = BENCHMARKS[case.cell.benchmark].name
        if case.cell.status == "static":
            parts.append(f"{name}: crossed by the static control already")
        elif math.isinf(case.cell.observed):
            parts.append(
                f"{name}: predicted {budget_words(case.predicted)}, not reached within {MAX_TESTED:,} (a factor of more than "
                f"{factor_words(fold(case))})"
            )
        else:
            parts.append(
                f"{name}: predicted {budget_words(case.predicted)}, first reached at {budget_words(case.cell.observed)} "
                f"(a factor of {factor_words(fold(case))})"
            )
    return f"{'; '.join(parts)}."


def law_notes(known: Evidence) -> list[str]:
    """Return what to notice about the law."""
    early = [case for case in known.external if case.cell.status == "crossed" and case.factor < 1]
    late = [case for case in known.external if case.cell.status != "static" and case.least_factor > 1]
    notes = [failures(known.external)]
    if early and late:
        notes.append(
            f"It errs in both directions: too late on {_names(early)}, too early on {_names(late)}. One corrected constant "
            "would not mend it."
        )
    notes.append(
        "The law knows only *n* and *d*. How close the leading models are, and how far they fail on the same items, is not in "
        "it."
    )
    if any(case.cell.benchmark == "openllm_v2" for case in known.external):
        counted = next(case.cell.scores for case in known.external if case.cell.benchmark == "openllm_v2")
        returned = BENCHMARKS["openllm_v2"].coordinates
        notes.append(
            f"The published validation counts {counted} returned scores for Open LLM v2, the published study {returned}. The "
            f"prediction uses {counted}, as printed."
        )
    return notes


def reading_notes(
    reading: LifespanReading, predicted: float, fit: dict[str, Any], dependence: float
) -> list[str]:
    """Return what to notice about the simulated alternative."""
    notes = [f"{_reading(reading)}. {_draws(reading)}"]
    if reading.crosses_static:
        notes.append(
            "Already the static control, one submission that tries nothing at random, crosses the level here. It is left out "
            "of the reading, as it was left out of the law's fit."
        )
    if reading.eligible_trials < reading.trials:
        notes.append(
            f"In {reading.trials - reading.eligible_trials:,} of {reading.trials:,} splits no two models were left to mix; they "
            "are left out."
        )
    if math.isfinite(reading.budget):
        factor = max(reading.budget / predicted, predicted / reading.budget)
        notes.append(f"The law and the simulation differ by a factor of {factor_words(factor)}.")
    notes.append(generator_note(fit, dependence))
    return notes


def generator_note(fit: dict[str, Any], dependence: float) -> str:
    """Return what stands behind the generator's dependence, with the misfit on the curves that were not used."""
    entries = fit["dimensions"]
    used, held_back = fit["fitted_dimensions"], fit["held_back_dimensions"]
    where = (
        "That value is set here"
        if dependence == fit["dependence"]
        else f"Here it is set to {number(dependence, 2)}"
    )
    return (
        f"No real model stands behind these numbers. The dependence {number(fit['dependence'], 2)} was fitted to LiveBench's "
        f"published loss and gap with {join([str(d) for d in used])} returned scores (off by "
        f"{join([number(entries[str(d)]['misfit_pp'], 2) for d in used])} pp, root mean square). With "
        f"{join([str(d) for d in held_back])} scores, which took no part, it is off by "
        f"{join([number(entries[str(d)]['misfit_pp'], 2) for d in held_back])} pp, and on HELM Capabilities by "
        f"{number(fit['helm_capabilities']['misfit_pp'], 2)} pp. {where}; the simulated models and tasks "
        "are not LiveBench's."
    )


def _reading(reading: LifespanReading) -> str:
    if math.isinf(reading.budget):
        return f"Simulated: not reached within {MAX_TESTED:,} submissions; {interval_words(reading)}"
    return f"Simulated: {budget_words(reading.budget)} submissions; {interval_words(reading)}"


def _draws(reading: LifespanReading) -> str:
    finite = sorted(budget for budget in reading.per_draw if math.isfinite(budget))
    total = len(reading.per_draw)
    if not finite:
        return f"None of the {total} drawn benchmarks gets there."
    span = (
        budget_words(finite[0])
        if finite[0] == finite[-1]
        else f"{budget_words(finite[0])} to {budget_words(finite[-1])}"
    )
    who = (
        f"All {total} drawn benchmarks cross"
        if len(finite) == total
        else f"{len(finite)} of {total} drawn benchmarks {'crosses' if len(finite) == 1 else 'cross'}"
    )
    return f"{who}, each taken alone, at {span}."


def _names(cases: Sequence[Case]) -> str:
    return join([BENCHMARKS[case.cell.benchmark].name for case in cases])
