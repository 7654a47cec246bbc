"""A machine that runs whole workflows, for tests that need Docker and the engine."""

import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.e2e_image import build
from fakes.github import serve
from workflows import store
from workflows.engine import ACT
from workflows.machine import Images, Machine


@pytest.fixture
def images(make_provider, require) -> Images:
    _, spec = make_provider("docker")
    for program in (ACT, shutil.which("docker")):
        if not program or not Path(program).exists():
            require("the tests of workflows need act and the program docker")
    return Images(action=build(os.environ["REGREEN_TEST_IMAGE"]), sandbox=spec.image)


@pytest.fixture
def machine(images, tmp_path) -> Iterator[Machine]:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "python3").symlink_to(sys.executable)
    runs = tmp_path / "runs"
    runs.mkdir()
    with serve() as github, store.serve() as artifacts:
        yield Machine.make(runs, github, artifacts, images, tools)
