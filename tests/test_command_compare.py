"""The command ``compare``: its table, its file, and what it refuses."""

from __future__ import annotations

import csv

import pytest

from core import __main__ as command_line
from core.benchmark.catalogue import load
from core.command_line import DATA_AT_FAULT, WRONG_USAGE
from core.reuse.comparison import compare

SMALL = ("--trials", "20", "--budgets", "1,2,8,64")


def call(*arguments):
    return command_line.main(list(arguments))


def test_the_table_names_every_rule(capsys):
    rules = "category,overall,category+ladder:1,category+cap:4"
    assert call("compare", "terminal_science", "--rules", rules, *SMALL, "--quiet") == 0
    assert capsys.readouterr().out == ""
    assert call("compare", "terminal_science", "--rules", rules, *SMALL) == 0
    captured = capsys.readouterr()
    lines = captured.out.splitlines()
    heading = next(place for place, line in enumerate(lines) if line.startswith("feedback"))
    assert [line.split()[0] for line in lines[heading + 1 :] if line.strip() and not set(line) <= set(" -─")][
        :4
    ] == rules.split(",")
    assert "pairs kept" in lines[heading]


def test_the_file_holds_the_comparison(tmp_path, capsys):
    out = tmp_path / "compare.csv"
    arguments = (
        "compare",
        "terminal_science",
        "--rules",
        "category, policy:aggregate",
        *SMALL,
        "--tolerance",
        "2",
    )
    assert call(*arguments, "--out", str(out)) == 0
    assert f"Written: {out}" in capsys.readouterr().out
    with out.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    wanted = compare(
        load("terminal_science"),
        ["category", "policy:aggregate"],
        tolerance_pp=2,
        trials=20,
        budgets=(1, 2, 8, 64),
    ).rows()
    assert list(rows[0]) == list(wanted[0])
    for row, expected in zip(rows, wanted, strict=True):
        for name, value in expected.items():
            assert row[name] == ("" if value is None else str(value)) or float(row[name]) == pytest.approx(
                value
            )
    before = out.read_bytes()
    assert call(*arguments, "--out", str(out)) == DATA_AT_FAULT
    assert out.read_bytes() == before
    assert call(*arguments, "--out", str(out), "--force", "--quiet") == 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--rules", ""), "at least one feedback rule"),
        (("--rules", "category,category"), "given twice"),
        (("--rules", "category+ladder:-1"), "A rule is one of"),
        (("--rules", "grouped:4:0"), "choose from 1, 5"),
        (("--rules", "category", "--tolerance", "-1"), "A tolerance is"),
        (("--rules", "category", "--budgets", "1"), "budget of at least 2"),
        ((), "--rules"),
    ],
)
def test_wrong_usage_is_a_sentence_and_status_2(arguments, words, capsys):
    assert call("compare", "terminal_science", "--trials", "5", *arguments) == WRONG_USAGE
    error = capsys.readouterr().err
    assert words in error
    assert "Traceback" not in error


def test_groups_that_do_not_fit_are_the_datas_fault(tmp_path, capsys):
    path = tmp_path / "groups.csv"
    path.write_text("task,group\nEarth sciences,a\n", encoding="utf-8")
    assert call("compare", "terminal_science", "--rules", f"groups:{path}", *SMALL) == DATA_AT_FAULT
    assert "must name every task of Terminal-Bench-Science once" in capsys.readouterr().err


def test_a_seed_changes_the_draw(tmp_path):
    losses = []
    for seed in ("0", "0", "3"):
        out = tmp_path / f"{len(losses)}.csv"
        assert call(
            "compare", "terminal_science", "--rules", "category", *SMALL, "--seed", seed, "--out", str(out), "--quiet"
        ) == 0  # fmt: skip
        losses.append(out.read_bytes())
    assert losses[0] == losses[1] != losses[2]
