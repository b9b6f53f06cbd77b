"""Rules by harm and usefulness: rows held to the comparison, words to the rows, marks to the schema."""

from __future__ import annotations

import dataclasses

import pytest

from core.errors import UsageError
from core.figures.rule_comparison import Compared, comparison_figure, comparison_rows
from core.reuse.comparison import compare
from core.reuse.survival import survival
from tests.reuse.rule_samples import drawn

RULES = ("task", "overall", "overall+ladder:5", "task+round:10")
ABOUT = Compared("drawn", 8, "simulated", "computed here")


@pytest.fixture(scope="module")
def comparison():
    return compare(drawn(models=8), RULES, trials=10, budgets=(1, 2, 8, 32), cache=False)


def rows_of(comparison, about=ABOUT, tolerance=1.0):
    return comparison_rows(comparison, [survival(one.study, tolerance) for one in comparison.results], about)


def test_rows_are_the_comparisons(comparison):
    rows = rows_of(comparison)
    at = {row["feedback"]: row for row in comparison.rows() if row["new_submissions"] == 8}
    assert rows["feedback"].tolist() == list(RULES)
    assert rows["letter"].tolist() == ["A", "B", "C", "D"]
    for row in rows.to_dict("records"):
        own = at[row["feedback"]]
        assert row["model_selection_loss_pp"] == own["model_selection_loss_pp"]
        assert row["pairs_kept"] == pytest.approx(100 * own["pairs_kept"])
        assert row["released_scores"] == own["released_scores"]
        assert row["pairs_kept_low"] <= row["pairs_kept"] <= row["pairs_kept_high"]
    with pytest.raises(UsageError, match=r"Budget 5 was not tested. Valid: 1, 2, 8, 32"):
        rows_of(comparison, dataclasses.replace(ABOUT, budget=5))


def test_more_tolerance_survives_longer(comparison):
    lives = [
        rows_of(comparison, tolerance=one)["survives_submissions"].fillna(10**6) for one in (0.0, 1.0, 5.0)
    ]
    assert (lives[0] <= lives[1]).all()
    assert (lives[1] <= lives[2]).all()


def test_words_name_the_least_and_the_most_harm(comparison):
    rows = rows_of(comparison)
    figure = comparison_figure(rows, ABOUT)
    safest = rows.nsmallest(1, "model_selection_loss_pp").iloc[0]
    assert (
        f"the rule {safest['feedback']} loses {safest['model_selection_loss_pp']:.2f} pp".replace("-", "−")
        in figure.title
    )
    assert all(rule in figure.alt for rule in RULES)
    assert "Simulated." in figure.subtitle
    assert "withheld counts as not ordered" in figure.notices[0]
    changed = rows.copy()
    changed.loc[2, "model_selection_loss_pp"] = -7.0
    assert "the rule overall+ladder:5 loses −7.00 pp" in comparison_figure(changed, ABOUT).title


def test_the_figure_is_valid_in_every_mode(comparison, assert_valid_spec):
    figure = comparison_figure(rows_of(comparison), ABOUT)
    for mode in ("light", "dark", "print"):
        assert_valid_spec(figure.in_mode(mode).themed_spec)


def test_one_rule_is_enough(comparison, assert_valid_spec):
    rows = rows_of(comparison).head(1)
    figure = comparison_figure(rows, ABOUT)
    assert ";" not in figure.title
    assert_valid_spec(figure.themed_spec)


def test_nothing_to_draw_is_a_sentence(comparison):
    rows = rows_of(comparison)
    rows["pairs_kept"] = float("nan")
    with pytest.raises(UsageError, match="No rule can be drawn"):
        comparison_figure(rows, ABOUT)
