"""Reading a reader's items to correct: columns item, y, a score, and optionally spiked and a correctness signal."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

import numpy as np

from core.contamination.calibration import few_items_note
from core.contamination.correction import Calibration, TestSet
from core.contamination.correctness import confidence_logit, text_predictor
from core.contamination.pool_files import numeric, read_table, refuse
from core.errors import DataError, UsageError

if TYPE_CHECKING:
    from pathlib import Path
    from typing import IO

    import pandas as pd
    from numpy.typing import NDArray

SPIKED: Final = "spiked"
PROBABILITY: Final = "correct_probability"
_OWN: Final = ("item", "y", SPIKED, PROBABILITY)
TEMPLATE: Final = """item,y,spiked,min_k_plus,correct_probability
known-clean-1,1,0,-1.31,0.82
known-clean-2,0,0,-0.92,0.34
known-clean-3,1,0,-1.08,0.67
known-clean-4,0,0,-1.44,0.21
spiked-1,1,1,0.71,0.55
spiked-2,1,1,1.02,0.48
spiked-3,1,1,0.35,0.73
spiked-4,0,1,-0.20,0.30
test-1,1,,0.88,0.41
test-2,0,,-1.22,0.25
test-3,1,,-0.64,0.77
test-4,1,,0.54,0.36
"""


@dataclass(frozen=True, eq=False)
class CorrectionItems:
    """A reader's items, taken apart.

    Parameters
    ----------
    test
        The items to correct.
    calibration
        The items of known status, or None where there are none of one kind.
    items
        Ids of the test items.
    score_column, correctness_column
        Which columns were used; the second is None without a correctness signal.
    notes
        How the data was understood, in sentences.
    """

    test: TestSet
    calibration: Calibration | None
    items: tuple[str, ...]
    score_column: str
    correctness_column: str | None
    notes: tuple[str, ...]


def read_items(
    source: Path | IO[bytes] | IO[str] | pd.DataFrame,
    *,
    score: str | None = None,
    correctness: str | None = None,
    text_model: str = "tfidf",
    roberta: str = "roberta-base",
) -> CorrectionItems:
    """Read items to correct from a CSV or Parquet file or a table.

    Rows with ``spiked`` 1 or 0 calibrate, the others are corrected. Only test rows need an outcome.

    Parameters
    ----------
    source
        The file or table.
    score
        The memorization score's column; by default the first numeric column that has no other meaning.
    correctness
        The correctness signal's column: probabilities or confidences in [0, 1], or text. Default
        ``correct_probability`` where it exists. Numbers are Platt-scaled on the clean calibration items where they have
        outcomes of both kinds, otherwise taken as they are. Text goes through a classifier fitted on those items once.
    text_model, roberta
        See `core.contamination.correctness.text_predictor`.

    Raises
    ------
    DataError
        If the file, a column or a cell is wrong; the message names the item.
    UsageError
        If a named column does not exist or has another meaning.
    """
    table = read_table(source, ("item", "y"))
    items = [str(item) for item in table["item"]]
    known, spiked = _status(table, items)
    y = _outcomes(table, items, known)
    score_column = _score_column(table, score, correctness)
    values = numeric(table, score_column, items)
    calibration: Calibration | None = None
    notes: list[str] = []
    if known.any() and spiked[known].any() and not spiked[known].all():
        calibration = Calibration(values[known], spiked[known], y[known])
        notes.extend(few_items_note(int(spiked[known].sum()), int((~spiked[known]).sum())))
    else:
        notes.append(
            "There are no items of both kinds, spiked and known clean, so that the score cannot be calibrated: only the naive "
            "score, EPG and, with a probability, imputation exist."
        )
    if known.all():
        raise DataError(
            "Every row has a 'spiked' value; leave it blank for the items that are to be corrected."
        )
    test = TestSet(y[~known], values[~known])
    column = correctness or (PROBABILITY if PROBABILITY in table.columns else None)
    if column is not None:
        test, calibration, note = _with_correctness(
            table, column, items, known, test, calibration, text_predictor_of=(text_model, roberta)
        )
        notes.append(note)
    return CorrectionItems(
        test=test,
        calibration=calibration,
        items=tuple(item for item, is_known in zip(items, known, strict=True) if not is_known),
        score_column=score_column,
        correctness_column=column,
        notes=tuple(notes),
    )


def _status(table: pd.DataFrame, items: list[str]) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return which rows have a known status, and which of them are spiked."""
    if SPIKED not in table.columns:
        nothing = np.zeros(len(items), dtype=np.bool_)
        return nothing, nothing
    known = ~_blank(table[SPIKED])
    values = np.full(len(items), np.nan)
    chosen = [item for item, is_known in zip(items, known, strict=True) if is_known]
    values[known] = numeric(table[known], SPIKED, chosen)
    refuse(known & ~np.isin(values, (0, 1)), SPIKED, items, "0, 1 or blank", values)
    return known, values == 1


def _outcomes(table: pd.DataFrame, items: list[str], known: NDArray[np.bool_]) -> NDArray[np.float64]:
    blank = _blank(table["y"])
    refuse(blank & ~known, "y", items, "given for every item to correct", table["y"].to_numpy())
    y = np.full(len(items), np.nan)
    chosen = [item for item, is_blank in zip(items, blank, strict=True) if not is_blank]
    y[~blank] = numeric(table[~blank], "y", chosen)
    refuse(~blank & ~((y >= 0) & (y <= 1)), "y", items, "within [0, 1]", y)
    return y


def _score_column(table: pd.DataFrame, score: str | None, correctness: str | None) -> str:
    import pandas as pd

    offered = [str(name) for name in table.columns if name not in _OWN and name != correctness]
    if score is not None:
        if score not in table.columns or score in _OWN:
            reason = (
                f"Column '{score}' has another meaning" if score in _OWN else f"There is no column '{score}'"
            )
            raise UsageError(f"{reason}. Possible scores: {', '.join(offered) or 'none'}.")
        return score
    for name in offered:
        if pd.api.types.is_numeric_dtype(table[name]):
            return name
    raise DataError("The table has no numeric score column beyond item, y, spiked and correct_probability.")


def _with_correctness(
    table: pd.DataFrame,
    column: str,
    items: list[str],
    known: NDArray[np.bool_],
    test: TestSet,
    calibration: Calibration | None,
    text_predictor_of: tuple[str, str],
) -> tuple[TestSet, Calibration | None, str]:
    """Add the correctness signal to test and calibration items, and say how it was used."""
    import pandas as pd

    if column not in table.columns:
        raise UsageError(f"There is no column '{column}'. Found: {', '.join(map(str, table.columns))}.")
    usable = None if calibration is None else ~calibration.spiked & np.isfinite(calibration.y)
    fit_possible = (
        usable is not None
        and calibration is not None
        and len(np.unique(np.round(calibration.y[usable]))) == 2
    )
    if column in ("item", "y", SPIKED):
        raise UsageError(
            f"Column '{column}' has another meaning; name a column of probabilities, confidences or questions."
        )
    if pd.api.types.is_numeric_dtype(table[column]):
        values = numeric(table, column, items)
        refuse((values < 0) | (values > 1), column, items, "within [0, 1]", values)
        if not fit_possible or calibration is None or usable is None:
            note = (
                f"'{column}' is taken as a probability as it is: there are no clean items to calibrate it on."
            )
            return replace(test, probability=values[~known]), calibration, note
        logit = confidence_logit(values)
        note = f"'{column}' is Platt-scaled on the {int(usable.sum())} clean calibration items."
        return replace(test, confidence=logit[~known]), replace(calibration, confidence=logit[known]), note
    if not fit_possible or calibration is None or usable is None:
        raise DataError(
            f"Column '{column}' holds text, and a text classifier needs clean calibration items with right and wrong outcomes."
        )
    texts = table[column].fillna("").astype(str).to_numpy()
    name, model = text_predictor_of
    clean_texts, outcomes = texts[known][usable], np.round(calibration.y[usable])
    fitted = text_predictor(name, model).fit([str(text) for text in clean_texts], outcomes)
    probability = fitted.predict([str(text) for text in texts[~known]])
    note = (
        f"A text classifier ({name}) was fitted on '{column}' of {len(outcomes)} clean calibration items, once; the intervals do "
        "not cover its uncertainty."
    )
    return replace(test, probability=probability), calibration, note


def _blank(column: pd.Series) -> NDArray[np.bool_]:
    return np.asarray(column.isna() | (column.astype(str).str.strip() == ""))
