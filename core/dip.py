"""Where a loss curve is highest and where it has fallen most since: what a study's summary says about its dip."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import pandas as pd

_STILL_PP: Final = 0.005
"""Public scores within this distance of one another show the same two decimals."""


@dataclass(frozen=True, slots=True)
class Dip:
    """Places in a summary's rows, which are in rising order of budgets.

    Parameters
    ----------
    top
        The row with the largest loss, the first of them.
    bottom
        The row with the smallest loss from there on; `top` itself if the loss never falls below it.
    router_leads_from
        The row from which on the final router leads the public ranking in every split, or None.
    still_from
        The row from which on the chosen model's public score no longer changes, or None where that is only the last row.
    """

    top: int
    bottom: int
    router_leads_from: int | None
    still_from: int | None


def dip_of(summary: pd.DataFrame) -> Dip:
    """Return the places of the dip.

    Parameters
    ----------
    summary
        At least one row per budget, in rising order, with ``model_selection_loss_pp``, ``selected_router`` and
        ``selected_reused_pp``.

    Examples
    --------
    >>> import pandas as pd
    >>> columns = ["model_selection_loss_pp", "selected_router", "selected_reused_pp"]
    >>> dip_of(pd.DataFrame([[1, 0, 50], [3, 0.5, 52], [2, 1, 54], [2.5, 1, 54]], columns=columns))
    Dip(top=1, bottom=2, router_leads_from=2, still_from=2)
    """
    loss = summary["model_selection_loss_pp"].tolist()
    router = summary["selected_router"].tolist()
    public = summary["selected_reused_pp"].tolist()
    places = range(len(loss))
    top = max(places, key=lambda place: loss[place])
    still = next(place for place in places if max(public[place:]) - min(public[place:]) < _STILL_PP)
    return Dip(
        top=top,
        bottom=min(places[top:], key=lambda place: loss[place]),
        router_leads_from=next((place for place in places if min(router[place:]) == 1), None),
        still_from=still if still < len(public) - 1 else None,
    )
