"""Reading token log-probabilities (JSON Lines) and turning them into memorization scores.

One object per line: ``id``, ``text``, ``token_logprobs`` and, for Min-K%++, ``token_mean`` and ``token_std`` of the same
length, or ``rows``: the name of a ``.npy`` file beside it with full rows of log-probabilities (tokens, vocabulary).
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.contamination import scores as sc
from core.errors import DataError
from core.files import open_file, text_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    import pandas as pd
    from numpy.typing import NDArray

_REQUIRED: Final = ("id", "text", "token_logprobs")


@dataclass(frozen=True, eq=False)
class TokenLogprobs:
    """One text's token log-probabilities.

    Parameters
    ----------
    id
        The text's name.
    text
        The text itself, for zlib.
    values
        Shape (tokens,): natural logarithms.
    mean, deviation
        Shape (tokens,) or None: moments of log p over the vocabulary, for Min-K%++.
    """

    id: str
    text: str
    values: NDArray[np.float64]
    mean: NDArray[np.float64] | None = None
    deviation: NDArray[np.float64] | None = None


def read_logprobs(path: Path) -> list[TokenLogprobs]:
    """Read a JSON Lines file.

    Raises
    ------
    DataError
        If the file cannot be read or a line is wrong; the message names the id, or the line where there is none.
    """
    return parse_logprobs(text_lines(path, "log-probability file"), folder=path.parent)


def parse_logprobs(lines: Iterable[str], folder: Path | None = None) -> list[TokenLogprobs]:
    """Parse JSON lines; blank ones are passed over.

    Parameters
    ----------
    lines
        The lines.
    folder
        Where ``rows`` files are looked for; None refuses them.

    Raises
    ------
    DataError
        As `read_logprobs`.
    """
    texts: list[TokenLogprobs] = []
    seen: set[str] = set()
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        text = _parse(line, number, folder)
        if text.id in seen:
            raise DataError(f"Id '{text.id}' occurs more than once (line {number}).")
        seen.add(text.id)
        texts.append(text)
    if not texts:
        raise DataError("The file holds no lines of log-probabilities.")
    return texts


def score_table(
    texts: list[TokenLogprobs], *, k: float = sc.DEFAULT_K, reference: list[TokenLogprobs] | None = None
) -> pd.DataFrame:
    """Score every text.

    Parameters
    ----------
    texts
        Log-probabilities under the model in question.
    k
        Share of tokens for Min-K% and Min-K%++.
    reference
        The same texts under a reference model, for Reference.

    Returns
    -------
    pandas.DataFrame
        Columns ``id, tokens``, LOSS, Min-K%, zlib, and Min-K%++ and Reference where they can be computed.

    Raises
    ------
    DataError
        If a text is wrong or has no reference; the message names its id.
    """
    import pandas as pd

    other = {text.id: text for text in reference or ()}
    with_moments = all(text.mean is not None for text in texts)
    rows = [_score_row(text, k, with_moments, other if reference is not None else None) for text in texts]
    return pd.DataFrame(rows)


def missing_moments_note(texts: list[TokenLogprobs]) -> str:
    """Say that Min-K%++ is left out where some texts, but not all, have what it needs; else nothing.

    Examples
    --------
    >>> missing_moments_note([])
    ''
    """
    without = [text.id for text in texts if text.mean is None]
    if not without or len(without) == len(texts):
        return ""
    return (
        f"{sc.MIN_K_PLUS} is left out: {len(without):,} of {len(texts):,} texts have no token_mean and token_std, the "
        f"first is '{without[0]}'."
    )


def _score_row(
    text: TokenLogprobs, k: float, with_moments: bool, reference: dict[str, TokenLogprobs] | None
) -> dict[str, Any]:
    row: dict[str, Any] = {"id": text.id, "tokens": len(text.values)}
    try:
        row[sc.LOSS] = sc.loss_score(text.values)
        row[sc.MIN_K] = sc.min_k(text.values, k)
        if with_moments and text.mean is not None and text.deviation is not None:
            row[sc.MIN_K_PLUS] = sc.min_k_plus(text.values, text.mean, text.deviation, k)
        row[sc.ZLIB] = sc.zlib_score(text.values, text.text)
        if reference is not None:
            row[sc.REFERENCE] = sc.reference_score(text.values, _counterpart(text, reference))
    except DataError as error:
        raise DataError(f"Id '{text.id}': {error}") from error
    return row


def _counterpart(text: TokenLogprobs, reference: dict[str, TokenLogprobs]) -> NDArray[np.float64]:
    if text.id not in reference:
        raise DataError("it is missing from the reference file")
    other = reference[text.id].values
    if other.shape != text.values.shape:
        raise DataError(f"it has {len(text.values)} tokens here and {len(other)} in the reference file")
    return other


def _parse(line: str, number: int, folder: Path | None) -> TokenLogprobs:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise DataError(
            f"Line {number} is not JSON: {error.msg.lower()} at column {error.colno:,}. Each line must be one JSON object."
        ) from None
    except (RecursionError, ValueError):
        raise DataError(
            f"Line {number} is nested too deeply or holds a number that is too long. Each line must be one JSON object "
            f"with {', '.join(_REQUIRED)}."
        ) from None
    if not isinstance(record, dict) or any(key not in record for key in _REQUIRED):
        raise DataError(f"Line {number} must be an object with {', '.join(_REQUIRED)}.")
    for key in ("id", "text"):
        if not isinstance(record[key], str | int) or isinstance(record[key], bool):
            raise DataError(f"Line {number}: '{key}' must be text, found {json.dumps(record[key])[:40]}.")
    name = str(record["id"])
    values = _numbers(record["token_logprobs"], name, "token_logprobs")
    if len(values) == 0:
        raise DataError(f"Id '{name}' has no token log-probabilities.")
    if np.isnan(values).any() or np.isinf(values).any():
        raise DataError(f"Id '{name}': 'token_logprobs' holds a value that is missing or infinite.")
    if (values > 1e-6).any():
        raise DataError(
            f"Id '{name}': 'token_logprobs' holds {values.max():g}, but a log-probability is at most 0."
        )
    _refuse_huge(values, name, "token_logprobs")
    mean, deviation = _moments(record, name, values, folder)
    return TokenLogprobs(name, str(record["text"]), values, mean, deviation)


def _moments(
    record: dict[str, Any], name: str, values: NDArray[np.float64], folder: Path | None
) -> tuple[NDArray[np.float64] | None, NDArray[np.float64] | None]:
    if "rows" in record:
        return _moments_of_rows(str(record["rows"]), name, len(values), folder)
    given = [key for key in ("token_mean", "token_std") if record.get(key) is not None]
    if not given:
        return None, None
    if len(given) == 1:
        raise DataError(f"Id '{name}' has '{given[0]}' alone; Min-K%++ needs token_mean and token_std.")
    mean, deviation = (_numbers(record[key], name, key) for key in ("token_mean", "token_std"))
    for key, array in (("token_mean", mean), ("token_std", deviation)):
        if len(array) != len(values):
            raise DataError(f"Id '{name}': '{key}' has {len(array)} values, 'token_logprobs' {len(values)}.")
        if not np.isfinite(array).all():
            raise DataError(f"Id '{name}': '{key}' holds a value that is missing or infinite.")
        _refuse_huge(array, name, key)
    if (deviation < 0).any():
        raise DataError(f"Id '{name}': 'token_std' must not be negative.")
    return mean, deviation


def _moments_of_rows(
    filename: str, name: str, tokens: int, folder: Path | None
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    if folder is None or Path(filename).name != filename:
        raise DataError(f"Id '{name}': 'rows' must name a .npy file beside the log-probabilities.")
    try:
        with open_file(folder / filename, "file of rows") as stream:
            rows = np.lib.format.read_array(stream, allow_pickle=False)
    except DataError:
        raise DataError(
            f"Id '{name}': '{filename}' cannot be read: it is not beside the log-probabilities, or is no readable file."
        ) from None
    except (OSError, ValueError, EOFError, MemoryError):
        raise DataError(
            f"Id '{name}': '{filename}' cannot be read: it is not a NumPy file of numbers, or is damaged. Write it with numpy.save, one row of "
            "log-probabilities per token."
        ) from None
    if rows.dtype.kind not in "fiu":
        raise DataError(f"Id '{name}': '{filename}' must hold numbers, found the type {rows.dtype}.")
    if rows.ndim != 2 or len(rows) != tokens:
        raise DataError(f"Id '{name}': '{filename}' must have {tokens} rows, found the shape {rows.shape}.")
    try:
        return sc.vocabulary_moments(rows)
    except DataError as error:
        raise DataError(f"Id '{name}': {error}") from error


def _refuse_huge(values: NDArray[np.float64], name: str, key: str) -> None:
    worst = values[np.abs(values).argmax()]
    if abs(worst) > sc.LARGEST:
        raise DataError(
            f"Id '{name}': '{key}' holds {worst:g}, which is too far from 0 for a log-probability; give impossible tokens a "
            f"value of {-sc.LARGEST:g} or above."
        )


def _numbers(values: Any, name: str, key: str) -> NDArray[np.float64]:
    if not isinstance(values, list):
        raise DataError(f"Id '{name}': '{key}' must be a list of numbers.")
    if any(isinstance(value, str | bool) for value in values):
        raise DataError(f"Id '{name}': '{key}' must hold numbers only, without quotation marks around them.")
    try:
        array = np.array([np.nan if value is None else value for value in values], dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise DataError(f"Id '{name}': '{key}' must be a flat list of numbers.") from error
    if array.ndim != 1:
        raise DataError(f"Id '{name}': '{key}' must be a flat list of numbers.")
    return array
