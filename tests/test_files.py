"""Output files appear whole or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from core.errors import DataError
from core.files import atomic_write, check_folder, check_writable, prepare_folder


def names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_text_and_bytes(tmp_path):
    assert atomic_write(tmp_path / "a.txt", "\N{GREEK SMALL LETTER ALPHA}").read_bytes() == b"\xce\xb1"
    atomic_write(str(tmp_path / "b.bin"), b"\x00")
    assert names(tmp_path) == ["a.txt", "b.bin"]


def test_existing_file_needs_force(tmp_path):
    target = tmp_path / "a.txt"
    target.write_text("old", encoding="utf-8")
    with pytest.raises(DataError, match=r"a\.txt' exists\. Give --force to replace it"):
        atomic_write(target, "new")
    assert target.read_text(encoding="utf-8") == "old"
    atomic_write(target, "new", force=True)
    assert target.read_text(encoding="utf-8") == "new"
    assert names(tmp_path) == ["a.txt"]


def test_file_that_appears_meanwhile_is_kept(tmp_path, monkeypatch):
    target = tmp_path / "a.txt"
    real = os.link

    def late(source, destination, **options):
        target.write_text("theirs", encoding="utf-8")
        return real(source, destination, **options)

    monkeypatch.setattr("core.files.os.link", late)
    with pytest.raises(DataError, match="exists"):
        atomic_write(target, "ours")
    assert target.read_text(encoding="utf-8") == "theirs"
    assert names(tmp_path) == ["a.txt"]


def test_file_system_without_links(tmp_path, monkeypatch):
    def refuse(*_args, **_options):
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr("core.files.os.link", refuse)
    assert atomic_write(tmp_path / "a.txt", "x").read_text(encoding="utf-8") == "x"
    assert names(tmp_path) == ["a.txt"]


def test_full_disk_leaves_nothing(tmp_path, monkeypatch):
    def full(_descriptor):
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("core.files.os.fsync", full)
    with pytest.raises(DataError, match="No space left on device"):
        atomic_write(tmp_path / "a.txt", "x")
    assert names(tmp_path) == []


def test_bad_targets(tmp_path, monkeypatch):
    with pytest.raises(DataError, match="does not exist; make it first"):
        atomic_write(tmp_path / "no" / "a.txt", "x")
    with pytest.raises(DataError, match="is a folder, expected a file name"):
        check_writable(tmp_path)
    with pytest.raises(DataError, match="Cannot write"):
        check_writable(tmp_path / ("x" * 5000))
    monkeypatch.setattr("core.files.os.access", lambda *_args: False)
    with pytest.raises(DataError, match="is read-only; choose another"):
        check_writable(tmp_path / "a.txt")


def test_folders(tmp_path):
    prepare_folder(tmp_path / "a" / "b", ["x"])
    assert (tmp_path / "a" / "b").is_dir()
    Path(tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="is a file, expected a folder"):
        prepare_folder(tmp_path / "file", [])
    with pytest.raises(DataError, match="Cannot make the folder"):
        prepare_folder(tmp_path / "file" / "below", [])
    (tmp_path / "a" / "x").write_text("", encoding="utf-8")
    with pytest.raises(DataError, match="exists"):
        prepare_folder(tmp_path / "a", ["x"])


def test_what_is_read_is_never_replaced(tmp_path):
    items = tmp_path / "items.csv"
    items.write_text("x", encoding="utf-8")
    (tmp_path / "link.csv").symlink_to(items)
    for name in ("items.csv", "link.csv"):
        with pytest.raises(DataError, match="is what is read; give the result another name"):
            check_writable(tmp_path / name, force=True, sources=("terminal_science", None, items))
    check_writable(tmp_path / "new.csv", force=True, sources=(items,))


def test_devices_are_never_replaced():
    with pytest.raises(DataError, match="is a device or a pipe, expected a file name"):
        check_writable("/dev/null", force=True)


def test_folder_is_refused_without_being_made(tmp_path, monkeypatch):
    check_folder(tmp_path / "a" / "b", ["x"])
    assert names(tmp_path) == []
    (tmp_path / "file").write_text("", encoding="utf-8")
    for path in (tmp_path / "file", tmp_path / "file" / "below"):
        with pytest.raises(DataError, match="is a file, expected a folder"):
            check_folder(path, ["x"])
    with pytest.raises(DataError, match="Give --force"):
        check_folder(tmp_path, ["file"])
    with pytest.raises(DataError, match="Cannot make the folder"):
        check_folder(tmp_path / ("x" * 5000), ["x"])
    monkeypatch.setattr("core.files.os.access", lambda *_args: False)
    with pytest.raises(DataError, match="is read-only; choose another"):
        check_folder(tmp_path / "a", ["x"])
