"""The router attack against a maintainer's live evaluator: the same steps, with every score asked for.

`run_live_study` gives what `core.reuse.study.run_study` gives on the same data; it is slower, since each random router is a
call of the maintainer's code.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

import numpy as np

from core.errors import UsageError
from core.reuse import exact
from core.reuse.adapter import DEFAULT_TIMEOUT_S, CheckedEvaluator, RoutingRule
from core.reuse.attack import final_choices, static_choice, task_weights
from core.reuse.endpoints import select_endpoints
from core.reuse.feedback import LOSS_DECIMALS, PublicFeedback
from core.reuse.gates import gates
from core.reuse.metrics import ROUTER, Outcomes, loss
from core.reuse.result import Study
from core.reuse.scoring import WEIGHT_HEADROOM
from core.reuse.study import MAX_TRIALS, check_budgets

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from numpy.typing import NDArray

    from core.reuse.adapter import LiveEvaluator
    from core.reuse.endpoints import EndpointPolicy
    from core.reuse.exact import Limbs
    from core.reuse.gates import Gates

DEFAULT_LIVE_BUDGETS: Final = (1, 2, 4, 8, 16, 32, 64)
DEFAULT_LIVE_TRIALS: Final = 25
_NOISE_EXPONENT: Final = 4  # scores of magnitude up to 2**4


def run_live_study(
    evaluator: LiveEvaluator,
    *,
    trials: int = DEFAULT_LIVE_TRIALS,
    budgets: Iterable[int] = DEFAULT_LIVE_BUDGETS,
    endpoints: EndpointPolicy = "top5",
    routing_seed: str = "live-bank0",
    tie_seed: str = "live-ties0",
    timeout_s: float = DEFAULT_TIMEOUT_S,
    progress: Callable[[int, int], None] | None = None,
) -> Study:
    """Attack a live evaluator.

    Parameters
    ----------
    evaluator
        The maintainer's; see `core.reuse.adapter.LiveEvaluator`.
    trials
        Number of trials; the evaluator splits its items anew for each.
    budgets
        Numbers of submissions.
    endpoints
        How the pair of models is chosen.
    routing_seed, tie_seed
        Seeds of the random routers and of the tie router.
    timeout_s
        Seconds that one call of the evaluator may take.
    progress
        Called with (trials done, trials in all).

    Returns
    -------
    Study
        As from `core.reuse.study.run_study`; its feedback rule is called ``live``.

    Raises
    ------
    AdapterError
        If the evaluator fails, is too slow, or answers wrongly; the message begins with the call.
    UsageError
        If a parameter is outside its domain.
    """
    chosen = check_budgets(budgets)
    if isinstance(trials, bool) or not isinstance(trials, int) or not 1 <= trials <= MAX_TRIALS:
        raise UsageError(f"The number of trials is a whole number from 1 to {MAX_TRIALS}, found {trials!r}.")
    checked = CheckedEvaluator(evaluator, timeout_s)
    all_budgets = chosen if chosen[0] == 1 else (1, *chosen)
    game = _Game(checked, all_budgets, endpoints, routing_seed, tie_seed)
    parts = []
    for trial in range(trials):
        parts.append(game.play(trial))
        if progress is not None:
            progress(trial + 1, trials)
    return Study(
        benchmark=checked.public.name,
        provenance="loaded",
        models=game.models,
        endpoints=endpoints,
        feedback="live",
        budgets=chosen,
        outcomes=Outcomes.join(parts),
    )


class _Game:
    """What all trials share: names, routers, and the prompts of each coordinate."""

    def __init__(
        self,
        checked: CheckedEvaluator,
        budgets: tuple[int, ...],
        policy: EndpointPolicy,
        routing_seed: str,
        tie_seed: str,
    ) -> None:
        public = checked.public
        self.checked = checked
        self.budgets = budgets
        self.policy = policy
        self.order = sorted(range(len(public.models)), key=lambda place: public.models[place])
        self.models = tuple(public.models[place] for place in self.order)
        self.coordinates = public.coordinates
        self.ones = tuple(1 if public.units is None else public.units[name] for name in self.coordinates)
        self.prompts = tuple(sorted(public.prompts))
        self.gates: Gates = gates(self.prompts, routing_seed, tie_seed, budgets[-1] - 1, cache=False)
        home = np.array([self.coordinates.index(public.prompts[prompt]) for prompt in self.prompts])
        self.members = [np.flatnonzero(home == place) for place in range(len(self.coordinates))]

    def play(self, trial: int) -> Outcomes:
        """Play one trial at every budget."""
        scores, overall = self.checked.profiles(trial)
        scores, overall = scores[self.order], overall[self.order]
        pair = select_endpoints(self._table(scores, overall), self.policy)
        eligible = bool(pair.eligible[0])
        a, b = max(int(pair.a[0]), 0), max(int(pair.b[0]), 0)
        genuine = self.checked.audit(trial, self.models, "the genuine models")
        candidates = [self._rule(a, b, bits) for bits in self._candidate_bits()] if eligible else []
        answers = self._answers(trial, candidates)
        shown = ~np.isnan(answers)
        routers = self._final_rules(a, b, scores, np.nan_to_num(answers), shown) if eligible else []
        audited = (
            self.checked.audit(trial, candidates, "the random routers") if candidates else np.empty((4, 0))
        )
        pools = np.stack(
            [
                self.checked.audit(
                    trial, [*self.models, router], f"the models and the router of budget {budget}"
                )
                for budget, router in zip(self.budgets, routers, strict=True)
            ]
            if eligible
            else [np.concatenate([genuine, genuine[:, :1]], axis=1)] * len(self.budgets)
        )
        return self._outcomes(trial, (eligible, a, b), genuine, audited, pools, shown)

    def _rule(self, a: int, b: int, to_a: NDArray[np.bool_]) -> RoutingRule:
        taken = frozenset(self.prompts[place] for place in np.flatnonzero(to_a))
        return RoutingRule(self.models[a], self.models[b], taken)

    def _candidate_bits(self) -> NDArray[np.bool_]:
        """Return the random routers' choices, shape (candidates, prompts)."""
        return self.gates.signs(slice(None)).T > 0

    def _table(self, scores: NDArray[np.float64], overall: NDArray[np.float64]) -> PublicFeedback:
        ones = np.array(self.ones, dtype=np.float64)
        alone = len(self.coordinates) == 1
        shape = (len(self.coordinates), 1, len(self.models))
        limbs = tuple(np.ascontiguousarray(limb.T).reshape(shape) for limb in self._limbs(scores))
        ordering: Limbs = exact.take(limbs, 0) if alone else (overall[None, :],)
        if alone:
            orientation = -exact.dense_ranks(ordering).astype(np.float64)
        else:
            share = 1.0 / len(self.coordinates)
            mean = sum(share * column for column in (scores / ones).T)
            orientation = np.round(1.0 - np.asarray(mean), LOSS_DECIMALS)[None, :]
        return PublicFeedback(
            models=self.models,
            coordinates=self.coordinates,
            scores=limbs,
            ones=self.ones,
            distance_weights=(Fraction(1),) * len(self.coordinates),
            overall=ordering,
            orientation=orientation,
            frontier=not alone,
        )

    def _limbs(self, scores: NDArray[np.float64]) -> Limbs:
        if self.checked.public.units is not None:
            return (scores,)
        return exact.split_limbs(scores, WEIGHT_HEADROOM + _NOISE_EXPONENT, _NOISE_EXPONENT)

    def _answers(self, trial: int, candidates: list[RoutingRule]) -> NDArray[np.float64]:
        """Submit the random routers in order; return shape (candidates, coordinates), NaN where a score is withheld."""
        answers = np.empty((len(candidates), len(self.coordinates)))
        for place, rule in enumerate(candidates):
            answers[place] = self.checked.feedback(trial, rule, f"random router {place}")
        if candidates:
            self.checked.same_again(trial, candidates[0], "random router 0", answers[0])
        return answers

    def _final_rules(
        self,
        a: int,
        b: int,
        scores: NDArray[np.float64],
        answers: NDArray[np.float64],
        shown: NDArray[np.bool_],
    ) -> list[RoutingRule]:
        """Return the final router of each budget."""
        both = np.concatenate([scores[[a, b]], answers])
        limbs = self._limbs(both)
        to_a = np.empty((len(self.budgets), len(self.prompts)), dtype=bool)
        for column, members in enumerate(self.members):
            released_a, released_b = (
                tuple(limb[row, column][None, None] for limb in limbs) for row in (0, 1)
            )
            given = tuple(limb[2:, column][None, :, None] for limb in limbs)
            weights = task_weights(given, released_a, released_b, shown[:, column][None, :, None])
            own_weights = exact.take(weights, 0)
            tie = self.gates.tie[members]
            own_gates = self.gates.signs(members)
            alone = sum(budget == 1 for budget in self.budgets)
            static = static_choice(exact.take(released_a, 0), exact.take(released_b, 0), tie)
            to_a[:alone, members] = static[:, 0]
            later = final_choices(own_gates, own_weights, tie, self.budgets[alone:])
            for place, choice in enumerate(later, start=alone):
                to_a[place, members] = choice[:, 0]
        return [self._rule(a, b, row) for row in to_a]

    def _outcomes(
        self,
        trial: int,
        pair: tuple[bool, int, int],
        genuine: NDArray[np.float64],
        candidates: NDArray[np.float64],
        pools: NDArray[np.float64],
        shown: NDArray[np.bool_],
    ) -> Outcomes:
        """Measure one trial; `pools` has shape (budgets, 4, models + 1), the final router last."""
        eligible, a, b = pair
        public, private = loss(pools[:, 2]), loss(pools[:, 3])
        no_attack = int(loss(genuine[2]).argmin())
        best = public[:, :-1].argmin(axis=1)
        rows = np.arange(len(self.budgets))
        leads = public[:, -1] < public[rows, best]
        pick = np.where(leads, public.shape[1] - 1, best)

        def rank(member: NDArray[np.intp] | int) -> NDArray[np.intp]:
            own = private[rows, member]
            return np.asarray(1 + (private < own[:, None]).sum(axis=1), dtype=np.intp)

        ties = public[:, -1] <= public[rows, best]
        gap, before = self._gaps(genuine, candidates, pools)
        released = np.concatenate([[0], np.cumsum(shown.sum(axis=1))]) if eligible else np.zeros(1)
        counts = [int(released[min(budget - 1, len(released) - 1)]) for budget in self.budgets]
        return Outcomes(
            eligible=np.array([eligible]),
            base_a=np.array([a if eligible else -1]),
            base_b=np.array([b if eligible else -1]),
            no_attack=np.array([no_attack]),
            selected=np.where(leads, ROUTER, best)[None],
            rank_drop=(rank(pick) - rank(no_attack))[None],
            false_winner=(ties & (rank(public.shape[1] - 1) > 1))[None],
            score_gap=gap[None],
            genuine_gap=np.array([before]),
            no_attack_reused=genuine[0, no_attack][None],
            no_attack_heldout=genuine[1, no_attack][None],
            selected_reused=pools[rows, 0, pick][None],
            selected_heldout=pools[rows, 1, pick][None],
            router_reused=pools[:, 0, -1][None],
            router_heldout=pools[:, 1, -1][None],
            released_scores=np.array([counts], dtype=np.int64),
        )

    def _gaps(
        self, genuine: NDArray[np.float64], candidates: NDArray[np.float64], pools: NDArray[np.float64]
    ) -> tuple[NDArray[np.float64], float]:
        """Return the score gap of each budget and of the genuine models alone, from two running minima of loss."""
        history = 1.0 - np.concatenate([genuine[:2], candidates[:2]], axis=1)
        minima = np.minimum.accumulate(history, axis=1)
        gaps = np.maximum.accumulate(np.abs(minima[0] - minima[1]))
        models = genuine.shape[1]
        found = []
        for place, budget in enumerate(self.budgets):
            last = min(models - 1 + budget - 1, history.shape[1] - 1)
            ends = np.minimum(minima[:, last], 1.0 - pools[place, :2, -1])
            found.append(max(float(gaps[last]), abs(float(ends[0] - ends[1]))))
        return np.array(found), float(gaps[models - 1])
