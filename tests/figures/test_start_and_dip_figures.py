"""The Start figure, the dip and the comparison say what their rows say."""

from __future__ import annotations

import pytest

from core import published
from core.errors import UsageError
from core.figures.comparison import comparison_figure, largest_difference
from core.figures.dip import dip_figure
from core.figures.export import to_svg
from core.figures.start import choice_figure, choice_table

NAME = "Terminal-Bench-Science"


@pytest.fixture
def table():
    return published.selection_loss().frame


@pytest.fixture
def origin():
    return published.selection_loss().provenance


@pytest.fixture
def summary():
    return published.terminal_science_summary().frame


@pytest.fixture
def curve(loss):
    return loss[loss["benchmark"] == "terminal_science"].reset_index(drop=True)


@pytest.fixture
def ours(curve):
    return curve.assign(label="recomputed", source="computed here")


class TestStart:
    def test_claim_is_counted(self, table, origin):
        found = choice_figure(table, origin)
        assert (
            found.title
            == "After 128 submissions, the public ranking picks a worse model on six benchmarks out of six"
        )

    @pytest.mark.parametrize(
        ("budget", "title"),
        [
            (
                1,
                "With the static control alone, the public ranking picks a worse model on three of six benchmarks and a better one on three",
            ),
            (
                2,
                "After 2 submissions, the public ranking picks a worse model on five of six benchmarks; one is unclear",
            ),
        ],
    )
    def test_claim_follows_the_budget(self, table, origin, budget, title):
        assert choice_figure(table, origin, budget).title == title

    def test_claim_follows_the_data(self, table, origin):
        here = (table["benchmark"] == "livebench") & (table["new_submissions"] == 128)
        table.loc[
            here, ["model_selection_loss_pp", "model_selection_loss_pp_low", "model_selection_loss_pp_high"]
        ] = [-1, -2, -0.5]
        table.loc[here, "selected_shortfall_pp"] = table.loc[here, "no_attack_shortfall_pp"] - 1
        found = choice_figure(table, origin)
        assert found.title == (
            "After 128 submissions, the public ranking picks a worse model on five of six benchmarks and a better one on LiveBench"
        )
        assert (
            "LiveBench: 0.5 pp below the best model without the submissions, −0.5 pp with them (loss −1.0 pp"
            in found.alt
        )

    def test_nothing_clear(self, table, origin):
        table["model_selection_loss_pp_low"] = -1.0
        assert choice_figure(table, origin).title.endswith(
            "picks no clearly worse model on any of six benchmarks"
        )

    def test_one_benchmark(self, table, origin):
        one = table[table["benchmark"] == "helm_lite"]
        assert (
            choice_figure(one, origin).title
            == "After 128 submissions, the public ranking picks a worse model on HELM Lite"
        )

    def test_rows_are_sorted_and_complete(self, table):
        rows = choice_table(table, 128)
        assert rows["loss"].is_monotonic_decreasing
        assert len(rows) == 6
        assert (rows["after"] - rows["before"] - rows["loss"]).abs().max() < 1e-9

    def test_is_valid_and_named(self, table, origin, assert_valid_spec):
        found = choice_figure(table, origin, compact=True)
        assert_valid_spec(found.themed_spec)
        assert set(found.data["label"]) == {"published"}
        assert "HELM Lite" in to_svg(found)

    @pytest.mark.parametrize("budget", [0, 100, -1])
    def test_untested_budget(self, table, origin, budget):
        with pytest.raises(UsageError, match=f"Budget {budget} was not tested. Valid: 1, 2, 4"):
            choice_table(table, budget)


class TestDip:
    def figure(self, summary):
        return dip_figure(summary, NAME, published.terminal_science_summary().provenance)

    def test_title_is_computed(self, summary):
        assert self.figure(summary).title == (
            f"From 32 to 1,024 submissions the loss on {NAME} falls by 5.3 points, while the winner's public score rises by 0.4"
        )

    def test_sentences_are_computed(self, summary):
        text = " ".join(self.figure(summary).notices)
        assert (
            "The loss is 4.7 pp (4.0 to 5.4) at 32 submissions and −0.6 pp (interval −1.3 to 0.2: not clear of zero)"
            in text
        )
        assert "From 32 submissions on the final router leads the public ranking in every split" in text
        assert "From 256 submissions on the public score no longer changes (78.68 %)" in text
        assert "its held-out score from 61.14 to 66.41 %" in text
        assert "from 98 to 51 %" in text

    def test_words_follow_the_data(self, summary):
        summary.loc[summary["new_submissions"] == 1024, "model_selection_loss_pp"] = 4.0
        found = self.figure(summary)
        assert found.title.startswith("From 32 to 2,048 submissions the loss")
        assert "falls by 4.5 points" in found.title

    def test_curve_that_only_rises(self, summary):
        summary["model_selection_loss_pp"] = summary["new_submissions"].rank()
        assert (
            self.figure(summary).title
            == f"On {NAME} the loss does not fall: it is highest at 2,048 submissions"
        )

    def test_router_that_is_never_always_chosen(self, summary):
        summary["selected_router"] = 0.5
        assert "in every split" not in " ".join(self.figure(summary).notices)

    def test_study_columns_are_read_as_well(self, summary):
        study = summary.rename(
            columns=lambda name: name.replace("_s_pp", "_reused_pp").replace("_t_pp", "_heldout_pp")
        )
        assert self.figure(study).title == self.figure(summary).title

    def test_is_valid(self, summary, assert_valid_spec):
        found = self.figure(summary)
        assert_valid_spec(found.themed_spec)
        assert found.alt.startswith(found.title)
        assert len(found.data) == 11

    def test_too_few_budgets(self, summary):
        with pytest.raises(UsageError, match="at least two budgets"):
            self.figure(summary[summary["new_submissions"] <= 2])


class TestComparison:
    def test_agreement_is_said(self, curve, ours):
        found = comparison_figure(curve, ours, "same study")
        assert found.title == f"Recomputed here, {NAME} repeats its published curve"
        assert found.notices[0].startswith(
            "The largest difference from the published curve is less than 0.000000001 points"
        )

    def test_disagreement_is_measured(self, curve, ours):
        ours.loc[ours["new_submissions"] == 64, "value"] += 0.4
        found = comparison_figure(curve, ours, "same study")
        assert found.title == f"Recomputed here, {NAME} differs from its published curve by up to 0.4 points"
        assert "0.4 points (at 64 submissions, over 12 shared budgets)" in found.notices[0]
        assert "0.4 points" in found.alt

    @pytest.mark.parametrize(
        ("relation", "words"),
        [("other seeds", "other random routers"), ("other pool", "another pool of models")],
    )
    def test_what_need_not_agree_is_not_called_a_difference(self, curve, ours, relation, words):
        ours["value"] += 1
        found = comparison_figure(curve, ours, relation)
        assert found.title == f"At 128 submissions the ranking has cost 4.0 points on {NAME}"
        assert words in found.notices[0]

    def test_labels_never_share_a_mark(self, curve, ours):
        found = comparison_figure(curve, ours, "same study")
        labels = [
            {
                row.get("label")
                for row in (layer.get("data") or found.spec["data"])["values"]
                if "label" in row
            }
            for layer in found.spec["layer"]
        ]
        assert all(len(marks) <= 1 for marks in labels)
        assert {"published"} in labels
        assert {"recomputed"} in labels
        assert set(found.data["label"]) == {"published", "recomputed"}

    def test_both_are_named_at_their_ends(self, curve, ours):
        svg = to_svg(comparison_figure(curve, ours, "same study"))
        assert ">published<" in svg
        assert ">recomputed<" in svg

    def test_is_valid(self, curve, ours, assert_valid_spec):
        assert_valid_spec(comparison_figure(curve, ours, "other seeds", compact=True).themed_spec)

    def test_largest_difference_skips_what_is_missing(self, curve, ours):
        assert largest_difference(curve, ours[ours["new_submissions"] > 5000]) is None
        ours.loc[0, "value"] = float("nan")
        ours.loc[1, "value"] += 2
        assert largest_difference(curve, ours) == (pytest.approx(2), 2)

    def test_no_shared_budget(self, curve, ours):
        ours["new_submissions"] += 5000
        assert "no budget was both" in comparison_figure(curve, ours, "same study").title

    def test_refusals(self, curve, ours, loss):
        with pytest.raises(UsageError, match="exactly one published and one recomputed"):
            comparison_figure(loss, ours, "same study")
        with pytest.raises(UsageError, match="exactly one published"):
            comparison_figure(curve, ours.head(0), "same study")
        with pytest.raises(UsageError, match="one measure"):
            comparison_figure(curve, ours.assign(measure="rank_drop"), "same study")
