"""What the importers share: their result, a builder that runs every check of the file format, and reading JSON safely."""

from __future__ import annotations

import io
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core.benchmark.reading import read_with_notes

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from core.benchmark.checking import Incomplete
    from core.benchmark.model import Benchmark
    from core.benchmark.settings import Settings

    Progress = Callable[[int, int], None]


@dataclass(frozen=True, eq=False)
class Converted:
    """One benchmark that an importer read.

    Parameters
    ----------
    name
        A short name, fit for a folder.
    benchmark
        What was read.
    notes
        Remarks: what was assumed, what was left out and why.
    """

    name: str
    benchmark: Benchmark
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Columns:
    """Rows of an items table as columns, before any check.

    Parameters
    ----------
    model, item
        One entry per row.
    score
        One entry per row, in [0, 1].
    task, category, prompt_hash
        One entry per row, or None where there is no such column.
    """

    model: Sequence[str]
    item: Sequence[str]
    score: Sequence[float | None]
    task: Sequence[str] | None = None
    category: Sequence[str] | None = None
    prompt_hash: Sequence[str] | None = None

    def read(
        self,
        label: str,
        settings: Settings | Mapping[str, Any],
        *,
        name: str,
        incomplete: Incomplete = "stop",
    ) -> tuple[Benchmark, tuple[str, ...]]:
        """Run every check of the file format and return the benchmark with the remarks made.

        Raises
        ------
        BenchmarkFileError
            If the rows are at fault; the message lists every fault.
        """
        import pyarrow as pa
        from pyarrow import parquet

        columns = {"model": self.model, "item": self.item, "score": self.score}
        for column in ("task", "category", "prompt_hash"):
            values = getattr(self, column)
            if values is not None:
                columns[column] = values
        text = pa.dictionary(pa.int32(), pa.string())
        arrays = {
            column: pa.array(values, type=pa.float64()) if column == "score" else pa.array(values, type=text)
            for column, values in columns.items()
        }
        stream = io.BytesIO()
        parquet.write_table(pa.table(arrays), stream, store_schema=False)
        return read_with_notes(stream.getvalue(), settings, label=label, name=name, incomplete=incomplete)


def folder_name(text: str) -> str:
    """Return a name that is safe as a folder's.

    Examples
    --------
    >>> folder_name("HELM Lite/v1"), folder_name("../..")
    ('HELM_Lite_v1', 'benchmark')
    """
    kept = "".join(
        character if (character.isascii() and character.isalnum()) or character in "-." else "_"
        for character in text
    )
    return kept.strip("._")[:80] or "benchmark"


def ignore(_done: int, _total: int) -> None:
    """Take a report of progress and do nothing."""
