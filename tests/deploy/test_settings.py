"""The settings by environment variables: each one in the documentation exists and does what it says."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys

import pytest
from starlette.requests import Request
from streamlit import config

from core.errors import UsageError
from pages.kit.environment import apply_environment
from pages.kit.limits import upload_limit_mb
from pages.kit.registry import ROOT
from pages.kit.site import site_settings

TABLE_ROW = re.compile(r"^\| `((?:MIRAGE|STREAMLIT)_[A-Z_]+)` \|", re.MULTILINE)


@pytest.fixture(autouse=True)
def _options_as_they_were():
    saved = {
        name: (option.value, option.where_defined) for name, option in config.get_config_options().items()
    }
    yield
    for name, (value, where) in saved.items():
        if config.get_option(name) != value or config.get_where_defined(name) != where:
            config.set_option(name, value, where)


def documented():
    return TABLE_ROW.findall((ROOT / "docs" / "deploy.md").read_text(encoding="utf-8"))


def test_every_variable_of_the_program_is_documented():
    read = set()
    for folder in ("core", "pages"):
        for path in (ROOT / folder).rglob("*.py"):
            read |= set(re.findall(r'"(MIRAGE_[A-Z_]+)"', path.read_text(encoding="utf-8")))
    assert read == {name for name in documented() if name.startswith("MIRAGE_")}


def test_every_variable_of_streamlit_exists():
    known = {option.env_var for option in config.get_config_options().values()}
    named = [name for name in documented() if name.startswith("STREAMLIT_")]
    assert named
    assert set(named) <= known


def test_variables_are_converted_to_the_kind_of_their_option():
    applied = apply_environment(
        {
            "STREAMLIT_SERVER_BASE_URL_PATH": "mirage",
            "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": "30",
            "STREAMLIT_SERVER_ENABLE_XSRF_PROTECTION": "true",
            "STREAMLIT_SERVER_ALLOWED_HOSTS": "a.example b.example",
            "STREAMLIT_NO_SUCH_OPTION": "1",
        }
    )
    assert len(applied) == 4
    assert config.get_option("server.baseUrlPath") == "mirage"
    assert config.get_option("server.disconnectedSessionTTL") == 30
    assert config.get_option("server.enableXsrfProtection") is True
    assert config.get_option("server.allowedHosts") == ["a.example", "b.example"]


def test_what_the_command_line_says_stands():
    config.set_option("server.port", 9, "command-line argument or environment variable")
    assert apply_environment({"STREAMLIT_SERVER_PORT": "7"}) == []
    assert config.get_option("server.port") == 9


def test_a_value_of_the_wrong_kind_is_named():
    with pytest.raises(UsageError, match="STREAMLIT_SERVER_PORT is wrong: 'many' is not a valid integer"):
        apply_environment({"STREAMLIT_SERVER_PORT": "many"})


def test_a_wrong_value_ends_uvicorn_with_a_sentence():
    done = subprocess.run(
        [sys.executable, "-m", "uvicorn", "app:app", "--port", "1"],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "STREAMLIT_SERVER_PORT": "many"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    assert "STREAMLIT_SERVER_PORT is wrong: 'many' is not a valid integer." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_server_tells_its_log_what_it_does_not_use(monkeypatch, caplog):
    for name, text in (
        ("MAX_UPLOAD_MB", "abc"),
        ("MAX_JOBS", "0"),
        ("PUBLIC_URL", "nonsense"),
        ("REPOSITORY", "javascript:x"),
    ):
        monkeypatch.setenv(f"MIRAGE_{name}", text)

    async def start():
        async with site_settings(None):
            pass

    asyncio.run(start())
    said = [record.getMessage() for record in caplog.records]
    assert (
        "MIRAGE_MAX_UPLOAD_MB is 'abc', which is not a whole number of 1 or more; 200 is used instead."
        in said
    )
    assert "MIRAGE_MAX_JOBS is '0', which is not a whole number of 1 or more; 1 is used instead." in said
    assert sum("it is ignored" in sentence for sentence in said) == 2


@pytest.mark.parametrize(
    ("text", "limit"), [("", 200), ("3", 3), ("-1", 200), ("much", 200), ("9" * 5000, 200)]
)
def test_one_upload_limit_holds_for_page_and_server(monkeypatch, text, limit):
    monkeypatch.setenv("MIRAGE_MAX_UPLOAD_MB", text)

    async def while_running():
        async with site_settings(None):
            return config.get_option("server.maxUploadSize")

    assert upload_limit_mb() == limit
    assert asyncio.run(while_running()) == limit


def test_an_upload_never_becomes_a_temporary_file(monkeypatch):
    monkeypatch.setenv("MIRAGE_MAX_UPLOAD_MB", "4")
    body = (
        b'--edge\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n'
        + b"x" * 4 * 1024**2
        + b"\r\n--edge--\r\n"
    )

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def rolled():
        async with site_settings(None):
            headers = [(b"content-type", b"multipart/form-data; boundary=edge")]
            form = await Request({"type": "http", "headers": headers}, receive).form()
            return form["file"].file._rolled, form["file"].size

    assert asyncio.run(rolled()) == (False, 4 * 1024**2)


@pytest.mark.parametrize(("number", "status", "words"), [("0", 2, "at least 1"), ("2", 0, "")])
def test_the_number_of_workers_may_come_from_the_environment(number, status, words):
    command = [
        "-m",
        "core",
        "study",
        "simulated:free:models=3,tasks=3,items=30",
        "--trials",
        "4",
        "--budgets",
        "1,2",
    ]
    done = subprocess.run(
        [sys.executable, *command],
        cwd=ROOT,
        env={"PATH": "/usr/bin:/bin", "MIRAGE_WORKERS": number},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == status, done.stderr
    assert words in done.stderr
