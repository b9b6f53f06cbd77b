"""Anything may be uploaded: the answer is a benchmark or sentences, never a traceback and never a hang.

A short slice runs with every test; ``make soak`` sets MIRAGE_SOAK to 5,000 inputs.
"""

from __future__ import annotations

import ast
import contextlib
import gzip
import io
import os
import pickle
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from pyarrow import feather, parquet

from core.benchmark.reading import check_benchmark
from core.errors import MirageError
from core.report import make_report
from core.reuse.portions import StressWish, joined, run_portion

ROOT = Path(__file__).resolve().parents[2]
INPUTS = int(os.environ.get("MIRAGE_SOAK", "80"))
SECONDS = 20.0
SLICE = settings(
    deadline=None,
    database=None,
    derandomize="MIRAGE_SOAK" not in os.environ,
    max_examples=INPUTS,
    suppress_health_check=list(HealthCheck),
)

ODD = (
    "a", "b", "NA", "001", "=1+1", "@x", "-", "\N{PILE OF POO}", "\N{RIGHT-TO-LEFT OVERRIDE}x", "nul\0", "<script>", "{{7*7}}",
    "x" * 10_000, " ", "", "a,b", 'q"q', "line\nbreak", "\u2028", "e\u0301", "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}", "../../x",
)  # fmt: skip
NAMES = st.sampled_from(ODD) | st.text(max_size=12)
SCORES = st.sampled_from(
    ("0", "1", "0.5", "7", "-1", "nan", "inf", "1e-400", "0x1", "", "1,0", "٣", "True")
) | st.floats(0, 1).map(str)
SETTINGS_TEXT = st.sampled_from(
    (
        "", "coordinates = 'task'", "ranking = 'item_mean'", "ranking = 'mean_win_rate'", "precision = 'float64'", "precision = 0.1",
        "repeats = 3", "holdout_fraction = 0.5", "holdout_per_category = 1", "coordinates = 'overall'", "feedback = 'task+noise:1'",
        "feedback = 'groups:/etc/passwd'", "name = '<b>'", "holdout_fraction = 2", "{", "[" * 3000, '{"a":' * 3000, "\0",
        'routing_seed = "\\u0000"', "repeats = 99999999999999999999",
    )
)  # fmt: skip


@st.composite
def tables(draw):
    """Rows of an items file: complete more often than not, with odd names."""
    models = draw(st.lists(NAMES, min_size=1, max_size=4, unique=True))
    items = draw(st.lists(NAMES, min_size=1, max_size=10, unique=True))
    odd_scores = draw(st.booleans())
    rows = [
        [model, item, draw(SCORES) if odd_scores else str(draw(st.integers(0, 1)))]
        for model in models
        for item in items
    ]
    header = ["model", "item", "score"]
    for column in draw(st.lists(st.sampled_from(("task", "category", "prompt", "prompt_hash")), unique=True)):
        header.append(column)
        by_item = {item: draw(st.sampled_from(("t1", "t1", "t2", "=t3"))) for item in items}
        if column.startswith("prompt"):
            by_item = {item: f"p{draw(st.integers(0, 20))}" for item in items}
        for row in rows:
            row.append(by_item[row[1]])
    if draw(st.booleans()):
        rows = draw(st.permutations(rows))[: draw(st.integers(0, len(rows)))]
    return header, rows


@st.composite
def uploads(draw):
    """Bytes of a file: CSV, gzip, Parquet, Feather, damaged or not, or nothing of the kind."""
    kind = draw(st.sampled_from(("csv", "csv", "csv", "gz", "parquet", "feather", "bytes")))
    if kind == "bytes":
        head = draw(
            st.sampled_from(
                (
                    b"",
                    b"PAR1",
                    b"ARROW1",
                    b"\xff\xff\xff\xff",
                    b"PK\x03\x04",
                    b"\x80\x04\x95",
                    b"\x1f\x8b",
                    b"BZh",
                )
            )
        )
        return head + draw(st.binary(max_size=200))
    header, rows = draw(tables())
    if kind in {"csv", "gz"}:
        import csv

        stream = io.StringIO()
        csv.writer(stream, delimiter=draw(st.sampled_from((",", ",", ",", ";", "\t")))).writerows(
            [header, *rows]
        )
        content = stream.getvalue().encode("utf-8", errors="surrogatepass")
        content = gzip.compress(content) if kind == "gz" else content
    else:
        columns = {name: [row[place] for row in rows] for place, name in enumerate(header)}
        columns = {
            name: [one.encode("utf-8", "replace").decode() for one in values]
            for name, values in columns.items()
        }
        if draw(st.booleans()):
            columns["score"] = np.array([_number(one) for one in columns["score"]])
        stream = io.BytesIO()
        table = pa.table(columns)
        parquet.write_table(table, stream) if kind == "parquet" else feather.write_feather(table, stream)
        content = stream.getvalue()
    return _damaged(draw, content)


def _number(text):
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _damaged(draw, content):
    damage = draw(st.sampled_from(("none", "none", "none", "cut", "flip", "insert")))
    if damage == "none" or not content:
        return content
    place = draw(st.integers(0, len(content) - 1))
    if damage == "cut":
        return content[:place]
    if damage == "insert":
        return content[:place] + draw(st.binary(min_size=1, max_size=8)) + content[place:]
    return content[:place] + bytes([content[place] ^ (1 << draw(st.integers(0, 7)))]) + content[place + 1 :]


@SLICE
@given(
    content=uploads(),
    text=SETTINGS_TEXT,
    incomplete=st.sampled_from(("stop", "stop", "drop_models", "drop_items")),
    rule=st.sampled_from(
        (
            "task",
            "category",
            "policy:aggregate",
            "category+ladder:auto",
            "task+noise:5",
            "category+frontier:1",
            "x",
        )
    ),
)
def test_any_upload_ends_in_a_benchmark_or_in_sentences(content, text, incomplete, rule):
    began = time.monotonic()
    report, benchmark = check_benchmark(content, text.encode(), label="up\0load.csv", incomplete=incomplete)
    assert (benchmark is None) == bool(report.faults)
    for fault in report.faults:
        assert fault.message
        assert "\0" not in fault.text
        assert "Traceback" not in fault.text
        assert len(fault.text) < 5_000
    if benchmark is not None:
        try:
            wish = StressWish((rule,), (1, 2, 4), trials=2)
            portion = run_portion(benchmark, wish, 0, 2)
            joined(benchmark, wish, [portion], 1.0)
            files = make_report(benchmark, (rule,), budgets=(2, 4), trials=2, cache=False).files()
        except MirageError:  # a sentence for the reader
            pass
        else:
            assert b"<script" not in files["report.html"].lower()
            assert b"\0" not in files["report.html"]
    assert time.monotonic() - began < SECONDS


@settings(SLICE, max_examples=max(20, INPUTS // 4))
@given(
    content=st.binary(max_size=300) | st.text(max_size=300).map(lambda text: text.encode("utf-8", "replace"))
)
def test_any_settings_end_in_settings_or_in_sentences(content):
    items = b"model,item,score\na,q,1\na,r,0\nb,q,0\nb,r,1\n"
    report, _ = check_benchmark(items, content, label="x.csv")
    assert all(fault.message for fault in report.faults)


@settings(SLICE, max_examples=max(20, INPUTS // 4))
@given(
    rule=st.text(max_size=40)
    | st.lists(
        st.sampled_from(
            (
                "task",
                "+",
                "round",
                ":",
                "1",
                "ladder",
                "auto",
                "noise",
                "e9",
                "cap",
                "nan",
                "-0",
                "grouped:2:0",
            )
        ),
        max_size=8,
    ).map("".join)
)
def test_any_rule_is_a_rule_or_a_sentence(rule):
    from core.benchmark.catalogue import load
    from core.reuse.rules import parse_rule

    assume(not rule.startswith("groups:"))
    with contextlib.suppress(MirageError):  # a sentence for the reader
        assert parse_rule(load("terminal_science"), rule).interface.size >= 1


def test_numbers_beyond_all_measure_are_a_sentence():
    items = b"model,item,score\na,q,1\na,r,0\nb,q,0\nb,r,1\n"
    for text in (
        b"repeats = 99999999999999999999",
        b"split_seed_base = 1e400",
        b"holdout_per_category = 99999999999999999999",
    ):
        report, benchmark = check_benchmark(items, text, label="x.csv")
        if benchmark is not None:
            with pytest.raises(MirageError):
                run_portion(benchmark, StressWish(("overall",), (2,), trials=1), 0, 1)
        else:
            assert report.faults[0].message


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"PK\x03\x04" + bytes(100), "ZIP archive or an Excel workbook"),
        (b"\x80\x04\x95" + bytes(100), "a Python pickle, which is never opened"),
        (gzip.compress(gzip.compress(b"model,item,score\n")), "gzip file holds no text"),
        (gzip.compress(b"PK\x03\x04" + bytes(50)), "ZIP archive"),
    ],
    ids=["zip", "pickle", "gzip in gzip", "zip in gzip"],
)
def test_foreign_and_nested_files_are_refused(content, message):
    report, benchmark = check_benchmark(content, label="x")
    assert benchmark is None
    assert message in report.faults[0].message


def test_a_bomb_stops_at_the_limit_and_not_at_the_end_of_memory(monkeypatch):
    from core.benchmark import sources

    monkeypatch.setattr(sources, "MAX_TEXT_BYTES", 1 << 20)
    bomb = gzip.compress(b"model,item,score\n" + b"a,q,1\n" * 2_000_000)
    assert len(bomb) < 1 << 20
    began = time.monotonic()
    report, benchmark = check_benchmark(bomb, label="bomb.csv.gz")
    assert benchmark is None
    assert "which is the limit" in report.faults[0].message
    assert time.monotonic() - began < SECONDS


def test_a_pickle_inside_a_parquet_file_is_only_bytes(tmp_path):
    target = tmp_path / "was here"

    class Bomb:
        def __reduce__(self):
            return Path.touch, (target,)

    stream = io.BytesIO()
    parquet.write_table(pa.table({"model": ["a"], "item": ["q"], "score": [pickle.dumps(Bomb())]}), stream)
    report, benchmark = check_benchmark(stream.getvalue(), label="x.parquet")
    assert benchmark is None
    assert report.faults
    assert not target.exists()


def test_no_source_file_evaluates_or_unpickles_anything():
    found = []
    for path in sorted([*(ROOT / "core").rglob("*.py"), *(ROOT / "pages").rglob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            called = node.func.id if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) else ""
            named = [one.name for one in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            module = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            if called in {"eval", "exec"} or {"pickle", "marshal", "shelve", "dill", "yaml"} & {
                *named,
                *module,
            }:
                found.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert found == []
