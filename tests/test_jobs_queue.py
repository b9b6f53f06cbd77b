"""The queue of heavy work: order, progress, sharing, cancelling, and workers that die."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import pytest

from core.errors import DataError, MirageError
from core.jobs import JobQueue, jobs_at_once
from tests.job_samples import count, die, fail_for_reader, fail_inside, niceness, spin, where


@pytest.fixture
def queue():
    made = JobQueue(max_jobs=1, max_results=2)
    yield made
    made.close()


def _until(check, seconds=15.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if check():
            return True
        time.sleep(0.02)
    return False


def _alive(process):
    """Whether a process exists and is not a zombie."""
    try:
        state = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state != "Z"


def test_a_job_runs_in_another_process_and_its_result_is_kept(queue):
    assert queue.submit("ann", "where", where).state in {"queued", "running"}
    assert queue.wait("ann", "where", 20).state == "done"
    assert queue.result("ann", "where") != os.getpid()
    assert queue.submit("ben", "where", where).state == "done"


def test_progress_is_counted_in_blocks(queue):
    queue.submit("ann", "count", count, 20, 0.05)
    assert _until(lambda: queue.status("ann", "count").total == 20)
    assert _until(lambda: 0 < queue.status("ann", "count").done < 20)
    assert queue.wait("ann", "count", 20).state == "done"
    assert queue.result("ann", "count") == 20


def test_waiting_jobs_know_their_place_and_run_in_order(queue, tmp_path):
    log = tmp_path / "order"
    queue.submit("ann", "a", count, 10, 0.05, str(log), "a")
    queue.submit("ben", "b", count, 1, 0.0, str(log), "b")
    queue.submit("cat", "c", count, 1, 0.0, str(log), "c")
    assert queue.status("ben", "b").place == 1
    assert queue.status("cat", "c").place == 2
    assert queue.wait("cat", "c", 30).state == "done"
    assert log.read_text() == "abc"


def test_the_line_moves_up_when_somebody_leaves(queue):
    queue.submit("ann", "a", count, 200, 0.05)
    queue.submit("ben", "b", count, 1, 0.0)
    queue.submit("cat", "c", count, 1, 0.0)
    queue.leave("ben")
    assert queue.status("cat", "c").place == 1
    assert queue.status("ben", "b").state == "cancelled"


def test_leaving_ends_the_process_within_a_second(queue, tmp_path):
    note = tmp_path / "pid"
    queue.submit("ann", "spin", spin, str(note))
    assert _until(lambda: note.exists() and note.read_text())
    process = int(note.read_text())
    start = time.monotonic()
    queue.leave("ann")
    assert time.monotonic() - start < 0.5
    assert _until(lambda: not _alive(process), seconds=1.0)
    assert queue.status("ann", "spin").state == "cancelled"
    queue.submit("ann", "where", where)
    assert queue.wait("ann", "where", 20).state == "done"


def test_another_wish_of_the_same_visitor_ends_the_first(queue, tmp_path):
    note = tmp_path / "pid"
    queue.submit("ann", "spin", spin, str(note))
    assert _until(lambda: note.exists() and note.read_text())
    queue.submit("ann", "where", where)
    assert queue.wait("ann", "where", 20).state == "done"
    assert not _alive(int(note.read_text()))


def test_a_shared_job_lives_until_its_last_owner_leaves(queue):
    queue.submit("ann", "a", count, 20, 0.05)
    queue.submit("ben", "a", count, 20, 0.05)
    queue.leave("ann")
    assert queue.status("ben", "a").state == "running"
    assert queue.wait("ben", "a", 20).state == "done"


def test_a_killed_worker_is_a_sentence_and_the_next_run_works(queue):
    queue.submit("ann", "die", die)
    status = queue.wait("ann", "die", 20)
    assert status.state == "failed"
    assert "Run it again" in status.message
    with pytest.raises(MirageError, match="ended from outside"):
        queue.result("ann", "die")
    queue.submit("ann", "where", where)
    assert queue.wait("ann", "where", 20).state == "done"


def test_a_worker_killed_from_outside_is_noticed(queue, tmp_path):
    note = tmp_path / "pid"
    queue.submit("ann", "spin", spin, str(note))
    assert _until(lambda: note.exists() and note.read_text())
    os.kill(int(note.read_text()), signal.SIGKILL)
    assert queue.wait("ann", "spin", 10).state == "failed"


def test_a_fault_meant_for_the_reader_arrives_as_it_is(queue):
    queue.submit("ann", "bad", fail_for_reader)
    status = queue.wait("ann", "bad", 20)
    assert status.message == "Nothing to study here. Give more items."
    with pytest.raises(DataError, match="Give more items"):
        queue.result("ann", "bad")


def test_any_other_fault_is_neutral(queue):
    queue.submit("ann", "bad", fail_inside)
    status = queue.wait("ann", "bad", 20)
    assert status.state == "failed"
    assert "secret" not in status.message
    assert "Run it again" in status.message


def test_private_results_are_their_owners_alone(queue):
    queue.submit("ann", "mine", where, keep=False)
    assert queue.wait("ann", "mine", 20).state == "done"
    assert queue.status("ben", "mine").state == "cancelled"
    assert isinstance(queue.result("ann", "mine"), int)
    queue.leave("ann")
    assert queue.status("ann", "mine").state == "cancelled"


def test_only_so_many_results_are_kept(queue):
    for number in range(3):
        queue.run_here(number, abs, -number, progress=False)
    assert queue.status("ann", 0).state == "cancelled"
    assert queue.status("ann", 2).state == "done"


def test_a_queue_needs_a_slot():
    with pytest.raises(ValueError, match="at least one job"):
        JobQueue(max_jobs=0)


@pytest.mark.parametrize(("text", "jobs"), [("3", 3), ("0", 1), ("-2", 1), ("many", 1), ("", 1)])
def test_jobs_at_once_has_a_safe_default(monkeypatch, text, jobs):
    monkeypatch.setenv("MIRAGE_MAX_JOBS", text)
    assert jobs_at_once() == jobs


def test_a_failure_belongs_to_those_who_asked(queue):
    queue.submit("ann", "bad", fail_inside)
    assert queue.wait("ann", "bad", 20).state == "failed"
    assert queue.status("ben", "bad").state == "cancelled"
    queue.leave("ann")
    assert queue.status("ann", "bad").state == "cancelled"


def test_a_worker_stands_back_for_the_server(queue):
    queue.submit("ann", "nice", niceness)
    assert queue.wait("ann", "nice", 20).state == "done"
    assert queue.result("ann", "nice") > os.nice(0)
