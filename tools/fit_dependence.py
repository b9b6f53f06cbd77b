"""Fit the dependence of the simulated LiveBench to published curves: python tools/fit_dependence.py [--check].

The published LiveBench curves with 1 and with 18 returned scores (model-selection loss and score gap, random budgets 2 to
2,048) choose one number, the dependence, from a grid. The curves with 2, 3, 6 and 9 returned scores, and all false-winner
rates, take no part in the choice; how far they are missed is written beside it, and so is how far the simulated HELM
Capabilities, with the same dependence, misses its own published curves. Nothing else is tuned.
"""

from __future__ import annotations

import json
import math
import sys
from pathlib import Path
from typing import Any, Final

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from core import published  # noqa: E402
from core.benchmark.simulated import FIT_FILE, helm_capabilities, livebench  # noqa: E402
from core.files import atomic_write  # noqa: E402
from core.reuse.study import run_study  # noqa: E402

GRID: Final = (0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95)
SEEDS: Final = tuple(range(8))
FITTED: Final = (1, 18)
HELD_BACK: Final = (2, 3, 6, 9)
HELM_SEEDS: Final = tuple(range(4))
PARTITIONS: Final = (0, 1, 2)
TRIALS: Final = 250
BUDGETS: Final = tuple(1 << exponent for exponent in range(1, 12))
MEASURES: Final = ("model_selection_loss_pp", "score_gap_pp", "false_winner")
USED: Final = MEASURES[:2]
DECIMALS: Final = 6

Curves = dict[str, list[float]]


def published_curves(dimension: int) -> Curves:
    """Return the published curves with `dimension` returned scores, one value per budget of `BUDGETS`."""
    loss, gap = published.feedback_selection_loss().frame, published.feedback_score_gap().frame
    columns = {
        "model_selection_loss_pp": (loss, "model_selection_loss_pp"),
        "score_gap_pp": (gap, "score_gap_mean_pp"),
        "false_winner": (gap, "first_s_not_t"),
    }
    found = {}
    for measure, (frame, column) in columns.items():
        rows = frame[frame["dimension"] == dimension].set_index("new_submissions")
        found[measure] = [float(rows[column][budget]) for budget in BUDGETS]
    return found


def simulated_curves(dimension: int, dependence: float, seed: int, trials: int = TRIALS) -> Curves:
    """Return the same curves of one draw, the mean over the published partitions where they differ."""
    benchmark = livebench(dependence=dependence, seed=seed)
    partitions = PARTITIONS if dimension in HELD_BACK else PARTITIONS[:1]
    studies = [
        run_study(
            benchmark, trials=trials, budgets=BUDGETS, feedback=f"grouped:{dimension}:{partition}"
        ).rows()
        for partition in partitions
    ]
    return {
        measure: np.mean([[row[measure] for row in rows[1:]] for rows in studies], axis=0).tolist()
        for measure in MEASURES
    }


def published_helm_curves() -> Curves:
    """Return the published curves of HELM Capabilities, one value per budget of `BUDGETS`."""
    tables = {
        "model_selection_loss_pp": (published.selection_loss().frame, "model_selection_loss_pp"),
        "score_gap_pp": (published.score_gap().frame, "score_gap_mean_pp"),
        "false_winner": (published.score_gap().frame, "first_s_not_t"),
    }
    found = {}
    for measure, (frame, column) in tables.items():
        rows = frame[frame["benchmark"] == "helm_capabilities"].set_index("new_submissions")
        found[measure] = [float(rows[column][budget]) for budget in BUDGETS]
    return found


def simulated_helm_curves(dependence: float, seed: int) -> Curves:
    """Return the same curves of one draw of the simulated HELM Capabilities."""
    rows = run_study(
        helm_capabilities(dependence=dependence, seed=seed), trials=TRIALS, budgets=BUDGETS
    ).rows()
    return {measure: [row[measure] for row in rows[1:]] for measure in MEASURES}


def mean_curves(draws: list[Curves]) -> Curves:
    """Return the mean over draws."""
    return {measure: np.mean([draw[measure] for draw in draws], axis=0).tolist() for measure in MEASURES}


def misfit(simulated: Curves, target: Curves, measures: tuple[str, ...]) -> float:
    """Return the root mean square difference over measures and budgets, in the measures' unit."""
    differences = [np.subtract(simulated[measure], target[measure]) for measure in measures]
    return float(np.sqrt(np.mean(np.square(differences))))


def report(draws: list[Curves], target: Curves) -> dict[str, Any]:
    """Return how far the mean over draws, and the first draw, miss the published curves."""
    mean = mean_curves(draws)
    return {
        "misfit_pp": round(misfit(mean, target, USED), DECIMALS),
        "misfit_loss_pp": round(misfit(mean, target, USED[:1]), DECIMALS),
        "misfit_gap_pp": round(misfit(mean, target, USED[1:]), DECIMALS),
        "misfit_false_winner": round(misfit(mean, target, ("false_winner",)), DECIMALS),
        "seed_0_misfit_pp": round(misfit(draws[0], target, USED), DECIMALS),
        "draws_misfit_pp": [round(misfit(draw, target, USED), DECIMALS) for draw in draws],
        "budgets": list(BUDGETS),
        "simulated_mean": {name: [round(value, DECIMALS) for value in mean[name]] for name in MEASURES},
        "simulated_seed_0": {name: [round(value, DECIMALS) for value in draws[0][name]] for name in MEASURES},
    }


def fit() -> dict[str, Any]:
    """Return the fit: the grid with its misfits, the chosen dependence, and the misfit of every dimension."""
    from joblib import Parallel, delayed

    livebench_gates()
    cells = [(dimension, dependence, seed) for dependence in GRID for dimension in FITTED for seed in SEEDS]
    results = Parallel(n_jobs=2)(delayed(simulated_curves)(*cell) for cell in cells)
    curves = dict(zip(cells, results, strict=True))
    grid = []
    for dependence in GRID:
        squares = [
            misfit(
                mean_curves([curves[dimension, dependence, seed] for seed in SEEDS]),
                published_curves(dimension),
                USED,
            )
            ** 2
            for dimension in FITTED
        ]
        grid.append({"dependence": dependence, "misfit_pp": round(math.sqrt(sum(squares) / 2), DECIMALS)})
    chosen = min(grid, key=lambda cell: cell["misfit_pp"])["dependence"]
    rest = [(dimension, chosen, seed) for dimension in HELD_BACK for seed in SEEDS]
    curves.update(
        zip(rest, Parallel(n_jobs=2)(delayed(simulated_curves)(*cell) for cell in rest), strict=True)
    )
    return {
        "what": "dependence of the simulated LiveBench, chosen by the published curves with 1 and 18 returned scores",
        "misfit": "root mean square over selection loss and score gap (pp) and the budgets, mean over the seeds' draws "
        "less the published curve",
        "dependence": chosen,
        "grid": grid,
        "seeds": list(SEEDS),
        "trials": TRIALS,
        "fitted_dimensions": list(FITTED),
        "held_back_dimensions": list(HELD_BACK),
        "partitions": list(PARTITIONS),
        "dimensions": {
            str(dimension): {
                "used_for_the_fit": dimension in FITTED,
                **report([curves[dimension, chosen, seed] for seed in SEEDS], published_curves(dimension)),
            }
            for dimension in sorted((*FITTED, *HELD_BACK))
        },
        "helm_capabilities": {
            "what": "the simulated HELM Capabilities with the same dependence; nothing of it was fitted",
            "seeds": list(HELM_SEEDS),
            **report([simulated_helm_curves(chosen, seed) for seed in HELM_SEEDS], published_helm_curves()),
        },
    }


def livebench_gates() -> None:
    """Fill the cache of gates and splits once, before the workers ask for it."""
    run_study(livebench(dependence=GRID[0]), trials=TRIALS, budgets=BUDGETS)


def main(arguments: list[str]) -> int:
    """Write the fit, or compare it with the shipped one; return the exit status."""
    content = json.dumps(fit(), indent=1) + "\n"
    target = ROOT / "data" / FIT_FILE
    if "--check" in arguments:
        same = target.read_text(encoding="utf-8") == content
        print("the shipped fit is up to date" if same else "the shipped fit differs", file=sys.stderr)
        return 0 if same else 1
    target.parent.mkdir(exist_ok=True)
    atomic_write(target, content, force=True)
    values = json.loads(content)
    print(f"dependence {values['dependence']}")
    for dimension, entry in values["dimensions"].items():
        print(f"{dimension:>3} scores: misfit {entry['misfit_pp']:.2f} pp")
    print(f"HELM Capabilities: misfit {values['helm_capabilities']['misfit_pp']:.2f} pp")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
