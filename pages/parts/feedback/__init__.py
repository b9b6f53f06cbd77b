"""The feedback richness page: controls, presets, sentences, figures and its three views."""
