"""The worked example of the reuse study as a type: HELM Lite, trial 165, 32 submissions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from core.provenance import Provenance


@dataclass(frozen=True, slots=True)
class ScoredModel:
    """One of the four models that the example follows.

    Parameters
    ----------
    label
        ``Endpoint A``, ``Endpoint B``, ``No attack`` or ``Final router``.
    model
        The model's name; ``router`` for the final router.
    reused_pp, heldout_pp
        Equal-scenario mean on the public and on the held-out items, in percent.
    reused_rank, heldout_rank
        Rank by mean win rate among the genuine models and the router.
    """

    label: str
    model: str
    reused_pp: float
    heldout_pp: float
    reused_rank: int
    heldout_rank: int


@dataclass(frozen=True, slots=True)
class Scenario:
    """The released scores of one scenario.

    Parameters
    ----------
    name
        The scenario's name in the tables.
    a_pp, b_pp
        Public scores of the endpoints, in percent.
    candidates_pp
        Public scores of the 31 random routers, in order of submission, in percent.
    weights
        Published exact weights 2p - a - b, as integers up to one power of two.
    """

    name: str
    a_pp: float
    b_pp: float
    candidates_pp: tuple[float, ...]
    weights: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PromptVote:
    """The published vote on one prompt.

    Parameters
    ----------
    prompt_hash, scenario
        The prompt.
    choices
        Each random router's choice: +1 is model A, -1 model B.
    weights_pp
        2p - a - b of the prompt's scenario, in pp.
    integer_weights, integer_vote
        The same as exact integers, and their signed sum.
    vote_pp
        The signed sum in pp (200 times the sum of the weights p - (a + b) / 2).
    choice
        ``A`` or ``B``.
    """

    prompt_hash: str
    scenario: str
    choices: tuple[int, ...]
    weights_pp: tuple[float, ...]
    integer_weights: tuple[int, ...]
    integer_vote: int
    vote_pp: float
    choice: str


@dataclass(frozen=True, slots=True)
class Trial165:
    """HELM Lite, trial 165, 32 submissions, as published.

    Parameters
    ----------
    provenance
        File, source, checksum.
    trial, budget
        165 and 32.
    split_seed, routing_seed, tie_seed
        Seeds from which the split, the routers and the tie router are recomputed.
    endpoint_a, endpoint_b
        The two mixed models.
    endpoint_names
        Their display names.
    models
        Number of genuine models.
    reused_items, heldout_items
        Sizes of the two halves.
    scored
        Endpoint A, endpoint B, the no-attack choice and the final router.
    scenarios
        The ten scenarios.
    prompt
        The vote on the published prompt.
    score_gap_pp, genuine_gap_pp
        Score generalisation gap with the submissions, and of the genuine models alone.
    model_selection_loss_pp
        Held-out score lost by following the ranking.
    similar_trials
        Trials among 250 in which the no-attack choice stays first held out, the router is a false winner and the gap
        grows; this trial is the median loss among them.
    similar_median_loss_pp
        That median.
    """

    provenance: Provenance
    trial: int
    budget: int
    split_seed: int
    routing_seed: str
    tie_seed: str
    endpoint_a: str
    endpoint_b: str
    endpoint_names: tuple[str, str]
    models: int
    reused_items: int
    heldout_items: int
    scored: tuple[ScoredModel, ...]
    scenarios: tuple[Scenario, ...]
    prompt: PromptVote
    score_gap_pp: float
    genuine_gap_pp: float
    model_selection_loss_pp: float
    similar_trials: int
    similar_median_loss_pp: float

    @classmethod
    def from_mapping(cls, values: dict[str, Any], provenance: Provenance) -> Trial165:
        """Build the example from its parsed file.

        Parameters
        ----------
        values
            The file's content.
        provenance
            Where it was read from.

        Raises
        ------
        KeyError, TypeError, ValueError
            If a value is missing or of another kind.
        """
        prompt = values["prompt"]
        name_a, name_b = (str(name) for name in values["endpoint_names"])
        return cls(
            provenance=provenance,
            trial=int(values["trial"]),
            budget=int(values["budget"]),
            split_seed=int(values["split_seed"]),
            routing_seed=str(values["routing_seed"]),
            tie_seed=str(values["tie_seed"]),
            endpoint_a=str(values["endpoints"][0]),
            endpoint_b=str(values["endpoints"][1]),
            endpoint_names=(name_a, name_b),
            models=int(values["coverage"]["models"]),
            reused_items=int(values["coverage"]["reused"]),
            heldout_items=int(values["coverage"]["heldout"]),
            scored=tuple(
                ScoredModel(
                    str(row["label"]),
                    str(row["model"]),
                    float(row["reused"]),
                    float(row["heldout"]),
                    int(row["rank_s"]),
                    int(row["rank_t"]),
                )
                for row in values["scores"]
            ),
            scenarios=tuple(
                Scenario(
                    str(row["task"]),
                    float(row["a"]),
                    float(row["b"]),
                    tuple(float(score) for score in row["candidates"]),
                    tuple(int(weight) for weight in row["weights"]),
                )
                for row in values["tasks"]
            ),
            prompt=PromptVote(
                str(prompt["hash"]),
                str(prompt["task"]),
                tuple(int(choice) for choice in prompt["gates"]),
                tuple(float(weight) for weight in prompt["weights_pp"]),
                tuple(int(weight) for weight in prompt["integer_weights"]),
                int(prompt["integer_vote"]),
                float(prompt["vote_pp"]),
                str(prompt["choice"]),
            ),
            score_gap_pp=float(values["metric"]["score_gap_pp"]),
            genuine_gap_pp=float(values["metric"]["genuine_preload_score_gap_pp"]),
            model_selection_loss_pp=float(values["model_selection_loss_pp"]),
            similar_trials=int(values["eligible_trials"]),
            similar_median_loss_pp=float(values["eligible_median_loss_pp"]),
        )
