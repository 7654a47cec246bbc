"""The project's part of ``regreen doctor``: its tests' command and environment, as a repair would plan them.

Only files are read; nothing of the project is run and nothing is installed.
"""

from collections.abc import Mapping
from pathlib import Path

from bot.cilog.model import LogReading
from bot.cilog.recovered_command import recover_command
from bot.commands.doctor.diagnosis import Line, Section, Status
from bot.config.settings import Settings
from sandbox.environment import plan_environment
from sandbox.environment.images import default_images
from sandbox.environment.plans.candidate_plans import candidate_plans
from sandbox.errors import SandboxError
from sandbox.snapshot import take

LISTED = 8


def check_project(settings: Settings, project: Path) -> Section:
    """Look at the files of ``project``."""
    title = f"Project: {project}"
    try:
        snapshot = take(project)
    except (SandboxError, OSError) as error:
        return Section(title=title, lines=[Line(name="files", status=Status.PROBLEM, detail=str(error))])
    files = snapshot.files
    available = tuple(default_images())
    if settings.setup_command:
        plan = plan_environment(snapshot, available=available, setup_command=settings.setup_command)
    else:
        plan = candidate_plans(snapshot, available=available).plans[0]
    lines = [
        _sources(files),
        _tests(settings, files),
        Line(name="environment", status=Status.OK, detail=plan.name),
        Line(name="Python", status=Status.OK, detail=f"{plan.python.version}: {plan.python.reason}"),
    ]
    lines += [
        Line(name=one.subject, status=Status.OK, detail=" ".join(filter(None, (one.source, one.reason))))
        for one in plan.decisions
    ]
    if plan.setup_command:
        lines.append(Line(name="set-up", status=Status.OK, detail=plan.setup_command))
    elif plan.requirements:
        more = f" and {len(plan.requirements) - LISTED} more" if len(plan.requirements) > LISTED else ""
        detail = f"{', '.join(plan.requirements[:LISTED])}{more}, where they are not here already"
        lines.append(Line(name="is installed", status=Status.OK, detail=detail))
    return Section(title=title, lines=lines)


def _sources(files: Mapping[str, bytes]) -> Line:
    count = sum(path.endswith(".py") for path in files)
    if count:
        return Line(name="files", status=Status.OK, detail=f"{count} of Python, {len(files)} in all")
    return Line(
        name="files",
        status=Status.PROBLEM,
        detail="there is no .py file",
        advice="name the directory of a Python project",
    )


def _tests(settings: Settings, files: Mapping[str, bytes]) -> Line:
    if settings.test_command:
        detail = f"{settings.test_command}, by {settings.origins['test-command']}"
        return Line(name="tests", status=Status.OK, detail=detail)
    found = recover_command(LogReading(), files=files)
    if found is None:
        detail = "python -m pytest, unless a log names another command; --test-command does as well"
        return Line(name="tests", status=Status.NOTE, detail=detail)
    detail = f"{found.text}, as in {found.source}; python -m pytest where that runs no test"
    return Line(name="tests", status=Status.OK, detail=detail)
