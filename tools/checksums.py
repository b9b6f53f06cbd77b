"""Rewrite the sha256 column of data/README.md, or check it: python tools/checksums.py [--check]."""

from __future__ import annotations

import hashlib
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "data"
sys.path.insert(0, str(FOLDER.parent))

from core.data_files import present  # noqa: E402
from core.files import atomic_write  # noqa: E402


def rewritten(text: str, folder: Path) -> tuple[str, list[str]]:
    """Return the README with fresh checksums, and the files that it does not list or lists in vain."""
    missing = set(present(folder))
    gone = []
    lines = []
    for line in text.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        name = cells[0].strip("`")
        if not line.lstrip().startswith("|") or len(cells) != 4 or name == "file" or not name.strip("-: "):
            lines.append(line)
            continue
        if name in missing:
            missing.discard(name)
            digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            lines.append(f"| `{name}` | {cells[1]} | {cells[2]} | `{digest}` |")
        else:
            gone.append(f"listed, but not there: {name}")
            lines.append(line)
    return "\n".join(lines), [*gone, *(f"not listed: {name}" for name in sorted(missing))]


def main(arguments: list[str]) -> int:
    """Run the tool; return its exit status."""
    readme = FOLDER / "README.md"
    before = readme.read_text(encoding="utf-8")
    after, complaints = rewritten(before, FOLDER)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    if "--check" in arguments:
        if after != before:
            print(
                "Checksums in data/README.md are out of date; run: python tools/checksums.py", file=sys.stderr
            )
        return int(after != before or bool(complaints))
    if after != before:
        atomic_write(readme, after, force=True)
    return int(bool(complaints))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
