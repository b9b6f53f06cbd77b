"""The lifespan page: controls and presets, sentences, figures and views."""
