"""The command ``simulate``."""

from __future__ import annotations

import pytest

from core import __main__ as command_line
from core.benchmark.catalogue import load
from core.benchmark.free_form import free_form


def call(*arguments):
    return command_line.main(list(arguments))


def test_free_benchmark_is_written_and_can_be_studied(tmp_path, capsys):
    folder = tmp_path / "drawn"
    options = (
        "--models",
        "5",
        "--tasks",
        "2",
        "--items",
        "40",
        "--gap",
        "3",
        "--dependence",
        "0.2",
        "--seed",
        "7",
    )
    assert call("simulate", "free", *options, "--out", str(folder)) == 0
    out = capsys.readouterr().out
    assert "5 models x 40 items in 2 tasks, simulated" in out
    assert load(folder).digest == free_form(5, 2, 40, 3.0, 0.2, 7).digest
    assert call("study", str(folder), "--trials", "4", "--budgets", "2,4", "--quiet") == 0


def test_leaderboards_by_either_spelling(tmp_path, capsys):
    assert call("simulate", "livebench", "--out", str(tmp_path / "a"), "--quiet") == 0
    assert call("simulate", "simulated:livebench", "--out", str(tmp_path / "b"), "--quiet") == 0
    assert capsys.readouterr().out == ""
    assert load(tmp_path / "a").digest == load(tmp_path / "b").digest == load("simulated:livebench").digest


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("livebench", "--models", "3", "--out", "x"), "--models goes with 'free'"),
        (("fre", "--out", "x"), "Did you mean 'free'?"),
        (("free",), "Give --out FOLDER"),
        (("free", "--gap", "20", "--out", "x"), "the gap can be at most"),
        (("free", "--seed", "-1", "--out", "x"), "at least 0"),
    ],
)
def test_wrong_usage(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert call("simulate", *arguments) == 2
    assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_existing_files_need_force(tmp_path, capsys):
    arguments = ("simulate", "free", "--models", "3", "--tasks", "1", "--items", "9", "--out", str(tmp_path))
    assert call(*arguments) == 0
    before = (tmp_path / "items.parquet").read_bytes()
    assert call(*arguments, "--seed", "1") == 1
    assert "exists. Give --force" in capsys.readouterr().err
    assert (tmp_path / "items.parquet").read_bytes() == before
    assert call(*arguments, "--seed", "1", "--force") == 0
    assert (tmp_path / "items.parquet").read_bytes() != before
