"""Repeat the Terminal-Bench-Science study with other sets of random routers, everything else unchanged.

All trials of a study share one set of routers, so its averages carry the luck of that set, and resampling trials does not show
it. Draw 0 is the published set (routing seed of the benchmark's settings), draw n uses the routing seed ``mirage-draw-n``.

Run from the project's folder, about a second per draw::

    python -m tools.make_router_draws
"""

from __future__ import annotations

import pandas as pd

from core.benchmark.catalogue import load
from core.provenance import DATA_FOLDER
from core.reuse.study import run_study

DRAWS = 40
COLUMNS = (
    "eligible_trials",
    "model_selection_loss_pp",
    "router_reused_pp",
    "router_heldout_pp",
    "false_winner",
)


def main() -> None:
    """Write ``data/recomputed/terminal_science_router_draws.csv``."""
    bank = load("terminal_science")
    parts = []
    for draw in range(DRAWS + 1):
        seed = bank.settings.routing_seed if draw == 0 else f"mirage-draw-{draw}"
        study = run_study(bank.with_settings(bank.settings.with_changes(routing_seed=seed)), cache=False)
        rows = study.summary()
        rows = rows[rows["new_submissions"] >= 1]
        parts.append(rows[["new_submissions", *COLUMNS]].assign(draw=draw, routing_seed=seed))
        print(f"draw {draw} of {DRAWS}")
    table = pd.concat(parts)[["draw", "routing_seed", "new_submissions", *COLUMNS]]
    target = DATA_FOLDER / "recomputed" / "terminal_science_router_draws.csv"
    target.parent.mkdir(exist_ok=True)
    waiting = target.with_suffix(".tmp")
    table.to_csv(waiting, index=False, lineterminator="\n")
    waiting.replace(target)


if __name__ == "__main__":
    main()
