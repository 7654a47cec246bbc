"""Fixtures of the tests in this directory."""

import pytest
from chooser_support import Bench


@pytest.fixture
def chosen(tmp_path):
    """A ``Bench``."""
    return Bench(tmp_path)
