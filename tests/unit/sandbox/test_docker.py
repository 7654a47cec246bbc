"""An engine that refuses or goes away is an error of the sandbox; what an image gets as its own layer."""

import io
import socket
import tarfile
from contextlib import ExitStack, suppress
from types import SimpleNamespace

import pytest
from docker.errors import APIError
from every_case import every_case

from sandbox import docker_images, machine
from sandbox.base import SandboxSpec
from sandbox.docker import DockerProvider
from sandbox.docker_images import LABEL
from sandbox.errors import SandboxError, SandboxUnavailable


def refuse(*_arguments, **_named):
    raise APIError("the engine is about to stop")


def provider(**api):
    """A provider whose engine answered once."""
    made = DockerProvider()
    ready = {"Id": "sha256:1", "Config": {"Labels": {LABEL: machine.digest()}}}
    api = {
        "create_host_config": lambda **_: {},
        "inspect_image": lambda _name: ready,
        "remove_container": lambda *_, **__: None,
        **api,
    }
    made._cached = SimpleNamespace(api=SimpleNamespace(**api), containers=SimpleNamespace(list=refuse))
    return made


def test_what_it_holds_cannot_be_asked_any_more():
    with pytest.raises(SandboxUnavailable, match="about to stop"):
        provider().sweep()


@every_case(
    ("step", "said"),
    [("create_container", "cannot create"), ("attach_socket", "cannot attach"), ("start", "cannot start")],
)
def test_each_step_of_a_start_may_be_refused(step, said):
    steps = {
        "create_container": lambda **_: None,
        "attach_socket": lambda *_, **__: SimpleNamespace(
            shutdown=lambda _how: None, close=lambda: None, detach=lambda: -1
        ),
        "start": lambda _container: None,
    }
    with (
        pytest.raises(SandboxError, match=f"{said}.*from some-image: .*about to stop"),
        provider(**{**steps, step: refuse}).open(SandboxSpec(python="python3", image="some-image")),
    ):
        pass


def test_an_engine_that_takes_no_more_callers_is_none(tmp_path, monkeypatch):
    """It listens, and nobody has accepted a call for a while."""
    path = tmp_path / "engine.sock"
    monkeypatch.setenv("DOCKER_HOST", f"unix://{path}")
    with ExitStack() as calls, socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(path))
        listening.listen(0)
        for _ in range(2):
            call = calls.enter_context(socket.socket(socket.AF_UNIX))
            call.setblocking(False)
            with suppress(BlockingIOError):
                call.connect(str(path))
        with pytest.raises(SandboxUnavailable, match="no Docker engine answers"):
            DockerProvider().check()


def layer(present):
    with tarfile.open(fileobj=io.BytesIO(docker_images._archive(present))) as tar:
        return {
            f"/{member.name}": (member, tar.extractfile(member).read() if member.isreg() else b"")
            for member in tar
        }


def test_an_image_gets_what_it_lacks_and_keeps_what_it_has():
    found = layer({})
    assert set(machine.FILES) <= set(found)
    assert found["/etc/passwd"][1].decode() == machine.merged("/etc/passwd", "")
    assert found["/etc/localtime"][0].linkname == machine.LINKS["/etc/localtime"]
    assert not set(machine.LOOK_UP) & set(found), "that is left to the engine and to builds"
    present = {"/etc/passwd": "root:x:0:0::/root:/bin/ash\n", "/etc/services": "", "/etc/localtime": ""}
    found = layer(present)
    assert not {"/etc/services", "/etc/localtime"} & set(found)
    assert "root:x:0:0::/root:/bin/ash" in found["/etc/passwd"][1].decode()


def test_the_home_is_the_users_and_the_directory_above_it_is_roots():
    found = layer({})
    home, above = found[machine.HOME][0], found["/home"][0]
    assert (home.uid, home.gid, home.mode) == (machine.UID, machine.UID, 0o755)
    assert (above.uid, above.mode) == (0, 0o755)


class Endless:
    """An engine whose image has an ``/etc`` without end."""

    def get_archive(self, _container, _path):
        return iter(lambda: b"x" * (1 << 20), None), {}


def test_an_image_whose_directory_has_no_end_is_refused(monkeypatch):
    monkeypatch.setattr(docker_images, "LIMIT_BYTES", 1 << 21)
    with pytest.raises(SandboxError, match="bytes in /etc"):
        docker_images._etc(Endless(), "container")
