"""Rounding of quotients: floating point where it is sure, whole numbers where it is not."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from core.reuse.exact import divide_half_even
from tests.oracles.rules import nearest_even


@given(st.lists(st.integers(-(2**61), 2**61), min_size=1, max_size=6), st.integers(1, 2**31))
@example([2**52 - 1, -(2**52) + 1], 2)
@example([2**52, 2**52 + 1], 2)
@example([3 * 2**50, 3 * 2**50 + 1], 2**30)
def test_any_quotient_is_rounded_half_to_even(numerators, denominator):
    found = divide_half_even(np.array(numerators, dtype=np.int64), denominator)
    assert found.dtype == np.int64
    assert found.tolist() == [nearest_even(Fraction(one, denominator)) for one in numerators]


@given(st.integers(-(2**20), 2**20), st.integers(1, 2**20), st.sampled_from((-1, 0, 1)))
def test_ties_and_their_neighbours(whole, denominator, aside):
    numerator = (2 * whole + 1) * denominator + aside
    found = divide_half_even(np.array([numerator], dtype=np.int64), 2 * denominator)
    assert found.tolist() == [nearest_even(Fraction(numerator, 2 * denominator))]


def test_whole_numbers_of_any_size():
    numerators = [10**40 + 5, -(10**40) - 5, 15]
    found = divide_half_even(np.array(numerators, dtype=object), 10)
    assert found.tolist() == [nearest_even(Fraction(one, 10)) for one in numerators]
