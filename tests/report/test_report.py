"""The maintainer's report: the same bytes every time, complete, and without anything of an item."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from core import __main__ as command_line
from core.errors import UsageError
from core.report import FILES, default_rules, make_report
from tests.report.report_samples import CANARY_ITEM, CANARY_PROMPT, items_csv, small_benchmark

ROOT = Path(__file__).resolve().parents[2]
QUICK = {"budgets": (1, 2, 8, 32), "trials": 12, "cache": False}
SCRIPT = (
    "import hashlib, sys; from tests.report.report_samples import small_benchmark; from core.report import make_report; "
    "r = make_report(small_benchmark(), budgets=(1, 2, 8, 32), trials=12, cache=False); "
    "print(hashlib.sha256(r.archive()).hexdigest())"
)


@pytest.fixture(scope="module")
def report():
    return make_report(small_benchmark(), **QUICK)


@pytest.fixture(scope="module")
def files(report):
    return {name: content.decode() for name, content in report.files().items()}


class Page(HTMLParser):
    """What a browser would see of a page: tags, attributes and visible text."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.attributes, self.words = [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attributes]

    def handle_data(self, data):
        self.words.append(data)


def test_all_files_in_order(files):
    assert tuple(files) == FILES


def test_the_same_input_gives_the_same_bytes_in_another_process(report):
    import hashlib

    here = hashlib.sha256(report.archive()).hexdigest()
    for seed in ("1", "77"):
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            cwd=ROOT,
            env={"PYTHONHASHSEED": seed, "PATH": ""},
            capture_output=True,
            text=True,
            timeout=120,
            check=True,
        )
        assert done.stdout.strip() == here


def test_no_item_or_prompt_is_in_any_file(tmp_path, capsys):
    bank = small_benchmark()
    items = tmp_path / "items.csv"
    items.write_bytes(items_csv(bank))
    out = tmp_path / "report"
    status = command_line.main(
        [
            "report",
            str(items),
            "--rules",
            "task,category",
            "--trials",
            "5",
            "--budgets",
            "2,8",
            "--out",
            str(out),
        ]
    )
    assert status == 0
    said = capsys.readouterr()
    assert sorted(path.name for path in out.iterdir()) == sorted(FILES)
    everything = "".join(path.read_text() for path in out.iterdir()) + said.out + said.err
    assert CANARY_ITEM not in everything
    assert CANARY_PROMPT not in everything
    assert not any(prompt in everything for prompt in bank.prompts)
    assert "amber" in everything


def test_the_page_stands_alone(files):
    page = Page(files["report.html"])
    assert "script" not in page.tags
    assert not set(page.tags) & {"img", "link", "iframe", "object", "embed", "form", "base"}
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    outside = [value for _, name, value in page.attributes if name in {"src", "href", "xlink:href", "action"}]
    assert not outside
    urls = re.findall(r"url\(([^)]*)\)", files["report.html"])
    assert urls
    assert all(url.strip("\"'").startswith(("data:font/woff2;base64,", "#")) for url in urls)
    assert "@media print" in files["report.html"]
    assert "prefers-color-scheme: dark" in files["report.html"]
    assert page.tags.count("h1") == 1
    assert page.tags.count("svg") == 1
    assert page.tags.count("caption") == page.tags.count("table")
    scopes = [value for tag, name, value in page.attributes if tag == "th" and name == "scope"]
    assert len(scopes) == page.tags.count("th")


def test_chart_has_words_and_text(files):
    labels = [value for _, name, value in Page(files["report.html"]).attributes if name == "aria-label"]
    assert any("Line chart of the selection loss" in value for value in labels)
    svg = files["report.html"].split("<svg", 1)[1].split("</svg>", 1)[0]
    assert ">policy:aggregate<" in svg


def test_json_holds_what_the_documentation_says(report, files):
    content = json.loads(files["report.json"])
    assert content["schema_version"] == 1
    documented = (ROOT / "docs" / "report-schema.md").read_text()
    for key in content:
        assert f"`{key}" in documented
    for key in content["rules"][0]:
        assert f"`{key}" in documented
    assert content["provenance"]["input_sha256"] == small_benchmark().digest
    assert content["options"]["budgets"] == [1, 2, 8, 32]
    assert [row["new_submissions"] for row in content["rules"][0]["budgets"]] == [0, 1, 2, 8, 32]
    for rule, result in zip(content["rules"], report.comparison.results, strict=True):
        assert rule["feedback"] == result.study.feedback
        assert sum(pair["trials"] for pair in rule["endpoint_pairs"]) == result.study.eligible_trials
        assert (
            rule["budgets"][-1]["model_selection_loss_pp"]
            == result.study.rows()[-1]["model_selection_loss_pp"]
        )
    assert files["report.json"] == json.dumps(content, ensure_ascii=False, sort_keys=True, indent=1) + "\n"


def test_tables_of_the_csv_files(files):
    study = list(csv.DictReader(io.StringIO(files["study.csv"])))
    compared = list(csv.DictReader(io.StringIO(files["compare.csv"])))
    rules = default_rules(small_benchmark())
    assert [row["feedback"] for row in study[::5]] == list(rules)
    assert [row["new_submissions"] for row in study[:5]] == ["0", "1", "2", "8", "32"]
    assert [row["feedback"] for row in compared[::4]] == list(rules)


def test_the_archive_holds_the_folder(report):
    with zipfile.ZipFile(io.BytesIO(report.archive())) as archive:
        assert archive.namelist() == [f"report/{name}" for name in FILES]
        assert archive.read("report/report.md") == report.files()["report.md"]


def test_another_seed_is_another_study(report):
    other = make_report(small_benchmark(), seed=3, **QUICK)
    seeds = other.facts.content["provenance"]["seeds"]
    assert seeds["seed"] == 3
    assert seeds["routing_seed"].endswith("|3")
    assert other.files()["study.csv"] != report.files()["study.csv"]


HOSTILE = (
    "<script>alert(1)</script>",
    '=HYPERLINK("http://x","y")',
    "\N{RIGHT-TO-LEFT OVERRIDE}gnp.exe",
    "nul\0inside",
    "x" * 10_000,
    "\N{PILE OF POO} [a](b) |c| {{7*7}}",
)


def test_hostile_names_are_text_everywhere():
    rows = make_report(small_benchmark(models=HOSTILE, name="<img src=x onerror=alert(2)>"), **QUICK).files()
    html = rows["report.html"].decode()
    page = Page(html)
    assert "script" not in page.tags
    assert "img" not in page.tags
    assert not [name for _, name, _ in page.attributes if name.startswith("on")]
    words = "".join(page.words)
    assert "<script>alert(1)</script>" in words
    assert "{{7*7}}" in words
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in html
    assert "\0" not in html
    assert "x" * 500 not in html
    markdown = rows["report.md"].decode()
    assert "<script" not in markdown
    assert "<img" not in markdown
    assert "x" * 500 not in markdown
    assert json.loads(rows["report.json"])["benchmark"]["name"] == "<img src=x onerror=alert(2)>"


def test_formulas_in_csv_are_disarmed():
    rows = make_report(small_benchmark(name="=cmd|' /C calc'!A0"), **QUICK).files()
    cells = [cell for row in csv.reader(io.StringIO(rows["study.csv"].decode())) for cell in row]
    assert "'=cmd|' /C calc'!A0" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "@", "+"))]


def test_budget_of_two_is_needed():
    with pytest.raises(UsageError, match="at least 2; budget 1 is the static control"):
        make_report(small_benchmark(), budgets=(1,), trials=3, cache=False)


def test_an_existing_report_is_kept(tmp_path, capsys):
    arguments = ["report", "terminal_science", "--trials", "3", "--budgets", "2,4", "--out", str(tmp_path)]
    assert command_line.main(arguments) == 0
    before = (tmp_path / "report.html").read_bytes()
    capsys.readouterr()
    assert command_line.main(arguments) == 1
    assert "--force" in capsys.readouterr().err
    assert command_line.main([*arguments, "--force", "--quiet"]) == 0
    assert (tmp_path / "report.html").read_bytes() == before
    assert capsys.readouterr().out == ""
