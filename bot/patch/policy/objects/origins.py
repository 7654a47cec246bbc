"""What the expressions of a module come from: followed through names, attributes, calls and parameters.

An object of the standard library has a class that makes files and sockets, though no source names it. And a
class of another module is one for all that is loaded, by whatever name it is reached.
"""

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

from bot.patch.policy.dangers import words
from bot.patch.policy.names.modules import is_pure, is_standard
from bot.patch.policy.names.scopes import Function, function_names
from bot.patch.syntax import Function as Definition
from bot.patch.syntax import children, every_node, last_name, walk

# Attributes under which files and sockets are kept by what is made of them.
_KEPT = words("raw buffer stdin stdout stderr socket")
_PASSING = words("contextlib copy operator functools itertools weakref")
_HANDING_ON = words(
    "iter next reversed list tuple set dict frozenset sorted max min getattr enumerate zip filter"
)


class ImportedFrom(NamedTuple):
    """The dotted name that something is imported by; ``made`` where it is what a call of that gives."""

    name: str
    made: bool = False

    @property
    def is_object(self) -> bool:
        """Whether it is an object of the standard library that may reach files or processes."""
        standard = is_standard(self.name) and not is_pure(self.name)
        return standard or self.name in _KEPT or self.name == "open"


class Origins:
    """The origins of the names, attributes and functions of ``tree``, of those for which ``keep`` holds.

    A name counts in the function that binds it, an attribute or a method in the whole module. What is not
    kept hides nothing: a name that is bound twice may stand for either.
    """

    def __init__(self, tree: ast.Module, keep: Callable[[ImportedFrom], bool]) -> None:
        self._keep = keep
        self.imported = dict(_imported(tree))
        self._scoped = dict(_scoped(tree))
        self._known: dict[str, ImportedFrom] = {}
        bindings = [(self._key(target), value) for target, value in (*_bindings(tree), *_given(tree))]
        size = -1
        while size < len(self._known):
            size = len(self._known)
            bindings.reverse()  # a chain of names is followed soon, however it is ordered
            for key, value in bindings:
                if key not in self._known and (origin := self.of(value)):
                    self._known[key] = origin

    def of(self, node: ast.AST | None) -> ImportedFrom | None:
        """What an expression comes from; None where that is nothing imported, or nothing that is kept."""
        found = self._of(node)
        return found if found is not None and self._keep(found) else None

    def _of(self, node: ast.AST | None) -> ImportedFrom | None:
        match node:
            case ast.Name(id=name):
                key = self._key(node)
                if key == name and name in self.imported:
                    return ImportedFrom(self.imported[name])
                return self._known.get(key)
            case (
                ast.Attribute(value=owner, attr="__class__")
                | ast.Call(func=ast.Name(id="type"), args=[owner])
            ):
                return ImportedFrom((self.of(owner) or ImportedFrom("type")).name)
            case ast.Attribute(value=value, attr=attribute):
                if (known := self.of(value)) is not None:
                    return known if known.made else ImportedFrom(f"{known.name}.{attribute}")
                kept = ImportedFrom(attribute, made=True) if attribute in _KEPT else None
                return self._known.get(f".{attribute}", kept)
            case ast.Call(func=function, args=arguments):
                return self._result(function, arguments)
        return next(filter(None, map(self.of, _parts(node))), None)

    def named(self, node: ast.AST) -> str:
        """The dotted name by which ``node`` reads something imported; empty for anything else."""
        match node:
            case ast.Name(id=name, ctx=ast.Load()):
                return self.imported.get(name, "")
            case ast.Attribute(value=value, attr=attribute) if head := self.named(value):
                return f"{head}.{attribute}"
        return ""

    def _result(self, function: ast.expr, arguments: list[ast.expr]) -> ImportedFrom | None:
        name = last_name(function)
        if name == "open":
            return ImportedFrom(name, made=True)
        known = self.of(function)
        passing = known is not None and known.name.partition(".")[0] in _PASSING
        if passing or (isinstance(function, ast.Name) and name in _HANDING_ON):
            return next(filter(None, map(self.of, arguments)), None)
        return self._known.get(f"{name}()") or (known and ImportedFrom(known.name, made=True))

    def _key(self, target: ast.AST | str) -> str:
        match target:
            case ast.Name(id=name) | ast.arg(arg=name):
                return self._scoped.get(id(target), name)
        return target if isinstance(target, str) else ""


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


def _imported(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in every_node(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                bound = one.asname or one.name.partition(".")[0]
                yield bound, one.name if one.asname else bound
        elif isinstance(node, ast.ImportFrom):
            prefix = f"{'.' * node.level}{node.module or ''}"
            yield from ((one.asname or one.name, f"{prefix}.{one.name}") for one in node.names)


def _bindings(tree: ast.Module) -> Iterator[tuple[ast.AST | str, ast.expr]]:
    for node in every_node(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from _bound(target, value)
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
                | ast.For(target=target, iter=value)
                | ast.AsyncFor(target=target, iter=value)
                | ast.comprehension(target=target, iter=value)
                | ast.withitem(context_expr=value, optional_vars=ast.expr() as target)
            ):
                yield from _bound(target, value)
            case ast.Match(subject=value, cases=cases):
                patterns = (one for case in cases for one in walk(case.pattern))
                names = (one.name for one in patterns if isinstance(one, ast.MatchAs))
                yield from ((name, value) for name in names if name)
            case _:
                yield from _defined(node)


def _defined(node: ast.AST) -> Iterator[tuple[ast.AST | str, ast.expr]]:
    """What a class, a function and its defaults bind."""
    match node:
        case ast.ClassDef(body=body):
            for member in body:
                if isinstance(member, ast.Assign):
                    names = (one for one in member.targets if isinstance(one, ast.Name))
                    yield from ((f".{one.id}", member.value) for one in names)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield from ((f"{name}()", value) for value in _results(node))
            if node.decorator_list:  # a property gives its result as an attribute
                yield from ((f".{name}", value) for value in _results(node))
        case ast.arguments():
            positional = [*node.posonlyargs, *node.args]
            yield from zip(positional[::-1], node.defaults[::-1], strict=False)
            named = zip(node.kwonlyargs, node.kw_defaults, strict=True)
            yield from ((one, value) for one, value in named if value)


def _bound(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.AST | str, ast.expr]]:
    match target, value:
        case ast.Name(), _:
            yield target, value
        case ast.Attribute(attr=name), _:
            yield f".{name}", value
        case ast.Starred(value=inner), _:
            yield from _bound(inner, value)
        case (
            ast.Tuple(elts=names) | ast.List(elts=names),
            ast.Tuple(elts=values) | ast.List(elts=values),
        ) if len(names) == len(values):
            for one, part in zip(names, values, strict=True):
                yield from _bound(one, part)
        case ast.Tuple(elts=names) | ast.List(elts=names), _:
            for one in names:
                yield from _bound(one, value)


def _results(function: Definition) -> Iterator[ast.expr]:
    for node in walk(function):
        if isinstance(node, ast.Return | ast.Yield) and node.value:
            yield node.value


def _given(tree: ast.Module) -> Iterator[tuple[ast.AST | str, ast.expr]]:
    """The parameters of the module's functions, each with what a call gives it."""
    functions: dict[str, list[list[ast.arg]]] = {}
    for owner in every_node(tree):
        in_class = isinstance(owner, ast.ClassDef)
        for node in children(owner):
            if isinstance(node, Definition):
                named = [*node.args.posonlyargs, *node.args.args][in_class:]
                name = node.name
                if isinstance(owner, ast.ClassDef) and name == "__init__":
                    name = owner.name
                functions.setdefault(name, []).append([*named, *node.args.kwonlyargs])
    for node in every_node(tree):
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
        waiting += [(child, around) for child in children(node)]
