"""The commands that carry a plan out, the same for an image and for a directory. Pure.

They run where the project's own build scripts may do as they please: in a container or a bubblewrap with
network, without a secret, and never run a test.
"""

import json
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import resources

from sandbox.environment.declarations.declared import PROJECT
from sandbox.environment.install import without_hashes
from sandbox.environment.plans.plan import BuildPlan
from sandbox.machine import DEFAULT_PATH
from sandbox.snapshot import Snapshot

UV_VERSION = "0.13.8"
COLLECT, INSTALL = "collect.py", "install.py"
BUILT_ARCHIVE, BUILT_REPORT, INSTALL_REPORT = "built.tar", "built.json", "install.json"
# A checkout without version control: the version for each tool that asks for one.
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
    ``can_add_compiler`` says that a build which lacks a compiler may be done again with one.
    """

    home: str
    workspace: str
    python: str
    uv: str
    pin: str = ""
    system_packages: bool = False
    can_add_compiler: bool = False

    @property
    def environment_python(self) -> str:
        """The interpreter of the environment that is built."""
        return f"{self.home}/env/bin/python"


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildStep:
    """One command with variables of its own, run in ``directory``; ``title`` is for the person who waits."""

    title: str
    argv: tuple[str, ...]
    directory: str
    variables: Mapping[str, str] = field(default_factory=dict)
    needs_project: bool = False

    @property
    def shown(self) -> str:
        """The command for a person; our own installer by what it does."""
        own = any(word.endswith(f"/{INSTALL}") for word in self.argv)
        return self.title if own else shlex.join(self.argv)

    def shell(self) -> str:
        """The step as a line for ``sh``."""
        variables = "".join(f"{name}={shlex.quote(value)} " for name, value in self.variables.items())
        return f"cd {shlex.quote(self.directory)} && {variables}{shlex.join(self.argv)}"


def steps(plan: BuildPlan, layout: Layout) -> tuple[BuildStep, ...]:
    """What to run, in order; the first failure ends the build."""
    create = [layout.uv, "venv", "--quiet", "--python", layout.python, f"{layout.home}/env"]
    create += ["--system-site-packages"] if layout.system_packages else []
    # Commands of a person's own may well call pip.
    create += ["--seed"] if plan.setup_command or plan.seeded else []
    create += ["--exclude-newer", plan.as_of] if plan.as_of and plan.seeded else []
    title = f"making an environment for Python {plan.python.version}"
    found = [BuildStep(title=title, argv=tuple(create), directory=layout.home)]
    if plan.setup_command:
        path = f"{layout.home}/env/bin:{layout.uv.rpartition('/')[0]}:{DEFAULT_PATH}"
        command = BuildStep(
            title="running the setup command",
            argv=("sh", "-ec", plan.setup_command),
            directory=layout.workspace,
            variables={**_scm_variables(plan), "VIRTUAL_ENV": f"{layout.home}/env", "PATH": path},
            needs_project=True,
        )
        found.append(command)
    else:
        found += _detected(plan, layout)
    if plan.whole_project:
        found.append(_collect(plan, layout))
    return tuple(found)


def _detected(plan: BuildPlan, layout: Layout) -> list[BuildStep]:
    inputs = f"{layout.home}/inputs"
    found = []
    files = [f"{inputs}/{_part_file(number)}" for number in range(len(plan.parts))]
    parts = [{"name": part.name, "path": path} for part, path in zip(plan.parts, files, strict=True)]
    if plan.export is not None:
        locked = f"{layout.home}/locked.txt"
        export = [layout.uv, "export", "--quiet", "--frozen", "--no-hashes", "--no-emit-workspace"]
        export += ["--no-annotate", "--no-header"]
        export += ["--python", layout.environment_python, "--no-default-groups"]
        export += [word for extra in plan.export.extras for word in ("--extra", extra)]
        export += [word for group in plan.export.groups for word in ("--group", group)]
        argv = (*export, "-o", locked)
        found.append(BuildStep(title="reading uv.lock", argv=argv, directory=f"{inputs}/locked"))
        parts.insert(0, {"name": "uv.lock", "path": locked})
    if parts:
        names = ", ".join(map(without_hashes, plan.requirements[:8]))
        title = f"installing {names}" + (" and more" if plan.requirements[8:] else "")
        found.append(_install(plan, layout, title, parts, needs_project=plan.needs_files))
    if plan.project or plan.editable:
        reason = plan.project.reason if plan.project else "its neighbours are installed by links"
        attempts = _attempts(plan, layout)
        found.append(_install(plan, layout, f"building the project: {reason}", [], project=attempts))
    return found


def _install(  # noqa: PLR0913 - what a step of the installer is made of
    plan: BuildPlan,
    layout: Layout,
    title: str,
    parts: Sequence[Mapping[str, str]],
    *,
    project: Sequence[Sequence[str]] = (),
    needs_project: bool = False,
) -> BuildStep:
    """A step of ``install.py``: ``parts``, or the ``project`` by the first of these attempts that works."""
    inputs = f"{layout.home}/inputs"
    command = [layout.uv, "pip", "install", "--python", layout.environment_python, "--compile-bytecode"]
    command += [word for option in plan.options for word in option.split(" ", maxsplit=1)]
    command += ["--exclude-newer", plan.as_of] if plan.as_of else []
    declared = plan.project.metadata if plan.project else None
    metadata = {"directory": declared.directory_name, **asdict(declared)} if declared else None
    settings = {
        "command": command,
        "fixed": ["-c", f"{inputs}/constraints.txt"],
        "parts": list(parts),
        "project": {"attempts": list(project), "metadata": metadata} if project else None,
        "python": layout.environment_python,
        "report": f"{layout.home}/{INSTALL_REPORT}",
        "needs_compiler": layout.can_add_compiler,
    }
    return BuildStep(
        title=title,
        argv=(layout.environment_python, "-I", f"{inputs}/{INSTALL}", json.dumps(settings)),
        directory=layout.home,
        variables=_scm_variables(plan) if project else {},
        needs_project=needs_project or bool(project),
    )


def _attempts(plan: BuildPlan, layout: Layout) -> list[list[str]]:
    """Ways to install the project, the best first; directories beside it are links to the workspace."""
    links = [word for place in plan.editable for word in ("-e", f"{layout.workspace}/{place}")]
    if plan.project is None:
        return [["--no-deps", *links], links]
    own = f"{layout.workspace}/{plan.member}".rstrip("/")
    alone = ["--no-deps", "--reinstall", *links, own]
    # Sources of uv's own may be a directory of a larger repository, which is not here.
    standard = ["--no-deps", "--reinstall", "--no-sources", own]
    if not plan.project.with_dependencies:
        return [alone, *([["--no-deps", "--reinstall", own]] if links else []), standard]
    extras = f"[{','.join(plan.project.extras)}]" if plan.project.extras else ""
    inputs = f"{layout.home}/inputs"
    every = [word for number in range(len(plan.parts)) for word in ("-r", f"{inputs}/{_part_file(number)}")]
    attempts = [
        [*every, *links, f"{own}{extras}"],
        [*links, f"{own}{extras}"],
        [*links, own],
        alone,
        standard,
    ]
    return [words for number, words in enumerate(attempts) if words not in attempts[:number]]


def _part_file(number: int) -> str:
    return f"requirements-{number}.txt"


def _scm_variables(plan: BuildPlan) -> dict[str, str]:
    return dict.fromkeys(_SCM_VARIABLES, plan.scm_version) if plan.scm_version else {}


def _collect(plan: BuildPlan, layout: Layout) -> BuildStep:
    settings = {
        "home": layout.home,
        "workspace": layout.workspace,
        "pin": layout.pin,
        "roots": plan.import_roots,
        "member": plan.member,
        "everything": bool(plan.setup_command or plan.editable),
    }
    return BuildStep(
        title="collecting what the build made",
        argv=(layout.environment_python, "-I", f"{layout.home}/inputs/{COLLECT}", json.dumps(settings)),
        directory=layout.home,
        needs_project=True,
    )


def input_files(plan: BuildPlan, snapshot: Snapshot, layout: Layout) -> dict[str, bytes]:
    """The files for the build, by their path below ``inputs``."""
    files = {
        "constraints.txt": _lines(plan.constraints, layout),
        INSTALL: resources.files(__package__).joinpath(INSTALL).read_bytes(),
        **{f"locked/{path}": data for path, data in plan.inputs.items()},
    }
    for number, part in enumerate(plan.parts):
        files[_part_file(number)] = _lines(part.requirements, layout)
    if plan.whole_project:
        files[COLLECT] = resources.files(__package__).joinpath(COLLECT).read_bytes()
        files["paths.json"] = json.dumps([entry.path for entry in snapshot.entries]).encode("ascii")
    return files


def _lines(requirements: Sequence[str], layout: Layout) -> bytes:
    lines = (line.replace(PROJECT, layout.workspace) for line in requirements)
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape")
