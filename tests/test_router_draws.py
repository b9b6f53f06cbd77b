"""The shipped repetition of the study starts from the published one, and its words are computed."""

from __future__ import annotations

import numpy as np
import pytest

from core import published
from core.errors import DataError, UsageError
from core.figures.draws import draws_figure
from core.router_draws import COLUMNS, draw_summaries, router_draws

NAME = "Terminal-Bench-Science"


@pytest.fixture
def table():
    return router_draws().frame


def test_published_set_repeats_the_published_summary(table):
    own = table[table["draw"] == 0].set_index("new_submissions")
    other = published.terminal_science_summary().frame.set_index("new_submissions").loc[own.index]
    pairs = {"router_reused_pp": "router_s_pp", "router_heldout_pp": "router_t_pp"}
    for name in ("model_selection_loss_pp", "router_reused_pp", "router_heldout_pp", "false_winner"):
        np.testing.assert_allclose(own[name], other[pairs.get(name, name)], rtol=0, atol=1e-9)
    assert (own["eligible_trials"] == other["eligible_trials"]).all()


def test_table_is_complete(table):
    assert tuple(table.columns) == COLUMNS
    assert len(table) == 41 * 12
    assert table.groupby("draw")["routing_seed"].nunique().eq(1).all()
    assert table["routing_seed"].nunique() == 41
    assert router_draws().provenance.label == "recomputed"


def test_static_control_does_not_depend_on_the_routers(table):
    static = table[table["new_submissions"] == 1]
    assert static["model_selection_loss_pp"].nunique() == 1


def test_all_sets_reach_the_same_public_score(table):
    """The public score saturates whatever the routers; only the held-out score is left to them."""
    late = table[table["new_submissions"] == 2048]
    assert late["router_reused_pp"].max() - late["router_reused_pp"].min() < 0.01
    assert late["router_heldout_pp"].max() - late["router_heldout_pp"].min() > 1


def test_summaries_are_those_of_the_rows(table):
    (found,) = [summary for summary in draw_summaries(table) if summary.budget == 64]
    rows = table[table["new_submissions"] == 64].set_index("draw")["model_selection_loss_pp"]
    others = rows.drop(0)
    assert found.mean == pytest.approx(others.mean())
    assert (found.lowest, found.highest, found.published) == (others.min(), others.max(), rows[0])
    assert found.higher == (others > rows[0]).sum()


def test_words_follow_the_data(table, assert_valid_vega):
    origin = router_draws().provenance
    before = draws_figure(table, NAME, origin)
    assert (
        before.title
        == "With 40 other sets of random routers the loss at 1,024 submissions runs from −2.4 to 4.9 points"
    )
    table["model_selection_loss_pp"] += 1
    after = draws_figure(table, NAME, origin)
    assert after.title.endswith("from −1.4 to 5.9 points")
    assert after.alt != before.alt
    assert_valid_vega(after.themed_spec)


def test_words_follow_the_budget(table):
    found = draws_figure(table, NAME, router_draws().provenance, budget=32)
    assert "gives 4.7 pp at 32 submissions" in found.notices[0]
    assert "two of them more" in found.notices[0]


def test_refusals(table):
    with pytest.raises(UsageError, match=r"Budget 3 was not tested. Valid: 2, 4"):
        draws_figure(table, NAME, router_draws().provenance, budget=3)
    with pytest.raises(DataError, match="needs one published set"):
        draw_summaries(table[table["draw"] > 0])


@pytest.fixture
def assert_valid_vega():
    import altair as alt
    import jsonschema

    def check(spec):
        jsonschema.Draft7Validator(alt.load_schema()).validate(spec)

    return check
