"""Where the item scores of a stress test come from, and how a reader's own are read: in this session's memory alone."""

from __future__ import annotations

import logging
import secrets
import traceback
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import streamlit as st

from core.benchmark.catalogue import SIMULATED, load
from core.benchmark.check_report import CheckReport
from core.benchmark.faults import Fault
from core.benchmark.reading import check_benchmark
from core.benchmark.settings_files import read_settings
from core.benchmark.summary import summarise
from core.errors import DataError
from pages.kit.limits import upload_limit_mb
from pages.parts.stress_test.controls import AS_GIVEN, SOURCES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from core.benchmark.model import Benchmark
    from pages.kit.badges import Origin

_LOG: Final = logging.getLogger("mirage.pages")
_SLOT: Final = "_st_upload"
TYPES: Final = ("csv", "gz", "parquet", "feather", "arrow")


@dataclass(frozen=True, eq=False)
class Bank:
    """A benchmark as the page knows it.

    Parameters
    ----------
    token
        Names it in job keys; says nothing of its content.
    title
        What the page calls it; never text of a reader's file.
    report
        What the check found.
    benchmark
        The benchmark, None where the check found faults.
    own
        Whether it is a reader's own.
    """

    token: str
    title: str
    report: CheckReport
    benchmark: Benchmark | None
    own: bool

    @property
    def origin(self) -> Origin:
        """The badge of numbers made from it."""
        is_simulated = self.benchmark is not None and self.benchmark.provenance == "simulated"
        return "simulated" if is_simulated or self.token.startswith(SIMULATED) else "recomputed"


def overrides(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that the page's controls change.

    Examples
    --------
    >>> plain = {"coordinates": AS_GIVEN, "ranking": AS_GIVEN, "precision": 0.1, "holdout": 0.5, "repeats": 0}
    >>> overrides(plain)
    {'precision': 0.1, 'holdout_fraction': 0.5}
    """
    changed = {
        name: values[name] for name in ("coordinates", "ranking", "precision") if values[name] != AS_GIVEN
    }
    if values["holdout"] != AS_GIVEN:
        changed["holdout_fraction"] = values["holdout"]
    if values["repeats"]:
        changed["repeats"] = values["repeats"]
    return changed


@st.cache_resource(max_entries=32, show_spinner=False)
def _named(name: str, changed: tuple[tuple[str, Any], ...]) -> Bank:
    benchmark = load(name, dict(changed) or None)
    token = f"{name} {changed!r}" if changed else name
    return Bank(token, dict(SOURCES)[name], CheckReport((), (), summarise(benchmark)), benchmark, own=False)


def named_bank(name: str, values: Mapping[str, Any]) -> Bank:
    """Return a bundled or simulated benchmark under the page's settings.

    Raises
    ------
    MirageError
        If the settings do not go together.
    """
    return _named(name, tuple(sorted(overrides(values).items())))


def own_bank(items: Any, settings: Any, values: Mapping[str, Any]) -> Bank:
    """Return the reader's own benchmark from open uploads; read once per file and choice, kept in the session alone.

    Parameters
    ----------
    items, settings
        Uploads as Streamlit hands them over; `settings` may be None.
    values
        The page's controls.
    """
    changed = overrides(values)
    wanted = (
        items.file_id,
        settings.file_id if settings is not None else None,
        tuple(sorted(changed.items())),
        values["incomplete"],
    )
    kept = st.session_state.get(_SLOT)
    if kept is not None and kept[0] == wanted:
        return kept[1]
    st.session_state.pop(_SLOT, None)  # the old one goes before the new one comes
    bank = _read(items, settings, changed, values["incomplete"])
    st.session_state[_SLOT] = (wanted, bank)
    return bank


def forget_own() -> None:
    """Drop the reader's benchmark from the session; nothing else holds it."""
    st.session_state.pop(_SLOT, None)


def _read(items: Any, settings: Any, changed: dict[str, Any], incomplete: Any) -> Bank:
    limit = upload_limit_mb()
    if items.size > limit * 1024**2:
        fault = Fault(
            "too_large",
            f"The file has {items.size / 1024**2:,.0f} MB; this server takes up to {limit:,} MB.",
            repair="Leave out extra columns, or use Parquet.",
        )
        return _bank(CheckReport((fault,)), None)
    try:
        values = dict(read_settings(settings.getvalue(), "the settings file")) if settings is not None else {}
        if "holdout_fraction" in changed:
            values.pop("holdout_per_category", None)
        report, benchmark = check_benchmark(
            items.getvalue(), values | changed, label=items.name, incomplete=incomplete
        )
    except DataError as error:
        return _bank(CheckReport((Fault("settings", str(error)),)), None)
    except Exception as error:  # noqa: BLE001 - what is in a reader's file must not reach the log with the message
        number = secrets.token_hex(4)
        _LOG.error(
            "Unexpected fault %s on reading an upload: %s\n%s", number, type(error).__name__, _frames(error)
        )
        fault = Fault(
            "unexpected",
            f"The file could not be read, and it is not your doing. Please report it with the number {number}.",
        )
        return _bank(CheckReport((fault,)), None)
    return _bank(report, benchmark)


def _bank(report: CheckReport, benchmark: Benchmark | None) -> Bank:
    return Bank(f"upload {secrets.token_hex(8)}", "your benchmark", report, benchmark, own=True)


def _frames(error: BaseException) -> str:
    """Return where a fault happened, without its message or any value."""
    frames = traceback.extract_tb(error.__traceback__)
    return "\n".join(f"  {frame.filename}:{frame.lineno} in {frame.name}" for frame in frames)
