"""Every command of the documentation: ours are run on small files, targets of make exist, and files that are named exist.

A block marked ``console`` shows a command after ``$`` and lines of what it prints, which must be printed in that order.
"""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from core.__main__ import main
from core.contamination.pocket import pair
from tests.docs.documents import DOCUMENTS, ROOT, blocks_of, commands_of, is_core, is_make, plain
from tests.docs.templates import TEMPLATES

MOST_TRIALS = 300
FEW_SENTENCES = 38_000  # of the pocket pair's 60,000; its test items need half as many
OURS = re.compile(r"(?:tests|tools|docs|core|pages|data)/|requirements[\w-]*\.(?:txt|in)\Z|app\.py\Z")
CORE = [document for document in DOCUMENTS if any(map(is_core, commands_of(document)))]
by_document = pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)


def on_this_machine(words):
    """Return our command's arguments with at most `MOST_TRIALS` trials, two processes and no cluster."""
    arguments = list(words[3:])
    for option in ("--backend", "--scheduler"):
        if option in arguments:
            place = arguments.index(option)
            del arguments[place : place + 2]
    for option, most in (("--trials", MOST_TRIALS), ("--workers", 2)):
        if option in arguments:
            place = arguments.index(option) + 1
            arguments[place] = str(min(int(arguments[place]), most))
    return arguments


def outputs(arguments):
    """Return the files and folders that a command is to write."""
    return [arguments[place + 1] for place, word in enumerate(arguments) if word.endswith("out")]


def run_in(folder, command, capsys):
    """Run one of our commands there and return what it printed."""
    arguments = on_this_machine(command.words)
    written = outputs(arguments)
    for word in {part for argument in arguments for part in re.split(r"[,:]", argument)} - set(written):
        if word in TEMPLATES and not (folder / word).exists():
            TEMPLATES[word](folder / word)
    status = main(arguments)
    printed = capsys.readouterr()
    assert status == 0, f"{command.place}: exit status {status}\n{printed.err}"
    for name in written:
        path = folder / name
        assert any(path.iterdir()) if path.is_dir() else path.stat().st_size > 0, (
            f"{command.place}: no {name}"
        )
    return printed.out


def expected_lines(document):
    """Return the lines that each command of a console block is shown to print, by the command's line."""
    shown, place = {}, 0
    for block in blocks_of(document):
        if block.language != "console":
            continue
        for number, line in enumerate(block.text.splitlines(), block.line):
            if line.startswith("$ "):
                place = number
                shown[place] = []
            elif line.strip() not in {"", "..."}:
                shown[place].append(plain(line))
    return shown


def missing_line(expected, printed):
    """Return the first expected line that is not printed in its turn, or None."""
    lines = iter([plain(line) for line in printed.splitlines()])
    return next((line for line in expected if line not in lines), None)


@pytest.mark.parametrize("document", CORE, ids=lambda path: path.name)
def test_our_commands_run_and_print_what_is_shown(document, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setattr(pair, "SENTENCES", FEW_SENTENCES)
    expected = expected_lines(document)
    for command in filter(is_core, commands_of(document)):
        printed = run_in(tmp_path, command, capsys)
        gone = missing_line(expected.get(command.line, []), printed)
        assert gone is None, f"{command.place} does not print in its turn:\n{gone}\nbut\n{printed}"


@by_document
@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
def test_targets_of_make_exist(document):
    for command in filter(is_make, commands_of(document)):
        done = subprocess.run(
            ["make", "--dry-run", *command.words[1:]], cwd=ROOT, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{command.place}\n{done.stderr}"


@by_document
def test_files_that_commands_name_exist(document):
    for command in commands_of(document):
        for word in command.words:
            path = word.partition("::")[0]
            assert not OURS.match(path) or (ROOT / path).exists(), f"{command.place}: no {path}"


@by_document
def test_modules_that_commands_run_exist(document):
    for command in commands_of(document):
        words = command.words
        for place, word in enumerate(words[:-1]):
            if word == "-m" and words[place + 1].startswith("tools."):
                assert (ROOT / words[place + 1].replace(".", "/")).with_suffix(".py").is_file(), command.place


def test_the_readme_begins_with_the_two_commands():
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert [line.split("#")[0].strip() for line in lines[:4]] == ["", "", "make app", "make test"]
    assert lines[0] == "# Mirage"


def test_every_command_of_ours_is_in_the_readme():
    from core.__main__ import build

    shown = {command.words[3] for command in filter(is_core, commands_of(ROOT / "README.md"))}
    app = build()
    names = {one.name for one in app.registered_commands} | {one.name for one in app.registered_groups}
    assert shown >= names


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("    make app    # start\n", [("make", "app")]),
        (
            "```sh\npython -m core study a \\\n    --out b\nmake x\n```\n",
            [("python", "-m", "core", "study", "a", "--out", "b"), ("make", "x")],
        ),
        ("- a list\n\n```python\nmake = 1\n```\n", []),
        ("```console\n$ make x\nmake: nothing to do\n```\n", [("make", "x")]),
    ],
)
def test_commands_are_found(tmp_path, text, words):
    path = tmp_path / "one.md"
    path.write_text(text)
    assert [command.words for command in commands_of(path)] == words


def test_a_wrong_line_of_output_is_found():
    assert missing_line(["a 1", "b 2"], "a  1\nx\nb 2\n") is None
    assert missing_line(["b 2", "a 1"], "a  1\nx\nb 2\n") == "a 1"
    assert missing_line(["a 2"], "a 1\n") == "a 2"


def test_a_command_that_fails_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "one.md"
    path.write_text("    python -m core check my_itms.csv\n")
    with pytest.raises(AssertionError, match=r"one.md:1 python -m core check my_itms.csv: exit status 1"):
        run_in(tmp_path, commands_of(path)[0], capsys)
