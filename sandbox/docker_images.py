"""Gives an image the files of ``sandbox.machine``, as one more layer; nothing of the image is started for it.

Images differ in what they have: one lacks a user's entry, the next the names of ports. What an image has
stays, but for the entry of the sandbox's user. How names are looked up is no part of it: the engine decides
that when a container starts, and a build of dependencies needs the network's answers.
"""

from __future__ import annotations

import hashlib
import io
import tarfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sandbox import machine
from sandbox.docker_stream import engine_errors
from sandbox.errors import SandboxError
from sandbox.snapshot import Entry, PlainHeader

if TYPE_CHECKING:
    import docker

REPOSITORY = "regreen-machine"
# On an image that has the files, and on each that is built on it: a digest of what was written.
LABEL = "regreen.machine"
KEPT_IMAGES = 20
LIMIT_BYTES = 64 << 20
_MERGED = ("/etc/passwd", "/etc/group")


def with_machine_files(client: docker.DockerClient, image: str) -> str:
    """The name of an image that is ``image`` with the files: made on first use, then found.

    Raises:
        docker.errors.DockerException: the engine failed, or has no such image.
        SandboxError: the image's files cannot be read.
    """
    api: Any = client.api  # parts of the library have no types
    found = api.inspect_image(image)
    if ((found.get("Config") or {}).get("Labels") or {}).get(LABEL) == machine.digest():
        return image
    name = hashlib.sha256(f"{found['Id']} {machine.digest()}".encode()).hexdigest()[:24]
    tag = f"{REPOSITORY}:{name}"
    if not client.images.list(name=tag):
        _make(api, found["Id"], name)
        prune(client, name=REPOSITORY)
    return tag


def declared_volumes(api: Any, image: str) -> tuple[str, ...]:  # noqa: ANN401
    """The directories that ``image`` declares as volumes, which an engine would put on the host's disk.

    A sandbox has them in memory, limited and emptied as ``/tmp`` is; what the image has in them is not seen.
    """
    places = (api.inspect_image(image).get("Config") or {}).get("Volumes") or {}
    return tuple(sorted({place.rstrip("/") for place in places} - {*machine.TEMPORARY, "/workspace", ""}))


def _make(api: Any, image: str, tag: str) -> None:  # noqa: ANN401 - the library's client, which has no types
    host = api.create_host_config(network_mode="none")
    container = api.create_container(image=image, command=["true"], host_config=host)["Id"]
    try:
        api.put_archive(container, "/", _archive(_etc(api, container)))
        changes = [f"LABEL {LABEL}={machine.digest()}"]
        api.commit(container, repository=REPOSITORY, tag=tag, changes=changes)
    finally:
        api.remove_container(container, force=True, v=True)


def _etc(api: Any, container: str) -> dict[str, str]:  # noqa: ANN401
    """What the image has in ``/etc``: by path, the text of the files that ours are merged into."""
    from docker.errors import NotFound

    try:
        chunks, _about = api.get_archive(container, "/etc")
    except NotFound:
        return {}
    data = bytearray()
    for chunk in chunks:
        data += chunk
        if len(data) > LIMIT_BYTES:
            raise SandboxError(f"the image has more than {LIMIT_BYTES} bytes in /etc")
    found = {}
    with tarfile.open(fileobj=io.BytesIO(bytes(data)), mode="r:", tarinfo=PlainHeader) as tar:
        for member in tar:
            path = f"/{member.name}"
            source = tar.extractfile(member) if path in _MERGED and member.isreg() else None
            found[path] = source.read().decode("utf-8", "replace") if source else ""
    return found


def _archive(present: dict[str, str]) -> bytes:
    """What the image lacks, as a layer on top of it."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as tar:
        for path, text in machine.FILES.items():
            if path in _MERGED or path not in present:
                wanted = machine.merged(path, present.get(path, "")) if path in _MERGED else text
                Entry(path=path.lstrip("/"), data=wanted.encode()).add_to(tar)
        for path, target in machine.LINKS.items():
            if path.startswith("/etc/") and path not in present:
                Entry(path=path.lstrip("/"), link=target).add_to(tar)
        for name in ("home", machine.HOME.lstrip("/")):
            info = tarfile.TarInfo(name)
            info.type, info.mode = tarfile.DIRTYPE, 0o755
            if name != "home":
                info.uid = info.gid = machine.UID
            tar.addfile(info)
    return buffer.getvalue()


def prune(client: docker.DockerClient, **chosen: Any) -> None:  # noqa: ANN401 - see ``client.images.list``
    """Remove the ``chosen`` images beyond the newest; one in use stays."""
    found: list[Any] = client.images.list(**chosen)
    found.sort(key=lambda image: str(image.attrs.get("Created", "")), reverse=True)
    for image in found[KEPT_IMAGES:]:
        with suppress(*engine_errors()):
            client.images.remove(str(image.id), force=False)
