"""The reader's own grouping: a table to fill in, or a file; it stays in the visitor's session."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Final

import streamlit as st

from core.errors import DataError
from core.reuse.interfaces import hash_order, task_labels
from pages.parts.feedback.figures import bank_of

if TYPE_CHECKING:
    from core.benchmark.model import Benchmark

MAX_BYTES: Final = 1_000_000


def read_groups(content: bytes) -> tuple[tuple[str, str], ...]:
    """Return (task, group) pairs from a CSV with the columns task and group.

    Raises
    ------
    DataError
        If the file is too large, not UTF-8 text, or lacks a column.
    """
    if len(content) > MAX_BYTES:
        raise DataError("A file of groups has one line per task; this one is larger than 1 MB.")
    try:
        reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))
        rows = list(reader)
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(
            f"The file of groups is not a CSV in UTF-8 ({error}). Save it again as CSV, UTF-8."
        ) from None
    found = reader.fieldnames or ()
    if not {"task", "group"} <= set(found):
        raise DataError(
            f"The file of groups needs the columns task and group; found {', '.join(found)[:200] or 'none'}."
        )
    return tuple((row["task"] or "", row["group"] or "") for row in rows)


def halves(benchmark: Benchmark) -> list[dict[str, str]]:
    """Return a grouping to start from: the tasks in hash order, cut in two."""
    labels = task_labels(benchmark)
    order = hash_order(f"{benchmark.name}-partition-", 0, labels)
    first = set(order[: max(1, len(order) // 2)])
    return [
        {"task": task, "group": "first" if place in first else "second"}
        for place, task in enumerate(benchmark.tasks)
    ]


def edit_groups(prefix: str, bank: str) -> tuple[tuple[str, str], ...]:
    """Draw the table and the upload, and return the (task, group) pairs.

    Raises
    ------
    DataError
        As from `read_groups`.
    """
    import pandas as pd

    benchmark = bank_of(bank)
    table, upload = st.columns([3, 2])
    with upload:
        file = st.file_uploader(
            "Or a CSV with the columns task and group",
            type="csv",
            key=f"{prefix}_groups_file",
            max_upload_size=1,
        )
        st.caption("Groups stay in this browser session and are not part of the link.")
    if file is not None:
        pairs = read_groups(file.getvalue())
        with table:
            st.dataframe(
                pd.DataFrame(pairs, columns=["task", "group"]),
                hide_index=True,
                height=260,
                alt="The uploaded groups",
            )
        return pairs
    with table:
        edited = st.data_editor(
            pd.DataFrame(halves(benchmark)),
            hide_index=True,
            height=260,
            disabled=["task"],
            column_config={
                "task": st.column_config.TextColumn("Task"),
                "group": st.column_config.TextColumn("Group", max_chars=40, required=True),
            },
            key=f"{prefix}_groups_table_{bank}",
        )
    return tuple(
        (str(task), "" if pd.isna(group) else str(group))
        for task, group in zip(edited["task"], edited["group"], strict=True)
    )
