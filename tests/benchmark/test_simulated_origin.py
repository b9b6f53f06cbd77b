"""What ``simulate`` wrote stays labelled simulated, whichever of its files is read and however."""

from __future__ import annotations

import json

import pytest

from core import __main__ as command_line
from core.benchmark.catalogue import load
from core.benchmark.free_form import free_form
from core.benchmark.reading import check_benchmark, read_benchmark, write_benchmark
from core.benchmark.settings_files import read_settings
from core.errors import DataError


@pytest.fixture(scope="module")
def drawn(tmp_path_factory):
    folder = tmp_path_factory.mktemp("origin") / "drawn"
    write_benchmark(free_form(4, 2, 60, 5.0, 0.2, 1), folder)
    return folder


def test_the_folder_says_what_it_is(drawn):
    assert read_settings(drawn / "settings.toml")["origin"] == "simulated"
    again = load(drawn)
    assert again.provenance == "simulated"
    assert again.digest == free_form(4, 2, 60, 5.0, 0.2, 1).digest


def test_other_settings_do_not_make_it_real(drawn, tmp_path):
    assert load(drawn, {"name": "Mine"}).provenance == "simulated"
    assert load(drawn, {"name": "Mine", "origin": "measured"}).provenance == "simulated"
    assert load(drawn / "items.parquet").provenance == "simulated"


def test_the_items_as_csv_with_the_settings_are_simulated(drawn, tmp_path):
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "items.csv"
    pandas.read_parquet(drawn / "items.parquet").to_csv(path, index=False)
    assert read_benchmark(path).provenance == "loaded"
    assert read_benchmark(path, drawn / "settings.toml").provenance == "simulated"
    report, uploaded = check_benchmark(
        path.read_bytes(), read_settings((drawn / "settings.toml").read_bytes()), label="items.csv"
    )
    assert not report.faults
    assert uploaded.provenance == "simulated"


def test_it_survives_a_second_writing(drawn, tmp_path):
    write_benchmark(load(drawn), tmp_path / "again")
    for name in ("items.parquet", "settings.toml"):
        assert (tmp_path / "again" / name).read_bytes() == (drawn / name).read_bytes()


def test_real_scores_are_not_marked(drawn, tmp_path):
    write_benchmark(load("terminal_science"), tmp_path / "real")
    assert "origin" not in read_settings(tmp_path / "real" / "settings.toml")
    assert load(tmp_path / "real").provenance == "loaded"
    assert load("terminal_science", drawn / "settings.toml").provenance == "bundled"


def test_study_and_report_say_it(drawn, tmp_path, capsys):
    assert command_line.main(["study", str(drawn), "--trials", "3", "--budgets", "2"]) == 0
    said = capsys.readouterr().out
    assert "Free form (simulated), simulated: " in said
    assert "recomputed" not in said
    out = tmp_path / "report"
    arguments = [
        "report",
        str(drawn),
        "--trials",
        "3",
        "--budgets",
        "2",
        "--rules",
        "category",
        "--out",
        str(out),
    ]
    assert command_line.main([*arguments, "--quiet"]) == 0
    origin = json.loads((out / "report.json").read_text(encoding="utf-8"))["provenance"]
    assert (origin["label"], origin["origin"]) == ("simulated", "simulated")
    assert "Values are simulated" in (out / "report.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"origin": "simulatd"}, "Unknown value 'simulatd' of setting 'origin'. Did you mean 'simulated'?"),
        ({"origin": 3}, "Valid: measured, simulated."),
        ({"orgin": "simulated"}, "Unknown setting 'orgin'. Did you mean 'origin'?"),
    ],
)
def test_a_slip_names_the_nearest(values, words, drawn):
    with pytest.raises(DataError) as caught:
        load(drawn / "items.parquet", values)
    assert words in str(caught.value)
