"""Compute the stress test that the page opens with. Run from the project's folder: python -m tools.make_stress_default."""

from __future__ import annotations

from core.benchmark.catalogue import load
from core.files import atomic_write
from core.provenance import DATA_FOLDER
from core.reuse.portions import run_portion
from core.stress_default import BENCHMARK, FILE, WISH, portion_bytes


def main() -> None:
    """Write ``data/recomputed/stress_test_default.npz``."""
    bank = load(BENCHMARK)
    portion = run_portion(bank, WISH, 0, WISH.trials)
    target = atomic_write(DATA_FOLDER / FILE, portion_bytes(portion, bank), force=True)
    print(f"data/{FILE}: {target.stat().st_size:,} bytes")


if __name__ == "__main__":
    main()
