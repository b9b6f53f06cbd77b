"""CSV text whose cells no spreadsheet takes for a formula."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

FORMULA_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def safe_cell(value: Any) -> Any:
    """Return a cell as it may stand in a CSV file: text that begins like a formula gets an apostrophe in front.

    Numbers keep their sign and every digit.

    Examples
    --------
    >>> safe_cell("=1+1"), safe_cell(-1.5), safe_cell("model-a")
    ("'=1+1", -1.5, 'model-a')
    """
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA_STARTS) else value


def csv_text(rows: Iterable[Mapping[str, Any]]) -> str:
    r"""Return rows as CSV with a header from the first row's keys; None is an empty cell, no rows are no text.

    Examples
    --------
    >>> csv_text([{"model": "@a", "loss": -0.25, "rank": None}])
    "model,loss,rank\n'@a,-0.25,\n"
    """
    stream = io.StringIO()
    writer = None
    for row in rows:
        if writer is None:
            writer = csv.DictWriter(stream, [safe_cell(name) for name in row], lineterminator="\n")
            writer.writeheader()
        writer.writerow({safe_cell(name): safe_cell(value) for name, value in row.items()})
    return stream.getvalue()
