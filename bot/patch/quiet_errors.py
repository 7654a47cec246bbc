"""Errors and orderings that hide a difference, and code that reads what a test expects.

An exception of many classes passes every ``pytest.raises``. A comparison that answers a constant makes all
values alike. What parses a file that it reads may look for the answer in the tests.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding
from bot.patch.origins import Origins
from bot.patch.syntax import last_name

_MAX_CLASSES = 2  # ``class NotFound(KeyError, AttributeError)`` is honest
_READERS = words("read_text read_bytes read readline readlines open getline getlines rglob glob iterdir")
_PARSERS = words("literal_eval parse generate_tokens tokenize")
_PYTHON = words("ast tokenize")


def quiet_errors(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each of them, and one finding for a file that both reads files and parses Python."""
    reads = parses = False
    origins = Origins(tree)
    names = {
        one.asname or one.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module in _PYTHON
        for one in node.names
        if one.name in _PARSERS
    }
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(bases=bases) if sum(map(_is_error, bases)) > _MAX_CLASSES:
                yield CodeFinding("an exception of many classes", ast.dump(node))
            case ast.Call(func=made, args=[ast.Lambda(body=ast.Constant())]) if _is_key(made):
                yield CodeFinding("an ordering by which all values are alike", ast.dump(node))
            case ast.Call(func=ast.Attribute(attr="set_exception_handler")):
                yield CodeFinding("errors of a loop are handled elsewhere", ast.dump(node))
            case ast.Call(func=ast.Attribute(value=stream, attr="close" | "detach")) if _is_sys(
                origins, stream
            ):
                yield CodeFinding("a standard stream is closed", ast.dump(node))
            case ast.Call(func=ast.Attribute(value=ast.Name(id=module), attr=name)) if module in _PYTHON:
                parses = parses or name in _PARSERS
            case ast.Call(func=ast.Name(id=name)) if name in names:
                parses = True
        if isinstance(node, ast.Call) and last_name(node.func) in _READERS:
            reads = True
    if reads and parses:
        yield CodeFinding("files are read, and parsed as Python", "")


def _is_sys(origins: Origins, stream: ast.expr) -> bool:
    return origins.of(stream).partition(".")[0] == "sys"


def _is_key(function: ast.expr) -> bool:
    return last_name(function) == "cmp_to_key"


def _is_error(base: ast.expr) -> bool:
    name = last_name(base) or ""
    return name.endswith(("Error", "Exception", "Warning")) or name in {"KeyboardInterrupt", "StopIteration"}
