"""Mirage's computation: how far a benchmark's score can be trusted.

The package imports no user interface. Its parts are `core.benchmark` (data), `core.reuse` (the router attack),
`core.statistics` and `core.published` (the papers' tables); charts live in `core.figures`. Nothing heavy is
imported here, so that ``import core`` stays fast.
"""

__version__ = "0.1.0"
