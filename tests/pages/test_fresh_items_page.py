"""The changed facts page: steps, cutoff, presets, links, files, and nothing contacted unasked."""

from __future__ import annotations

import json
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from core.errors import DataError, UsageError
from core.fresh.building import BuildSettings
from core.fresh.facts import Drop
from core.fresh.items import LETTERS
from core.fresh.live import LiveSet, fetch_set, subjects
from core.fresh.sample import DEFAULT_CUTOFF, DEFAULT_UNTIL, load_sample
from core.fresh.web import PoliteClient
from pages.kit import jobs
from pages.kit.presets import preset_link
from pages.kit.registry import ROOT, page_info
from pages.parts.fresh_items import data, words
from pages.parts.fresh_items.controls import CONTROLS, DAYS, MODELS, PRESETS
from tests.fresh.fake_wiki import FakeWiki
from tests.fresh.wikidata_json import world

PAGE = page_info("fresh_items")
VIEWS = ("Which facts", "One change", "Build a set", "Score answers", "Published")


def open_page(**query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    for key, value in query.items():
        at.query_params[key] = value
    return at.switch_page("pages/fresh_items.py").run()


def text_of(at):
    return "\n".join(
        text.value for part in (at.markdown, at.header, at.subheader, at.caption, at.info) for text in part
    )


def alts_of(at):
    return [chart.proto.alt for chart in at.get("vega_lite_chart")]


@pytest.fixture(autouse=True)
def _no_network(monkeypatch):
    def refuse(*_args, **_kwargs):
        raise AssertionError("the page contacted something unasked")

    monkeypatch.setattr(PoliteClient, "get", refuse)


def test_defaults_of_links_are_frozen():
    assert {item.name: item.default for item in CONTROLS.items} == {
        "view": "facts", "cutoff": "2022-06-30", "made_up": False, "fact": "Q38-P6", "format": "generation", "hops": 1,
        "distractors": 0, "seed": 0, "answers": "memory", "learnt": "2023-06-30", "bucket": "year",
        "result": ("generation", "EM"), "model": "Mistral-Nemo-12B", "guess": 10.0,
    }  # fmt: skip
    assert [label for _, label in CONTROLS["view"].options] == list(VIEWS)
    assert (DAYS[0], DAYS[-1], len(DAYS)) == (
        ("2021-12-31", "31 December 2021"),
        ("2024-06-30", "30 June 2024"),
        31,
    )
    assert len(CONTROLS["fact"].options) == len({label for _, label in CONTROLS["fact"].options}) == 131
    assert set(data.published_rows()["model"]) == set(MODELS)


@pytest.mark.parametrize("view", VIEWS)
def test_every_step_opens(view):
    at = open_page(ff_view=view, reveal="1")
    assert not at.exception
    assert not at.error
    assert alts_of(at)
    assert "cannot have leaked" in at.title[0].value


def test_the_title_and_the_figures_follow_the_cutoff():
    at = open_page()
    before = at.title[0].value, alts_of(at)
    assert before[0].startswith("86 of 116 facts changed after 30 June 2022")
    at.select_slider(key="ff_cutoff").set_value("2024-03-31").run()
    facts, funnel = load_sample().changed_facts(data.day_of("2024-03-31"), made_up=False)
    assert at.title[0].value.startswith(
        f"{len(facts)} of {funnel.considered} facts changed after 31 March 2024"
    )
    assert alts_of(at) != before[1]
    assert parse_qs(urlsplit(at.code[0].value).query)["ff_cutoff"] == ["31 March 2024"]


def test_made_up_cases_show_every_reason_of_the_rule():
    at = open_page(ff_made_up="true")
    assert "made-up cases are counted" in text_of(at)
    alt = alts_of(at)[1]
    for reason in (
        Drop.NO_START,
        Drop.NO_OLD,
        Drop.TIE,
        Drop.NO_VALUE,
        Drop.UNCHANGED,
        Drop.REVERTED,
        Drop.NO_END,
        Drop.OVERLAP,
        Drop.NO_LABEL,
        Drop.NO_PAGE,
    ):
        assert reason.value in alt


def test_one_change_is_stepped_through():
    at = open_page(ff_view="One change")
    said = text_of(at)
    assert "Mario Draghi, then Giorgia Meloni" in said
    assert ":blue-background[Giorgia Meloni]" in said
    assert ":gray-background[Italy]" in said
    assert ":orange-background[Mario Draghi]" in said
    assert "Who now leads the government of Italy?" in said.replace("\\", "")
    assert "a summary in our own words" in said
    at.segmented_control(key="ff_format").set_value("choice").run()
    assert "badge[outdated]" in text_of(at)


@pytest.mark.parametrize(
    ("fact", "reason"),
    [
        ("Port Vellamo: head of government (made up)", Drop.NO_START),
        ("Mirosk: head of government (made up)", Drop.REVERTED),
        ("The Oster Courier: editor (made up)", Drop.OVERLAP),
        ("Tenby Gannets: team captain (made up)", Drop.NO_PAGE),
        ("Isle of Brannoch: capital (made up)", Drop.NO_DOCUMENT),
        ("Corvane Museum: director or manager (made up)", Drop.NOT_NAMED),
    ],
)
def test_a_case_that_gives_no_item_says_why(fact, reason):
    at = open_page(ff_view="One change", ff_fact=fact)
    assert not at.exception
    assert reason.value in text_of(at)


@pytest.mark.parametrize("pair", [value for value, _ in CONTROLS["fact"].options])
def test_every_fact_can_be_opened(pair):
    subject, relation = pair.split("-")
    rows = data.timeline_rows((subject, relation), "2022-06-30")
    found = data.outcome((subject, relation), "2022-06-30")
    assert isinstance(found, Drop) or not rows.empty


def test_the_day_rule_is_shown_on_a_made_up_page():
    verdicts = [row["verdict"] for row in data.day_rule_rows()]
    assert [verdict.split(":")[0] for verdict in verdicts] == [
        "not later than the day of the change", "not later than the day of the change", "not later than the day of the change",
        "same day, but not the last", "taken", "a later day",
    ]  # fmt: skip


def test_names_with_special_characters_are_shown_as_they_are():
    fact = load_sample().outcome(("Q104770", "P634"), data.day_of("2023-12-31"), DEFAULT_UNTIL)
    marked = words.marked("1. FC Köln [x] *y* has Timo Hübers.", fact)
    assert marked == ":gray-background[1\\. FC Köln] \\[x\\] \\*y\\* has :blue-background[Timo Hübers]\\."


def test_a_set_is_built_and_offered():
    at = open_page(ff_view="Build a set", ff_format="Four options", ff_distractors="3")
    built = data.item_set(data.Wish("2022-06-30", "choice", 1, 3))
    assert f"{len(built.items)} items from {built.funnel.kept} facts" in text_of(at)
    assert len(at.dataframe[0].value) == len(built.items)
    assert {"ff_set_items", "ff_set_prompts"} <= {
        button.key for button in at.get("download_button")
    } or at.get("download_button")


def test_a_form_without_items_is_a_sentence():
    at = open_page(ff_view="Score answers", ff_hops="Three", ff_cutoff="30 June 2024")
    assert "No item of this form" in text_of(at)
    assert not at.error


@pytest.mark.parametrize("who", ["Memory up to a day", "Memory of the old values", "A plain reader"])
def test_simple_answerers_are_scored_as_simulated(who):
    at = open_page(ff_view="Score answers", ff_answers=who)
    assert not at.exception
    assert "Simulated." in text_of(at)
    assert "no model stands behind it" in text_of(at)


def test_a_memory_shows_the_contamination_signal():
    title = open_page(ff_view="Score answers").header[0].value
    assert "100.0 % right on changes by that day, 0.0 % on later ones, where 100.0 % are outdated" in title


def upload(at, rows, name="answers.jsonl"):
    content = "\n".join(json.dumps(row) for row in rows).encode() if isinstance(rows, list) else rows
    at.file_uploader(key="ff_answers_file").set_value((name, content, "application/json")).run()
    return at


def test_the_readers_own_answers_are_scored():
    at = open_page(ff_view="Score answers", ff_answers="A file", ff_format="Four options")
    items = data.item_set(data.Wish("2022-06-30", "choice")).items
    upload(
        at,
        [{"id": item.id, "output": item.correct_letter} for item in items[:-1]]
        + [{"id": "Q0", "output": LETTERS[0]}],
    )
    assert not at.exception
    assert "Recomputed." in text_of(at)
    notes = [note.value for note in at.warning]
    assert any("no item has their id: 1 (Q0)" in note for note in notes)
    assert any("count as wrong: 1" in note for note in notes)


@pytest.mark.parametrize("content", [b"{", b"", b'{"id": "Q0", "output": "A"}', b"\xff\xfe"])
def test_a_bad_answers_file_is_a_sentence(content):
    at = upload(open_page(ff_view="Score answers", ff_answers="A file"), content)
    assert not at.exception
    assert "answers.jsonl" in at.error[0].value


def test_the_published_step_asks_first_and_then_shows():
    at = open_page(ff_view="Published")
    assert len(alts_of(at)) == 2
    assert "falls" not in " ".join(alts_of(at))
    assert "31.5" not in text_of(at)
    at.slider(key="ff_guess").set_value(20.0).run()
    at.button(key="ff_guess_given").click().run()
    assert "You guessed 20.0 points" in text_of(at)
    assert len(alts_of(at)) == 3
    assert "Gemma-2-9B average" in text_of(at)
    assert "contamination signal" in text_of(at)
    before = alts_of(at)
    at.selectbox(key="ff_model").set_value("GPT-4o").run()
    assert alts_of(at)[:2] != before[:2]


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_works_as_button_and_as_link(preset):
    by_button = open_page()
    by_button.button(key=f"ff_preset_{preset.name}").click().run()
    assert not by_button.exception
    assert not by_button.error
    assert preset.why in [text.value for text in by_button.caption]
    by_link = open_page(**parse_qs(urlsplit(preset_link(PAGE, CONTROLS, preset)).query))
    assert "left out" not in text_of(by_link)
    assert alts_of(by_link) == alts_of(by_button)


@pytest.mark.parametrize(
    "query",
    [
        {"ff_view": "Nonsense"}, {"ff_cutoff": "31 February 2023"}, {"ff_fact": "Atlantis: capital"}, {"ff_hops": "9"},
        {"ff_seed": "-1"}, {"ff_learnt": ""}, {"ff_guess": "NaN"}, {"ff_made_up": "maybe"}, {"ff_unknown": "1"},
    ],
)  # fmt: skip
def test_bad_values_fall_back_with_a_notice(query):
    at = open_page(**query)
    assert not at.exception
    assert not at.error
    assert "left out" in text_of(at)


def test_without_the_published_table_the_rest_works(monkeypatch):
    def gone():
        raise DataError("The shipped file data/published/antileak_results.csv is missing.")

    data.published_rows.clear()
    monkeypatch.setattr("core.fresh.published.results", gone)
    try:
        at = open_page(ff_view="Published", reveal="1")
        assert "antileak_results.csv is missing" in at.error[0].value
        assert not at.exception
        assert not open_page().error
    finally:
        data.published_rows.clear()


# Fetch live.


def test_live_says_whom_it_contacts_before_anything_is(monkeypatch):
    asked = []
    monkeypatch.setattr("pages.parts.fresh_items.fetching.job_result", lambda *a, **_: asked.append(a))
    at = open_page(ff_view="Build a set")
    assert not at.text_input
    at.toggle(key="ff_live").set_value(True).run()
    assert "www.wikidata.org and en.wikipedia.org" in text_of(at)
    at.text_input(key="ff_live_ids").set_value("Q1, Q2").run()
    assert asked == []
    at.button(key="ff_live_go").click().run()
    assert asked[0][3] == ("Q1", "Q2")
    at.toggle(key="ff_live").set_value(False).run()
    assert len(asked) == 1


def test_a_live_set_is_shown_with_its_counts(monkeypatch):
    facts = tuple(load_sample().changed_facts(DEFAULT_CUTOFF)[0][:3])
    items = data.item_set(data.Wish("2022-06-30")).items[:3]
    made = LiveSet(facts, items, data.changed("2022-06-30", made_up=False)[1], requests=7, cached=1)
    monkeypatch.setattr("pages.parts.fresh_items.fetching.job_result", lambda *_, **__: made)
    at = open_page(ff_view="Build a set")
    at.toggle(key="ff_live").set_value(True).run()
    at.text_input(key="ff_live_ids").set_value("Q672")
    at.button(key="ff_live_go").click().run()
    assert not at.exception
    assert "3 facts changed after the cutoff, 3 items built; 7 requests, 1 answer from disk." in text_of(at)


def test_a_wrong_id_is_a_sentence():
    at = open_page(ff_view="Build a set")
    at.toggle(key="ff_live").set_value(True).run()
    at.text_input(key="ff_live_ids").set_value("Italy")
    at.button(key="ff_live_go").click().run()
    assert "'Italy' is no Wikidata id" in at.error[0].value
    assert not at.exception


@pytest.mark.parametrize("text", ["", "Arland", "Q1, P6", " ".join(f"Q{n}" for n in range(1, 12))])
def test_ids_are_checked(text):
    with pytest.raises(UsageError, match="Wikidata id"):
        subjects(text)


def test_a_live_set_is_fetched_politely(monkeypatch, tmp_path):
    monkeypatch.undo()
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path))
    pages = {"New Head": [(5, "2023-03-12T09:00:00Z", "'''New Head''' leads [[Arland]].")], "Bo Berg": []}
    wiki = FakeWiki(world(), pages)
    told = []
    try:
        found = fetch_set(
            ("Q1", "Q2"), BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL), progress=lambda done, total: told.append((done, total)),
            client=PoliteClient(interval=0), addresses=(wiki.url, wiki.url),
        )  # fmt: skip
    finally:
        wiki.close()
    assert isinstance(found, LiveSet)
    assert [item.documents[0].revision_id for item in found.items] == [5]
    assert found.funnel.dropped[Drop.NO_DOCUMENT] == 1
    assert told == [(1, 2), (2, 2)]
    assert found.requests == len(wiki.seen)


def test_the_job_can_be_sent_to_a_worker():
    import pickle

    settings = BuildSettings(DEFAULT_CUTOFF, DEFAULT_UNTIL)
    assert pickle.loads(pickle.dumps((fetch_set, ("Q1",), settings)))[2] == settings
    assert hash(("fresh-live", ("Q1",), settings))
    assert pickle.loads(pickle.dumps(LiveSet((), (), requests=1))).requests == 1
    assert jobs.queue is not None
