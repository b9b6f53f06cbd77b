"""What the methods page says: definitions, intervals, questions and answers, and takeaways computed from the tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from core import published
from core.figures.claims import readings
from core.figures.series import published_series
from core.figures.wording import count, number, span
from core.statistics import RESAMPLES


@dataclass(frozen=True, slots=True)
class Definition:
    """A term, what it means, and its formula in LaTeX (empty for none)."""

    term: str
    meaning: str
    formula: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A question and its answer (Markdown)."""

    question: str
    answer: str


DEFINITIONS: Final = (
    Definition(
        "Split",
        "A trial divides the items of a benchmark into a reused half *S*, which the public leaderboard scores, and a held-out half *T*, "
        "which stands for the truth. Items with the same prompt are never separated, and every task is divided in the same proportion. "
        "Trial *t* has a seed of its own, so a split can be drawn again at any time.",
    ),
    Definition(
        "Submission and feedback",
        "A submission is an answer to every item. What comes back are its scores on *S*: one per task, per category or overall, exact or "
        "rounded. The attacker sees nothing else.",
    ),
    Definition(
        "Endpoints",
        "The two models that are mixed. A model is on the *frontier* if no other is at least as good on every returned score and better on "
        "one. Of the five best on the frontier, the pair whose scores differ most is taken; *A* is the one with the larger loss.",
        r"(A, B) = \arg\max_{A, B} \sum_c \left|a_c - b_c\right|",
    ),
    Definition(
        "Random router",
        "Answers every prompt with *A* or *B* by a coin flip, a hash of the prompt and a seed. It knows nothing about prompts, tasks or "
        "which half an item is in.",
        r"g_{ji} \in \{-1, +1\}",
    ),
    Definition(
        "Weight",
        "A random router's released score on a coordinate, minus the mean of the endpoints' scores there, the *reference line*.",
        r"w_{jc} = p_{jc} - \tfrac{1}{2}(a_c + b_c)",
    ),
    Definition(
        "Final router",
        "Follows the weighted vote of all flips for a prompt. A vote of exactly zero takes the flip of one more coin, the tie router. A "
        "budget of *k* submissions is *k* − 1 random routers and the final router.",
        r"\mathrm{choice}_i = \operatorname{sign} \sum_{j < k} w_{j\,c(i)}\, g_{ji}",
    ),
    Definition(
        "Static control",
        "The final router of budget 1: per coordinate the publicly better endpoint. One submission, no random search. It is shown as an "
        "open mark and is not a point of the curves.",
    ),
    Definition(
        "Selection loss",
        "Held-out score lost by whoever follows the public ranking: that of the model which leads before the attack, minus that of the one "
        "which leads after. Genuine models win ties. It can be negative.",
        r"\mathrm{loss} = 100\,\bigl(T(m^{\mathrm{before}}) - T(m^{\mathrm{after}}(k))\bigr)",
    ),
    Definition(
        "Rank drop",
        "The same in held-out ranks, among the genuine models and the final router. A rank is one plus the number of those strictly better.",
    ),
    Definition(
        "False winner", "The final router leads the public ranking, alone or tied, and is not first held out."
    ),
    Definition(
        "Score gap",
        "The largest distance, over the history of the leaderboard, between the lowest public loss and the lowest held-out loss so far. The "
        "two may belong to different entries. The *baseline* is the same over the genuine models alone.",
        r"\mathrm{gap} = 100\,\max_{h} \left|\min_{i \le h} \ell_S(i) - \min_{i \le h} \ell_T(i)\right|",
    ),
    Definition(
        "Performance",
        "What loss and gap are measured in: the mean of categories, of coordinates or of items, as each benchmark defines it, never rounded. "
        "HELM Lite ranks by mean win rate and is measured by the equal mean of its scenarios.",
    ),
)

INTERVALS: Final = (
    (
        f"Every curve is a mean over trials. Its 95 % interval comes from {RESAMPLES:,} resamples of the trials: 2.5 % and 97.5 % quantiles of "
        "the resampled means. All budgets and measures share the same resamples."
    ),
    (
        "**What it covers:** that another 250 splits of the same items, with the same models and the same random routers, would give a somewhat "
        "different mean."
    ),
    (
        "**What it does not cover:** new items, new models, another version of the benchmark, or another set of random routers. All splits share "
        "one set of routers, so a swing that is due to that set does not widen the interval. *Selection loss* and *Score gap* recompute a study "
        "with another seed to show it."
    ),
    (
        "The splits of one benchmark overlap, since they divide the same items. The interval describes this procedure on this snapshot; it is not "
        "an interval for future data."
    ),
    (
        "The paired test of the score gap uses 100,000 resamples, basic intervals, and a bound adjusted for 55 comparisons, so that all of them "
        "hold at once with 95 % confidence."
    ),
    (
        "In some trials of Terminal-Bench-Science one model leads on every returned score and there is no "
        "pair to mix. Such trials are counted and left out of the means from budget 1 on; budget 0 averages all trials."
    ),
)

QUESTIONS: Final = (
    Answer(
        "Is somebody accused of cheating?",
        "No. The study replays scores that are already public. It shows what a leaderboard's answers allow to anybody who reads them, on "
        "purpose or by trying many variants in good faith. It says nothing about any real submission.",
    ),
    Answer(
        "Why do coin flips gain anything?",
        "A random router happens to pick the right model on slightly more public items of a task than average, or on slightly fewer. Its "
        "released score tells which. Adding up many such hints recovers, item by item, which model is right on the public half. The hints are "
        "about those items alone: on held-out items the same vote is no better than a coin.",
    ),
    Answer(
        "What does the winner score in truth?",
        "Roughly what a random mixture of the two endpoints scores, since that is what it is on items that were never scored. If both are "
        "weaker than the former leader, those who follow the ranking lose.",
    ),
    Answer(
        "Why does the loss not simply grow with the budget?",
        "Once the router leads the public ranking, the loss depends on its held-out score alone, and more submissions do not push that down: "
        "the flips on held-out items stay flips. What moves there is chance, shared by all splits because they share the routers.",
    ),
    Answer(
        "What does the score gap tell, and what not?",
        "It tells how far the best public number is from the best held-out number. It does not tell whether the ranking still leads to a good "
        "model: on HELM Capabilities the way of choosing endpoints with the wider gap has the smaller loss.",
    ),
    Answer(
        "Would it help to release fewer scores, or rounded ones?",
        "It slows the attack. With fewer scores per submission more submissions are needed for the same effect; what counts is the number of "
        "released scores. Rules such as the Ladder answer only when a submission is better than all before.",
    ),
    Answer(
        "Why is SWE-bench Verified recomputed on 38 systems and not compared with its published curve?",
        "The item results of the paper's pool are not bundled. The 38 public submissions are real data with which every step can be "
        "recomputed, but another pool: another experiment.",
    ),
    Answer(
        "Which numbers are computed here?",
        "Those with the badge *recomputed*. *Published* values are taken as printed, *simulated* ones come from a random generator. The three "
        "never share a mark.",
    ),
    Answer(
        "Can a recomputed number be checked?",
        "Yes. The replay of Terminal-Bench-Science agrees with its published table at every budget, means and intervals; *Selection loss* and "
        "*Score gap* state the largest difference. Splits, flips and ties depend on seeds that are in the settings.",
    ),
)

NON_LEADING: Final = (
    "The paper also reports a variant whose endpoints do not lead the public ranking, with a figure of 58 %. No released table holds it, so it "
    "is quoted as reported: not recomputed, not drawn, and without an interval."
)


def takeaways(budget: int = 128) -> list[str]:
    """Return what the published tables say in short, computed from them.

    Parameters
    ----------
    budget
        The budget that the sentences talk about.
    """
    loss = readings(published_series("model_selection_loss_pp"), budget)
    early = readings(published_series("model_selection_loss_pp"), 16)
    wins = readings(published_series("false_winner"), budget)
    worse = [reading for reading in loss if reading.sign == "worse"]
    secondary = published.secondary_selection().frame
    at_end = secondary[
        (secondary["benchmark"] == "helm_capabilities") & (secondary["new_submissions"] == 2048)
    ]
    pools = dict(zip(at_end["policy"], at_end["model_selection_loss_pp"], strict=True))
    rules = secondary[(secondary["study"] == "practical") & (secondary["new_submissions"] == budget)]
    test = published.score_comparison().frame
    test = test[test["new_submissions"] == budget]
    sure = int(test["significant_increase"].astype(bool).sum())
    return [
        (
            f"After {budget} submissions, following the public ranking costs {span([reading.value for reading in loss])} pp of held-out score; the "
            f"interval is clear of zero on {count(len(worse))} of {count(len(loss))} benchmarks. Sixteen submissions already cost "
            f"{span([reading.value for reading in early])} pp."
        ),
        f"By then the public leader is a router that is not the best in {span([reading.value for reading in wins], 0)} % of the splits.",
        (
            f"The score gap has grown beyond its baseline on {count(sure)} of the {count(len(test))} benchmarks of the paired test. Gap and loss are "
            f"different things: on HELM Capabilities the pair with the wider gap loses {number(float(pools['top5']), 2)} pp, the other "
            f"{number(float(pools['full_frontier']), 2)} pp."
        ),
        (
            f"Releasing 18, 6 or 1 scores per submission on LiveBench ends at {span(rules['model_selection_loss_pp'].tolist())} pp all the same; fewer "
            "scores only make it slower."
        ),
        "Whoever submits needs two public models to choose from and the released scores. No prompt is read and nothing is trained.",
    ]
