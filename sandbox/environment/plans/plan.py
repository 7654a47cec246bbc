"""The plan of an environment: what is installed, with which Python, and who decided so. Pure.

Most projects need no build: their packages are imported from the workspace. One is needed for compiled
extensions, for what a build generates, and for the metadata that entry points and versions are read from.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace

from sandbox.environment.declarations.declared import Declared, known_packages, name_of
from sandbox.environment.declarations.pyproject import Metadata
from sandbox.environment.declarations.setuptools_files import compiles
from sandbox.environment.install import without_hashes
from sandbox.environment.plans.python_version import PythonChoice
from sandbox.formats import unique

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


# Part of every digest: raise it when the way of building changes, so that nothing old is found again.
RECIPE = 4
PYTEST = "pytest"
ADDED = "what the tests missed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """One thing that was decided, from which file or option, and why."""

    subject: str
    source: str
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class UvExport:
    """What uv is asked to export from ``uv.lock``: ``extras`` and ``groups`` beside the dependencies."""

    extras: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """Requirements that one place declares: where not all can be installed, the others still are."""

    name: str
    requirements: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildPlan:
    """How the environment of one project is made.

    ``name`` says in a few words whose word is followed. The requirements of ``parts``, ``constraints`` and
    ``options`` are lines of pip's files. ``inputs`` are files of the project that the installer reads, by
    path. ``import_roots`` are the directories, relative to the project, that hold its packages.
    ``setup_command`` runs in place of everything else. ``as_of`` is the time (RFC 3339) after which nothing
    was released for this plan; empty for no limit. With ``seeded``, pip is installed as well, as a CI runner
    has it. ``member`` is the directory of the package that is tested, in a repository of several;
    ``editable`` are the directories of others, which are installed by a link.
    """

    python: PythonChoice
    name: str = "what the project declares"
    parts: tuple[Part, ...] = ()
    as_of: str = ""
    seeded: bool = False
    member: str = ""
    editable: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    export: UvExport | None = None
    project: ProjectBuild | None = None
    import_roots: tuple[str, ...] = ()
    scm_version: str = ""
    setup_command: str = ""
    inputs: Mapping[str, bytes] = field(default_factory=dict)
    needs_files: bool = False
    snapshot_digest: str = ""
    decisions: tuple[Decision, ...] = ()

    def with_added(self, requirements: tuple[str, ...]) -> BuildPlan:
        """The same plan with what a run of the tests missed, beside what was added before."""
        own = tuple(part for part in self.parts if part.name != ADDED)
        return replace(self, parts=(*own, Part(name=ADDED, requirements=(*self.added, *requirements))))

    def with_needed(self, names: tuple[str, ...]) -> BuildPlan:
        """The same plan with those of ``names`` that it does not bring: packages, or pinned ones."""
        brought = {name_of(requirement) for requirement in self.requirements}
        missing = tuple(name for name in names if name not in brought and name not in self.requirements)
        return self.with_added(missing) if missing else self

    @property
    def added(self) -> tuple[str, ...]:
        """What was added to the plan because a run of the tests missed it."""
        return tuple(one for part in self.parts if part.name == ADDED for one in part.requirements)

    @property
    def requirements(self) -> tuple[str, ...]:
        """All that is installed beside the project, each once."""
        return unique(requirement for part in self.parts for requirement in part.requirements)

    @property
    def trivial(self) -> bool:
        """Whether an interpreter with any pytest is all that is needed."""
        plain = not (self.constraints or self.options or self.export or self.seeded or self.whole_project)
        return self.requirements == (PYTEST,) and plain

    @property
    def wanted(self) -> tuple[str, ...]:
        """The requirements together with the exact versions that constrain them."""
        names = {name_of(requirement) for requirement in self.requirements}
        return (*self.requirements, *(pin for pin in self.constraints if name_of(pin) in names))

    @property
    def whole_project(self) -> bool:
        """Whether the project's files take part in the build."""
        return bool(self.project or self.setup_command or self.needs_files or self.editable)

    @property
    def toolchain(self) -> str:
        """What has to be there to compile: ``a C compiler``, ``Rust``, or nothing."""
        return self.project.compiler if self.project else ""

    def digest(self, *parts: str) -> str:
        """A name for the result: the same plan with the same ``parts`` gives the same environment."""
        build = self.project
        plain = ("as_of", "seeded", "member", "editable", "constraints", "options", "scm_version")
        made_of = {
            **{name: getattr(self, name) for name in (*plain, "setup_command")},
            "recipe": RECIPE,
            "python": self.python.version,
            "requirements": [part.requirements for part in self.parts],
            "export": asdict(self.export) if self.export else None,
            "project": build and [build.inputs, build.compiler, build.with_dependencies, build.extras],
            "inputs": {path: hashlib.sha256(data).hexdigest() for path, data in sorted(self.inputs.items())},
            "snapshot": self.snapshot_digest,
            "parts": parts,
        }
        text = json.dumps(made_of, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:24]

    def explain(self) -> str:
        """The plan for a person: one line a decision, then what is installed."""
        added = f", with {', '.join(self.added)}" if self.added else ""
        lines = [f"{self.name}{added}", f"Python {self.python.version}: {self.python.reason}"]
        lines += [
            f"{decision.subject}: {decision.source}" + (f" ({decision.reason})" if decision.reason else "")
            for decision in self.decisions
        ]
        if self.setup_command:
            return "\n".join([*lines, f"runs: {self.setup_command}"])
        names = ", ".join(map(without_hashes, self.requirements))
        lines.append(f"installs: {names}" if names else "installs nothing")
        if self.as_of:
            lines.append(f"releases up to {self.as_of[:10]}")
        if self.constraints:
            lines.append(f"constrained by {len(self.constraints)} exact versions")
        return "\n".join(lines)
