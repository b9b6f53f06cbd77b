"""Small random benchmarks that are rich in ties, copies and dominated models, for comparing engine and twin."""

from __future__ import annotations

import random

import numpy as np
from hypothesis import strategies as st

from core.benchmark.model import Benchmark
from core.benchmark.settings import RANKINGS, Settings

KINDS = ("binary", "thirds", "quarters", "counts", "doubles", "tiny", "mixed")
PRECISIONS = ("exact", "float64", 0.001, 0.1, 1.0, 10.0)


def _score(kind, draw):
    if kind == "mixed":
        kind = draw.choice(KINDS[:-1])
    if kind == "binary":
        return float(draw.randint(0, 1))
    if kind in {"thirds", "counts"}:
        return draw.randint(0, 3) / 3
    if kind == "quarters":
        return draw.randint(0, 4) / 4
    if kind == "tiny":
        return draw.random() * 10.0 ** -draw.randint(0, 25)
    return draw.random()


def _models(kind, draw, models, items):
    rows = [[_score(kind, draw) for _ in range(items)] for _ in range(models)]
    for row in range(1, models):
        other = rows[draw.randrange(row)]
        habit = draw.choice(("own", "own", "own", "own", "copy", "worse", "shuffled", "nearly"))
        if habit == "copy":
            rows[row] = list(other)
        elif habit == "worse":
            rows[row] = [min(own, rival) for own, rival in zip(rows[row], other, strict=True)]
        elif habit == "shuffled":
            rows[row] = draw.sample(other, items)
        elif habit == "nearly":
            place = draw.randrange(items)
            rows[row] = [*other[:place], rows[row][place], *other[place + 1 :]]
    return np.array(rows)


@st.composite
def benchmarks(draw_from, kind=None, ranking=None, precision=None, coordinates=None):
    """Draw a benchmark; a fixed argument keeps that choice."""

    def pick(fixed, options):
        return fixed if fixed is not None else draw_from(st.sampled_from(options))

    kind, precision = pick(kind, KINDS), pick(precision, PRECISIONS)
    ranking = pick(ranking, RANKINGS)
    levels = ("task", "category") if ranking == "mean_win_rate" else ("task", "category", "overall")
    coordinates = pick(coordinates, levels)
    models, tasks = draw_from(st.integers(3, 8)), draw_from(st.sampled_from((1, 2, 3, 4, 4, 6, 6)))
    categories = draw_from(st.integers(1, min(3, tasks)))
    items = draw_from(st.integers(max(8, 4 * tasks), 60))
    per_category = draw_from(st.booleans())
    draw = random.Random(draw_from(st.integers(0, 2**32)))

    task_of = [f"task {number}" for number in range(tasks)] * 3
    task_of += [f"task {draw.randrange(tasks)}" for _ in range(items)]
    task_of = task_of[:items]
    draw.shuffle(task_of)
    homes = [f"c{number}" for number in range(categories)]
    homes += [draw.choice(homes) for _ in range(tasks - categories)]
    category_of = [homes[int(task.removeprefix("task "))] for task in task_of]
    shared = draw.choice((0.0, 0.0, 0.2, 0.5))
    hashes, members = [], {}
    for number, task in enumerate(task_of):
        group = members.setdefault(task, [])
        hashes.append(draw.choice(group) if group and draw.random() < shared else f"h{number}")
        group.append(hashes[-1])
    holdout = {}
    if per_category:
        smallest = min(category_of.count(home) for home in homes)
        holdout = {
            "holdout_fraction": None,
            "holdout_per_category": draw.randint(max(1, smallest // 3), smallest - 1),
        }
    elif draw.random() < 0.5:
        holdout = {"holdout_fraction": draw.choice((0.25, 0.4, 0.5))}
    names = [f"{draw.choice(('M', 'm', 'x-'))}{number}" for number in range(models)]
    settings = Settings(
        name=f"random {draw.randrange(1000)}",
        coordinates=coordinates,
        ranking=ranking,
        precision=precision,
        repeats=3 if kind == "counts" else 1,
        split_seed_base=draw.randrange(10**6),
        **holdout,
    )
    return Benchmark.from_columns(
        settings,
        names,
        [f"item {number}" for number in range(items)],
        _models(kind, draw, models, items),
        task=task_of,
        category=category_of,
        prompt_hash=hashes,
    )


@st.composite
def rules(draw_from, benchmark):
    """Draw (endpoints, feedback) that fit a benchmark."""
    dimensions = [
        number for number in range(1, len(benchmark.tasks) + 1) if len(benchmark.tasks) % number == 0
    ]
    own = None
    feedback = draw_from(
        st.one_of(
            st.just(own),
            st.builds("grouped:{}:{}".format, st.sampled_from(dimensions), st.integers(0, 2)),
            st.sampled_from(("policy:task", "policy:category", "policy:aggregate")),
        )
    )
    return draw_from(st.sampled_from(("top5", "top5", "full_frontier"))), feedback
