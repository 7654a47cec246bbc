"""The project's own build: source files that run when it is installed, outside of any test."""

import posixpath
import tomllib
from collections.abc import Mapping

from bot.patch.policy.files.protected import OF_A_PROJECT

PROJECT_FILE = "pyproject.toml"
MARKERS = (PROJECT_FILE, "setup.py", "setup.cfg")
"""Files that a directory with a project of its own has."""


def backend_files(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """Glob patterns of the in-tree build backends that the project's ``pyproject.toml`` files name.

    Source: PEP 517, "In-tree build backends". A file that cannot be read names none.
    """
    found: list[str] = []
    for path in sorted(files):
        if posixpath.basename(path) == PROJECT_FILE:
            found += _patterns(posixpath.dirname(path), files[path])
    return tuple(dict.fromkeys(found))


def project_files(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """What ``OF_A_PROJECT`` is in each directory of ``files`` that holds a project, as glob patterns."""
    places = {posixpath.dirname(path) for path in files if posixpath.basename(path) in MARKERS}
    return tuple(f"/{place}/{name}" for place in sorted(places) if place for name in OF_A_PROJECT)


def _patterns(directory: str, data: bytes) -> list[str]:
    try:
        system = tomllib.loads(data.decode("utf-8")).get("build-system")
    except (ValueError, RecursionError):
        return []
    if not isinstance(system, dict):
        return []
    places, backend = system.get("backend-path"), system.get("build-backend")
    if not isinstance(places, list) or not isinstance(backend, str) or not backend:
        return []
    module = backend.partition(":")[0].strip().replace(".", "/")
    patterns = []
    for place in (one for one in places if isinstance(one, str)):
        base = posixpath.normpath(posixpath.join("/", directory, place))[1:]
        top = posixpath.join(base, module.partition("/")[0])
        # Where a directory holds nothing but the backend, all of it is a part of the build.
        inside = base and base != directory
        patterns += [f"/{base}/**"] if inside else [f"/{top}.py", f"/{top}/**"]
    return patterns
