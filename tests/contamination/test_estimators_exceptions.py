"""What the estimators refuse, and in which words."""

import numpy as np
import pytest

from core.contamination import estimators as est
from core.contamination.epg import epg
from core.errors import DataError


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: est.naive([]), "holds no items"),
        (lambda: est.naive(np.zeros((2, 2, 2))), r"shape \(n,\) or \(replicates, n\)"),
        (lambda: est.naive([0.5, 1.5]), r"within \[0, 1\], found 1.5 at position 1"),
        (lambda: est.naive([0.5, float("nan")]), "found nan at position 1"),
        (lambda: est.ipw([1, 0], [[0.5, 0.5], [0.5, 2.0]]), r"'d' must lie within .* at position \(1, 1\)"),
        (lambda: est.ipw([1, 0, 1], [0.5, 0.5]), r"y \(3,\), d \(2,\)"),
        (lambda: est.combine(np.ones((2, 3)), np.ones((4, 3)), np.ones(3)), "same items and replicates"),
        (lambda: epg([1, 0], [0.5]), "same shape"),
        (lambda: epg([1, 0], [0.5, float("inf")]), "finite"),
    ],
)
def test_wrong_arrays_are_refused(call, words):
    with pytest.raises(DataError, match=words):
        call()


def test_value_of_many_replicates_is_refused():
    with pytest.raises(ValueError, match="one test set"):
        _ = est.naive(np.ones((2, 3))).value
