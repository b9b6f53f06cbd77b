"""The score gap page: guess, curves, the paired test, one trial, recomputing, and what the gap is not."""

from __future__ import annotations

import json

import pytest
from streamlit.testing.v1 import AppTest

from core import published
from core.bundled_study import StudyWish, run_wish
from core.figures.series import published_series
from pages.kit.registry import ROOT
from pages.parts.score_gap import figures, words
from pages.parts.score_gap.controls import CONTROLS, MOST_ENTRIES, PRESETS, TESTED


def open_page(**query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    for key, value in query.items():
        at.query_params[key] = value
    return at.switch_page("pages/score_gap.py").run()


def text_of(at):
    return "\n".join(
        [text.value for part in (at.title, at.markdown, at.header, at.subheader, at.caption) for text in part]
    )


def sound(at):
    assert not at.exception
    assert [error.value for error in at.error] == []
    return at


def test_the_reader_guesses_before_the_curves_go_on():
    at = sound(open_page())
    assert "Guess first." in text_of(at)
    assert at.header[0].value.startswith("At 16 submissions")
    at = sound(at.slider(key="sg_guess").set_value(7.5).run())
    at = sound(at.button(key="sg_guess_given").click().run())
    frame = published.score_gap().frame.set_index(["benchmark", "new_submissions"])
    truth = float(frame.loc[("openllm_v2", 2048), "score_gap_mean_pp"])
    assert (
        f"You guessed 7.5 pp. The published score gap on Open LLM v2 at 2,048 submissions is {truth:.1f} pp"
        in text_of(at)
    )
    assert at.header[0].value.startswith("At 128 submissions")


def test_show_me_and_a_link_skip_the_guess():
    at = sound(open_page().button(key="sg_show_me").click().run())
    assert at.header[0].value.startswith("At 128 submissions")
    assert "You guessed" not in text_of(at)
    assert "Guess first." not in text_of(open_page(reveal="1"))
    assert "Guess first." not in text_of(open_page(sg_budget="64"))


@pytest.mark.parametrize(
    "view", ["Curves", "Against the baseline", "One trial", "Recomputed here", "Gap and loss"]
)
def test_every_view_has_a_link(view):
    at = sound(open_page(sg_view=view, reveal="1"))
    assert len(at.get("vega_lite_chart")) >= 1
    assert "What to notice" in [heading.value for heading in at.subheader]


def test_the_claim_counts_the_benchmarks():
    rows, baseline = figures.published_rows(), figures.baseline_rows()
    assert "on all six benchmarks" in words.page_claim(rows, baseline, 2048)
    lifted = baseline.assign(value=baseline["value"].where(baseline["benchmark"] != "livebench", 99.0))
    assert "on five of six benchmarks" in words.page_claim(rows, lifted, 2048)


def test_falling_curves_are_found_and_explained():
    frame = published_series("score_gap_pp")
    names = {name for name, *_ in words.falls(frame)}
    for name in frame["name"].unique():
        own = (
            frame[(frame["name"] == name) & ~frame["static_control"]]
            .sort_values("new_submissions")["value"]
            .tolist()
        )
        assert (max(own) - own[-1] >= 0.05) == (name in names)
    text = text_of(open_page(reveal="1"))
    assert "is not part of the larger attack's history" in text
    assert all(name in text for name in names)


def test_the_chosen_benchmarks_are_shown():
    at = sound(open_page(sg_benchmarks="Terminal-Bench-Science", sg_budget="1024"))
    summary = published.terminal_science_summary().frame.set_index("new_submissions")
    assert f"{summary.loc[1024, 'score_gap_mean_pp']:.1f} pp on Terminal-Bench-Science" in at.header[0].value
    assert len(at.get("vega_lite_chart")) == 1


@pytest.mark.parametrize("view", ["Curves", "Against the baseline"])
def test_no_benchmark_is_a_sentence(view):
    at = sound(open_page(sg_view=view, sg_benchmarks=""))
    assert "Choose another one above" in at.info[0].value


def test_the_paired_test_is_told_from_its_table():
    at = sound(open_page(sg_view="Against the baseline"))
    table = published.score_comparison().frame
    table = table[table["new_submissions"] > 1]
    sure = int(table["significant_increase"].astype(bool).sum())
    assert f"That holds for {sure} of the {len(table)} comparisons shown" in text_of(at)
    assert "Terminal-Bench-Science is not part of the published test" in text_of(at)
    assert set(TESTED) == set(table["benchmark"])


def test_recomputing_agrees_with_the_published_table():
    at = sound(open_page(sg_view="Recomputed here"))
    text = text_of(at)
    assert (
        "Recomputed and published agree: over 72 values the largest difference is less than 0.000000001 pp."
        in text
    )
    assert "212 of 250 trials count" in text
    other = text_of(sound(open_page(sg_view="Recomputed here", sg_seed="1")))
    assert "another draw of the same study" in other


def test_the_other_pool_is_not_compared(monkeypatch):
    wish = StudyWish("swe_verified_38", trials=50)
    study = run_wish(wish)
    monkeypatch.setattr("pages.parts.studies.job_result", lambda *_, **__: study)
    text = text_of(
        sound(open_page(sg_view="Recomputed here", sg_bank="SWE-bench Verified (38)", sg_trials="50"))
    )
    assert "not compared" in text
    assert "agree" not in text.split("What to notice")[-1]


def test_one_trial_opens_a_gap():
    at = sound(open_page(sg_view="One trial"))
    found = figures.history("swe_verified_38", 1, 64)
    assert f"from {found.genuine_gap_pp:.2f} to {found.score_gap_pp:.2f} pp" in at.header[0].value
    first = sound(open_page(sg_view="One trial", sg_position="5"))
    assert first.header[0].value.startswith("After 5 genuine models")
    assert MOST_ENTRIES >= 38 + 2 + 128


def test_play_offers_to_use_the_scrubber_s_place():
    at = sound(open_page(sg_view="One trial", sg_play="true", sg_position="3"))
    assert [one["name"] for one in json.loads(at.get("vega_lite_chart")[0].proto.spec)["params"]] == [
        "frame",
        "playing",
    ]
    assert [button.label for button in at.button if button.label == "Use this"] == ["Use this"]


def test_what_the_gap_is_not():
    text = text_of(sound(open_page(sg_view="Gap and loss")))
    assert "1.02 against 7.51 pp" in text
    assert (
        "the loss is 1.02 pp with a pair from the top five and 7.51 pp with a pair from the full frontier"
        in text
    )


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_opens_by_its_button_and_by_its_link(preset):
    at = sound(open_page().button(key=f"sg_preset_{preset.name}").click().run())
    assert preset.why in [caption.value for caption in at.caption]
    query = CONTROLS.query(preset.values, reveal="1")
    assert CONTROLS.faults(query) == []


def test_the_preset_that_falls_shows_curves_that_fall():
    preset = next(preset for preset in PRESETS if preset.name == "falls")
    rows = published_series("score_gap_pp")
    shown = rows[rows["benchmark"].isin(preset.values["benchmarks"])]
    assert len(words.falls(shown)) == len(preset.values["benchmarks"])


def test_defaults_are_frozen():
    assert {item.name: item.default for item in CONTROLS.items} == {
        "view": "curves",
        "benchmarks": tuple(published.BENCHMARKS),
        "budget": 128,
        "guess": 4.0,
        "bank": "terminal_science",
        "trials": 250,
        "seed": 0,
        "endpoints": "top5",
        "one_bank": "swe_verified_38",
        "trial": 1,
        "one_budget": 64,
        "position": 200,
        "play": False,
    }
