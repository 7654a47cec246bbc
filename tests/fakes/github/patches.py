"""The diff of a pull request as GitHub serves it: each file with its patch, and the lines that it shows."""

import difflib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from fakes.github.objects import LINK, SUBMODULE, Leaf, Objects

PATCH_LIMIT = 1_000_000
_HUNK = re.compile(r"^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")


@dataclass(frozen=True, slots=True, kw_only=True)
class FileDiff:
    path: str
    status: str
    sha: str
    patch: str | None
    additions: int = 0
    deletions: int = 0
    previous: str = ""


def diff(objects: Objects, base: str, head: str) -> list[FileDiff]:
    """What ``head`` changes since it left ``base``, by path."""
    start = objects.merge_base(base, head)
    old = objects.at(start) if start else {}
    new = objects.at(head)
    gone = {path: leaf for path, leaf in old.items() if path not in new}
    renamed: dict[str, str] = {}
    for path, leaf in new.items():
        source = None if path in old else next((one for one, other in gone.items() if other == leaf), None)
        if source:
            renamed[path] = source
            del gone[source]
    found = []
    for path in sorted({*new, *gone}):
        if path in renamed:
            sha = new[path].sha
            found.append(FileDiff(path=path, status="renamed", sha=sha, patch=None, previous=renamed[path]))
        elif old.get(path) != new.get(path):
            found.append(_file(objects, path, old.get(path), new.get(path)))
    return found


def hunks(patch: str | None) -> Iterator[range]:
    """The lines of the new side that each hunk shows, context included."""
    for line in (patch or "").split("\n"):
        if match := _HUNK.match(line):
            start, length = int(match[3]), int(match[4] or 1)
            yield range(start, start + length)


def _file(objects: Objects, path: str, before: Leaf | None, after: Leaf | None) -> FileDiff:
    status = "added" if before is None else "removed" if after is None else "modified"
    old, new = _content(objects, before), _content(objects, after)
    sha = (after or before).sha
    if old is None or new is None:
        return FileDiff(path=path, status=status, sha=sha, patch=None)
    lines = list(_patch(old, new))
    text = "\n".join(lines)
    return FileDiff(
        path=path,
        status=status,
        sha=sha,
        patch=text if text and len(text) <= PATCH_LIMIT else None,
        additions=sum(line.startswith("+") for line in lines),
        deletions=sum(line.startswith("-") for line in lines),
    )


def _content(objects: Objects, leaf: Leaf | None) -> str | None:
    """The text of a side; None where it is binary."""
    if leaf is None:
        return ""
    if leaf.mode == SUBMODULE:
        return f"Subproject commit {leaf.sha}\n"
    content = objects.blobs[leaf.sha]
    if b"\0" in content[:8000] and leaf.mode != LINK:
        return None
    return content.decode("utf-8", "replace")


def _patch(old: str, new: str) -> Iterator[str]:
    for number, line in enumerate(difflib.unified_diff(_lines(old), _lines(new), n=3, lineterm="\n")):
        if number < 2:  # the names of the files
            continue
        yield line.removesuffix("\n")
        if not line.endswith("\n"):
            yield "\\ No newline at end of file"


def _lines(text: str) -> list[str]:
    """Lines end at ``\\n`` and nowhere else."""
    return [line for line in re.split(r"(?<=\n)", text) if line]
