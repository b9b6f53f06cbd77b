"""The map of docs/developers.md: its table of packages and what each may import, against the imports that are there."""

from __future__ import annotations

import ast
import re

import pytest

from tests.docs.documents import ROOT

DOCUMENT = ROOT / "docs" / "developers.md"
LIBRARIES = {"altair", "plotly", "vl_convert", "streamlit"}


def table():
    """Return what the document allows: package -> (packages, libraries)."""
    found = {}
    for line in DOCUMENT.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 4:
            found[cells[0].strip("`")] = (set(re.findall(r"`([\w.]+)`", cells[2])), set(cells[3].split()))
    return found


MAP = table()


def package_of(module):
    """Return the package of the map that a module belongs to, or None."""
    fitting = [name for name in MAP if module == name or module.startswith(f"{name}.")]
    return max(fitting, key=len, default=None)


def imported(path):
    """Return the modules that a file imports, anywhere in it."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
    return found


def files():
    return sorted(
        path for folder in ("core", "pages") for path in (ROOT / folder).rglob("*.py") if path.is_file()
    )


def test_the_map_has_every_package():
    on_disk = {
        ".".join(path.parent.relative_to(ROOT).parts)
        for path in files()
        if path.name == "__init__.py" and len(path.parent.relative_to(ROOT).parts) == 2
    }
    assert set(MAP) == on_disk | {"pages"}


@pytest.mark.parametrize("package", sorted(MAP))
def test_imports_point_one_way(package):
    packages, libraries = MAP[package]
    for path in files():
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if package_of(module) != package:
            continue
        for name in imported(path):
            target = package_of(name)
            assert target in {None, package} | packages, f"{module} imports {name}"
            top = name.split(".")[0]
            assert top not in LIBRARIES - libraries, f"{module} imports {name}"


@pytest.mark.parametrize("package", sorted(MAP))
def test_the_map_allows_no_more_than_is_used(package):
    used = {
        target
        for path in files()
        if package_of(".".join(path.relative_to(ROOT).with_suffix("").parts)) == package
        for target in map(package_of, imported(path))
        if target not in {None, package}
    }
    assert MAP[package][0] == used


def test_nothing_in_core_but_figures_draws_and_nothing_there_imports_pages():
    for path in files():
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        if module.startswith("core.") and not module.startswith("core.figures"):
            tops = {name.split(".")[0] for name in imported(path)}
            assert not tops & (LIBRARIES | {"pages"}), module
