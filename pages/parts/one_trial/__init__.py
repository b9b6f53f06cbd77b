"""The one trial page: its steps, controls, figures and sentences."""
