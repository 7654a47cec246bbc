"""What a change brings with it: adapted tests, lines of documentation, a commit message. Pure."""

import ast
import re
from collections.abc import Mapping

from benchmarks.intended.literals import DEFAULT, Change
from bot.patch.syntax import Function, first_line, parsed

_CHANGELOG = re.compile(r"(?:changes|changelog|history|news|readme)[^/]*\.(?:md|rst|txt)\Z", re.IGNORECASE)
# Of another change of the same function, or of none; a fault comes with one of these.
BESIDE = (
    "Speed up {}",
    "Simplify {}",
    "Add type hints to {}",
    "Split {} into smaller steps",
    "Fix a warning of the linter in {}",
)


def said(change: Change, *, new: str = "", variant: int = 0) -> str:
    """A sentence about ``change`` that says what is new, as people say it; ``new`` in place of the value."""
    value, what = new or change.new, change.kind
    if what == DEFAULT:
        name, _, function = change.subject.partition(" of ")
        forms = (
            f"The default of ``{name}`` in ``{function}`` is ``{value}`` now",
            f"Change the default of {name} in {function} from {change.old} to {value}",
            f"``{function}``: ``{name}={value}`` unless another value is given",
        )
    else:
        forms = (
            f"The {what} of ``{change.subject}`` has ``{value}`` instead of ``{change.old}``",
            f"Use {value!r} in place of {change.old!r} in the {what} of {change.subject}",
            f"``{change.subject}``: {value!r} in the {what}",
        )
    return forms[variant % len(forms)]


def vague(change: Change) -> str:
    """A sentence about ``change`` without its value."""
    return f"Change the {change.kind} of {change.subject}"


def with_changelog(files: Mapping[str, str], line: str) -> tuple[str, str] | None:
    """The path and the new text of the changelog with ``line`` before its first item; None without one."""
    paths = [path for path in files if "/" not in path and _CHANGELOG.search(path)]
    paths.sort(key=lambda path: (path.lower().startswith("readme"), path))
    if not paths:
        return None
    lines = files[paths[0]].splitlines(keepends=True)
    at = next((n for n, one in enumerate(lines) if re.match(r"\s*[-*] ", one)), len(lines))
    start = re.match(r"\s*[-*] ", lines[at])[0] if at < len(lines) else "- "  # type: ignore[index]
    return paths[0], "".join([*lines[:at], f"{start}{line}.\n", *lines[at:]])


def with_docstring(text: str, change: Change, line: str) -> str | None:
    """``text`` with ``line`` at the end of the docstring of the changed function; None without one."""
    tree = parsed(text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, Function) and node.lineno == change.first and ast.get_docstring(node):
            value = node.body[0].value  # type: ignore[attr-defined]
            lines = text.splitlines(keepends=True)
            last = lines[value.end_lineno - 1]
            at = value.end_col_offset - 3
            if last[at : at + 3] != '"""':
                return None
            room = " " * node.body[0].col_offset
            lines[value.end_lineno - 1] = f"{last[:at].rstrip()}\n\n{room}{line}.\n{room}{last[at:]}"
            return "".join(lines)
    return None


def function_of(text: str, test: str) -> tuple[int, int] | None:
    """The lines (0-based, the end excluded) of the function of the node id ``test`` with its decorators."""
    _, *names = test.partition("[")[0].split("::")
    node: ast.AST | None = parsed(text)
    for name in names:
        body = getattr(node, "body", [])
        node = next((one for one in body if getattr(one, "name", "") == name), None)
    if not isinstance(node, Function):
        return None
    return first_line(node) - 1, node.end_lineno or node.lineno


def exchanged(text: str, test: str, change: Change) -> str | None:
    """``text`` with the new literal for the old one everywhere in ``test``; None where it has none."""
    place = function_of(text, test)
    if place is None:
        return None
    lines = text.splitlines(keepends=True)
    own = "".join(lines[slice(*place)])
    pattern = re.escape(change.old)
    if change.old.isidentifier():
        pattern = rf"\b{pattern}\b"
    new = re.sub(pattern, lambda _: change.new, own)
    return None if new == own else "".join([*lines[: place[0]], new, *lines[place[1] :]])


def with_copy(text: str, test: str, suffix: str) -> tuple[str, str] | None:
    """``text`` with a copy of the function of ``test`` below it, and the copy's node id."""
    place = function_of(text, test)
    if place is None:
        return None
    name = test.partition("[")[0].rpartition("::")[2]
    lines = text.splitlines(keepends=True)
    copy = "".join(lines[slice(*place)]).replace(f"def {name}(", f"def {name}{suffix}(", 1)
    node = f"{test.partition('[')[0]}{suffix}"
    return "".join([*lines[: place[1]], "\n", copy, *lines[place[1] :]]), node
