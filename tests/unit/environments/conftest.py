"""Fixtures of the tests in this directory."""

import pytest
from chooser_support import Bench
from git_support import Checkout


@pytest.fixture
def chosen(tmp_path):
    """A ``Bench``."""
    return Bench(tmp_path)


@pytest.fixture
def checkout(tmp_path):
    """A ``Checkout`` without a commit."""
    made = Checkout(tmp_path)
    yield made
    made.repository.close()
