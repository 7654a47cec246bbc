"""A machine that runs whole workflows, for tests that need the engine, and Docker for the Action."""

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from fakes.github import serve
from workflows import store
from workflows.engine import ACT, LABEL
from workflows.image import build, docker
from workflows.machine import Images, Machine


@pytest.fixture
def images(make_provider, require) -> Images:
    _, spec = make_provider("docker")
    if shutil.which("docker") is None:
        require("there is no program 'docker' here")
    return Images(action=build(os.environ["REGREEN_TEST_IMAGE"]), sandbox=spec.image)


@pytest.fixture
def make_machine(require, tmp_path) -> Iterator[Callable[[Images], Machine]]:
    """Makes one whose Action runs in given images."""
    if not ACT.exists():
        require("the workflow engine act is not installed")
    with serve() as github, store.serve() as artifacts:
        yield lambda images: Machine.make(tmp_path / "machine", github, artifacts, images)


@pytest.fixture
def machine(make_machine, images) -> Iterator[Machine]:
    made = make_machine(images)
    yield made
    left = docker("ps", "--all", "--quiet", "--filter", f"label={LABEL}={made.directory}").stdout.split()
    for container in left:
        docker("rm", "--force", container)
    assert left == []
