"""Arrow arrays as names and scores: codes, text and numbers without pandas.

Buffers are read directly, because the conversion that pyarrow offers imports pandas, which costs half a second.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import pyarrow as pa

from core.benchmark.item_table import EMPTY, NOT_FINITE, OK, parse_score

if TYPE_CHECKING:
    from numpy.typing import NDArray

_KEPT_TEXTS: Final = 1000


def coded(array: Any) -> tuple[list[str], NDArray[np.integer]]:
    """Return an Arrow array's distinct values as text and each row's index into them.

    Numbers become text as they would be written (``7``, ``0.5``, ``2024-08-31``), a missing value becomes ``""``.

    Parameters
    ----------
    array
        A `pyarrow.Array` of text, numbers, booleans, dates or a dictionary of those.

    Raises
    ------
    UnicodeDecodeError
        If text is not UTF-8.
    """
    if not pa.types.is_dictionary(array.type):
        array = array.dictionary_encode()
    values = array.dictionary.to_pylist()
    if not _is_text(array.dictionary.type) or array.dictionary.null_count:
        values = [_as_text(value) for value in values]
    codes, valid = _buffers(array.indices)
    if valid is not None:
        codes = np.where(valid, codes, len(values))
        values.append("")
    elif len(values) == 0:
        values.append("")
    return values, codes


def scores_of(array: Any) -> tuple[NDArray[np.float64], NDArray[np.int8], dict[int, str]]:
    """Return an Arrow array of scores as numbers, states and the text of what is no score.

    Parameters
    ----------
    array
        A `pyarrow.Array` of numbers, booleans (true is 1) or text.

    Returns
    -------
    tuple
        Scores (NaN where there is none), states (see `core.benchmark.item_table`) and texts by position.
    """
    kind = array.type
    if pa.types.is_dictionary(kind):
        values, states, texts = scores_of(array.dictionary)
        return _through_codes(array.indices, values, states, texts)
    if pa.types.is_null(kind):
        return np.full(len(array), np.nan), np.full(len(array), EMPTY, dtype=np.int8), {}
    if _is_text(kind):
        try:
            numbers = array.cast(pa.float64())
        except pa.ArrowInvalid:
            return _parse(array)
        if numbers.null_count == 0:
            return _numbers(numbers, array)
        return _parse(array)
    return _numbers(array if pa.types.is_float64(kind) else array.cast(pa.float64(), safe=False), array)


def is_name_type(kind: Any) -> bool:
    """Return whether a column of this Arrow type can hold names."""
    if pa.types.is_dictionary(kind):
        return is_name_type(kind.value_type)
    return not (pa.types.is_nested(kind) or pa.types.is_duration(kind) or pa.types.is_interval(kind))


def is_score_type(kind: Any) -> bool:
    """Return whether a column of this Arrow type can hold scores."""
    if pa.types.is_dictionary(kind):
        return is_score_type(kind.value_type)
    return (
        pa.types.is_floating(kind)
        or pa.types.is_integer(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_boolean(kind)
        or pa.types.is_null(kind)
        or _is_text(kind)
    )


def _is_text(kind: Any) -> bool:
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind))


def _numbers(numbers: Any, original: Any) -> tuple[NDArray[np.float64], NDArray[np.int8], dict[int, str]]:
    values, valid = _buffers(numbers)
    scores = np.array(values, dtype=np.float64)
    states = np.zeros(len(scores), dtype=np.int8)
    finite = np.isfinite(scores)
    texts: dict[int, str] = {}
    if not finite.all():
        states[~finite] = NOT_FINITE
        for row in np.flatnonzero(~finite)[:_KEPT_TEXTS]:
            texts[int(row)] = str(original[int(row)].as_py())
        scores[~finite] = np.nan
    if valid is not None:
        states[~valid] = EMPTY
        scores[~valid] = np.nan
        texts = {row: text for row, text in texts.items() if valid[row]}
    return scores, states, texts


def _parse(array: Any) -> tuple[NDArray[np.float64], NDArray[np.int8], dict[int, str]]:
    encoded = array.dictionary_encode()
    texts = ["" if value is None else str(value) for value in encoded.dictionary.to_pylist()]
    parsed = [parse_score(text) for text in texts]
    return _through_codes(
        encoded.indices,
        np.array([value for value, _ in parsed], dtype=np.float64),
        np.array([state for _, state in parsed], dtype=np.int8),
        dict(enumerate(texts)),
    )


def _through_codes(
    indices: Any, values: NDArray[np.float64], states: NDArray[np.int8], texts: dict[int, str]
) -> tuple[NDArray[np.float64], NDArray[np.int8], dict[int, str]]:
    codes, valid = _buffers(indices)
    values = np.append(values, np.nan)
    states = np.append(states, np.int8(EMPTY))
    places = codes if valid is None else np.where(valid, codes, len(values) - 1)
    row_states = states[places]
    bad = np.flatnonzero(row_states != OK)[:_KEPT_TEXTS]
    return values[places], row_states, {int(row): texts.get(int(places[row]), "") for row in bad}


def _buffers(array: Any) -> tuple[NDArray[Any], NDArray[np.bool_] | None]:
    """Return a primitive array's values and its validity (None where nothing is missing), both without a copy."""
    dtype = np.dtype(str(array.type).replace("double", "float64").replace("halffloat", "float16"))
    validity, data = array.buffers()
    count, offset = len(array), array.offset
    values = (
        np.frombuffer(data, dtype=dtype, count=count, offset=offset * dtype.itemsize)
        if data is not None and count
        else np.zeros(count, dtype=dtype)
    )
    if array.null_count == 0 or validity is None:
        return values, None
    bits = np.unpackbits(np.frombuffer(validity, dtype=np.uint8), bitorder="little")
    return values, bits[offset : offset + count].astype(np.bool_)


def _as_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)
