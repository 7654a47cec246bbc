"""What has been decided so far while an environment is planned; ``finish`` makes the plan of it."""

import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from sandbox.ci.installs import Local, has_package
from sandbox.environment.declarations import locks
from sandbox.environment.declarations.declared import PROJECT, Declared, expanded, name_of
from sandbox.environment.declarations.pyproject import (
    UNKNOWN_VERSION,
    declared_metadata,
    import_roots,
    read_pyproject,
    sdist_version,
)
from sandbox.environment.declarations.setuptools_files import read_setup_cfg, read_setup_py
from sandbox.environment.plans.plan import (
    PYTEST,
    BuildPlan,
    Decision,
    Part,
    ProjectBuild,
    UvExport,
    build_inputs,
    digest_of,
    native_toolchain,
    why_build,
)
from sandbox.environment.plans.python_version import PythonChoice
from sandbox.formats import Unreadable, normalised, unique
from sandbox.internal_errors import guarded
from sandbox.snapshot import Snapshot

_MAX_LINKED = 100  # more packages than that are no repository's
_EMPTY = Declared(source="nothing")
_Read = TypeVar("_Read")


@dataclass(slots=True)
class Draft:
    """A plan in the making for the package in ``member``, a directory of ``snapshot``; empty for its top.

    ``files`` are those of the package, by their path below ``member``.
    """

    snapshot: Snapshot
    member: str = ""
    files: Mapping[str, bytes] = field(init=False)
    pipfile: Declared | None = field(init=False)
    own: Declared = _EMPTY
    packaged: list[Declared] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    constraints: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    own_extras: list[str] = field(default_factory=list)
    linked: list[Local] = field(default_factory=list)
    export: UvExport | None = None
    decisions: list[Decision] = field(default_factory=list)

    def __post_init__(self) -> None:
        everything = self.snapshot.files
        prefix = f"{self.member}/" if self.member else ""
        self.files = {
            path.removeprefix(prefix): data for path, data in everything.items() if path.startswith(prefix)
        }
        self.pipfile = self.attempt(partial(locks.read_pipfile_lock, self.files))
        self._read_package()

    def attempt(self, read: Callable[[], _Read]) -> _Read | None:
        """What ``read`` gives; None, and a line in the plan, for a file that cannot be read."""
        with guarded("the reading of the project's declarations"):
            try:
                return read()
            except Unreadable as error:
                self.decide("left out", str(error))
        return None

    def decide(self, subject: str, source: str, reason: str = "") -> None:
        """Note a decision for the person who reads the plan."""
        self.decisions.append(Decision(subject=subject, source=source, reason=reason))

    def take(self, subject: str, declared: Declared, reason: str = "") -> None:
        """Install what ``declared`` holds."""
        if declared.runtime:
            self.parts.append(Part(name=declared.source, requirements=tuple(declared.runtime)))
        self.constraints += declared.constraints
        self.options += declared.options
        self.own_extras += declared.own_extras
        for linked in map(self._from_top, declared.linked):
            if linked.directory in {self.member, "."}:
                self.own_extras += linked.extras
            else:
                self.linked.append(linked)
        self.decide(subject, declared.source, reason)

    def _read_package(self) -> None:
        """The package's own declarations, the most informative first; ``own`` is all of them in one."""
        readers = (read_pyproject, read_setup_cfg, read_setup_py)
        found = [one for read in readers if (one := self.attempt(partial(read, self.files)))]
        self.packaged = found
        if not found:
            return
        # What the standard table does not name is not dynamic, whatever a setup.py beside it computes.
        speaking = next((each for each in found if each.runtime is not None or each.dynamic), found[0])
        groups = {name: items for each in reversed(found) for name, items in each.groups.items()}
        self.own = replace(
            speaking,
            name=next((each.name for each in found if each.name), ""),
            groups=groups,
            extras=frozenset().union(*(each.extras for each in found)),
            optional_groups=frozenset().union(*(each.optional_groups for each in found)),
            packaged=any(each.packaged for each in found),
            scripts=next((each.scripts for each in found if each.scripts), ()),
            build_requires=next((each.build_requires for each in found if each.build_requires), ()),
        )

    def finish(self, *, name: str, python: PythonChoice, as_of: str = "", seeded: bool = False) -> BuildPlan:
        """The plan; ``own`` is built where it has to be, and pytest is added where nothing brings it."""
        project = self._project()
        # The other packages of the repository that are installed by a link.
        places = {one.directory: one.extras for one in self.linked[:_MAX_LINKED]}
        linked = [Draft(self.snapshot, at, own_extras=list(extras)) for at, extras in places.items()]
        parts = self._settled(linked)
        editable = tuple(one.member for one in linked)
        local = any(PROJECT in requirement for part in parts for requirement in part.requirements)
        inputs = {
            path: data
            for path, data in self.snapshot.files.items()
            if self.export and (path == locks.UV_LOCK or path.rpartition("/")[2] == "pyproject.toml")
        }
        depends_on_files = self.snapshot.digest if local else self._digest(editable)
        return BuildPlan(
            python=python,
            name=name,
            parts=parts,
            as_of=as_of,
            seeded=seeded,
            member=self.member,
            editable=editable,
            constraints=unique(self.constraints),
            options=unique(self.options),
            export=self.export,
            project=project,
            import_roots=self.import_roots,
            scm_version=sdist_version(self.files) or UNKNOWN_VERSION if project or editable else "",
            inputs=inputs,
            needs_files=local,
            snapshot_digest=depends_on_files,
            decisions=tuple(self.decisions),
        )

    @property
    def import_roots(self) -> tuple[str, ...]:
        """Where the packages lie, as paths in the repository."""
        roots = import_roots(self.files)
        if not self.member:
            return roots
        return unique(f"{self.member}/{root}".rstrip("/") for root in roots or ("",))

    def _from_top(self, linked: Local) -> Local:
        """``linked`` by its path from the top of the repository, or from the package."""
        inside = posixpath.normpath(posixpath.join(self.member, linked.directory))
        return replace(linked, directory=inside) if has_package(self.snapshot.files, inside) else linked

    def _digest(self, editable: Sequence[str]) -> str:
        """A digest of the files that an installation of the directories ``editable`` by a link depends on."""
        files = self.snapshot.files.items()
        needed = {
            path: data
            for path, data in files
            if path.rpartition("/")[0] in editable and not path.endswith(".py")
        }
        return digest_of(needed) if editable else ""

    def _project(self) -> ProjectBuild | None:
        own = self.own
        native = native_toolchain(self.files, own) if own.packaged else ""
        reason = why_build(self.files, own, native=native)
        if not reason:
            return None
        self.decide("the project is built", own.source, reason)
        return ProjectBuild(
            reason=reason,
            inputs=build_inputs(self.files, native=native),
            compiler=native,
            with_dependencies=own.dynamic,
            extras=unique(self.own_extras) if own.dynamic else (),
            metadata=declared_metadata(self.files),
        )

    def _settled(self, linked: Sequence["Draft"]) -> tuple[Part, ...]:
        """The parts, extras of the project's own resolved, with pytest among them."""
        own, settled = self.own, []
        here = {normalised(one.own.name) for one in (self, *linked) if one.own.name}
        extras = named_parts(unique(self.own_extras), own)
        # An exported lock has what every package of the repository needs.
        others = [] if self.export else [part for one in linked for part in one.needed()]
        seen: set[str] = set()
        for part in (*self.parts, *extras, *others):
            wanted = expanded(part.requirements, own)
            new = (each for each in unique(wanted) if each not in seen)
            kept = tuple(each for each in new if name_of(each) not in here)
            seen.update(kept)
            if kept:
                settled.append(Part(name=part.name, requirements=kept))
        if not any(name_of(requirement) == PYTEST for requirement in seen) and own.name != PYTEST:
            settled.append(Part(name="pytest", requirements=(PYTEST,)))
            if self.export is None:
                self.decide("pytest", "added", "nothing declared brings it")
        return tuple(settled)

    def needed(self) -> list[Part]:
        """What the package and the extras that are asked for need, without its own name."""
        held = Part(name=f"{self.member}/{self.own.source}", requirements=tuple(self.own.runtime or ()))
        parts = [held, *named_parts(self.own_extras, self.own)]
        return [replace(part, requirements=expanded(part.requirements, self.own)) for part in parts]


def named_parts(names: Sequence[str], own: Declared) -> list[Part]:
    """The extras and groups called ``names``, each as a part of its own."""
    return [
        Part(
            name=f"the {'extra' if name in own.extras else 'group'} {name} of {own.source}",
            requirements=own.groups[name],
        )
        for name in names
        if own.groups.get(name)
    ]
