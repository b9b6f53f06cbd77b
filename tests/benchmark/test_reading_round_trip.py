"""What is written reads back to the same matrix, whatever the kind of file and the order of the rows."""

from __future__ import annotations

import csv
import io

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmark.model import Benchmark
from core.benchmark.reading import read_benchmark, write_benchmark
from core.benchmark.settings import Settings
from core.errors import DataError
from tests.benchmark.item_samples import as_formats

NAME = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r"), min_size=1, max_size=8
).filter(lambda text: bool(text.strip()) and "\ufeff" not in text)
SCORE = st.one_of(st.sampled_from([0.0, 1.0, 1 / 3]), st.floats(0, 1, allow_subnormal=True))


@st.composite
def benchmarks(draw):
    models = draw(st.lists(NAME, min_size=2, max_size=4, unique=True))
    items = draw(st.lists(NAME, min_size=1, max_size=6, unique=True))
    tasks = draw(st.lists(NAME, min_size=1, max_size=3, unique=True))
    task = [draw(st.sampled_from(tasks)) for _ in items]
    category_of = {name: draw(NAME) for name in tasks}
    prompt = [f"{name}/{draw(st.integers(0, 2))}" for name in task]
    scores = np.array([[draw(SCORE) for _ in items] for _ in models])
    return Benchmark.from_columns(
        Settings(name="round trip"),
        models,
        sorted(items),
        scores,
        task=task,
        category=[category_of[name] for name in task],
        prompt_hash=prompt,
    )


def rows_of(benchmark):
    rows = []
    for model, name in enumerate(benchmark.models):
        for item, item_name in enumerate(benchmark.items):
            task = benchmark.item_task[item]
            rows.append(
                {
                    "model": name,
                    "item": item_name,
                    "task": benchmark.tasks[task],
                    "category": benchmark.categories[benchmark.task_category[task]],
                    "prompt_hash": benchmark.prompts[benchmark.item_prompt[item]],
                    "score": float(benchmark.scores[model, item]),
                }
            )
    return rows


def csv_of(rows):
    stream = io.StringIO(newline="")
    writer = csv.DictWriter(stream, list(rows[0]), quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue().encode()


@settings(max_examples=60, deadline=None)
@given(benchmarks(), st.randoms(use_true_random=False))
def test_shuffled_rows_of_every_kind_give_the_same_benchmark(benchmark, random):
    rows = rows_of(benchmark)
    random.shuffle(rows)
    table = pa.Table.from_pylist(rows)
    for kind, content in as_formats(table, csv_of(rows)).items():
        again = read_benchmark(content, Settings(name="round trip"))
        assert again.digest == benchmark.digest, kind
        np.testing.assert_array_equal(again.scores, benchmark.scores)


@settings(max_examples=25, deadline=None)
@given(benchmark=benchmarks())
def test_written_folder_reads_back(benchmark, tmp_path_factory):
    folder = tmp_path_factory.mktemp("bank")
    paths = write_benchmark(benchmark, folder)
    assert [path.name for path in paths] == ["items.parquet", "settings.toml"]
    again = read_benchmark(*paths)
    assert again.settings == benchmark.settings
    assert again.digest == benchmark.digest


def test_folder_is_not_overwritten_without_force(tmp_path):
    benchmark = read_benchmark(b"model,item,score\na,q,1\nb,q,0\n")
    write_benchmark(benchmark, tmp_path / "new")
    before = (tmp_path / "new" / "settings.toml").read_bytes()
    other = benchmark.with_settings(Settings(name="other"))
    with pytest.raises(DataError, match=r"items\.parquet' exists. Give --force"):
        write_benchmark(other, tmp_path / "new")
    assert (tmp_path / "new" / "settings.toml").read_bytes() == before
    write_benchmark(other, tmp_path / "new", force=True)
    assert (
        read_benchmark(tmp_path / "new" / "items.parquet", tmp_path / "new" / "settings.toml").name == "other"
    )
