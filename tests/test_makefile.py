"""The command of the README: what it says when it cannot start."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="needs make")


@pytest.fixture
def make(tmp_path):
    """Run make in a folder that has the Makefile and nothing installed yet."""
    for name in ("Makefile", "requirements.txt", "requirements-dev.txt"):
        shutil.copy(ROOT / name, tmp_path)

    def call(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make", *words], cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False
        )

    return call


@pytest.mark.parametrize(("goals", "shown"), [((), "app"), (("app",), "app"), (("test",), "test")])
def test_an_old_python_is_refused_with_the_command_to_try(make, goals, shown):
    done = make(*goals, "PYTHON=false")
    assert done.returncode == 2
    assert f"needs Python 3.11 or newer, and 'false' is not. Try: make {shown} PYTHON=" in done.stderr


def _installed(folder):
    (folder / ".venv" / "bin").mkdir(parents=True)
    (folder / ".venv" / "bin" / "python").symlink_to(sys.executable)
    (folder / ".venv" / ".run").touch()


@pytest.mark.parametrize("port", ["abc", "0", "-1", "65536", "9" * 5000])
def test_a_port_that_is_none_is_refused(make, tmp_path, port):
    _installed(tmp_path)
    done = make("app", f"PORT={port}")
    assert done.returncode == 2
    assert "A port is a number from 1 to 65535" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_taken_port_is_named_with_another_one(make, tmp_path):
    _installed(tmp_path)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = make("app", f"PORT={port}")
    assert done.returncode == 2
    assert f"Port {port} is taken" in done.stderr
    assert f"make app PORT={port + 1}" in done.stderr
    assert "is starting" not in done.stdout
