"""The Terminal-Bench-Science study repeated with other sets of random routers: how much of a curve is the luck of one set.

All trials of a study share one set of routers (candidate j of every trial is the same coin flips), so averaging over trials and
resampling them keep that set's luck. The shipped table repeats the study with 40 other sets, splits unchanged; it is
made by ``tools/make_router_draws.py`` and labelled recomputed.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from core.errors import DataError
from core.provenance import read_shipped
from core.published_table import PublishedTable

if TYPE_CHECKING:
    import pandas as pd

FILE: Final = "recomputed/terminal_science_router_draws.csv"
SOURCE: Final = "computed by this project from the published item scores, tools/make_router_draws.py"
COLUMNS: Final = (
    "draw",
    "routing_seed",
    "new_submissions",
    "eligible_trials",
    "model_selection_loss_pp",
    "router_reused_pp",
    "router_heldout_pp",
    "false_winner",
)


@lru_cache(maxsize=1)
def router_draws() -> PublishedTable:
    """Return the repeated study.

    Returns
    -------
    PublishedTable
        492 rows with the columns of `COLUMNS`, one per `draw` (0 = the published set of routers, 1 to 40 = others) and
        `new_submissions` (1 to 2,048); provenance labelled ``recomputed``.

    Raises
    ------
    DataError
        If the file is missing, altered or not the table it should be.
    """
    import pandas as pd

    content, provenance = read_shipped(FILE, SOURCE, "recomputed")
    frame = pd.read_csv(io.BytesIO(content))
    missing = [name for name in COLUMNS if name not in frame.columns]
    if missing:
        raise DataError(
            f"The shipped file data/{FILE} lacks the column '{missing[0]}'. Restore it from the repository."
        )
    return PublishedTable(provenance, frame)


@dataclass(frozen=True, slots=True)
class DrawSummary:
    """The loss at one budget over the other sets of routers.

    Parameters
    ----------
    budget
        Submissions.
    draws
        Number of other sets.
    mean, lowest, highest
        Their mean loss, in pp: average, smallest, largest.
    published
        The loss with the published set, in pp.
    higher
        Sets with a larger loss than the published one.
    """

    budget: int
    draws: int
    mean: float
    lowest: float
    highest: float
    published: float
    higher: int


def draw_summaries(frame: pd.DataFrame) -> list[DrawSummary]:
    """Summarise the repeated study per budget.

    Parameters
    ----------
    frame
        The frame of `router_draws`.

    Raises
    ------
    DataError
        If the published set (draw 0) or every other set is missing.
    """
    found = []
    for budget, rows in frame.groupby("new_submissions", sort=True):
        own = rows.loc[rows["draw"] == 0, "model_selection_loss_pp"].tolist()
        others = rows.loc[rows["draw"] > 0, "model_selection_loss_pp"].tolist()
        if len(own) != 1 or not others:
            raise DataError(f"Budget {budget} needs one published set of routers and at least one other.")
        found.append(
            DrawSummary(
                budget=int(str(budget)),
                draws=len(others),
                mean=sum(others) / len(others),
                lowest=min(others),
                highest=max(others),
                published=own[0],
                higher=sum(loss > own[0] for loss in others),
            )
        )
    return found
