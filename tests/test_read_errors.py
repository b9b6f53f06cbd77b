"""A file that cannot be read is refused in the program's own words: what, where, and what to do."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from core import __main__ as command_line
from core import files
from core.errors import DataError

RAW = re.compile(r"\[Errno|codec|C error|magic bytes|Traceback|Warning|invalid start byte|char \d")


def refused(capsys, *arguments: str) -> str:
    assert command_line.main(list(arguments)) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert not RAW.search(captured.err), captured.err
    return captured.err


@pytest.mark.parametrize("command", ["detect", "correct", "phase --pool", "fresh build", "fresh score"])
def test_a_folder_is_named(command, tmp_path, capsys):
    tail = ["baseline:reads"] if command == "fresh score" else []
    said = refused(capsys, *command.split(), str(tmp_path), *tail)
    assert f"'{tmp_path}' is a folder" in said


@pytest.mark.parametrize("command", ["detect", "correct", "fresh build"])
def test_a_missing_file_is_named(command, tmp_path, capsys):
    path = tmp_path / "none.csv"
    said = refused(capsys, *command.split(), str(path))
    assert f"'{path}' cannot be read: there is no such file. Check the path." in said


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", b"", "'a.csv' cannot be read: it is empty. The first line"),
        ("a.csv", b"item,y\n1,0\n2,1,4,5\n", "line 3 has 4 fields, expected 2. Quote"),
        ("a.csv", b'item,y\n1,"0\n2,1', "a quotation mark is opened and not closed"),
        ("a.csv", b"item,y\n\xff\xfe,1\n", "is not text in UTF-8"),
        ("a.parquet", b"junk" * 50, "it is not a Parquet file, or is damaged"),
    ],
)
def test_a_broken_table_to_correct(name, content, words, tmp_path, capsys):
    path = tmp_path / name
    path.write_bytes(content)
    assert words in refused(capsys, "correct", str(path))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"\n\xff\xfejunk", "line 2, is not UTF-8 text. Save the file as UTF-8"),
        (
            b'{"id": 1,,}',
            "Line 1 is not JSON: expecting property name enclosed in double quotes at column 10",
        ),
        (b"[" * 100_000, "Line 1 is nested too deeply"),
        (
            b'{"id": 1, "text": "", "token_logprobs": [-1], "rows": "none.npy"}',
            "Id '1': 'none.npy' cannot be read",
        ),
        (
            b'{"id": 1, "text": "", "token_logprobs": [-1], "rows": "junk.npy"}',
            "it is not a NumPy file of numbers",
        ),
    ],
)
def test_broken_log_probabilities(content, words, tmp_path, capsys):
    (tmp_path / "junk.npy").write_bytes(b"no array")
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    assert words in refused(capsys, "detect", str(path))


@pytest.mark.parametrize(
    "keys",
    [
        '"token_logprobs": [-1e308, -1e308]',
        '"token_logprobs": [-1, -2], "token_mean": [-1e308, -1e308], "token_std": [1, 1]',
        '"token_logprobs": [-1, -2], "token_mean": [-1, -1], "token_std": [1e308, 1]',
    ],
)
def test_numbers_that_run_over_are_refused_before_they_do(keys, tmp_path, capsys):
    path = tmp_path / "a.jsonl"
    path.write_text('{"id": "q", "text": "x", ' + keys + "}", encoding="utf-8")
    said = refused(capsys, "detect", str(path))
    assert re.search(r"Id 'q': 'token_\w+' holds -?1e\+308, which is too far from 0", said)


def test_lines_are_read_one_by_one_and_bounded(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_bytes(b"\xef\xbb\xbfab\ncd")
    assert list(files.text_lines(path, "notes")) == ["ab\n", "cd"]
    path.write_bytes(b"ok\n" + b"x" * 2049)
    with pytest.raises(
        DataError, match=r"line 2, is longer than 2 kB, which is the limit\. Is this the notes\?"
    ):
        list(files.text_lines(path, "notes", limit=2048))


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="needs a device without end")
def test_whole_files_are_bounded_even_without_a_size(tmp_path):
    with pytest.raises(
        DataError, match=r"The answers file '/dev/zero' is larger than 64 kB, which is the limit"
    ):
        files.read_file(Path("/dev/zero"), "answers file", limit=65536)
    path = tmp_path / "full"
    path.write_bytes(b"x" * 65536)
    assert len(files.read_file(path, "answers file", limit=65536)) == 65536


def test_fresh_files_have_a_limit_that_is_said(tmp_path, monkeypatch):
    from core.fresh import answers, items
    from core.fresh.storing import read_facts

    monkeypatch.setattr(files.read_file, "__defaults__", (1024,))
    path = tmp_path / "large.jsonl"
    path.write_bytes(b"{}\n" * 400)
    for read in (read_facts, items.read_items, lambda path: answers.read_answers(path, [])):
        with pytest.raises(
            DataError, match=r"large\.jsonl' is larger than 1 kB, which is the limit\. Split it"
        ):
            read(path)
