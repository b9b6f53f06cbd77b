"""Build the bundled benchmarks from data/published: python tools/make_banks.py [--check]."""

from __future__ import annotations

import csv
import json
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core.benchmark.item_parquet import items_parquet  # noqa: E402
from core.benchmark.model import Benchmark  # noqa: E402
from core.benchmark.reading import read_benchmark  # noqa: E402
from core.benchmark.settings import Settings  # noqa: E402
from core.benchmark.settings_files import settings_toml  # noqa: E402
from core.files import atomic_write, prepare_folder  # noqa: E402

PUBLISHED = ROOT / "data" / "published"
BANKS = ROOT / "data" / "banks"


@dataclass(frozen=True)
class Bank:
    """A bundled benchmark, ready to be written."""

    benchmark: Benchmark
    header: str


def terminal_science() -> Bank:
    """Build Terminal-Bench-Science 0.1: 17 systems, 70 tasks in 5 domains, 3 runs."""
    data = json.loads((PUBLISHED / "terminal_science_inputs.json").read_text(encoding="utf-8"))
    config = json.loads((PUBLISHED / "terminal_science_config.json").read_text(encoding="utf-8"))
    settings = Settings(
        name=config["name"],
        coordinates="category",
        ranking="item_mean",
        precision="exact",
        repeats=config["repeats"],
        holdout_fraction=config["holdout_fraction"],
        split_seed_base=config["split_seed_base"],
        routing_seed=config["routing_seed"],
        tie_seed=config["tie_seed"],
    )
    order = np.argsort(np.array(data["question_ids"], dtype=object), kind="stable")
    counts = np.rint(np.array(data["scores"]) * data["repeats"])
    benchmark = Benchmark.from_columns(
        settings,
        data["models"],
        [data["question_ids"][index] for index in order],
        counts[:, order] / data["repeats"],
        task=[data["item_coordinates"][index] for index in order],
        prompt_hash=[data["prompt_hashes"][index] for index in order],
        provenance="bundled",
    )
    return Bank(
        benchmark,
        "# Terminal-Bench-Science 0.1: protocol and seeds of the published study. A task of the benchmark is an item here;\n"
        "# its scientific domain is task and category. Scores are successes out of 3 runs.\n",
    )


def swe_verified_38() -> Bank:
    """Build SWE-bench Verified as 38 public submissions x 500 instances in 10 repository groups."""
    with (PUBLISHED / "swe_verified_38_outcomes.csv").open(encoding="utf-8", newline="") as stream:
        systems = list(csv.DictReader(stream))
    with (PUBLISHED / "swe_verified_items.csv").open(encoding="utf-8", newline="") as stream:
        rows = sorted(csv.DictReader(stream), key=lambda row: row["instance_id"])
    settings = Settings(
        name="SWE-bench Verified (38)",
        coordinates="category",
        ranking="item_mean",
        precision="exact",
        routing_seed="swe_verified_38-bank0",
        tie_seed="swe_verified_38-ties0",
    )
    scores = np.array(
        [[float(system["outcomes"][int(row["position"])]) for row in rows] for system in systems]
    )
    resolved = [int(system["resolved"]) for system in systems]
    if scores.sum(axis=1).tolist() != resolved:
        raise ValueError("outcomes do not add up to the published number of resolved instances")
    benchmark = Benchmark.from_columns(
        settings,
        [system["system"] for system in systems],
        [row["instance_id"] for row in rows],
        scores,
        task=[row["coordinate"] for row in rows],
        provenance="bundled",
    )
    return Bank(
        benchmark,
        "# SWE-bench Verified, recomputed on 38 public submissions: not the pool of the published study. A repository group is\n"
        "# task and category.\n",
    )


BUILDERS = {"terminal_science": terminal_science, "swe_verified_38": swe_verified_38}


def files_of(bank: Bank) -> dict[str, bytes]:
    """Return the files of a bank by name."""
    return {
        "items.parquet": items_parquet(bank.benchmark),
        "settings.toml": (bank.header + settings_toml(bank.benchmark.settings)).encode(),
    }


def main(arguments: list[str]) -> int:
    """Write the banks, or compare them with the shipped ones; return the exit status."""
    stale = 0
    for name, build in BUILDERS.items():
        bank = build()
        folder = BANKS / name
        if "--check" in arguments:
            shipped = read_benchmark(folder / "items.parquet", folder / "settings.toml", provenance="bundled")
            if shipped.digest != bank.benchmark.digest:
                print(f"data/banks/{name} differs from data/published", file=sys.stderr)
                stale = 1
            continue
        files = files_of(bank)
        prepare_folder(folder, list(files), force=True)
        for file_name, content in files.items():
            atomic_write(folder / file_name, content, force=True)
            print(f"data/banks/{name}/{file_name}: {len(content):,} bytes")
    return stale


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
