"""An image that declares volumes: they are limited and emptied, and nothing of them is left."""

import io
import tarfile
from contextlib import suppress
from dataclasses import replace

import pytest
from docker.errors import APIError

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


@pytest.mark.docker
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
