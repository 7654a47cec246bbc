"""A stand-in for GitHub, which the Action is run against, and ``regreen`` as a user runs it on a project."""

import os
import shutil
from functools import partial
from pathlib import Path

import pytest
from fakes.action import act
from fakes.github import serve
from laying import lay

EXAMPLES = Path(__file__).parents[2] / "examples"
NOT_COPIED = shutil.ignore_patterns("__pycache__", ".pytest_cache")


@pytest.fixture
def github():
    with serve() as server:
        yield server


@pytest.fixture
def environment(tmp_path, project_environment):
    """Variables with an activated environment, and a state directory of the test's own."""
    state = {"XDG_STATE_HOME": str(tmp_path / "state"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    return {**os.environ, **state, "VIRTUAL_ENV": str(project_environment)}


@pytest.fixture
def project(tmp_path):
    """Makes a project: a copy of an example by its name, or files by their paths."""

    def make(source):
        root = tmp_path / "project"
        if isinstance(source, str):
            return shutil.copytree(EXAMPLES / source, root, ignore=NOT_COPIED)
        return lay(root, source)

    return make


@pytest.fixture
def run_regreen(regreen, environment):
    """Runs a command of ``regreen`` on a project, in plain processes where no other sandbox is named.

    ``first``: the first patch that holds is enough, for what is not about the choice among patches.
    """

    def run(name, *arguments, sandbox="process", first=False, **more):
        image = os.environ.get("REGREEN_TEST_IMAGE") if sandbox == "docker" else None
        chosen = [
            *(["--sandbox", sandbox] if sandbox else []),
            *(["--sandbox-image", image] if image else []),
        ]
        variables = {"REGREEN_SEARCH_WITHOUT": "alternatives"} if first else {}
        return regreen(name, *arguments, *chosen, environment={**environment, **variables}, **more)

    return run


@pytest.fixture
def fix(run_regreen):
    return partial(run_regreen, "fix")


@pytest.fixture
def repair(tmp_path, project_environment):
    """Runs the Action in the environment of the tests; the first patch that holds is enough."""

    def run(place, kind="workflow_run", **inputs):
        directory = tmp_path / f"run-{len(list(tmp_path.iterdir()))}"
        chosen = {"sandbox_python": project_environment / "bin/python", "search_without": "alternatives"}
        return act(place, directory, kind, **{**chosen, **inputs})

    return run
