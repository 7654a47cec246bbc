"""What outdated tests would assert, checked anew: literals of assertions in files of tests, no more."""

import ast
from collections.abc import Iterator, Mapping

from bot.domain import SpanEdit
from bot.patch.policy.files.protected import is_python, is_test_path
from bot.patch.syntax import MISSING, last_name, literal_value
from bot.patch.text import one_line
from bot.search.source import parse

LABEL = "This changes what the test expects"
_EXPECTING = frozenset({"raises", "warns", "parametrize", "approx"})


def problem_of(edits: tuple[SpanEdit, ...], texts: Mapping[str, str]) -> str:
    """Why ``edits`` of ``texts`` are no new expectations; empty where each exchanges an asserted literal."""
    for edit in edits:
        if not (is_python(edit.path) and is_test_path(edit.path)):
            return f"{one_line(edit.path)} is no file of tests"
        if literal_value(edit.replacement.strip()) is MISSING:
            return f"what is new in {one_line(edit.path)} is no literal"
        if (edit.start, edit.end) not in set(_asserted(edit.path, texts.get(edit.path, ""))):
            return f"what is replaced in {one_line(edit.path)} is no literal of an assertion"
    return ""


def _asserted(path: str, text: str) -> Iterator[tuple[int, int]]:
    """Where the literals stand that assertions of ``text`` hold, as offsets."""
    source = parse(path, text)
    for statement in ast.walk(source.tree) if source else ():
        for node in ast.walk(statement) if _expects(statement) else ():
            if source and isinstance(node, ast.expr) and literal_value(node) is not MISSING:
                yield source.segment(node)


def _expects(node: ast.AST) -> bool:
    if isinstance(node, ast.Call):
        name = last_name(node.func)
        return name in _EXPECTING or name.startswith("assert")
    return isinstance(node, ast.Assert)
