"""Mirage: how far a benchmark's score can be trusted. Start it with ``make app``."""

from pages.kit.frame import run

run()
