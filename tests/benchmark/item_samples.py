"""Small items files that the tests of reading share."""

from __future__ import annotations

import gzip
import io

import pyarrow as pa
from pyarrow import feather, parquet

HEADER = "model,item,score"


def csv_bytes(*rows: str, header: str = HEADER) -> bytes:
    return ("\n".join([header, *rows]) + "\n").encode()


def good_csv() -> bytes:
    return csv_bytes("a,q1,1", "a,q2,0", "b,q1,0", "b,q2,1")


def table(**columns: list) -> pa.Table:
    return pa.table(columns)


def good_table() -> pa.Table:
    return table(model=["a", "a", "b", "b"], item=["q1", "q2", "q1", "q2"], score=[1.0, 0.0, 0.0, 1.0])


def parquet_bytes(data: pa.Table, **options) -> bytes:
    stream = io.BytesIO()
    parquet.write_table(data, stream, **options)
    return stream.getvalue()


def feather_bytes(data: pa.Table, compression: str = "zstd") -> bytes:
    stream = io.BytesIO()
    feather.write_feather(data, stream, compression=compression)
    return stream.getvalue()


def stream_bytes(data: pa.Table) -> bytes:
    stream = io.BytesIO()
    with pa.ipc.new_stream(stream, data.schema) as writer:
        writer.write_table(data)
    return stream.getvalue()


def as_formats(data: pa.Table, text: bytes) -> dict[str, bytes]:
    """The same rows as every kind of file that is read."""
    return {
        "csv": text,
        "csv.gz": gzip.compress(text),
        "parquet": parquet_bytes(data),
        "feather": feather_bytes(data),
        "feather (lz4)": feather_bytes(data, "lz4"),
        "feather (uncompressed)": feather_bytes(data, "uncompressed"),
        "arrow stream": stream_bytes(data),
    }
