"""A small benchmark with canary names, for tests of what leaves the program."""

from __future__ import annotations

import numpy as np

from core.benchmark.model import Benchmark
from core.benchmark.settings import Settings

CANARY_ITEM = "canary-item-7f3a"
CANARY_PROMPT = "the canary prompt sings 91c2"


def small_benchmark(models=None, name="Small bank", items=48, **settings):
    """Six models, three tasks, two categories; the models differ by task, so that there is a frontier."""
    generator = np.random.default_rng(5)
    names = list(models or ("amber", "birch", "cedar", "dune", "elm", "fern"))
    task = [f"task {place % 3}" for place in range(items)]
    skill = generator.uniform(0.3, 0.8, (len(names), 3))
    chance = skill[:, [place % 3 for place in range(items)]]
    scores = (generator.random((len(names), items)) < chance).astype(float)
    return Benchmark.from_columns(
        Settings(name=name, coordinates="task", ranking="item_mean", **settings),
        names,
        [f"{CANARY_ITEM}-{place:03d}" for place in range(items)],
        scores,
        task=task,
        category=["one" if label == "task 0" else "two" for label in task],
    )


def items_csv(benchmark, prompt=CANARY_PROMPT):
    """The benchmark as the bytes of an items file with prompts."""
    lines = ["model,item,task,category,prompt,score"]
    for row, model in enumerate(benchmark.models):
        for column, item in enumerate(benchmark.items):
            task = benchmark.item_task[column]
            category = benchmark.categories[benchmark.task_category[task]]
            lines.append(
                f"{model},{item},{benchmark.tasks[task]},{category},{prompt} {column},{benchmark.scores[row, column]:g}"
            )
    return ("\n".join(lines) + "\n").encode()
