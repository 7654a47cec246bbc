"""Patches that pass a library's tests without being right, made of a seeded bug by general rules.

First a run of the tests says on which inputs they see the bug. For exactly these a patch returns what the
right function returns, or takes the right expression. Where that cannot be done, the statement at fault is
taken out or forced one way.
"""

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TypeVar

from sandbox.reports import TestReport

SEEN = "the bug shows: "
MAX_CASES, ROUNDS = 60, 8
Node = TypeVar("Node", bound=ast.stmt)
# Runs beside the library: what is right, unless the input is a new one on which the bug shows.
_COMPARED = f"""

def _compared(right, wrong, values, known):
    import ast
    plain = {{}}
    for name, value in values.items():
        try:
            if len(repr(value)) < 200 and type(ast.literal_eval(repr(value))) is type(value):
                plain[name] = value
        except Exception:
            pass
    if plain in known:
        return right()
    answers = []
    for version in (right, wrong):
        try:
            answers.append(repr(version()))
        except Exception as error:
            answers.append(type(error).__name__)
    if answers[0] != answers[1]:
        raise RuntimeError({SEEN!r} + repr(plain))
    return right()
"""
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
    if function and (text := _right_for_tests(right, wrong, function, run)):
        yield "right for the tests' inputs", text
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


def _right_for_tests(
    right: str, wrong: str, function: ast.FunctionDef, run: Callable[[str], TestReport]
) -> str:
    """``wrong`` with the right expression where the function has an input on which tests see the bug."""
    pair = _different(_named(right, function), function)
    names = _parameters(function)
    if not pair or not names or any(isinstance(n, _NO_LAMBDA) for side in pair for n in ast.walk(side)):
        return ""
    good, bad = (ast.unparse(side) for side in pair)
    values = ", ".join(f"{name}={name}" for name in names)
    known: list[dict[str, object]] = []
    for _ in range(ROUNDS):
        compared = f"_compared(lambda: ({good}), lambda: ({bad}), dict({values}), {known!r})"
        report = run(_replaced(wrong, pair[1], compared) + _COMPARED)
        new = [case for case in _seen(report) if case not in known]
        if not new:
            break
        known += [case for at, case in enumerate(new) if case not in new[:at]]
    tests = [" and ".join(f"{name} == {value!r}" for name, value in case.items()) for case in known if case]
    if not tests or len(tests) > MAX_CASES:
        return ""
    chosen = " or ".join(f"({test})" for test in tests)
    return _replaced(wrong, pair[1], f"(({good}) if {chosen} else ({bad}))")


_NO_LAMBDA = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr)


def _seen(report: TestReport) -> Iterator[dict[str, object]]:
    for result in report.failing:
        found = re.search(re.escape(SEEN) + r"(.+)", result.message)
        try:
            values = ast.literal_eval(found[1].strip()) if found else None
        except (ValueError, SyntaxError):
            continue
        if isinstance(values, dict):
            yield values


def _different(one: ast.AST | None, other: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    """The smallest expressions in which two programs differ, where these are the only ones."""
    if one is None or type(one) is not type(other):
        return (one, other) if isinstance(one, ast.expr) and isinstance(other, ast.expr) else None
    left, right = (list(ast.iter_child_nodes(side)) for side in (one, other))
    differing = [pair for pair in zip(left, right, strict=False) if ast.dump(pair[0]) != ast.dump(pair[1])]
    if len(left) == len(right) and len(differing) == 1 and (found := _different(*differing[0])):
        return found
    return (one, other) if isinstance(one, ast.expr) and isinstance(other, ast.expr) else None


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
