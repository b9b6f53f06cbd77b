"""Correcting a contaminated score: estimators, item pools, predictors, phase diagrams, detection, a pocket model pair.

Sources: "Spiking the training data to correct for test set contamination" (arXiv 2605.24818) and the Hubble suite
(arXiv 2510.19811). The package imports neither charts nor a user interface.
"""
