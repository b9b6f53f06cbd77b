"""What a public board shows, once more: scores by loops, dictionaries and exact fractions, and the releases of a rule.

Nothing here is shared with `core.reuse` or `core.benchmark.splits`, and nothing here is fast.
"""

from __future__ import annotations

import hashlib
import math
from fractions import Fraction

from core.errors import UsageError
from tests.oracles.routing import win_rates
from tests.oracles.splitting import category_of, items_of_task, split


class BoardOracle:
    """One trial's board: scores of rows of item scores on either side, and what a feedback rule releases of them."""

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
        self.interface = self.settings.coordinates
        self.step = self.settings.step_pp
        counts = benchmark.counts
        self.exact = self.settings.precision == "exact" or (self.step is not None and counts is not None)
        self._known_items = {}
        self._known_performance = {}
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

    @property
    def without_frontier(self):
        """Whether endpoints are chosen by the allowed overall alone."""
        if self.policy is not None:
            return True
        sizes = {"task": len(self.benchmark.tasks), "category": len(self.benchmark.categories), "overall": 1}
        return sizes[self.interface] == 1

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

    def _items(self, task, side):
        """A task's items on one side, looked up once."""
        key = (task, side is self.reused)
        if key not in self._known_items:
            members = set(items_of_task(self.benchmark, task))
            self._known_items[key] = [index for index in side if index in members]
        return self._known_items[key]

    def _task_mean(self, row, task, side):
        return self._item_mean(row, self._items(task, side))

    def _tasks_in(self, category):
        return [task for task in self.benchmark.tasks if category_of(self.benchmark, task) == category]

    def _category_mean(self, row, category, side):
        if self.settings.ranking == "item_mean":
            return self._item_mean(
                row, [index for task in self._tasks_in(category) for index in self._items(task, side)]
            )
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
            home = {
                task: self.benchmark.categories.index(category_of(self.benchmark, task)) for task in tasks
            }
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

    # What endpoints are chosen by -------------------------------------------------------------------------------

    def _public_overall(self, table):
        """The statistic that orders the endpoint pool, for every genuine model."""
        interface, ranking = self.interface, self.settings.ranking
        if self.without_frontier:
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
        return [self.release(self._item_mean(row, self.reused)) for row in self.rows]
