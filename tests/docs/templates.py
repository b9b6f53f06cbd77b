"""Small files that the commands of the documentation name, so that each can be run."""

from __future__ import annotations

import json

import numpy as np

from core.contamination.correction_files import TEMPLATE

MODELS = ("amber", "birch", "cedar", "dune", "elm", "fern")
SETTINGS = (
    'name = "My benchmark"\ncoordinates = "category"\nranking = "item_mean"\nholdout_fraction = 0.6667\n'
)


def _scores(items=90, groups=3):
    """Scores of six models on items of three groups; the models differ by group, so that there is a frontier."""
    generator = np.random.default_rng(5)
    skill = generator.uniform(0.3, 0.8, (len(MODELS), groups))
    return (
        generator.random((len(MODELS), items)) < skill[:, [place % groups for place in range(items)]]
    ).astype(int)


def items_file(path):
    """An items file with one row per model and item."""
    scores = _scores()
    lines = ["model,item,task,category,score"]
    lines += [
        f"{model},item {item},group {item % 3},group {item % 3},{scores[row, item]}"
        for row, model in enumerate(MODELS)
        for item in range(scores.shape[1])
    ]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def wide_table(path):
    """A table of models by items."""
    scores = _scores()
    lines = ["model," + ",".join(f"item {item}" for item in range(scores.shape[1]))]
    lines += [f"{model}," + ",".join(map(str, scores[row])) for row, model in enumerate(MODELS)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def folder(path):
    """A benchmark's folder, as convert writes it."""
    from core.benchmark.reading import write_benchmark
    from tests.report.report_samples import small_benchmark

    write_benchmark(small_benchmark(), path)


def settings_file(path):
    """A settings file for the items file."""
    path.write_text(SETTINGS, encoding="utf-8")


def correction_file(path):
    """Items to correct."""
    path.write_text(TEMPLATE, encoding="utf-8")


def logprobs_file(path):
    """Token log-probabilities of two texts, with what Min-K%++ needs."""
    lines = [
        {
            "id": name,
            "text": "Is an oral contract binding?",
            "token_logprobs": [-1.0, value, -0.2],
            "token_mean": [-2.0, -2.5, -2.0],
            "token_std": [1.0, 1.2, 0.9],
        }
        for name, value in (("a", -2.0), ("b", -0.5))
    ]
    path.write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")


def groups_file(path):
    """A grouping of the items file's tasks."""
    path.write_text("task,group\ngroup 0,all\ngroup 1,all\ngroup 2,rest\n", encoding="utf-8")


TEMPLATES = {
    "my_items.csv": items_file,
    "my_benchmark": folder,
    "settings.toml": settings_file,
    "a_clone_or_a_table": wide_table,
    "logprobs.jsonl": logprobs_file,
    "clean.jsonl": logprobs_file,
    "items.csv": correction_file,
    "my_groups.csv": groups_file,
}
