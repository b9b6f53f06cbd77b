"""Pocket Hubble: a standard and a perturbed language model, small enough to train on the spot in seconds."""
