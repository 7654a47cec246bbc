"""Decides how a project's environment is made: reads every declaration, applies the precedence. Pure.

What is needed to run comes from the first of: ``uv.lock``, the package's own declaration (``pyproject.toml``,
``setup.cfg``, ``setup.py``) held to ``poetry.lock`` where there is one, ``Pipfile.lock``,
``requirements.txt``. What is needed to test comes from the first that there is of: everything named for tests
(extras, dependency groups, requirements files), everything named for development, tox, nox. pytest is
added where nothing else brings it. ``docs/environment.md`` has the table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from sandbox.environment import locks, runners
from sandbox.environment.declared import (
    DEVELOPMENT_NAMES,
    PROJECT,
    TEST_NAMES,
    Declared,
    expanded,
    name_of,
    unique,
)
from sandbox.environment.formats import Unreadable
from sandbox.environment.plan import PYTEST, BuildPlan, Decision, UvExport
from sandbox.environment.project import (
    ProjectBuild,
    build_inputs,
    is_own,
    native_toolchain,
    sdist_version,
    why_build,
)
from sandbox.environment.pyproject import import_roots, read_pyproject
from sandbox.environment.python_version import choose_python
from sandbox.environment.requirements import RUNTIME_FILES, group_files, read_requirements
from sandbox.environment.setuptools_files import read_setup_cfg, read_setup_py
from sandbox.snapshot import Snapshot

_UNKNOWN_VERSION = "9999.0"  # newer than whatever asks for the project at a certain version
_EMPTY = Declared(source="nothing")
_Read = TypeVar("_Read")


@dataclass(slots=True)
class _Draft:
    """What has been decided so far."""

    files: Mapping[str, bytes]
    own: Declared = _EMPTY
    tox: runners.ToxHints | None = None
    requirements: list[str] = field(default_factory=list)
    constraints: list[str] = field(default_factory=list)
    options: list[str] = field(default_factory=list)
    own_extras: list[str] = field(default_factory=list)
    export: UvExport | None = None
    decisions: list[Decision] = field(default_factory=list)

    def take(self, subject: str, declared: Declared, reason: str = "") -> None:
        """Install what ``declared`` holds."""
        self.requirements += declared.runtime or ()
        self.constraints += declared.constraints
        self.options += declared.options
        self.own_extras += declared.own_extras
        self.decisions.append(Decision(subject=subject, source=declared.source, reason=reason))


def plan_environment(snapshot: Snapshot, *, available: Sequence[str], setup_command: str = "") -> BuildPlan:
    """The plan for the project in ``snapshot``, with one of the Pythons that are ``available``."""
    files = snapshot.files
    draft = _Draft(files=files)
    packaged = _read_package(draft)
    pipfile = _attempt(draft, lambda: locks.read_pipfile_lock(files))
    draft.tox = runners.read_tox(files)
    python = choose_python(
        files,
        [*packaged, *([pipfile] if pipfile else [])],
        tox_pythons=draft.tox.pythons if draft.tox else (),
        available=available,
    )
    if setup_command:
        chosen = Decision(
            subject="everything", source="setup-command", reason="it replaces what was detected"
        )
        return BuildPlan(
            python=python,
            setup_command=setup_command,
            import_roots=import_roots(files),
            scm_version=sdist_version(files) or _UNKNOWN_VERSION,
            snapshot_digest=snapshot.digest,
            decisions=(chosen,),
        )
    _runtime(draft, pipfile)
    _tests(draft, pipfile)
    project = _project(draft)
    requirements = _settled(draft)
    inputs = {
        path: data
        for path, data in files.items()
        if draft.export and (path == locks.UV_LOCK or path.rpartition("/")[2] == "pyproject.toml")
    }
    return BuildPlan(
        python=python,
        requirements=requirements,
        constraints=unique(draft.constraints),
        options=unique(draft.options),
        export=draft.export,
        project=project,
        import_roots=import_roots(files),
        scm_version=sdist_version(files) or _UNKNOWN_VERSION if project else "",
        inputs=inputs,
        needs_files=(local := any(PROJECT in requirement for requirement in requirements)),
        snapshot_digest=snapshot.digest if local else "",
        decisions=tuple(draft.decisions),
    )


def _read_package(draft: _Draft) -> list[Declared]:
    """The package's own declarations, the most telling first; ``draft.own`` is all of them in one."""
    found = [
        declared
        for declared in (
            _attempt(draft, lambda: read_pyproject(draft.files)),
            read_setup_cfg(draft.files),
            read_setup_py(draft.files),
        )
        if declared
    ]
    if not found:
        return []
    speaking = next((each for each in found if each.runtime is not None or each.dynamic), found[0])
    groups = {name: items for each in reversed(found) for name, items in each.groups.items()}
    named = next((each.name for each in found if each.name), "")
    build = next((each for each in found if each.build_requires or each.backend), speaking)
    draft.own = replace(
        speaking,
        name=named,
        groups=groups,
        extras=frozenset().union(*(each.extras for each in found)),
        packaged=any(each.packaged for each in found),
        scripts=next((each.scripts for each in found if each.scripts), ()),
        build_requires=build.build_requires,
        # What the standard table does not name is not dynamic, whatever a setup.py beside it computes.
        dynamic=speaking.dynamic,
    )
    return found


def _attempt(draft: _Draft, read: Callable[[], _Read]) -> _Read | None:
    """What ``read`` gives; None, and a line in the plan, for a file that cannot be read."""
    try:
        return read()
    except Unreadable as error:
        draft.decisions.append(Decision(subject="left out", source=str(error)))
        return None


def _runtime(draft: _Draft, pipfile: Declared | None) -> None:
    own, files = draft.own, draft.files
    if locks.UV_LOCK in files and own.source.startswith("pyproject.toml"):
        draft.export = UvExport()
        draft.decisions.append(
            Decision(subject="dependencies", source=locks.UV_LOCK, reason="exact versions, exported by uv")
        )
        return
    plain = next((path for path in RUNTIME_FILES if path in files), "")
    if own.runtime or own.dynamic:
        reason = "known after a build only" if own.dynamic else "the package's own declaration"
        draft.take("dependencies", replace(own, constraints=(), options=(), own_extras=()), reason)
    elif pipfile:
        draft.take("dependencies", pipfile, "exact versions")
    elif plain:
        draft.take("dependencies", read_requirements(files, plain), "no package declares any")
    pins = _attempt(draft, lambda: locks.read_poetry_lock(files)) or ()
    if pins:
        draft.constraints += pins
        draft.decisions.append(
            Decision(subject="versions", source=locks.POETRY_LOCK, reason=f"{len(pins)} packages are pinned")
        )


def _tests(draft: _Draft, pipfile: Declared | None) -> None:
    if _named(draft, TEST_NAMES, "named for tests"):
        return
    tox = draft.tox
    if tox and (tox.extras or tox.groups):
        wanted = (*tox.extras, *tox.groups)
        if _named(draft, wanted, f"asked for by {tox.declared.source}", required=True):
            draft.take("tests", tox.declared, "beside them")
            return
    if _named(draft, DEVELOPMENT_NAMES, "named for development"):
        return
    if pipfile and pipfile.groups["dev"] and draft.export is None:
        draft.take("tests", replace(pipfile, runtime=pipfile.groups["dev"]), "the develop section")
    elif tox and tox.declared.runtime:
        draft.take("tests", tox.declared, "the default test environment's deps")
    elif nox := runners.read_nox(draft.files):
        draft.take("tests", nox, "what the test sessions install")


def _named(draft: _Draft, names: Sequence[str], reason: str, *, required: bool = False) -> bool:
    """Take the groups and requirements files called ``names``; False where there are none."""
    own = draft.own
    groups = [name for name in names if own.groups.get(name)]
    paths = () if required else group_files(draft.files, tuple(names))
    if draft.export is not None and groups:
        draft.export = UvExport(
            extras=tuple(name for name in groups if name in own.extras),
            groups=tuple(name for name in groups if name not in own.extras),
        )
    for name in groups:
        kind = "extra" if name in own.extras else "group"
        source = f"the {kind} {name} of {own.source}"
        held = () if draft.export is not None else own.groups[name]
        draft.take("tests", Declared(source=source, runtime=held), reason)
        draft.own_extras += [name] if name in own.extras and own.dynamic else []
    for path in paths:
        draft.take("tests", read_requirements(draft.files, path), reason)
    return bool(groups or paths)


def _project(draft: _Draft) -> ProjectBuild | None:
    own = draft.own
    native = native_toolchain(draft.files, own) if own.packaged else ""
    reason = why_build(draft.files, own, native=native)
    if not reason:
        return None
    draft.decisions.append(Decision(subject="the project is built", source=own.source, reason=reason))
    return ProjectBuild(
        reason=reason,
        inputs=build_inputs(draft.files, native=native),
        compiler=native,
        with_dependencies=own.dynamic,
        extras=unique(draft.own_extras) if own.dynamic else (),
    )


def _settled(draft: _Draft) -> tuple[str, ...]:
    """The requirements, extras of the project's own resolved, with pytest among them."""
    own = draft.own
    asked = [r for extra in unique(draft.own_extras) for r in own.groups.get(extra, ())]
    wanted = expanded([*draft.requirements, *asked], own)
    requirements = tuple(requirement for requirement in wanted if not is_own(requirement, own))
    if not any(name_of(requirement) == PYTEST for requirement in requirements) and own.name != PYTEST:
        requirements = (*requirements, PYTEST)
        if draft.export is None:
            draft.decisions.append(
                Decision(subject="pytest", source="added", reason="nothing declared brings it")
            )
    return requirements
