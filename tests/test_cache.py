"""The disk cache: checked on reading, moved into place on writing, and never in the way."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from core import cache


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.mark.parametrize("content", [b"", b"x", bytes(range(256)) * 100])
def test_what_is_stored_is_loaded(content):
    assert cache.load("kind", "name") is None
    assert cache.store("kind", "name", content)
    assert cache.load("kind", "name") == content
    assert cache.load("other", "name") is None


def test_a_second_writing_replaces_the_first(folder):
    cache.store("kind", "name", b"first")
    cache.store("kind", "name", b"second")
    assert cache.load("kind", "name") == b"second"
    assert [path.name for path in (folder / "kind").iterdir()] == ["name"]


def test_any_changed_byte_makes_an_entry_unreadable(folder):
    cache.store("kind", "name", b"content")
    path = folder / "kind" / "name"
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 4]) + whole[place + 1 :])
        assert cache.load("kind", "name") is None
        path.write_bytes(whole[:place])
        assert cache.load("kind", "name") is None
    path.write_bytes(whole)
    assert cache.load("kind", "name") == b"content"


def test_keys_tell_parts_apart():
    keys = {
        cache.key("ab", "c"),
        cache.key("a", "bc"),
        cache.key("abc"),
        cache.key("ab", "c", ""),
        cache.key(1, 2),
    }
    assert len(keys) == 5
    assert cache.key("a", 1) == cache.key("a", 1)
    assert cache.key("a", 1).isalnum()


def test_a_full_disk_leaves_no_trace_and_keeps_what_was_there(folder, monkeypatch):
    cache.store("kind", "name", b"before")
    real = os.fdopen

    class Full:
        def __init__(self, file):
            self.file = file

        def __enter__(self):
            return self

        def __exit__(self, *problem):
            self.file.close()

        def write(self, content):
            self.file.write(content[:3])
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(cache.os, "fdopen", lambda *arguments, **names: Full(real(*arguments, **names)))
    assert not cache.store("kind", "name", b"after")
    monkeypatch.undo()
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(folder))
    assert cache.load("kind", "name") == b"before"
    assert [path.name for path in (folder / "kind").iterdir()] == ["name"]


def test_a_path_that_is_no_folder_is_as_good_as_no_cache(tmp_path, monkeypatch):
    (tmp_path / "file").write_bytes(b"kept")
    monkeypatch.setenv("MIRAGE_CACHE_DIR", str(tmp_path / "file"))
    assert not cache.store("kind", "name", b"x")
    assert cache.load("kind", "name") is None
    assert (tmp_path / "file").read_bytes() == b"kept"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_is_as_good_as_no_cache(folder):
    cache.store("kind", "name", b"x")
    (folder / "kind").chmod(0o500)
    try:
        assert not cache.store("kind", "other", b"y")
        assert cache.load("kind", "name") == b"x"
    finally:
        (folder / "kind").chmod(0o700)


def test_a_refused_temporary_file_is_as_good_as_no_cache(folder, monkeypatch):
    def refuse(**_):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(cache.tempfile, "mkstemp", refuse)
    assert not cache.store("kind", "name", b"x")
    assert list((folder / "kind").iterdir()) == []


def test_the_oldest_entries_go_when_a_folder_outgrows_its_limit(folder, monkeypatch):
    for age, name in enumerate(("newest", "middle", "oldest")):
        cache.store("kind", name, b"x" * 100)
        os.utime(folder / "kind" / name, (1_000_000 - age, 1_000_000 - age))
    one = (folder / "kind" / "newest").stat().st_size
    monkeypatch.setattr(cache, "_LIMIT_BYTES", 3 * one)
    cache.store("kind", "added", b"x" * 100)
    assert {path.name for path in (folder / "kind").iterdir()} == {"newest", "middle", "added"}
    monkeypatch.setattr(cache, "_LIMIT_BYTES", 0)
    cache.store("kind", "last", b"x" * 100)
    assert {path.name for path in (folder / "kind").iterdir()} == {"last"}


def test_the_folder_is_the_users_own_unless_it_is_named(monkeypatch):
    monkeypatch.setenv("MIRAGE_CACHE_DIR", "~/somewhere")
    assert cache.directory() == Path.home() / "somewhere"
    monkeypatch.setenv("MIRAGE_CACHE_DIR", "~nobody-of-this-name/somewhere")
    assert cache.directory() == Path("~nobody-of-this-name/somewhere")
    monkeypatch.delenv("MIRAGE_CACHE_DIR")
    assert "mirage" in str(cache.directory()).lower()
