"""What stands above a class by the names in its file: bases, and what names stand for others."""

import ast
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from bot.patch.syntax import closure, every_node, last_name


def ancestors(tree: ast.Module) -> Mapping[str, frozenset[str]]:
    """The names above each name: ``A`` and ``tuple`` of ``B`` for ``A = tuple`` and ``class B(A)``."""
    classes = (node for node in every_node(tree) if isinstance(node, ast.ClassDef))
    bases = ((node.name, above) for node in classes for base in node.bases for above in _named(base))
    return _related(chain(bases, (one for node in every_node(tree) for one in _direct(node))))


def aliases(tree: ast.Module) -> Mapping[str, frozenset[str]]:
    """The same without the bases of classes: what each name stands for."""
    return _related(one for node in every_node(tree) for one in _direct(node))


def _related(pairs: Iterable[tuple[str, str]]) -> Mapping[str, frozenset[str]]:
    direct: dict[str, set[str]] = {}
    for name, above in pairs:
        direct.setdefault(name, set()).add(above)
    return {name: frozenset(closure(name, direct)) for name in direct}


def _direct(node: ast.AST) -> Iterator[tuple[str, str]]:
    match node:
        case ast.Import(names=names) | ast.ImportFrom(names=names):
            yield from ((one.asname, one.name.rpartition(".")[2]) for one in names if one.asname)
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value)
            | ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value)
            | ast.NamedExpr(target=ast.Name(id=name), value=value)
        ) if not isinstance(value, ast.Call):
            yield from ((name, above) for above in _named(value))


def _named(value: ast.expr) -> Iterator[str]:
    """The names that ``value`` may give: ``A`` of ``A``, ``x.A``, ``A[int]`` and ``A if x else B``."""
    match value:
        case ast.Subscript(value=inner) | ast.Starred(value=inner):
            yield from _named(inner)
        case ast.Name() | ast.Attribute():
            yield last_name(value)
        case ast.IfExp(body=one, orelse=other):
            yield from (*_named(one), *_named(other))
        case ast.BoolOp(values=values) | ast.Tuple(elts=values) | ast.List(elts=values):
            yield from (name for one in values for name in _named(one))
