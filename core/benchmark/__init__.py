"""Benchmarks: item scores with their settings, reading and checking, splits, simulated benchmarks, importers."""
