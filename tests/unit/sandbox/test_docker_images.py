"""What an image gets as a layer of its own: what it lacks, and the user's entry."""

import io
import tarfile

import pytest

from sandbox import docker_images, machine
from sandbox.errors import SandboxError


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
