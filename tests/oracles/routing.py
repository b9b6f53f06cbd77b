"""Random routers, the tie router and win rates by their definition."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from functools import cache


@cache
def candidate_choice(routing_seed, candidate, prompt):
    """+1 (endpoint A) or -1 (endpoint B)."""
    return _choice(f"probe|{routing_seed}|{candidate}", prompt)


@cache
def tie_choice(tie_seed, prompt):
    """The tie router's +1 or -1."""
    return _choice(f"tie|{tie_seed}", prompt)


def _choice(label, prompt):
    key = hashlib.sha256(label.encode()).digest()
    return 1 if hashlib.blake2b(prompt.encode(), key=key, digest_size=1).digest()[0] & 1 else -1


def win_rates(table):
    """Mean win rate of each row of a table of coordinate scores, as fractions."""
    rates = []
    for row, own in enumerate(table):
        others = [scores for other, scores in enumerate(table) if other != row]
        total = Fraction(0)
        for coordinate, score in enumerate(own):
            beaten = sum(other[coordinate] < score for other in others)
            tied = sum(other[coordinate] == score for other in others)
            total += Fraction(2 * beaten + tied, 2 * len(others))
        rates.append(total / len(own))
    return rates
