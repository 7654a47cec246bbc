"""How the plugins of pytest are loaded ahead, such as pytest-rerunfailures beside pytest-xdist."""

import os
import subprocess
import sys

import pytest

PROGRAM = """
from sandbox.runner.fork import threads
from sandbox.runner.pytest_child import load_plugins
import sys
load_plugins(sys.argv[1:])
print(type(sys.modules["_hypothesis_pytestplugin"].__loader__).__name__, threads())
"""


def test_loading_the_plugins_of_this_environment_starts_no_thread_and_rewrites_none():
    """It has both plugins; with a second thread each candidate would begin with an empty process.

    pytest would rewrite the assertions of plugins, and anew each time where it cannot keep the outcome.
    """
    pytest.importorskip("pytest_rerunfailures")
    assert run().split()[-2:] == ["SourceFileLoader", "1"]


def test_a_plugin_that_the_tests_run_without_is_not_loaded():
    pytest.importorskip("pytest_rerunfailures")
    without = run("--strict-markers", "-p", "no:hypothesispytest", "-p", "no:cacheprovider")
    assert "KeyError: '_hypothesis_pytestplugin'" in without


def run(*arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    ended = subprocess.run(
        [sys.executable, "-c", PROGRAM, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.stdout + ended.stderr
