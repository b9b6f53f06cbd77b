"""Take the README's picture: start the dashboard, open a page in the system's Chromium, and save what it shows.

Run as ``.venv/bin/python tools/make_pictures.py``; needs requirements-dev.txt and a Chromium.
"""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[1]
PICTURES = {"selection-loss.png": "/selection_loss?reveal=1"}
WIDTH, HEIGHT = 1280, 1180


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(port: int, seconds: float = 60.0) -> None:
    """Wait until somebody listens on a port."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(f"No server answered on port {port} within {seconds:g} s.")


def main() -> int:
    """Save every picture; return the exit status."""
    browser_path = shutil.which("chromium") or shutil.which("google-chrome")
    if browser_path is None:
        print("No Chromium found; install it first.", file=sys.stderr)
        return 1
    port = free_port()
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.port", str(port)]
    server = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL)  # noqa: S603 - our own command
    try:
        wait_for(port)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=browser_path, args=["--no-sandbox"])
            page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light")
            for name, path in PICTURES.items():
                page.goto(f"http://127.0.0.1:{port}{path}")
                page.wait_for_selector(".vega-embed canvas, .vega-embed svg")
                page.wait_for_timeout(2_000)
                page.screenshot(path=ROOT / "docs" / name)
                print(f"docs/{name}")
            browser.close()
    finally:
        server.terminate()
        server.wait()
    return 0


if __name__ == "__main__":
    sys.exit(main())
