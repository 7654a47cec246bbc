"""Fixtures of the tests in this directory."""

import pytest
from worktree_support import BEFORE


@pytest.fixture
def root(tmp_path):
    directory = tmp_path / "project"
    for path, data in BEFORE.items():
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        (directory / path).write_bytes(data)
    return directory
