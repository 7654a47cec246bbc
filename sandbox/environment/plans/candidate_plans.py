"""The plans that are worth a try for one project, the likeliest first. Pure."""

import posixpath
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from sandbox.ci.installs import has_package
from sandbox.ci.job_choice import TestJob, choose_job
from sandbox.environment.plans.ci_planner import CiRecord, plan_for_job, plan_for_log
from sandbox.environment.plans.plan import BuildPlan
from sandbox.environment.plans.planner import plan_environment
from sandbox.internal_errors import guarded
from sandbox.snapshot import Snapshot

MAX_MEMBER_DEPTH = 2
"""How deep below the top a package of a monorepo is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plans:
    """The plans, the likeliest first, and the job of the workflow files that runs the tests, if one does."""

    plans: tuple[BuildPlan, ...]
    job: TestJob | None = None


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
    member = job.directory if job and _is_member(snapshot, job.directory) else ""
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
    counted = {
        place: sum(path.startswith(f"{place}/") for path in tests)
        for place in sorted(places)
        if has_package(files, place)
    }
    best = max(counted, key=lambda place: counted[place], default="")
    return best if counted.get(best) else ""


def _is_member(snapshot: Snapshot, directory: str) -> bool:
    return directory != "." and any(
        f"{directory}/{name}" in snapshot.files for name in ("pyproject.toml", "setup.py", "setup.cfg")
    )
