"""Reads lock files: exact versions for what the project declares.

``poetry.lock`` gives constraints on the declared requirements, so that the installer itself decides
which of the locked packages this platform needs. ``Pipfile.lock`` lists everything with its markers.
``uv.lock`` is left to uv, which exports it.
"""

from collections import Counter
from collections.abc import Mapping

from sandbox.environment.declarations.declared import Declared
from sandbox.environment.declarations.poetry import requirements_of
from sandbox.formats import normalised, read_json, read_toml, table, unique

POETRY_LOCK, PIPFILE_LOCK, UV_LOCK, PDM_LOCK = "poetry.lock", "Pipfile.lock", "uv.lock", "pdm.lock"


def read_pins(files: Mapping[str, bytes], path: str) -> tuple[str, ...]:
    """The constraints that ``poetry.lock`` or ``pdm.lock`` sets; none where there is no such file.

    A package that is locked at several versions, one for each platform, gets none; nor does one that comes
    from a directory or an address.

    Raises:
        Unreadable: it is not TOML.
    """
    packages = read_toml(files, path).get("package")
    pins: list[tuple[str, str]] = []
    for package in packages if isinstance(packages, list) else ():
        source = table(package, "source").get("type", "")
        name, version = table(package).get("name"), table(package).get("version")
        if isinstance(name, str) and isinstance(version, str) and source in {"", "legacy"}:
            pins.append((normalised(name), version))
    versions = Counter(name for name, _ in set(pins))
    return unique(f"{name}=={version}" for name, version in pins if versions[name] == 1)


def read_pipfile_lock(files: Mapping[str, bytes]) -> Declared | None:
    """What ``Pipfile.lock`` pins: ``default`` at run time, ``develop`` for development; None without one.

    Raises:
        Unreadable: it is not JSON.
    """
    if PIPFILE_LOCK not in files:
        return None
    document = read_json(files, PIPFILE_LOCK)
    python = table(document, "_meta", "requires")
    version = python.get("python_full_version") or python.get("python_version")
    return Declared(
        source=PIPFILE_LOCK,
        runtime=_pinned(table(document, "default")),
        groups={"dev": _pinned(table(document, "develop"))},
        requires_python=f"=={version}.*" if isinstance(version, str) else "",
    )


def _pinned(section: Mapping[str, object]) -> tuple[str, ...]:
    # A path is the project itself in nearly every case: installed, where it has to be, on its own.
    return tuple(
        line
        for name, entry in section.items()
        if {"version", "git"} & table(entry).keys()
        for line in requirements_of(name, dict(table(entry)))
    )
