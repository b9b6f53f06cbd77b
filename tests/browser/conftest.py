"""A fresh server and a real Chromium, for tests of what only a browser shows.

Where no Chromium is found the tests are skipped, except in CI (``CI=true`` or ``MIRAGE_REQUIRE_BROWSER=1``), where that
is a failure.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PATIENCE_MS = 60_000  # a wait that ends early costs nothing, and two cores may be busy


def pytest_collection_modifyitems(items):
    for item in items:
        if "browser" in Path(item.fspath).parts:
            item.add_marker(pytest.mark.browser)


def _required():
    return os.environ.get("CI", "").lower() == "true" or os.environ.get("MIRAGE_REQUIRE_BROWSER") == "1"


@pytest.fixture(scope="session")
def chromium():
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for found in map(shutil.which, names) if found), None)
    if path is None:
        message = "No Chromium found. On Debian or Ubuntu: apt-get install chromium"
        pytest.fail(message) if _required() else pytest.skip(message)
    return path


@pytest.fixture(scope="session")
def browser(chromium):
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        yield launched
        launched.close()


def _free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def running_server(script="app.py", log=subprocess.DEVNULL, port=None, **environment):
    """Start a server of its own, on a free port if none is given, and end it with all of its children."""
    port = port or _free_port()
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(script),
        "--server.headless=true",
        "--server.address=127.0.0.1",
    ]
    server = subprocess.Popen(
        [*command, f"--server.port={port}", "--server.fileWatcherType=none"],
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=log,
        stderr=log,
        start_new_session=True,
    )
    address = f"http://127.0.0.1:{port}"
    try:
        for _ in range(300):
            with contextlib.suppress(OSError), urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                break
            time.sleep(0.1)
        else:
            pytest.fail("The test server did not start within 30 seconds.")
        yield address, server.pid
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(server.pid, signal.SIGTERM)
        try:
            server.wait(5)
        except subprocess.TimeoutExpired:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait(5)


@pytest.fixture
def fresh_server():
    """Address of a server that nobody has visited."""
    with running_server() as (address, _):
        yield address


@pytest.fixture(scope="session")
def server():
    """Address of a server that all tests may share."""
    with running_server() as (address, _):
        yield address


class Visit:
    """A page in the browser, with what it asked for and what the console said."""

    def __init__(self, page, address):
        self.page = page
        self.address = address
        self.elsewhere = []
        self.complaints = []
        page.on("request", self._note_request)
        page.on("console", self._note_console)
        page.on("pageerror", lambda fault: self.complaints.append(str(fault)))

    def _note_request(self, request):
        if not request.url.startswith((self.address, "data:", "blob:", self.address.replace("http", "ws"))):
            self.elsewhere.append(request.url)

    def _note_console(self, message):
        # Streamlit looks for its own server under the page's path first; the answer 404 is part of that search.
        if message.type == "error" and "/_stcore/" not in message.location.get("url", ""):
            self.complaints.append(message.text)

    def open(self, path):
        self.page.goto(f"{self.address}{path}")
        self.ready()
        return self

    def ready(self):
        self.page.wait_for_selector("h1")
        self.settled()
        return self

    def settled(self):
        """Wait until the server has finished the page and its charts are drawn."""
        self.idle(300)  # the address changes a moment before the server begins
        self.page.wait_for_function(
            "() => { const charts = [...document.querySelectorAll('[data-testid=stVegaLiteChart]')];"
            " return charts.length && charts.every(chart => chart.querySelector('svg.marks, canvas.marks')) }"
        )
        return self

    def idle(self, quiet_ms=400):
        """Wait until the server has had nothing to do for this visitor for a moment."""
        self.page.wait_for_function(
            """quiet => {
              const app = document.querySelector('[data-testid=stApp]')
              const busy = !app || app.getAttribute('data-test-script-state') !== 'notRunning'
              if (busy) { window.idleSince = undefined; return false }
              window.idleSince ??= performance.now()
              return performance.now() - window.idleSince >= quiet
            }""",
            arg=quiet_ms,
        )
        self.page.evaluate("() => { window.idleSince = undefined }")
        return self

    def go(self, path):
        """Open a view that may have no chart, or work to do first, and wait until it is all there."""
        self.page.goto(f"{self.address}{path}")
        self.page.wait_for_selector("h1")
        return self.at_rest()

    def at_rest(self, quiet_ms=400, progress_is_enough=False):
        """Wait until nothing runs, waits or is still to be drawn, and has not for a moment; or until progress is shown."""
        self.page.wait_for_function(
            """([quiet, enough]) => {
              const all = name => [...document.querySelectorAll(`[data-testid=${name}]`)]
              const app = all('stApp')[0]
              if (enough && all('stProgress').length) return true
              const busy = !app || app.getAttribute('data-test-script-state') !== 'notRunning'
                || all('stProgress').length || all('stSkeleton').length || all('stSpinner').length
                || all('stVegaLiteChart').some(chart => !chart.querySelector('svg.marks, canvas.marks'))
                || all('stPlotlyChart').some(chart => !chart.querySelector('.plot-container'))
              if (busy) { window.restSince = undefined; return false }
              window.restSince ??= performance.now()
              return performance.now() - window.restSince >= quiet
            }""",
            arg=[quiet_ms, progress_is_enough],
        )
        self.page.evaluate("() => { window.restSince = undefined }")
        return self

    def enter(self, field, text, sign):
        """Type into a field of a page at rest and send it, until the address holds a sign of it.

        A field that is drawn anew while one types loses the text; whoever sees that types it again.
        """
        from playwright.sync_api import TimeoutError  # noqa: A004 - the browser's own

        for _ in range(4):
            self.idle(1_000)
            field.fill(text)
            field.press("Enter")
            with contextlib.suppress(TimeoutError):
                self.page.wait_for_url(f"**{sign}**", timeout=10_000)
                break
        assert sign in self.page.url
        return self

    @property
    def title(self):
        return self.page.locator("h1").inner_text()

    @property
    def text(self):
        return self.page.locator("[data-testid=stMain]").inner_text()

    def chart_words(self):
        charts = self.page.locator("[data-testid=stVegaLiteChart]").all()
        return [chart.get_attribute("aria-label") or "" for chart in charts]


def _opener(browser, contexts, shared):
    def start(address, width=1440, height=900, scheme="light"):
        look = (width, height, scheme)
        context = contexts.get(look) if shared else None
        if context is None:
            context = browser.new_context(
                viewport={"width": width, "height": height}, color_scheme=scheme, accept_downloads=True
            )
            context.set_default_timeout(PATIENCE_MS)
            contexts[look if shared else len(contexts)] = context
        return Visit(context.new_page(), address)

    return start


@pytest.fixture
def visit(browser):
    """Open pages as a new visitor each: ``visit(address, width=1440, height=900, scheme="light")``."""
    contexts = {}
    yield _opener(browser, contexts, shared=False)
    for context in contexts.values():
        context.close()


@pytest.fixture(scope="module")
def tab(browser):
    """Open pages like `visit`, in the tabs of one browser, which fetches the program's files once for a module's tests."""
    contexts = {}
    yield _opener(browser, contexts, shared=True)
    for context in contexts.values():
        context.close()
