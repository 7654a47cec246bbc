"""A result's diff with the paths that git knows, where the project is a part of its repository."""

from dataclasses import replace
from pathlib import Path

from bot.domain import Patch
from bot.environments.versions.git_files import top_of
from bot.patch.diff import unified_diff
from bot.patch.text import decode
from bot.result import RepairResult
from sandbox.snapshot import Snapshot


def from_repository_root(result: RepairResult, project: Path, snapshot: Snapshot) -> RepairResult:
    """``result`` with a diff as git writes and reads it: paths from the top of the work tree around."""
    top = top_of(project)
    if result.patch is None or top in {None, project}:
        return result
    prefix = project.relative_to(top).as_posix()
    edits = tuple(replace(edit, path=f"{prefix}/{edit.path}") for edit in result.patch.edits)
    files = snapshot.files
    moved = {f"{prefix}/{path}": decode(files[path]) for path in result.patch.paths if path in files}
    return replace(result, diff=unified_diff(Patch(edits=edits), moved))
