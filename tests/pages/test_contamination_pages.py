"""Phase diagrams, correct a score, pocket Hubble: guesses, controls, presets, links, uploads and computed sentences."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from core.contamination import requests, shipped
from core.contamination.correction_files import TEMPLATE
from core.contamination.pocket.pair import PocketSettings
from core.contamination.pools import calibrated_pool
from pages.kit import jobs
from pages.kit.presets import preset_link
from pages.kit.registry import ROOT, page_info
from pages.parts.correct_a_score import controls as cs
from pages.parts.phase_diagrams import controls as pd
from pages.parts.phase_diagrams import words
from pages.parts.phase_diagrams.figures import PoolWish, is_shipped, nearest_cell, settings_of, shipped_frame
from pages.parts.pocket_hubble import controls as ph

PAGES = {"phase_diagrams": pd, "correct_a_score": cs, "pocket_hubble": ph}
ALL_PRESETS = [(stem, preset) for stem, module in PAGES.items() for preset in module.PRESETS]


def open_page(stem, **query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    for key, value in query.items():
        at.query_params[key] = value
    return at.switch_page(f"pages/{stem}.py").run()


def text_of(at):
    return "\n".join(
        [
            *(text.value for text in at.markdown),
            *(text.value for text in at.header),
            *(text.value for text in at.subheader),
            *(text.value for text in at.caption),
        ]
    )


def charts(at):
    return at.get("vega_lite_chart")


def healthy(at):
    assert not at.exception
    assert not at.error
    return at


@pytest.fixture
def here(monkeypatch):
    """Run jobs at once in this process."""

    def at_once(name, key, function, *arguments, label, light=False, keep=True):
        return function(*arguments, progress=lambda done, total: None)

    for module in ("phase_diagrams", "correct_a_score", "pocket_hubble"):
        monkeypatch.setattr(f"pages.parts.{module}.views.job_result", at_once)


DEFAULTS = {
    "phase_diagrams": {
        "pool": "mmlu",
        "auroc": 0.8,
        "bias": 6.0,
        "panel": "random_high",
        "grid": 21,
        "n": 500,
        "rate": 30,
        "replicates": 1000,
        "medium": "16",
        "concentration": 10.0,
        "loading": 0.8,
        "extra": (),
        "seed": 0,
        "chance": 25,
        "guess": 40.0,
    },
    "correct_a_score": {
        "way": "pool",
        "pool": "mmlu",
        "regime": "random_high",
        "attack": "Min-K%++",
        "spiked": 100,
        "prior": False,
        "rate": 30,
        "n": 500,
        "seed": 0,
        "repeat": False,
        "clean": 50.0,
        "leaked_clean": 50.0,
        "leaked_observed": 95.0,
        "chance": 25.0,
        "auroc": 0.9,
        "q": 0.5,
        "guess": 5.0,
    },
    "pocket_hubble": {
        "rate": 0.008,
        "levels": "1,4,16,64,256",
        "seed": 0,
        "attack": "LOSS",
        "scope": "whole",
        "signal": "largest",
        "regime": "random_high",
        "prior": False,
        "measured": False,
        "item": 1996,
        "guess": 0.75,
    },
}


@pytest.mark.parametrize("stem", PAGES)
def test_defaults_of_links_are_frozen(stem):
    assert {item.name: item.default for item in PAGES[stem].CONTROLS.items} == DEFAULTS[stem]


def test_default_views_need_no_computation():
    assert is_shipped(PoolWish("mmlu"), settings_of(DEFAULTS["phase_diagrams"]))


@pytest.mark.parametrize(
    ("stem", "guess", "truth"),
    [("phase_diagrams", 30.0, "89 %"), ("correct_a_score", 8.0, "20.4 pp"), ("pocket_hubble", 0.9, "0.57")],
)
def test_a_guess_comes_first_and_is_judged(stem, guess, truth):
    at = healthy(open_page(stem))
    prefix = page_info(stem).prefix
    assert any("Guess first" in text.value for text in at.markdown)
    assert charts(at)
    at.slider(key=f"{prefix}_guess").set_value(guess).run()
    at.button(key=f"{prefix}_guess_given").click().run()
    healthy(at)
    assert "You guessed" in text_of(at)
    assert truth in text_of(at)


@pytest.mark.parametrize("stem", PAGES)
def test_every_chart_has_words_and_the_page_its_explanation(stem):
    at = healthy(open_page(stem, reveal="1"))
    assert charts(at)
    assert all(len(chart.proto.alt) > 40 for chart in charts(at))
    assert any(expander.label == "How this is computed" for expander in at.expander)


@pytest.mark.parametrize(
    ("stem", "preset"), ALL_PRESETS, ids=[f"{stem}-{preset.name}" for stem, preset in ALL_PRESETS]
)
def test_every_preset_works_as_button_and_as_link(stem, preset, here, monkeypatch):
    pair = replace(shipped.default_pocket_pair(), settings=PocketSettings(learning_rate=0.004))
    monkeypatch.setattr(
        "core.contamination.requests.pocket_pair", lambda settings, progress: pair
    )  # not trained anew
    page, module = page_info(stem), PAGES[stem]
    by_button = open_page(stem)
    by_button.button(key=f"{page.prefix}_preset_{preset.name}").click().run()
    healthy(by_button)
    assert preset.why in [text.value for text in by_button.caption]
    query = parse_qs(urlsplit(preset_link(page, module.CONTROLS, preset)).query)
    by_link = healthy(open_page(stem, **{key: raw if len(raw) > 1 else raw[0] for key, raw in query.items()}))
    assert [chart.proto.alt for chart in charts(by_link)] == [chart.proto.alt for chart in charts(by_button)]


@pytest.mark.parametrize(
    ("stem", "query"),
    [
        ("phase_diagrams", {"pd_pool": "ARC"}),
        ("phase_diagrams", {"pd_auroc": "2"}),
        ("correct_a_score", {"cs_spiked": "7"}),
        ("correct_a_score", {"cs_way": "x"}),
        ("pocket_hubble", {"ph_rate": "1"}),
        ("pocket_hubble", {"ph_item": "0"}),
    ],
)
def test_bad_values_fall_back_with_a_notice(stem, query):
    at = healthy(open_page(stem, **query))
    assert "left out" in text_of(at)
    assert charts(at)


def test_a_diagram_that_is_not_shipped_becomes_a_job(monkeypatch):
    waiting = jobs.JobQueue()
    monkeypatch.setattr(jobs, "queue", lambda: waiting)
    try:
        at = healthy(open_page("phase_diagrams", pd_n="100"))
        assert len(waiting._jobs) == 1
        assert not charts(at)
    finally:
        waiting.close()


def test_the_readers_predictors_change_the_words():
    at = open_page("phase_diagrams", reveal="1")
    before = text_of(at)
    at.slider(key="pd_auroc").set_value(0.95).run()
    at.slider(key="pd_bias").set_value(16.0).run()
    healthy(at)
    assert "AUROC 0.95, |bias| 16.0 pp" in text_of(at)
    assert text_of(at) != before
    at.slider(key="pd_bias").set_value(20.0).run()
    assert "Your bias lies beyond the axis of leaked easy items" in text_of(at)


def test_failing_statements_are_said_on_the_page():
    at = healthy(open_page("phase_diagrams", pd_pool="HellaSwag"))
    assert "**fails**" in text_of(at)
    assert "the model was not changed to rescue it" in text_of(at)


def test_winogrande_says_why_rows_are_missing_and_shows_what_is_left():
    at = healthy(open_page("phase_diagrams", pd_pool="WinoGrande MCQ"))
    assert "The random and correlated rows are not drawn. A guess is right 50 %" in at.info[0].value
    assert len(charts(at)) == 1
    assert "IPW" in at.header[0].value


def test_a_pool_of_ones_own_is_drawn(here):
    at = open_page("phase_diagrams", pd_pool="My own pool", pd_replicates="200", pd_chance="0")
    assert "Load a file" in at.info[0].value
    content = calibrated_pool("popqa").frame().to_csv(index=False).encode()
    at.file_uploader(key="pd_upload").set_value(("mine.csv", content, "text/csv")).run()
    healthy(at)
    assert "On mine the best estimator" in text_of(at)
    at.file_uploader(key="pd_upload").set_value(("bad.csv", b"item,y\n1,2\n", "text/csv")).run()
    assert "lacks the column(s) y_clean" in at.error[0].value
    assert not at.exception


def test_nearest_cells_are_found_and_the_axis_ends():
    frame = shipped_frame("mmlu")
    assert nearest_cell(frame, "hard", 0.5, 0.0) == (0, 0)
    assert nearest_cell(frame, "hard", 1.0, 100 * frame[frame["regime"] == "hard"]["bias"].max()) == (20, 20)
    assert nearest_cell(frame, "hard", 0.9, 30.0) is None


def test_the_claim_counts_the_winners():
    frame = shipped_frame("mmlu")
    assert "four of them win somewhere" in words.page_claim(frame)
    assert "naive wins whatever" in words.page_claim(frame[frame["winner"] == "naive"])


def test_correcting_a_drawn_test_set_follows_its_controls(here):
    at = open_page("correct_a_score", reveal="1")
    first = at.header[0].value
    assert "too high" in first
    at.button(key="cs_draw_again").click().run()
    healthy(at)
    assert at.header[0].value != first
    at.toggle(key="cs_repeat").set_value(True).run()
    assert any("Over 1,000 test sets" in text.value for text in at.header)
    at.toggle(key="cs_prior").set_value(True).run()
    healthy(at)
    assert "odds were corrected" in text_of(at)
    assert "borrowed from MMLU" not in text_of(at)
    at.selectbox(key="cs_pool").set_value("piqa").run()
    assert "borrowed from MMLU" in text_of(at)


def test_the_published_errors_stand_beside_the_papers_case():
    at = healthy(open_page("correct_a_score", cs_spiked="all", cs_repeat="true"))
    assert "naive 13.1 pp, combined 1.8 pp" in text_of(at)


def test_items_of_ones_own_are_corrected():
    at = open_page("correct_a_score", cs_way="My own items")
    assert "Load a file" in at.info[0].value
    at.file_uploader(key="cs_upload").set_value(("items.csv", TEMPLATE.encode(), "text/csv")).run()
    healthy(at)
    assert "Observed: 75.0 %" in at.header[0].value
    assert "Platt-scaled on the 4 clean calibration items" in text_of(at)
    at.file_uploader(key="cs_upload").set_value(
        ("items.csv", TEMPLATE.replace("test-2,0", "test-2,").encode(), "text/csv")
    ).run()
    assert "item 'test-2'" in at.error[0].value
    assert not at.exception


def test_small_items_are_corrected_once(monkeypatch):
    calls = []
    genuine = requests.corrected_items
    monkeypatch.setattr(
        "core.contamination.requests.corrected_items", lambda *a, **k: calls.append(a) or genuine(*a, **k)
    )
    at = open_page("correct_a_score", cs_way="My own items")
    at.file_uploader(key="cs_upload").set_value(("items.csv", TEMPLATE.encode(), "text/csv")).run()
    healthy(at.run())
    assert len(calls) == 1
    at.toggle(key="cs_prior").set_value(True).run()
    assert len(calls) == 2
    assert calls[1][3].prior == 0.3


def many_items(rows):
    rng = np.random.default_rng(1)
    lines = [
        f"i{row},{rng.integers(2)},{row % 2 if row < 100 else ''},{rng.normal():.3f},{rng.uniform():.3f}"
        for row in range(rows)
    ]
    return "\n".join(["item,y,spiked,score,correct_probability", *lines]).encode()


def test_many_items_become_a_job_of_the_visitor_alone(monkeypatch):
    waiting = jobs.JobQueue()
    monkeypatch.setattr(jobs, "queue", lambda: waiting)
    try:
        at = open_page("correct_a_score", cs_way="My own items")
        at.file_uploader(key="cs_upload").set_value(("items.csv", many_items(1500), "text/csv")).run()
        healthy(at)
        (job,) = waiting._jobs.values()
        assert not job.keep
        assert job.over.wait(60)
        assert job.state == "done"
        healthy(at.run())
        assert "Observed" in at.header[0].value
        assert list(waiting._jobs.values()) == [job]
        assert not waiting._results
    finally:
        waiting.close()


def test_the_title_follows_the_controls(here):
    at = healthy(open_page("correct_a_score", reveal="1"))
    assert at.title[0].value == (
        "100 items of known status bring the score's error from 13.3 to 4.3 pp with IPW (MMLU, random, high dose)"
    )
    at.select_slider(key="cs_spiked").set_value(10).run()
    assert "10 items of known status bring the score's error from 13.3 to 7.7 pp" in at.title[0].value
    at.selectbox(key="cs_regime").set_value("random_low").run()
    healthy(at)
    assert "(MMLU, random, low dose)" in at.title[0].value
    assert "nothing here" in at.title[0].value or "do not help here" in at.title[0].value
    at.selectbox(key="cs_pool").set_value("piqa").run()
    assert "(PIQA, random, low dose)" in at.title[0].value
    at = healthy(open_page("correct_a_score", cs_spiked="all", cs_regime="Hard items"))
    assert at.title[0].value.startswith("All calibration items bring the score's error from")
    at = healthy(open_page("correct_a_score", cs_way="Sliders only"))
    assert at.title[0].value == "With these numbers the leak adds 13.5 pp to the expected score"


def test_token_log_probabilities_become_scores():
    at = open_page("correct_a_score", cs_way="My own items")
    at.session_state["cs_detection"] = True
    at.run()
    line = b'{"id": "a", "text": "t", "token_logprobs": [-1.0, -2.0]}'
    at.file_uploader(key="cs_logprobs").set_value(("x.jsonl", line, "application/json")).run()
    healthy(at)
    assert at.dataframe[0].value["LOSS"].tolist() == [-1.5]
    at.file_uploader(key="cs_logprobs").set_value(
        ("x.jsonl", line.replace(b"-2.0", b"2.0"), "application/json")
    ).run()
    assert "Id 'a': 'token_logprobs' holds 2" in at.error[0].value


def test_sliders_move_the_estimates():
    at = healthy(open_page("correct_a_score", cs_way="Sliders only"))
    assert "13.5 pp" in text_of(at)
    at.slider(key="cs_leaked_observed").set_value(50.0).run()
    assert "Expected inflation of the observed score: 0.0 pp" in text_of(at)


def test_the_pocket_pairs_lessons_are_numbers():
    at = healthy(open_page("pocket_hubble", reveal="1"))
    pair = shipped.default_pocket_pair()
    assert f"agree on {100 * pair.clean_agreement:.0f} %" in text_of(at)
    assert "Correcting the prior" in text_of(at)
    assert {"published", "recomputed"} <= {
        badge for text in at.markdown for badge in ("published", "recomputed") if badge in text.value
    }


def test_a_leak_without_items_is_said(here, monkeypatch):
    pair = shipped.default_pocket_pair()
    rare = replace(pair, duplicates=np.where(pair.duplicates > 16, 16, pair.duplicates))
    monkeypatch.setattr("core.contamination.requests.pocket_pair", lambda settings, progress: rare)
    at = healthy(open_page("pocket_hubble", ph_seed="3"))
    assert "No item has these numbers of copies" in at.info[0].value
