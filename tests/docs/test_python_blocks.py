"""Python in the documentation runs: sessions print what they show, and plain blocks run from top to bottom.

The recipes of docs/developers.md have tests of their own, and so has the worked example of docs/adapter.md, which the README
repeats.
"""

from __future__ import annotations

import doctest

import pytest

from tests.docs.documents import DOCUMENTS, blocks_of

SESSIONS = [
    document for document in DOCUMENTS if any(block.language == "pycon" for block in blocks_of(document))
]
OPTIONS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS
ADAPTER = "MyBoard"


@pytest.mark.parametrize("document", SESSIONS, ids=lambda path: path.name)
def test_sessions_print_what_they_show(document):
    parser, names = doctest.DocTestParser(), {}
    runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
    heard = []
    for block in blocks_of(document):
        if block.language == "pycon":
            test = parser.get_doctest(block.text + "\n", names, block.place, str(document), block.line - 1)
            runner.run(test, out=heard.append, clear_globs=False)
            names.update(test.globs)
    assert runner.summarize(verbose=False).failed == 0, "".join(heard)


def python_of(document):
    """Return a document's Python that is meant to be run as it stands."""
    blocks = [
        block
        for block in blocks_of(document)
        if block.language == "python"
        or (block.language == "indented" and block.text.startswith(("from ", "import ")))
    ]
    adapter = any(ADAPTER in block.text for block in blocks)
    return [block for block in blocks if not adapter or block.language == "indented"]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_plain_blocks_run(document, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "__main__"}
    for block in python_of(document):
        exec(compile(block.text, block.place, "exec"), names)
        assert "Traceback" not in capsys.readouterr().err


def test_the_readme_has_a_block_that_runs():
    assert len(python_of(DOCUMENTS[0])) == 1
