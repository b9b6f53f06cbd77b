"""Exact numbers in floating point: an array as a short sum of *limbs*.

Whether a vote is exactly zero decides a router's choice, so votes must be exact. A limb is a float64 array whose
entries are integers times one power of two, small enough that the sums taken of it stay below 2^53 units and are
therefore exact in whatever order a matrix product adds them. A number is the sum of its limbs; most conventions
need one limb (counts, ticks), doubles need two. Nothing here rounds unless its name says so.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

Limbs = tuple["NDArray[np.float64]", ...]

MANTISSA_BITS: Final = 53


def split_limbs(values: NDArray[np.float64], headroom_bits: int, top_exponent: int = 0) -> Limbs:
    """Split doubles into limbs that can be summed exactly.

    Parameters
    ----------
    values
        Doubles of magnitude at most ``2**top_exponent``, any shape.
    headroom_bits
        Sums of up to ``2**headroom_bits`` entries (with signs) of a limb stay exact.
    top_exponent
        Fixes the grid, so that limbs of separate calls line up.

    Returns
    -------
    tuple of arrays
        At least one limb, largest first; their sum is `values` exactly.

    Examples
    --------
    >>> high, low = split_limbs(np.array([1 / 3]), headroom_bits=13)
    >>> bool(high[0] + low[0] == 1 / 3), bool(low[0] == 0)
    (True, False)
    """
    bits = MANTISSA_BITS - headroom_bits
    if bits < 2:
        raise ValueError(f"Expected at most {MANTISSA_BITS - 2} bits of headroom, found {headroom_bits}.")
    rest = np.array(values, dtype=np.float64)
    limbs: list[NDArray[np.float64]] = []
    unit_exponent = top_exponent
    while not limbs or rest.any():
        unit_exponent -= bits
        if unit_exponent < -1000:  # denormal territory: what is left is too small to overflow the headroom
            limbs.append(rest)
            break
        limb = np.ldexp(np.rint(np.ldexp(rest, -unit_exponent)), unit_exponent)
        limbs.append(limb)
        rest = rest - limb
    return tuple(limbs)


def sign(limbs: Sequence[NDArray[np.float64]]) -> NDArray[np.int8]:
    """Return the exact sign (-1, 0, 1) of each entry of a sum of limbs."""
    if len(limbs) == 1:
        return np.sign(limbs[0]).astype(np.int8)
    if len(limbs) == 2:
        # A float64 addition is zero only if its exact result is, and never has the wrong sign.
        return np.sign(limbs[0] + limbs[1]).astype(np.int8)
    total = sum(limbs[1:], limbs[0])
    size = sum((np.abs(limb) for limb in limbs[1:]), np.abs(limbs[0]))
    doubtful = np.abs(total) <= size * (len(limbs) * 2.0**-52)
    result = np.sign(total).astype(np.int8)
    places = np.nonzero(doubtful & (size > 0))
    result[doubtful] = 0
    if places[0].size:
        columns = [limb[places] for limb in limbs]
        result[places] = [int(np.sign(math.fsum(parts))) for parts in zip(*columns, strict=True)]
    return result


def collapse(limbs: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return the sum of limbs as correctly rounded doubles.

    Examples
    --------
    >>> collapse((np.array([1.0]), np.array([2.0**-53]), np.array([2.0**-106]))).tolist() == [1 + 2.0**-52]
    True
    """
    if len(limbs) <= 2 or not any(limb.any() for limb in limbs[2:]):
        return limbs[0] if len(limbs) == 1 else limbs[0] + limbs[1]
    total = np.frompyfunc(lambda *parts: math.fsum(parts), len(limbs), 1)(*limbs)
    return np.asarray(total, dtype=np.float64)


def fraction(limbs: Sequence[NDArray[np.float64]], index: tuple[int, ...]) -> Fraction:
    """Return one entry of a sum of limbs as a fraction."""
    return sum((Fraction(float(limb[index])) for limb in limbs), Fraction(0))


def to_integers(limbs: Sequence[NDArray[np.float64]], exponent: int) -> NDArray[np.object_]:
    """Return ``number * 2**exponent`` as Python integers; `exponent` must make every entry whole."""
    whole = np.zeros(limbs[0].shape, dtype=object)
    as_integer = np.frompyfunc(int, 1, 1)
    for limb in limbs:
        whole = whole + as_integer(np.ldexp(limb, exponent))
    return whole


def from_integers(values: NDArray[np.object_], headroom_bits: int, largest: int = 0) -> Limbs:
    """Split Python integers of any size into limbs that can be summed exactly (see `split_limbs`).

    Parameters
    ----------
    values
        Whole numbers.
    headroom_bits
        As for `split_limbs`.
    largest
        No magnitude exceeds it. Limbs of separate calls with the same bound are equal in number and line up, as
        `add` expects of its arguments.

    Examples
    --------
    >>> limbs = from_integers(np.array([2**70 + 1, -5], dtype=object), headroom_bits=12)
    >>> to_integers(limbs, 0).tolist() == [2**70 + 1, -5]
    True
    >>> len(from_integers(np.array([1], dtype=object), headroom_bits=12, largest=2**70))
    2
    """
    bits = MANTISSA_BITS - headroom_bits
    limbs: list[NDArray[np.float64]] = []
    rest, shift = values, 0
    while True:
        low = rest & ((1 << bits) - 1)
        limbs.append(np.ldexp(low.astype(np.float64), shift))
        rest = rest >> bits
        shift += bits
        if shift >= largest.bit_length() and not np.any((rest != 0) & (rest != -1)):
            # What is left is the sign: -1 stands for -2**shift.
            if np.any(rest == -1):
                limbs.append(np.ldexp(rest.astype(np.float64), shift))
            break
    return tuple(reversed(limbs))


def lowest_bit_exponent(values: NDArray[np.float64]) -> int:
    """Return the smallest whole ``e >= 0`` for which every ``value * 2**e`` is whole."""
    mantissa, exponent = np.frexp(values)
    whole = np.ldexp(mantissa, MANTISSA_BITS).astype(np.int64)
    lowest = np.where(whole == 0, 1, whole & -whole).astype(np.float64)
    need = MANTISSA_BITS - exponent - np.rint(np.log2(lowest)).astype(np.int64)
    return max(0, int(np.max(np.where(whole == 0, 0, need), initial=0)))


def add(left: Limbs, right: Limbs, factor: float = 1.0) -> Limbs:
    """Return ``left + factor * right`` limb by limb; the caller vouches for the headroom."""
    longest = max(len(left), len(right))
    zero = np.zeros(())
    padded = [limbs + (zero,) * (longest - len(limbs)) for limbs in (left, right)]
    return tuple(one + factor * other for one, other in zip(*padded, strict=True))


def take(limbs: Limbs, index: Any) -> Limbs:
    """Index every limb alike."""
    return tuple(limb[index] for limb in limbs)


def weighted_sum(limbs: Limbs, weights: Sequence[Fraction]) -> Limbs:
    """Return the weighted sum over the first axis, exact up to one common positive factor.

    Parameters
    ----------
    limbs
        Shape (n, ...).
    weights
        n weights of at least 0.
    """
    common = math.lcm(*(weight.denominator for weight in weights))
    factors = [int(weight * common) for weight in weights]
    factors = [factor // max(1, math.gcd(*factors)) for factor in factors]
    whole = len(limbs) == 1 and bool(np.all(limbs[0] == np.rint(limbs[0])))
    if whole and float(np.max(np.abs(limbs[0]), initial=0.0)) * sum(factors) < 2.0**MANTISSA_BITS:
        return (np.tensordot(np.array(factors, dtype=np.float64), limbs[0], axes=1),)
    exponent = max(lowest_bit_exponent(limb) for limb in limbs)
    numbers = [factor * to_integers(take(limbs, place), exponent) for place, factor in enumerate(factors)]
    return from_integers(np.asarray(sum(numbers)), headroom_bits=2)


def dense_ranks(limbs: Limbs) -> NDArray[np.intp]:
    """Rank numbers along the last axis, smallest 0, equal numbers alike.

    Examples
    --------
    >>> dense_ranks((np.array([[3.0, 1.0, 3.0, 2.0]]),)).tolist()
    [[2, 0, 2, 1]]
    """
    if len(limbs) > 2:
        return _dense_ranks_of_fractions(limbs)
    if len(limbs) == 1:
        high, low = limbs[0], None
        order = np.argsort(high, axis=-1, kind="stable")
    else:
        # Two-sum: the rounded sum and what the rounding lost order the numbers exactly.
        first, second = np.broadcast_arrays(*limbs)
        high = first + second
        part = high - first
        low = (first - (high - part)) + (second - part)
        order = np.lexsort((low, high), axis=-1)
    sorted_high = np.take_along_axis(high, order, axis=-1)
    step = sorted_high[..., 1:] != sorted_high[..., :-1]
    if low is not None:
        sorted_low = np.take_along_axis(low, order, axis=-1)
        step |= sorted_low[..., 1:] != sorted_low[..., :-1]
    sorted_ranks = np.zeros(order.shape, dtype=np.intp)
    np.cumsum(step, axis=-1, out=sorted_ranks[..., 1:])
    ranks = np.empty_like(sorted_ranks)
    np.put_along_axis(ranks, order, sorted_ranks, axis=-1)
    return ranks


def _dense_ranks_of_fractions(limbs: Limbs) -> NDArray[np.intp]:
    broadcast = tuple(np.broadcast_arrays(*limbs))
    ranks: NDArray[np.intp] = np.empty(np.shape(broadcast[0]), dtype=np.intp)
    for row in np.ndindex(ranks.shape[:-1]):
        values = [fraction(broadcast, (*row, place)) for place in range(ranks.shape[-1])]
        position = {value: rank for rank, value in enumerate(sorted(set(values)))}
        ranks[row] = [position[value] for value in values]
    return ranks


_SURE_QUOTIENTS: Final = 1 << 52
"""Below it n / d in float64 is a tie only where the fraction is one: no other fraction lies within 1 / (2 d) of a tie, and
the quotient's rounding error is smaller than that."""


def divide_half_even(numerator: NDArray[np.int64], denominator: int) -> NDArray[np.int64]:
    """Divide whole numbers and round to the nearest whole number, halves to even.

    Examples
    --------
    >>> divide_half_even(np.array([1, 3, 5, -1]), 2).tolist()
    [0, 2, 2, 0]
    """
    if numerator.dtype == np.int64 and numerator.size and np.abs(numerator).max() < _SURE_QUOTIENTS:
        return np.asarray(np.rint(numerator / denominator).astype(np.int64))
    quotient = numerator // denominator
    twice = 2 * (numerator - quotient * denominator)
    up = (twice > denominator) | ((twice == denominator) & (quotient % 2 == 1))
    return np.asarray(quotient + up)
