"""Sample logs of lm-evaluation-harness: ``samples_<task>_<time>.jsonl``, one folder per model.

Each line is one sample with ``doc_id``, its metrics by name, and since 0.4.3 ``doc_hash``, ``prompt_hash`` and ``filter``.
Texts of prompts and answers are passed over.
"""

from __future__ import annotations

import gzip
import json
import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from core.benchmark.faults import listing, plural, quoted
from core.benchmark.importers.common import Columns, Converted, folder_name, ignore
from core.errors import DataError
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from core.benchmark.checking import Incomplete
    from core.benchmark.importers.common import Progress

METRICS: Final = (
    "acc_norm",
    "acc",
    "exact_match",
    "prompt_level_strict_acc",
    "mc2",
    "pass@1",
    "em",
    "f1",
)
"""Metrics that are taken, the first that every sample of a task has."""
MAX_LINE_BYTES: Final = 64 << 20
_FILE: Final = re.compile(
    r"samples_(?P<task>.+?)(?:_(?P<time>\d{4}-\d{2}-\d{2}T[\d.:-]+))?\.jsonl(?:\.gz)?\Z"
)


@dataclass
class _Log:
    """The samples of one model on one task."""

    model: str
    task: str
    time: str
    path: Path
    scores: dict[str, dict[str, float]] = field(default_factory=dict)  # metric -> doc -> score
    prompts: dict[str, str] = field(default_factory=dict)
    docs: list[str] = field(default_factory=list)
    filters: list[str] = field(default_factory=list)


def sample_files(source: Path) -> list[Path]:
    """Return the sample logs in a folder and below it, or the file itself."""
    if source.is_file():
        return [source] if _FILE.match(source.name) else []
    return sorted(path for path in source.rglob("samples_*.jsonl*") if _FILE.match(path.name))


def read_lm_eval(
    source: Path, *, incomplete: Incomplete = "stop", progress: Progress = ignore
) -> list[Converted]:
    """Read the sample logs of several models.

    Parameters
    ----------
    source
        A folder with one folder of logs per model.
    incomplete
        What to do when a model lacks samples.
    progress
        Called with (files read, files in all).

    Raises
    ------
    DataError
        If there are no logs, a log is damaged, or a task has no metric that is known.
    """
    files = sample_files(source)
    if not files:
        raise DataError(
            f"No sample logs (samples_*.jsonl) under '{shown(source, 200)}'. Run lm_eval with --log_samples."
        )
    logs, notes = _latest(files, source)
    for place, log in enumerate(logs, start=1):
        _read(log)
        progress(place, len(logs))
    metrics = _metrics(logs)
    without = sorted({shown(log.task) for log in logs if log.task not in metrics})
    if without:
        notes.append(f"Left out, for want of a metric from 0 to 1 that all samples have: {listing(without)}.")
    logs = [log for log in logs if log.task in metrics]
    if not logs:
        raise DataError(
            f"No task has a metric that all of its samples have. Looked for {', '.join(METRICS)}."
        )
    notes.append(
        "Metrics taken: "
        + "; ".join(sorted(f"{shown(task)} {metric}" for task, metric in metrics.items()))
        + "."
    )
    filters = sorted({f"{shown(log.task)} ({shown(log.filters[0])})" for log in logs if len(log.filters) > 1})
    if filters:
        notes.append(f"Samples scored under several filters count under the first: {listing(filters)}.")
    model: list[str] = []
    item: list[str] = []
    score: list[float | None] = []
    task: list[str] = []
    prompt: list[str] = []
    for log in logs:
        values = log.scores[metrics[log.task]]
        for doc in log.docs:
            model.append(log.model)
            item.append(f"{log.task}/{doc}")
            score.append(values.get(doc))
            task.append(log.task)
            prompt.append(log.prompts.get(doc, f"{log.task}/{doc}"))
    columns = Columns(model, item, score, task, task, prompt)
    name = folder_name(source.resolve().name if source.is_dir() else source.stem)
    settings: dict[str, Any] = {"name": name, "coordinates": "task", "ranking": "category_mean"}
    benchmark, more = columns.read(source.name, settings, name=name, incomplete=incomplete)
    return [Converted(name, benchmark, (*notes, *more))]


def _latest(files: list[Path], source: Path) -> tuple[list[_Log], list[str]]:
    """Return one log per model and task, the latest run of each."""
    newest: dict[tuple[str, str], _Log] = {}
    older = 0
    for path in files:
        match = _FILE.match(path.name)
        assert match is not None
        model = path.parent.name if path.parent != source and source.is_dir() else source.resolve().stem
        log = _Log(model.replace("__", "/"), match["task"], match["time"] or "", path)
        key = (log.model, log.task)
        if key in newest:
            older += 1
        if key not in newest or log.time >= newest[key].time:
            newest[key] = log
    notes = [f"Left out {plural(older, 'log')} of earlier runs of the same model and task."] if older else []
    return [newest[key] for key in sorted(newest)], notes


def _read(log: _Log) -> None:
    seen: set[str] = set()
    for number, sample in _samples(log.path):
        where = f"{shown(log.path.name)}, line {number}"
        if "doc_id" not in sample:
            raise DataError(f"{where}: the sample has no doc_id.")
        doc = str(sample["doc_id"])
        kind = str(sample.get("filter", "none"))
        if kind not in log.filters:
            log.filters.append(kind)
        if kind != log.filters[0]:
            continue
        if doc in seen:
            raise DataError(f"{where}: doc_id {quoted(doc)} appears twice; keep one run per file.")
        seen.add(doc)
        log.docs.append(doc)
        for key in ("prompt_hash", "doc_hash"):
            if isinstance(sample.get(key), str) and sample[key].strip():
                log.prompts[doc] = sample[key]
                break
        for metric, value in sample.items():
            number_ = _number(value)
            if number_ is not None and metric in METRICS:
                log.scores.setdefault(metric, {})[doc] = number_
    if not log.docs:
        raise DataError(f"{shown(log.path.name)} holds no samples.")


def _samples(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    label = shown(path.name)
    opened = gzip.open if path.suffix == ".gz" else open
    try:
        with opened(path, "rb") as stream:
            number = 0
            while line := stream.readline(MAX_LINE_BYTES + 1):
                number += 1
                if len(line) > MAX_LINE_BYTES:
                    raise DataError(f"{label}, line {number}: longer than {MAX_LINE_BYTES >> 20} MB.")
                if not line.strip():
                    continue
                sample = json.loads(line)
                if not isinstance(sample, dict):
                    raise DataError(
                        f"{label}, line {number}: expected an object, found {type(sample).__name__}."
                    )
                yield number, sample
    except (UnicodeDecodeError, json.JSONDecodeError):
        raise DataError(f"{label}, line {number}: not valid JSON; the log may be cut off.") from None
    except RecursionError:
        raise DataError(f"{label}, line {number}: nested too deeply.") from None
    except (OSError, EOFError) as error:
        raise DataError(f"{label} cannot be read: {shown(error, 120)}.") from None


def _number(value: object) -> float | None:
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float) and math.isfinite(value):
        return float(value)
    return None


def _metrics(logs: list[_Log]) -> dict[str, str]:
    """Return the metric of each task, the first that every model's samples have; a task without one is left out."""
    chosen = {}
    for task in sorted({log.task for log in logs}):
        own = [log for log in logs if log.task == task]
        for metric in METRICS:
            if all(len(log.scores.get(metric, {})) == len(log.docs) for log in own):
                chosen[task] = metric
                break
    return chosen
