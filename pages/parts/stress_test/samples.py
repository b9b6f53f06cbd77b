"""Files that the reader may start from: a template of an items file, an example, and settings with every key."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np

TEMPLATE: Final = (
    "model,item,score,task,category\n"
    "first model,item 1,1,algebra,mathematics\n"
    "first model,item 2,0,poems,language\n"
    "second model,item 1,0,algebra,mathematics\n"
    "second model,item 2,1,poems,language\n"
)
"""One row per model and item; further columns are optional."""

SETTINGS: Final = """\
# Every key has a default; delete what you do not need.
name = "My benchmark"
coordinates = "category"     # what one submission gets back: task | category | overall
ranking = "item_mean"        # | coordinate_mean | category_mean | mean_win_rate
precision = "exact"          # | float64 | a step in percentage points such as 0.01
repeats = 1                  # runs per item; a score is then their mean
holdout_fraction = 0.6666666666666666   # or: holdout_per_category = 68
split_seed_base = 0
routing_seed = "any text"
tie_seed = "any other text"
"""

_MODELS: Final = ("amber", "birch", "cedar", "dune", "elm", "fern", "grove", "heath")
_TASKS: Final = (
    ("algebra", "mathematics"),
    ("geometry", "mathematics"),
    ("poems", "language"),
    ("letters", "language"),
)


@lru_cache(maxsize=1)
def example() -> str:
    """Return a complete items file: eight invented models, four tasks of thirty items, drawn once and for all."""
    generator = np.random.default_rng(20260901)
    skill = generator.uniform(0.35, 0.75, (len(_MODELS), len(_TASKS)))
    lines = ["model,item,score,task,category"]
    for row, model in enumerate(_MODELS):
        for column, (task, category) in enumerate(_TASKS):
            solved = generator.random(30) < skill[row, column]
            lines += [
                f"{model},{task} {number:02d},{int(one)},{task},{category}"
                for number, one in enumerate(solved, 1)
            ]
    return "\n".join(lines) + "\n"
