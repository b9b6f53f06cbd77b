"""Feedback rules once more: one coordinate, one trial, lists and fractions; nothing is shared with `core.reuse`."""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction


def nearest_even(value):
    """A fraction rounded to a whole number, halves to even."""
    below = math.floor(value)
    rest = value - below
    if rest == Fraction(1, 2):
        return below if below % 2 == 0 else below + 1
    return below if rest < Fraction(1, 2) else below + 1


def rounded(score, step):
    """A score rounded to a step; both fractions of 1."""
    return nearest_even(score / step) * step


def ladder(table, scores, eta, visible=None):
    """Answers to a sequence of submissions on one coordinate: a score, or None where nothing is released."""
    best = max(table, default=None)
    answers = []
    for place, score in enumerate(scores):
        seen = visible is None or visible[place]
        if seen and (best is None or 1 - score < (1 - best) - eta):
            best = 1 - rounded(1 - score, eta)
            answers.append(best)
        else:
            answers.append(None)
    return answers


def frontier(table, profiles, eta):
    """Which profiles are released: no earlier released one is within `eta` or above everywhere."""
    known = list(table)
    released = []
    for profile in profiles:
        shut = any(all(mine + eta >= own for mine, own in zip(old, profile, strict=True)) for old in known)
        released.append(not shut)
        if not shut:
            known.append(profile)
    return released


def group_order(prefix, partition, labels):
    """Names in the order of their hashes."""
    return sorted(
        labels,
        key=lambda name: (hashlib.sha256(f"{prefix}{partition}|{name}".encode()).hexdigest(), name),
    )


def survival(curve, budgets, tolerance):
    """The last budget before a curve first exceeds a tolerance; 0 if it starts above, None if it never does."""
    last = 0
    for loss, budget in zip(curve, budgets, strict=True):
        if loss > tolerance:
            return last
        last = budget
    return None
