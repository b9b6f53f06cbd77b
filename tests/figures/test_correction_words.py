"""Sentences on what a correction brings: gains, nothing, harm, and what imputation needs."""

from __future__ import annotations

import pandas as pd

from core.figures.correction_words import effect, sizes_title


def table(naive, ipw, imputation):
    return pd.DataFrame(
        [
            {"size": size, "estimator": name, "rmse_pp": value}
            for name, values in (("naive", naive), ("ipw", ipw), ("imputation", imputation))
            for size, value in zip((10, 1000), values, strict=True)
        ]
    )


def test_errors_that_read_alike_bring_nothing():
    assert "bring nothing here: the error is 0.8 pp" in effect(0.84, 0.76, "10 items")
    assert "do not help" in effect(0.8, 0.9, "10 items")
    assert "from 9.0 to 3.0 pp" in effect(9, 3, "10 items")


def test_imputation_needs_more_only_where_more_helps():
    assert sizes_title(table((13, 13), (8, 4), (20, 3)), 10).endswith(
        "imputation needs more: 20.0 pp at 10, 3.0 at 1,000"
    )
    assert "does not beat the observed score even with more" in sizes_title(
        table((1, 1), (1, 1), (20, 3)), 10
    )
    assert "more hardly change imputation" in sizes_title(table((9, 9), (2, 2), (5, 5)), 10)
    assert sizes_title(table((13, 13), (8, 4), (20, 3)), 1000).endswith("imputation errs by 3.0 pp")
    assert "needs more" not in sizes_title(table((13, 13), (8, 4), (5, 3)), 10)
