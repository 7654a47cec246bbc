"""What a project's directory shows about its version: when the code that lies there was current."""

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from bot.environments.versions.git_files import UnreadableRepository, commit_named, opened_repository

OLD = timedelta(days=90)
"""From this age on, what a package index has now is likely not what the tests passed with."""

# Times that build tools write into every archive, whenever it was made.
_FIXED_TIMES = [datetime(*day, tzinfo=UTC) for day in ((2020, 2, 2), (1980, 1, 1), (2016, 1, 1))]
_EARLIEST = datetime(2012, 1, 1, tzinfo=UTC)


def as_of(project: Path, *, now: datetime) -> str:
    """The time (RFC 3339) of an old version of ``project``; empty where it is recent or not known.

    It is the time of the commit that is checked out, else that of a source distribution's ``PKG-INFO``. A day
    is added: what was released on that day may have been in use.
    """
    return time_limit(commit_time(project) or _archive_time(project), now=now)


def time_limit(when: datetime | None, *, now: datetime) -> str:
    """The time (RFC 3339) as of which a version made at ``when`` is resolved; empty for a recent one."""
    if when is None or not _EARLIEST < when <= now - OLD:
        return ""
    return (when + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M:%SZ")


def commit_time(project: Path) -> datetime | None:
    """When the commit that is checked out at or above ``project`` was made; None where none can be read."""
    try:
        with opened_repository(project) as repository:
            commit = commit_named(repository, "HEAD")
            return datetime.fromtimestamp(commit.commit_time, UTC)
    except UnreadableRepository:
        return None


def _archive_time(project: Path) -> datetime | None:
    """When a source distribution was made, by its ``PKG-INFO``; None for anything else."""
    try:
        found = datetime.fromtimestamp(os.lstat(project / "PKG-INFO").st_mtime, UTC)
    except (OSError, OverflowError, ValueError):
        return None
    return None if any(abs(found - fixed) < timedelta(days=2) for fixed in _FIXED_TIMES) else found
