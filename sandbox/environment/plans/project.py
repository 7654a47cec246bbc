"""Whether the project itself has to be built, and which of its files that build depends on.

Most projects need no build: their packages are imported from the workspace. One is needed for compiled
extensions, for what a build generates, and for the metadata that entry points and versions are read from.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass

from sandbox.environment.declarations.declared import Declared, known_packages, name_of
from sandbox.environment.declarations.pyproject import Metadata
from sandbox.environment.declarations.setuptools_files import compiles

_EXTENSION_TABLE = re.compile(rb"^\s*(?:\[\[?tool\.setuptools\.ext-modules|ext-modules\s*=)", re.MULTILINE)
_OWN_METADATA = re.compile(
    rb"\b(?:importlib[._]metadata|importlib import metadata|pkg_resources|entry_points\()"
)
_VERSION_LINE = re.compile(rb"^\s*__version__\s*[:=]", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProjectBuild:
    """The project is built and installed; ``reason`` says what for.

    ``inputs`` is a digest of the files that the result depends on. ``with_dependencies`` says that what
    it needs is known only by building it; ``extras`` are installed along then. ``metadata`` is what its
    files declare, which is written where the build fails.
    """

    reason: str
    inputs: str
    compiler: str = ""
    with_dependencies: bool = False
    extras: tuple[str, ...] = ()
    metadata: Metadata | None = None


def native_toolchain(files: Mapping[str, bytes], own: Declared) -> str:
    """What compiles the project's extension modules: ``a C compiler``, ``Rust``, or nothing."""
    needed = set(map(name_of, own.build_requires))
    kinds = [kind for kind, names in known_packages()["native"].items() if not needed.isdisjoint(names)]
    if "Rust" in kinds:
        return "Rust"
    if kinds or compiles(files) or _EXTENSION_TABLE.search(files.get("pyproject.toml", b"")):
        return "a C compiler"
    return ""


def why_build(files: Mapping[str, bytes], own: Declared, *, native: str) -> str:
    """Why the project has to be built and installed; empty where it does not have to be."""
    if not own.packaged:
        return ""
    if native:
        return f"it has extension modules (built with {native})"
    if own.dynamic:
        return "it computes the dependencies: only a build knows them"
    if own.scripts:
        return "it declares entry points, which are found by the installed metadata"
    generators = known_packages()["version-generators"]
    if generator := next((name for name in map(name_of, own.build_requires) if name in generators), ""):
        return f"{generator} generates its version"
    for path, data in files.items():
        if path.endswith(".py") and path != "setup.py" and _OWN_METADATA.search(data):
            return f"{path} reads installed metadata"
    return ""


def build_inputs(files: Mapping[str, bytes], *, native: str) -> str:
    """A digest of the files that a build of the project depends on.

    The sources of a pure package are imported from the workspace, so its build is made of the files at
    the top and those that hold the version. Extension modules are made of any file but Python modules
    inside packages. So a change of a function's body finds the environment that is there.
    """
    needed: dict[str, bytes] = {}
    packages = {path.rpartition("/")[0] for path in files if path.endswith("/__init__.py")}
    for path, data in files.items():
        directory = path.rpartition("/")[0]
        module = path.endswith((".py", ".pyi")) and directory in packages
        relevant = (not module) if native else not directory
        if relevant or (module and _VERSION_LINE.search(data)):
            needed[path] = data
    return digest_of(needed)


def digest_of(files: Mapping[str, bytes]) -> str:
    """A digest of the names and contents of ``files``."""
    total = hashlib.sha256()
    for path, data in sorted(files.items()):
        total.update(f"{path}\0{hashlib.sha256(data).hexdigest()}\0".encode("utf-8", "surrogateescape"))
    return total.hexdigest()
