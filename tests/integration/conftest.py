"""A stand-in for GitHub, which the Action is run against."""

import pytest
from fakes.github import serve


@pytest.fixture
def github():
    with serve() as server:
        yield server
