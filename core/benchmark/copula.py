"""Item scores drawn from a table of expected scores, with models that succeed and fail on the same items.

The dependence is a one-factor Gaussian copula. Model m meets item i of task t with the latent value

    Z[m, i] = sqrt(r) * U[i] + sqrt(1 - r) * E[m, i],        U, E independent standard normal,

and solves it where ``Z[m, i] <= quantile(p[m, t])``. Every Z is standard normal whatever r, so the chance of a success is
the expected score p[m, t], exactly. U is the item's difficulty, shared by all models; E is the model's own luck; p holds
ability. The dependence r is the correlation of two models' latent values on one item: 0 draws every answer independently,
1 makes every item that a model solves solved by all models that are better on its task. It is the same everywhere; real
benchmarks also have families of models that fail alike, and tasks whose items differ more than others'.
"""

from __future__ import annotations

import math
from statistics import NormalDist
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

_NORMAL: Final = NormalDist()


def check_dependence(dependence: float) -> float:
    """Return a dependence parameter as a float.

    Raises
    ------
    UsageError
        If it is not a number from 0 to 1.
    """
    if (
        isinstance(dependence, bool)
        or not isinstance(dependence, int | float)
        or not 0 <= dependence <= 1  # NaN fails too
    ):
        raise UsageError(
            f"The dependence is a number from 0 (models fail independently) to 1 (they fail on the same items), "
            f"found {dependence!r}."
        )
    return float(dependence)


def draw_outcomes(
    expected: NDArray[np.float64],
    item_task: NDArray[np.intp],
    dependence: float,
    generator: np.random.Generator,
) -> NDArray[np.float64]:
    """Draw whether each model solves each item.

    Parameters
    ----------
    expected
        Shape (models, tasks): each model's chance of solving an item of each task, from 0 to 1.
    item_task
        Shape (items,): the task of each item.
    dependence
        Correlation of two models' latent values on one item, from 0 to 1.
    generator
        Source of randomness. The same state draws the same difficulties and luck whatever the dependence.

    Returns
    -------
    array of float64, shape (models, items)
        0.0 or 1.0; the mean of a model over a task's items has expectation ``expected``.

    Raises
    ------
    UsageError
        If the dependence or an expected score is outside 0 to 1.

    Examples
    --------
    >>> p = np.array([[1.0, 0.0], [0.0, 1.0]])
    >>> draw_outcomes(p, np.array([0, 0, 1]), 0.5, np.random.default_rng(0)).tolist()
    [[1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    """
    weight = check_dependence(dependence)
    if not np.all((expected >= 0) & (expected <= 1)):
        raise UsageError("Expected scores of a simulated benchmark lie within 0 and 1.")
    items = len(item_task)
    difficulty = generator.standard_normal(items)
    luck = generator.standard_normal((len(expected), items))
    latent = math.sqrt(weight) * difficulty + math.sqrt(1.0 - weight) * luck
    return (latent <= quantiles(expected)[:, item_task]).astype(np.float64)


def quantiles(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return standard normal quantiles of chances from 0 to 1, minus and plus infinity at the ends; same shape.

    Examples
    --------
    >>> quantiles(np.array([0.0, 0.5, 1.0])).tolist()
    [-inf, 0.0, inf]
    """
    ends = {0.0: -math.inf, 1.0: math.inf}
    found = [
        ends[chance] if chance in ends else _NORMAL.inv_cdf(chance) for chance in chances.ravel().tolist()
    ]
    return np.array(found, dtype=np.float64).reshape(chances.shape)
