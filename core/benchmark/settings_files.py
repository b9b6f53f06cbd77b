"""Settings as files: TOML or JSON in, TOML out, with the defaults that depend on the scores."""

from __future__ import annotations

import difflib
import json
import tomllib
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from core.benchmark.settings import ORIGIN, Settings
from core.benchmark.sources import source_of
from core.errors import DataError
from core.shown import shown

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import BinaryIO

    from core.benchmark.sources import Source

MAX_SETTINGS_BYTES: Final = 1024**2
"""Most bytes of a settings file."""
ORIGINS: Final = ("measured", "simulated")


def read_settings(source: Source | Path | str | bytes | BinaryIO, label: str | None = None) -> dict[str, Any]:
    """Read the keys and values of a settings file; `settings_for` checks them.

    Parameters
    ----------
    source
        A path, the file's bytes or an open upload, TOML or JSON (told apart by a leading brace).
    label
        The file's name for messages, where the source has none.

    Raises
    ------
    DataError
        If the file cannot be read, is not UTF-8, or is neither TOML nor JSON; the message names the line.
    """
    origin = source_of(source, label or (None if isinstance(source, str | Path) else "settings"))
    name = shown(origin.label)
    try:
        with origin.open() as stream:
            raw = stream.read(MAX_SETTINGS_BYTES + 1)  # a device has no size to ask for
    except OSError as error:
        raise DataError(f"{name} cannot be read: {error.strerror or error}.") from None
    if len(raw) > MAX_SETTINGS_BYTES:
        raise DataError(f"{name}: a settings file has at most 1 MB; is this the items file?")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise DataError(f"{name}: the text is not UTF-8 (line {line}). Save the file as UTF-8.") from None
    try:
        values = json.loads(text) if text.lstrip().startswith("{") else tomllib.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{name}: not valid JSON on line {error.lineno}: {error.msg}.") from None
    except RecursionError:
        raise DataError(f"{name}: nested too deeply; settings are plain keys and values.") from None
    except ValueError as error:
        raise DataError(f"{name}: not valid TOML: {shown(error, 160)}.") from None
    return dict(values)


def take_origin(values: Mapping[str, Any], label: str = "Settings") -> tuple[dict[str, Any], str | None]:
    """Take the key ``origin`` out of a settings file's values.

    Parameters
    ----------
    values
        Keys and values of a settings file.
    label
        The file's name for messages.

    Returns
    -------
    tuple
        The other values, and one of `ORIGINS` or None where the file does not say.

    Raises
    ------
    DataError
        If the origin is not one of `ORIGINS`; the nearest is named.

    Examples
    --------
    >>> take_origin({"repeats": 1, "origin": "simulated"})
    ({'repeats': 1}, 'simulated')
    """
    rest = dict(values)
    origin = rest.pop(ORIGIN, None)
    if origin is not None and origin not in ORIGINS:
        close = difflib.get_close_matches(str(origin), ORIGINS, n=1, cutoff=0.4)
        hint = f" Did you mean '{close[0]}'?" if close else ""
        raise DataError(
            f"{shown(label)}: Unknown value {shown(repr(origin))} of setting 'origin'.{hint} Valid: {', '.join(ORIGINS)}."
        )
    return rest, origin


def settings_for(
    values: Mapping[str, Any] | Settings | None,
    *,
    stem: str,
    binary: bool = False,
    label: str = "Settings",
) -> Settings:
    """Return complete settings, with every default of the file format.

    Parameters
    ----------
    values
        What a settings file holds, finished settings (returned as they are), or None.
    stem
        Default of ``name``: the items file's name without its suffixes.
    binary
        Whether all scores are 0 or 1; then, or with ``repeats`` above 1, ``ranking`` defaults to ``item_mean``,
        else to ``category_mean``.
    label
        The settings file's name for messages.

    Raises
    ------
    DataError
        If a key or value is not valid; the message names the nearest valid one.
    """
    if isinstance(values, Settings):
        return values
    given, _ = take_origin(values or {}, label)
    repeats = given.get("repeats", 1)
    counted = binary or (isinstance(repeats, int) and repeats > 1)
    try:
        return Settings.from_mapping(given, name=stem, ranking="item_mean" if counted else "category_mean")
    except DataError as error:
        raise DataError(f"{shown(label)}: {error}") from None


def settings_toml(settings: Settings, origin: str | None = None) -> str:
    """Return settings as TOML that `read_settings` reads back to the same values.

    Parameters
    ----------
    settings
        The settings.
    origin
        One of `ORIGINS`, written where the item scores that go with the settings are not a reader's own.

    Examples
    --------
    >>> print(settings_toml(Settings(name="My benchmark", holdout_fraction=0.5)).splitlines()[0])
    name = "My benchmark"
    """
    lines = []
    for field in fields(settings):
        value = getattr(settings, field.name)
        if value is not None:
            lines.append(f"{field.name} = {_toml_value(value)}")
    if origin is not None:
        lines.append(f"{ORIGIN} = {_toml_value(origin)}")
    return "\n".join(lines) + "\n"


def _toml_value(value: str | float) -> str:
    if isinstance(value, str):
        escaped = json.dumps(value, ensure_ascii=False)
        return escaped.replace("\x7f", "\\u007f")
    return repr(value)
