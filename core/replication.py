"""How close a recomputed study comes to a published table, in one number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import DataError

if TYPE_CHECKING:
    from collections.abc import Sequence

    import pandas as pd

COMPARED: Final = ("model_selection_loss_pp", "rank_drop", "false_winner")
TOLERANCE: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Agreement:
    """The largest difference between two tables.

    Parameters
    ----------
    difference
        Largest absolute difference, in the columns' own units.
    column, budget
        Where it stands.
    values
        How many values were compared.
    """

    difference: float
    column: str
    budget: int
    values: int

    @property
    def is_exact(self) -> bool:
        """Whether no value differs by more than 1e-9."""
        return self.difference <= TOLERANCE


def agreement(study: pd.DataFrame, published: pd.DataFrame, measures: Sequence[str] = COMPARED) -> Agreement:
    """Compare a study with a published summary: means and both ends of the intervals, every budget above 0.

    Parameters
    ----------
    study, published
        One row per budget with `new_submissions` and, for every measure, its mean, ``_low`` and ``_high``.
    measures
        Column names without suffix.

    Raises
    ------
    DataError
        If the tables share no budget or a column is missing from one of them.
    """
    columns = [f"{measure}{end}" for measure in measures for end in ("", "_low", "_high")]
    for name, table in (("recomputed", study), ("published", published)):
        missing = [column for column in columns if column not in table.columns]
        if missing:
            raise DataError(f"The {name} table lacks the column '{missing[0]}'.")
    left, right = (table.set_index("new_submissions")[columns].astype(float) for table in (study, published))
    budgets = [budget for budget in left.index.intersection(right.index) if budget > 0]
    if not budgets:
        raise DataError("The recomputed and the published table share no budget.")
    differences = (left.loc[budgets] - right.loc[budgets]).abs().to_numpy()
    row, column = divmod(int(np.nanargmax(differences)), len(columns))
    return Agreement(
        difference=float(differences[row, column]),
        column=columns[column],
        budget=int(budgets[row]),
        values=int(np.isfinite(differences).sum()),
    )
