"""The start page: its sentences and doors."""
