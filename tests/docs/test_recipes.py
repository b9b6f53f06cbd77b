"""The recipes of docs/developers.md: applied to a copy of the project, where their tests and commands must pass.

In the document a fence says what its block is: ``python new PATH`` a whole file, ``diff PATH`` a change whose kept and removed
lines stand together once in the file, ``sh recipe`` commands to run afterwards.
"""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys

import pytest

from tests.docs.documents import ROOT, blocks_of

DOCUMENT = ROOT / "docs" / "developers.md"
COPIED = ("core", "pages", "data", "static", ".streamlit")
FILES = ("app.py", "pyproject.toml", "tests/conftest.py")
BLOCKS = blocks_of(DOCUMENT)
NEW = [block for block in BLOCKS if block.language.startswith("python new ")]
TESTS = [block.language.split()[2] for block in NEW if block.language.split()[2].startswith("tests/")]


def changed(text, diff, place):
    """Return a file's text with a change applied."""
    lines = diff.splitlines()
    assert all(line[:1] in {" ", "+", "-", ""} for line in lines), f"{place}: a line of no kind"
    before = "\n".join(line[1:] for line in lines if line[:1] != "+") + "\n"
    after = "\n".join(line[1:] for line in lines if line[:1] != "-") + "\n"
    assert text.count(before) == 1, f"{place}: found {text.count(before)} times:\n{before}"
    return text.replace(before, after)


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with every recipe applied."""
    root = tmp_path_factory.mktemp("project")
    for name in COPIED:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        (root / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, root / name)
    for block in BLOCKS:
        kind, _, rest = block.language.partition(" ")
        if block in NEW:
            path = root / rest.removeprefix("new ")
            assert not path.exists(), f"{block.place}: {path.name} exists already"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text + "\n", encoding="utf-8")
        elif kind == "diff":
            path = root / rest
            path.write_text(
                changed(path.read_text(encoding="utf-8"), block.text, block.place), encoding="utf-8"
            )
    return root


def run(root, *words):
    environment = {**os.environ, "PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [sys.executable, *words],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )


def test_there_are_four_recipes_each_with_its_test():
    headings = [
        line
        for line in DOCUMENT.read_text(encoding="utf-8").splitlines()
        if line.startswith(("## Add a ", "## Add an "))
    ]
    assert len(headings) == 4
    assert len(TESTS) == 4


def test_the_tests_of_the_recipes_pass_in_a_copy(project):
    examples = [block.language.split()[2] for block in NEW if block.language.split()[2].startswith("core/")]
    done = run(project, "-m", "pytest", "-q", "-p", "no:cacheprovider", *TESTS, *examples)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_changed_modules_keep_their_examples_and_their_style(project):
    paths = {block.language.split()[-1] for block in BLOCKS if block.language.split(" ")[0] == "diff"}
    written = sorted(paths | {block.language.split()[2] for block in NEW})
    for words in (("check",), ("format", "--check", "--diff")):
        done = run(project, "-m", "ruff", *words, "--no-cache", *written)
        assert done.returncode == 0, done.stdout + done.stderr


def test_the_commands_of_the_recipes_run(project):
    commands = [
        shlex.split(line)
        for block in BLOCKS
        if block.language == "sh recipe"
        for line in block.text.splitlines()
    ]
    assert commands
    for words in commands:
        assert words[:3] == [".venv/bin/python", "-m", "core"]
        done = run(project, *words[1:])
        assert done.returncode == 0, done.stderr
        assert (project / words[words.index("--out") + 1]).stat().st_size > 0


def test_a_change_that_does_not_fit_is_named():
    assert changed("a\nb\nc\n", " a\n-b\n+B", "here") == "a\nB\nc\n"
    with pytest.raises(AssertionError, match="here: found 0 times"):
        changed("a\nb\n", "-c\n+C", "here")
    with pytest.raises(AssertionError, match="here: found 2 times"):
        changed("a\na\n", "-a\n+A", "here")
