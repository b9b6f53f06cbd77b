"""Votes are exact whatever number type they are added up in, and those of whom nothing is released do not count."""

import numpy as np
import pytest

from core.reuse.attack import final_choices


@pytest.mark.parametrize("largest", [3, 2**24 - 1, 2**24, 2**24 + 1, 2**40])
@pytest.mark.parametrize("fraction", [1.0, 0.25])
def test_votes_have_the_sign_of_whole_number_arithmetic(largest, fraction):
    random = np.random.default_rng(largest)
    gates = np.where(random.random((40, 7)) < 0.5, -1.0, 1.0).astype(np.float32)
    whole = random.integers(-2, 3, (7, 5))
    whole[0], whole[1], whole[2] = largest, -largest, 0  # large ones that cancel, and one withheld
    tie = random.random(40) < 0.5
    found = final_choices(gates, (whole * fraction,), tie, (2, 4, 8))
    for budget, choice in zip((2, 4, 8), found, strict=True):
        votes = gates[:, : budget - 1].astype(np.int64) @ whole[: budget - 1]
        assert np.array_equal(choice, (votes > 0) | ((votes == 0) & tie[:, None]))
