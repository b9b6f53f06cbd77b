"""Sentences of the score gap page, each computed from the rows that are shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core import published
from core.figures.wording import capitalised, count, join, number, ordinal, plural, points, span
from core.replication import agreement

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

    from core.bundled_study import StudyWish
    from core.reuse.history import History

LEAD = (
    "After every submission, take the best public score on the leaderboard and the best held-out score. The *score gap* is the largest "
    "distance between the two so far. It says how badly the best public score describes what the best model can do."
)

FALLS = (
    "Why a curve can fall: every budget is an attack of its own. The random routers of a small budget are also the first of a larger one, "
    "but its final router is not part of the larger attack's history. If that router made the gap, the larger attack has to open it "
    "again with another one."
)


def page_claim(rows: pd.DataFrame, baseline: pd.DataFrame, budget: int) -> str:
    """Return the page's title: how far the gap has moved at a budget, and on how many benchmarks."""
    levels = baseline.set_index("benchmark")["value"]
    here = rows[rows["new_submissions"] == budget]
    more = [value - float(levels[key]) for key, value in zip(here["benchmark"], here["value"], strict=True)]
    grown = sum(value > 0 for value in more)
    total = len(more)
    where = (
        f"on all {count(total)} benchmarks"
        if grown == total
        else f"on {count(grown)} of {count(total)} benchmarks"
    )
    return f"The best public score stops describing the best held-out score {where}; a larger gap does not mean a worse choice"


def curve_notes(rows: pd.DataFrame, baseline: pd.DataFrame, budget: int) -> list[str]:
    """Return what there is to notice about some curves.

    Parameters
    ----------
    rows
        Tidy rows of the shown benchmarks.
    baseline
        The baselines.
    budget
        The budget to read off.
    """
    levels = baseline.set_index("benchmark")["value"]
    here = rows[rows["new_submissions"] == budget]
    shares = [float(levels[key]) / value for key, value in zip(here["benchmark"], here["value"], strict=True)]
    notes = [
        (
            f"The baseline is not zero: also without any submission the best public score and the best held-out score differ, by "
            f"{span([float(levels[key]) for key in here['benchmark']])} pp. At {plural(budget, 'submission')} it makes up "
            f"{span([100 * share for share in shares], 0)} % of the gap, so what the attack adds is the distance from the dashed line."
        )
    ]
    falling = falls(rows)
    if falling:
        told = join(
            [
                f"{name} (from {number(top)} pp at {at:,} to {number(end)} pp)"
                for name, top, at, end in falling
            ]
        )
        notes.append(f"{capitalised('the gap ends below its peak on')} {told}. {FALLS}")
    else:
        notes.append(f"No curve shown falls by 0.05 pp or more. {FALLS}")
    return notes


def falls(rows: pd.DataFrame, least: float = 0.05) -> list[tuple[str, float, int, float]]:
    """Return the curves that end below their peak: name, peak, its budget, end.

    Parameters
    ----------
    rows
        Tidy rows.
    least
        Smallest fall that counts, pp.
    """
    found = []
    for name, own in rows[~rows["static_control"]].groupby("name", sort=False):
        ordered = own.sort_values("new_submissions")
        values, budgets = ordered["value"].tolist(), ordered["new_submissions"].tolist()
        top = max(range(len(values)), key=lambda index: values[index])
        if values[top] - values[-1] >= least:
            found.append((str(name), values[top], int(budgets[top]), values[-1]))
    return found


def increase_notes(benchmarks: Sequence[str]) -> list[str]:
    """Return what there is to notice about the paired test."""
    frame = published.score_comparison().frame
    frame = frame[frame["benchmark"].isin(benchmarks) & (frame["new_submissions"] > 1)]
    unsure = frame[~frame["significant_increase"].astype(bool)]
    total = len(frame)
    notes = [
        f"An increase is established if its adjusted lower bound is above zero. That holds for {total - len(unsure)} of the {total} "
        "comparisons shown; those without it are the smallest budgets."
        if len(unsure)
        else f"All {total} comparisons shown have an adjusted lower bound above zero."
    ]
    static = published.score_comparison().frame
    static = static[(static["new_submissions"] == 1) & static["benchmark"].isin(benchmarks)]
    names = {key: facts.name for key, facts in published.BENCHMARKS.items()}
    notes.append(
        "Gap and baseline are measured in the same split, so what makes one split harder than another cancels out: the intervals are "
        "much narrower than those of the curves."
    )
    if len(static):
        notes.append(
            "The static control, one submission without search, is outside the test. It adds "
            + join(
                [
                    f"{points(value)} pp ({names[key]})"
                    for key, value in zip(static["benchmark"], static["increase_mean_pp"], strict=True)
                ]
            )
            + "."
        )
    return notes


def trial_notes(found: History, position: int) -> list[str]:
    """Return what there is to notice about one trial's running minima."""
    models = found.kinds.count("model")
    gap = found.gap_pp[:position]
    baseline, widest = found.genuine_gap_pp, float(gap.max())
    notes = [
        (
            "Both lines only ever rise, and each may belong to another entry: the orange line takes the best public score, the blue line the "
            "best held-out score, whoever has it. Nobody outside sees the blue one."
        ),
        (
            f"The {models} genuine models come first, by name, and leave a largest distance of {number(baseline, 2)} pp: the baseline of this "
            "trial."
        ),
    ]
    if position == len(found.names):
        rank = 1 + int((found.heldout_pp > found.heldout_pp[-1]).sum())
        notes.append(
            f"With the final router the score gap is {number(widest, 2)} pp. By held-out score that router is {ordinal(rank)} of "
            f"{position} entries."
        )
    if widest == baseline and position > models:
        notes.append(
            "The widest moment lies before any submission: early in the list only a few models have been compared. Such a trial adds "
            "nothing to the mean increase."
        )
    return notes


def recomputed_notes(summary: pd.DataFrame, wish: StudyWish, budget: int) -> list[str]:
    """Return how a study's gap stands at a budget, and how it compares with what is published."""
    row = summary.set_index("new_submissions").loc[budget]
    gap, low, high = (float(row[f"score_gap_pp{end}"]) for end in ("", "_low", "_high"))
    base = float(row["genuine_gap_pp"])
    notes = [
        (
            f"At {plural(budget, 'submission')} the mean gap is {number(gap, 2)} pp (95 % interval {number(low, 2)} to {number(high, 2)}), among "
            f"the genuine models alone {number(base, 2)} pp. The loss at this budget is {number(float(row['model_selection_loss_pp']), 2)} pp: "
            "two different quantities."
        )
    ]
    eligible, attempted = int(row["eligible_trials"]), int(row["attempted_trials"])
    if eligible < attempted:
        notes.append(
            f"{eligible} of {attempted} trials count: in the others one model leads on every returned score and there is no pair to mix."
        )
    if wish.benchmark != "terminal_science":
        notes.append(
            "Recomputed on 38 public submissions. The published curve of SWE-bench Verified comes from another pool of systems, so the two "
            "are different experiments and are not compared."
        )
        return notes
    names = {
        f"{theirs}{end}": f"{ours}{end}"
        for theirs, ours in (("score_gap_mean_pp", "score_gap_pp"), ("genuine_gap_mean_pp", "genuine_gap_pp"))
        for end in ("", "_low", "_high")
    }
    theirs = published.terminal_science_summary().frame.rename(columns=names)
    found = agreement(summary, theirs, ("score_gap_pp", "genuine_gap_pp"))
    size = "less than 0.000000001 pp" if found.is_exact else f"{points(found.difference)} pp"
    if wish.own_seeds and wish.trials == 250 and wish.endpoints == "top5":
        verdict = (
            "Recomputed and published agree"
            if found.is_exact
            else "Recomputed and published should agree here and do not. Please report this"
        )
        notes.append(f"{verdict}: over {found.values} values the largest difference is {size}.")
    else:
        notes.append(
            f"This is another draw of the same study, not a replication of the published table; the largest difference from it is {size}."
        )
    return notes


def loss_notes() -> list[str]:
    """Return what there is to notice about gap and loss under the two endpoint pools."""
    loss = published.secondary_selection().frame
    loss = loss[(loss["benchmark"] == "helm_capabilities") & (loss["new_submissions"] == 2048)].set_index(
        "policy"
    )
    top, full = (float(loss.loc[policy, "model_selection_loss_pp"]) for policy in ("top5", "full_frontier"))
    return [
        (
            f"Same benchmark, same splits, 2,048 submissions: the loss is {number(top, 2)} pp with a pair from the top five and "
            f"{number(full, 2)} pp with a pair from the full frontier, while the gap opens further for the first. Whoever watches the gap "
            "alone would take the more harmful attack for the milder one."
        ),
        (
            "The gap is about numbers: the best public score against the best held-out score, whoever holds them. The loss is about a choice: "
            "the model that the ranking leads to, against the one that it led to before."
        ),
        (
            "The gap of the full-frontier attack is published as a threshold only, not as a curve: the first tested budget at which it is 2 pp "
            "above its baseline."
        ),
    ]
