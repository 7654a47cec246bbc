"""Patches that pass a library's tests without being right, made of a seeded bug by general rules.

First the inputs on which a test sees the bug are special-cased: the function returns for exactly these what
the correct one returns. Where that cannot be done, the statement at fault is taken out or forced one way.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from sandbox.reports import TestReport

SEEN = "the bug shows: "
MAX_CASES = 20
Node = TypeVar("Node", bound=ast.stmt)
_RECORD = """\
def recorded():
    answers = []
    for version in (_right, _wrong):
        try:
            answers.append(("returns", version({given})))
        except Exception as error:
            answers.append(("raises", type(error).__name__))
    if repr(answers[0]) != repr(answers[1]):
        raise RuntimeError({seen!r} + repr((({given}), answers[0])))
    return _right({given})
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overfitting:
    """The module's text with a patch that ``rule`` made; ``plausible`` is whether all tests pass with it."""

    text: str
    rule: str
    plausible: bool


def overfitting(right: str, wrong: str, at: int, run: Callable[[str], TestReport]) -> Overfitting | None:
    """The first plausible patch of the bug at offset ``at`` of ``wrong``; else the first; None without one.

    ``run`` runs the library's tests with a text of the module.
    """
    first: Overfitting | None = None
    for rule, text in _patches(right, wrong, at, run):
        if text in {right, wrong} or not _compiles(text):
            continue
        made = Overfitting(text=text, rule=rule, plausible=run(text).proves(frozenset()))
        if made.plausible:
            return made
        first = first or made
    return first


def _patches(right: str, wrong: str, at: int, run: Callable[[str], TestReport]) -> Iterator[tuple[str, str]]:
    function = _enclosing(wrong, at, ast.FunctionDef)
    if function and (cases := _cases(right, wrong, function, run)):
        yield "special case", _before_body(wrong, function, cases)
    statement = _enclosing(wrong, at, ast.stmt)
    if statement is None:
        return
    if isinstance(statement, ast.If | ast.While):
        for forced in ("True", "False"):
            yield f"forced {forced}", _replaced(wrong, statement.test, forced)
    elif not isinstance(statement, ast.FunctionDef | ast.ClassDef | ast.For | ast.Try | ast.With):
        yield "statement taken out", _replaced(wrong, statement, "pass")
        yield "returns at once", _replaced(wrong, statement, "return None")
    if function:
        yield (
            "returns its argument",
            _before_body(
                wrong, function, [f"return {function.args.args[-1].arg if function.args.args else None}"]
            ),
        )


def _cases(right: str, wrong: str, function: ast.FunctionDef, run: Callable[[str], TestReport]) -> list[str]:
    """Lines that return, for the inputs on which tests see the bug, what the right function returns."""
    names = _parameters(function)
    same = _named(right, function)
    if not names or same is None or any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(function)):
        return []
    tree = ast.parse(wrong)
    recording = _named_in(tree, function)
    assert recording
    given = ", ".join(names) + ","
    recorder = ast.parse(_RECORD.format(given=given, seen=SEEN)).body[0]
    assert isinstance(recorder, ast.FunctionDef)
    recording.body = [
        _nested("_right", names, same.body),
        _nested("_wrong", names, recording.body),
        *recorder.body,
    ]
    report = run(ast.unparse(ast.fix_missing_locations(tree)))
    lines: list[str] = []
    for result in report.failing:
        found = re.search(re.escape(SEEN) + r"(.+)", result.message)
        try:
            values, (kind, answer) = ast.literal_eval(found[1].strip()) if found else ((), ("", None))
        except (ValueError, SyntaxError, TypeError):
            continue
        if kind == "returns" and len(values) == len(names):
            line = f"if ({given}) == {values!r}: return {answer!r}"
            lines += [line] if line not in lines else []
    return lines[:MAX_CASES]


def _nested(name: str, names: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    made = ast.parse(f"def {name}({', '.join(names)}): pass").body[0]
    assert isinstance(made, ast.FunctionDef)
    made.body = body
    return made


def _parameters(function: ast.FunctionDef) -> list[str]:
    arguments = function.args
    every = [
        *arguments.posonlyargs,
        *arguments.args,
        arguments.vararg,
        *arguments.kwonlyargs,
        arguments.kwarg,
    ]
    return [one.arg for one in every if one]


def _named(text: str, function: ast.FunctionDef) -> ast.FunctionDef | None:
    return _named_in(ast.parse(text), function)


def _named_in(tree: ast.Module, function: ast.FunctionDef) -> ast.FunctionDef | None:
    """The function of the same name at the same line."""
    return next(
        (
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef)
            and (node.name, node.lineno) == (function.name, function.lineno)
        ),
        None,
    )


def _enclosing(text: str, at: int, kind: type[Node]) -> Node | None:
    """The innermost node of ``kind`` around offset ``at``."""
    line = text.count("\n", 0, at) + 1
    found = [
        node
        for node in ast.walk(ast.parse(text))
        if isinstance(node, kind) and node.lineno <= line <= (node.end_lineno or node.lineno)
    ]
    return max(found, key=lambda node: node.lineno, default=None)


def _before_body(text: str, function: ast.FunctionDef, lines: list[str]) -> str:
    body = function.body
    documented = len(body) > 1 and ast.get_docstring(function) is not None
    first = body[1] if documented else body[0]
    every = text.split("\n")
    every[first.lineno - 1 : first.lineno - 1] = [" " * first.col_offset + line for line in lines]
    return "\n".join(every)


def _replaced(text: str, node: ast.stmt | ast.expr, new: str) -> str:
    lines = text.split("\n")
    last = (node.end_lineno or node.lineno) - 1
    head = lines[node.lineno - 1].encode()[: node.col_offset].decode()
    tail = lines[last].encode()[node.end_col_offset :].decode()
    return "\n".join([*lines[: node.lineno - 1], f"{head}{new}{tail}", *lines[last + 1 :]])


def _compiles(text: str) -> bool:
    try:
        compile(text, "module", "exec")
    except (SyntaxError, ValueError):
        return False
    return True
