"""The score gap page: its controls, figures and sentences."""
