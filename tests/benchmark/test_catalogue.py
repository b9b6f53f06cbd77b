"""Benchmarks by name or path, and the bundled banks rebuilt from the published files."""

from __future__ import annotations

import hashlib
import importlib.util
import shutil
from pathlib import Path

import numpy as np
import pytest

from core import data_files
from core.benchmark import catalogue
from core.benchmark.reading import read_benchmark, write_benchmark
from core.benchmark.settings import Settings
from core.benchmark.summary import summarise
from core.errors import DataError, UsageError

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def make_banks():
    specification = importlib.util.spec_from_file_location("make_banks", ROOT / "tools" / "make_banks.py")
    module = importlib.util.module_from_spec(specification)
    import sys

    sys.modules["make_banks"] = module
    specification.loader.exec_module(module)
    return module


@pytest.fixture
def generator(monkeypatch):
    monkeypatch.setattr(catalogue, "GENERATORS", {})
    drawn = read_benchmark(b"model,item,score\na,q,1\nb,q,0\n", label="toy")
    catalogue.register(catalogue.Generator("toy", 2, 1, 1, "a toy", "nothing", lambda: drawn))
    return drawn


@pytest.mark.parametrize("name", ["terminal_science", "swe_verified_38"])
def test_banks_are_those_of_the_published_files(name, make_banks):
    rebuilt = make_banks.BUILDERS[name]().benchmark
    shipped = catalogue.load(name)
    assert shipped.digest == rebuilt.digest
    assert shipped.settings == rebuilt.settings
    assert shipped.provenance == "bundled"


def test_check_mode_of_the_tool(make_banks, capsys):
    assert make_banks.main(["--check"]) == 0
    assert not capsys.readouterr().err


def test_terminal_science():
    benchmark = catalogue.load("terminal_science")
    assert benchmark.scores.shape == (17, 70)
    assert (
        benchmark.tasks
        == benchmark.categories
        == ("earth", "engineering", "life", "mathematical", "physical")
    )
    assert benchmark.counts is not None
    assert np.array_equal(benchmark.counts / 3, benchmark.scores)
    assert benchmark.settings.split_seed_base == 202609230000


def test_swe_verified_38():
    benchmark = catalogue.load("swe_verified_38")
    assert benchmark.scores.shape == (38, 500)
    assert len(benchmark.tasks) == 10
    assert benchmark.scores.mean(axis=1).min() >= 0.664
    expected = {hashlib.sha256(item.encode()).hexdigest() for item in benchmark.items}
    assert set(benchmark.prompts) == expected
    assert benchmark.settings.routing_seed == "swe_verified_38-bank0"


def test_entries(generator):
    found = {entry.name: entry for entry in catalogue.entries()}
    assert list(found) == ["terminal_science", "swe_verified_38", "simulated:toy"]
    assert (found["terminal_science"].models, found["terminal_science"].items) == (17, 70)
    assert found["simulated:toy"].kind == "simulated"
    assert catalogue.load("simulated:toy") is generator


def test_unknown_simulated_name(monkeypatch, generator):
    with pytest.raises(
        UsageError,
        match=r"Unknown simulated benchmark 'tory'\. Did you mean 'toy'\? Simulated .*: simulated:toy\.",
    ):
        catalogue.load("simulated:tory")
    monkeypatch.setattr(catalogue, "GENERATORS", {})
    with pytest.raises(
        UsageError, match=r"Unknown simulated benchmark 'toy'\. There are no simulated benchmarks\."
    ):
        catalogue.load("simulated:toy")


def test_name_can_be_registered_once(generator):
    with pytest.raises(UsageError, match="already there"):
        catalogue.register(catalogue.Generator("toy", 2, 1, 1, "a toy", "nothing", lambda: generator))


def test_unknown_name_names_the_nearest():
    with pytest.raises(UsageError) as caught:
        catalogue.load("terminal_scence")
    assert str(caught.value).startswith(
        "Unknown benchmark 'terminal_scence'. Did you mean 'terminal_science'? Known: terminal_science, swe_verified_38"
    )


@pytest.mark.parametrize("name", ["nothing.csv", "folder/nothing", "nul\x00.csv", "x/" + "y" * 5000])
def test_missing_path(name):
    with pytest.raises(DataError, match="No file or folder '"):
        catalogue.load(name)


def test_settings_of_the_reader_change_single_keys():
    own = catalogue.load("terminal_science")
    changed = catalogue.load("terminal_science", {"coordinates": "overall"})
    assert changed.settings == own.settings.with_changes(coordinates="overall")
    fixed = catalogue.load("terminal_science", b"holdout_per_category = 4")
    assert fixed.settings.holdout_per_category == 4
    assert fixed.settings.holdout_fraction is None
    finished = Settings(name="mine", repeats=3)
    assert catalogue.load("terminal_science", finished).settings is finished
    with pytest.raises(DataError, match="Did you mean 'ranking'"):
        catalogue.load("terminal_science", {"rankin": "item_mean"})


def test_items_file_does_not_read_the_settings_beside_it(tmp_path):
    write_benchmark(catalogue.load("terminal_science"), tmp_path / "bank")
    together = catalogue.load(tmp_path / "bank")
    assert together.settings == catalogue.load("terminal_science").settings
    assert together.provenance == "loaded"
    alone = catalogue.load(tmp_path / "bank" / "items.parquet")
    assert alone.name == "items"
    named = catalogue.load(tmp_path / "bank" / "items.parquet", tmp_path / "bank" / "settings.toml")
    assert named.digest == together.digest


def test_folder_without_its_files(tmp_path):
    with pytest.raises(DataError, match=r"has no items\.parquet and no settings\.toml"):
        catalogue.load(tmp_path)


def test_folder_name_is_the_default_name(tmp_path):
    write_benchmark(catalogue.load("terminal_science"), tmp_path / "my bank")
    (tmp_path / "my bank" / "settings.toml").write_text("repeats = 3\n", encoding="utf-8")
    assert catalogue.load(tmp_path / "my bank").name == "my bank"


def test_repair_reaches_the_reader(tmp_path):
    path = tmp_path / "items.csv"
    path.write_text("model,item,score\na,q,1\na,r,1\nb,q,0\nb,r,0\nc,q,1\n", encoding="utf-8")
    assert catalogue.load(path, incomplete="drop_models").models == ("a", "b")


@pytest.fixture
def copied_data(tmp_path, monkeypatch):
    folder = tmp_path / "data"
    shutil.copytree(ROOT / "data" / "banks", folder / "banks")
    shutil.copy(ROOT / "data" / "README.md", folder)
    real = data_files.path
    monkeypatch.setattr(data_files, "path", lambda relative: real(relative, folder))
    return folder


def test_altered_bank_is_refused(copied_data):
    assert catalogue.load("terminal_science").name == "Terminal-Bench-Science"
    file = copied_data / "banks" / "terminal_science" / "settings.toml"
    file.write_text(file.read_text(encoding="utf-8").replace("repeats = 3", "repeats = 1"), encoding="utf-8")
    with pytest.raises(
        DataError, match=r"data/banks/terminal_science/settings\.toml is not the one that was released"
    ):
        catalogue.load("terminal_science")


def test_missing_bank_is_named_and_the_list_goes_on(copied_data):
    (copied_data / "banks" / "swe_verified_38" / "items.parquet").unlink()
    with pytest.raises(DataError, match=r"data/banks/swe_verified_38/items\.parquet is missing\. Restore it"):
        catalogue.load("swe_verified_38")
    found = {entry.name: entry for entry in catalogue.entries()}
    assert found["swe_verified_38"].models is None
    assert "is missing" in found["swe_verified_38"].what
    assert found["terminal_science"].models == 17


def test_summary_of_a_bank():
    summary = summarise(catalogue.load("terminal_science"))
    assert (summary.models, summary.items, summary.prompts, summary.tasks) == (17, 70, 70, 5)
    assert (summary.heldout_items, summary.reused_items) == (46, 24)
    assert summary.shared_prompts == 0
    assert summary.precision == "exact counts out of 3 runs"
    means = [standing.mean for standing in summary.leaderboard]
    assert means == sorted(means, reverse=True)
    first = summary.leaderboard[0]
    scores = catalogue.load("terminal_science").scores[
        catalogue.load("terminal_science").models.index(first.model)
    ]
    assert first.standard_error == pytest.approx(np.sqrt(np.sum((scores - scores.mean()) ** 2) / 69 / 70))
