"""The plan of an environment: what is installed, with which Python, and who decided so. Pure."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from sandbox.environment.declared import name_of
from sandbox.environment.project import ProjectBuild
from sandbox.environment.python_version import PythonChoice

# Part of every digest: raise it when the way of building changes, so that nothing old is found again.
RECIPE = 1
PYTEST = "pytest"


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
class BuildPlan:
    """How the environment of one project is made.

    ``requirements``, ``constraints`` and ``options`` are lines of pip's files. ``inputs`` are files of the
    project that the installer reads, by path. ``import_roots`` are the folders, relative to the project,
    that hold its packages. ``setup_command`` runs in place of everything else.
    """

    python: PythonChoice
    requirements: tuple[str, ...] = ()
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

    @property
    def trivial(self) -> bool:
        """Whether an interpreter with any pytest is all that is needed."""
        extra = self.constraints or self.options or self.export or self.project or self.setup_command
        return self.requirements == (PYTEST,) and not extra

    @property
    def wanted(self) -> tuple[str, ...]:
        """The requirements together with the exact versions that constrain them."""
        names = {name_of(requirement) for requirement in self.requirements}
        return (*self.requirements, *(pin for pin in self.constraints if name_of(pin) in names))

    @property
    def whole_project(self) -> bool:
        """Whether the project's files take part in the build."""
        return bool(self.project or self.setup_command or self.needs_files)

    @property
    def toolchain(self) -> str:
        """What has to be there to compile: ``a C compiler``, ``Rust``, or nothing."""
        return self.project.compiler if self.project else ""

    def digest(self, *parts: str) -> str:
        """A name for the result: the same plan with the same ``parts`` gives the same environment."""
        made_of = {
            "recipe": RECIPE,
            "python": self.python.version,
            "requirements": self.requirements,
            "constraints": self.constraints,
            "options": self.options,
            "export": asdict(self.export) if self.export else None,
            "project": self._project_inputs(),
            "scm_version": self.scm_version,
            "setup_command": self.setup_command,
            "inputs": {path: hashlib.sha256(data).hexdigest() for path, data in sorted(self.inputs.items())},
            "snapshot": self.snapshot_digest,
            "parts": parts,
        }
        text = json.dumps(made_of, sort_keys=True)
        return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest()[:24]

    def _project_inputs(self) -> list[object] | None:
        build = self.project
        return [build.inputs, build.compiler, build.with_dependencies, build.extras] if build else None

    def explain(self) -> str:
        """The plan for a person: one line a decision, then what is installed."""
        lines = [f"Python {self.python.version}: {self.python.reason}"]
        lines += [
            f"{decision.subject}: {decision.source}" + (f" ({decision.reason})" if decision.reason else "")
            for decision in self.decisions
        ]
        if self.setup_command:
            return "\n".join([*lines, f"runs: {self.setup_command}"])
        lines.append(f"installs: {', '.join(self.requirements)}" if self.requirements else "installs nothing")
        if self.constraints:
            lines.append(f"constrained by {len(self.constraints)} exact versions")
        return "\n".join(lines)
