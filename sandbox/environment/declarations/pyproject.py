"""Reads ``pyproject.toml``: the standard tables, dependency groups, setuptools' dynamic ones, poetry's.

The metadata that it declares is for when the package's own build fails.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sandbox.environment.declarations.declared import Declared
from sandbox.environment.declarations.poetry import read_poetry
from sandbox.environment.declarations.requirements import read_requirements
from sandbox.formats import normalised, read_toml, table, texts, toml_table, unique

FILE = "pyproject.toml"
_MAX_GROUPS = 200  # more than a project for people has; each may hold all the others
_SCRIPT_TABLES = ("scripts", "gui-scripts", "entry-points")


def read_pyproject(files: Mapping[str, bytes]) -> Declared | None:
    """What ``pyproject.toml`` declares; None where there is none.

    Raises:
        Unreadable: it is not TOML.
    """
    if FILE not in files:
        return None
    document = read_toml(files, FILE)
    if "project" not in document and table(document, "tool", "poetry"):
        return read_poetry(document)
    if "project" not in document and table(document, "tool", "flit"):
        return _flit(document)
    project = table(document, "project")
    dynamic = texts(project.get("dynamic"))
    runtime: tuple[str, ...] | None = texts(project["dependencies"]) if "dependencies" in project else None
    groups: dict[str, tuple[str, ...]] = {}
    _add(groups, {name: texts(items) for name, items in table(project, "optional-dependencies").items()})
    if "dependencies" in dynamic:
        runtime = _dynamic_list(files, table(document, "tool", "setuptools", "dynamic", "dependencies"))
    if "optional-dependencies" in dynamic:
        places = table(document, "tool", "setuptools", "dynamic", "optional-dependencies")
        _add(groups, {name: _dynamic_list(files, table(places, name)) or () for name in places})
    extras = frozenset(groups)
    _add(groups, _dependency_groups(table(document, "dependency-groups")))
    poetry = read_poetry(document) if table(document, "tool", "poetry") else None
    _add(groups, poetry.groups if poetry else {})
    before = table(document, "tool", "pdm", "dev-dependencies")
    _add(groups, {name: texts(items) for name, items in before.items()})
    if listed := texts(table(document, "tool", "uv").get("dev-dependencies")):  # before there were groups
        _add(groups, {"dev": listed})
    return Declared(
        source=f"{FILE} [project]" if project else FILE,
        name=str(project.get("name", "")),
        runtime=runtime,
        groups=groups,
        extras=extras,
        optional_groups=poetry.optional_groups if poetry else frozenset(),
        requires_python=str(project.get("requires-python", "")),
        dynamic="dependencies" in dynamic and runtime is None,
        packaged=bool(project.get("name")) and _is_package(document),
        scripts=tuple(name for name in _SCRIPT_TABLES if project.get(name)),
        build_requires=texts(table(document, "build-system").get("requires")),
    )


def _add(groups: dict[str, tuple[str, ...]], more: Mapping[str, tuple[str, ...]]) -> None:
    """Put what ``more`` holds into ``groups``, which are by normalised name."""
    for name, items in more.items():
        groups[normalised(name)] = unique((*groups.get(normalised(name), ()), *items))


def _flit(document: Mapping[str, object]) -> Declared:
    """What flit's own tables declare, from before there was a standard one."""
    metadata = table(document, "tool", "flit", "metadata")
    extras = {normalised(name): texts(items) for name, items in table(metadata, "requires-extra").items()}
    module = metadata.get("dist-name") or metadata.get("module")
    return Declared(
        source=f"{FILE} [tool.flit.metadata]",
        name=str(module or ""),
        runtime=texts(metadata.get("requires")),
        groups={**extras, **({"dev": dev} if (dev := texts(metadata.get("dev-requires"))) else {})},
        extras=frozenset(extras),
        requires_python=str(metadata.get("requires-python", "")),
        packaged=bool(module),
        scripts=("scripts",) if table(document, "tool", "flit", "scripts") else (),
        build_requires=texts(table(document, "build-system").get("requires")),
    )


def _is_package(document: Mapping[str, object]) -> bool:
    """False for a project that says of itself that it is an application, not to be built."""
    if table(document, "tool", "uv").get("package") is False:
        return False
    return bool(table(document, "build-system")) or "uv" not in table(document, "tool")


def _dynamic_list(files: Mapping[str, bytes], place: Mapping[str, object]) -> tuple[str, ...] | None:
    """The requirements in the files that ``[tool.setuptools.dynamic]`` names; None where it names none."""
    named = place.get("file")
    paths = (named,) if isinstance(named, str) else texts(named)
    found = [path for path in paths if path in files]
    if not found or len(found) < len(paths):
        return None
    return unique(line for path in found for line in read_requirements(files, path).runtime or ())


def _dependency_groups(groups: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """PEP 735: lists of requirements, where ``{include-group = …}`` stands for another group's."""
    by_name = {normalised(name): items for name, items in list(groups.items())[:_MAX_GROUPS]}

    def expand(name: str) -> tuple[str, ...]:
        found: list[str] = []
        seen, rest = {name}, [by_name[name]]
        while rest:
            item = rest.pop()
            if isinstance(item, list):
                rest += reversed(item)
            elif isinstance(item, str):
                found.append(item)
            elif isinstance(item, dict) and isinstance(included := item.get("include-group"), str):
                other = normalised(included)
                rest += [] if other in seen else [by_name.get(other)]
                seen.add(other)
        return unique(found)

    return {name: expand(name) for name in by_name}


def import_roots(files: Mapping[str, bytes]) -> tuple[str, ...]:
    """The directories that hold the project's packages, as far as it says so or keeps them in ``src``.

    The project's own directory is the empty text, and named only where it is declared.
    """
    tool = toml_table(files, FILE, "tool")
    roots = [*texts(table(tool, "setuptools", "packages", "find").get("where"))]
    package_dir = table(tool, "setuptools", "package-dir").get("")
    roots += [package_dir] if isinstance(package_dir, str) else []
    packages = table(tool, "poetry").get("packages")
    roots += texts([table(one).get("from") for one in packages] if isinstance(packages, list) else [])
    wheel = texts(table(tool, "hatch", "build", "targets", "wheel").get("packages"))
    roots += [path.rpartition("/")[0] for path in wheel]
    if re.search(rb"^\s*=\s*src\s*$|where\s*=\s*src\b", files.get("setup.cfg", b""), re.MULTILINE) or any(
        path.startswith("src/") and path.endswith((".py", ".pyx")) for path in files
    ):
        roots.append("src")
    directories = {path.rpartition("/")[0] for path in files}
    cleaned = (root.strip("/").removeprefix("./").replace("\\", "/") for root in roots)
    return unique(
        root
        for root in ("" if each == "." else each for each in cleaned)
        if not root or any(f == root or f.startswith(f"{root}/") for f in directories)
    )


UNKNOWN_VERSION = "9999.0"
"""Newer than whatever asks for the project at a certain version."""

_NAME = re.compile(r"[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?", re.ASCII)
_VERSION = re.compile(r"[\w.!+-]+", re.ASCII)
_GROUP = re.compile(r"[\w.]+", re.ASCII)
_ENTRY = re.compile(r"[^\s=\[][^=\n\r]*")
_OBJECT = re.compile(r"[\w.]+(?:\s*:\s*[\w.]+)?(?:\s*\[[\w, .-]*\])?", re.ASCII)


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """``entry_points`` is the text of ``entry_points.txt``, of the core metadata's directory."""

    name: str
    version: str
    entry_points: str = ""

    @property
    def directory_name(self) -> str:
        """What the directory in ``site-packages`` is called."""
        name = normalised(self.name).replace("-", "_")
        return f"{name}-{self.version.replace('-', '_')}.dist-info"


def declared_metadata(files: Mapping[str, bytes]) -> Metadata | None:
    """What the ``[project]`` table in ``files`` says; None where it names nothing."""
    project = toml_table(files, FILE, "project")
    name = str(project.get("name", ""))
    if not _NAME.fullmatch(name):
        return None
    found = str(project.get("version", "")) or sdist_version(files)
    return Metadata(
        name=name,
        version=found if _VERSION.fullmatch(found) else UNKNOWN_VERSION,
        entry_points="\n".join(_entry_points(project)),
    )


def sdist_version(files: Mapping[str, bytes]) -> str:
    """The version in a source distribution's ``PKG-INFO``; empty in a plain checkout."""
    match = re.search(rb"^Version: *(\S+)", files.get("PKG-INFO", b""), re.MULTILINE)
    return match[1].decode("ascii", "replace") if match else ""


def _entry_points(project: Mapping[str, object]) -> Iterator[str]:
    named = table(project, "entry-points")
    groups = {"console_scripts": table(project, "scripts"), "gui_scripts": table(project, "gui-scripts")}
    for group, entries in {**groups, **{name: table(named, name) for name in named}}.items():
        if not entries or not _GROUP.fullmatch(group):
            continue
        yield f"[{group}]"
        for name, place in entries.items():
            if _ENTRY.fullmatch(name) and isinstance(place, str) and _OBJECT.fullmatch(place):
                yield f"{name} = {place}"
