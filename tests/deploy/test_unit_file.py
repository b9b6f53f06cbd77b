"""The systemd unit: systemd understands it, it starts what the documentation says, and it is shut in."""

from __future__ import annotations

import configparser
import re
import shutil
import subprocess
import sys

import pytest

from core.cache import directory
from pages.kit.registry import ROOT

UNIT = ROOT / "deploy" / "mirage@.service"
SHUT_IN = {
    "DynamicUser": "yes",
    "NoNewPrivileges": "yes",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "PrivateTmp": "yes",
    "PrivateDevices": "yes",
    "CapabilityBoundingSet": "",
}


@pytest.fixture(scope="module")
def unit():
    parser = configparser.ConfigParser(strict=True, interpolation=None)
    parser.optionxform = str
    parser.read_string(UNIT.read_text(encoding="utf-8"))
    return parser


def test_it_has_the_three_sections(unit):
    assert unit.sections() == ["Unit", "Service", "Install"]
    assert unit["Install"]["WantedBy"] == "multi-user.target"


def test_it_is_shut_in_and_comes_back(unit):
    service = unit["Service"]
    assert {name: service[name] for name in SHUT_IN} == SHUT_IN
    assert service["Restart"] == "always"
    assert re.fullmatch(r"\d+M", service["MemoryMax"])


def test_it_starts_the_app_for_this_machine_alone_on_its_port(unit):
    program, *words = unit["Service"]["ExecStart"].split()
    assert program == f"{unit['Service']['WorkingDirectory']}/.venv/bin/python"
    assert words[:4] == ["-m", "streamlit", "run", "app.py"]
    assert "--server.address=127.0.0.1" in words
    assert "--server.port=%i" in words


def test_the_only_folder_it_may_write_to_is_the_cache(unit, monkeypatch):
    settings = dict(word.split("=", 1) for word in unit["Service"]["Environment"].split())
    assert settings["MIRAGE_CACHE_DIR"] == f"/var/cache/{unit['Service']['CacheDirectory']}"
    monkeypatch.setenv("MIRAGE_CACHE_DIR", settings["MIRAGE_CACHE_DIR"])
    assert directory().as_posix() == settings["MIRAGE_CACHE_DIR"]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="needs systemd-analyze")
def test_systemd_finds_nothing_to_complain_of(tmp_path):
    copy = tmp_path / "mirage@8501.service"
    text = UNIT.read_text(encoding="utf-8").replace("/opt/mirage/.venv/bin/python", sys.executable)
    copy.write_text(text, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", copy],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0
    assert "mirage" not in done.stderr, done.stderr
