"""The selection loss page: controls and presets, sentences, and its two views."""
