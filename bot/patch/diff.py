"""Patches as unified diffs that ``git apply`` takes, whatever the files' names and contents.

It writes diffs only; reading them is :mod:`bot.patch.replies.diffs`'s job.
"""

from bot.domain import Patch
from bot.patch.apply import apply
from bot.patch.text import LineChange, Sources, encode, line_changes, split_lines

CONTEXT_LINES = 3

_NO_NEWLINE = "\n\\ No newline at end of file\n"
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def unified_diff(patch: Patch, sources: Sources) -> str:
    r"""The patch as a git diff with three lines of context; empty when it changes nothing.

    Lines keep their bytes (CRLF, form feeds, undecodable bytes as surrogates): write the result with
    :func:`bot.patch.text.encode` and no newline translation.

    Raises:
        PatchError: the patch does not apply to ``sources``.
        UnicodeEncodeError: a path holds a surrogate that no byte stands behind.
    """
    changed = apply(patch, sources)
    return "".join(_file_diff(path, sources.get(path), changed[path]) for path in sorted(changed))


def changed_lines(patch: Patch, sources: Sources) -> int:
    """How many lines the patch's diff adds and removes, together.

    Raises:
        PatchError: the patch does not apply to ``sources``.
    """
    return len(lines_apart(apply(patch, sources), sources))


def lines_apart(changed: Sources, sources: Sources) -> list[str]:
    """The lines that a diff from ``sources`` to ``changed`` removes and adds."""
    found: list[str] = []
    for path, text in changed.items():
        old, new = split_lines(sources.get(path, "")), split_lines(text)
        for change in line_changes(old, new):
            found += old[change.old_start : change.old_end] + new[change.new_start : change.new_end]
    return found


def quote_path(path: str) -> str:
    """``path`` as git writes it in a header: C-quoted when it holds a special or non-ASCII byte.

    Raises:
        UnicodeEncodeError: ``path`` holds a surrogate that no byte stands behind.
    """
    quoted = "".join(map(_quote_byte, encode(path)))
    return path if quoted == path else f'"{quoted}"'


def _quote_byte(byte: int) -> str:
    if byte in _ESCAPES:
        return "\\" + _ESCAPES[byte]
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _file_diff(path: str, before: str | None, after: str) -> str:
    # git ends a name that holds a space with a tab, so that readers do not take the rest for a date
    tab = "\t" if " " in path else ""
    source, target = quote_path(f"a/{path}"), quote_path(f"b/{path}")
    header = f"diff --git {source} {target}\n"
    if before is None:
        header += "new file mode 100644\n"
    old, new = split_lines(before or ""), split_lines(after)
    hunks = _hunks(old, new)
    if not hunks:
        return header
    origin = "/dev/null" if before is None else f"{source}{tab}"
    return f"{header}--- {origin}\n+++ {target}{tab}\n{hunks}"


def _hunks(old: list[str], new: list[str]) -> str:
    groups: list[list[LineChange]] = []
    for change in line_changes(old, new):
        if groups and change.old_start - groups[-1][-1].old_end <= 2 * CONTEXT_LINES:
            groups[-1].append(change)
        else:
            groups.append([change])
    return "".join(_hunk(group, old, new) for group in groups)


def _hunk(group: list[LineChange], old: list[str], new: list[str]) -> str:
    start = max(0, group[0].old_start - CONTEXT_LINES)
    end = min(len(old), group[-1].old_end + CONTEXT_LINES)
    new_start = group[0].new_start - (group[0].old_start - start)
    new_end = group[-1].new_end + (end - group[-1].old_end)
    body: list[str] = []
    position = start
    for change in group:
        body += (_line(" ", line) for line in old[position : change.old_start])
        body += (_line("-", line) for line in old[change.old_start : change.old_end])
        body += (_line("+", line) for line in new[change.new_start : change.new_end])
        position = change.old_end
    body += (_line(" ", line) for line in old[position:end])
    return f"@@ -{_range(start, end)} +{_range(new_start, new_end)} @@\n" + "".join(body)


def _line(mark: str, line: str) -> str:
    return mark + (line if line.endswith("\n") else line + _NO_NEWLINE)


def _range(start: int, end: int) -> str:
    length = end - start
    if length == 1:
        return str(start + 1)
    # an empty range names the line before it
    return f"{start + 1 if length else start},{length}"
