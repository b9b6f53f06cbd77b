"""The feedback richness page: guess, controls, presets, links, live runs, and rules side by side."""

from __future__ import annotations

import time
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import DataError
from core.figures.feedback_series import published_richness
from pages.kit import jobs
from pages.kit.presets import preset_link
from pages.kit.registry import ROOT, page_info
from pages.parts.feedback import figures, words
from pages.parts.feedback.controls import BUDGETS, CONTROLS, DIMENSIONS, PRESETS, RULES

PAGE = page_info("feedback")
LIVE = {"fb_view": "Recomputed live", "fb_bank": "Terminal-Bench-Science", "fb_trials": "50"}
COMPARED = {"fb_view": "Rules compared", "fb_bank": "Terminal-Bench-Science", "fb_trials": "50"}


def open_page(**query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    for key, value in query.items():
        at.query_params[key] = value
    return at.switch_page("pages/feedback.py").run()


def finished(at, seconds=90):
    """The page once its job is done."""
    end = time.monotonic() + seconds
    while at.get("progress") and time.monotonic() < end:
        time.sleep(0.3)
        at.run()
    assert not at.get("progress")
    return at


@pytest.fixture(autouse=True, scope="module")
def own_queue():
    queue = jobs.JobQueue()
    before, jobs.queue = jobs.queue, lambda: queue
    yield queue
    jobs.queue = before
    queue.close()


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


def test_defaults_and_labels_of_links_are_frozen():
    frozen = {
        "view": "published", "measure": "model_selection_loss_pp", "axis": "new_submissions", "picture": "curves",
        "scores": 1, "partition": 0, "budget": 8, "bands": True, "ranges": True, "static": True, "play": False,
        "guess": 3.0, "bank": "simulated:livebench", "focus": "fewest", "precision": "own", "rule": "", "groups": False,
        "trials": 100, "seed": 0, "rules": ("task", "category", "overall", "overall+round:1", "overall+ladder:1"),
        "more": "", "tolerance": 1.0,
    }  # fmt: skip
    assert {item.name: item.default for item in CONTROLS.items} == frozen
    labels = {
        item.name: [label for _, label in item.options] for item in CONTROLS.items if hasattr(item, "options")
    }
    assert labels["view"] == ["Published", "Recomputed live", "Rules compared"]
    assert labels["axis"] == ["Submissions", "Released scores"]
    assert labels["picture"] == ["Curves", "Surface", "Heat map"]
    assert labels["scores"] == [str(one) for one in DIMENSIONS]
    assert labels["budget"] == [str(one) for one in BUDGETS]
    assert labels["rules"] == [label for _, label in RULES]


# Published ---------------------------------------------------------------------------------------------------------


def test_the_page_opens_with_a_guess_and_one_curve():
    at = open_page()
    assert not at.exception
    assert at.title[0].value == (
        "What counts is the number of released scores, not of submissions: 90 % false winners take 4 to 64 submissions, "
        "but 42 to 63 scores"
    )
    assert "Guess first" in text_of(at)
    (alt,) = alts_of(at)
    assert "1.43" not in alt
    assert "4.29" in alt
    assert link_of(at) == {"v": ["1"]}


def test_a_guess_is_judged():
    at = open_page()
    at.slider(key="fb_guess").set_value(4.0).run()
    at.button(key="fb_guess_given").click().run()
    assert "You guessed 4.0 pp" in text_of(at)
    assert "2.6 pp too high" in text_of(at)
    assert len(alts_of(at)) == 2


def test_headlines_follow_the_controls():
    at = open_page(reveal="1")
    assert (
        at.header[0].value == "At 8 submissions the loss is 1.43 pp with 1 returned score and 4.29 pp with 18"
    )
    at.select_slider(key="fb_budget").set_value(128).run()
    assert "within 4.59 to 4.85 pp. By then returning fewer scores no longer makes a difference" in text_of(
        at
    )
    at.segmented_control(key="fb_measure").set_value("false_winner").run()
    assert "a spread of 16×, and after 42 to 63 released scores, a spread of 1.5×" in text_of(at)
    assert "over single partitions the spread is 16× by submissions and 2.2× by scores" in text_of(at)
    at.segmented_control(key="fb_axis").set_value("released_scores").run()
    assert at.header[0].value == (
        "Counted in released scores the curves come together: 90 % false winners after 42 to 63 scores"
    )
    assert link_of(at) == {
        "v": ["1"], "fb_budget": ["128"], "fb_measure": ["False winners"], "fb_axis": ["Released scores"], "reveal": ["1"],
    }  # fmt: skip


def test_the_tiles_show_the_grouping_of_the_curve_in_focus():
    at = open_page(reveal="1", fb_scores="3")
    assert (
        "group 1: plot_unscrambling, summarize, spatial, typos, AMPS_Hard and zebra_puzzle" in alts_of(at)[1]
    )
    at.segmented_control(key="fb_partition").set_value(2).run()
    assert "partition 2" in alts_of(at)[1]
    assert "group 1: plot_unscrambling, summarize" not in alts_of(at)[1]
    at.select_slider(key="fb_scores").set_value(18).run()
    assert "18 returned scores of 1 task each" in alts_of(at)[1]


def test_static_ranges_and_interval_can_be_hidden():
    at = open_page(reveal="1")
    assert "Grey bars" in at.caption[0].value
    assert "static control" in text_of(at)
    at = open_page(reveal="1", fb_static="false", fb_ranges="false", fb_bands="false")
    assert "Grey bars" not in at.caption[0].value
    assert "Bold" not in at.caption[0].value
    assert "static control" not in text_of(at)


def test_play_puts_a_scrubber_into_the_figure():
    at = open_page(reveal="1", fb_play="true")
    assert not at.exception
    assert '"frame"' in at.get("vega_lite_chart")[0].proto.spec
    assert any(button.label == "Use this" for button in at.button)


def test_use_this_copies_the_frame_to_the_control():
    from pages.kit import play

    class State(dict):
        pass

    state = State({"chart": {"selection": {"frame": 5}}})
    before, play.st.session_state = play.st.session_state, state
    try:
        play._use("chart", CONTROLS, "scores", DIMENSIONS)
        assert state["fb_scores"] == 9
        state["chart"] = {"selection": {"frame": 7}}
        play._use("chart", CONTROLS, "scores", DIMENSIONS)
        assert state["fb_scores"] == 9
    finally:
        play.st.session_state = before


@pytest.mark.parametrize("picture", ["Surface", "Heat map"])
def test_the_surface_is_plotlys(picture):
    at = open_page(reveal="1", fb_picture=picture)
    assert not at.exception
    assert not at.error
    (chart,) = at.get("plotly_chart")
    assert "6 numbers of returned scores from 1 to 18" in chart.proto.alt
    assert "Selection loss runs from 0.25 pp" in at.header[0].value


@pytest.mark.parametrize(
    "query",
    [
        {"fb_scores": "4"},
        {"fb_measure": "Rank drop"},
        {"fb_partition": "3"},
        {"fb_tolerance": "NaN"},
        {"fb_rules": "Nonsense"},
        {"fb_trials": "1000000"},
    ],
)
def test_bad_values_fall_back_with_a_notice(query):
    at = open_page(**{"fb_bank": "Terminal-Bench-Science", **query})
    assert not at.exception
    assert not at.error
    assert "left out" in text_of(at)


def test_a_rule_that_is_too_long_is_told():
    at = open_page(**LIVE, fb_rule="x" * 500)
    assert not at.exception
    assert "left out" in text_of(at)
    assert "Unknown feedback rule" in at.error[0].value


def test_title_and_words_change_with_the_data(monkeypatch):
    rows = published_richness("false_winner")
    rows.loc[(rows["dimension"] == 1) & (rows["new_submissions"] == 32), "value"] = 95.0
    assert "take 4 to 32 submissions, but 31 to 63 scores" in words.page_claim(rows)
    rows["released_scores"] = rows["new_submissions"]
    assert "What counts" not in words.page_claim(rows)


def test_without_the_published_table_the_rules_still_run(monkeypatch):
    def gone(measure):
        raise DataError("The shipped file data/published/feedback_score_gap.csv is missing. Restore it.")

    figures.published_rows.clear()
    monkeypatch.setattr(figures, "published_richness", gone)
    try:
        at = open_page(reveal="1")
        assert at.title[0].value == PAGE.title
        assert "feedback_score_gap.csv is missing" in at.error[0].value
        at = finished(open_page(**COMPARED))
        assert not at.error
        assert alts_of(at)
    finally:
        figures.published_rows.clear()


# Live --------------------------------------------------------------------------------------------------------------


def test_the_experiment_runs_live():
    at = finished(open_page(**LIVE))
    assert not at.exception
    assert not at.error
    assert "2 curves of selection loss on Terminal-Bench-Science" in alts_of(at)[0]
    assert "recomputed values" in alts_of(at)[0]
    assert "Terminal-Bench-Science: each tile is a task" in " ".join(text.value for text in at.caption)


def test_the_readers_rule_is_a_further_curve():
    at = finished(open_page(**LIVE, fb_rule="overall+noise:1", fb_focus="Your rule"))
    assert "the rule overall+noise:1" in alts_of(at)[0]
    assert "Under your rule 7.0 scores are released within 8 submissions" in text_of(at)
    assert link_of(at)["fb_rule"] == ["overall+noise:1"]


def test_the_readers_groups_are_played_and_stay_out_of_the_link():
    at = finished(open_page(**LIVE, fb_groups="true"))
    assert not at.error
    assert "the rule groups:yours" in alts_of(at)[0]
    assert "grouped as in your table" in alts_of(at)[1]
    assert not any("first" in "".join(values) for values in link_of(at).values())


@pytest.mark.parametrize(
    "content",
    [b"task,group\nnowhere,a\n", b"name,group\nnowhere,a\n", b"\xff\xfe\x00"],
    ids=["task", "column", "text"],
)
def test_a_wrong_file_of_groups_is_said_once_and_runs_nothing(content):
    at = open_page(**LIVE, fb_groups="true")
    at.file_uploader(key="fb_groups_file").set_value(("groups.csv", content, "text/csv")).run()
    assert not at.exception
    assert len(at.error) == 1
    assert not alts_of(at)
    assert not at.get("progress")


@pytest.mark.parametrize(
    ("rule", "words_"),
    [
        ("category+round:7", "does not divide 100 pp"),
        ("categories", "Unknown feedback rule 'categories'"),
        ("grouped:3:0", "choose from 1, 5"),
        ("groups:/etc/hostname", "Here a rule reads no file"),
        ("groups:yours", "Here a rule reads no file"),
        ("overall+cap:0", "a cap is a whole number from 1"),
    ],
)
def test_a_rule_that_cannot_be_meant_is_a_sentence_with_the_grammar(rule, words_):
    at = open_page(**LIVE, fb_rule=rule)
    assert not at.exception
    assert words_ in at.error[0].value
    assert "A rule is one of task, category" in at.error[0].value
    assert not at.get("progress")


def test_a_simulated_benchmark_says_so(own_queue):
    at = open_page(fb_view="Recomputed live", fb_trials="50", fb_bank="Free-form (simulated)")
    at = finished(at)
    assert "simulated values" in alts_of(at)[0]
    assert "the items are invented" in text_of(at)
    assert "published" not in [text.value for text in at.markdown if "badge" in text.value]


def test_leaving_the_page_ends_its_job(own_queue):
    at = open_page(fb_view="Recomputed live", fb_seed="77", fb_trials="250")
    assert own_queue._jobs
    at.switch_page("pages/start.py").run()
    assert not own_queue._jobs


# Rules -------------------------------------------------------------------------------------------------------------


def test_rules_stand_side_by_side_and_the_published_study_apart():
    at = finished(open_page(**COMPARED, fb_more="category+cap:4"))
    assert not at.exception
    assert not at.error
    compared, published_alt = alts_of(at)
    assert "6 feedback rules on Terminal-Bench-Science as marks, recomputed values" in compared
    assert "category+cap:4" in compared
    assert "published values" in published_alt
    assert "recomputed" not in published_alt
    assert len(at.dataframe[0].value) == 6
    assert "aggregate 1.41 pp, category 4.76 pp and task 4.28 pp" in text_of(at)
    at.slider(key="fb_tolerance").set_value(4.0).run()
    assert "within 4.00 pp" in text_of(at) or "Within a loss of 4.00 pp" in text_of(at)


def test_no_rule_is_a_sentence():
    at = open_page(**COMPARED)
    at.pills(key="fb_rules").set_value([]).run()
    assert "Choose at least one" in at.info[0].value
    assert len(alts_of(at)) == 1


def test_a_bad_further_rule_is_a_sentence_and_the_published_study_stays():
    at = open_page(**COMPARED, fb_more="category+ladder:x")
    assert "expected a number above 0" in at.error[0].value
    assert len(alts_of(at)) == 1


def test_budgets_beyond_the_published_study_are_said():
    at = open_page(**COMPARED, fb_budget="2048", fb_rules="Category scores")
    assert "The published study ends at 128 submissions" in text_of(at)


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_works_as_button_and_as_link(preset):
    by_button = open_page()
    by_button = finished(by_button.button(key=f"fb_preset_{preset.name}").click().run())
    assert not by_button.exception
    assert not by_button.error
    assert preset.why in [text.value for text in by_button.caption]
    query = parse_qs(urlsplit(preset_link(PAGE, CONTROLS, preset)).query)
    by_link = finished(open_page(**query))
    assert "left out" not in text_of(by_link)
    assert alts_of(by_link) == alts_of(by_button)
    assert link_of(by_link) == link_of(by_button) == query


def test_the_preset_about_the_end_tells_the_truth():
    rows = published_richness("model_selection_loss_pp").query("new_submissions == 128")
    ends = rows.set_index("dimension")["value"]
    assert abs(ends[1] - ends[18]) < 0.1


def test_the_preset_about_the_ladder_tells_the_truth():
    (preset,) = [one for one in PRESETS if one.name == "ladder"]
    at = finished(open_page(**parse_qs(urlsplit(preset_link(PAGE, CONTROLS, preset)).query)))
    table = at.dataframe[0].value.set_index("Rule")
    kept = table["Pairs kept (%)"].astype(float)
    loss = table["Loss (pp)"].str.split().str[0].astype(float)
    assert loss["overall+ladder:1"] == loss.min()
    assert kept["overall+ladder:1"] < 20 < kept["overall"]
