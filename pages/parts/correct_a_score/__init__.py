"""The correct a score page: controls and presets, and its three ways in."""
