"""Small folders laid out like the sources that the importers read."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
from pyarrow import parquet

MODELS = ("beta", "alpha", "gamma")


def write_artifact(
    root, stem, tasks, *, per_task=6, config=None, models=MODELS, column=None, seed=1, scores=None
):
    """Write one benchmark of an artifact; `tasks` are (category, task) pairs."""
    (root / "data").mkdir(parents=True, exist_ok=True)
    (root / "configs").mkdir(exist_ok=True)
    generator = np.random.default_rng(seed)
    questions = {"question_id": [], "category": [], "task": [], "content_hash": []}
    for category, task in tasks:
        for number in range(per_task):
            questions["question_id"].append(f"{task}-{number}")
            questions["category"].append(category)
            questions["task"].append(task)
            questions["content_hash"].append(f"hash-{task}-{number}")
    for name, values in (column or {}).items():
        questions[name] = values
    asked = questions["question_id"]
    table = {
        "question_id": [one for _ in models for one in asked],
        "model": [model for model in models for _ in asked],
        "score": (
            generator.integers(0, 2, len(models) * len(asked)).astype(float).tolist()
            if scores is None
            else scores
        ),
    }
    parquet.write_table(pa.table(questions), root / "data" / f"{stem}_questions.parquet")
    parquet.write_table(pa.table(table), root / "data" / f"{stem}_scores.parquet")
    if config is not None:
        (root / "configs" / f"{stem}.json").write_text(json.dumps(config))
    return questions, table


OPENLLM_TASKS = (
    ("IFEval", "ifeval"),
    ("BBH", "bbh_navigate"),
    ("BBH", "bbh_snarks"),
    ("MATH Lvl 5", "math_algebra"),
    ("MATH Lvl 5", "math_geometry"),
    ("GPQA", "gpqa"),
    ("MuSR", "musr_murder"),
    ("MMLU-Pro", "mmlu_pro"),
)
OPENLLM_CONFIG = {
    "benchmark": "openllm_v2",
    "split_seed_base": 5,
    "routing_seed": "r",
    "tie_seed": "t",
    "chance_rates": {"bbh_navigate": 0.5, "bbh_snarks": 0.5, "musr_murder": 0.5},
}


def write_openllm(root, *, config=OPENLLM_CONFIG, counts=True, instruction_score=True):
    """Write Open LLM v2 in small; IFEval items hold 1, 2, 3, 1, 2, 3 instructions."""
    numbers = [1 + place % 3 if task == "ifeval" else 0 for _, task in OPENLLM_TASKS for place in range(6)]
    questions, table = write_artifact(
        root,
        "openllm_v2",
        OPENLLM_TASKS,
        config=config,
        column={"instruction_count": numbers} if counts else {},
    )
    if instruction_score:
        by_question = dict(zip(questions["question_id"], numbers, strict=True))
        shares = []
        for place, asked in enumerate(table["question_id"]):
            number = by_question[asked]
            shares.append((place % (number + 1)) / number if number else None)
        table["instruction_score"] = shares
        parquet.write_table(pa.table(table), root / "data" / "openllm_v2_scores.parquet")
    return questions, table


def write_submission(root, folder, resolved, *, metadata=None, results=None, **lists):
    """Write one submission of SWE-bench/experiments."""
    home = root / "evaluation" / "verified" / folder
    (home / "results").mkdir(parents=True)
    if metadata is not None:
        (home / "metadata.yaml").write_text(metadata)
    content = json.dumps({"resolved": resolved, **lists}) if results is None else results
    (home / "results" / "results.json").write_text(content)
    return home


def write_samples(root, model, task, samples, time="2025-01-02T03-04-05.678901"):
    """Write one sample log of lm-evaluation-harness."""
    home = root / model
    home.mkdir(parents=True, exist_ok=True)
    path = home / f"samples_{task}_{time}.jsonl"
    path.write_text("".join(json.dumps(sample) + "\n" for sample in samples))
    return path


def sample(doc, score, metric="acc", **more):
    return {
        "doc_id": doc,
        "doc": {"question": "canary question text"},
        "target": "A",
        "arguments": {"gen_args_0": {"arg_0": "canary question text"}},
        "resps": [["canary answer"]],
        "filter": "none",
        "metrics": [metric],
        "doc_hash": f"doc{doc}",
        "prompt_hash": f"prompt{doc}",
        metric: score,
    } | more
