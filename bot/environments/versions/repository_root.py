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
    if top in {None, project}:
        return result
    prefix = project.relative_to(top).as_posix()

    def moved(patch: Patch | None) -> str:
        if patch is None:
            return ""
        edits = tuple(replace(edit, path=f"{prefix}/{edit.path}") for edit in patch.edits)
        files = {path: decode(snapshot.files[path]) for path in patch.paths if path in snapshot.files}
        return unified_diff(Patch(edits=edits), {f"{prefix}/{path}": text for path, text in files.items()})

    return replace(result, diff=moved(result.patch), adapted_diff=moved(result.adapted))
