"""Frames and checks that the figure tests share."""

from __future__ import annotations

import json

import pytest

from core.figures.series import published_series


@pytest.fixture(scope="session")
def published_loss():
    return published_series("model_selection_loss_pp")


@pytest.fixture
def loss(published_loss):
    return published_loss.copy()


@pytest.fixture(scope="session")
def assert_valid_spec():
    """Check a specification against the Vega-Lite schema that Altair carries."""
    import altair as alt
    import jsonschema

    validator = jsonschema.Draft7Validator(alt.load_schema())

    def check(spec):
        plain = json.loads(json.dumps(spec, allow_nan=False))
        error = jsonschema.exceptions.best_match(validator.iter_errors(plain))
        assert error is None, f"{error.json_path}: {error.message[:300]}"

    return check
