"""Reads files out of an image that is never started."""

import io
import tarfile
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from sandbox.docker_stream import engine_errors
from sandbox.environment.built import LIMIT_BYTES
from sandbox.errors import ArchiveRefused, SandboxError
from sandbox.tar_headers import PlainHeader

TRIES = 3


def read_file(api: Any, image: str, path: str) -> bytes:  # noqa: ANN401 - the client has no types
    """The content of the file at ``path`` (absolute) of ``image``; empty for what is no plain file.

    A busy engine now and then sends an archive without the file whose size it has just named: then the
    file is read again, from another container.

    Raises:
        ArchiveRefused: the archive cannot be read.
        SandboxError: the file is too large.
        docker.errors.DockerException: the engine failed, or another of ``engine_errors``.
    """
    for _ in range(TRIES):
        container = api.create_container(image=image, command=["true"], network_disabled=True)["Id"]
        try:
            chunks, stat = api.get_archive(container, path)
            data = _one_file(chunks)
        finally:
            with suppress(*engine_errors()):
                api.remove_container(container, force=True, v=True)
        if len(data) == int(stat["size"]):
            break
    return data  # what still is unlike its size is no plain file: a link, say


def _one_file(chunks: Iterable[bytes]) -> bytes:
    """The file in the archive that the engine sends; empty when it holds something else."""
    data = bytearray()
    for chunk in chunks:
        data += chunk
        if len(data) > LIMIT_BYTES:
            raise SandboxError(f"the build left more than {LIMIT_BYTES} bytes beside the project's files")
    try:
        with tarfile.open(fileobj=io.BytesIO(bytes(data)), mode="r:", tarinfo=PlainHeader) as tar:
            first = tar.next()
            source = tar.extractfile(first) if first and first.isreg() else None
            return source.read() if source else b""
    except (tarfile.TarError, ValueError, OSError, RecursionError) as error:
        raise ArchiveRefused(f"what the build left cannot be read: {error}") from error
