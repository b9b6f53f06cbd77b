"""Sentences of the feedback richness page, each computed from the rows that are shown."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from core.figures.feedback_series import crossings, fold, partition_folds
from core.figures.feedback_words import collapse_sentence
from core.figures.series import measure_of
from core.figures.wording import join, number, plural

if TYPE_CHECKING:
    import pandas as pd

LEAD: Final = (
    "A submission gets back one score, or one per task. Random routers learn from every score they are told, so the question "
    "for a maintainer is what it buys to return fewer. Here LiveBench's 18 task scores are averaged in groups before they are "
    "returned."
)
LIVE_LEAD: Final = (
    "The same experiment on this server, on bundled or simulated item scores: group the tasks as you like, choose a precision "
    "and a rule."
)
RULES_LEAD: Final = (
    "A rule that tells attackers less also tells honest submitters less. Each mark is one rule under the same attack: harm "
    "upwards, use to the right."
)


def page_claim(frame: pd.DataFrame) -> str:
    """Return the page's title from the published false-winner curves."""
    found = [one for one in crossings(frame) if one.submissions is not None and one.scores is not None]
    budgets = [one.submissions for one in found if one.submissions is not None]
    scores = [one.scores for one in found if one.scores is not None]
    if len(found) < 2:
        return "What it buys to return fewer scores"
    span = f"{min(budgets)} to {max(budgets)} submissions, but {number(min(scores), 0)} to {number(max(scores), 0)} scores"
    if fold(scores) < 0.5 * fold(budgets):
        return f"What counts is the number of released scores, not of submissions: 90 % false winners take {span}"
    return f"90 % false winners take {span}"


def ends_note(frame: pd.DataFrame, budget: int) -> str:
    """Return how the fewest and the most returned scores compare at a budget, and where fewer stop helping."""
    measure = measure_of(str(frame["measure"].iloc[0]))
    curves = frame[frame["dimension"].notna()]
    rows = curves[curves["new_submissions"] == budget].sort_values("dimension")
    if len(rows) < 2:
        return f"Only one number of returned scores is shown at {plural(budget, 'submission')}."
    unit, digits = ("%", 0) if measure.unit == "%" else ("pp", 2)
    few, many = rows.iloc[0], rows.iloc[-1]
    low, high = rows["value"].min(), rows["value"].max()
    spread = high - low
    first = (
        f"At {plural(budget, 'submission')}: {number(few['value'], digits)} {unit} with "
        f"{plural(int(few['dimension']), 'returned score')}, {number(many['value'], digits)} {unit} with {int(many['dimension'])}; "
        f"all numbers of scores lie within {number(low, digits)} to {number(high, digits)} {unit}."
    )
    whole = curves.loc[~curves["static_control"], "value"]
    if spread < 0.15 * (whole.max() - whole.min()):
        return f"{first} By then returning fewer scores no longer makes a difference."
    return first


def collapse_note(frame: pd.DataFrame, *, published: bool) -> str:
    """Return the collapse as a number, and the wider spread of single partitions where it is published."""
    measure = measure_of(str(frame["measure"].iloc[0]))
    told = collapse_sentence(frame[frame["dimension"].notna()], measure)
    outcome = {"false_winner": "false90", "score_gap_pp": "score_gap_plus2"}.get(measure.key)
    if not published or outcome is None:
        return told
    budgets, scores = partition_folds(outcome)  # type: ignore[arg-type]
    return (
        f"{told} That holds for means over the three partitions; over single partitions the spread is {number(budgets, 0)}× by "
        f"submissions and {number(scores, 1)}× by scores."
    )


def static_note(frame: pd.DataFrame) -> str | None:
    """Return what the static control alone does; None where it is not shown."""
    rows = frame[frame["static_control"] & frame["dimension"].notna()].sort_values("dimension")
    if rows.empty:
        return None
    measure = measure_of(str(frame["measure"].iloc[0]))
    unit, digits = ("%", 0) if measure.unit == "%" else ("pp", 2)
    low, high = rows.iloc[0], rows.iloc[-1]
    return (
        f"The static control searches nothing and gets back no candidate's score, yet it stands at {number(low['value'], digits)} "
        f"{unit} with {plural(int(low['dimension']), 'score')} and at {number(high['value'], digits)} {unit} with "
        f"{int(high['dimension'])}: it only reads the public table of the two models. It has no place on an axis of released scores."
    )


def rule_note(frame: pd.DataFrame, curve: str, budget: int) -> str:
    """Return what the reader's rule does at a budget, against the full task scores."""
    rows = frame[frame["new_submissions"] == budget]
    own = rows[rows["curve"] == curve].iloc[0]
    most = rows[rows["dimension"].notna()].sort_values("dimension").iloc[-1]
    measure = measure_of(str(frame["measure"].iloc[0]))
    unit, digits = ("%", 0) if measure.unit == "%" else ("pp", 2)
    return (
        f"Under your rule {number(own['released_scores'], 1)} scores are released within {plural(budget, 'submission')}, and the "
        f"value is {number(own['value'], digits)} {unit} ({number(own['low'], digits)} to {number(own['high'], digits)}); with "
        f"{plural(int(most['dimension']), 'returned score')} and no rule it is {number(most['value'], digits)} {unit}."
    )


def simulated_note(name: str) -> str:
    """Say that a benchmark is simulated."""
    return f"{name} is drawn from public task scores: models and tasks are real, the items are invented. It is not the published study."


def best_note(rows: pd.DataFrame) -> str:
    """Return which rules no other rule beats in both harm and use."""
    known = rows[rows["model_selection_loss_pp"].notna() & rows["pairs_kept"].notna()]
    kept = [
        str(one["feedback"])
        for _, one in known.iterrows()
        if not (
            (known["model_selection_loss_pp"] <= one["model_selection_loss_pp"])
            & (known["pairs_kept"] >= one["pairs_kept"])
            & (
                (known["model_selection_loss_pp"] < one["model_selection_loss_pp"])
                | (known["pairs_kept"] > one["pairs_kept"])
            )
        ).any()
    ]
    if len(kept) == 1:
        return f"No other rule here does less harm or is more useful than {kept[0]}."
    return f"Of {len(known)} rules, {len(kept)} are a fair choice by these means: {join(kept)}. Every other one is beaten in both respects."


def survival_note(rows: pd.DataFrame) -> str:
    """Return how many submissions the rules survive."""
    tolerance = number(float(rows["tolerance_pp"].iloc[0]), 2)
    largest = int(rows["largest_budget"].iloc[0])
    held = rows.loc[rows["survives_submissions"].isna(), "feedback"].tolist()
    lives = rows.dropna(subset=["survives_submissions"])
    parts = []
    if len(lives):
        longest = lives.loc[lives["survives_submissions"].astype(int).idxmax()]
        life = int(longest["survives_submissions"])
        parts.append(
            f"Within a loss of {tolerance} pp, {longest['feedback']} survives the most of those that fail: "
            f"{plural(life, 'submission')}."
        )
    if held:
        parts.append(
            f"{join(held)} stay{'s' if len(held) == 1 else ''} within {tolerance} pp up to {plural(largest, 'submission')}."
        )
    return " ".join(parts)


def policy_note(frame: pd.DataFrame, budget: int) -> str:
    """Return the published losses of the three practical rules at a budget."""
    rows = frame[frame["new_submissions"] == budget]
    told = join(
        [f"{curve} {number(value, 2)} pp" for curve, value in zip(rows["curve"], rows["value"], strict=True)]
    )
    return f"Published, on LiveBench, at {plural(budget, 'submission')}: {told}."


def life(value: object, largest: int) -> str:
    """Return a number of survived submissions as a table shows it.

    Examples
    --------
    >>> life(8, 2048), life(float("nan"), 2048)
    ('8', '> 2,048')
    """
    if (
        value is None
        or (isinstance(value, float) and math.isnan(value))
        or not isinstance(value, int | float)
    ):
        return f"> {largest:,}"
    return f"{int(value):,}"
