"""A clone of the paper's artifact: one configuration and two tables per benchmark.

Layout: ``configs/<benchmark>.json``; ``data/<benchmark>_questions.parquet`` with ``question_id, category, task,
content_hash``; ``data/<benchmark>_scores.parquet`` with ``question_id, model, score`` and, for Open LLM v2,
``instruction_score``. Conventions are those of `core.benchmark.importers.conventions`; a configuration's own value wins.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from core.benchmark.faults import listing, plural, quoted
from core.benchmark.importers.common import Columns, Converted, folder_name, ignore
from core.benchmark.importers.conventions import (
    OPENLLM_CHANCE,
    Convention,
    convention_of,
    is_rate,
    openllm_part,
)
from core.benchmark.json_files import read_json
from core.benchmark.normalisation import normalised
from core.benchmark.settings import Settings
from core.errors import DataError
from core.shown import shown

if TYPE_CHECKING:
    from pathlib import Path

    from core.benchmark.checking import Incomplete
    from core.benchmark.importers.common import Progress
    from core.benchmark.model import Benchmark

QUESTIONS: Final = "_questions.parquet"
SCORES: Final = "_scores.parquet"
SMALL_GROUP: Final = 10
_CHANCE_NAMES: Final = ("chance", "chance_rate", "random_baseline")
_COUNT_NAMES: Final = ("instruction_count", "instructions", "num_instructions", "n_instructions")


@dataclass(frozen=True, eq=False)
class Tables:
    """One benchmark of the artifact, as it is stored.

    Parameters
    ----------
    stem
        Begins the names of its files.
    config
        Its configuration; empty where there is none.
    questions
        Columns of the questions by name, each a list.
    scores
        Columns of the scores by name, each a list.
    """

    stem: str
    config: dict[str, Any]
    questions: dict[str, list[Any]]
    scores: dict[str, list[Any]]


def is_artifact(source: Path) -> bool:
    """Whether a folder is laid out like the artifact."""
    return (source / "data").is_dir() and any((source / "data").glob(f"*{SCORES}"))


def read_artifact(
    source: Path, *, incomplete: Incomplete = "stop", progress: Progress = ignore
) -> list[Converted]:
    """Read every benchmark of a clone.

    Parameters
    ----------
    source
        The clone's folder.
    incomplete
        What to do when a model lacks items.
    progress
        Called with (benchmarks read, benchmarks in all).

    Raises
    ------
    DataError
        If a table is missing, lacks a column, or a benchmark cannot be read; the message names the file.
    """
    files = sorted((source / "data").glob(f"*{SCORES}"))
    configs = _configs(source / "configs")
    found = []
    for place, path in enumerate(files, start=1):
        stem = path.name.removesuffix(SCORES)
        questions = path.with_name(f"{stem}{QUESTIONS}")
        if not questions.is_file():
            raise DataError(f"data/{shown(path.name)} has no data/{shown(questions.name)} beside it.")
        config = configs.get(stem, {})
        tables = Tables(
            stem,
            config,
            _table(questions, ("question_id", "category", "task", "content_hash")),
            _table(path, ("question_id", "model", "score")),
        )
        found.append(_convert(tables, incomplete))
        progress(place, len(files))
    return found


def _configs(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the configurations by the benchmark they are for: their file's stem, and what they say themselves."""
    found: dict[str, dict[str, Any]] = {}
    for path in sorted(folder.glob("*.json")) if folder.is_dir() else ():
        content = read_json(path, limit=1 << 26)
        if not isinstance(content, dict):
            raise DataError(f"configs/{shown(path.name)} must hold one object.")
        found[path.stem] = content
        if isinstance(content.get("benchmark"), str):
            found.setdefault(content["benchmark"], content)
    return found


def _table(path: Path, needed: tuple[str, ...]) -> dict[str, list[Any]]:
    """Return a Parquet file's columns as lists."""
    import pyarrow as pa
    from pyarrow import parquet

    label = f"data/{shown(path.name)}"
    try:
        table = parquet.read_table(path)
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{label} cannot be read as Parquet: {shown(error, 120)}.") from None
    missing = [name for name in needed if name not in table.column_names]
    if missing:
        raise DataError(
            f"{label} lacks {'the column' if len(missing) == 1 else 'the columns'} {', '.join(missing)}; "
            f"it has {listing([shown(name) for name in table.column_names])}."
        )
    columns: dict[str, list[Any]] = {}
    for name in table.column_names:
        kind = table.schema.field(name).type
        if not (pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind)):
            columns[name] = table.column(name).to_pylist()
    return columns


def _convert(tables: Tables, incomplete: Incomplete) -> Converted:
    label = f"data/{tables.stem}{SCORES}"
    known = convention_of(str(tables.config.get("benchmark", tables.stem))) or convention_of(tables.stem)
    key, convention = known or (tables.stem, Convention(tables.stem))
    notes = []
    if known is None:
        notes.append(
            f"No convention is known for {quoted(tables.stem)}; the defaults of the file format apply."
        )
    place_of = _places(tables)
    category = [str(one) for one in tables.questions["category"]]
    task = [str(one) for one in tables.questions["task"]]
    if convention.small_groups is not None:
        sizes = Counter(category)
        category = [one if sizes[one] >= SMALL_GROUP else convention.small_groups for one in category]
    if convention.task_is_category:
        task = category
    if key == "openllm_v2":
        task, note = _openllm_tasks(task, category)
        notes += note
    scores, rows, remark = _rows(tables, place_of, convention)
    notes += remark
    asked = [str(tables.scores["question_id"][row]) for row in rows]
    places = [place_of[one] for one in asked]
    columns = Columns(
        model=[str(tables.scores["model"][row]) for row in rows],
        item=asked,
        score=scores,
        task=[task[place] for place in places],
        category=[category[place] for place in places],
        prompt_hash=[str(tables.questions["content_hash"][place]) for place in places],
    )
    settings, remark = _settings(tables.config, convention)
    notes += remark
    benchmark, more = columns.read(label, settings, name=convention.name, incomplete=incomplete)
    if key == "openllm_v2":
        benchmark = _openllm(tables, place_of, benchmark)
    return Converted(folder_name(key), benchmark, (*notes, *more))


def _places(tables: Tables) -> dict[str, int]:
    asked = [str(one) for one in tables.questions["question_id"]]
    repeated = sorted(one for one, times in Counter(asked).items() if times > 1)
    if repeated:
        raise DataError(
            f"data/{tables.stem}{QUESTIONS}: {plural(len(repeated), 'question_id')} more than once: "
            f"{listing([quoted(one) for one in repeated])}."
        )
    place_of = {one: place for place, one in enumerate(asked)}
    unknown = sorted({str(one) for one in tables.scores["question_id"]} - set(place_of))
    if unknown:
        raise DataError(
            f"data/{tables.stem}{SCORES}: {plural(len(unknown), 'question_id')} that the questions lack: "
            f"{listing([quoted(one) for one in unknown])}."
        )
    return place_of


def _rows(
    tables: Tables, place_of: dict[str, int], convention: Convention
) -> tuple[list[float | None], list[int], list[str]]:
    """Return the scores that count, the rows they stand in, and remarks."""
    rows = list(range(len(tables.scores["model"])))
    wanted = tables.config.get("models")
    notes = []
    if isinstance(wanted, list) and wanted and all(isinstance(one, str) for one in wanted):
        there = {str(one) for one in tables.scores["model"]}
        missing = sorted(set(wanted) - there)
        if missing:
            raise DataError(
                f"data/{tables.stem}{SCORES} lacks {plural(len(missing), 'model')} of the configuration: "
                f"{listing([quoted(one) for one in missing])}."
            )
        extra = there - set(wanted)
        if extra:
            notes.append(f"Left out {plural(len(extra), 'model')} that the configuration does not name.")
            rows = [row for row in rows if tables.scores["model"][row] in set(wanted)]
    repeats = _repeats(tables.config, convention)
    scores: list[float | None] = []
    for row in rows:
        value = tables.scores["score"][row]
        scores.append(float(value) if isinstance(value, int | float | bool) else None)
    largest = max((one for one in scores if one is not None and np.isfinite(one)), default=0.0)
    if repeats > 1 and 1 < largest <= repeats:
        notes.append(f"Scores are taken as successes out of {repeats} runs.")
        scores = [None if one is None else one / repeats for one in scores]
    return scores, rows, notes


def _repeats(config: dict[str, Any], convention: Convention) -> int:
    value = config.get("repeats", convention.settings.get("repeats", 1))
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 1 else 1


def _settings(config: dict[str, Any], convention: Convention) -> tuple[dict[str, Any], list[str]]:
    """Return the settings: the convention's, then what the configuration says by the settings' own names."""
    values: dict[str, Any] = {"name": convention.name, **convention.settings}
    names = {field.name for field in fields(Settings)} - {"name"}
    own = {name: value for name, value in config.items() if name in names and value is not None}
    if "holdout_fraction" in own and "holdout_per_category" not in own:
        values.pop("holdout_per_category", None)
    values |= own
    notes = []
    missing = [name for name in ("split_seed_base", "routing_seed", "tie_seed") if name not in own]
    if missing:
        notes.append(
            f"The configuration gives no {', '.join(missing)}; the defaults of the file format are used."
        )
    return values, notes


# Open LLM Leaderboard v2 -----------------------------------------------------------------------------------------


def _openllm_tasks(task: list[str], category: list[str]) -> tuple[list[str], list[str]]:
    """Pool the subsets of a score that is one pool; keep the tasks of BBH and MuSR."""
    unknown = sorted({one for one in category if openllm_part(one) is None})
    if unknown:
        raise DataError(
            f"Open LLM v2 has the scores IFEval, BBH, MATH, GPQA, MuSR and MMLU-Pro; found also "
            f"{listing([quoted(one) for one in unknown])}."
        )
    subsets: dict[str, set[str]] = {}
    for one, home in zip(task, category, strict=True):
        subsets.setdefault(home, set()).add(one)
    pooled = sorted(
        home
        for home, names in subsets.items()
        if len(names) > 1 and openllm_part(home) not in {"bbh", "musr"}
    )
    notes = (
        [f"The subsets of {', '.join(shown(home) for home in pooled)} are one pool of items."]
        if pooled
        else []
    )
    return [home if home in pooled else one for one, home in zip(task, category, strict=True)], notes


def _openllm(tables: Tables, place_of: dict[str, int], benchmark: Benchmark) -> Benchmark:
    """Return the benchmark with chance rates and IFEval's two accuracies."""
    chance: dict[str, float] = {}
    ifeval: set[int] = set()
    rates = _chance_rates(tables, place_of, benchmark)
    for place, task in enumerate(benchmark.tasks):
        part = openllm_part(benchmark.categories[benchmark.task_category[place]])
        if part == "ifeval":
            ifeval.add(place)
        elif part in OPENLLM_CHANCE:
            chance[task] = OPENLLM_CHANCE[part]
        else:
            chance[task] = rates[task]
    items = [name for name, task in zip(benchmark.items, benchmark.item_task, strict=True) if task in ifeval]
    counts = _instruction_counts(tables, place_of, items)
    return normalised(
        benchmark, chance, counts, _followed(tables, benchmark, counts), label=f"data/{tables.stem}{SCORES}"
    )


def _chance_rates(tables: Tables, place_of: dict[str, int], benchmark: Benchmark) -> dict[str, float]:
    """Return the chance rates of BBH's and MuSR's tasks: a column of the questions, or a map of the configuration."""
    wanted = {
        task
        for place, task in enumerate(benchmark.tasks)
        if openllm_part(benchmark.categories[benchmark.task_category[place]]) in {"bbh", "musr"}
    }
    found: dict[str, float] = {}
    column = next((name for name in _CHANCE_NAMES if name in tables.questions), None)
    if column is not None:
        by_task: dict[str, set[Any]] = {}
        for place in place_of.values():
            by_task.setdefault(str(tables.questions["task"][place]), set()).add(
                tables.questions[column][place]
            )
        for task in wanted & set(by_task):
            values = by_task[task]
            if len(values) == 1 and is_rate(next(iter(values))):
                found[task] = float(next(iter(values)))
    else:
        for mapping in _maps(tables.config, ("chance_rates", "chance", "random_baselines", "baselines")):
            found |= {task: float(rate) for task, rate in mapping.items() if task in wanted and is_rate(rate)}
    missing = sorted(wanted - set(found))
    if missing:
        raise DataError(
            f"Open LLM v2 needs the chance rate of every task of BBH and MuSR; none is given for "
            f"{listing([quoted(one) for one in missing])}. Looked for a column {' or '.join(_CHANCE_NAMES)} of the questions, "
            "and for chance_rates in the configuration."
        )
    return found


def _instruction_counts(tables: Tables, place_of: dict[str, int], items: list[str]) -> dict[str, int]:
    column = next((name for name in _COUNT_NAMES if name in tables.questions), None)
    found: dict[str, int] = {}
    if column is not None:
        values: dict[str, Any] = {one: tables.questions[column][place_of[one]] for one in items}
    else:
        values = {}
        for mapping in _maps(tables.config, ("instruction_counts", "ifeval_instruction_counts")):
            values |= mapping
    for one in items:
        value = values.get(one)
        if (
            isinstance(value, int | float)
            and not isinstance(value, bool)
            and value >= 1
            and value == int(value)
        ):
            found[one] = int(value)
    missing = [one for one in items if one not in found]
    if missing:
        raise DataError(
            f"IFEval needs the number of instructions of every prompt; none is given for "
            f"{listing([quoted(one) for one in missing])}. Looked for a column {' or '.join(_COUNT_NAMES)} of the questions, "
            "and for instruction_counts in the configuration."
        )
    return found


def _followed(tables: Tables, benchmark: Benchmark, counts: dict[str, int]) -> dict[str, dict[str, float]]:
    """Return the instructions followed: the share in ``instruction_score`` times their number."""
    if not counts:
        return {}
    if "instruction_score" not in tables.scores:
        raise DataError(
            f"data/{tables.stem}{SCORES} lacks the column instruction_score, which IFEval's second accuracy is made of."
        )
    followed: dict[str, dict[str, float]] = {model: {} for model in benchmark.models}
    wrong = 0
    columns = (tables.scores[name] for name in ("question_id", "model", "instruction_score"))
    for asked, model, share in zip(*columns, strict=True):
        if str(asked) not in counts or str(model) not in followed:
            continue
        if not isinstance(share, int | float) or not 0 <= share <= 1:
            wrong += 1
            continue
        number = counts[str(asked)]
        done = float(share) * number
        whole = float(np.rint(done))
        followed[str(model)][str(asked)] = whole if abs(done - whole) < 1e-6 else done
    if wrong:
        raise DataError(
            f"data/{tables.stem}{SCORES}: {plural(wrong, 'row')} of IFEval with an instruction_score outside 0 to 1."
        )
    return followed


def _maps(config: dict[str, Any], names: tuple[str, ...]) -> list[dict[str, Any]]:
    """Return the maps of a configuration by any of these names; a map within a map is opened once."""
    found: list[dict[str, Any]] = []
    for name in names:
        value = config.get(name)
        if isinstance(value, dict):
            found += [value, *(inner for inner in value.values() if isinstance(inner, dict))]
    return found
