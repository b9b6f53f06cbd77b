"""Sentences of the selection loss page, each computed from the rows that are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from core import published
from core.figures.claims import first_reaching, readings
from core.figures.wording import capitalised, count, join, number, on_all, plural, points, span
from core.replication import agreement

if TYPE_CHECKING:
    import pandas as pd

    from core.bundled_study import StudyWish
    from core.figures.series import Measure

_NUMERALS: Final = {16: "sixteen", 32: "thirty-two", 64: "sixty-four"}

LEAD: Final = (
    "Somebody submits random mixtures of two models and keeps what scores well. Everybody else follows the public "
    "ranking. *Selection loss* is the held-out score that they give up by doing so, in percentage points (pp)."
)
RECOMPUTED_LEAD: Final = "The same study, run on this server from item scores that are bundled. Change the seed and see what was luck."


def submissions(budget: int) -> str:
    """Return a budget with its noun, as a word where there is a short one.

    Examples
    --------
    >>> submissions(16), submissions(2), submissions(2048)
    ('sixteen submissions', 'two submissions', '2,048 submissions')
    """
    word = _NUMERALS.get(budget) or (count(budget) if budget > 0 else str(budget))
    return f"{word} {'submission' if budget == 1 else 'submissions'}"


def page_claim(frame: pd.DataFrame, budget: int) -> str:
    """Return the page's title from the published losses.

    Parameters
    ----------
    frame
        Tidy frame of the selection loss (`core.figures.series`).
    budget
        The small budget that the title talks about.
    """
    found = readings(frame, budget)
    values = [reading.value for reading in found]
    falling = _falling(frame)
    who = capitalised(submissions(budget))
    opening = (
        f"{who} already cost {span(values)} pp"
        if min(values) > 0
        else f"After {submissions(budget)} the ranking costs between {number(min(values))} and {number(max(values))} pp"
    )
    total = len(found)
    if not falling:
        return f"{opening}, and the loss grows with the budget"
    if len(falling) * 2 > total:
        return f"{opening}; the loss does not simply grow with the budget"
    return f"{opening}; on {count(len(falling))} of {count(total)} benchmarks the loss later falls"


def _falling(frame: pd.DataFrame) -> list[str]:
    """Return the benchmarks whose highest loss comes before the largest budget."""
    curves: dict[str, list[tuple[float, int]]] = {}
    columns = (frame[column].tolist() for column in ("name", "value", "new_submissions", "static_control"))
    for name, value, budget, static in zip(*columns, strict=True):
        if not static:
            curves.setdefault(name, []).append((value, budget))
    return [
        name
        for name, points_of in curves.items()
        if max(points_of, key=lambda point: point[0])[1] < max(budget for _, budget in points_of)
    ]


def shape_note(frame: pd.DataFrame, measure: Measure) -> str:
    """Return how many of the shown curves peak before the largest budget."""
    falling = _falling(frame)
    total = frame["name"].nunique()
    last = int(frame["new_submissions"].max())
    what = measure.name.lower()
    if not falling:
        return f"{capitalised(what)} is highest at {plural(last, 'submission')} {on_all(list(frame['name'].unique()))}."
    if len(falling) == total:
        where = on_all(falling) if total != 1 else f"on {falling[0]}"
    else:
        where = (
            f"on {join(falling)}"
            if len(falling) < 3
            else f"on {count(len(falling))} of {count(total)} benchmarks"
        )
    return f"{capitalised(where)} {what} is highest before {plural(last, 'submission')}: a larger budget does not simply do more harm."


def static_note(frame: pd.DataFrame, measure: Measure) -> str | None:
    """Return what the static control alone does on the shown benchmarks; None where it is not shown."""
    found = readings(frame, 1)
    if not found:
        return None
    unit = {"points": "pp"}.get(measure.unit, measure.unit)
    digits = 0 if measure.unit == "%" else 1
    low, high = min(found, key=lambda one: one.value), max(found, key=lambda one: one.value)
    if len(found) == 1:
        return f"The static control, one submission without any random search, stands at {number(low.value, digits)} {unit}."
    return (
        f"The static control, one submission without any random search, runs from {number(low.value, digits)} {unit} "
        f"({low.name}) to {number(high.value, digits)} {unit} ({high.name})."
    )


def reached_note(frame: pd.DataFrame, threshold: float) -> str:
    """Return on how many of the shown benchmarks a threshold is reached."""
    reached = [name for name, budget in first_reaching(frame, threshold).items() if budget is not None]
    total = frame["name"].nunique()
    return f"The threshold is reached on {count(len(reached))} of {count(total)} benchmarks."


def _percent(share: float) -> str:
    return f"{number(100 * share, 0)} %"


def small_number(value: float) -> str:
    """Return a very small number readably.

    Examples
    --------
    >>> small_number(3.6e-15), small_number(0.0), small_number(0.25)
    ('4 × 10⁻¹⁵', '0', '0.25')
    """
    if value == 0:
        return "0"
    if value >= 0.001:
        return f"{value:.2g}"
    mantissa, exponent = f"{value:.0e}".split("e")
    return f"{mantissa} × 10{str(int(exponent)).translate(str.maketrans('-0123456789', '⁻⁰¹²³⁴⁵⁶⁷⁸⁹'))}"


def agreement_note(summary: pd.DataFrame, wish: StudyWish, *, own_trials: int = 250) -> str:
    """Return how a study of Terminal-Bench-Science compares with its published table.

    Parameters
    ----------
    summary
        The study's summary.
    wish
        What was run.
    own_trials
        Trials of the published study.
    """
    found = agreement(summary, published.terminal_science_summary().frame)
    differing = []
    if not wish.own_seeds:
        differing.append(f"seed {wish.seed} instead of the benchmark's own seeds")
    if wish.trials != own_trials:
        differing.append(f"{wish.trials} trials instead of {own_trials}")
    if wish.endpoints != "top5":
        differing.append("the pair from the full frontier instead of the top five")
    size = small_number(found.difference)
    where = f"{_column_words(found.column)} at {plural(found.budget, 'submission')}"
    if not differing:
        if found.is_exact:
            return (
                f"Recomputed and published agree: over {found.values} values (means and intervals of loss, rank drop and "
                f"false winners at every budget) the largest difference is {size}."
            )
        return (
            f"Recomputed and published should agree here and do not: the largest difference is {size} ({where}). "
            "Please report this."
        )
    return (
        f"This run has {join(differing)}, so it is another draw of the same study and not a replication of the published "
        f"table; the largest difference from it is {size} ({where})."
    )


def _column_words(column: str) -> str:
    end = ""
    for suffix, words in (
        ("_low", "lower end of the interval of the "),
        ("_high", "upper end of the interval of the "),
    ):
        if column.endswith(suffix):
            column, end = column.removesuffix(suffix), words
    names = {
        "model_selection_loss_pp": "loss, pp",
        "rank_drop": "rank drop",
        "false_winner": "share of false winners",
    }
    return f"{end}{names[column]}"


def not_compared_note(models: int, items: int) -> str:
    """Say why a study of the small SWE-bench pool is not held against the published one."""
    pool = published.BENCHMARKS["swe_verified"].models
    theirs = f"{pool} systems" if pool else "another pool"
    return (
        f"Recomputed on {models} public submissions and {items} instances. The published SWE-bench Verified curve comes from "
        f"{theirs}, so the two are different experiments and are not compared."
    )


def budget_note(summary: pd.DataFrame, budget: int, name: str) -> str:
    """Return loss, rank drop and false winners of a study at one budget, in a sentence."""
    row = summary[summary["new_submissions"] == budget].iloc[0]
    loss, low, high = (float(row[f"model_selection_loss_pp{end}"]) for end in ("", "_low", "_high"))
    verb = "costs" if loss >= 0 else "gains"
    size = points(abs(loss)) if loss else "0.0"
    return (
        f"At {plural(budget, 'submission')}, following the ranking of {name} {verb} {size} pp on average (95 % interval of the "
        f"loss {number(low)} to {number(high)}); in {_percent(float(row['false_winner']))} of splits the public leader is a router "
        "that is not the best on held-out items."
    )


def own_seeds_note(value: float, budget: int) -> str:
    """Return the published loss beside a run with other seeds."""
    return (
        f"With the benchmark's own seeds the published loss at {plural(budget, 'submission')} is {number(value)} pp; how far two "
        "seeds lie apart says more than the interval of either."
    )


def trials_note(summary: pd.DataFrame) -> str:
    """Return how many trials count, and why the others do not."""
    row = summary[summary["new_submissions"] > 0].iloc[0]
    eligible, attempted = int(row["eligible_trials"]), int(row["attempted_trials"])
    if eligible == attempted:
        return f"All {attempted} trials count."
    return (
        f"{eligible} of {attempted} trials count: in the others one model is best on every returned score, so there is no pair "
        "to mix."
    )
