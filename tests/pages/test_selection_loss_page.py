"""The selection loss page: guess, controls, presets, links, and sentences that follow the data."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from core import published
from core.bundled_study import StudyWish, run_wish
from core.errors import DataError
from core.figures.series import MEASURES, published_series
from pages.kit import jobs
from pages.kit.presets import preset_link
from pages.kit.registry import ROOT, page_info
from pages.parts.selection_loss import figures, words
from pages.parts.selection_loss.controls import CONTROLS, PRESETS
from pages.parts.studies import BUDGETS, TRIALS

PAGE = page_info("selection_loss")


def forget():
    for cached in (
        figures.published_rows,
        figures.published_figure,
        figures.published_claim,
        figures.published_notes,
    ):
        cached.clear()


@pytest.fixture(autouse=True)
def _fresh_caches():
    yield
    forget()


def open_page(**query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    for key, value in query.items():
        at.query_params[key] = value
    return at.switch_page("pages/selection_loss.py").run()


def text_of(at):
    return "\n".join(
        [
            *(text.value for text in at.markdown),
            *(text.value for text in at.header),
            *(text.value for text in at.subheader),
        ]
    )


def alt_of(at, number=0):
    return at.get("vega_lite_chart")[number].proto.alt


def link_of(at):
    return parse_qs(urlsplit(at.code[0].value).query, keep_blank_values=True)


def test_controls_carry_the_page_s_prefix():
    assert CONTROLS.prefix == PAGE.prefix


def test_defaults_and_labels_of_links_are_frozen():
    frozen = {
        "view": "published",
        "measure": "model_selection_loss_pp",
        "layout": "overlay",
        "benchmarks": (
            "livebench",
            "helm_lite",
            "openllm_v2",
            "helm_capabilities",
            "swe_verified",
            "terminal_science",
        ),
        "budget": 16,
        "threshold": 0,
        "rank_threshold": 0,
        "share_threshold": 0,
        "bands": True,
        "static": True,
        "why": False,
        "others": False,
        "guess": 3.0,
        "bank": "terminal_science",
        "endpoints": "top5",
        "trials": 250,
        "seed": 0,
    }
    assert {item.name: item.default for item in CONTROLS.items} == frozen
    labels = {
        item.name: [label for _, label in item.options] for item in CONTROLS.items if hasattr(item, "options")
    }
    assert labels["view"] == ["Published", "Recomputed here"]
    assert labels["measure"] == ["Selection loss", "Rank drop", "False winners"]
    assert labels["layout"] == ["Overlay", "Small multiples"]
    assert labels["bank"] == ["Terminal-Bench-Science", "SWE-bench Verified (38)"]
    assert labels["endpoints"] == ["Top five", "Full frontier"]
    assert labels["budget"] == [str(budget) for budget in BUDGETS]
    assert labels["trials"] == [str(trials) for trials in TRIALS]


def test_the_page_opens_with_a_guess_and_short_curves():
    at = open_page()
    assert not at.exception
    assert at.title[0].value == (
        "Sixteen submissions already cost 0.9 to 4.2 pp; the loss does not simply grow with the budget"
    )
    assert any("Guess first" in text.value for text in at.markdown)
    assert "over 1 to 16 submissions" in alt_of(at)
    assert link_of(at) == {"v": ["1"]}


def test_show_me_shows_the_whole_curve_and_enters_the_link():
    at = open_page()
    at.button(key="sl_show_me").click().run()
    assert "2,048 submissions" in alt_of(at)
    assert link_of(at) == {"v": ["1"], "reveal": ["1"]}
    assert "You guessed" not in text_of(at)


def test_a_guess_is_judged_and_drawn():
    at = open_page()
    at.slider(key="sl_guess").set_value(6.0).run()
    at.button(key="sl_guess_given").click().run()
    assert "You guessed 6.0 pp" in text_of(at)
    assert "6.6 pp too high" in text_of(at)
    assert "your guess of 6.0" in alt_of(at)
    assert link_of(at)["sl_guess"] == ["6"]
    at.button(key="sl_guess_again").click().run()
    assert "over 1 to 16 submissions" in alt_of(at)


@pytest.mark.parametrize("measure", ["rank_drop", "false_winner"])
def test_another_measure_changes_words_figure_and_link(measure):
    at = open_page(reveal="1")
    before = text_of(at), alt_of(at)
    at.segmented_control(key="sl_measure").set_value(measure).run()
    assert not at.exception
    assert text_of(at) != before[0]
    assert MEASURES[measure].name.lower() in alt_of(at)
    assert link_of(at)["sl_measure"] == [MEASURES[measure].name]


def test_budget_benchmarks_and_options_change_the_words():
    at = open_page(reveal="1")
    seen = {alt_of(at)}
    at.select_slider(key="sl_budget").set_value(128).run()
    assert (
        at.header[0].value
        == "At 128 submissions the ranking has cost 0.9 to 4.8 points on all six benchmarks"
    )
    seen.add(alt_of(at))
    at.pills(key="sl_benchmarks").set_value(["helm_lite", "livebench"]).run()
    assert "on both benchmarks" in at.header[0].value
    seen.add(alt_of(at))
    at.selectbox(key="sl_threshold").set_value(2).run()
    assert "reached on two of two" in text_of(at)
    at.toggle(key="sl_static").set_value(False).run()
    assert "static control" not in text_of(at)
    seen.add(alt_of(at))
    assert len(seen) == 4
    assert link_of(at) == {
        "v": ["1"],
        "sl_benchmarks": ["LiveBench", "HELM Lite"],
        "sl_budget": ["128"],
        "sl_threshold": ["2 pp"],
        "sl_static": ["false"],
        "reveal": ["1"],
    }


def test_small_multiples_are_one_chart_per_benchmark():
    at = open_page(sl_layout="Small multiples")
    assert len(at.get("vega_lite_chart")) == 6


def test_no_benchmark_is_a_sentence():
    at = open_page(reveal="1")
    at.pills(key="sl_benchmarks").set_value([]).run()
    assert "Choose at least one" in at.info[0].value
    assert not at.exception
    assert not at.error


def test_the_scores_behind_the_curve_come_on_request():
    at = open_page(reveal="1")
    assert len(at.get("vega_lite_chart")) == 1
    at.toggle(key="sl_why").set_value(True).run()
    assert len(at.get("vega_lite_chart")) == 2
    assert "Terminal-Bench-Science" in at.header[-1].value


@pytest.mark.parametrize(
    "query",
    [
        {"sl_measure": "Nonsense"},
        {"sl_budget": "3"},
        {"sl_budget": "9" * 40},
        {"sl_benchmarks": "Unknown"},
        {"sl_bands": "maybe"},
        {"sl_seed": "-4", "sl_view": "Recomputed here"},
        {"sl_trials": "1e9", "sl_view": "Recomputed here"},
        {"sl_guess": "NaN"},
    ],
)
def test_bad_values_fall_back_with_a_notice(query):
    at = open_page(**query)
    assert not at.exception
    assert not at.error
    assert "left out" in text_of(at)
    assert at.get("vega_lite_chart")


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_works_as_button_and_as_link(preset):
    by_button = open_page()
    by_button.button(key=f"sl_preset_{preset.name}").click().run()
    assert not by_button.exception
    assert not by_button.error
    assert preset.why in [text.value for text in by_button.caption]
    query = parse_qs(urlsplit(preset_link(PAGE, CONTROLS, preset)).query)
    by_link = open_page(**query)
    assert not by_link.exception
    assert "left out" not in text_of(by_link)
    assert alt_of(by_link) == alt_of(by_button)
    assert link_of(by_link) == link_of(by_button) == query


def test_the_preset_about_falling_tells_the_truth():
    rows = published_series("model_selection_loss_pp")
    own = rows[(rows["benchmark"] == "terminal_science") & ~rows["static_control"]]
    peak = own.nlargest(1, "value").iloc[0]
    assert own["new_submissions"].min() < peak["new_submissions"] < own["new_submissions"].max()


def test_the_study_at_its_own_seeds_agrees_with_the_published_table():
    at = open_page(sl_view="Recomputed here")
    assert not at.exception
    assert not at.error
    assert "Recomputed and published agree: over 108 values" in text_of(at)
    assert "212 of 250 trials count" in text_of(at)
    assert at.header[0].value.startswith("Recomputed here")


def test_another_seed_is_another_draw_and_says_so():
    at = open_page(sl_view="Recomputed here")
    before = text_of(at), alt_of(at)
    at.number_input(key="sl_seed").set_value(3).run()
    assert "seed 3 instead of the benchmark's own seeds" in text_of(at)
    assert "not a replication" in text_of(at)
    assert (text_of(at), alt_of(at)) != before
    assert link_of(at)["sl_seed"] == ["3"]


def test_fewer_trials_and_the_full_frontier_are_named():
    at = open_page(sl_view="Recomputed here", sl_trials="50", sl_endpoints="Full frontier")
    assert "50 trials instead of 250 and the pair from the full frontier" in text_of(at)
    assert not at.exception


def test_the_small_pool_runs_as_a_job_and_is_not_compared(monkeypatch):
    queue = jobs.JobQueue()
    monkeypatch.setattr(jobs, "queue", lambda: queue)
    try:
        at = open_page(sl_view="Recomputed here", sl_bank="SWE-bench Verified (38)", sl_trials="50")
        assert at.progress
        wish = StudyWish("swe_verified_38", trials=50)
        (owner,) = {owner for job in queue._jobs.values() for owner in job.owners}
        assert queue.wait(owner, wish, 60).state == "done"
        at.run()
        assert "Recomputed on 38 public submissions and 500 instances" in text_of(at)
        assert "not compared" in text_of(at)
        assert "published table" not in text_of(at)
        assert not at.exception
    finally:
        queue.close()


def test_other_seeds_run_as_a_job_and_stand_behind_the_curve(monkeypatch):
    queue = jobs.JobQueue()
    monkeypatch.setattr(jobs, "queue", lambda: queue)
    try:
        at = open_page(sl_view="Recomputed here", sl_trials="50", sl_others="true")
        (job,) = queue._jobs.values()
        assert "12 other seeds" in at.progress[0].text
        assert queue.wait(next(iter(job.owners)), job.key, 120).state == "done"
        at.run()
        assert "twelve other seeds" in at.header[-1].value
        assert len(at.get("vega_lite_chart")) == 2
        assert not at.exception
        assert not at.error
    finally:
        queue.close()


def test_leaving_the_page_ends_its_job(monkeypatch):
    queue = jobs.JobQueue()
    monkeypatch.setattr(jobs, "queue", lambda: queue)
    try:
        at = open_page(
            sl_view="Recomputed here", sl_bank="SWE-bench Verified (38)", sl_trials="1000", sl_seed="77"
        )
        assert queue._jobs
        at.switch_page("pages/start.py").run()
        assert not queue._jobs
    finally:
        queue.close()


def test_title_text_and_alternative_text_change_with_the_data(monkeypatch):
    before = open_page(reveal="1")
    rows = published_series("model_selection_loss_pp")
    rows.loc[rows["benchmark"] == "helm_capabilities", ["value", "low", "high"]] += 7
    forget()
    monkeypatch.setattr(figures, "published_series", lambda measure: rows)
    after = open_page(reveal="1")
    assert after.title[0].value.startswith("Sixteen submissions already cost 1.0 to 7.9 pp")
    assert text_of(after) != text_of(before)
    assert alt_of(after) != alt_of(before)


def test_without_the_published_table_the_study_still_runs(monkeypatch):
    def gone(measure):
        raise DataError("The shipped file data/published/selection_loss.csv is missing. Restore it.")

    forget()
    monkeypatch.setattr(figures, "published_series", gone)
    at = open_page(reveal="1")
    assert at.title[0].value == PAGE.title
    assert "selection_loss.csv is missing" in at.error[0].value
    figures.beside_published.clear()
    at = open_page(sl_view="Recomputed here")
    assert "selection_loss.csv is missing" in at.error[0].value
    assert "Terminal-Bench-Science" in at.header[0].value
    assert at.get("vega_lite_chart")
    at = open_page(sl_view="Recomputed here", sl_trials="50")
    assert not at.error
    assert at.get("vega_lite_chart")
    assert "at its own seeds" not in text_of(at)
    assert not at.exception


def test_the_claim_follows_the_shape_of_the_curves():
    rows = published_series("model_selection_loss_pp")
    rising = rows.copy()
    rising["value"] = rising["new_submissions"] / 100 + 1
    assert words.page_claim(rising, 16).endswith("and the loss grows with the budget")
    rising.loc[(rising["benchmark"] == "livebench") & (rising["new_submissions"] == 32), "value"] = 99
    assert words.page_claim(rising, 16).endswith("on one of six benchmarks the loss later falls")
    rows.loc[rows["new_submissions"] == 16, "value"] -= 3
    assert words.page_claim(rows, 16).startswith(
        "After sixteen submissions the ranking costs between −2.1 and 1.2 pp"
    )


def test_a_study_that_should_agree_and_does_not_is_reported():
    summary = run_wish(StudyWish("terminal_science")).summary()
    summary.loc[summary["new_submissions"] == 64, "rank_drop"] += 0.5
    note = words.agreement_note(summary, StudyWish("terminal_science"))
    assert "should agree here and do not" in note
    assert "0.5 (rank drop at 64 submissions)" in note
    assert published.terminal_science_summary().frame["new_submissions"].max() == 2048
