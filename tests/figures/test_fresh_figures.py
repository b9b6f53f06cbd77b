"""The figures of the changed facts page say what their rows say."""

from __future__ import annotations

import re
from datetime import date

import pytest

from core.errors import UsageError
from core.figures import fresh_items, fresh_scores
from core.figures.export import to_csv, to_svg
from core.fresh import frames, published
from core.fresh.answers import Answers, answer_all, baseline
from core.fresh.building import BuildSettings, build_items
from core.fresh.facts import Funnel
from core.fresh.sample import DEFAULT_CUTOFF, DEFAULT_UNTIL, load_sample
from core.fresh.scoring import score_items
from core.fresh.times import PartialDate, parse_day

SAMPLE = load_sample()
DAY = date(2022, 6, 30)


def changes(cutoff=DEFAULT_CUTOFF, **settings):
    return frames.changes_frame(SAMPLE, cutoff, DEFAULT_UNTIL, **settings)


def funnel(cutoff=DEFAULT_CUTOFF, **settings):
    return frames.funnel_frame(
        SAMPLE.changed_facts(cutoff, **settings)[1], "All cases", "Changed", "a source"
    )


def timeline(subject="Italy", relation="P6", cutoff=DEFAULT_CUTOFF):
    pair = next(
        pair
        for pair in SAMPLE.statements
        if SAMPLE.entities[pair[0]].label == subject and pair[1] == relation
    )
    return frames.timeline_frame(SAMPLE, pair, cutoff, DEFAULT_UNTIL)


def scores(cutoff=None, answers=None, **settings):
    items = build_items(
        SAMPLE.changed_facts(DEFAULT_CUTOFF)[0],
        SAMPLE,
        BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL, **settings),
    ).items
    answers = answers or answer_all(items, baseline("remembers:2023-06-30"))
    return frames.score_frame(
        score_items(items, answers, cutoff=cutoff, replicates=50), "simulated", "a source"
    )


def results():
    return published.results().frame.assign(label="published", source="a source")


def signal():
    return published.cutoff_signal().frame.assign(label="published", source="a source")


FIGURES = {
    "funnel": lambda: fresh_items.funnel_figure(funnel(), "cases changed"),
    "changes": lambda: fresh_items.changes_figure(changes(), DAY, "30 June 2022"),
    "timeline": lambda: fresh_items.timeline_figure(
        timeline(), "Italy", "head of government", DAY, date(2024, 12, 31)
    ),
    "scores": lambda: fresh_scores.scores_figure(scores(parse_day("2023-06-30", "cutoff")), "A memory"),
    "results": lambda: fresh_scores.results_figure(results(), "generation", "EM", "GPT-4o"),
    "signal": lambda: fresh_scores.signal_figure(signal()),
}


@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_exports_with_its_words(name):
    figure = FIGURES[name]()
    svg = to_svg(figure, link="https://example.org")
    text = re.sub(r"<[^>]+>", " ", svg.decode() if isinstance(svg, bytes) else svg)
    assert figure.title.split()[0] in text
    assert len(figure.alt) > 60
    assert {"label", "source"} <= set(figure.data.columns)
    assert len(to_csv(figure, link="https://example.org")) > 100


@pytest.mark.parametrize("name", FIGURES)
def test_colours_follow_the_mode(name):
    figure = FIGURES[name]()
    panels = figure.panels or (figure,)
    for panel in panels:
        light, dark = (panel.in_mode(mode).themed_spec for mode in ("light", "dark"))
        assert light["config"] != dark["config"]
        assert "Token" not in str(light)


def test_the_funnel_counts():
    figure = FIGURES["funnel"]()
    kept, total = (int(number) for number in re.findall(r"\d+", figure.title)[:2])
    rows = figure.data
    assert (total, kept) == (rows["count"].iloc[0], rows["count"].iloc[-1])
    assert total - rows.loc[rows["kind"] == "dropped", "count"].sum() == kept
    for row in rows[rows["kind"] == "dropped"].itertuples():
        assert row.step in figure.alt
        assert row.why


def test_an_empty_funnel_is_drawn_as_nothing_left():
    figure = fresh_items.funnel_figure(frames.funnel_frame(Funnel(), "All", "Left", "a source"), "cases")
    assert figure.title == "0 of 0 cases"
    with pytest.raises(UsageError, match="nothing to count"):
        fresh_items.funnel_figure(funnel().head(0), "cases")


@pytest.mark.parametrize("cutoff", ["2021-12-31", "2022-12-31", "2024-06-30"])
def test_usable_changes_are_the_facts_of_the_rule(cutoff):
    day = parse_day(cutoff, "cutoff")
    facts, _ = SAMPLE.changed_facts(day, made_up=False)
    rows = changes(day)
    usable = rows[rows["status"] == frames.USABLE]
    assert sorted(zip(usable["subject"], usable["new"], strict=True)) == sorted(
        (fact.subject.label, fact.new.entity.label) for fact in facts
    )
    title = fresh_items.changes_figure(rows, date.fromisoformat(cutoff), "that day").title
    assert title.startswith(f"{len(facts)} change")
    assert not rows["made_up"].any()


def test_a_later_cutoff_moves_changes_to_the_known_ones():
    early, late = changes(parse_day("2022-03-31", "cutoff")), changes(parse_day("2024-03-31", "cutoff"))
    count = [int((rows["status"] == frames.KNOWN).sum()) for rows in (early, late)]
    assert count[0] < count[1]
    assert len(early) == len(late)


def test_replaced_changes_say_so():
    rows = changes()
    replaced = rows[(rows["subject"] == "FC Groningen") & (rows["new"] == "Frank Wormuth")]
    assert list(replaced["why"]) == ["A later change within the window replaces it."]
    assert changes(made_up=True)["made_up"].any()


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (PartialDate(2023), date(2023, 7, 1)),
        (PartialDate(2023, 2), date(2023, 2, 15)),
        (PartialDate(2023, 2, 3), date(2023, 2, 3)),
    ],
)
def test_partly_known_dates_are_drawn_in_their_middle(day, expected):
    assert frames.middle_day(day) == expected


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (PartialDate(2023), date(2023, 12, 31)),
        (PartialDate(2024, 2), date(2024, 2, 29)),
        (PartialDate(2023, 12), date(2023, 12, 31)),
    ],
)
def test_the_last_day_of_a_partly_known_date(day, expected):
    assert frames.last_day(day) == expected


def test_the_timeline_marks_old_and_new():
    rows = timeline("FC Groningen", "P286")
    assert list(rows["role"]) == ["old", "other", "new"]
    assert (
        "Danny Buijs, then Dick Lukkien"
        in fresh_items.timeline_figure(rows, "FC Groningen", "head coach", DAY, DAY).title
    )
    later = timeline("FC Groningen", "P286", parse_day("2024-01-31", "cutoff"))
    assert set(later["role"]) == {"other"}
    assert (
        "no usable change" in fresh_items.timeline_figure(later, "FC Groningen", "head coach", DAY, DAY).title
    )


def test_names_stay_readable_where_the_cutoff_crosses_them():
    """The line is drawn first, then a halo of the page's colour, then the names."""
    layers = fresh_items.timeline_figure(
        timeline("FC Groningen", "P286"), "FC Groningen", "head coach", DAY, DAY
    ).spec["layer"]
    line = next(index for index, layer in enumerate(layers) if layer["mark"]["type"] == "rule")
    names = [
        index
        for index, layer in enumerate(layers)
        if layer["mark"]["type"] == "text" and layer["mark"]["align"] == "left"
    ]
    assert len(names) == 2
    assert line < names[0]
    assert "stroke" in layers[names[0]]["mark"]
    assert "stroke" not in layers[names[1]]["mark"]


def test_facts_without_dates_cannot_be_drawn():
    rows = timeline("Port Vellamo")
    with pytest.raises(UsageError, match="has a date that can be drawn"):
        fresh_items.timeline_figure(rows, "Port Vellamo", "head of government", DAY, DAY)
    with pytest.raises(UsageError, match="no change to draw"):
        fresh_items.changes_figure(changes().head(0), DAY, "")


def test_the_scores_title_follows_the_answers():
    figure = FIGURES["scores"]()
    assert (
        figure.title
        == "A memory: 100.0 % right on changes by that day, 0.0 % on later ones, where 100.0 % are outdated"
    )
    plain = fresh_scores.scores_figure(scores(answers=Answers({})), "Nobody")
    assert plain.title == "Nobody: 0.0 % right, 0.0 % outdated"
    chained = fresh_scores.scores_figure(scores(hops=2), "A memory")
    assert "outdated" not in chained.title


def test_scores_of_different_kinds_are_not_mixed():
    import pandas as pd

    both = pd.concat([scores(), scores(format="choice")])
    with pytest.raises(UsageError, match="cannot mix formats"):
        fresh_scores.scores_figure(both, "x")
    with pytest.raises(UsageError, match="no score to draw"):
        fresh_scores.scores_figure(scores().head(0), "x")


def test_published_results_are_those_of_the_table():
    rows = results()
    own = rows[
        (rows["model"] == "GPT-4o")
        & (rows["format"] == "generation")
        & (rows["metric"] == "EM")
        & (rows["hops"] == "single")
    ]
    values = own.set_index("distractors")["value"]
    figure = FIGURES["results"]()
    assert figure.title.endswith(f"GPT-4o gains {values[7] - values[0]:.1f}")
    assert (
        "; Llama-2-7B loses 31.2" in fresh_scores.results_figure(rows, "generation", "EM", "Llama-2-7B").title
    )
    assert f"{values[0]:.1f} with 0" in figure.panels[0].alt
    with pytest.raises(UsageError, match="no published values"):
        fresh_scores.results_figure(rows, "generation", "EM", "GPT-9")


def test_the_published_signal():
    title = FIGURES["signal"]().title
    assert "91.0 → 85.5 %" in title
    assert "6.4 → 13.3 %" in title


def test_the_published_table_is_complete_and_its_oddities_are_named():
    rows = results()
    assert len(rows) == 384
    assert rows["model"].nunique() == 12
    assert set(rows["distractors"]) == {0, 3, 5, 7}
    gemma, longchat = published.oddities()
    assert "Gemma-2-9B average 67.5 EM and 73.0 F1, above the 53.9/62.0" in gemma
    assert "Longchat-v1.5-7B has an F1 of 3.9 below its EM of 4.7" in longchat
