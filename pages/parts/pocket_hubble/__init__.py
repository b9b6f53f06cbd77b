"""The pocket Hubble page: controls and presets, and its views."""
