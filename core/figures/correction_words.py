"""What a correction brings, as sentences that are right whatever the numbers are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from core.figures.wording import number

if TYPE_CHECKING:
    import pandas as pd


def effect(naive: float, ipw: float, items: str) -> str:
    """Return what IPW with some calibration items does to the error of the observed score.

    Parameters
    ----------
    naive, ipw
        Root mean square errors, pp. Errors that read alike with one decimal count as equal.
    items
        The calibration items in the plural, as the sentence opens.

    Examples
    --------
    >>> effect(13.30, 4.26, "100 items of known status")
    "100 items of known status bring the score's error from 13.3 to 4.3 pp with IPW"
    >>> effect(0.82, 0.80, "100 items of known status")
    '100 items of known status bring nothing here: the error is 0.8 pp, with IPW and without'
    >>> effect(0.8, 2.0, "All items of known status")
    'All items of known status do not help here: IPW errs by 2.0 pp, the observed score by 0.8'
    """
    before, after = number(naive), number(ipw)
    if before == after:
        return f"{items} bring nothing here: the error is {before} pp, with IPW and without"
    if ipw < naive:
        return f"{items} bring the score's error from {before} to {after} pp with IPW"
    return f"{items} do not help here: IPW errs by {after} pp, the observed score by {before}"


def sizes_title(table: pd.DataFrame, mark: int) -> str:
    """Return the sentence over the errors by calibration size.

    Parameters
    ----------
    table
        Frame of `core.contamination.pool_correction.calibration_sizes`.
    mark
        The size to talk about, one of the table's.

    Notes
    -----
    A table without imputation is spoken of as far as it goes.
    """
    last = int(table["size"].max())
    at, end = (table[table["size"] == size].set_index("estimator")["rmse_pp"] for size in (mark, last))
    opening = effect(at["naive"], at["ipw"], f"{mark:,} calibration items")
    if "imputation" not in at:
        return opening
    here, there = number(at["imputation"]), number(end["imputation"])
    if mark == last:
        return f"{opening}; imputation errs by {here} pp"
    path = f"{here} pp at {mark:,}, {there} at {last:,}"
    if here == there:
        return f"{opening}; more hardly change imputation: {path}"
    if at["imputation"] > at["ipw"] and end["imputation"] < at["imputation"]:
        if number(end["imputation"]) != number(end["naive"]) and end["imputation"] < end["naive"]:
            return f"{opening}; imputation needs more: {path}"
        return f"{opening}; imputation does not beat the observed score even with more: {path}"
    return f"{opening}; imputation errs by {path}"
