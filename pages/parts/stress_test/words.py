"""Sentences of the stress test page; whatever comes from a reader's file is escaped before it is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from core.benchmark.faults import shown
from core.figures.wording import number
from core.report_parts.decision import interval_in_words, submissions_in_words
from pages.kit.literal import plain

if TYPE_CHECKING:
    import pandas as pd

    from core.benchmark.summary import Summary
    from core.jobs import JobStatus

QUESTION = "How many submissions does your feedback rule survive?"
LEAD = (
    "Bring your benchmark's item scores. The attack of the paper plays against the feedback that you choose, on random splits of "
    "your items, and the page says how many submissions pass before readers of the ranking lose more than you accept."
)
PRIVACY = (
    "Your file stays in the memory of this session. It is written to no disk, cache or log of this server, a link never carries "
    "it, and it is gone when you close the page."
)


def claim(title: str, rule: dict[str, Any], tolerance_pp: float) -> str:
    """Return the page's title: how long the reader's own rule survives.

    Parameters
    ----------
    title
        What the page calls the benchmark.
    rule
        The rule's entry of the report.
    tolerance_pp
        The loss that is accepted.
    """
    survival = rule["survival"]
    name = title[:1].upper() + title[1:]
    if survival["status"] == "no_pair":
        return f"{name} leaves this attack no two models to mix"
    if survival["status"] == "not_reached":
        return f"{name} stays within {tolerance_pp:g} pp for all {survival['largest_budget']:,} submissions tried"
    if survival["status"] == "exceeded_at_once":
        return f"{name} loses more than {tolerance_pp:g} pp at the first tested budget"
    return f"{name} survives {submissions_in_words(survival)} before the loss exceeds {tolerance_pp:g} pp"


def survival_sentence(rule: dict[str, Any]) -> str:
    """Return how long a rule survives, with its interval and what it is an interval of."""
    survival = rule["survival"]
    if survival["status"] == "no_pair":
        return "In no trial are there two models to mix, so there is nothing to measure."
    return (
        f"Under {plain(shown(rule['feedback'], 80))}: {submissions_in_words(survival)} (95 % interval "
        f"{interval_in_words(survival)}, over random splits). Tested budgets are doublings, so the answer is one of them."
    )


def trade_off(rows: pd.DataFrame) -> str:
    """Return what the least harmful rule costs in usefulness.

    Parameters
    ----------
    rows
        Frame of `core.figures.rule_comparison.comparison_rows`.
    """
    known = rows[rows["model_selection_loss_pp"].notna() & rows["pairs_kept"].notna()]
    safest = known.loc[known["model_selection_loss_pp"].idxmin()]
    rule = plain(shown(str(safest["feedback"]), 40))
    return f"The rule that loses least, {rule}, keeps {number(float(safest['pairs_kept']), 0)} % of model pairs in order"


def progress_wording(
    status: JobStatus, trials_done: int, trials: int, rules: int, elapsed_s: float
) -> tuple[float, str]:
    """Return the completed share of all trials and what a waiting reader is told.

    Examples
    --------
    >>> from core.jobs import JobStatus
    >>> progress_wording(JobStatus("running", done=30, total=60), 10, 100, 2, 5.0)
    (0.25, 'Attacking: 25 of 100 trials, about 15 seconds left')
    >>> progress_wording(JobStatus("queued", place=2), 0, 100, 2, 5.0)
    (0.0, 'Attacking: waiting, place 2 in line')
    """
    done = trials_done + status.done / max(rules, 1)
    share = min(done / trials, 1.0)
    if status.state == "queued":
        return share, f"Attacking: waiting, place {status.place} in line"
    text = f"Attacking: {int(done):,} of {trials:,} trials"
    if done <= 0 or elapsed_s <= 0:
        return share, text
    left = elapsed_s * (trials - done) / done
    unit = f"{left:.0f} seconds" if left < 90 else f"{left / 60:.0f} minutes"
    return share, f"{text}, about {unit} left"


def summary_sentence(summary: Summary) -> str:
    """Return what was read, in a sentence or two."""
    shared = (
        f"{summary.shared_items:,} items share {summary.shared_prompts:,} prompts and stay together"
        if summary.shared_prompts
        else "no two items share a prompt"
    )
    return (
        f"{summary.models:,} models, {summary.items:,} items in {summary.tasks:,} tasks and {summary.categories:,} categories; "
        f"every model has every item once; {shared}. Each split reuses {summary.reused_items:,} items publicly and holds out {summary.heldout_items:,}. Released "
        f"scores: {summary.precision}."
    )
