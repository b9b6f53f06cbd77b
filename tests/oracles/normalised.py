"""Scores corrected for chance and counted by instruction, added to the slow twin by one method."""

from __future__ import annotations

import math

from tests.oracles.reuse import TrialOracle


class Mark(float):
    """An item's score that remembers how many of how many instructions were followed."""

    def __new__(cls, score, followed, given):
        mark = super().__new__(cls, score)
        mark.followed, mark.given = followed, given
        return mark


class NormalisedOracle(TrialOracle):
    """The twin for a benchmark with a normalisation."""

    def __init__(self, benchmark, trial, endpoints="top5", feedback=None):
        super().__init__(benchmark, trial, endpoints, feedback)
        self.exact = False
        extra = benchmark.normalisation
        self.rows = [
            [
                Mark(score, float(followed), int(given))
                for score, followed, given in zip(scores, done, extra.instructions, strict=True)
            ]
            for scores, done in zip(benchmark.scores, extra.followed, strict=True)
        ]

    def _task_mean(self, row, task, side):
        marks = [row[index] for index in self._items(task, side)]
        mean = math.fsum(marks) / len(marks)
        chance = float(self.benchmark.normalisation.chance[self.benchmark.tasks.index(task)])
        if chance:
            mean = max(mean - chance, 0.0) / (1.0 - chance)
        if marks[0].given:
            mean = (
                mean + math.fsum(mark.followed for mark in marks) / sum(mark.given for mark in marks)
            ) / 2.0
        return mean
