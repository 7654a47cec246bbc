"""The text of a diff as unidiff reads it, out of what models write: headers and hunks, with right lengths.

Models count badly, leave out headers, forget the blank before unchanged lines, and write diffs of other
tools. What is no diff in a reply is left out. A file that no header names is :data:`UNNAMED`.
"""

import re
from collections.abc import Iterator

from bot.errors import InexpressibleChange
from bot.patch.replies.fences import fences

UNNAMED = "(unnamed)"
DEV_NULL = "/dev/null"
# A hunk header without numbers; no real file is that long.
NOWHERE = 999_999_999

_GIT_HEADER = re.compile(r'diff --git (?P<old>"(?:[^"\\]|\\.)*"|\S+) (?P<new>"(?:[^"\\]|\\.)*"|\S+)\s*')
_HUNK_HEADER = re.compile(r"@@+(?: -([0-9]{1,9})[0-9]*(?:,[0-9]+)? \+[0-9]+(?:,[0-9]+)? @@+.*|.*)")
# The form of another tool: "*** Update File: path", then hunks.
_UPDATE = re.compile(r"\*\*\* (?P<what>Update|Add) File: *(?P<path>\S.*?)\s*")
_END = re.compile(r"\*\*\* .*|(?:`{3,}|~{3,})\S*\s*")
_VERSION = re.compile(r"[0-9]+(\.[0-9]+)+\S*")
_INEXPRESSIBLE = (
    *("deleted file mode ", "rename to ", "rename from ", "copy from ", "old mode ", "GIT binary patch"),
    *("Binary files ", "new file mode 12", "new file mode 16"),
)
_DIFF_INFO = re.compile(r"(?:diff|patch|udiff)\b.*", re.IGNORECASE)


def canonical(reply: str) -> str:
    """The diff within ``reply``; empty when there is none.

    Raises:
        InexpressibleChange: the diff deletes or renames a file, changes a mode, or holds binary data.
    """
    return "".join(_canonical(reply.split("\n"))) or "".join(_unnamed(reply))


def _unnamed(reply: str) -> Iterator[str]:
    """Fences that are said to be diffs, or look so, and have no header."""
    for fence in fences(reply)[:20]:
        lines = fence.body.split("\n")
        hunks = any(_HUNK_HEADER.fullmatch(line) and line.startswith("@@") for line in lines)
        if not hunks and not (_DIFF_INFO.fullmatch(fence.info) and any(_changes(line) for line in lines)):
            continue
        named = fence.before.strip(" *`#:") if fence.before.strip(" *`#:").endswith(".py") else UNNAMED
        named = named if " " not in named else UNNAMED
        yield from _canonical([f"--- {named}", f"+++ {named}", *([] if hunks else ["@@"]), *lines])


def _changes(line: str) -> bool:
    return line.startswith(("+", "-")) and not line.startswith(("+++", "---"))


def _canonical(lines: list[str]) -> Iterator[str]:
    """The diff within ``lines``: headers and hunks only, with lengths that are right."""
    at, named = 0, False
    pending: str | None = None
    while at < len(lines):
        line = lines[at].removesuffix("\r")
        following = lines[at + 1].removesuffix("\r") if at + 1 < len(lines) else ""
        update = _UPDATE.fullmatch(line)
        if git := _GIT_HEADER.fullmatch(line):
            pending, named = f"--- {git['old']}\n+++ {git['new']}\n", False
        elif _is_inexpressible(line, pending):
            raise InexpressibleChange(
                "the diff deletes or renames a file, changes a mode, or holds a link or binary data: only "
                "changed and new files are accepted"
            )
        elif pending and line.startswith("new file mode "):
            # an empty new file has no hunk: one without lines stands for it
            named_so = pending.splitlines()[1]
            yield "" if _has_hunk(lines, at + 1) else f"--- {DEV_NULL}\n{named_so}\n"
        elif update or (line.startswith("--- ") and following.startswith("+++ ")):
            yield _updated(update) if update else f"{line}\n{following}\n"
            pending, named, at = None, True, at if update else at + 1
            if _goes_on_without_hunk_header(lines, at + 1):
                body = _body(lines, at + 1)
                yield _recounted("@@", body)
                at += len(body)
        elif line.startswith("@@") and (pending or named):
            yield pending or ""
            pending, named = None, True
            body = _body(lines, at + 1)
            yield _recounted(line, body)
            at += len(body)
        at += 1


def _is_inexpressible(line: str, pending: str | None) -> bool:
    return line.startswith("*** Delete File:") or (bool(pending) and line.startswith(_INEXPRESSIBLE))


def _updated(update: re.Match[str]) -> str:
    old = DEV_NULL if update["what"] == "Add" else update["path"]
    return f"--- {old}\n+++ {update['path']}\n"


def _has_hunk(lines: list[str], at: int) -> bool:
    first = next((line for line in lines[at:] if line.startswith(("@@", "diff --git "))), "")
    return first.startswith("@@")


def _goes_on_without_hunk_header(lines: list[str], at: int) -> bool:
    behind = next((line for line in lines[at : at + 4] if line.strip()), "")
    return bool(behind) and behind[0] in " +-" and not behind.startswith(("+++ ", "--- "))


def _body(lines: list[str], at: int) -> list[str]:
    end = at
    while end < len(lines) and not _ends_hunk(lines, end):
        if lines[end].strip("\r") and lines[end][0] not in " +-\\":
            break
        end += 1
    # unchanged lines whose blank is missing, as long as changed ones follow
    further = end
    while further < len(lines) and lines[further].strip() and not _ends_hunk(lines, further):
        further += 1
        end = further if _changes(lines[further - 1]) else end
    while end > at and not lines[end - 1].strip("\r"):
        end -= 1  # blank lines behind a hunk belong to the prose
    return lines[at:end]


def _ends_hunk(lines: list[str], at: int) -> bool:
    line = lines[at]
    after = [*lines[at + 1 : at + 3], "", ""]
    # "--- a" may also be a removed line "-- a": only a header has a hunk behind it
    if line.rstrip("\r") == "-- " and _VERSION.fullmatch(after[0].rstrip("\r")):
        return True  # the end of a mail that git wrote
    header = line.startswith("--- ") and after[0].startswith("+++ ") and after[1].startswith("@@")
    return header or line.startswith(("@@", "diff --git ")) or bool(_END.fullmatch(line.removesuffix("\r")))


def _recounted(header: str, body: list[str]) -> str:
    marked = [line if line.strip("\r") and line[0] in " +-\\" else " " + line for line in body]
    removed = sum(line[0] in " -" for line in marked)
    added = sum(line[0] in " +" for line in marked)
    match = _HUNK_HEADER.fullmatch(header)
    start = match[1] if match and match[1] else str(NOWHERE)
    return "".join(f"{line}\n" for line in [f"@@ -{start},{removed} +{start},{added} @@", *marked])
