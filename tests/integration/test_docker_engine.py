"""The engine: a start that fails is tried again, and an image's volumes are limited and emptied."""

import io
import tarfile
from contextlib import suppress
from dataclasses import replace

import pytest
from docker.errors import APIError

from sandbox.errors import SandboxError

pytestmark = pytest.mark.docker


@pytest.fixture
def failing_starts(make_provider, monkeypatch):
    """A provider whose engine fails at so many starts, and the names of the containers it made."""
    provider, spec = make_provider("docker")
    api = provider.client.api
    start, create = api.start, api.create_container
    named, failures = [], []

    def failing(container):
        if failures:
            raise APIError(failures.pop())
        start(container)

    def creating(*, name, **settings):
        named.append(name)
        return create(name=name, **settings)

    monkeypatch.setattr(api, "start", failing)
    monkeypatch.setattr(api, "create_container", creating)

    def prepared(count):
        failures.extend(['exec: "python3": executable file not found in $PATH'] * count)
        return provider, spec, named

    return prepared


def left(provider, named):
    found = provider.client.api.containers(all=True)
    return [one for one in found if any(f"/{name}" in one["Names"] for name in named)]


def test_a_start_that_fails_once_is_tried_again(failing_starts):
    provider, spec, named = failing_starts(1)
    with provider.open(spec) as sandbox:
        said = sandbox.exec(["echo", "started"], timeout_s=30)
        assert [one["Names"] for one in left(provider, named)] == [[f"/{named[1]}"]], "the first is removed"
    assert said.stdout == b"started\n"
    assert left(provider, named) == []


def test_a_start_that_fails_twice_is_reported(failing_starts):
    provider, spec, named = failing_starts(2)
    with pytest.raises(SandboxError, match="cannot start a container"), provider.open(spec):
        pytest.fail("no container runs")
    assert len(named) == 2
    assert left(provider, named) == []


WORDS = b"from the image\n"


@pytest.fixture
def with_volume(make_provider):
    provider, spec = make_provider("docker")
    api = provider.client.api
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as tar:
        directory = tarfile.TarInfo("data")
        directory.type, directory.mode = tarfile.DIRTYPE, 0o1777
        tar.addfile(directory)
        file = tarfile.TarInfo("data/words")
        file.size = len(WORDS)
        tar.addfile(file, io.BytesIO(WORDS))
    container = api.create_container(image=spec.image, command=["true"])["Id"]
    try:
        api.put_archive(container, "/", archive.getvalue())
        image = api.commit(container, changes=['VOLUME ["/data"]'])["Id"]
    finally:
        api.remove_container(container, v=True)
    yield provider, spec, image
    with suppress(APIError):  # what was made from it with the machine's files is pruned later
        api.remove_image(image, force=True)


@pytest.mark.slow
def test_a_volume_of_the_image_cannot_be_filled_and_is_gone_afterwards(with_volume):
    provider, spec, image = with_volume
    volumes = {volume.id for volume in provider.client.volumes.list()}
    limits = replace(spec.limits, disk_mib=64)
    with provider.open(replace(spec, image=image, limits=limits)) as sandbox:
        fill = "dd if=/dev/zero of=/data/x bs=1M count=400 2> /dev/null; du -k /data/x | cut -f1"
        filled = sandbox.exec(["sh", "-c", fill], timeout_s=30)
        after = sandbox.exec(["sh", "-c", "ls -A /data"], timeout_s=30)
    assert filled.stdout == b"65536\n"
    assert after.stdout == b""
    assert {volume.id for volume in provider.client.volumes.list()} <= volumes
