"""The phase diagram cell by cell and replicate by replicate: the slow twin of core.contamination.phase."""

import numpy as np

from tests.oracles import contamination_estimators as oracle


def errors(draws, a, b):
    """Return every estimator's errors in one cell, a list per estimator."""
    result = {name: [] for name in ("naive", "ipw", "imputation", "combined", "control_variate")}
    draw_of = {}
    for draw, block in enumerate(draws.blocks):
        for replicate in range(block.start, block.stop):
            draw_of[replicate] = draw
    for replicate, items in enumerate(draws.samples):
        draw = draw_of[replicate]
        y = [draws.y[item] for item in items]
        d = [draws.memorization[draw, a, item] for item in items]
        c = [draws.correctness[draw, b, item] for item in items]
        truth = sum(draws.y_clean[item] for item in items) / len(items)
        result["naive"].append(oracle.naive(y) - truth)
        result["ipw"].append(oracle.ipw(y, d) - truth)
        result["imputation"].append(oracle.impute(c) - truth)
        result["combined"].append(oracle.combine(y, d, c) - truth)
        result["control_variate"].append(oracle.control_variate(y, d, c) - truth)
    return result


def cell(draws, a, b, contest):
    """Return MSE per estimator, mean error per estimator, winner, margin and tie of one cell."""
    found = errors(draws, a, b)
    mse = {name: sum(e * e for e in values) / len(values) for name, values in found.items()}
    mean = {name: sum(values) / len(values) for name, values in found.items()}
    ranked = sorted(contest, key=lambda name: mse[name])
    best, second = ranked[:2]
    difference = [x * x - y * y for x, y in zip(found[second], found[best], strict=True)]
    gap = sum(difference) / len(difference)
    error = np.std(difference, ddof=1) / len(difference) ** 0.5
    return mse, mean, best, mse[second] ** 0.5 - mse[best] ** 0.5, bool(gap <= 2 * error)
