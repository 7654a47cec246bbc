"""The plans that are worth a try for one project, the likeliest first. Pure.

Beside what the project declares (``planner``), they follow the CI: the installation lines of the job that
runs the tests name what is needed, and the versions in a log hold it to what was installed then.
"""

import posixpath
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from sandbox.ci.installs import ALL, Group, Installs, Local, has_package
from sandbox.ci.job_choice import TestJob, choose_job
from sandbox.ci.managers import read_installs
from sandbox.environment.declarations import conda, locks
from sandbox.environment.declarations.declared import Declared, name_of
from sandbox.environment.declarations.requirements import read_requirements
from sandbox.environment.plans.draft import Draft, named_parts
from sandbox.environment.plans.plan import BuildPlan, UvExport
from sandbox.environment.plans.planner import hold_to_lock, plan_environment, python_for
from sandbox.environment.plans.python_version import latest
from sandbox.formats import normalised, texts, toml_table, unique
from sandbox.internal_errors import guarded
from sandbox.snapshot import Snapshot

MAX_MEMBER_DEPTH = 2
"""How deep below the top a package of a monorepo is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """The plans, the likeliest first, and the job of the workflow files that runs the tests, if one does."""

    plans: tuple[BuildPlan, ...]
    job: TestJob | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CiRecord:
    """What the log of a job that ran the tests shows about its environment.

    ``installed`` are the versions that installers printed, by normalised name; ``python`` is like ``3.12``.
    ``job`` is the job's name as GitHub shows it, where that is known.
    """

    installed: Mapping[str, str] = field(default_factory=dict)
    python: str = ""
    job: str = ""


def candidate_plans(
    snapshot: Snapshot, *, available: Sequence[str], record: CiRecord | None = None, as_of: str = ""
) -> Plans:
    """The plans for the project in ``snapshot``, each another environment.

    ``record`` is what a log shows; ``as_of`` (RFC 3339) is the time of an old checkout: what was released
    later was not there when its tests passed. A plan without that limit follows, since an index may not know
    times.
    """
    record = record or CiRecord()
    job = choose_job(snapshot.files, available=available, name=record.job)
    if job and record.python:
        job = replace(job, python=record.python)
    first = record.python or (job.python if job else "")
    place = job.directory if job else "."
    roots = {f"{place}/{name}" for name in ("pyproject.toml", "setup.py", "setup.cfg")}
    member = place if place != "." and not roots.isdisjoint(snapshot.files) else ""
    with guarded("the choice of a member"):
        member = member or member_with_tests(snapshot)
    by_log = partial(plan_for_log, snapshot, record, job)
    by_declaration = partial(plan_environment, snapshot, member=member, first=first)
    makers: list[tuple[str, Callable[..., BuildPlan | None]]] = [("by the log", by_log)]
    for limit in [as_of, ""] if as_of else [""]:
        if job:
            makers.append(("by the CI", partial(plan_for_job, snapshot, job, as_of=limit)))
        makers.append(("by what is declared", partial(by_declaration, as_of=limit)))
    plans: dict[str, BuildPlan] = {}
    for name, make in makers:
        with guarded(f"the environment's plan {name}"):
            if plan := make(available=available):
                plans.setdefault(plan.digest(), plan)
    return Plans(plans=tuple(plans.values()), job=job)


def member_with_tests(snapshot: Snapshot) -> str:
    """The directory of the package with most of the tests, where the top is no package; else empty."""
    files = snapshot.files
    if has_package(files, ""):
        return ""
    places = {posixpath.dirname(path) for path in files if path.count("/") <= MAX_MEMBER_DEPTH} - {""}
    tests = [path for path in files if re.fullmatch(r"test_.*\.py|.*_test\.py", posixpath.basename(path))]
    held = [place for place in sorted(places) if has_package(files, place)]
    counted = {place: sum(path.startswith(f"{place}/") for path in tests) for place in held}
    best = max(counted, key=lambda place: counted[place], default="")
    return best if counted.get(best) else ""


# Tools that a job needs before the tests, and that the tests do not need.
_TOOLS = {"pip", "tox", "tox-gh", "tox-gh-actions", "tox-uv", "nox", "uv", "twine", "build", "codecov"}


def plan_for_job(
    snapshot: Snapshot, found: TestJob, *, available: Sequence[str], as_of: str = ""
) -> BuildPlan | None:
    """The plan that follows the job ``found``; None where it installs nothing that can be read."""
    installs = read_installs(found.commands, snapshot.files)
    if not installs:
        return None
    draft = _draft(snapshot, installs, found.directory)
    _take(draft, installs, found.source)
    python = python_for(draft, (), available, as_of=as_of, first=found.python)
    as_of = latest(as_of, python.version)
    name = f"as in {found.source}" + (f", as of {as_of[:10]}" if as_of else "")
    return draft.finish(name=name, python=python, as_of=as_of, seeded=True)


def plan_for_log(
    snapshot: Snapshot, record: CiRecord, found: TestJob | None, *, available: Sequence[str]
) -> BuildPlan | None:
    """The plan that holds what is needed to the versions of the log; None where it has none."""
    if not record.installed:
        return None
    installs = read_installs(found.commands, snapshot.files) if found else Installs()
    if not installs:
        installs.local.append(Local("."))
    draft = _draft(snapshot, installs, found.directory if found else ".")
    _take(draft, installs, found.source if found else "the project")
    known = {normalised(draft.own.name), *_TOOLS}
    pins = {name: version for name, version in record.installed.items() if name not in known}
    held = tuple(f"{name}=={version}" for name, version in sorted(pins.items()))
    draft.constraints = [pin for pin in draft.constraints if name_of(pin) not in pins]
    draft.constraints += held
    draft.export = None
    draft.take("versions", Declared(source="the log of the job", runtime=held), f"{len(held)} packages")
    first = record.python or (found.python if found else "")
    python = python_for(draft, (), available, first=first)
    return draft.finish(name="the versions in the log", python=python, seeded=True)


def _draft(snapshot: Snapshot, installs: Installs, test_directory: str) -> Draft:
    """A draft for the package that is tested: of those that are installed the one around the tests."""
    places = unique(local.directory for local in installs.local)
    around = [place for place in places if f"{test_directory}/".startswith(f"{place}/")]
    chosen = next(iter(around or ([] if "." in places else places)), ".")
    draft = Draft(snapshot=snapshot, member="" if chosen == "." else chosen)
    draft.linked += [local for local in installs.local if local.directory not in {chosen, "."}]
    return draft


def _take(draft: Draft, installs: Installs, source: str) -> None:
    """Everything that ``installs`` name, each place as a part of its own."""
    own = draft.own
    member = draft.member or "."
    extras = [name for local in installs.local if local.directory == member for name in local.extras]
    extras = sorted(own.extras) if ALL in extras else list(unique(extras))
    is_installed = any(local.directory == member for local in installs.local)
    groups = _groups(draft, [group for group in installs.groups if group.directory in {member, "."}])
    if installs.lock == "uv" and locks.UV_LOCK in draft.files and own.source.startswith("pyproject.toml"):
        known = [name for name in extras if name in own.extras]
        draft.export = UvExport(extras=tuple(known), groups=tuple(groups))
        draft.decide("dependencies", locks.UV_LOCK, f"exact versions, as {source} installs them")
    else:
        # Tests import the package, whether or not the lines that install it could be read.
        if (is_installed or own.packaged) and (own.runtime or own.dynamic):
            draft.take("dependencies", replace(own, constraints=(), options=(), own_extras=()), source)
        for part in named_parts([*extras, *groups], own):
            draft.take("tests", Declared(source=part.name, runtime=part.requirements), source)
        if own.dynamic:
            draft.own_extras += [name for name in extras if name in own.extras or not own.extras]
        if installs.lock:
            hold_to_lock(draft)
    if installs.lock == "pipenv":
        _take_pipfile(draft, installs, source)
    _take_files(draft, installs, source)
    others = tuple(requirement for requirement in installs.requirements if name_of(requirement) not in _TOOLS)
    if others:
        draft.take("tests", Declared(source=f"the commands of {source}", runtime=others))
    draft.options += installs.options
    if installs.system:
        names = ", ".join(unique(installs.system)[:8])
        draft.decide("not installed", f"packages of the operating system: {names}", source)


def _groups(draft: Draft, wanted: Sequence[Group]) -> list[str]:
    """The groups of the package that ``wanted`` name, by their names."""
    own = draft.own
    everything = [name for name in own.groups if name not in own.extras]
    without = {group.name.removeprefix("-") for group in wanted if group.name.startswith("-")}
    names: list[str] = []
    for group in wanted:
        if group.name == ALL:
            names += [name for name in everything if name not in own.optional_groups]
        elif group.name == "dev" and (defaults := _default_groups(draft)) is not None:
            names += everything if defaults == ALL else [normalised(name) for name in defaults]
        elif not group.name.startswith("-"):
            names.append(group.name)
    return [name for name in unique(names) if name in own.groups and name not in without]


def _default_groups(draft: Draft) -> Sequence[str] | None:
    """The groups that uv installs unasked, where the project names them."""
    named = toml_table(draft.files, "pyproject.toml", "tool", "uv").get("default-groups")
    return ALL if named == "all" else texts(named) if isinstance(named, list) else None


def _take_pipfile(draft: Draft, installs: Installs, source: str) -> None:
    if pipfile := draft.pipfile:
        wanted = {group.name for group in installs.groups}
        held = (*(pipfile.runtime or ()), *(pipfile.groups["dev"] if "dev" in wanted else ()))
        draft.take("dependencies", replace(pipfile, runtime=held), source)


def _take_files(draft: Draft, installs: Installs, source: str) -> None:
    everything = draft.snapshot.files
    for path in unique(installs.files):
        held = read_requirements(everything, path)
        draft.take("tests", held, source)
        if held.packaged and not any(part.name == draft.own.source for part in draft.parts):
            runtime = replace(draft.own, constraints=(), options=(), own_extras=())
            draft.take("dependencies", runtime, f"installed by {path}")
    for path in unique(installs.constraint_files):
        held = read_requirements(everything, path)
        draft.constraints += [*(held.runtime or ()), *held.constraints]
    for path in unique(installs.conda_files):
        if found := conda.read_environment(everything, path):
            draft.take("tests", found, "conda's packages, from the package index")
