"""What the documentation holds: blocks, commands, links and addresses of pages, each with its place."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = (ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md")))
_FENCE = re.compile(r"^(`{3,})(.*)$")
_LINK = re.compile(r"\]\(([^)\s]+)\)|(?:src|href)=\"([^\"]+)\"")
ADDRESS = "http://localhost:8501"


@dataclass(frozen=True)
class Block:
    """A fenced or indented block: its language (empty for none), its text, and the line it begins at."""

    document: Path
    line: int
    language: str
    text: str

    @property
    def place(self) -> str:
        return f"{self.document.name}:{self.line}"


def blocks_of(document: Path) -> list[Block]:
    """Return a document's fenced and indented blocks in order."""
    found: list[Block] = []
    fence, language, start, body = "", "", 0, []
    lines = document.read_text(encoding="utf-8").splitlines()
    before = ""  # an indented line is a block only after an empty line or another such line
    for number, line in enumerate(lines, 1):
        match = _FENCE.match(line)
        if fence:
            if line.strip() == fence:
                found.append(Block(document, start, language, "\n".join(body)))
                fence = ""
            else:
                body.append(line)
        elif match:
            fence, language, start, body = match[1], match[2].strip(), number + 1, []
        elif line.startswith("    ") and (not before.strip() or before.startswith("    ")):
            if found and found[-1].language == "indented" and before.startswith("    "):
                last = found.pop()
                found.append(Block(document, last.line, "indented", f"{last.text}\n{line[4:]}"))
            else:
                found.append(Block(document, number, "indented", line[4:]))
        before = line
    assert not fence, f"{document.name} has a fence that is not closed"
    return found


@dataclass(frozen=True)
class Command:
    """A command of a document as words, ``python -m core`` or ``make`` first left in place."""

    document: Path
    line: int
    words: tuple[str, ...]

    @property
    def place(self) -> str:
        return f"{self.document.name}:{self.line} {' '.join(self.words)}"


def commands_of(document: Path) -> list[Command]:
    """Return the shell commands of a document's blocks, continued lines joined and comments removed."""
    found = []
    for block in blocks_of(document):
        if block.language not in {"", "indented", "sh", "bash", "shell", "console"}:
            continue
        text, start = "", block.line
        for number, line in enumerate(block.text.splitlines(), block.line):
            if block.language == "console" and not text and not line.startswith("$ "):
                continue  # what the command before prints
            text, start = (f"{text} {line.strip()}", start) if text else (line.strip(), number)
            if text.endswith("\\"):
                text = text[:-1].rstrip()
                continue
            try:
                words = shlex.split(text.removeprefix("$ "), comments=True)
            except ValueError:
                words = []
            if words:
                found.append(Command(document, start, tuple(words)))
            text = ""
    return found


def is_core(command: Command) -> bool:
    """Whether a command is one of our command line."""
    words = command.words
    return len(words) > 3 and words[0].endswith("python") and words[1:3] == ("-m", "core")


def is_make(command: Command) -> bool:
    """Whether a command is a target of the Makefile."""
    return len(command.words) > 1 and command.words[0] == "make"


def prose_of(document: Path) -> str:
    """Return a document without its fenced blocks."""
    return re.sub(
        r"^(`{3,}).*?^\1$", "", document.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )


def links_of(document: Path) -> list[str]:
    """Return the targets of a document's links and pictures."""
    return [first or second for first, second in _LINK.findall(prose_of(document))]


def plain(text: str) -> str:
    """Return text with every run of spaces and line ends as one space."""
    return " ".join(text.split())
