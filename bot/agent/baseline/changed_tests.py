"""Which tests the suspected change added or changed, by the source of each in the two versions."""

import ast
from collections.abc import Mapping, Sequence
from copy import deepcopy
from doctest import DocTestParser
from enum import Enum, auto
from functools import lru_cache

from bot.patch.syntax import parsed
from bot.request import RepairRequest
from sandbox.reports import TestResult

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


class SourceChange(Enum):
    """What the change did to a test's own source."""

    SAME = auto()
    ADDED = auto()
    CHANGED = auto()
    UNKNOWN = auto()  # inherited, generated, or no Python


def source_of(test: str, request: RepairRequest, sources: Mapping[str, str]) -> SourceChange:
    """What the change that ``request`` suspects did to the source of ``test``, a node id."""
    path, *names = test.partition("[")[0].split("::")
    if path in request.base_lacks:
        return SourceChange.ADDED
    if path not in sources:
        return SourceChange.UNKNOWN
    if path not in request.base:
        return SourceChange.SAME
    if not names:
        return SourceChange.CHANGED
    texts = (sources[path], request.base[path])
    new, old = (definition(text, tuple(names)) for text in texts)
    if new is None:
        now, before = (_examples(example_place(text, names[-1])[0]) for text in texts)
        return SourceChange.SAME if now and now == before else SourceChange.UNKNOWN
    if old is None:
        return SourceChange.ADDED
    try:
        return SourceChange.SAME if _essence(new) == _essence(old) else SourceChange.CHANGED
    except RecursionError:  # nested too deeply to be compared
        return SourceChange.UNKNOWN


def of_change(
    results: Sequence[TestResult], request: RepairRequest, sources: Mapping[str, str]
) -> tuple[TestResult, ...]:
    """Those of ``results`` whose tests the change added or changed."""
    if not request.base and not request.base_lacks:
        return ()
    touched = request.base.keys() | request.base_lacks
    near = [one for one in results if one.test.partition("::")[0] in touched]
    own = (SourceChange.ADDED, SourceChange.CHANGED)
    return tuple(one for one in near if source_of(one.test, request, sources) in own)


def example_place(text: str, name: str) -> tuple[str, int]:
    """The docstring in ``text`` that a doctest's dotted ``name`` stands for, and its definition's line.

    Empty where there is none: the first parts of the name are the module's.
    """
    parts = tuple(name.split("."))
    known = _definitions(text)
    found = next((known[parts[at:]] for at in range(1, len(parts)) if parts[at:] in known), None)
    return (ast.get_docstring(found) or "", found.lineno) if found else ("", 1)


def _examples(docstring: str) -> list[tuple[str, str]]:
    try:
        return [(one.source, one.want) for one in DocTestParser().get_examples(docstring)]
    except ValueError:
        return []


def definition(text: str, names: tuple[str, ...]) -> _Definition | None:
    """The function or class that ``names`` lead to in ``text``; None where there is none.

    A method goes with what prepares it: a change of its class's other parts is none of it.
    """
    return _definitions(text).get(names)


def _essence(node: _Definition) -> str:
    """What ``node`` does: its syntax tree without annotations and docstrings."""
    copy = deepcopy(node)
    for one in ast.walk(copy):
        if isinstance(one, _Definition) and ast.get_docstring(one, clean=False) is not None:
            del one.body[0]
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            one.returns = None
        elif isinstance(one, ast.arg):
            one.annotation = None
    return ast.dump(copy)


@lru_cache(maxsize=64)
def _definitions(text: str) -> Mapping[tuple[str, ...], _Definition]:
    tree = parsed(text)
    return dict(_below(tree, ())) if tree else {}


def _below(
    node: ast.Module | ast.ClassDef, above: tuple[str, ...]
) -> list[tuple[tuple[str, ...], _Definition]]:
    found: list[tuple[tuple[str, ...], _Definition]] = []
    for child in node.body:
        if isinstance(child, _Definition):
            found.append(((*above, child.name), child))
            if isinstance(child, ast.ClassDef):
                found += _below(child, (*above, child.name))
    return found
