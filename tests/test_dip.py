"""Where a loss curve's dip lies, against a search over all rows."""

from __future__ import annotations

import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from core.dip import dip_of

ROWS = st.lists(
    st.tuples(st.integers(-3, 3), st.sampled_from([0.0, 0.5, 1.0]), st.sampled_from([50.0, 50.001, 51.0])),
    min_size=1,
    max_size=8,
)


@given(ROWS)
def test_places_are_those_of_a_plain_search(rows):
    found = dip_of(
        pd.DataFrame(rows, columns=["model_selection_loss_pp", "selected_router", "selected_reused_pp"])
    )
    loss, router, public = zip(*rows, strict=True)
    last = len(rows) - 1
    assert all(loss[found.top] >= value for value in loss)
    assert found.top == loss.index(max(loss))
    assert found.bottom >= found.top
    assert loss[found.bottom] == min(loss[found.top :])
    leading = [place for place in range(len(rows)) if set(router[place:]) == {1.0}]
    assert found.router_leads_from == (leading[0] if leading else None)
    still = [place for place in range(last) if max(public[place:]) - min(public[place:]) < 0.005]
    assert found.still_from == (still[0] if still else None)
