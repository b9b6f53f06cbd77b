"""The engine benchmark: a drawn leaderboard of the size of HELM Lite, for timing only."""

from __future__ import annotations

import numpy as np

from core.benchmark.model import Benchmark
from core.benchmark.settings import Settings

TASKS, CATEGORIES = 28, 10


def drawn_benchmark(models: int = 14, items: int = 8159, tasks: int = TASKS, **settings: object) -> Benchmark:
    """Return binary item scores of random models (ranking by win rate, float64), drawn with a fixed seed."""
    generator = np.random.default_rng(20260923)
    ability = generator.uniform(0.4, 0.8, (models, 1)) + generator.normal(0.0, 0.2, (models, items))
    scores = (generator.random((models, items)) < ability).astype(np.float64)
    task = [f"task-{item % tasks:02d}" for item in range(items)]
    category = [f"category-{item % tasks % min(tasks, CATEGORIES):02d}" for item in range(items)]
    chosen = {"ranking": "mean_win_rate", "precision": "float64", **settings}
    return Benchmark.from_columns(
        Settings("engine benchmark", **chosen),
        [f"model-{index:03d}" for index in range(models)],
        [f"item-{index:05d}" for index in range(items)],
        scores,
        task=task,
        category=category,
    )
