"""Which expressions of a module give an object of the standard library, followed through its names.

An object of the standard library has a class that makes files and sockets, though no source names it.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.modules import is_pure, is_standard
from bot.patch.syntax import last_name

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Attributes under which files and sockets are kept by what is made of them.
_KEPT = words("raw buffer stdin stdout stderr socket")
_HANDING_ON = words("iter next reversed list tuple set frozenset sorted max min getattr enumerate zip type")


class Origins:
    """What the names, attributes and functions of ``tree`` stand for: the module that it comes from.

    ``types`` are names of classes. A name counts in the whole module, whatever function binds it: another
    of the same name is taken for it.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._imported = dict(_imported(tree))
        self._known: dict[str, str] = {}
        self._types = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        bindings = list(_bindings(tree))
        while True:
            size = len(self._known) + len(self._types)
            for key, value in bindings:
                if origin := self.of(value):
                    self._known.setdefault(key, origin)
                if self.is_type(value):
                    self._types.add(key)
            if len(self._known) + len(self._types) == size:
                return

    def of(self, node: ast.AST | None) -> str:
        """The module of the standard library that an object comes from; empty where it is none's."""
        match node:
            case ast.Name(id=name):
                imported = self._imported.get(name, "")
                return (
                    imported if is_standard(imported) and not is_pure(imported) else self._known.get(name, "")
                )
            case ast.Attribute(value=value, attr=attribute):
                return self.of(value) or self._known.get(
                    f".{attribute}", attribute if attribute in _KEPT else ""
                )
            case ast.Call(func=ast.Name(id="open") | ast.Attribute(attr="open")):
                return "open"
            case ast.Call(func=ast.Name(id=name), args=[given, *_]) if name in _HANDING_ON:
                return self.of(given)
            case ast.Call(func=function):
                return self._known.get(f"{last_name(function)}()", "") or self.of(function)
            case ast.Subscript(value=value) | ast.Starred(value=value) | ast.Await(value=value):
                return self.of(value)
            case ast.NamedExpr(value=value):
                return self.of(value)
            case ast.IfExp(body=one, orelse=other):
                return self.of(one) or self.of(other)
            case ast.BoolOp(values=values) | ast.Tuple(elts=values) | ast.List(elts=values):
                return next(filter(None, map(self.of, values)), "")
        return ""

    def is_type(self, node: ast.AST) -> bool:
        """Whether it is a class by its name, so that its own class makes classes."""
        match node:
            case ast.Name(id=name):
                return name in self._types or (name in self._imported and _is_class_name(name))
            case ast.Attribute(value=value, attr=name):
                return _is_class_name(name) and isinstance(value, ast.Name) and value.id in self._imported
            case ast.Call(func=ast.Name(id="type"), args=[_]):
                return True
        return isinstance(node, ast.Attribute) and node.attr == "__class__"


def _is_class_name(name: str) -> bool:
    return name[:1].isupper() and not name.isupper()


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                bound = one.asname or one.name.partition(".")[0]
                yield bound, one.name if one.asname else bound
        elif isinstance(node, ast.ImportFrom):
            prefix = f"{'.' * node.level}{node.module or ''}"
            yield from ((one.asname or one.name, f"{prefix}.{one.name}") for one in node.names)


def _bindings(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _bound(target, value)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
            ):
                yield from _bound(target, value)
            case ast.For(target=target, iter=value) | ast.AsyncFor(target=target, iter=value):
                yield from _bound(target, value)
            case ast.comprehension(target=target, iter=value):
                yield from _bound(target, value)
            case ast.withitem(context_expr=value, optional_vars=ast.expr() as target):
                yield from _bound(target, value)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                yield from ((f"{name}()", value) for value in _results(node))


def _bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    match target, value:
        case ast.Name(id=name), _:
            yield name, value
        case ast.Attribute(attr=name), _:
            yield f".{name}", value
        case (
            ast.Tuple(elts=names) | ast.List(elts=names),
            ast.Tuple(elts=values) | ast.List(elts=values),
        ) if len(names) == len(values):
            for one, part in zip(names, values, strict=True):
                yield from _bound(one, part)
        case ast.Tuple(elts=names) | ast.List(elts=names), _:
            for one in names:
                yield from _bound(one, value)


def _results(function: _Function) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        if isinstance(node, ast.Return | ast.Yield) and node.value:
            yield node.value
