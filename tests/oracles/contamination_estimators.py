"""Plain loops over items: the slow twins of core.contamination's estimators."""

import math


def naive(y):
    return sum(y) / len(y)


def ipw(y, d):
    weight = sum(1 - di for di in d)
    return sum((1 - di) * yi for yi, di in zip(y, d, strict=True)) / weight if weight > 0 else None


def ipw_hard(y, d):
    kept = [yi for yi, di in zip(y, d, strict=True) if di < 0.5]
    return sum(kept) / len(kept) if kept else None


def impute(c):
    return sum(c) / len(c)


def combine(y, d, c):
    return sum(di * ci + (1 - di) * yi for yi, di, ci in zip(y, d, c, strict=True)) / len(y)


def control_variate(y, d, c):
    weight = sum(1 - di for di in d)
    if weight <= 0:
        return None
    return sum(c) / len(c) + sum((1 - di) * (yi - ci) for yi, di, ci in zip(y, d, c, strict=True)) / weight


def epg(y, score, thresholds):
    """Return the estimate given the thresholds, from the largest to the smallest."""
    n, whole = len(y), sum(y) / len(y)
    sd = math.sqrt(sum((yi - whole) ** 2 for yi in y) / n)
    best, estimate = 0.0, whole
    for threshold in thresholds:
        clean = [yi for yi, si in zip(y, score, strict=True) if si <= threshold]
        if len(clean) < 0.1 * n or sd == 0 or len(clean) == n:
            continue
        z = (whole - sum(clean) / len(clean)) / (sd / math.sqrt(len(clean)))
        if z > best + 1e-12:
            best, estimate = z, sum(clean) / len(clean)
    return estimate
