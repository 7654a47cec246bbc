"""Reads files out of an image that is never started."""

import io
import tarfile
from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from sandbox.docker import engine_errors
from sandbox.environment.built import LIMIT_BYTES
from sandbox.errors import ArchiveRefused, SandboxError
from sandbox.tar_headers import PlainHeader

TRIES = 3


def read_files(api: Any, image: str, paths: Sequence[str]) -> list[bytes]:  # noqa: ANN401 - the client has no types
    """The contents of the files ``paths`` (absolute) of ``image``; empty for what is no plain file.

    A busy engine now and then sends an archive without the file whose size it has just named: then the
    files are read again, from another container.

    Raises:
        ArchiveRefused: an archive cannot be read.
        SandboxError: a file is too large.
        docker.errors.DockerException: the engine failed, or another of ``engine_errors``.
    """
    for _ in range(TRIES):
        found = _read_once(api, image, paths)
        if all(len(data) == size for data, size in found):
            break
    # What still is unlike its size is no plain file: a link, say.
    return [data for data, _ in found]


def _read_once(api: Any, image: str, paths: Sequence[str]) -> list[tuple[bytes, int]]:  # noqa: ANN401
    """Each file's contents, and the size in bytes that the engine names for it."""
    container = api.create_container(image=image, command=["true"], network_disabled=True)["Id"]
    try:
        found = []
        for path in paths:
            chunks, stat = api.get_archive(container, path)
            found.append((_one_file(chunks), int(stat["size"])))
        return found
    finally:
        with suppress(*engine_errors()):
            api.remove_container(container, force=True, v=True)


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
