"""The project's part of ``regreen doctor``: its tests' command and environment, as a repair would plan them.

Only files are read; nothing of the project is run and nothing is installed.
"""

from collections.abc import Mapping
from pathlib import Path

from bot.cilog.command.recovered import recover_command
from bot.cilog.model import LogReading
from bot.commands.doctor.diagnosis import Line, Section, note, ok, problem
from bot.config.settings import Settings
from bot.errors import listed
from sandbox.environment.images import default_images
from sandbox.environment.plans.candidate_plans import candidate_plans
from sandbox.environment.plans.planner import plan_environment
from sandbox.errors import SandboxError
from sandbox.snapshot import take

LISTED = 8


def check_project(settings: Settings, project: Path) -> Section:
    """Look at the files of ``project``."""
    title = f"Project: {project}"
    try:
        snapshot = take(project)
    except (SandboxError, OSError) as error:
        return Section(title=title, lines=[problem("files", str(error))])
    files = snapshot.files
    available = tuple(default_images())
    if settings.setup_command:
        plan = plan_environment(snapshot, available=available, setup_command=settings.setup_command)
    else:
        plan = candidate_plans(snapshot, available=available).plans[0]
    lines = [
        _sources(files),
        _tests(settings, files),
        ok("environment", plan.name),
        ok("Python", f"{plan.python.version}: {plan.python.reason}"),
    ]
    lines += [ok(one.subject, " ".join(filter(None, (one.source, one.reason)))) for one in plan.decisions]
    if plan.setup_command:
        lines.append(ok("set-up", plan.setup_command))
    elif plan.requirements:
        detail = f"{listed(plan.requirements, LISTED)}, where they are not here already"
        lines.append(ok("is installed", detail))
    return Section(title=title, lines=lines)


def _sources(files: Mapping[str, bytes]) -> Line:
    count = sum(path.endswith(".py") for path in files)
    if count:
        return ok("files", f"{count} of Python, {len(files)} in all")
    return problem("files", "there is no .py file", advice="name the directory of a Python project")


def _tests(settings: Settings, files: Mapping[str, bytes]) -> Line:
    if settings.test_command:
        return ok("tests", f"{settings.test_command}, by {settings.origins['test-command']}")
    found = recover_command(LogReading(), files=files)
    if found is None:
        detail = "python -m pytest, unless a log names another command; --test-command does as well"
        return note("tests", detail)
    return ok("tests", f"{found.text}, as in {found.source}; python -m pytest where that runs no test")
