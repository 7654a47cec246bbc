"""The commands that carry a plan out, the same for an image and for a folder. Pure.

They run where the project's own build scripts may do as they please: in a container or a bubblewrap with
network, without a secret, and never run a test.
"""

from __future__ import annotations

import json
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import resources

from sandbox.environment.declared import PROJECT
from sandbox.environment.plan import BuildPlan
from sandbox.snapshot import Snapshot

UV_VERSION = "0.13.8"
COLLECT = "collect.py"
BUILT_ARCHIVE, BUILT_REPORT = "built.tar", "built.json"
# A checkout without version control: what each tool that asks it for a version is told instead.
_SCM_VARIABLES = (
    *("SETUPTOOLS_SCM_PRETEND_VERSION", "HATCH_VCS_PRETEND_VERSION", "VERSIONINGIT_PRETEND_VERSION"),
    *("PBR_VERSION", "PDM_BUILD_SCM_VERSION", "POETRY_DYNAMIC_VERSIONING_BYPASS"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """Paths as the build sees them.

    ``home`` holds the environment (``env``), the files for the build (``inputs``) and its results;
    ``workspace`` the project. ``pin`` is the workspace of the sandboxes to come, and empty where that is
    not known beforehand. ``system_packages`` lets the base interpreter's own packages be seen.
    """

    home: str
    workspace: str
    python: str
    uv: str
    pin: str = ""
    system_packages: bool = False

    @property
    def environment_python(self) -> str:
        """The interpreter of the environment that is built."""
        return f"{self.home}/env/bin/python"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One command with variables of its own, run in ``folder``; ``title`` is for the person who waits."""

    title: str
    argv: tuple[str, ...]
    folder: str
    variables: Mapping[str, str] = field(default_factory=dict)
    needs_project: bool = False

    def shell(self) -> str:
        """The step as a line for ``sh``."""
        variables = "".join(f"{name}={shlex.quote(value)} " for name, value in self.variables.items())
        return f"cd {shlex.quote(self.folder)} && {variables}{shlex.join(self.argv)}"


def steps(plan: BuildPlan, layout: Layout) -> tuple[Step, ...]:
    """What to run, in order; the first failure ends the build."""
    create = [layout.uv, "venv", "--quiet", "--python", layout.python, f"{layout.home}/env"]
    create += ["--system-site-packages"] if layout.system_packages else []
    # Commands of a person's own may well call pip.
    create += ["--seed"] if plan.setup_command else []
    title = f"making an environment for Python {plan.python.version}"
    found = [Step(title=title, argv=tuple(create), folder=layout.home)]
    if plan.setup_command:
        found.append(
            Step(
                title="running the setup command",
                argv=("sh", "-ec", plan.setup_command),
                folder=layout.workspace,
                variables={
                    **_scm_variables(plan),
                    "VIRTUAL_ENV": f"{layout.home}/env",
                    "PATH": f"{layout.home}/env/bin:{layout.uv.rpartition('/')[0]}:{_PATH}",
                },
                needs_project=True,
            )
        )
    else:
        found += _detected(plan, layout)
    if plan.whole_project:
        found.append(_collect(plan, layout))
    return tuple(found)


_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"


def _detected(plan: BuildPlan, layout: Layout) -> list[Step]:
    inputs = f"{layout.home}/inputs"
    found = []
    install = [layout.uv, "pip", "install", "--python", layout.environment_python, "--compile-bytecode"]
    files = ["-r", f"{inputs}/requirements.txt", "-c", f"{inputs}/constraints.txt"]
    if plan.export is not None:
        locked = f"{layout.home}/locked.txt"
        export = [layout.uv, "export", "--quiet", "--frozen", "--no-hashes", "--no-emit-workspace"]
        export += ["--python", layout.environment_python, "--no-default-groups"]
        export += [word for extra in plan.export.extras for word in ("--extra", extra)]
        export += [word for group in plan.export.groups for word in ("--group", group)]
        found.append(Step(title="reading uv.lock", argv=(*export, "-o", locked), folder=f"{inputs}/locked"))
        files += ["-r", locked]
    if plan.requirements or plan.export:
        title = f"installing {', '.join(plan.requirements[:8])}" + (
            " and more" if plan.requirements[8:] else ""
        )
        found.append(
            Step(
                title=title,
                argv=(*install, *files),
                folder=layout.home,
                needs_project=plan.needs_files,
            )
        )
    if plan.project:
        extras = f"[{','.join(plan.project.extras)}]" if plan.project.extras else ""
        own = (
            ["-r", f"{inputs}/requirements.txt", "-c", f"{inputs}/constraints.txt"]
            if plan.project.with_dependencies
            else ["--no-deps", "--reinstall"]
        )
        found.append(
            Step(
                title=f"building the project: {plan.project.reason}",
                argv=(*install, *own, f"{layout.workspace}{extras}"),
                folder=layout.home,
                variables=_scm_variables(plan),
                needs_project=True,
            )
        )
    return found


def _scm_variables(plan: BuildPlan) -> dict[str, str]:
    return dict.fromkeys(_SCM_VARIABLES, plan.scm_version) if plan.scm_version else {}


def _collect(plan: BuildPlan, layout: Layout) -> Step:
    settings = {
        "home": layout.home,
        "workspace": layout.workspace,
        "pin": layout.pin,
        "roots": plan.import_roots,
        "everything": bool(plan.setup_command),
    }
    return Step(
        title="collecting what the build made",
        argv=(layout.environment_python, "-I", f"{layout.home}/inputs/{COLLECT}", json.dumps(settings)),
        folder=layout.home,
        needs_project=True,
    )


def input_files(plan: BuildPlan, snapshot: Snapshot, layout: Layout) -> dict[str, bytes]:
    """The files for the build, by their path below ``inputs``."""
    lines = [*plan.options, *(line.replace(PROJECT, layout.workspace) for line in plan.requirements)]
    files = {
        "requirements.txt": "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"),
        "constraints.txt": "".join(f"{line}\n" for line in plan.constraints).encode(
            "utf-8", "surrogateescape"
        ),
        **{f"locked/{path}": data for path, data in plan.inputs.items()},
    }
    if plan.whole_project:
        files[COLLECT] = resources.files(__package__).joinpath(COLLECT).read_bytes()
        files["paths.json"] = json.dumps([entry.path for entry in snapshot.entries]).encode("ascii")
    return files
