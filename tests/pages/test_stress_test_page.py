"""The stress test page: default view, uploads with their faults and repairs, the attack in portions, results and report."""

from __future__ import annotations

import io
import re
import zipfile

import pytest
from streamlit.testing.v1 import AppTest

from core import __main__ as command_line
from core.benchmark.reading import check_benchmark
from core.report import FILES
from pages.kit.controls import version_fault
from pages.kit.jobs import queue
from pages.kit.limits import upload_limit_mb
from pages.kit.literal import plain
from pages.kit.registry import ROOT
from pages.parts.stress_test import samples
from pages.parts.stress_test.controls import COMPARED, CONTROLS, PRESETS, budgets_up_to, rules_of
from pages.parts.stress_test.words import claim
from tests.report.report_samples import items_csv, small_benchmark

SMALL = {"st_source": "Your own file", "st_trials": "25", "st_largest": "32"}
INCOMPLETE = b"model,item,score\na,q,1\na,r,1\nb,q,0\nb,r,0\nc,q,1\n"


@pytest.fixture(autouse=True)
def _nobody_else():
    yield
    queue().leave("nobody")


def open_page(**query):
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60).run()
    for key, value in query.items():
        at.query_params[key] = value
    return at.switch_page("pages/stress_test.py").run()


def upload(at, content, name="mine.csv", settings=None):
    at.file_uploader(key="st_items").set_value((name, content, "text/csv"))
    if settings is not None:
        at.file_uploader(key="st_settings").set_value(("settings.toml", settings, "application/toml"))
    return at.run()


def finish(at, most=40):
    """Press the button and rerun until all portions are there, as the page's fragment does in a browser."""
    at.button(key="st_start").click().run()
    for _ in range(most):
        if any(button.key == "st_stop" for button in at.button):
            for job in list(queue()._jobs.values()):
                job.over.wait(60)
            at.run()
        else:
            return at
    pytest.fail("The attack did not end.")


def words_of(at):
    parts = [
        *at.title,
        *at.header,
        *at.subheader,
        *at.markdown,
        *at.caption,
        *at.error,
        *at.info,
        *at.warning,
    ]
    return "\n".join(str(part.value) for part in parts)


def test_the_default_view_is_a_result(monkeypatch):
    at = open_page(reveal="1")
    assert not at.exception
    assert not at.error
    assert "Terminal-Bench-Science" in at.title[0].value
    assert len(at.get("vega_lite_chart")) == 3
    assert "In no trial" not in words_of(at)
    assert at.get("arrow_data_frame") or at.dataframe


def test_defaults_and_labels_are_frozen():
    assert {item.name: item.default for item in CONTROLS.items} == {
        "source": "terminal_science", "rule": "", "compare": ("+ladder:1", "policy:aggregate"), "tolerance": 1.0,
        "largest": 128, "measure": "model_selection_loss_pp", "trials": 100, "endpoints": "top5", "seed": 0,
        "incomplete": "stop", "coordinates": "as given", "ranking": "as given", "precision": "as given",
        "holdout": "as given", "repeats": 0, "guess": 8,
    }  # fmt: skip
    assert version_fault({"v": ["1"]}) is None


@pytest.mark.parametrize("preset", PRESETS, ids=lambda preset: preset.name)
def test_every_preset_opens(preset):
    query = {key: values for key, values in CONTROLS.query(preset.values).items() if key != "v"}
    at = open_page(**query)
    assert not at.exception
    assert not at.error
    assert any(preset.why[:40] in text.value for text in at.caption)
    assert at.get("vega_lite_chart")


def test_an_upload_is_asked_for_and_the_limit_is_said(monkeypatch):
    monkeypatch.setenv("MIRAGE_MAX_UPLOAD_MB", "7")
    at = open_page(**SMALL)
    assert "up to 7 MB" in at.file_uploader(key="st_items").label
    assert "never data" in at.info[0].value
    assert not at.get("vega_lite_chart")
    assert not at.error
    names = {button.proto.label for button in at.get("download_button")}
    assert {"Template", "Example", "Settings with every key"} <= names


@pytest.mark.parametrize(
    ("text", "limit"), [("", 200), ("7", 7), ("0", 200), ("-3", 200), ("x", 200), ("999", 999)]
)
def test_the_limit(monkeypatch, text, limit):
    monkeypatch.setenv("MIRAGE_MAX_UPLOAD_MB", text)
    assert upload_limit_mb() == limit


def test_a_file_over_the_limit_is_refused_with_its_size(monkeypatch):
    monkeypatch.setenv("MIRAGE_MAX_UPLOAD_MB", "1")
    at = upload(open_page(**SMALL), b"model,item,score\n" + b"a,q,1\n" * 300_000)
    assert "takes up to 1 MB" in words_of(at)


def test_the_template_and_the_example_can_be_read():
    for text in (samples.TEMPLATE, samples.example()):
        report, benchmark = check_benchmark(text.encode(), samples.SETTINGS.encode(), label="x.csv")
        assert report.faults == ()
        assert benchmark.settings.name == "My benchmark"


def test_every_fault_is_listed_at_once_with_rows():
    at = upload(open_page(**SMALL), b"model,item,score\na,q,1\na,q,1\nb,q,7\nb,,x\n")
    (said,) = [fault.value for fault in at.error]
    assert "cannot be used yet" in said
    assert said.count("\n- ") >= 3
    for part in ("row 3 repeats row 2", "row 5", "header is row 1"):
        assert part in said.replace("\\", "")
    assert not at.get("vega_lite_chart")


def test_a_repair_is_offered_and_works():
    at = upload(open_page(**SMALL), INCOMPLETE)
    assert "lacks 1" in at.error[0].value.replace("\\", "")
    at.button_group(key="st_incomplete").set_value("drop_models").run()
    assert not at.error
    assert "Dropped 1 model" in words_of(at).replace("\\", "")
    assert "2 models, 2 items" in words_of(at)


def test_bad_settings_are_a_sentence():
    at = upload(open_page(**SMALL), INCOMPLETE, settings=b"rankin = 2\n")
    assert "Unknown setting 'rankin'. Did you mean 'ranking'?" in at.error[0].value.replace("\\", "")


def test_the_attack_runs_in_portions_and_ends_with_the_command_line_s_report(tmp_path, capsys):
    bank = small_benchmark()
    content = items_csv(bank)
    settings = b'coordinates = "task"\n'
    at = upload(open_page(**SMALL), content, settings=settings)
    assert "6 models, 48 items" in words_of(at)
    assert not at.get("vega_lite_chart")
    at.button(key="st_start").click().run()
    for job in list(queue()._jobs.values()):
        job.over.wait(60)
    at.run()
    assert "So far: 10 of 25 trials" in words_of(at)
    assert len(at.get("vega_lite_chart")) == 1
    for _ in range(10):
        if not any(button.key == "st_stop" for button in at.button):
            break
        for job in list(queue()._jobs.values()):
            job.over.wait(60)
        at.run()
    assert "So far" not in words_of(at)
    assert "Your benchmark" in at.title[0].value
    assert len(at.get("vega_lite_chart")) == 3
    report = at.session_state["_st_view"][1]["report"]
    items, toml = tmp_path / "mine.csv", tmp_path / "settings.toml"
    items.write_bytes(content)
    toml.write_bytes(settings)
    rules = ",".join(rules_of("task", ("+ladder:1", "policy:aggregate")))
    status = command_line.main(
        ["report", str(items), "--settings", str(toml), "--rules", rules, "--trials", "25", "--budgets", "1,2,4,8,16,32",
         "--out", str(tmp_path / "out"), "--quiet"]
    )  # fmt: skip
    assert status == 0
    with zipfile.ZipFile(io.BytesIO(report.archive())) as archive:
        for name in FILES:
            assert archive.read(f"report/{name}") == (tmp_path / "out" / name).read_bytes(), name


def test_stop_ends_the_job_and_keeps_what_is_there():
    at = upload(open_page(**SMALL | {"st_trials": "1,000"}), items_csv(small_benchmark()))
    at.button(key="st_start").click().run()
    assert any(button.key == "st_stop" for button in at.button)
    at.button(key="st_stop").click().run()
    assert any(button.key == "st_start" for button in at.button)
    assert not [job for job in queue()._jobs.values() if job.state == "running" and "upload" in str(job.key)]


def test_a_changed_rule_gives_up_the_running_job():
    at = upload(open_page(**SMALL | {"st_trials": "1,000"}), items_csv(small_benchmark()))
    at.button(key="st_start").click().run()
    before = [job for job in queue()._jobs.values() if "upload" in str(job.key)]
    at.text_input(key="st_rule").set_value("task+cap:3").run()
    after = [job for job in queue()._jobs.values() if "upload" in str(job.key)]
    assert not set(before) & set(after)
    at.button(key="st_stop").click().run()


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        ("taks", "Unknown feedback rule 'taks'"),
        ("task+rond:1", "Unknown part '+rond:1'"),
        ("groups:/etc/passwd", "for the command line only"),
        ("groups:/etc/passwd+cap:3", "for the command line only"),
    ],
)
def test_a_rule_that_makes_no_sense_is_a_sentence(rule, message):
    at = open_page(st_rule=rule)
    assert not at.exception
    assert message in at.error[0].value
    assert "root:" not in words_of(at)


def test_a_settings_file_cannot_name_a_file_of_the_server():
    settings = b'feedback = "groups:/etc/passwd"\n'
    at = upload(open_page(**SMALL), items_csv(small_benchmark()), settings=settings)
    assert "for the command line only" in words_of(at)
    assert "root:" not in words_of(at)


def test_not_reached_is_plain():
    at = open_page(st_tolerance="10.0", st_compare="One score alone")
    assert "not reached within 128 submissions" in words_of(at)
    assert "stays within 10 pp for all 128 submissions tried" in at.title[0].value


def test_simulated_benchmarks_carry_their_badge():
    at = open_page(st_source="Simulated LiveBench", st_trials="25", st_largest="32", st_compare="Cap of 16")
    finish(at)
    assert any("simulated" in text.value for text in at.markdown)
    assert not any(":green-badge" in text.value for text in at.markdown)


def test_rules_and_budgets():
    assert budgets_up_to(128) == (1, 2, 4, 8, 16, 32, 64, 128)
    assert rules_of("task", tuple(rule for rule, _ in COMPARED))[0] == "task"
    assert rules_of("policy:aggregate", ("policy:aggregate",)) == ("policy:aggregate",)


@pytest.mark.parametrize(
    ("status", "submissions", "expected"),
    [
        ("reached", 16, "My bank survives 16 submissions before the loss exceeds 1 pp"),
        ("not_reached", None, "My bank stays within 1 pp for all 64 submissions tried"),
        ("exceeded_at_once", 0, "My bank loses more than 1 pp at the first tested budget"),
        ("no_pair", None, "My bank leaves this attack no two models to mix"),
    ],
)
def test_the_claim(status, submissions, expected):
    survival = {"status": status, "submissions": submissions, "largest_budget": 64}
    assert claim("my bank", {"survival": survival}, 1.0) == expected


def test_plain_text_has_no_markup_left():
    hostile = "![x](http://evil/p.png) [a](b) :red[c] $x$ `d` <img src=x> **e** # f"
    said = plain(hostile)
    assert "\\!\\[x\\]\\(http" in said
    assert "<" not in said
    assert not re.search(r"(?<!\\)[\[\]()`*$:!#]", said)


def test_an_upload_that_was_simulated_keeps_its_badge(tmp_path):
    from core.benchmark.check_report import CheckReport
    from core.benchmark.free_form import free_form
    from core.benchmark.reading import check_benchmark, write_benchmark
    from pages.parts.stress_test.sources import Bank

    items, _ = write_benchmark(free_form(3, 2, 30, 5.0, 0.2, 1), tmp_path / "drawn")
    report, benchmark = check_benchmark(items.read_bytes(), {}, label="items.parquet")
    assert Bank("upload 1", "your benchmark", report, benchmark, own=True).origin == "simulated"
    assert Bank("upload 2", "your benchmark", CheckReport(()), None, own=True).origin == "recomputed"
