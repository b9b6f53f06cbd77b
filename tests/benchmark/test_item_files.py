"""Kinds of items files: what is read faithfully, what is refused, and the limits on size."""

from __future__ import annotations

import datetime as dt
import gzip
import hashlib
import io
import random
import subprocess
import sys
import tracemalloc
from pathlib import Path
from unittest import mock

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.benchmark import arrow_files, delimited, item_table, sources
from core.benchmark.faults import BenchmarkFileError
from core.benchmark.reading import check_benchmark, read_benchmark
from core.errors import DataError
from tests.benchmark.item_samples import (
    as_formats,
    csv_bytes,
    feather_bytes,
    good_csv,
    good_table,
    parquet_bytes,
    stream_bytes,
    table,
)

ROOT = Path(__file__).resolve().parents[2]
FORMATS = as_formats(good_table(), good_csv())


def message_of(content, label="items.csv"):
    with pytest.raises(DataError) as caught:
        read_benchmark(content, label=label)
    return str(caught.value)


@pytest.mark.parametrize("kind", FORMATS)
def test_every_kind_reads_the_same(kind, tmp_path):
    expected = read_benchmark(good_csv(), label="bench.csv")
    from_upload = read_benchmark(io.BytesIO(FORMATS[kind]), label="bench.csv")
    path = tmp_path / "bench.csv"
    path.write_bytes(FORMATS[kind])
    assert from_upload.digest == expected.digest == read_benchmark(path).digest
    assert expected.scores.tolist() == [[1, 0], [0, 1]]


@pytest.mark.parametrize("name", ["bench", "bench.csv", "bench.csv.gz", "bench.parquet", "bench.feather"])
def test_name_is_the_stem(name):
    assert read_benchmark(good_csv(), label=name).name == "bench"


def test_names_stay_text():
    models = ["NA", "nan", "null", "001", "1e5", "True", "-"]
    content = csv_bytes(*[f"{model},0010,1" for model in models], *[f"{model},NULL,0" for model in models])
    benchmark = read_benchmark(content)
    assert benchmark.models == tuple(sorted(models))
    assert benchmark.items == ("0010", "NULL")


def test_models_sort_by_code_point():
    names = [
        "x-9",
        "x-10",
        "delta",
        "Zulu",
        "\N{LATIN CAPITAL LETTER E WITH ACUTE}clair",
        "\U0001f600",
        "\ufb01x",
    ]
    benchmark = read_benchmark(csv_bytes(*[f"{name},q,1" for name in names]))
    assert benchmark.models == (
        "Zulu", "delta", "x-10", "x-9", "\N{LATIN CAPITAL LETTER E WITH ACUTE}clair", "\ufb01x", "\U0001f600",
    )  # fmt: skip


def test_odd_names_are_kept():
    names = ["nul\x00byte", "\u202eright-to-left", "x" * 10_000, "[red]", "tab\there", " padded "]
    report, benchmark = check_benchmark(csv_bytes(*[f"{name},q,1" for name in names]))
    assert set(benchmark.models) == set(names)
    assert "1 model name with blanks at the ends, kept as they are: ' padded '." in report.notes


def test_quoted_fields_hold_commas_quotes_and_line_breaks():
    content = b'model,item,score\r\n"a, ""b""\nc",q,1\r\nplain,q,0\r\n'
    assert read_benchmark(content).models == ('a, "b"\nc', "plain")


def test_byte_order_mark_and_blank_lines():
    content = b"\xef\xbb\xbf" + good_csv().replace(b"\nb,q1", b"\n\n  \nb,q1") + b"\n\n"
    assert read_benchmark(content, label="b").digest == read_benchmark(good_csv(), label="b").digest


def test_columns_in_any_order():
    content = csv_bytes("1,x,q,a", "0,y,q,b", header="score,note,item,model")
    assert read_benchmark(content).scores.tolist() == [[1], [0]]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([1, 2], ("1", "2")),
        ([1.0, 2.5], ("1.0", "2.5")),
        ([True, False], ("false", "true")),
        ([dt.date(2024, 8, 31), dt.date(2024, 9, 1)], ("2024-08-31", "2024-09-01")),
        ([b"x", b"y"], ("x", "y")),
    ],
)
def test_typed_ids_become_text(values, expected):
    data = table(model=values, item=["q", "q"], score=[1.0, 0.0])
    for content in (parquet_bytes(data), feather_bytes(data), stream_bytes(data)):
        assert read_benchmark(content).models == expected


@pytest.mark.parametrize(
    "kind",
    [pa.float32(), pa.float16(), pa.int8(), pa.uint64(), pa.bool_(), pa.string(), pa.large_string(), pa.decimal128(5, 2)],
)  # fmt: skip
def test_typed_scores_become_numbers(kind):
    scores = pa.array([1, 0, 0, 1])
    scores = scores.cast(pa.decimal128(22, 2)) if pa.types.is_decimal(kind) else scores
    data = good_table().set_column(2, "score", pa.chunked_array([scores.cast(kind)]))
    assert read_benchmark(parquet_bytes(data)).scores.tolist() == [[1, 0], [0, 1]]


def test_dictionary_and_large_text_columns():
    data = good_table()
    data = data.set_column(0, "model", data.column("model").dictionary_encode())
    data = data.set_column(1, "item", data.column("item").cast(pa.large_string()))
    for content in (parquet_bytes(data), feather_bytes(data), feather_bytes(data, "lz4"), stream_bytes(data)):
        assert read_benchmark(content, label="b").digest == read_benchmark(good_csv(), label="b").digest


def test_missing_values_in_typed_columns():
    data = table(model=["a", None, "b"], item=["q", "q", "q"], score=[1.0, 0.5, None])
    for content in (parquet_bytes(data), feather_bytes(data), stream_bytes(data)):
        report, _ = check_benchmark(content)
        assert {fault.code: fault.rows for fault in report.faults} == {
            "empty_names": (3,),
            "score_missing": (4,),
        }


def test_nan_in_a_typed_column():
    report, _ = check_benchmark(
        parquet_bytes(table(model=["a", "b"], item=["q", "q"], score=[1.0, float("nan")]))
    )
    assert report.faults[0].message == "1 score is NaN or infinite: 'nan' in row 3."


def test_nested_columns_are_refused():
    data = table(model=[["a"], ["b"]], item=["q", "q"], score=[[1.0], [0.0]])
    message = message_of(parquet_bytes(data))
    assert "Column 'model' is of type list<" in message
    assert "Column 'score' is of type list<" in message


def test_sliced_batches_keep_their_rows():
    data = pa.concat_tables([good_table()] * 2).slice(3, 4)
    data = data.set_column(0, "model", pa.chunked_array([["b", "a", "a", "b"]]))
    assert read_benchmark(stream_bytes(data)).models == ("a", "b")


def test_prompts_are_hashed_and_dropped():
    canary = "a prompt that must not be kept"
    header = "model,item,score,prompt"
    content = csv_bytes(f"a,q,1,{canary}", f"b,q,0,{canary}", "a,r,1,other", "b,r,0,other", header=header)
    benchmark = read_benchmark(content)
    expected = sorted(hashlib.sha256(text.encode()).hexdigest() for text in (canary, "other"))
    assert benchmark.prompts == tuple(expected)
    assert canary not in repr(benchmark)


def test_prompt_hash_wins_over_prompt():
    header = "model,item,score,prompt,prompt_hash"
    benchmark = read_benchmark(csv_bytes("a,q,1,text,h", "b,q,0,text,h", header=header))
    assert benchmark.prompts == ("h",)


def test_default_hash_is_that_of_the_item():
    assert read_benchmark(good_csv()).prompts == tuple(
        sorted(hashlib.sha256(item).hexdigest() for item in (b"q1", b"q2"))
    )


def test_category_alone_makes_the_tasks():
    content = csv_bytes("a,q,1,c", "b,q,0,c", "a,r,1,d", "b,r,0,d", header="model,item,score,category")
    report, benchmark = check_benchmark(content)
    assert benchmark.tasks == benchmark.categories == ("c", "d")
    assert "There is no task column; each category is taken as one task." in report.notes


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("model,item,score\na\xe9,q,1\n".encode("latin-1"), "byte 0xE9 on line 2 belongs to another encoding"),
        (good_csv() + b"\xff", "byte 0xFF on line 6"),
        (good_csv()[:-1] + b"\xc3", "byte 0xC3 on line 5"),
        (good_csv().decode().encode("utf-16"), "The text is UTF-16 or UTF-32, not UTF-8."),
        (good_csv().decode().encode("utf-16-le"), "The text is UTF-16 or UTF-32, not UTF-8."),
        (gzip.compress(good_csv().decode().encode("utf-16")), "The text is UTF-16 or UTF-32, not UTF-8."),
        (csv_bytes("a,q,1,\xe9", header="model,item,score,unused").decode().encode("latin-1"), "byte 0xE9 on line 2"),
    ],
    ids=["latin-1", "late", "cut", "utf-16", "utf-16 without mark", "utf-16 in gzip", "unused column"],
)  # fmt: skip
def test_other_encodings(content, part):
    message = message_of(content)
    assert part in message
    assert "Save the file as UTF-8." in message


def test_truncated_and_damaged_gzip():
    noise = random.Random(1).randbytes(40_000).hex().encode()
    packed = gzip.compress(good_csv() + b"# " + noise)
    assert "The gzip file ends too early; it is truncated." in message_of(packed[:-200])
    assert "The gzip file" in message_of(packed[:1000] + b"xxxx" + packed[1004:])
    assert "The gzip file holds no text." in message_of(gzip.compress(packed))


@pytest.mark.parametrize(
    "kind", ["parquet", "feather", "feather (lz4)", "feather (uncompressed)", "arrow stream"]
)
def test_truncated_binary_files(kind):
    content = FORMATS[kind]
    for length in (6, len(content) // 3, len(content) - 40):
        assert "damaged or truncated" in message_of(content[:length])


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (b"PK\x03\x04rest", "a ZIP archive or an Excel workbook"),
        (b"BZh91AY", "compressed with bzip2"),
        (b"\xfd7zXZ\x00\x00", "compressed with xz"),
        (b"\x28\xb5\x2f\xfd\x00", "compressed with Zstandard"),
        (b"FEA1\x00\x00", "a Feather file of version 1"),
        (b"\x80\x04\x95\x00\x00", "a Python pickle, which is never opened"),
    ],
)
def test_foreign_files(content, part):
    assert f"The file is {part}." in message_of(content)


def test_missing_file_and_folder(tmp_path):
    with pytest.raises(DataError, match=r"No file '.*nothing\.csv'\. Check the path\."):
        read_benchmark(tmp_path / "nothing.csv")
    with pytest.raises(DataError, match="is a folder, expected a file"):
        read_benchmark(tmp_path)
    with pytest.raises(DataError, match="cannot be opened"):
        read_benchmark("nul\x00byte.csv")


@pytest.fixture
def few_rows(monkeypatch):
    for module in (item_table, arrow_files):
        monkeypatch.setattr(module, "MAX_ROWS", 3)


@pytest.mark.parametrize("kind", FORMATS)
@pytest.mark.usefixtures("few_rows")
def test_too_many_rows(kind):
    with pytest.raises(BenchmarkFileError, match="the limit is 3 rows") as caught:
        read_benchmark(FORMATS[kind])
    assert caught.value.faults[0].code == "too_large"


@pytest.fixture
def little_text(monkeypatch):
    for module in (sources, arrow_files):
        monkeypatch.setattr(module, "MAX_TEXT_BYTES", 1 << 20)


@pytest.mark.usefixtures("little_text")
def test_bombs_are_refused_before_they_unfold():
    big = "x" * 60_000_000
    bombs = {
        "csv.gz": gzip.compress(b"model,item,score,note\na,q,1," + big.encode()),
        "parquet": parquet_bytes(
            table(model=["a"], item=[big], score=[1.0]), compression="zstd", use_dictionary=False
        ),
        "feather": feather_bytes(table(model=["a"], item=[big], score=[1.0])),
    }
    del big
    for content in FORMATS.values():  # what is imported on first use does not count
        read_benchmark(content)
    for kind, content in bombs.items():
        assert len(content) < 1 << 20
        tracemalloc.start()
        before = pa.total_allocated_bytes()
        assert "which is the limit" in message_of(content), kind
        assert pa.total_allocated_bytes() - before < 10_000_000
        assert tracemalloc.get_traced_memory()[1] < 40_000_000  # a few blocks of text, not all of it
        tracemalloc.stop()


@pytest.mark.usefixtures("little_text")
def test_large_plain_file_is_refused_by_its_size():
    assert "which is the limit" in message_of(good_csv() + b"#" * (1 << 20))


def test_too_many_names(monkeypatch):
    monkeypatch.setattr(item_table, "MAX_NAMES", 3)
    assert "Column 'item' has more than 3 different values" in message_of(
        csv_bytes(*[f"a,q{n},1" for n in range(5)])
    )


def test_row_longer_than_a_block():
    content = csv_bytes("a,q,1", 'b,"' + "long line\n" * 3_000_000 + '",1')
    assert "A row is longer than 8 MB, or a quotation mark is opened" in message_of(content)


def test_many_blocks():
    rows = [
        f"model-{model:03d},item-{item:04d},{(model + item) % 2}"
        for item in range(2000)
        for model in range(60)
    ]
    text = csv_bytes(*[row + "," + "pad" * 60 for row in rows], header="model,item,score,note")
    assert len(text) > 2 * 8 * 1024**2
    benchmark = read_benchmark(text)
    expected = (np.arange(60)[:, None] + np.arange(2000)[None, :]) % 2
    np.testing.assert_array_equal(benchmark.scores, expected)


@settings(max_examples=60, deadline=None)
@given(
    names=st.lists(
        st.text(
            st.sampled_from('ab,"\n\r \N{LATIN SMALL LETTER E WITH ACUTE}'), min_size=1, max_size=9
        ).filter(str.strip),
        min_size=2,
        max_size=9,
        unique=True,
    ),
    ending=st.sampled_from(["\n", "\r\n", "\r"]),
    size=st.integers(9, 60),
)
def test_blocks_cut_between_rows_only(names, ending, size):
    def field(name):
        plain = not set(name) & set(',"\n\r')
        return name if plain else '"' + name.replace('"', '""') + '"'

    rows = [f"{field(name)},q,{index % 2}" for index, name in enumerate(names)]
    content = ending.join(["model,item,score", *rows, ""]).encode()
    whole = read_benchmark(content, label="b")
    with mock.patch.object(delimited, "BLOCK_BYTES", size * 10):
        assert read_benchmark(content, label="b").digest == whole.digest
    assert whole.models == tuple(sorted(names))


def test_row_numbers_run_on_over_blocks(monkeypatch):
    monkeypatch.setattr(delimited, "BLOCK_BYTES", 64)
    rows = [f"m{index},q,1" for index in range(100)]
    rows[40], rows[80], rows[90] = "m40,q", "m80,q,7", ""
    report, _ = check_benchmark(csv_bytes(*rows))
    assert {fault.code: fault.rows for fault in report.faults} == {"ragged_rows": (42,), "score_range": (82,)}


def test_refused_file_leaves_no_thread_behind(tmp_path):
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"model,item,score\na,q,1\nb,q," + b"x" * 40_000_000))
    done = subprocess.run(
        [sys.executable, "-m", "core", "check", str(path)],
        capture_output=True, text=True, timeout=60, check=False, cwd=ROOT,
    )  # fmt: skip
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1


def test_damaged_bytes_never_raise_anything_else():
    generator = random.Random(20260923)
    tokens = [b'"', b",", b"\n", b"\x00", b"\xff", b"nan", b"1e999", b"\xe2\x80\xae", b"99"]
    for _ in range(300):
        content = bytearray(generator.choice(list(FORMATS.values())))
        for _ in range(generator.randint(1, 5)):
            place = generator.randrange(len(content))
            if generator.random() < 0.6:
                content[place] = generator.randrange(256)
            else:
                content[place:place] = generator.choice(tokens)
        report, benchmark = check_benchmark(bytes(content))
        assert (benchmark is None) == bool(report.faults)
