"""Plugins that serve worker processes, such as pytest-rerunfailures beside pytest-xdist."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
from sandbox.runner.fork import threads
from sandbox.runner.pytest_child import load_plugins
load_plugins()
print(threads())
"""


def test_loading_the_plugins_of_this_environment_starts_no_thread():
    """It has both plugins; with a second thread each candidate would begin with an empty process."""
    pytest.importorskip("pytest_rerunfailures")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True
    )
    assert ended.stdout.split()[-1] == "1"
