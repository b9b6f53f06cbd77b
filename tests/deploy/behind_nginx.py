"""Two server processes behind Debian's nginx, on loopback, with the files of ``deploy/`` as they are shipped."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pytest

from pages.kit.registry import ROOT

if TYPE_CHECKING:
    from pathlib import Path

CONFIGURATION = ROOT / "deploy" / "nginx.conf"
UPLOAD_MB = 2
PATIENCE = 60  # seconds; two cores may be busy
FRAME = """daemon off;
{user}
worker_processes 2;
pid {folder}/nginx.pid;
error_log {folder}/error.log warn;
events {{ worker_connections 256; }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/mirage.conf;
}}
"""


def nginx_path():
    """Return nginx, or skip the test where there is none; in CI that is a failure."""
    found = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin:/usr/local/sbin")
    if found is None:
        message = "No nginx found. On Debian or Ubuntu: apt-get install nginx-light"
        pytest.fail(message) if os.environ.get("CI", "").lower() == "true" else pytest.skip(message)
    return found


def free_ports(count):
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.socket()) for _ in range(count)]
        for probe in probes:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in probes]


def configuration(port, first, second):
    """Return the shipped configuration with other ports, and nothing else changed."""
    text = CONFIGURATION.read_text(encoding="utf-8")
    text, listened = re.subn(r"listen 80;", f"listen 127.0.0.1:{port};", text)
    assert listened == 1
    for shipped, other in ((8501, first), (8502, second)):
        text, places = re.subn(rf"\b(mirage_)?{shipped}\b", rf"\g<1>{other}", text)
        assert places == 7
    return text


def write_configuration(folder, port, first, second):
    """Write the configuration below a folder and return the main file."""
    (folder / "mirage.conf").write_text(configuration(port, first, second), encoding="utf-8")
    user = "user root;" if os.geteuid() == 0 else ""
    main = folder / "nginx.conf"
    main.write_text(FRAME.format(folder=folder, user=user), encoding="utf-8")
    return main


@dataclass
class Site:
    """A running site: its address and its server processes by port."""

    address: str
    folder: Path
    processes: dict[int, subprocess.Popen] = field(default_factory=dict)

    def kill(self, port):
        """End a server process at once, without a goodbye."""
        os.killpg(self.processes[port].pid, signal.SIGKILL)
        self.processes[port].wait(10)

    def log(self):
        """Return what nginx complained of."""
        return (self.folder / "error.log").read_text(encoding="utf-8")


def _commands(first, second):
    """Return the two ways to start a server process; visitors must not notice which one they meet."""
    streamlit = ["streamlit", "run", "app.py", "--server.address=127.0.0.1", "--server.fileWatcherType=none"]
    uvicorn = ["uvicorn", "app:app", "--host", "127.0.0.1"]
    return {first: [*streamlit, f"--server.port={first}"], second: [*uvicorn, f"--port={second}"]}


def _wait(address, processes, what):
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        with contextlib.suppress(OSError), urllib.request.urlopen(address, timeout=5):
            return
        assert all(process.poll() is None for process in processes), f"{what} ended by itself"
        time.sleep(0.1)
    pytest.fail(f"{what} did not start within {PATIENCE} seconds.")


def _end(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGTERM)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(10)


@contextlib.contextmanager
def running_site(folder):
    """Start both server processes and nginx, and end them with all of their children."""
    nginx = nginx_path()
    port, first, second = free_ports(3)
    main = write_configuration(folder, port, first, second)
    address = f"http://127.0.0.1:{port}"
    environment = {
        **os.environ,
        "STREAMLIT_SERVER_BASE_URL_PATH": "mirage",
        "MIRAGE_PUBLIC_URL": "https://example.org/mirage",
        "MIRAGE_MAX_UPLOAD_MB": str(UPLOAD_MB),
        "MIRAGE_CACHE_DIR": str(folder / "cache"),
    }
    site = Site(address, folder)
    with contextlib.ExitStack() as stack:
        for number, command in _commands(first, second).items():
            log = stack.enter_context((folder / f"{number}.log").open("wb"))
            process = subprocess.Popen(
                [sys.executable, "-m", *command],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            stack.callback(_end, process)
            site.processes[number] = process
        for number, process in site.processes.items():
            _wait(f"http://127.0.0.1:{number}/mirage/_stcore/health", [process], f"The server on {number}")
        front = subprocess.Popen([nginx, "-p", folder, "-c", main], start_new_session=True)
        stack.callback(_end, front)
        _wait(f"{address}/mirage/health", [front], "nginx")
        yield site
