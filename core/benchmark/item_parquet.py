"""A benchmark's items as Parquet bytes: small, and the same bytes for the same benchmark."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any, Final

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from core.benchmark.model import Benchmark


ORIGIN_KEY: Final = b"mirage.origin"
"""Key of the file's metadata under which simulated item scores say what they are."""


def items_parquet(benchmark: Benchmark) -> bytes:
    """Return a benchmark's items as the bytes of a Parquet file.

    One row per model and item, models and items in the benchmark's order; columns ``model``, ``item``, ``task``,
    ``category``, ``prompt_hash`` and ``score``. The metadata of simulated items say so.
    """
    import pyarrow as pa
    from pyarrow import parquet

    models, items = len(benchmark.models), len(benchmark.items)

    def column(names: Sequence[str], codes: NDArray[np.integer]) -> Any:
        return pa.DictionaryArray.from_arrays(
            pa.array(codes.astype(np.int32)), pa.array(list(names), type=pa.string())
        ).dictionary_decode()

    item_codes = np.tile(np.arange(items), models)
    item_task = benchmark.item_task[item_codes]
    table = pa.table(
        {
            "model": column(benchmark.models, np.repeat(np.arange(models), items)),
            "item": column(benchmark.items, item_codes),
            "task": column(benchmark.tasks, item_task),
            "category": column(benchmark.categories, benchmark.task_category[item_task]),
            "prompt_hash": column(benchmark.prompts, benchmark.item_prompt[item_codes]),
            "score": pa.array(benchmark.scores.reshape(-1)),
        }
    )
    stream = io.BytesIO()
    with parquet.ParquetWriter(
        stream, table.schema, compression="zstd", use_dictionary=True, store_schema=False
    ) as writer:
        writer.write_table(table)
        if benchmark.provenance == "simulated":
            writer.add_key_value_metadata({ORIGIN_KEY.decode(): "simulated"})
    return stream.getvalue()
