"""Sentences of the one trial page, each computed from the trial that is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from core.figures.wording import capitalised, count, join, number, ordinal, plural, signed
from core.worked_example import SCENARIO_NAMES, distance_pp, reference_pp, released_weights, scenario_of
from pages.parts.one_trial.figures import short_name

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from core.reuse.vote import Vote
    from core.reuse.walkthrough import Walkthrough
    from core.trial165 import Trial165
    from core.worked_example import FrontierModel


def scored(example: Trial165, label: str) -> int:
    """Return the place of one of the example's four rows."""
    return next(place for place, row in enumerate(example.scored) if row.label == label)


def page_claim(example: Trial165) -> str:
    """Return the page's title."""
    router = example.scored[scored(example, "Final router")]
    winner = "a public winner" if router.reused_rank == 1 else f"a public {ordinal(router.reused_rank)}"
    return f"Random coin flips plus released scores make {winner} that is {ordinal(router.heldout_rank)} in truth"


def lead(example: Trial165) -> str:
    """Return the paragraph under the title."""
    return (
        f"One split of HELM Lite, {example.budget} submissions, four steps. {attack(example)} Nobody reads a prompt, and nobody "
        "trains anything."
    )


def attack(example: Trial165) -> str:
    """Say in two sentences what is submitted."""
    return (
        f"{example.budget - 1} of the submissions answer every prompt with one of two models, chosen by the flip of a coin. The "
        "last one puts the flips together, weighted by the scores that the leaderboard released."
    )


def frontier_lead(example: Trial165, models: Sequence[FrontierModel]) -> str:
    """Say how the pair was chosen in the worked example."""
    return (
        f"A model is on the *frontier* if no other is at least as good on every scenario and better on one. "
        f"{capitalised(count(len(models)))} of the {count(example.models)} models are, on the public half. {pair_choice(models)}"
    )


def pair_choice(models: Sequence[FrontierModel]) -> str:
    """Say which two models of a frontier are mixed."""
    pool = [model for model in models if model.overall_place is not None]
    return (
        f"The attacker looks at the {count(len(pool))} best of them and takes the two whose public profiles differ most: the more "
        "they differ, the more a mixture can gain by taking the right one for each prompt."
    )


def frontier_list(example: Trial165, models: Sequence[FrontierModel]) -> str:
    """Return the frontier as a Markdown list, the best five in order."""
    ends = {example.endpoint_a: " **(model A)**", example.endpoint_b: " **(model B)**"}
    pool = sorted(
        (model for model in models if model.overall_place), key=lambda model: model.overall_place or 0
    )
    rest = [model.name for model in models if not model.overall_place]
    lines = [f"{model.overall_place}. {model.name}{ends.get(model.model, '')}" for model in pool]
    return "\n".join([*lines, "", f"Also on the frontier: {join(rest)}."])


def frontier_notes(example: Trial165) -> list[str]:
    """Return what there is to notice about the endpoints of the worked example."""
    leader = example.scored[scored(example, "No attack")]
    b = example.scored[scored(example, "Endpoint B")]
    notes = [
        f"The distance is the mean of the {count(len(example.scenarios))} shaded gaps: {number(distance_pp(example), 2)} pp.",
        (
            "Which models are on the frontier and how the best five are ordered is published; of their profiles, only these two. "
            "So the choice among all pairs cannot be recomputed here. *Any trial, recomputed* shows it on data where every profile is "
            "known."
        ),
    ]
    if b.reused_pp > leader.reused_pp:
        notes.append(
            f"The ranking is by mean win rate. Model B has the higher mean score ({number(b.reused_pp, 2)} % against "
            f"{number(leader.reused_pp, 2)} % for the public leader), and still stands {ordinal(b.reused_rank)}."
        )
    return notes


def weight_lead(what: str) -> str:
    """Say what a weight is; `what` is what a returned score is called."""
    return f"The leaderboard answers each submission with its score on every {what}. {weight_rule()}"


def weight_rule() -> str:
    """Say how a released score becomes a weight."""
    return (
        "If a random router scores above the *reference line*, the mean of models A and B, its flips were lucky there and count "
        "for it; if it scores below, they count against it. The distance from the line is the weight."
    )


def weight_notes(example: Trial165, scenarios: Sequence[str], candidate: int) -> list[str]:
    """Return a sentence per scenario about one router's weight."""
    notes = []
    for name in scenarios:
        scenario = scenario_of(example, name)
        weight = released_weights(scenario)[candidate - 1]
        score = scenario.candidates_pp[candidate - 1]
        what = (
            "counts nothing"
            if weight == 0
            else "counts for its flips"
            if weight > 0
            else "counts against its flips"
        )
        notes.append(
            f"{SCENARIO_NAMES[name]}: score {number(score, 2)} %, reference line {number(reference_pp(scenario), 2)} %, weight "
            f"**{signed(weight, 5)}**, which {what}."
        )
    zeros = sum(weight == 0 for name in scenarios for weight in released_weights(scenario_of(example, name)))
    if zeros:
        notes.append(
            f"{capitalised(plural(zeros, 'weight'))} shown {'is' if zeros == 1 else 'are'} exactly zero: the router answered "
            "as many items correctly as the endpoints do on average."
        )
    return notes


def vote_lead(total: int, what: str) -> str:
    """Say what the vote is; `what` is what a returned score is called."""
    return (
        f"For every prompt, public or not, the final router lets the {total} routers vote: each flip for A counts plus its "
        f"weight, each flip for B minus its weight, with the weight of the prompt's {what}. Above zero the prompt goes to A, "
        "below zero to B."
    )


def flips(vote: Vote) -> str:
    """Return the choices as letters in groups of five.

    Examples
    --------
    >>> from fractions import Fraction
    >>> from core.reuse.vote import Vote
    >>> flips(Vote("p", (1, -1, 1, 1, 1, -1), (Fraction(0),) * 6, True))
    'ABAAA B'
    """
    letters = "".join("A" if choice > 0 else "B" for choice in vote.choices)
    return " ".join(letters[start : start + 5] for start in range(0, len(letters), 5))


def vote_notes(vote: Vote, counted: int) -> list[str]:
    """Return the sum of a vote, and what it decides."""
    here = vote.first(counted)
    total = float(here.total)
    votes_a = sum(choice > 0 for choice in here.choices)
    who = (
        f"an exact tie, so the tie router takes model {here.choice}"
        if here.is_tie
        else f"the prompt goes to model {here.choice}"
    )
    notes = [
        (
            f"The vote of {plural(counted, 'router')} is **{signed(total, 5)}** ({signed(100 * total, 2)} pp): {who}. By head count the "
            f"flips stand {votes_a} for A, {counted - votes_a} for B."
        )
    ]
    if counted < len(vote.choices):
        notes.append(f"All {len(vote.choices)} routers together decide for model {vote.choice}.")
    return notes


def outcome_notes(example: Trial165) -> list[str]:
    """Return what there is to notice about the outcome of the worked example."""
    before, router = (example.scored[scored(example, label)] for label in ("No attack", "Final router"))
    return [
        (
            f"Before, the ranking leads to the model that is {ordinal(before.heldout_rank)} held out; after {example.budget} submissions "
            f"to a router that is {ordinal(router.heldout_rank)}. Held-out score: {number(before.heldout_pp, 2)} % becomes "
            f"{number(router.heldout_pp, 2)} %, a loss of {number(example.model_selection_loss_pp, 2)} pp."
        ),
        (
            f"The score gap of this trial grows from {number(example.genuine_gap_pp, 2)} pp among the genuine models to "
            f"{number(example.score_gap_pp, 2)} pp."
        ),
        (
            f"The example is an illustration, not an average. It was chosen among the {example.similar_trials} of 250 trials in which "
            "the former leader is truly best, the router wins publicly without being best, and the gap grows; its loss is the "
            f"median of those ({number(example.similar_median_loss_pp, 2)} pp)."
        ),
    ]


def any_claim(found: Walkthrough) -> str:
    """Return the page's title for a recomputed trial."""
    router = next((one for one in found.standings if one.role == "Final router"), None)
    if router is None:
        return "Where one model leads on every released score, there is nothing to mix"
    opening = "Random coin flips plus released scores make"
    if router.reused_rank > 1:
        return f"{opening} a router that is {ordinal(router.reused_rank)} publicly and {ordinal(router.heldout_rank)} in truth"
    if router.heldout_rank == 1:
        return f"{opening} a public winner that is also first in truth, this time"
    return f"{opening} a public winner that is {ordinal(router.heldout_rank)} in truth"


def any_lead(name: str, trial: int, budget: int) -> str:
    """Return the paragraph under the title for a recomputed trial."""
    return (
        f"Split {trial} of {name}, {budget} submissions, four steps, all computed here from item scores that are bundled: every model's "
        "profile is known, so every choice of the attacker can be followed."
    )


def any_endpoint_notes(found: Walkthrough) -> list[str]:
    """Return what there is to notice about the pair of a recomputed trial."""
    frontier, pool = int(found.frontier.sum()), int(found.pool.sum())
    names = [short_name(found.models[place]) for place in np.flatnonzero(found.pool)]
    if frontier == 2:
        return [
            (
                f"Two of {len(found.models)} models are on the public frontier, so there is nothing to choose: they are the pair. The "
                "fewer returned scores there are, the easier one model dominates another."
            )
        ]
    ranked = sorted(zip(names, found.public_rank[found.pool], strict=True), key=lambda pair: int(pair[1]))
    return [
        (
            f"{capitalised(count(frontier))} of {len(found.models)} models are on the public frontier; the pair is sought among "
            f"{count(pool)}: {join([f'{name} ({ordinal(int(place))})' for name, place in ranked])}, with their places on the public "
            "leaderboard."
        )
    ]


def any_vote_notes(found: Walkthrough) -> list[str]:
    """Return how all votes of a trial went."""
    total = len(found.prompts)
    ties, to_a = int(found.ties.sum()), int(found.takes_a.sum())
    tie_a = int((found.ties & found.takes_a).sum())
    notes = [f"Over all {total} items the final router takes A {to_a} times and B {total - to_a} times."]
    if ties:
        notes.append(
            f"{capitalised(plural(ties, 'vote'))} {'is' if ties == 1 else 'are'} exactly zero; the tie router sends {count(tie_a)} of them "
            f"to A and {count(ties - tie_a)} to B. A category where both models answer every public item alike gives every router weight zero."
        )
    else:
        notes.append("No vote is exactly zero, so the tie router decides nothing here.")
    held = int(found.held_out.sum())
    notes.append(
        f"{held} of the items are held out. Their flips were never scored: on them a weighted vote is no better than a coin."
    )
    return notes


def any_outcome_notes(found: Walkthrough, names: Mapping[str, str]) -> list[str]:
    """Return what there is to notice about the outcome of a recomputed trial."""
    before = next(one for one in found.standings if one.role == "No attack")
    after = next(one for one in found.standings if one.role == "Chosen")
    verb = "loses" if found.loss_pp > 0 else "gains" if found.loss_pp < 0 else ""
    size = (
        f"{verb} {number(abs(found.loss_pp), 2)} pp of held-out score" if verb else "keeps the held-out score"
    )
    drop = found.rank_drop
    ranks = f"{plural(abs(drop), 'rank')} {'lost' if drop > 0 else 'gained'}" if drop else "no rank lost"
    notes = [
        (
            f"Following the ranking from {names.get(before.model, before.model)} to {names.get(after.model, 'the final router')} {size}; "
            f"{ranks}."
        )
    ]
    if found.false_winner:
        notes.append(
            "The router is a false winner: it leads the public ranking and is not the best held out."
        )
    history = found.history
    notes.append(
        f"The score gap of this trial is {number(history.score_gap_pp, 2)} pp, among the genuine models alone "
        f"{number(history.genuine_gap_pp, 2)} pp."
    )
    return notes
