"""The phase diagrams page: controls and presets, sentences, and its views."""
