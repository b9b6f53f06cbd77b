"""Small jobs that the tests of the queue send to worker processes."""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

from core.errors import DataError


def where(progress):
    """Return the worker's process number."""
    progress(1, 1)
    return os.getpid()


def count(blocks, seconds, log="", letter="", *, progress):
    """Report that many blocks, and write a letter to a log at the end."""
    for block in range(blocks):
        time.sleep(seconds)
        progress(block + 1, blocks)
    if log:
        with Path(log).open("a") as file:
            file.write(letter)
    return blocks


def spin(note, progress):
    """Keep a processor busy for a minute."""
    Path(note).write_text(str(os.getpid()))
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pass


def die(progress):
    """End like a process that the system kills."""
    os.kill(os.getpid(), signal.SIGKILL)


def fail_for_reader(progress):
    """Meet a fault that is written for the reader."""
    raise DataError("Nothing to study here. Give more items.")


def fail_inside(progress):
    """Meet a fault of the program."""
    raise RuntimeError("secret detail")


def niceness(progress):
    """Return how far this process lets others go first."""
    progress(1, 1)
    return os.nice(0)
