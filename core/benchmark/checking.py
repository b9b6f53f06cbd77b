"""The checks on an items table: every fault of one file at once, then the matrix of scores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, cast

import numpy as np

from core.benchmark import score_checks
from core.benchmark.faults import Fault, first_rows, listing, plural, quoted, row_listing
from core.benchmark.item_table import REQUIRED
from core.errors import UsageError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from core.benchmark.item_table import ItemTable, Names

Incomplete = Literal["stop", "drop_models", "drop_items"]
INCOMPLETE: Final = ("stop", "drop_models", "drop_items")
"""What to do when a model lacks items: report it, leave out those models, or leave out those items."""


@dataclass(frozen=True)
class Matrix:
    """A complete matrix of scores with the labels of its items.

    Parameters
    ----------
    models, items
        Names sorted by Unicode code point.
    scores
        Shape (models, items).
    task, category, prompt_hash
        Shape (items,), or None where the file has no such column.
    """

    models: tuple[str, ...]
    items: tuple[str, ...]
    scores: NDArray[np.float64]
    task: tuple[str, ...] | None
    category: tuple[str, ...] | None
    prompt_hash: tuple[str, ...] | None


def check_table(
    table: ItemTable, repeats: int = 1, incomplete: Incomplete = "stop"
) -> tuple[list[Fault], list[str], Matrix | None]:
    """Check an items table and arrange it as a matrix.

    Parameters
    ----------
    table
        The rows of the file.
    repeats
        Runs per item; with more than one, scores must be whole numbers of successes out of them (within 0.01) and
        are set to exactly that fraction.
    incomplete
        What to do when a model lacks items (see `INCOMPLETE`).

    Returns
    -------
    tuple
        All faults, remarks, and the matrix (None when there are faults).

    Raises
    ------
    UsageError
        If `incomplete` is not one of `INCOMPLETE`.
    """
    checked_incomplete(incomplete)
    faults, notes = list(table.faults), list(table.notes)
    if not len(table.rows):
        if not faults:
            faults.append(
                Fault(
                    "no_rows",
                    "The file has a header and no rows.",
                    repair="Add one row per model and item.",
                )
            )
        return faults, notes, None
    presence = _Presence.of(table)
    if incomplete != "stop" and presence.lacking_total:
        table, note = _repair(table, presence, incomplete)
        notes.append(note)
        if not len(table.rows):
            faults.append(
                Fault(
                    "incomplete",
                    "Nothing is left: no item was run by every model."
                    if incomplete == "drop_items"
                    else "Nothing is left: every model lacks items.",
                    repair="Repair the file, or choose the other way of repair.",
                )
            )
            return faults, notes, None
        presence = _Presence.of(table)
    faults += _empty_names(table)
    faults += score_checks.check_scores(table, repeats)
    faults += _duplicates(table, presence)
    faults += _lacking(table, presence, faults)
    faults += _few_models(presence, faults)
    faults += _label_faults(table)
    notes += _name_notes(table)
    if faults:
        return faults, notes, None
    return [], notes, _arrange(table, repeats)


def checked_incomplete(word: str) -> Incomplete:
    """Return `word` if it is one of `INCOMPLETE`.

    Raises
    ------
    UsageError
        If it is not.
    """
    if word in INCOMPLETE:
        return cast("Incomplete", word)
    raise UsageError(f"Unknown value {word!r} of incomplete; valid: {', '.join(INCOMPLETE)}.")


@dataclass(frozen=True)
class _Presence:
    """Which model has which item: the usable rows, sorted by model and item."""

    usable: NDArray[np.bool_]
    pair_order: NDArray[np.intp]
    repeated: NDArray[np.bool_]
    models: NDArray[np.intp]
    items: NDArray[np.intp]
    held: NDArray[np.int64]
    """Distinct items per model code."""
    shared: NDArray[np.int64]
    """Distinct models per item code."""

    @classmethod
    def of(cls, table: ItemTable) -> _Presence:
        model, item = table.columns["model"], table.columns["item"]
        usable = ~(_blank(model)[model.codes] | _blank(item)[item.codes])
        places = np.flatnonzero(usable)
        pairs = model.codes[places].astype(np.int64) * len(item.values) + item.codes[places]
        order = np.argsort(pairs, kind="stable")
        in_order = pairs[order]
        repeated = np.zeros(len(order), dtype=np.bool_)
        repeated[1:] = in_order[1:] == in_order[:-1]
        distinct = in_order[~repeated]
        held = np.bincount(distinct // len(item.values), minlength=len(model.values))
        shared = np.bincount(distinct % len(item.values), minlength=len(item.values))
        return cls(
            usable=usable,
            pair_order=places[order],
            repeated=repeated,
            models=np.flatnonzero(held),
            items=np.flatnonzero(shared),
            held=held,
            shared=shared,
        )

    @property
    def lacking(self) -> NDArray[np.intp]:
        """Codes of the models that lack items."""
        return self.models[self.held[self.models] < len(self.items)]

    @property
    def lacking_total(self) -> int:
        """Missing (model, item) pairs."""
        return len(self.models) * len(self.items) - int(self.held.sum())


def _blank(names: Names) -> NDArray[np.bool_]:
    return np.array([not name.strip() for name in names.values], dtype=np.bool_)


def _empty_names(table: ItemTable) -> list[Fault]:
    faults = []
    for column, names in table.columns.items():
        blank = _blank(names)
        if not blank.any():
            continue
        rows = table.rows[blank[names.codes]]
        word = table.shown_column(column)
        faults.append(
            Fault(
                "empty_names",
                f"{plural(len(rows), 'row')} without {'an' if word == 'item' else 'a'} {word} ({row_listing(rows)}).",
                first_rows(rows),
                len(rows),
                repair=f"Fill in the {word} or delete the rows."
                if word in REQUIRED
                else f"Every row needs a {word}; leave the column out if it is not known.",
            )
        )
    return faults


def _duplicates(table: ItemTable, presence: _Presence) -> list[Fault]:
    places = np.flatnonzero(presence.repeated)
    if not len(places):
        return []
    starts = np.maximum.accumulate(np.where(presence.repeated, 0, np.arange(len(presence.repeated))))
    later = presence.pair_order[places]
    first = presence.pair_order[starts[places]]
    by_row = np.argsort(table.rows[later], kind="stable")[:5]
    model, item = table.columns["model"], table.columns["item"]
    examples = [
        f"row {table.rows[later[index]]} repeats row {table.rows[first[index]]} "
        f"({quoted(model.values[model.codes[later[index]]])}, {quoted(item.values[item.codes[later[index]]])})"
        for index in by_row
    ]
    rows = table.rows[later]
    return [
        Fault(
            "duplicates",
            f"{plural(len(rows), 'row')} with a duplicate (model, item) pair: {listing(examples, len(rows))}.",
            first_rows(rows),
            len(rows),
            repair="Keep one row per pair; average repeated runs and set repeats.",
        )
    ]


def _lacking(table: ItemTable, presence: _Presence, faults: list[Fault]) -> list[Fault]:
    lacking = presence.lacking
    unusable = int(np.count_nonzero(~presence.usable)) + sum(
        fault.count for fault in faults if fault.code == "ragged_rows"
    )
    if not len(lacking) or presence.lacking_total <= unusable:
        return []  # rows that cannot be read explain every gap; they are reported themselves
    names = table.columns["model"].values
    total = len(presence.items)
    order = sorted(lacking.tolist(), key=lambda code: (presence.held[code], names[code]))
    examples = [f"{quoted(names[code])} lacks {total - presence.held[code]:,}" for code in order]
    complete_items = int(np.count_nonzero(presence.shared == len(presence.models)))
    kept = len(presence.models) - len(lacking)
    return [
        Fault(
            "incomplete",
            f"{plural(len(lacking), 'model')} of {len(presence.models):,} without all {total:,} items: "
            f"{listing(examples)}.",
            count=len(lacking),
            repair=(
                f"Add the missing rows, or drop the models ({plural(kept, 'model')} would stay: "
                f"incomplete = drop_models) or drop the items "
                f"({plural(complete_items, 'item')} would stay: incomplete = drop_items)."
            ),
        )
    ]


def _repair(table: ItemTable, presence: _Presence, incomplete: Incomplete) -> tuple[ItemTable, str]:
    if incomplete == "drop_models":
        column, dropped = "model", presence.lacking
    else:
        column, dropped = "item", presence.items[presence.shared[presence.items] < len(presence.models)]
    names = table.columns[column]
    gone = np.zeros(len(names.values), dtype=np.bool_)
    gone[dropped] = True
    examples = listing([quoted(names.values[code]) for code in dropped])
    return table.where(
        ~gone[names.codes]
    ), f"Dropped {plural(len(dropped), column)} to complete the matrix: {examples}."


def _few_models(presence: _Presence, faults: list[Fault]) -> list[Fault]:
    count = len(presence.models)
    if count >= 2 or any(fault.code == "ragged_rows" for fault in faults):
        return []  # the rows that cannot be read may hold the others
    return [
        Fault(
            "few_models",
            f"Expected at least two models, found {count}.",
            count=count,
            repair="Add the rows of another model.",
        )
    ]


def _label_faults(table: ItemTable) -> list[Fault]:
    """Items, tasks and prompts that stand in two places."""
    columns = table.columns
    checks = [
        ("item_tasks", "item", "task"),
        ("item_categories", "item", "category"),
        ("item_prompts", "item", "prompt_hash"),
        ("task_categories", "task", "category"),
        ("prompt_tasks", "prompt_hash", "task" if "task" in columns else "category"),
    ]
    words = {
        "task": "tasks",
        "category": "categories",
        "prompt_hash": "prompts" if table.hashed else "prompt hashes",
    }
    faults: list[Fault] = []
    torn = np.zeros(len(columns["item"].values), dtype=np.bool_)  # items at fault themselves, told only once
    for code, key, value in checks:
        if key not in columns or value not in columns:
            continue
        passed_over = torn if key != "item" and torn.any() else None
        found, at_fault = _conflicts(table, code, key, value, words[value], passed_over)
        faults += found
        if key == "item":
            torn[at_fault] = True
    return faults


def _conflicts(
    table: ItemTable, code: str, key: str, value: str, values: str, passed_over: NDArray[np.bool_] | None
) -> tuple[list[Fault], NDArray[np.integer]]:
    """Find keys (say items) that come with two values (say tasks), on the rows of items that are not passed over."""
    keys, labels = table.columns[key], table.columns[value]
    label_of = np.empty(len(keys.values), dtype=np.int32)
    label_of[keys.codes] = labels.codes
    if np.array_equal(label_of[keys.codes], labels.codes):
        return [], np.empty(0, dtype=np.int32)
    meaningful = ~(_blank(keys)[keys.codes] | _blank(labels)[labels.codes])
    if passed_over is not None:
        meaningful &= ~passed_over[table.columns["item"].codes]
    places = np.flatnonzero(meaningful)
    first = np.full(len(keys.values), -1, dtype=np.intp)
    first[keys.codes[places[::-1]]] = places[::-1]
    bad = places[labels.codes[places] != labels.codes[first[keys.codes[places]]]]
    if not len(bad):
        return [], bad
    at_fault, where = np.unique(keys.codes[bad], return_index=True)
    examples = []
    for place in bad[np.sort(where)[:5]]:
        origin = first[keys.codes[place]]
        examples.append(
            f"{quoted(keys.values[keys.codes[place]])} ({quoted(labels.values[labels.codes[origin]])} in row "
            f"{table.rows[origin]}, {quoted(labels.values[labels.codes[place]])} in row {table.rows[place]})"
        )
    noun = table.shown_column(key).replace("_", " ")
    subject = plural(len(at_fault), noun, "prompt hashes" if noun == "prompt hash" else None)
    return [
        Fault(
            code,
            f"{subject} in two {values}: {listing(examples, len(at_fault), separator='; ')}.",
            first_rows(table.rows[bad]),
            len(at_fault),
            repair=_CONFLICT_REPAIRS[code],
        )
    ], at_fault


_CONFLICT_REPAIRS: Final = {
    "item_tasks": "Give each item one task.",
    "item_categories": "Give each item one category.",
    "item_prompts": "Give each item one prompt.",
    "task_categories": "Give each task one category.",
    "prompt_tasks": "Items that share a prompt must share a task.",
}


def _name_notes(table: ItemTable) -> list[str]:
    notes = []
    for column, names in table.columns.items():
        padded = [name for name in names.values if name.strip() and name != name.strip()]
        if padded:
            notes.append(
                f"{plural(len(padded), column + ' name')} with blanks at the ends, kept as they are: "
                f"{listing([quoted(name) for name in padded])}."
            )
    return notes


def _arrange(table: ItemTable, repeats: int) -> Matrix:
    model, item = table.columns["model"], table.columns["item"]
    models, model_rank = _ranked(model)
    items, item_rank = _ranked(item)
    scores = np.empty((len(models), len(items)))
    scores[model_rank[model.codes], item_rank[item.codes]] = score_checks.snapped(table.scores, repeats)

    def labels(column: str) -> tuple[str, ...] | None:
        names = table.columns.get(column)
        if names is None:
            return None
        of_item = np.empty(len(items), dtype=np.int32)
        of_item[item_rank[item.codes]] = names.codes
        return tuple(names.values[code] for code in of_item)

    return Matrix(models, items, scores, labels("task"), labels("category"), labels("prompt_hash"))


def _ranked(names: Names) -> tuple[tuple[str, ...], NDArray[np.intp]]:
    """Return the names sorted by code point and each code's place among them."""
    order = sorted(range(len(names.values)), key=names.values.__getitem__)
    rank = np.empty(len(order), dtype=np.intp)
    rank[order] = np.arange(len(order))
    return tuple(names.values[code] for code in order), rank
