"""``regreen doctor``: looks at what a repair needs here, and says in short what works.

Each part is a function that returns a section. It changes nothing, save that Docker's image is built if a
repair would have built it.
"""

import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

from bot import __version__
from bot.commands.doctor.diagnosis import Diagnosis, Line, Section, Status, note, ok, problem
from bot.commands.doctor.models import check_models
from bot.commands.doctor.project import check_project
from bot.commands.doctor.repository import check_github
from bot.commands.doctor.sandboxes import check_sandboxes
from bot.config.action_settings import GitHubPlace
from bot.config.options import OPTIONS
from bot.config.settings import Settings

GIB = 1 << 30


def diagnose(
    settings: Settings,
    notify: Callable[[str], None],
    *,
    project: Path | None = None,
    place: GitHubPlace | None = None,
) -> Diagnosis:
    """Look at everything; ``notify`` gets what is being done.

    ``project`` is a directory to look at too, and ``place`` the repository on GitHub, where there is one.
    """
    sandboxes, sandbox = check_sandboxes(settings, notify)
    models, github = check_models(settings, notify), check_github(settings, place, notify)
    sections = [_here(settings), *sandboxes, models, github]
    if project:
        notify(f"reading {project}")
        sections.append(check_project(settings, project))
    return Diagnosis(sections=[*sections, _in_short(sandbox, models, github)], sandbox=sandbox)


def _in_short(sandbox: str, models: Section, github: Section) -> Section:
    """What works, a line each."""
    if sandbox:
        repair = ok("repair", f"works here without a model, in {sandbox}")
    else:
        repair = problem("repair", "there is no secure sandbox to do it in")
    lines = [repair, _summed("with a model", models), _summed("on GitHub", github)]
    return Section(title="In short", lines=lines)


def _summed(name: str, section: Section) -> Line:
    """The first problem of ``section``, else its first line."""
    problems = [line for line in section.lines if line.status is Status.PROBLEM]
    line = (problems or section.lines)[0]
    return Line(name=name, status=line.status, detail=f"{line.name}: {line.detail}")


def _here(settings: Settings) -> Section:
    """What runs, where it keeps what it keeps, and which keys it was given."""
    version = ".".join(map(str, sys.version_info[:3]))
    lines = [
        ok("regreen", f"{__version__}, by Python {version}"),
        _directory("state", settings.state_directory, "checkpoints and trajectories"),
        _directory("cache", settings.cache_directory, "environments that were built"),
    ]
    for option in OPTIONS:
        if option.secret:
            held = bool(getattr(settings.secrets, option.field))
            names = f" ({' or '.join(option.variables)})" if option.variables else ""
            detail = f"{'is set' if held else 'is not set'}{names}"
            lines.append((ok if held else note)(option.name, detail))
    return Section(title="Here", lines=lines)


def _directory(name: str, directory: Path, purpose: str) -> Line:
    """Whether ``directory``, which a repair would make, can be written, and how much room there is."""
    # Path.exists raises an error where one may not look: that is what is reported here.
    there = next(path for path in (directory, *directory.parents) if os.path.exists(path))  # noqa: PTH110
    free = f"{shutil.disk_usage(there).free / GIB:.1f} GiB"
    if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
        return ok(name, f"{directory}, {free} free: {purpose}")
    return problem(
        name,
        f"{directory} cannot be written: {purpose}",
        advice=f"let yourself write {there}, or set XDG_{name.upper()}_HOME to one that you can write",
    )
