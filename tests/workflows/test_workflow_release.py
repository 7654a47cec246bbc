"""The release as it is: an image in a registry, and a tag whose action.yml runs that image by its digest."""

import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from fakes.action import REPOSITORY, shop
from workflows import copies, git_server
from workflows.copies import ROOT
from workflows.image import docker
from workflows.machine import rights, token_of

from bot import __version__

pytestmark = [pytest.mark.docker, pytest.mark.slow]
PATIENCE_S = 20.0


@pytest.fixture
def registry(require, tmp_path) -> Iterator[str]:
    """A registry of this machine, as host and port."""
    program = shutil.which("docker-registry")
    if program is None:
        require("there is no program 'docker-registry' here")
    with closing(socket.create_server(("127.0.0.1", 0))) as free:
        address = f"127.0.0.1:{free.getsockname()[1]}"
    settings = {
        "version": 0.1,
        "storage": {"filesystem": {"rootdirectory": str(tmp_path / "registry")}},
        "http": {"addr": address},
    }
    file = tmp_path / "registry.yml"
    file.write_text(yaml.safe_dump(settings))
    with subprocess.Popen(
        [program, "serve", str(file)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        try:
            _wait(f"http://{address}/v2/")
            yield address
        finally:
            process.kill()


def _wait(url: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while True:
        try:
            with urllib.request.urlopen(url, timeout=1):
                return
        except OSError:
            assert time.monotonic() < end, f"{url} does not answer"


@pytest.fixture
def place(machine):
    """Regreen's repository, with what the image and action.yml are made of."""
    wanted = ("bot/", "sandbox/", "Dockerfile", ".dockerignore", "requirements.lock", "action.yml", "docs/")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True)
    names = [name for name in listed.stdout.split("\0") if name.startswith(wanted)]
    return shop(machine.github, begin={name: (ROOT / name).read_bytes() for name in names})


def at(repository: Path, revision: str) -> bytes:
    command = ["git", "-C", str(repository), "show", revision]
    return subprocess.run(command, check=True, capture_output=True).stdout


def test_a_release_pushes_an_image_and_tags_an_action_that_runs_it(machine, place, registry, tmp_path):
    jobs = yaml.safe_load(copies.RELEASE)["jobs"]
    granted = {"tag": rights(jobs["tag"]["permissions"])}
    payload = {"inputs": {"version": __version__}, "ref": "refs/heads/main"}
    root = tmp_path / "git"
    image = f"{registry}/{REPOSITORY}"
    try:
        with git_server.serve(root, REPOSITORY, token_of("tag")) as server:
            ended = machine.run(
                place,
                copies.release(registry=registry, server=server.removeprefix("http://")),
                "workflow_dispatch",
                payload,
                granted=granted,
                job="tag",
                variables={"BASE_IMAGE": os.environ["REGREEN_TEST_IMAGE"]},
            )
        assert ended.results == {"image": "success", "tag": "success"}, ended.log
        digest = ended.jobs["image"].outputs["digest"]
        for tag in (f"v{__version__}", f"v{__version__.partition('.')[0]}"):
            released = yaml.safe_load(at(root / REPOSITORY, f"{tag}:action.yml"))
            assert released["runs"]["image"] == f"docker://{image}@{digest}"
        ran = docker("run", "--rm", f"{image}@{digest}")
        assert "GITHUB_REPOSITORY is not set: this is the Action's entry" in ran.stdout + ran.stderr
    finally:
        docker("image", "rm", "--force", *docker("image", "ls", "--quiet", image).stdout.split())


def test_a_version_that_the_code_does_not_have_is_not_released(machine, place, registry):
    ended = machine.run(
        place,
        copies.release(registry=registry, server="127.0.0.1:1"),
        "workflow_dispatch",
        {"inputs": {"version": "9.9.9"}, "ref": "refs/heads/main"},
        job="tag",
    )
    assert ended.jobs["image"].result == "failure", ended.log
    assert "tag" not in ended.jobs or ended.jobs["tag"].result != "success"
