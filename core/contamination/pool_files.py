"""Reading a reader's own item pool (columns item, y_clean, y_observed, duplicates, confidence, any scores)."""

from __future__ import annotations

import re
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

import numpy as np

from core.contamination.pools import ItemPool, halves
from core.errors import DataError, UsageError
from core.files import open_file
from core.shown import shown

if TYPE_CHECKING:
    from typing import IO

    import pandas as pd
    from numpy.typing import NDArray

POOL_COLUMNS: Final = ("item", "y_clean", "y_observed", "duplicates", "confidence")
HALF_COLUMN: Final = "half"


def read_pool(
    source: Path | IO[bytes] | IO[str] | pd.DataFrame, name: str, *, chance: float = 0.25, seed: int = 0
) -> ItemPool:
    """Read a pool from a CSV or Parquet file, or from a table already in memory.

    Parameters
    ----------
    source
        The file or table. Every numeric column beyond the five named ones is taken for an attack score; a column
        ``half`` with "calibration" and "simulation" keeps a split, otherwise the pool is split by `seed`.
    name
        The pool's name for titles.
    chance
        Expected accuracy of a guess, in [0, 1).
    seed
        Seed of the split in halves.

    Raises
    ------
    DataError
        If the file cannot be read, a column is missing or a cell is outside its domain; the message names the item.
    UsageError
        If the chance rate is outside its domain.
    """
    if not 0 <= chance < 1:
        raise UsageError(f"The chance rate must lie within [0, 1), found {chance}.")
    table = read_table(source, POOL_COLUMNS)
    items = [str(item) for item in table["item"]]
    numbers = {column: numeric(table, column, items) for column in POOL_COLUMNS[1:]}
    for column in ("y_clean", "y_observed"):
        refuse(~np.isin(numbers[column], (0, 1)), column, items, "0 or 1", numbers[column])
    duplicates = numbers["duplicates"]
    refuse((duplicates < 0) | (duplicates % 1 != 0), "duplicates", items, "a whole number from 0", duplicates)
    confidence = numbers["confidence"]
    refuse((confidence < 0) | (confidence > 1), "confidence", items, "within [0, 1]", confidence)
    scores = {
        str(column): numeric(table, str(column), items)
        for column in table.columns
        if column not in (*POOL_COLUMNS, HALF_COLUMN)
    }
    levels = duplicates.astype(np.int64)
    return ItemPool(
        name=name,
        items=tuple(items),
        y_clean=numbers["y_clean"],
        y_observed=numbers["y_observed"],
        duplicates=levels,
        confidence=confidence,
        scores=scores,
        calibration=_given_halves(table, items, levels, seed),
        chance=chance,
        provenance="loaded",
    )


def read_table(source: Path | IO[bytes] | IO[str] | pd.DataFrame, required: tuple[str, ...]) -> pd.DataFrame:
    """Return a table with at least the required columns and unique, non-empty ids in ``item``.

    Raises
    ------
    DataError
        If it cannot be read, is empty, lacks a column, or repeats an item.
    """
    import pandas as pd

    if isinstance(source, pd.DataFrame):
        table = source
    else:
        filename = shown(getattr(source, "name", source if isinstance(source, Path) else "table"), 200)
        is_parquet = filename.endswith(".parquet")
        if isinstance(source, Path):
            open_file(source, "table").close()
        try:
            table = pd.read_parquet(cast("Path", source)) if is_parquet else pd.read_csv(source)
        except UnicodeDecodeError:
            raise DataError(f"'{filename}' is not text in UTF-8. Save it again as CSV, UTF-8.") from None
        except (OSError, EOFError, ValueError, zlib.error, zipfile.BadZipFile) as error:
            raise DataError(f"'{filename}' {_unreadable(error, is_parquet=is_parquet)}") from None
        if not is_parquet and not isinstance(table.index, pd.RangeIndex):
            raise DataError(
                f"'{filename}' has rows with more fields than its first line has names. Decimal commas and commas at the ends "
                "of lines do that."
            )
    missing = [column for column in required if column not in table.columns]
    if missing:
        found = ", ".join(str(column) for column in table.columns)
        raise DataError(f"The table lacks the column(s) {', '.join(missing)}; found: {found}.")
    if table.empty:
        raise DataError("The table holds no rows.")
    if table["item"].isna().any():
        raise DataError(f"Row {int(table['item'].isna().argmax()) + 1} has no item id.")
    repeated = table["item"].astype(str).duplicated()
    if repeated.any():
        raise DataError(f"Item '{table['item'].astype(str)[repeated].iloc[0]}' occurs more than once.")
    return table


def _unreadable(error: Exception, *, is_parquet: bool) -> str:
    """Say why a file is no table, and what to do."""
    if is_parquet:
        return "cannot be read: it is not a Parquet file, or is damaged. Make or download it again, or save the table as CSV."
    text = str(error)
    ragged = re.search(r"Expected (\d+) fields in line (\d+), saw (\d+)", text)
    if ragged:
        wanted, line, found = ragged.groups()
        return f"cannot be read: line {line} has {found} fields, expected {wanted}. Quote cells that hold commas."
    if "EOF inside string" in text:
        return 'cannot be read: a quotation mark is opened and not closed. Look for a single " in it.'
    if "No columns" in text:
        return "cannot be read: it is empty. The first line must hold the names of the columns."
    return "cannot be read as comma-separated values. Save the table as CSV, UTF-8, or as Parquet."


def numeric(table: pd.DataFrame, column: str, items: list[str]) -> NDArray[np.float64]:
    """Return a column as finite float64 numbers.

    Raises
    ------
    DataError
        If a cell is empty or not a finite number; the message names column and item.
    """
    import pandas as pd

    values = np.array(pd.to_numeric(table[column], errors="coerce"), dtype=np.float64)
    refuse(~np.isfinite(values), column, items, "a finite number", table[column].to_numpy())
    return values


def refuse(
    wrong: NDArray[np.bool_], column: str, items: list[str], wanted: str, found: NDArray[np.generic]
) -> None:
    """Raise a `DataError` naming the first item where `wrong` holds."""
    if wrong.any():
        first = int(wrong.argmax())
        raise DataError(
            f"Column '{column}' must be {wanted}; item '{items[first]}' has {_shown(found[first])}."
        )


def _shown(value: object) -> str:
    """Return a cell as a reader wrote it."""
    return repr(value) if isinstance(value, str) else str(value)


def _given_halves(
    table: pd.DataFrame, items: list[str], duplicates: NDArray[np.int64], seed: int
) -> NDArray[np.bool_]:
    if HALF_COLUMN not in table.columns:
        return halves(duplicates, np.random.default_rng(seed))
    given = table[HALF_COLUMN].astype(str).to_numpy()
    refuse(
        ~np.isin(given, ("calibration", "simulation")), HALF_COLUMN, items, "calibration or simulation", given
    )
    return np.asarray(given == "calibration")
