"""Shipped files are checked against data/README.md before use."""

from __future__ import annotations

import hashlib
import importlib.util
import os
from pathlib import Path

import pytest

from core import data_files
from core.errors import DataError

ROOT = Path(__file__).resolve().parent.parent


def write_readme(folder, **files):
    rows = "\n".join(f"| `{name}` | a source | MIT | `{digest}` |" for name, digest in files.items())
    (folder / "README.md").write_text(
        f"# Data\n\n| file | source | licence | sha256 |\n|---|---|---|---|\n{rows}\n", encoding="utf-8"
    )


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "table.csv").write_bytes(b"a,b\n1,2\n")
    write_readme(tmp_path, **{"table.csv": hashlib.sha256(b"a,b\n1,2\n").hexdigest()})
    return tmp_path


def test_every_shipped_file_is_listed_and_unaltered():
    assert data_files.verify_all() == []
    assert set(data_files.checksums()) == set(data_files.present())
    for row in data_files.checksums().values():
        assert row.source
        assert row.licence


def test_unaltered_file(folder):
    assert data_files.path("table.csv", folder) == folder / "table.csv"
    assert data_files.checksums(folder)["table.csv"].licence == "MIT"


def test_altered_file(folder):
    assert data_files.path("table.csv", folder)
    (folder / "table.csv").write_bytes(b"a,b\n1,3\n")
    os.utime(folder / "table.csv", ns=(1, 1))
    with pytest.raises(
        DataError, match=r"data/table\.csv is not the one that was released.*Restore it from the repository"
    ):
        data_files.path("table.csv", folder)
    assert len(data_files.verify_all(folder)) == 1


def test_missing_file(folder):
    (folder / "table.csv").unlink()
    with pytest.raises(DataError, match=r"data/table\.csv is missing\. Restore it from the repository"):
        data_files.path("table.csv", folder)


def test_unlisted_file(folder):
    (folder / "other.csv").write_bytes(b"x")
    with pytest.raises(DataError, match=r"data/other\.csv is not listed in data/README\.md"):
        data_files.path("other.csv", folder)
    assert data_files.verify_all(folder) == [
        "The file data/other.csv is not listed in data/README.md. Restore it from the repository (git restore data)."
    ]


def test_missing_or_empty_readme(folder):
    write_readme(folder)
    with pytest.raises(DataError, match="lists no checksums"):
        data_files.path("table.csv", folder)
    (folder / "README.md").unlink()
    with pytest.raises(DataError, match=r"data/README\.md is missing"):
        data_files.verify_all(folder)


def test_tool_fills_in_the_column(folder):
    specification = importlib.util.spec_from_file_location("checksums", ROOT / "tools" / "checksums.py")
    tool = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(tool)
    (folder / "new.csv").write_bytes(b"new")
    write_readme(folder, **{"table.csv": "-", "gone.csv": "-"})
    text, complaints = tool.rewritten((folder / "README.md").read_text(encoding="utf-8"), folder)
    assert complaints == ["listed, but not there: gone.csv", "not listed: new.csv"]
    (folder / "README.md").write_text(text, encoding="utf-8")
    assert data_files.path("table.csv", folder)
    assert tool.rewritten(text, folder)[0] == text


def test_the_repair_command_survives_markdown(tmp_path):
    """Pages show the message as Markdown, which makes one long dash of two hyphens."""
    with pytest.raises(DataError, match="git restore data") as caught:
        data_files.path("absent.csv", tmp_path)
    assert "--" not in str(caught.value)


def test_the_state_changes_with_every_change_of_a_file(folder):
    seen = [data_files.state(folder)]
    assert data_files.state(folder) == seen[0]
    (folder / "below").mkdir()
    (folder / "below" / "more.csv").write_text("x")
    seen.append(data_files.state(folder))
    (folder / "below" / "more.csv").write_text("xy")
    seen.append(data_files.state(folder))
    os.utime(folder / "table.csv", ns=(1, 1))
    seen.append(data_files.state(folder))
    (folder / "table.csv").unlink()
    seen.append(data_files.state(folder))
    assert len(set(seen)) == len(seen)


def test_the_state_of_a_folder_that_is_not_there(tmp_path):
    assert data_files.state(tmp_path / "none") == 0
