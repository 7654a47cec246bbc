"""What outdated tests would assert, checked anew: literals of assertions in files of tests, no more."""

import ast
from collections.abc import Iterator, Mapping
from itertools import accumulate

from bot.domain import SpanEdit
from bot.patch.policy.files.protected import is_python, is_test_path
from bot.patch.syntax import MISSING, last_name, literal_value, parsed
from bot.patch.text import one_line, split_lines, unix_newlines

LABEL = "This changes what the test expects"
_EXPECTING = frozenset({"raises", "warns", "parametrize", "approx"})


def problem_of(edits: tuple[SpanEdit, ...], texts: Mapping[str, str]) -> str:
    """Why ``edits`` of ``texts`` are no new expectations; empty where each exchanges an asserted literal."""
    for edit in edits:
        if not (is_python(edit.path) and is_test_path(edit.path)):
            return f"{one_line(edit.path)} is no file of tests"
        if literal_value(edit.replacement.strip()) is MISSING:
            return f"what is new in {one_line(edit.path)} is no literal"
        if (edit.start, edit.end) not in set(_asserted(texts.get(edit.path, ""))):
            return f"what is replaced in {one_line(edit.path)} is no literal of an assertion"
    return ""


def _asserted(text: str) -> Iterator[tuple[int, int]]:
    """Where the literals stand that assertions of ``text`` hold, as offsets."""
    lines = split_lines(text)
    starts = [0, *accumulate(map(len, lines))]

    def offset(line: int, column: int) -> int:
        before = lines[line - 1].encode("utf-8", "surrogateescape")[:column]
        return starts[line - 1] + len(before.decode("utf-8", "surrogateescape"))

    # Python ends a line at a lone carriage return, too.
    tree = parsed(text) if "\r" not in unix_newlines(text) else None
    for statement in ast.walk(tree) if tree else ():
        for node in ast.walk(statement) if _expects(statement) else ():
            if isinstance(node, ast.expr) and literal_value(node) is not MISSING:
                end = offset(node.end_lineno or node.lineno, node.end_col_offset or 0)
                yield offset(node.lineno, node.col_offset), end


def _expects(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        return name in _EXPECTING or name.startswith("assert")
    return isinstance(node, ast.Assert)
