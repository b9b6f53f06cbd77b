"""Figures before a guess: what is asked for is in neither picture, words nor data, and everything else is."""

from __future__ import annotations

import json

import pytest

from core import published
from core.contamination import shipped
from core.contamination.pocket.summary import auroc_table
from core.figures.correction_words import sizes_title
from core.figures.detection import auroc_figure
from core.figures.fresh_scores import results_figure
from core.figures.start import choice_figure
from core.figures.vote import vote_figure
from core.fresh import published as fresh_published
from core.worked_example import prompt_vote


def everything(figure):
    """Return what a reader could find of a figure: picture, words and data."""
    words = (figure.title, figure.subtitle, figure.alt, *figure.notices)
    panels = [panel.alt for panel in figure.panels]
    return " ".join([json.dumps(figure.themed_spec, default=str), *words, *panels, figure.data.to_csv()])


def test_the_cost_of_one_benchmark_is_kept_back(assert_valid_spec):
    table = published.selection_loss()
    shown = choice_figure(table.frame, table.provenance)
    hidden = choice_figure(table.frame, table.provenance, hidden="helm_lite")
    row = shown.data[shown.data["benchmark"] == "helm_lite"].iloc[0]
    assert str(row["loss"]) in everything(shown)
    for column in ("after", "loss", "low", "high"):
        assert str(row[column]) not in everything(hidden)
    assert str(row["before"]) in everything(hidden)
    assert hidden.data["benchmark"].iloc[-1] == "helm_lite"
    assert (
        "HELM Lite: 0.1 pp below the best model without the submissions, with them not shown yet"
        in hidden.alt
    )
    assert sorted(hidden.data["benchmark"]) == sorted(shown.data["benchmark"])
    assert_valid_spec(hidden.themed_spec)


def test_routers_that_are_not_counted_are_kept_back(assert_valid_spec):
    example = published.helm_lite_trial165()
    vote = prompt_vote(example, example.prompt.scenario, example.prompt.prompt_hash)
    about = {"prompt": "A prompt", "source": "Here.", "where": "there"}
    pale, hidden = (vote_figure(vote, 10, hide_rest=hide, **about) for hide in (False, True))
    end = str(float(100 * vote.total))
    assert end in everything(pale)
    assert end not in everything(hidden)
    assert hidden.data["random_router"].tolist() == list(range(1, 11))
    assert hidden.title == pale.title
    (y,) = {
        tuple(layer["encoding"]["y"]["scale"]["domain"])
        for layer in hidden.spec["layer"]
        if "domain" in layer["encoding"].get("y", {}).get("scale", {})
    }
    assert y[0] == pytest.approx(-y[1])
    assert_valid_spec(hidden.themed_spec)


def test_scores_with_distracting_documents_are_kept_back(assert_valid_spec):
    found = fresh_published.results()
    rows = found.frame.assign(label="published", source=found.provenance.sentence)
    hidden = results_figure(rows, "generation", "EM", "GPT-4o", hidden=True)
    assert set(hidden.data["distractors"]) == {0}
    assert hidden.title.startswith("Without distracting documents 12 models reach")
    for panel in hidden.panels:
        assert {row["distractors"] for row in panel.spec["data"]["values"]} == {0}
    assert_valid_spec(hidden.themed_spec)


def test_one_number_of_copies_is_kept_back_and_stays_on_the_axis(assert_valid_spec):
    table = auroc_table(shipped.default_pocket_pair())
    table = table[(table["scope"] == "whole") & (table["duplicates"] != "all")]
    table = table.assign(duplicates=table["duplicates"].astype(int)).drop(columns="scope")
    hidden = auroc_figure(table, name="A pair", label="recomputed", source="Here.", hidden=1)
    assert "1" not in {row["level"] for row in hidden.spec["data"]["values"]}
    axis = next(layer["encoding"]["x"] for layer in hidden.spec["layer"] if "x" in layer["encoding"])
    assert "1" in axis["sort"]
    assert "1" in axis["scale"]["domain"]
    assert 1 not in set(hidden.data["duplicates"])
    assert "hardly" not in hidden.title
    assert_valid_spec(hidden.themed_spec)


def test_a_table_without_imputation_is_spoken_of_as_far_as_it_goes():
    table = shipped.default_sizes()
    whole = sizes_title(table, 10)
    part = sizes_title(table[~table["estimator"].isin(["imputation", "combined"])], 10)
    assert whole.startswith(f"{part}; ")
    assert "imputation" not in part
