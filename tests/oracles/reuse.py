"""The router attack once more: one trial at a time, with loops, dictionaries and exact fractions.

Nothing here is shared with `core.reuse` or `core.benchmark.splits`, and nothing here is fast. Numbers are `Fraction`
where the benchmark asks for exact arithmetic; where it asks for the doubles of a published file they are built by the
published recipe and from then on taken as the exact binary fractions that they are.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache, cached_property
from itertools import combinations

from tests.oracles.board import BoardOracle
from tests.oracles.routing import candidate_choice, tie_choice, win_rates
from tests.oracles.splitting import category_of

FINAL_ROUTER = "Final router"


# One trial -------------------------------------------------------------------------------------------------------


class TrialOracle(BoardOracle):
    """One trial under one endpoint policy and one feedback rule; `at` plays one budget."""

    @cached_property
    def pair(self):
        """Endpoints (A, B) as model indices, or None where the trial is ineligible."""
        models = range(len(self.rows))
        if self.policy is not None:
            table = [self.policy_scores(row) for row in self.rows]
            overall = [self.policy_overall(row) for row in self.rows]
            weights = [Fraction(1)] * len(table[0])
            if self.policy == "task":
                weights = [
                    Fraction(
                        1,
                        len(self.benchmark.categories)
                        * len(self._tasks_in(category_of(self.benchmark, task))),
                    )
                    for task in self.benchmark.tasks
                ]
            candidates, loss = list(models), [-value for value in overall]
        else:
            table = [self.released_interface(row, self.interface) for row in self.rows]
            overall = self._public_overall(table)
            weights = [Fraction(1)] * len(table[0])
            if self.without_frontier:
                candidates, loss = list(models), [-value for value in overall]
            else:
                candidates = [
                    m for m in models if not any(self._dominates(table[o], table[m]) for o in models)
                ]
                loss = [round(1 - self._orientation(row), 10) for row in self.rows]
                if len(candidates) < 2:
                    return None
        pool = sorted(candidates, key=lambda model: (-overall[model], model))
        if self.endpoints == "top5" or self.without_frontier:
            pool = pool[:5]

        def spread(pair):
            return sum(
                weight * abs(left - right)
                for weight, left, right in zip(weights, table[pair[0]], table[pair[1]], strict=True)
            )

        first, second = min(combinations(sorted(pool), 2), key=lambda pair: (-spread(pair), pair))
        return (first, second) if loss[first] >= loss[second] else (second, first)

    def _orientation(self, row):
        """The mean of the table before rounding: by category where the ranking is, else over coordinates."""
        scores = [Fraction(score) for score in self.coordinate_scores(row, self.reused, self.interface)]
        if self.settings.ranking == "category_mean":
            return self._equal_category_mean(scores, self.interface)
        return sum(scores) / len(scores)

    @staticmethod
    def _dominates(other, own):
        return all(o >= m for o, m in zip(other, own, strict=True)) and other != own

    # The attack -----------------------------------------------------------------------------------------------

    def _prompt(self, item):
        return self.benchmark.prompts[self.benchmark.item_prompt[item]]

    def _mixed(self, choices):
        a, b = self.pair
        return [
            self.rows[a][item] if choices[item] > 0 else self.rows[b][item] for item in range(len(choices))
        ]

    @cache  # noqa: B019
    def candidate(self, number):
        """The item scores of one random candidate."""
        return self._mixed(
            [
                candidate_choice(self.settings.routing_seed, number, self._prompt(item))
                for item in range(len(self.benchmark.items))
            ]
        )

    @cache  # noqa: B019
    def weights(self, number):
        """A candidate's weight on every released score."""
        a, b = (self.released_feedback(self.rows[model])[0] for model in self.pair)
        own = self.released_feedback(self.candidate(number))[0]
        return [p - (x + y) / 2 for p, x, y in zip(own, a, b, strict=True)]

    def final_choices(self, budget):
        """The final router's choice for every item."""
        (a, home), (b, _) = (self.released_feedback(self.rows[model]) for model in self.pair)
        choices = []
        for item in range(len(self.benchmark.items)):
            prompt = self._prompt(item)
            coordinate = home[self.benchmark.tasks[self.benchmark.item_task[item]]]
            if budget == 1:
                vote = a[coordinate] - b[coordinate]
            else:
                vote = sum(
                    self.weights(number)[coordinate]
                    * candidate_choice(self.settings.routing_seed, number, prompt)
                    for number in range(budget - 1)
                )
            if vote == 0:
                choices.append(tie_choice(self.settings.tie_seed, prompt))
            else:
                choices.append(1 if vote > 0 else -1)
        return choices

    # Metrics --------------------------------------------------------------------------------------------------

    def statistic(self, rows, side, *, public):
        """The ranking statistic of a pool of submissions, higher is better."""
        if public and self.policy is not None:
            return [self._in_units(self.policy_overall(row)) for row in rows]
        if self.settings.ranking == "mean_win_rate":
            return win_rates([self.coordinate_scores(row, side, self.settings.coordinates) for row in rows])
        return [self.performance(row, side) for row in rows]

    def losses(self, rows, side, *, public):
        """The statistic as a loss, rounded to ten decimals."""
        return [round(1 - value, 10) for value in self.statistic(rows, side, public=public)]

    def gap(self, rows):
        """The largest distance of the two running minima over a history, in pp."""
        best_s, best_t, largest = math.inf, math.inf, 0
        for row in rows:
            best_s = min(best_s, 1 - self._performance_cached(row, "S"))
            best_t = min(best_t, 1 - self._performance_cached(row, "T"))
            largest = max(largest, abs(best_s - best_t))
        return float(100 * largest)

    def _performance_cached(self, row, side):
        key = (id(row), side)
        if key not in self._known_performance:
            items = self.reused if side == "S" else self.held_out
            self._known_performance[key] = (row, self.performance(row, items))
        return self._known_performance[key][1]

    def at(self, budget):
        """One row of the trial table."""
        names = self.benchmark.models
        genuine = self.losses(self.rows, self.reused, public=True)
        before = genuine.index(min(genuine))
        row = {
            "trial": self.trial,
            "new_submissions": budget,
            "eligible": self.pair is not None,
            "no_attack_model": names[before],
            "genuine_gap_pp": self.gap(self.rows),
        }
        if self.pair is None:
            return row
        a, b = self.pair
        router = self._mixed(self.final_choices(budget))
        pool = [*self.rows, router]
        public = self.losses(pool, self.reused, public=True)
        private = self.losses(pool, self.held_out, public=False)
        after = public.index(min(public))

        def rank(member):
            return 1 + sum(other < private[member] for other in private)

        def held_out(member):
            return self.performance(pool[member], self.held_out)

        last = len(self.rows)
        history = [*self.rows, self.rows[a], self.rows[b]]
        history += [self.candidate(number) for number in range(budget - 1)]
        return row | {
            "base_a": names[a],
            "base_b": names[b],
            "selected_model": FINAL_ROUTER if after == last else names[after],
            "model_selection_loss_pp": float(100 * (held_out(before) - held_out(after))),
            "rank_drop": rank(after) - rank(before),
            "false_winner": public[last] <= min(public[:last]) and rank(last) > 1,
            "selected_router": after == last,
            "score_gap_pp": self.gap([*history, router]),
            "router_reused_pp": float(100 * self.performance(router, self.reused)),
            "router_heldout_pp": float(100 * held_out(last)),
        }


def outcome(benchmark, trial, budget, endpoints="top5", feedback=None):
    """One row of the trial table, as a dictionary; cells without a value are missing."""
    return TrialOracle(benchmark, trial, endpoints, feedback).at(budget)
