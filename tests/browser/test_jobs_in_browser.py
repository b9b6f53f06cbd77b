"""Heavy work seen from the browser: progress, the line, and a tab that is closed."""

from __future__ import annotations

import time
from pathlib import Path

from tests.browser.conftest import ROOT, running_server

SCRIPT = """
import sys

sys.path.insert(0, {root!r})
import streamlit as st
from pages.kit.jobs import begin_run, end_run, job_result
from tests.job_samples import spin

begin_run()
st.title("Work")
note = st.query_params["note"]
if st.toggle("Work", value=True):
    job_result("xy", note, spin, note, label="Spinning")
end_run()
"""


def _alive(process):
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def _until(check, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if check():
            return True
        time.sleep(0.05)
    return False


def _worker(note):
    assert _until(lambda: note.exists() and note.read_text(), 20)
    return int(note.read_text())


def test_leaving_and_changing_a_control_free_the_processor(visit, tmp_path):
    script = tmp_path / "work.py"
    script.write_text(SCRIPT.format(root=str(ROOT)))
    first, second, third = (tmp_path / name for name in ("first", "second", "third"))
    with running_server(script=script) as (address, _):
        ann = visit(address)
        ann.page.goto(f"{address}/?note={first}")
        running = _worker(first)
        ann.page.wait_for_selector("text=Spinning: starting")

        ben = visit(address)
        ben.page.goto(f"{address}/?note={second}")
        ben.page.wait_for_selector("text=Spinning: waiting, place 1 in line")

        ann.page.context.close()
        assert _until(lambda: not _alive(running), 1.0), "the closed tab's job still runs"

        running = _worker(second)
        ben.page.wait_for_selector("text=Spinning: starting")
        ben.page.get_by_text("Work", exact=True).last.click()
        ben.page.wait_for_selector("text=Spinning", state="detached")
        assert _until(lambda: not _alive(running), 1.0), "the job of a changed control still runs"

        cat = visit(address)
        cat.page.goto(f"{address}/?note={third}")
        assert _alive(_worker(third))
    assert _until(lambda: not _alive(int(third.read_text())), 5.0), "the job outlives its server"
