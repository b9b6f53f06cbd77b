"""The changed facts page: controls and presets, sentences, and its views."""
