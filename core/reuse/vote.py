"""The vote on one prompt, candidate by candidate: coin flips, weights, their running sum, and who decides a tie.

Source: "Fast but False Progress on Benchmarks with Richer Feedback" (Allouah, Duchi, Koyejo 2026), weights and final
router. The engine computes the same votes by matrix products; here they are exact fractions, one prompt at a time.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from typing import TYPE_CHECKING, Literal

from core.errors import UsageError
from core.reuse.gates import candidate_key, takes_a, tie_key

if TYPE_CHECKING:
    from collections.abc import Sequence

Endpoint = Literal["A", "B"]


@dataclass(frozen=True)
class Vote:
    """What the random routers say about one prompt.

    Parameters
    ----------
    prompt_hash
        The prompt.
    choices
        Shape (candidates,): +1 where the candidate takes model A, -1 where it takes model B.
    weights
        Shape (candidates,): exact weights p - (a + b) / 2 on the prompt's coordinate, as fractions of 1.
    tie_takes_a
        Whether the tie router takes model A.

    Raises
    ------
    UsageError
        If choices and weights differ in number or a choice is neither +1 nor -1.
    """

    prompt_hash: str
    choices: tuple[int, ...]
    weights: tuple[Fraction, ...]
    tie_takes_a: bool

    def __post_init__(self) -> None:
        if len(self.choices) != len(self.weights):
            raise UsageError(
                f"Expected one weight per choice, found {len(self.choices)} choices and {len(self.weights)} weights."
            )
        if not set(self.choices) <= {-1, 1}:
            raise UsageError(f"A choice is +1 or -1, found {sorted(set(self.choices))}.")

    @property
    def steps(self) -> tuple[Fraction, ...]:
        """Shape (candidates,): weight times choice, what each candidate adds to the vote."""
        return tuple(weight * choice for weight, choice in zip(self.weights, self.choices, strict=True))

    @property
    def running(self) -> tuple[Fraction, ...]:
        """Shape (candidates + 1,): the vote after 0, 1, 2, ... candidates."""
        return tuple(accumulate(self.steps, initial=Fraction(0)))

    @property
    def total(self) -> Fraction:
        """The vote; above zero it is model A, below zero model B."""
        return sum(self.steps, Fraction(0))

    @property
    def is_tie(self) -> bool:
        """Whether the vote is exactly zero, so that the tie router decides."""
        return self.total == 0

    @property
    def choice(self) -> Endpoint:
        """The final router's choice."""
        return decide(self.total, tie_takes_a=self.tie_takes_a)

    @property
    def crossings(self) -> tuple[int, ...]:
        """Numbers of candidates after which the vote has just come to lie on the other side of zero.

        A vote that only touches zero and turns back does not cross.

        Examples
        --------
        >>> Vote("p", (1, -1, 1), (Fraction(1), Fraction(2), Fraction(3)), True).crossings
        (2, 3)
        """
        found = []
        side = 0
        for counted, value in enumerate(self.running):
            here = (value > 0) - (value < 0)
            if here and side and here != side:
                found.append(counted)
            side = here or side
        return tuple(found)

    def first(self, candidates: int) -> Vote:
        """Return the vote of the first candidates alone, as a smaller budget would count it."""
        return Vote(self.prompt_hash, self.choices[:candidates], self.weights[:candidates], self.tie_takes_a)


def decide(total: Fraction, *, tie_takes_a: bool) -> Endpoint:
    """Return what a vote decides: its sign, or the tie router where it is exactly zero.

    Examples
    --------
    >>> decide(Fraction(1, 9), tie_takes_a=False), decide(Fraction(0), tie_takes_a=False)
    ('A', 'B')
    """
    return "A" if total > 0 or (total == 0 and tie_takes_a) else "B"


def random_choices(prompt_hash: str, routing_seed: str, candidates: int) -> tuple[int, ...]:
    """Return the choices of the first random routers for a prompt, recomputed from the seed.

    Parameters
    ----------
    prompt_hash
        The prompt's hash, as text.
    routing_seed
        The benchmark's routing seed.
    candidates
        How many.

    Returns
    -------
    tuple of int, shape (candidates,)
        +1 is model A, -1 model B.
    """
    return tuple(
        1 if takes_a(prompt_hash, candidate_key(routing_seed, candidate)) else -1
        for candidate in range(candidates)
    )


def text_hash(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, as hexadecimal text: the prompt hash of a text of one's own.

    Examples
    --------
    >>> text_hash("")[:16]
    'e3b0c44298fc1c14'
    """
    return hashlib.sha256(text.encode()).hexdigest()


def cast_vote(prompt_hash: str, weights: Sequence[Fraction], *, routing_seed: str, tie_seed: str) -> Vote:
    """Return the vote on a prompt, with every coin flip recomputed from the seeds.

    Parameters
    ----------
    prompt_hash
        The prompt's hash, as text.
    weights
        Shape (candidates,): exact weights on the prompt's coordinate.
    routing_seed, tie_seed
        The benchmark's seeds.
    """
    return Vote(
        prompt_hash,
        random_choices(prompt_hash, routing_seed, len(weights)),
        tuple(weights),
        takes_a(prompt_hash, tie_key(tie_seed)),
    )
