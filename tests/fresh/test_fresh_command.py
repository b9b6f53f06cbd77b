from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from core import __main__ as command_line
from core.fresh.items import read_items
from core.fresh.storing import read_facts, window_of
from core.fresh.web import PoliteClient
from tests.fresh.wikidata_json import dump_lines, world

REVISIONS = Path(__file__).parents[2] / "data" / "fresh" / "revisions"


def call(*arguments) -> int:
    return command_line.main(["fresh", *map(str, arguments)])


@pytest.fixture
def dump(tmp_path):
    path = tmp_path / "dump.json"
    path.write_bytes(dump_lines(world()) + b"{broken\n")
    return path


def test_every_command_has_help_with_an_example(capsys):
    for name in ("facts", "build", "score"):
        assert call(name, "--help") == 0
        assert f"Example: python -m core fresh {name}" in capsys.readouterr().out


def test_the_whole_loop_offline(tmp_path, capsys):
    facts, items, scores = tmp_path / "facts.jsonl", tmp_path / "items.jsonl", tmp_path / "scores.csv"
    assert call("facts", "sample", "--cutoff", "2022-12-31", "--out", facts) == 0
    assert (
        call(
            "build", facts, "--documents", "sample", "--format", "choice", "--distractors", 3, "--out", items
        )
        == 0
    )
    answers = tmp_path / "answers.jsonl"
    answers.write_text(
        "".join(
            json.dumps({"id": item.id, "output": item.correct_letter}) + "\n" for item in read_items(items)
        )
    )
    assert call("score", items, answers, "--out", scores) == 0
    out = capsys.readouterr()
    assert "facts that changed" in out.out
    assert "Items: " in out.out
    assert out.err == ""
    lines = scores.read_text().splitlines()
    assert lines[0] == "format,setting,bucket,metric,items,value,low,high"
    assert lines[1].startswith("choice,single_hop_n3,all,accuracy,")
    assert lines[1].endswith(",1.0,1.0,1.0")


def test_a_dump_with_a_broken_line(dump, tmp_path, capsys):
    out = tmp_path / "facts.jsonl"
    assert call("facts", dump, "--cutoff", "2022-12-31", "--until", "2024-12-31", "--out", out) == 0
    said = capsys.readouterr().out
    assert f"Read {len(world())} items in {len(world()) + 1} lines, 1 of them broken." in said
    assert f"Broken: dump.json, line {len(world()) + 3}: not JSON" in said
    assert [len(fact.chains) for fact in read_facts(out)] == [2, 3]
    assert [day.isoformat() for day in window_of(out)] == ["2022-12-31", "2024-12-31"]


def test_without_a_file_the_first_facts_and_items_are_shown(capsys):
    assert call("facts", "sample") == 0
    assert "... and" in capsys.readouterr().out
    assert call("build", "sample", "--hops", 2) == 0
    assert "Question: " in capsys.readouterr().out


def test_quiet(tmp_path, capsys):
    assert call("facts", "sample", "--quiet", "--out", tmp_path / "f") == 0
    assert call("build", "sample", "--quiet", "--out", tmp_path / "i") == 0
    assert call("score", tmp_path / "i", "baseline:reads", "--quiet", "--out", tmp_path / "s") == 0
    captured = capsys.readouterr()
    assert captured.out == captured.err == ""


def test_the_same_command_writes_the_same_bytes(tmp_path):
    for name in ("a", "b"):
        assert (
            call(
                "build",
                "sample",
                "--format",
                "choice",
                "--distractors",
                5,
                "--seed",
                3,
                "--quiet",
                "--out",
                tmp_path / name,
            )
            == 0
        )
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()
    assert (
        call("build", "sample", "--format", "choice", "--distractors", 5, "--quiet", "--out", tmp_path / "c")
        == 0
    )
    assert (tmp_path / "a").read_bytes() != (tmp_path / "c").read_bytes()


def test_saved_revisions(tmp_path, capsys):
    facts, items = tmp_path / "facts.jsonl", tmp_path / "items.jsonl"
    call("facts", "sample", "--out", facts)
    assert call("build", facts, "--documents", REVISIONS, "--out", items) == 0
    (item,) = read_items(items)
    assert item.documents[0].revision_id == 8000000005
    capsys.readouterr()


def test_a_folder_with_a_broken_line_says_so(tmp_path, capsys):
    folder = tmp_path / "saved"
    folder.mkdir()
    (folder / "a.jsonl").write_text((REVISIONS / "made_up.jsonl").read_text() + "{\n")
    assert call("build", "sample", "--documents", folder, "--quiet") == 0
    assert "Passed over: a.jsonl, line 7" in capsys.readouterr().err


def test_live_says_whom_it_asks_and_asks_politely(tmp_path, monkeypatch, capsys):
    entities = {each["id"]: each for each in world()}
    asked = []

    def get(_self, url, params):
        asked.append(url)
        if "ids" in params:
            return {
                "entities": {
                    qid: entities.get(qid, {"id": qid, "missing": ""}) for qid in params["ids"].split("|")
                }
            }
        title = params.get("titles", "New Head")
        row = {"revid": 5, "timestamp": "2023-03-12T09:00:00Z"}
        if "revids" in params:
            row["slots"] = {"main": {"content": "'''New Head''' leads [[Arland]]."}}
        return {"query": {"pages": [{"title": title, "revisions": [row]}]}}

    monkeypatch.setattr(PoliteClient, "get", get)
    facts, items = tmp_path / "facts.jsonl", tmp_path / "items.jsonl"
    assert (
        call("facts", "live:Q1, Q2", "--cutoff", "2022-12-31", "--until", "2024-12-31", "--out", facts) == 0
    )
    assert "Asking www.wikidata.org, at most once a second" in capsys.readouterr().err
    assert call("build", facts, "--documents", "live", "--out", items) == 0
    assert "Asking en.wikipedia.org" in capsys.readouterr().err
    assert set(asked) == {"https://www.wikidata.org/w/api.php", "https://en.wikipedia.org/w/api.php"}
    assert [item.documents[0].revision_id for item in read_items(items)] == [5]


def test_without_a_network_live_is_a_sentence(monkeypatch, capsys):
    monkeypatch.setattr("core.fresh.revisions.LiveEntities.__init__", _closed_port)
    assert call("facts", "live:Q38", "--cutoff", "2022-12-31", "--quiet") == 1
    error = capsys.readouterr().err
    assert "gave no usable answer in 5 attempts" in error
    assert "Traceback" not in error


def _closed_port(self, client, qids):
    client.interval, client.sleep, client.use_cache = 0.0, lambda _: None, False
    self.client, self.qids, self.address = client, qids, "http://127.0.0.1:9/w/api.php"


@pytest.mark.parametrize(
    ("arguments", "status", "message"),
    [
        (["facts", "none.json", "--cutoff", "2022-12-31"], 1, "There is no file 'none.json'"),
        (["facts", "none.json"], 2, "Give the model's cutoff"),
        (["facts", "sample", "--cutoff", "soon"], 2, "The cutoff must be a date"),
        (["facts", "sample", "--cutoff", "2024-01-01", "--until", "2023-01-01"], 2, "must be earlier"),
        (["facts", "sample", "--hops", "4"], 2, "must be 1, 2 or 3"),
        (["facts", "live:", "--cutoff", "2022"], 2, "No Wikidata id is given"),
        (["facts", "live:Arland", "--cutoff", "2022"], 2, "is no Wikidata id"),
        (["build", "none.jsonl"], 1, "cannot be read"),
        (["build", "sample", "--format", "essay"], 2, "Unknown format"),
        (["build", "sample", "--hops", "5"], 2, "must be 1, 2 or 3"),
        (["build", "sample", "--distractors", "2"], 2, "must be 0, 3, 5 or 7"),
        (["build", "sample", "--documents", "nowhere"], 1, "There is no folder"),
        (["build", "sample", "--seed", "-1"], 2, "A seed is a whole number from 0"),
        (["score", "none.jsonl", "baseline:reads", "--seed", "-1"], 2, "A seed is a whole number from 0"),
        (["score", "none.jsonl", "baseline:reads"], 1, "cannot be read"),
        (["score"], 2, "Missing argument"),
        ([], 2, ""),
    ],
)
def test_what_is_refused(arguments, status, message, capsys):
    assert call(*arguments) == status
    captured = capsys.readouterr()
    assert message in captured.err
    assert "Traceback" not in captured.err


def test_facts_need_documents(tmp_path, capsys):
    call("facts", "sample", "--quiet", "--out", tmp_path / "f")
    assert call("build", tmp_path / "f") == 2
    assert "Say where the documents come from" in capsys.readouterr().err


def test_facts_of_another_hand_need_a_cutoff(tmp_path, capsys):
    call("facts", "sample", "--quiet", "--out", tmp_path / "f")
    rows = [json.loads(line) for line in (tmp_path / "f").read_text().splitlines()]
    plain = tmp_path / "plain.jsonl"
    plain.write_text(
        "".join(
            json.dumps({key: row[key] for key in row if key not in {"cutoff", "until"}}) + "\n"
            for row in rows
        )
    )
    assert call("build", plain, "--documents", "sample") == 2
    assert "Give the model's cutoff" in capsys.readouterr().err
    assert call("build", plain, "--documents", "sample", "--cutoff", "2022-06-30", "--quiet") == 0


def test_nothing_is_overwritten_unasked(tmp_path, capsys):
    path = tmp_path / "f"
    path.write_text("mine")
    for arguments in (["facts", "sample"], ["build", "sample"]):
        assert call(*arguments, "--out", path) == 1
        assert path.read_text() == "mine"
    assert "--force" in capsys.readouterr().err
    assert call("facts", "sample", "--out", path, "--force", "--quiet") == 0
    assert path.read_text() != "mine"


def test_a_score_with_notes_and_errors(tmp_path, capsys):
    items, answers = tmp_path / "items.jsonl", tmp_path / "answers.jsonl"
    call("build", "sample", "--quiet", "--out", items)
    one = read_items(items)[0].id
    answers.write_text(
        json.dumps({"id": one, "output": "x"}) + "\n" + json.dumps({"id": "Q0", "output": "x"})
    )
    assert call("score", items, answers, "--quiet") == 0
    assert "Note: Outputs left out because no item has their id: 1 (Q0)." in capsys.readouterr().err
    answers.write_text(json.dumps({"id": "Q0", "output": "x"}))
    assert call("score", items, answers) == 1
    assert call("score", items, "baseline:guesses") == 2
    assert call("score", items, "baseline:reads", "--bucket", "week") == 2
    assert call("score", items, "baseline:reads", "--cutoff", "soon") == 2
    assert "Unknown answerer 'guesses'" in capsys.readouterr().err


def test_no_chain_names_cutoffs_that_have_some(capsys, tmp_path):
    assert call("build", "sample", "--cutoff", "2024-06-30", "--hops", "2") == 0
    captured = capsys.readouterr()
    assert "Items: 0." in captured.out
    hint = re.search(
        r"No fact has a chain of 2 hops at the cutoff 2024-06-30\. Some have at (.*)", captured.err
    )
    assert hint
    cutoffs = re.findall(r"(\d{4}-\d\d-\d\d) \((\d+) facts?\)", hint.group(1))
    assert len(cutoffs) == 3
    for cutoff, _ in cutoffs:
        assert call("build", "sample", "--cutoff", cutoff, "--hops", "2") == 0
        captured = capsys.readouterr()
        assert int(re.search(r"Items: (\d+)", captured.out).group(1)) > 0
        assert captured.err == ""


def test_no_chain_at_all_says_what_gathers_them(capsys, tmp_path):
    facts = tmp_path / "facts.jsonl"
    assert call("facts", "sample", "--cutoff", "2024-06-30", "--out", str(facts), "--quiet") == 0
    assert call("build", str(facts), "--documents", "sample", "--hops", "3") == 0
    assert "None has at another cutoff either; 'fresh facts' with --hops 3" in capsys.readouterr().err


def test_dates_known_to_the_month_or_year_are_shown_as_such(capsys):
    assert call("facts", "sample", "--cutoff", "2023-06-01") == 0
    shown = re.findall(r"  (\d{4}[-\d]*)$", capsys.readouterr().out, flags=re.MULTILINE)
    assert shown
    assert not [day for day in shown if day.endswith("-00")]
    assert "2023-07" in shown
