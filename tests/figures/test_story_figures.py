"""The figures of one trial and of the score gap: words from the data, valid specifications, complete exports."""

from __future__ import annotations

import json
import re
from fractions import Fraction
from html import unescape

import numpy as np
import pytest

from core import published
from core.benchmark.catalogue import load
from core.errors import UsageError
from core.figures.comparisons import pools_figure, rules_figure, static_figure
from core.figures.export import to_csv, to_json, to_svg
from core.figures.history import history_figure
from core.figures.one_trial import Profiles, pairs_figure, profile_figure
from core.figures.outcome import outcome_figure
from core.figures.player import FRAME, Player
from core.figures.score_gap import gap_figure, increase_figure, published_baseline, study_baseline
from core.figures.series import published_series
from core.figures.vote import vote_figure
from core.figures.weights import WeightRow, weights_figure
from core.reuse.vote import Vote
from core.reuse.walkthrough import Standing, walk
from core.worked_example import prompt_vote, reference_pp, released_weights, scenario_of

LINK = "http://localhost:8501/one_trial?v=1"


@pytest.fixture(scope="module")
def found():
    return walk(load("swe_verified_38"), 1, 16)


@pytest.fixture(scope="module")
def example():
    return published.helm_lite_trial165()


@pytest.fixture(scope="module")
def vote(example):
    return prompt_vote(example, example.prompt.scenario, example.prompt.prompt_hash)


def weight_rows(example, *names):
    return [
        WeightRow(name, reference_pp(scenario), scenario.candidates_pp, released_weights(scenario))
        for name in names
        for scenario in [scenario_of(example, name)]
    ]


def standings(example):
    return [
        Standing(one.label, one.model, one.reused_pp, one.heldout_pp, one.reused_rank, one.heldout_rank)
        for one in example.scored
    ]


@pytest.fixture(scope="module")
def figures(found, example, vote):
    names = {model: model for model in found.models}
    gaps = published_series("score_gap_pp")
    one = gaps[gaps["benchmark"] == "terminal_science"]
    return {
        "profiles": profile_figure(
            Profiles(("x", "y"), (50.0, 60.0), (55.0, 58.0), "One", "Two"),
            label="published",
            source="S",
            where="W",
        ),
        "pairs": pairs_figure(found.pairs, names=names, source="S", where="W"),
        "weights": weights_figure(
            weight_rows(example, "mmlu", "legalbench"), 1, label="published", source="S", where="W"
        ),
        "vote": vote_figure(vote, 31, prompt="A prompt", source="S", where="W"),
        "outcome": outcome_figure(standings(example), {}, label="published", source="S", where="W", pool=15),
        "gaps": gap_figure(gaps, published_baseline(), 128),
        "one gap": gap_figure(one, published_baseline(), 128),
        "increase": increase_figure(128),
        "history": history_figure(
            found.history, len(found.history.names), names=names, source="S", where="W"
        ),
        "static": static_figure(),
        "pools": pools_figure(),
        "rules": rules_figure(),
    }


NAMES = (
    "profiles",
    "pairs",
    "weights",
    "vote",
    "outcome",
    "gaps",
    "one gap",
    "increase",
    "history",
    "static",
    "pools",
    "rules",
)


@pytest.mark.parametrize("name", NAMES)
def test_a_specification_is_valid(figures, name, assert_valid_spec):
    figure = figures[name]
    for part in (figure, *figure.panels):
        assert_valid_spec(part.themed_spec)


@pytest.mark.parametrize("name", NAMES)
def test_words_and_data_belong_together(figures, name):
    figure = figures[name]
    assert figure.alt.startswith(figure.title)
    assert len(figure.alt) > 80
    assert not re.search(
        r"\bnan\b|None|\binf\b|not available", f"{figure.title} {figure.alt} {' '.join(figure.notices)}"
    )
    assert set(figure.data["label"]) <= {"published", "recomputed"}
    assert figure.data["label"].nunique() == 1
    assert str(figure.data["label"].iloc[0]) in figure.subtitle.lower()


@pytest.mark.parametrize("name", NAMES)
def test_files_hold_text_data_source_and_link(figures, name):
    figure = figures[name]
    svg = " ".join(
        unescape(text)
        for text in re.findall(r"<text[^>]*>(.*?)</text>", to_svg(figure, link=LINK), re.DOTALL)
    )
    words = svg.replace("\u00a0", " ")
    for word in figure.title.split():
        assert word in words
    assert f"Source: {figure.source.split()[0]}" in words
    assert LINK in words
    assert len(to_csv(figure, link=LINK).splitlines()) == len(figure.data) + 1
    assert json.loads(to_json(figure, link=LINK))["description"] == figure.alt


def test_the_profile_title_is_the_mean_gap(figures):
    assert "3.50 points apart per scenario" in figures["profiles"].title
    assert "Widest on x (5.0 pp), closest on y (2.0 pp)" in figures["profiles"].alt
    with pytest.raises(UsageError, match="at least one"):
        profile_figure(Profiles((), (), (), "", ""), label="published", source="", where="")


def test_the_outcome_says_what_is_lost(figures):
    assert (
        figures["outcome"].title
        == "The router is first publicly and fifth held out: 74.10 % held out becomes 70.14 %"
    )
    assert "loses 3.95 pp" in figures["outcome"].notices[0]


def test_an_outcome_without_harm_is_said_so():
    rows = [
        Standing("No attack", "m", 60.0, 59.0, 1, 1),
        Standing("Chosen", "m", 60.0, 59.0, 1, 1),
        Standing("Final router", "router", 58.0, 57.0, 2, 2),
    ]
    figure = outcome_figure(rows, {"m": "M"}, label="recomputed", source="S", where="W", pool=2)
    assert figure.title == "The choice stays M, first held out"
    assert "loses nothing" in figure.notices[0]
    with pytest.raises(UsageError, match="needs the choice"):
        outcome_figure(rows[:1], {}, label="recomputed", source="S", where="W", pool=2)


def test_an_outcome_may_lead_to_another_genuine_model():
    rows = [
        Standing("No attack", "m", 60.0, 59.0, 2, 2),
        Standing("Chosen", "n", 61.0, 60.0, 1, 1),
        Standing("Final router", "router", 58.0, 57.0, 3, 3),
    ]
    figure = outcome_figure(rows, {"n": "N"}, label="recomputed", source="S", where="W", pool=3)
    assert figure.title.startswith("The choice moves to N, first held out")
    assert "gains 1.00 pp" in figure.notices[0]


def test_the_vote_s_words_follow_the_count(vote):
    def at(counted):
        return vote_figure(vote, counted, prompt="P", source="S", where="W")

    assert at(31).title == "31 weighted coin flips pick model A for this prompt: +2.20 pp"
    assert "at routers 14, 26 and 29" in at(31).notices[0]
    assert "Unweighted, the same flips would have picked model B" in " ".join(at(31).notices)
    assert at(1).title.startswith("After one of 31 weighted coin flips, ")
    assert at(8).title == "After eight of 31 weighted coin flips, the vote stands at −3.59 pp, for model B"
    assert at(8).notices[0] == "The sum never crosses zero."
    assert at(8).data["counted"].sum() == 8
    for counted in (0, 32):
        with pytest.raises(UsageError, match="Between 1 and 31"):
            at(counted)


def test_every_bar_starts_where_the_last_one_ended(figures):
    data = figures["vote"].data
    assert np.allclose(data["adds_pp"].cumsum(), data["running_vote_pp"])
    rows = figures["vote"].spec["data"]["values"]
    assert [row["start"] for row in rows[1:]] == [row["end"] for row in rows[:-1]]
    assert rows[0]["start"] == 0


def test_a_tie_is_called_one():
    tie = Vote("p", (1, -1), (Fraction(1, 9), Fraction(1, 9)), False)
    figure = vote_figure(tie, 2, prompt="P", source="S", where="W")
    assert "cancel out exactly; the tie router picks model B" in figure.title


def test_moving_figures_are_the_still_ones_with_a_frame(vote, example, found):
    moving = vote_figure(vote, Player("Counted", 1, 31, 8), prompt="P", source="S", where="W")
    still = vote_figure(vote, 8, prompt="P", source="S", where="W")
    assert moving.title == still.title
    assert [parameter["name"] for parameter in moving.spec["params"]] == [FRAME, "playing"]
    assert "params" not in still.spec
    assert json.dumps(moving.themed_spec["layer"]).replace(f"<= {FRAME}", "<= 8").replace(
        f"== {FRAME}", "== 8"
    ) == json.dumps(still.themed_spec["layer"])
    rows = weight_rows(example, "mmlu")
    assert (
        "params" in weights_figure(rows, Player("R", 1, 31, 2), label="published", source="S", where="W").spec
    )
    total = len(found.history.names)
    assert (
        "params"
        in history_figure(found.history, Player("E", 1, total, 2), names={}, source="S", where="W").spec
    )


def test_weights_say_the_number_on_the_page(example):
    figure = weights_figure(weight_rows(example, "legalbench"), 1, label="published", source="S", where="W")
    assert figure.title == "Random router 1 weighs −1.43 pp on legalbench"
    assert figure.data["shown"].sum() == 1
    many = weights_figure(
        weight_rows(example, *[s.name for s in example.scenarios]),
        3,
        label="published",
        source="S",
        where="W",
    )
    assert re.match(r"Random router 3 beats the reference line on \w+ of ten scenarios", many.title)
    with pytest.raises(UsageError, match="1 to 31"):
        weights_figure(weight_rows(example, "mmlu"), 32, label="published", source="S", where="W")
    with pytest.raises(UsageError, match="Choose at least one"):
        weights_figure([], 1, label="published", source="S", where="W")


def test_all_pairs_are_drawn_and_one_is_chosen(figures, found):
    data = figures["pairs"].data
    assert len(data) == len(found.models) * (len(found.models) - 1) // 2
    assert data["chosen"].sum() == 1
    with pytest.raises(UsageError, match="no pair of models"):
        pairs_figure([], names={}, source="", where="")


def test_gap_titles_follow_the_budget():
    rows, baseline = published_series("score_gap_pp"), published_baseline()
    summary = published.terminal_science_summary().frame.set_index("new_submissions")
    one = rows[rows["benchmark"] == "terminal_science"]
    for budget in (2, 128, 2048):
        gap, base = (float(summary.loc[budget, f"{name}_mean_pp"]) for name in ("score_gap", "genuine_gap"))
        title = gap_figure(one, baseline, budget).title
        assert f"is {gap:.1f} pp on Terminal-Bench-Science, {gap - base:.1f} more" in title
    assert len(gap_figure(rows, baseline, 16).panels) == 6
    with pytest.raises(UsageError, match="was not tested"):
        gap_figure(rows, baseline, 3)
    with pytest.raises(UsageError, match="Choose at least one"):
        gap_figure(rows[:0], baseline, 128)
    with pytest.raises(UsageError, match="one label"):
        gap_figure(rows.assign(measure="rank_drop"), baseline, 128)


def test_the_published_baseline_does_not_depend_on_the_budget():
    frame = published.score_gap().frame
    spread = frame[frame["new_submissions"] > 1].groupby("benchmark")["preload_mean_pp"].agg(np.ptp)
    assert spread.max() < 1e-9


def test_a_study_has_a_baseline_too():
    summary = published.terminal_science_summary().frame.rename(
        columns=lambda name: name.replace("genuine_gap_mean_pp", "genuine_gap_pp")
    )
    row = study_baseline(summary, "terminal_science").iloc[0]
    expected = published_baseline().set_index("benchmark").loc["terminal_science"]
    assert row["value"] == expected["value"]


def test_the_increase_counts_what_the_table_calls_significant():
    table = published.score_comparison().frame
    at_two = table[table["new_submissions"] == 2]
    sure = at_two[at_two["significant_increase"].astype(bool)]
    words = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
    assert f"on {words[len(sure)]} of five benchmarks" in increase_figure(2).title
    assert "on all five benchmarks" in increase_figure(2048).title
    for budget in (1, 3):
        with pytest.raises(UsageError, match="outside the test"):
            increase_figure(budget)
    with pytest.raises(UsageError, match="part of the test"):
        increase_figure(128, ("terminal_science",))


def test_gap_and_loss_part_ways_on_helm_capabilities(figures):
    assert figures["pools"].title.endswith(
        "the wider score gap goes with the smaller loss, 1.02 against 7.51 pp"
    )
    assert "not within 2,048 submissions with a pair from the full frontier" in figures["pools"].notices[0]


def test_practical_rules_end_alike(figures):
    assert "4.0 to 4.8 pp are lost at 128 submissions" in figures["rules"].title
    assert (
        "4.48 pp with 18 task scores, 4.84 pp with 6 category scores and 4.03 pp with 1 overall score"
        in figures["rules"].notices[0]
    )


def test_a_history_s_words_follow_the_position(found):
    history, models = found.history, len(found.models)

    def at(position):
        return history_figure(history, position, names={}, source="S", where="W")

    assert (
        at(models).title == f"After {models} genuine models the score gap is {history.genuine_gap_pp:.2f} pp"
    )
    grown = at(len(history.names))
    assert f"{history.score_gap_pp:.2f} pp" in grown.title
    assert grown.data["submitted"].all()
    assert np.allclose(grown.data["gap_pp"].max(), history.score_gap_pp)
    with pytest.raises(UsageError, match="A position"):
        at(0)
