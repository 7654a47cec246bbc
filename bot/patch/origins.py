"""Which expressions of a module give an object of the standard library, followed through its names.

An object of the standard library has a class that makes files and sockets, though no source names it.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.modules import is_pure, is_standard
from bot.patch.scopes import Function, function_names
from bot.patch.syntax import last_name

_Function = ast.FunctionDef | ast.AsyncFunctionDef
# Attributes under which files and sockets are kept by what is made of them.
_KEPT = words("raw buffer stdin stdout stderr socket")
_PASSING = words("contextlib copy operator functools itertools weakref")
_HANDING_ON = words("iter next reversed list tuple set frozenset sorted max min getattr enumerate zip type")


class Origins:
    """What the names, attributes and functions of ``tree`` stand for: the module that it comes from.

    A name counts in the function that binds it, an attribute or a method in the whole module.
    """

    def __init__(self, tree: ast.Module) -> None:
        self._imported = dict(_imported(tree))
        self._scoped = dict(_scoped(tree))
        self._known: dict[str, str] = {}
        self._types = {node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef)}
        bindings = [(self._key(target), value) for target, value in (*_bindings(tree), *_given(tree))]
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
                if self._key(node) != name:  # a function binds it
                    return self._known.get(self._key(node), "")
                return self._module(name) or self._known.get(name, "")
            case ast.Attribute(value=value, attr=attribute):
                kept = attribute if attribute in _KEPT else ""
                return self.of(value) or self._known.get(f".{attribute}", kept)
            case ast.Call(func=function, args=arguments):
                return self._result(function, arguments)
        return next(filter(None, map(self.of, _parts(node))), "")

    def _result(self, function: ast.expr, arguments: list[ast.expr]) -> str:
        name = last_name(function)
        if name == "open":
            return name
        if self._root(function) in _PASSING or (isinstance(function, ast.Name) and name in _HANDING_ON):
            return next(filter(None, map(self.of, arguments)), "")
        return self._known.get(f"{name}()", "") or self.of(function)

    def _module(self, name: str) -> str:
        imported = self._imported.get(name, "")
        return imported if is_standard(imported) and not is_pure(imported) else ""

    def _root(self, node: ast.expr) -> str:
        while isinstance(node, ast.Attribute):
            node = node.value
        name = self._imported.get(node.id, "") if isinstance(node, ast.Name) else ""
        return name.partition(".")[0]

    def _key(self, target: ast.AST | str) -> str:
        match target:
            case ast.Name(id=name) | ast.arg(arg=name):
                return self._scoped.get(id(target), name)
        return target if isinstance(target, str) else ""

    def is_type(self, node: ast.AST) -> bool:
        """Whether it is a class by its name, so that its own class makes classes."""
        match node:
            case ast.Name(id=name):
                return self._key(node) in self._types or (name in self._imported and _is_class_name(name))
            case ast.Attribute(value=value, attr=name):
                return _is_class_name(name) and isinstance(value, ast.Name) and value.id in self._imported
            case ast.Call(func=ast.Name(id="type"), args=[_]):
                return True
        return isinstance(node, ast.Attribute) and node.attr == "__class__"


def _parts(node: ast.AST | None) -> list[ast.expr]:
    """The expressions of which ``node`` gives one, or holds them."""
    match node:
        case ast.Subscript(value=value) | ast.Starred(value=value) | ast.Await(value=value):
            return [value]
        case ast.NamedExpr(value=value) | ast.Lambda(body=value) | ast.DictComp(value=value):
            return [value]
        case ast.ListComp(elt=value) | ast.GeneratorExp(elt=value) | ast.SetComp(elt=value):
            return [value]
        case ast.IfExp(body=one, orelse=other):
            return [one, other]
        case ast.BoolOp(values=values) | ast.Dict(values=values):
            return values
        case ast.Tuple(elts=values) | ast.List(elts=values) | ast.Set(elts=values):
            return values
    return []


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


def _bindings(tree: ast.Module) -> Iterator[tuple[ast.AST | str, ast.expr]]:
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


def _bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.AST | str, ast.expr]]:
    match target, value:
        case ast.Name(), _:
            yield target, value
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


def _given(tree: ast.Module) -> Iterator[tuple[ast.AST | str, ast.expr]]:
    """The parameters of the module's functions, each with what a call gives it."""
    functions: dict[str, list[list[ast.arg]]] = {}
    for owner in ast.walk(tree):
        for node in ast.iter_child_nodes(owner):
            if isinstance(node, _Function):
                named = [*node.args.posonlyargs, *node.args.args]
                given = named[1:] if isinstance(owner, ast.ClassDef) else named
                name = (
                    owner.name if isinstance(owner, ast.ClassDef) and node.name == "__init__" else node.name
                )
                functions.setdefault(name, []).append([*given, *node.args.kwonlyargs])
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            for parameters in functions.get(last_name(node.func), []):
                yield from zip(parameters, node.args, strict=False)
                by_name = {one.arg: one for one in parameters}
                yield from ((by_name[one.arg], one.value) for one in node.keywords if one.arg in by_name)


def _scoped(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """The names that functions bind, by their place, each with a key of its own."""
    waiting: list[tuple[ast.AST, dict[str, int]]] = [(tree, {})]
    while waiting:
        node, around = waiting.pop()
        if isinstance(node, Function):
            around = {**around, **dict.fromkeys(function_names(node), id(node))}
        if isinstance(node, ast.Name | ast.arg):
            name = node.id if isinstance(node, ast.Name) else node.arg
            if scope := around.get(name):
                yield id(node), f"{scope} {name}"
        waiting += [(child, around) for child in ast.iter_child_nodes(node)]
