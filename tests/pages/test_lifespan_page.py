"""The lifespan page: guess, law, calculator, simulated alternative, presets and links."""

from __future__ import annotations

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from core.benchmark.simulated import fitted_dependence, livebench_fit
from core.errors import DataError
from core.figures.wording import number
from core.reuse.lifespan_simulation import LifespanWish, read_off, simulate_lifespan
from pages.kit import jobs
from pages.kit.presets import preset_link
from pages.kit.registry import ROOT, page_info
from pages.parts.lifespan import figures, words
from pages.parts.lifespan.controls import CONTROLS, DRAWS, PRESETS, TOLERANCES, TRIALS

PAGE = page_info("lifespan")
SMALL = LifespanWish(20, 2, models=4, gap=2.0, dependence=0.5, draws=DRAWS, trials=TRIALS, seed=3)
SMALL_QUERY = {
    "ls_items": "20",
    "ls_scores": "2",
    "ls_simulate": "true",
    "ls_models": "4",
    "ls_gap": "2",
    "ls_dependence": "0.5",
    "ls_seed": "3",
}


def open_page(**query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    for key, value in query.items():
        at.query_params[key] = value
    return at.switch_page("pages/lifespan.py").run()


def text_of(at):
    return "\n".join(
        [
            *(text.value for text in at.markdown),
            *(text.value for text in at.header),
            *(text.value for text in at.subheader),
        ]
    )


def alts_of(at):
    return [chart.proto.alt for chart in at.get("vega_lite_chart")]


def link_of(at):
    return parse_qs(urlsplit(at.code[0].value).query, keep_blank_values=True)


@pytest.fixture(scope="module")
def small():
    return simulate_lifespan(SMALL)


@pytest.fixture
def simulated(small, monkeypatch):
    """Answer every wish for the small simulation at once."""
    asked = []

    def result(name, key, function, *arguments, label, light=False, keep=True):
        asked.append((key, function, arguments))
        return small

    monkeypatch.setattr("pages.parts.lifespan.views.job_result", result)
    return asked


def test_defaults_and_labels_of_links_are_frozen():
    assert {item.name: item.default for item in CONTROLS.items} == {
        "outcome": "score_gap",
        "tolerance": 2.0,
        "items": 500,
        "scores": 10,
        "simulate": False,
        "models": 30,
        "gap": 1.0,
        "dependence": 0.8,
        "seed": 0,
        "guess": 512,
    }
    labels = {
        item.name: [label for _, label in item.options] for item in CONTROLS.items if hasattr(item, "options")
    }
    assert labels["outcome"] == ["Score gap grows", "90 % false winners"]
    assert labels["tolerance"] == ["0.5 pp", "1 pp", "1.5 pp", "2 pp", "2.5 pp", "3 pp", "3.5 pp", "4 pp"]


def test_the_default_dependence_is_the_fitted_one():
    assert CONTROLS["dependence"].default == fitted_dependence()


def test_the_page_opens_with_a_guess_and_the_fitted_cells_alone():
    at = open_page()
    assert not at.exception
    assert at.title[0].value == (
        "A simple law fits LiveBench within a factor of 2.8, and misses SWE-bench Verified by a factor of more than 164"
    )
    assert "exceeds its baseline by 2 pp after 712 submissions" in text_of(at)
    (alt,) = alts_of(at)
    assert "Open LLM" not in alt
    assert "64" not in at.header[0].value
    assert link_of(at) == {"v": ["1"]}


def test_a_guess_is_judged():
    at = open_page()
    at.select_slider(key="ls_guess").set_value(256).run()
    at.button(key="ls_guess_given").click().run()
    assert "You guessed 256 submissions" in text_of(at)
    assert "is 64 submissions: your guess was 192 submissions too high" in text_of(at)
    assert "observed 64" in alts_of(at)[0]
    at.button(key="ls_guess_again").click().run()
    assert "Open LLM" not in alts_of(at)[0]


def test_show_me_shows_failures_and_calculator():
    at = open_page()
    at.button(key="ls_show_me").click().run()
    text = text_of(at)
    assert "SWE-bench Verified: predicted 12, not reached within 2,048 (a factor of more than 164)" in text
    assert "Open LLM v2: predicted 712, first reached at 64 (a factor of 11)" in text
    assert "It errs in both directions" in text
    assert "counts 7 returned scores for Open LLM v2, the published study 6" in text
    assert "The law says 36 submissions" in text
    assert len(alts_of(at)) == 2
    assert link_of(at) == {"v": ["1"], "reveal": ["1"]}


def test_controls_change_words_figures_and_link():
    at = open_page(reveal="1")
    seen = {tuple(alts_of(at))}
    at.segmented_control(key="ls_outcome").set_value("false_winner").run()
    assert "HELM Lite by a factor of 9.3" in at.header[0].value
    assert not at.select_slider
    seen.add(tuple(alts_of(at)))
    at.segmented_control(key="ls_outcome").set_value("score_gap").run()
    at.select_slider(key="ls_tolerance").set_value(1.0).run()
    assert "recomputed" in text_of(at)
    assert "exceeds its baseline by 1 pp" in alts_of(at)[0]
    seen.add(tuple(alts_of(at)))
    at.number_input(key="ls_items").set_value(1000).run()
    at.number_input(key="ls_scores").set_value(25).run()
    assert "1,000 reused items and 25 returned scores" in "".join(caption.value for caption in at.caption)
    seen.add(tuple(alts_of(at)))
    assert len(seen) == 4
    assert link_of(at) == {
        "v": ["1"],
        "ls_tolerance": ["1 pp"],
        "ls_items": ["1000"],
        "ls_scores": ["25"],
        "reveal": ["1"],
    }


@pytest.mark.parametrize("tolerance", TOLERANCES)
def test_every_tolerance_works(tolerance):
    at = open_page(ls_tolerance=f"{tolerance:g} pp", reveal="1")
    assert not at.exception
    assert not at.error
    assert len(alts_of(at)) == 2
    assert ("recomputed" in text_of(at)) == (tolerance != 2.0)


def test_the_simulated_alternative_is_read_off_and_labelled(simulated, small):
    at = open_page(**SMALL_QUERY)
    assert not at.exception
    assert not at.error
    assert simulated == [(SMALL, simulate_lifespan, (SMALL,))]
    reading = read_off(small, "score_gap", 2.0)
    alts = alts_of(at)
    assert len(alts) == 3
    assert words._reading(reading).split(";")[0] in alts[1]
    assert "simulated" in text_of(at)
    assert "published" in text_of(at)
    for dimension in ("2", "3", "6", "9"):
        assert number(livebench_fit()["dimensions"][dimension]["misfit_pp"], 2) in text_of(at)
    assert "which took no part" in text_of(at)
    at.segmented_control(key="ls_outcome").set_value("false_winner").run()
    assert "false winners" in alts_of(at)[2]
    assert len({key for key, *_ in simulated}) == 1, "another outcome needs no other simulation"


def test_progress_is_shown_while_the_simulation_runs_and_the_law_stays(monkeypatch):
    queue = jobs.JobQueue()
    monkeypatch.setattr(jobs, "queue", lambda: queue)
    try:
        at = open_page(**SMALL_QUERY)
        assert not at.exception
        assert "The law says" in text_of(at)
        for _ in range(300):
            if len(alts_of(at)) == 3:
                break
            time.sleep(0.2)
            at.run()
        assert len(alts_of(at)) == 3
        assert not at.error
    finally:
        queue.close()


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ({"ls_items": "7189"}, "1 to 3,000 reused items"),
        ({"ls_scores": "100"}, "1 to 60 returned scores"),
        ({"ls_models": "80", "ls_gap": "3"}, "the gap can be at most"),
    ],
)
def test_sizes_that_are_not_simulated_are_said_beside_the_law(query, message):
    at = open_page(ls_simulate="true", **query)
    assert not at.exception
    assert any(message in error.value for error in at.error)
    assert "The law says" in text_of(at)


def test_more_scores_than_items_is_a_sentence():
    at = open_page(ls_items="20", ls_scores="30")
    assert not at.exception
    assert any("at least as many reused items" in error.value for error in at.error)


@pytest.mark.parametrize(
    "query",
    [
        {"ls_items": "0"},
        {"ls_items": "1e3"},
        {"ls_scores": "9" * 40},
        {"ls_tolerance": "7 pp"},
        {"ls_outcome": "Nonsense"},
        {"ls_dependence": "2"},
        {"ls_gap": "nan"},
        {"ls_guess": "3"},
        {"ls_unknown": "1"},
    ],
)
def test_bad_values_fall_back_with_a_notice(query):
    at = open_page(**query)
    assert not at.exception
    assert not at.error
    assert "left out" in text_of(at)
    assert at.get("vega_lite_chart")


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_works_as_button_and_as_link(preset, simulated):
    by_button = open_page()
    by_button.button(key=f"ls_preset_{preset.name}").click().run()
    assert not by_button.exception
    assert not by_button.error
    assert preset.why in [text.value for text in by_button.caption]
    query = parse_qs(urlsplit(preset_link(PAGE, CONTROLS, preset)).query)
    by_link = open_page(**{key: values[0] for key, values in query.items()})
    assert alts_of(by_link) == alts_of(by_button)


def test_presets_hold_what_they_promise():
    ten, one = (figures.evidence("score_gap", 2.0).law.predict(500, scores) for scores in (10, 1))
    assert (one - 1) / (ten - 1) == pytest.approx(10)
    assert 100 < figures.evidence("score_gap", 2.0).law.predict(7189, 7) < 1000


def test_the_third_preset_s_sentence_holds_in_the_simulation():
    near, far = (
        read_off(simulate_lifespan(LifespanWish(200, 5, 30, gap, 0.8, DRAWS, 50)), "score_gap", 2.0).budget
        for gap in (1.0, 3.0)
    )
    assert near <= 12
    assert far > 2048


def test_the_explanation_opens():
    at = open_page(reveal="1")
    assert at.expander[-1].label == "How this is computed"


def test_damaged_data_is_a_sentence(monkeypatch):
    def broken():
        raise DataError("The shipped file is damaged. Restore it.")

    figures.evidence.clear()
    monkeypatch.setattr("core.published.predictor_external_validation", broken)
    try:
        at = open_page(reveal="1")
    finally:
        figures.evidence.clear()
    assert not at.exception
    assert at.title[0].value == "Lifespan"
    assert any("Restore it" in error.value for error in at.error)
