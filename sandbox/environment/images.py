"""What tests run in where nothing of the project has to be built: an image with pytest, an interpreter.

An image that lacks pytest gets it in a build of its own, which has network, and neither a secret nor the
project's code.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
from typing import TYPE_CHECKING

from sandbox.docker import DockerProvider
from sandbox.docker_stream import engine_errors
from sandbox.environment.plans.python_version import DEFAULT_VERSION
from sandbox.errors import SandboxUnavailable
from sandbox.interpreter import Interpreter

if TYPE_CHECKING:
    from docker.models.images import Image

# python:3.13-slim (3.13.14), by the digest of its index.
DEFAULT_IMAGE = "python@sha256:9662417aace5ae7b8e2609cce472b72a8958e134ba372808abe9cc1a0c0125e6"
IMAGE_PYTHON = "python3"
_VERSIONS = ("3.8", "3.9", "3.10", "3.11", "3.12", "3.14")
# No digest is given where none was verified.
_OTHER_IMAGES = {version: f"python:{version}-slim-bookworm" for version in _VERSIONS}
_DOCKERFILE = """\
FROM {base}
RUN {python} -c "import pytest" 2>/dev/null \\
    || {python} -m pip install --no-cache-dir --disable-pip-version-check --root-user-action=ignore pytest
"""


def docker_image(provider: DockerProvider, base: str, *, python: str = IMAGE_PYTHON) -> str:
    """The image made of ``base`` with pytest in it; built on first use, then found by its inputs' hash.

    Raises:
        SandboxUnavailable: the base cannot be had or the build fails; the message names the step.
    """
    from docker.errors import BuildError, ImageNotFound

    client = provider.client
    dockerfile = _DOCKERFILE.format(base=base, python=python)
    # A tag can move: the image's own id is what the result depends on.
    inputs = f"{present(provider, base).id} {dockerfile}".encode()
    tag = f"regreen-env:{hashlib.sha256(inputs).hexdigest()[:16]}"
    try:
        try:
            client.images.get(tag)
        except ImageNotFound:
            client.images.build(fileobj=io.BytesIO(dockerfile.encode()), tag=tag, rm=True, forcerm=True)
    except BuildError as error:
        said = [str(part.get("stream") or part.get("error") or "").strip() for part in error.build_log]
        last = next(filter(None, reversed(said)), str(error)).splitlines()[-1]
        raise SandboxUnavailable(f"cannot add pytest to the image {base}: {last}") from error
    except engine_errors() as error:
        raise _unavailable(base, error) from error
    return tag


def default_images() -> dict[str, str]:
    """The image for each Python there is one for, by version; the default first."""
    return {DEFAULT_VERSION: DEFAULT_IMAGE, **_OTHER_IMAGES}


def present(provider: DockerProvider, image: str) -> Image:
    """``image``, pulled when it is not there.

    Raises:
        SandboxUnavailable: it cannot be had.
    """
    from docker.errors import ImageNotFound

    client = provider.client
    try:
        try:
            return client.images.get(image)
        except ImageNotFound:
            return client.images.pull(image)
    except engine_errors() as error:
        raise _unavailable(image, error) from error


def _unavailable(image: str, error: Exception) -> SandboxUnavailable:
    reason = getattr(error, "explanation", None) or error
    return SandboxUnavailable(f"cannot get the image {image}: {reason}")


def host_interpreter(wanted: str | None, *, virtual_env: str | None) -> str:
    """The host's interpreter: the first candidate that has pytest, or else the first that works.

    ``wanted`` is taken or refused, never replaced, and needs pytest. Otherwise: the activated virtual
    environment, the interpreter that runs this program, ``python3``. An environment that lies in the project
    is not looked for: asking it anything runs its start-up files, and they may have come with the project.

    Raises:
        SandboxUnavailable: none works, or ``wanted`` has no pytest; the message says what to do.
    """
    working = []
    for candidate in [wanted] if wanted else host_candidates(virtual_env):
        try:
            interpreter = Interpreter.of(candidate)
        except SandboxUnavailable:
            if wanted:
                raise
            continue
        if interpreter.has_module("pytest"):
            return interpreter.executable
        if wanted:
            raise SandboxUnavailable(f"{wanted} has no pytest: install it there, or choose another --python")
        working.append(interpreter.executable)
    if working:
        return working[0]
    raise SandboxUnavailable(
        "no Python interpreter was found: activate the project's environment, or name it with "
        "--python .venv/bin/python if you trust what is in there"
    )


def host_candidates(virtual_env: str | None) -> list[str]:
    """The interpreters of the host to try, the likeliest first; none of them came with the project."""
    activated = [os.path.join(virtual_env, "bin", "python")] if virtual_env else []
    return [*activated, sys.executable, "python3"]
