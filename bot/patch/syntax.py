"""Python source as trees and values, without ever running it or failing on hostile input."""

import ast
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, TypeVar

from bot.patch.text import encode
from sandbox.silenced import silenced

# What CPython's parser raises for source that it cannot take: bad syntax, NULs, bad encodings, depth.
_PARSER_FAILURES = (SyntaxError, ValueError, RecursionError, MemoryError, LookupError)

_NOT_LITERAL = (ValueError, TypeError, SyntaxError, MemoryError, RecursionError)

MISSING = object()
"""The value of what is no literal."""

_ENDS = (ast.Return, ast.Raise, ast.Continue, ast.Break)
_BLOCKS = ("body", "orelse", "finalbody")

Function = ast.FunctionDef | ast.AsyncFunctionDef

_Block = TypeVar("_Block", ast.Module, ast.ClassDef)

_KEPT = "children of the node"

# Python writes no number of more than 4,300 decimal digits, but reads those of other bases.
_LONG_NUMBER = re.compile(r"0[xXoObB][0-9a-fA-F_]{3500}")

_LONE_RETURN = re.compile(r"\r(?!\n)")


def parsed(source: str) -> ast.Module | None:
    """The syntax tree of ``source``, or None when it does not parse."""
    try:
        return _parse(source)
    except _PARSER_FAILURES:
        return None


@lru_cache(maxsize=16)
def parsed_once(source: str) -> ast.Module | None:
    """What ``parsed`` gives, kept for who comes next: nobody may change the tree."""
    return parsed(source)


def children(node: ast.AST) -> tuple[ast.AST, ...]:
    """``ast.iter_child_nodes(node)``, kept with the node: nobody may change a tree that was given here."""
    known: tuple[ast.AST, ...] | None = node.__dict__.get(_KEPT)
    if known is None:
        found: list[ast.AST] = []
        for name in node._fields:
            value = getattr(node, name, None)
            if isinstance(value, ast.AST):
                found.append(value)
            elif type(value) is list:
                found += [item for item in value if isinstance(item, ast.AST)]
        known = node.__dict__[_KEPT] = tuple(found)
    return known


def walk(node: ast.AST) -> list[ast.AST]:
    """``ast.walk(node)``, in its order, by ``children``: rules walk the same trees many times."""
    found = [node]
    for one in found:
        found += children(one)
    return found


def with_body(node: _Block, body: list[ast.stmt]) -> _Block:
    """``node`` with other statements; all else is shared."""
    new = type(node).__new__(type(node))
    new.__dict__.update((name, value) for name, value in node.__dict__.items() if name != _KEPT)
    new.body = body
    return new


def copied(node: ast.AST) -> ast.AST:
    """A copy that may be changed, without what ``children`` keeps."""
    new = type(node).__new__(type(node))
    new.__dict__.update((name, _copied(value)) for name, value in node.__dict__.items() if name != _KEPT)
    return new


def _copied(value: Any) -> Any:  # noqa: ANN401 - whatever a field holds
    if type(value) is list:
        return [_copied(item) for item in value]
    return copied(value) if isinstance(value, ast.AST) else value


def alike(one: object, other: object) -> bool:
    """Whether two nodes, or values of a field, say the same, wherever they stand."""
    if type(one) is not type(other):
        return False
    if isinstance(one, ast.AST):
        return all(alike(getattr(one, name, None), getattr(other, name, None)) for name in one._fields)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(alike, one, other))
    return one == other if isinstance(one, str) else repr(one) == repr(other)


def same_code(one: str, other: str) -> bool:
    """Whether two texts differ in comments and layout at most; one that does not parse is like none."""
    first, second = parsed(one), parsed(other)
    try:
        return one == other or (first is not None and second is not None and alike(first, second))
    except RecursionError:
        return False


@lru_cache(maxsize=16)
def every_node(tree: ast.AST) -> tuple[ast.AST, ...]:
    """``walk(tree)``, kept for who comes next."""
    return tuple(walk(tree))


def assigned(tree: ast.AST, is_meant: Callable[[ast.expr], bool]) -> set[str]:
    """The names to which a value is assigned for which ``is_meant`` holds."""
    every = (one for one in every_node(tree) if isinstance(one, ast.Assign) and is_meant(one.value))
    return {target.id for one in every for target in one.targets if isinstance(target, ast.Name)}


def ids_within(tree: ast.AST, names: frozenset[str]) -> set[int]:
    """The ids of the nodes in functions that are called one of ``names``."""
    functions = (one for one in every_node(tree) if isinstance(one, Function) and one.name in names)
    return {id(node) for function in functions for node in walk(function)}


def parsed_by_lines(source: str) -> ast.Module | None:
    """The syntax tree, where its line numbers are those of ``split_lines``; None elsewhere.

    A lone carriage return ends a line for the parser, and for nobody else.
    """
    return None if _LONE_RETURN.search(source) else parsed(source)


def syntax_problem(path: str, source: str) -> str | None:
    """One line that says why ``source`` does not parse as Python; None when it does."""
    try:
        _parse(source)
    except SyntaxError as error:
        return f"syntax error in {path} line {error.lineno or 1}: {error.msg}"
    except RecursionError:
        return f"syntax error in {path} line 1: nested too deeply"
    except MemoryError:
        return f"syntax error in {path} line 1: too complex for the parser"
    except (ValueError, LookupError) as error:
        return f"syntax error in {path} line 1: {error}"
    return None


def _parse(source: str) -> ast.Module:
    if _LONG_NUMBER.search(source):
        raise ValueError("a number has too many digits to be written")
    with silenced():
        # bytes, so that a coding cookie and a byte order mark count as they do for the interpreter
        return ast.parse(encode(source))


def literal_value(written: ast.expr | str) -> object:
    """The value of an expression or a text that is written out; ``MISSING`` for any other."""
    try:
        return ast.literal_eval(written)
    except _NOT_LITERAL:
        return MISSING


def last_name(node: ast.AST) -> str:
    """``b`` of ``a.b`` and of ``b``; empty for anything else."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_word(node: ast.AST) -> bool:
    """Whether it is a text of more than one sign, which has no order that a program would ask for."""
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) > 1


def first_line(node: Function | ast.ClassDef) -> int:
    """The first line (1-based) of a definition with its decorators."""
    return min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])


def unreachable(tree: ast.AST) -> int:
    """How many statements follow one of their block that ends it."""
    return sum(
        isinstance(statement, _ENDS)
        for node in walk(tree)
        for name in _BLOCKS
        if isinstance(block := getattr(node, name, None), list)
        for statement in block[:-1]
    )


def is_constant(node: ast.AST) -> bool:
    """Whether the statement is a constant, such as a docstring, which nobody reads at run time."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def closure(name: str, direct: Mapping[str, set[str]]) -> set[str]:
    """The names that ``name`` leads to by ``direct``, over any number of steps."""
    found, waiting = set[str](), [name]
    while waiting:
        new = direct.get(waiting.pop(), set()) - found
        found |= new
        waiting += new
    return found


def decorator_name(node: ast.expr) -> str:
    """The last name of a decorator, also of one that is called."""
    return last_name(node.func if isinstance(node, ast.Call) else node)
