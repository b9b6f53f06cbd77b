"""The router attack once more: one trial at a time, with loops, dictionaries and exact fractions.

Nothing here is shared with `core.reuse` or `core.benchmark.splits`, and nothing here is fast. Numbers are `Fraction`
where the benchmark asks for exact arithmetic; where it asks for the doubles of a published file they are built by the
published recipe and from then on taken as the exact binary fractions that they are.
"""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations

from core.errors import DataError, UsageError

FINAL_ROUTER = "Final router"


# Splits ----------------------------------------------------------------------------------------------------------


def split(benchmark, trial):
    """Return the reused and the held-out item indices of one trial, both ascending."""
    settings = benchmark.settings
    seed = settings.split_seed_base + trial
    targets = holdout_targets(benchmark)
    held_out = []
    for task in benchmark.tasks:
        category = category_of(benchmark, task)
        label = task if settings.holdout_per_category is None else f"{category}|{task}"
        groups = {}
        for index in items_of_task(benchmark, task):
            groups.setdefault(benchmark.prompts[benchmark.item_prompt[index]], []).append(index)

        def place(prompt, groups=groups, label=label):
            digest = hashlib.sha256(f"{seed}|{label}|{prompt}".encode()).digest()
            names = tuple(sorted(benchmark.items[index] for index in groups[prompt]))
            return int.from_bytes(digest, "big"), prompt, names

        ordered = [groups[prompt] for prompt in sorted(groups, key=place)]
        wanted = targets[task]
        if wanted not in subset_sums([len(group) for group in ordered]):
            raise DataError(f"Task {task}: {wanted} items cannot be held out without splitting a prompt.")
        for position, group in enumerate(ordered):
            later = [len(other) for other in ordered[position + 1 :]]
            if wanted - len(group) in subset_sums(later):
                held_out.extend(group)
                wanted -= len(group)
    chosen = set(held_out)
    reused = [index for index in range(len(benchmark.items)) if index not in chosen]
    for task in benchmark.tasks:
        members = set(items_of_task(benchmark, task))
        if not members & chosen or not members - chosen:
            raise DataError(f"Task {task} has no item on one side of the split.")
    return reused, sorted(chosen)


def subset_sums(sizes):
    """Every sum that some subset of `sizes` has, the empty one included."""
    sums = {0}
    for size in sizes:
        sums |= {total + size for total in sums}
    return sums


def holdout_targets(benchmark):
    """The number of held-out items of every task."""
    settings = benchmark.settings
    if settings.holdout_per_category is None:
        return {
            task: round(settings.holdout_fraction * len(items_of_task(benchmark, task)))
            for task in benchmark.tasks
        }
    targets = {}
    for category in benchmark.categories:
        tasks = [task for task in benchmark.tasks if category_of(benchmark, task) == category]
        sizes = {task: len(items_of_task(benchmark, task)) for task in tasks}
        quota = {
            task: Fraction(settings.holdout_per_category * sizes[task], sum(sizes.values())) for task in tasks
        }
        share = {task: math.floor(quota[task]) for task in tasks}
        missing = settings.holdout_per_category - sum(share.values())
        by_remainder = sorted(tasks, key=lambda task: (share[task] - quota[task], task))
        for task in by_remainder[:missing]:
            share[task] += 1
        targets.update(share)
    return targets


def items_of_task(benchmark, task):
    """Indices of a task's items."""
    number = benchmark.tasks.index(task)
    return [index for index in range(len(benchmark.items)) if benchmark.item_task[index] == number]


def category_of(benchmark, task):
    """A task's category."""
    return benchmark.categories[benchmark.task_category[benchmark.tasks.index(task)]]


# Routers ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=None)
def candidate_choice(routing_seed, candidate, prompt):
    """+1 (endpoint A) or -1 (endpoint B)."""
    return _choice(f"probe|{routing_seed}|{candidate}", prompt)


@lru_cache(maxsize=None)
def tie_choice(tie_seed, prompt):
    """The tie router's +1 or -1."""
    return _choice(f"tie|{tie_seed}", prompt)


def _choice(label, prompt):
    key = hashlib.sha256(label.encode()).digest()
    return 1 if hashlib.blake2b(prompt.encode(), key=key, digest_size=1).digest()[0] & 1 else -1


def win_rates(table):
    """Mean win rate of each row of a table of coordinate scores, as fractions."""
    rates = []
    for row, own in enumerate(table):
        others = [scores for other, scores in enumerate(table) if other != row]
        total = Fraction(0)
        for coordinate, score in enumerate(own):
            beaten = sum(other[coordinate] < score for other in others)
            tied = sum(other[coordinate] == score for other in others)
            total += Fraction(2 * beaten + tied, 2 * len(others))
        rates.append(total / len(own))
    return rates


# One trial -------------------------------------------------------------------------------------------------------


class TrialOracle:
    """One trial under one endpoint policy and one feedback rule; `at` plays one budget."""

    def __init__(self, benchmark, trial, endpoints="top5", feedback=None):
        self.benchmark = benchmark
        self.settings = benchmark.settings
        self.trial = trial
        self.endpoints = endpoints
        self.feedback = feedback
        self.reused, self.held_out = split(benchmark, trial)
        self.policy = feedback.partition(":")[2] if feedback and feedback.startswith("policy:") else None
        self.groups = self._groups() if feedback and feedback.startswith("grouped:") else None
        # The interface from which endpoints are chosen.
        self.interface = "task" if self.groups is not None else self.settings.coordinates
        self.step = self.settings.step_pp
        counts = benchmark.counts
        self.exact = self.settings.precision == "exact" or (self.step is not None and counts is not None)
        self.rows = []
        for model in range(len(benchmark.models)):
            if not self.exact:
                self.rows.append([float(score) for score in benchmark.scores[model]])
            elif counts is not None:
                self.rows.append([Fraction(int(count), self.settings.repeats) for count in counts[model]])
            else:
                self.rows.append([Fraction(float(score)) for score in benchmark.scores[model]])

    def _groups(self):
        _, d, p = self.feedback.split(":")
        names = {f"{category_of(self.benchmark, task)}/{task}": task for task in self.benchmark.tasks}
        if len(names) % int(d):
            raise UsageError(f"{d} does not divide {len(names)} tasks.")

        def place(name):
            return hashlib.sha256(f"{self.settings.name}-partition-{p}|{name}".encode()).hexdigest(), name

        order = [names[name] for name in sorted(names, key=place)]
        size = len(order) // int(d)
        return [sorted(order[start : start + size]) for start in range(0, len(order), size)]

    # Means, unrounded -----------------------------------------------------------------------------------------

    def _item_mean(self, row, items):
        if self.exact:
            return sum((row[index] for index in items), Fraction(0)) / len(items)
        return math.fsum(row[index] for index in items) / len(items)

    def _mean(self, values):
        total = 0.0 if isinstance(values[0], float) else Fraction(0)
        for value in values:
            total += value
        return total / len(values)

    def _task_mean(self, row, task, side):
        members = set(items_of_task(self.benchmark, task))
        return self._item_mean(row, [index for index in side if index in members])

    def _tasks_in(self, category):
        return [task for task in self.benchmark.tasks if category_of(self.benchmark, task) == category]

    def _category_mean(self, row, category, side):
        if self.settings.ranking == "item_mean":
            members = {
                index for task in self._tasks_in(category) for index in items_of_task(self.benchmark, task)
            }
            return self._item_mean(row, [index for index in side if index in members])
        return self._mean([self._task_mean(row, task, side) for task in self._tasks_in(category)])

    def coordinate_scores(self, row, side, interface):
        """A submission's unrounded scores on the coordinates of an interface."""
        if interface == "task":
            return [self._task_mean(row, task, side) for task in self.benchmark.tasks]
        if interface == "category":
            return [self._category_mean(row, category, side) for category in self.benchmark.categories]
        if self.settings.ranking == "item_mean":
            return [self._item_mean(row, side)]
        return [
            self._mean([self._category_mean(row, category, side) for category in self.benchmark.categories])
        ]

    def performance(self, row, side):
        """The unrounded score that counts for loss and gap."""
        if self.settings.ranking == "item_mean":
            return self._item_mean(row, side)
        if self.settings.ranking == "coordinate_mean":
            return self._mean(self.coordinate_scores(row, side, self.settings.coordinates))
        return self._mean(
            [self._category_mean(row, category, side) for category in self.benchmark.categories]
        )

    # Released scores ------------------------------------------------------------------------------------------

    def release(self, value):
        """A score as it is shown: whole ticks, or the exact number."""
        if self.step is None:
            return Fraction(value)
        if isinstance(value, Fraction):
            return Fraction(round(value * self.settings.ticks_per_unit))
        return Fraction(round(value * 100 / self.step))

    def _in_units(self, value):
        return value if self.step is None else value / self.settings.ticks_per_unit

    def released_interface(self, row, interface):
        """A submission's released scores on an interface."""
        return [self.release(score) for score in self.coordinate_scores(row, self.reused, interface)]

    def _equal_category_mean(self, released, interface):
        if interface != "task":
            return sum(released, Fraction(0)) / len(released)
        by_task = dict(zip(self.benchmark.tasks, released, strict=True))
        means = []
        for category in self.benchmark.categories:
            tasks = self._tasks_in(category)
            means.append(sum((by_task[task] for task in tasks), Fraction(0)) / len(tasks))
        return sum(means, Fraction(0)) / len(means)

    def released_feedback(self, row):
        """What one submission gets back, and for every task the position of its score in it."""
        tasks = self.benchmark.tasks
        if self.groups is not None:
            scores = []
            for group in self.groups:
                scores.append(self._combine([self._shown_task(row, task) for task in group]))
            home = {task: number for number, group in enumerate(self.groups) for task in group}
            return [self._reround(score) for score in scores], home
        interface = self.interface if self.policy is None else self.policy
        if interface == "task":
            home = {task: number for number, task in enumerate(tasks)}
        elif interface == "category":
            home = {task: self.benchmark.categories.index(category_of(self.benchmark, task)) for task in tasks}
        else:
            home = dict.fromkeys(tasks, 0)
        if self.policy is None:
            return self.released_interface(row, interface), home
        return self.policy_scores(row), home

    def _shown_task(self, row, task):
        """A task's published score: ticks, a double that stays a double, or a fraction."""
        mean = self._task_mean(row, task, self.reused)
        return self.release(mean) if self.step is not None else mean

    def _combine(self, values):
        return self._mean(values)

    def _reround(self, value):
        return Fraction(round(value)) if self.step is not None else Fraction(value)

    def policy_scores(self, row):
        """What a practical policy releases."""
        shown = {task: self._shown_task(row, task) for task in self.benchmark.tasks}
        if self.policy == "task":
            return [self._reround(shown[task]) for task in self.benchmark.tasks]
        means = [
            self._combine([shown[task] for task in self._tasks_in(category)])
            for category in self.benchmark.categories
        ]
        if self.policy == "category":
            return [self._reround(mean) for mean in means]
        return [self._reround(self._combine(means))]

    def policy_overall(self, row):
        """The allowed overall of a practical policy, exact."""
        return self._equal_category_mean(self.policy_scores(row), self.policy)

    # Endpoints ------------------------------------------------------------------------------------------------

    def _public_overall(self, table):
        """The statistic that orders the endpoint pool, for every genuine model."""
        interface, ranking = self.interface, self.settings.ranking
        if interface == "overall":
            return [scores[0] for scores in table]
        if ranking == "category_mean" or (ranking == "coordinate_mean" and self.step is None):
            equal = ranking == "category_mean"
            return [
                self._equal_category_mean(scores, interface) if equal else sum(scores) / len(scores)
                for scores in table
            ]
        if ranking == "mean_win_rate":
            if self.step is None:
                return win_rates(table)
            unrounded = [self.coordinate_scores(row, self.reused, interface) for row in self.rows]
            return [self.release(rate) for rate in win_rates(unrounded)]
        if ranking == "coordinate_mean":
            return [
                self.release(self._mean(self.coordinate_scores(row, self.reused, interface)))
                for row in self.rows
            ]
        if self.step is not None:
            return [self.release(self._item_mean(row, self.reused)) for row in self.rows]
        sizes = self._coordinate_sizes(interface)
        return [
            sum(size * score for size, score in zip(sizes, scores, strict=True)) / sum(sizes)
            for scores in table
        ]

    def _coordinate_sizes(self, interface):
        benchmark = self.benchmark
        names = benchmark.tasks if interface == "task" else benchmark.categories
        sizes = dict.fromkeys(names, 0)
        for index in self.reused:
            task = benchmark.tasks[benchmark.item_task[index]]
            sizes[task if interface == "task" else category_of(benchmark, task)] += 1
        return [sizes[name] for name in names]

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
                        1, len(self.benchmark.categories) * len(self._tasks_in(category_of(self.benchmark, task)))
                    )
                    for task in self.benchmark.tasks
                ]
            candidates, loss = list(models), [-value for value in overall]
        else:
            table = [self.released_interface(row, self.interface) for row in self.rows]
            overall = self._public_overall(table)
            weights = [Fraction(1)] * len(table[0])
            if self.interface == "overall":
                candidates, loss = list(models), [-value for value in overall]
            else:
                candidates = [m for m in models if not any(self._dominates(table[o], table[m]) for o in models)]
                loss = [round(1 - self._in_units(self._orientation(scores)), 10) for scores in table]
                if len(candidates) < 2:
                    return None
        pool = sorted(candidates, key=lambda model: (-overall[model], model))
        framed = self.policy is None and self.interface != "overall"
        if self.endpoints == "top5" or not framed:
            pool = pool[:5]

        def spread(pair):
            return sum(
                weight * abs(left - right)
                for weight, left, right in zip(weights, table[pair[0]], table[pair[1]], strict=True)
            )

        first, second = min(combinations(sorted(pool), 2), key=lambda pair: (-spread(pair), pair))
        return (first, second) if loss[first] >= loss[second] else (second, first)

    def _orientation(self, released):
        if self.settings.ranking == "category_mean":
            return self._equal_category_mean(released, self.interface)
        return sum(released, Fraction(0)) / len(released)

    @staticmethod
    def _dominates(other, own):
        return all(o >= m for o, m in zip(other, own, strict=True)) and other != own

    # The attack -----------------------------------------------------------------------------------------------

    def _prompt(self, item):
        return self.benchmark.prompts[self.benchmark.item_prompt[item]]

    def _mixed(self, choices):
        a, b = self.pair
        return [self.rows[a][item] if choices[item] > 0 else self.rows[b][item] for item in range(len(choices))]

    @lru_cache(maxsize=None)  # noqa: B019
    def candidate(self, number):
        """The item scores of one random candidate."""
        return self._mixed(
            [
                candidate_choice(self.settings.routing_seed, number, self._prompt(item))
                for item in range(len(self.benchmark.items))
            ]
        )

    @lru_cache(maxsize=None)  # noqa: B019
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
        known = self.__dict__.setdefault("_known", {})
        key = (id(row), side)
        if key not in known:
            items = self.reused if side == "S" else self.held_out
            known[key] = (row, self.performance(row, items))
        return known[key][1]

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
