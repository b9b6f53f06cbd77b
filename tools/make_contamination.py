"""Compute the shipped results of the contamination pages into ``data/``; then run ``python tools/checksums.py``.

Takes about a minute on two cores.
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pandas as pd

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from core.contamination import hubble, shipped
from core.contamination.phase import phase_diagram
from core.contamination.pocket.pair import train_pair
from core.contamination.pool_correction import calibration_sizes
from core.contamination.pools import calibrated_pool
from core.data_files import DATA_FOLDER
from core.files import atomic_write


def main() -> None:
    """Write every shipped result."""
    frames = []
    for key in hubble.PRESETS:
        diagram = phase_diagram(calibrated_pool(key, shipped.POOL_SEED), shipped.default_phase_settings())
        frames.append(diagram.frame(wide=True).assign(pool=key))
        print(f"phase diagram: {key}")
    _write_parquet(shipped.PHASE_FILE, pd.concat(frames, ignore_index=True))
    sizes = calibration_sizes(calibrated_pool("mmlu", shipped.POOL_SEED), shipped.default_sizes_case())
    _write_csv(shipped.SIZES_FILE, sizes)
    items, losses = train_pair(shipped.default_pocket_settings()).tables()
    _write_parquet(shipped.POCKET_ITEMS_FILE, items)
    _write_csv(shipped.POCKET_LOSS_FILE, losses)


def _write_parquet(name: str, frame: pd.DataFrame) -> None:
    stream = io.BytesIO()
    frame.to_parquet(stream, index=False, compression="zstd")
    _write(name, stream.getvalue())


def _write_csv(name: str, frame: pd.DataFrame) -> None:
    _write(name, frame.to_csv(index=False, float_format="%.10g", lineterminator="\n").encode())


def _write(name: str, content: bytes) -> None:
    target = DATA_FOLDER / name
    target.parent.mkdir(exist_ok=True)
    atomic_write(target, content, force=True)
    print(f"written: data/{name} ({len(content) / 1e3:.0f} kB)")


if __name__ == "__main__":
    main()
