"""What one trial holds at one budget: pairs with their distances, standings, scores, weights and votes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from core.errors import UsageError
from core.reuse.vote import Vote, cast_vote

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray

    from core.reuse.history import History

FINAL_ROUTER: Final = "Final router"


@dataclass(frozen=True, slots=True)
class Pair:
    """Two models and how far apart their public profiles are.

    Parameters
    ----------
    first, second
        Names, the one that sorts first in front.
    distance_pp
        Mean absolute difference over the coordinates, pp.
    in_pool
        Whether both are among the models that the pair is sought in.
    on_frontier
        Whether neither is dominated.
    chosen
        Whether this is the pair that is mixed.
    """

    first: str
    second: str
    distance_pp: float
    in_pool: bool
    on_frontier: bool
    chosen: bool


@dataclass(frozen=True, slots=True)
class Standing:
    """One row of the leaderboard that the outcome is about.

    Parameters
    ----------
    role
        ``Endpoint A``, ``Endpoint B``, ``No attack``, ``Chosen`` or ``Final router``.
    model
        Its name; the final router's is `FINAL_ROUTER`.
    reused_pp, heldout_pp
        Unrounded performance on both halves, percent.
    reused_rank, heldout_rank
        Rank among the genuine models and the final router, by the ranking's own statistic.
    """

    role: str
    model: str
    reused_pp: float
    heldout_pp: float
    reused_rank: int
    heldout_rank: int


@dataclass(frozen=True, eq=False)
class Walkthrough:
    """One trial at one budget.

    Parameters
    ----------
    benchmark, trial, budget, endpoint_policy
        What was run.
    models, coordinates
        Names.
    public_pp
        Shape (models, coordinates): the released table of the genuine models, percent.
    public_rank
        Shape (models,): place on the public leaderboard among the genuine models (1 is best; ties share a place).
    frontier, pool
        Shape (models,): not dominated; among the models that the pair is sought in.
    pairs
        All pairs, most distant first.
    endpoint_a, endpoint_b
        Names; None where fewer than two models are on the frontier and the trial is not eligible.
    a_pp, b_pp
        Shape (coordinates,): the endpoints' released scores, percent.
    candidates_pp
        Shape (candidates, coordinates): the random routers' released scores, percent.
    weights
        One tuple per coordinate, shape (coordinates)(candidates): exact weights p - (a + b) / 2, fractions of 1.
    prompts
        Prompt hashes; `prompt_items` are the names of their items, `prompt_coordinate` indexes `coordinates`.
    held_out
        Shape (prompts,): whether the prompt is held out.
    votes
        Shape (prompts,): the votes as floats, pp. A tie is exactly 0 here; whether a float 0 is one says `ties`.
    ties
        Shape (prompts,): whether the vote is exactly zero, so that the tie router decides.
    takes_a
        Shape (prompts,): the final router's choices.
    standings
        Endpoint A, endpoint B, the no-attack choice, the choice after the attack, the final router.
    loss_pp, rank_drop, false_winner
        The outcome; NaN, 0 and False where the trial is not eligible.
    history
        The two running minima and the score gap.
    routing_seed, tie_seed
        Seeds of the coin flips.
    """

    benchmark: str
    trial: int
    budget: int
    endpoint_policy: str
    models: tuple[str, ...]
    coordinates: tuple[str, ...]
    public_pp: NDArray[np.float64]
    public_rank: NDArray[np.intp]
    frontier: NDArray[np.bool_]
    pool: NDArray[np.bool_]
    pairs: tuple[Pair, ...]
    endpoint_a: str | None
    endpoint_b: str | None
    a_pp: NDArray[np.float64]
    b_pp: NDArray[np.float64]
    candidates_pp: NDArray[np.float64]
    weights: tuple[tuple[Fraction, ...], ...]
    prompts: tuple[str, ...]
    prompt_items: tuple[str, ...]
    prompt_coordinate: NDArray[np.intp]
    held_out: NDArray[np.bool_]
    votes: NDArray[np.float64]
    ties: NDArray[np.bool_]
    takes_a: NDArray[np.bool_]
    standings: tuple[Standing, ...]
    loss_pp: float
    rank_drop: int
    false_winner: bool
    history: History
    routing_seed: str
    tie_seed: str

    @property
    def eligible(self) -> bool:
        """Whether there is a pair to mix."""
        return self.endpoint_a is not None

    @property
    def chosen_pair(self) -> Pair | None:
        """The pair that is mixed."""
        return next((pair for pair in self.pairs if pair.chosen), None)

    def vote_on(self, prompt: int) -> Vote:
        """Return the vote on a prompt, candidate by candidate, with its coin flips recomputed from the seeds.

        Parameters
        ----------
        prompt
            Index into `prompts`.

        Raises
        ------
        UsageError
            If the trial is not eligible or there is no such prompt.
        """
        if not self.eligible:
            raise UsageError(
                f"Trial {self.trial} has no pair of models to mix, so there is no vote. Choose another trial."
            )
        if not 0 <= prompt < len(self.prompts):
            raise UsageError(f"A prompt's number is 0 to {len(self.prompts) - 1}, found {prompt}.")
        return cast_vote(
            self.prompts[prompt],
            self.weights[int(self.prompt_coordinate[prompt])],
            routing_seed=self.routing_seed,
            tie_seed=self.tie_seed,
        )
