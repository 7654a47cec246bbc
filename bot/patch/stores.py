"""Attributes that code sets of something that may be a class or a module of others.

A class of the standard library is one for all that is loaded: the tests, pytest and the runner as well. By
its name, its change is refused (``bot.patch.uses``). Here are the ways on which it has no name:
``type(x).run = f``, a variable, a parameter. A method may set what it likes of its own object and class.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.patch.bound_values import bound_values, imported
from bot.patch.dangers import words
from bot.patch.finding import Finding
from bot.patch.modules import is_standard
from bot.patch.namespaces import namespace_of

_CHANGING = words("setattr delattr")
_HOLDING = words("next iter list tuple set dict reversed sorted zip enumerate max min filter")
_BY_METHOD = words("__setattr__ __delattr__")
_CHANGING_ITEMS = words(
    "update pop popitem setdefault clear append extend insert remove sort reverse add discard"
)
_ANCESTORS = words("__mro__ __bases__ __base__ mro __subclasses__")
# Classes of the standard library that are written in Python, and named like functions.
_LOWER_CLASSES = words(
    """
    closing suppress nullcontext cached_property partialmethod singledispatchmethod shlex finalize excel
    excel_tab unix_dialect scheduler local
    """
)
_ASKING = words("isinstance issubclass hasattr super cast")
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda


@dataclass(slots=True)
class Stores:
    """What one module sets: ``found`` is for a person.

    ``unknown`` are attributes of what the module does not know; ``classes`` are classes that it hands on.
    Either is common. Together, in one patch, they may be the change of such a class. ``setters`` says that a
    function of the module sets an attribute whose name it is given.
    """

    found: Counter[Finding] = field(default_factory=Counter)
    unknown: Counter[str] = field(default_factory=Counter)
    setters: bool = False
    classes: Counter[str] = field(default_factory=Counter)


def stores(tree: ast.Module) -> Stores:
    """The attributes that ``tree`` sets of something else than a method's own object."""
    reader = _Reader(tree)
    reader.read(tree, own=frozenset())
    return reader.result


class _Reader:
    def __init__(self, tree: ast.Module) -> None:
        self.result = Stores()
        self._imported = dict(imported(tree))
        self._changing = dict(_changing_methods(tree))
        self._bound: dict[str, list[ast.expr]] = {}
        self._bound_calls: set[int] = set()
        for name, value in bound_values(tree):
            self._bound.setdefault(name, []).append(value)

    def read(self, node: ast.AST, *, own: frozenset[str], in_class: bool = False) -> None:
        """Read ``node`` and what is below it; ``own`` are the names of the objects of the methods around."""
        if isinstance(node, _Function):
            own = _own_names(node, own, in_class=in_class)
        for base, name in _set_attributes(node):
            self._judge(base, name, own)
        for base in _changed_items(node):
            root = list(_chain(base))[-1]
            if not isinstance(root, ast.Name) or root.id in own | self._imported.keys():
                continue
            if any(self._is_of_others(value) for value in self._bound.get(root.id, ())):
                self._show(base, "[...]", "of what belongs to another module")
        if (method := self._unbound(node, own)) is not None:
            self.result.found[
                Finding(f"{method} is taken from its class, and may be given any object", "")
            ] += 1
        for value in _handed_on(node):
            if (known := self._class_of_others(value)) is not None:
                self.result.classes[known] += 1
        for child in ast.iter_child_nodes(node):
            self.read(child, own=own, in_class=isinstance(node, ast.ClassDef))

    def _judge(self, base: ast.expr, name: str, own: frozenset[str]) -> None:
        parts = list(_chain(base))
        root = parts[-1]
        if any(isinstance(one, ast.Attribute) and one.attr in _ANCESTORS for one in parts):
            self._show(base, name, "of a class above another")
        elif isinstance(root, ast.Name) and root.id in own:
            self._judge_part(base, name)
        elif any(_is_type(one) for one in parts):
            self._show(base, name, "of the class of something")
        elif isinstance(root, ast.Name) and root.id in self._imported:
            # The standard library's are refused by their names.
            if not is_standard(self._imported[root.id]):
                self._show(base, name, "of what another module has")
        elif self._may_be_a_class(root, 0):
            self._show(base, name, "of what may be a class of others")
        else:
            self.result.unknown[ast.dump(base) + name] += 1
            self.result.setters = self.result.setters or name == "?"

    def _judge_part(self, base: ast.expr, name: str) -> None:
        """Judge what is set of a part of a method's own object, as ``self.part.name = 1`` does."""
        if not isinstance(base, ast.Attribute) or _is_type(base):
            return
        if any(self._hands_on(value, 0) for value in self._bound.get(f".{base.attr}", ())):
            self._show(base, name, "of what may be a class of others")
        else:
            self.result.unknown[ast.dump(base) + name] += 1

    def _unbound(self, node: ast.AST, own: frozenset[str]) -> str | None:
        """A method that sets attributes or reads a namespace, where it is read from its class by name."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Name) and first.id in own:
                self._bound_calls.add(id(node.func))  # as Base.__init__(self) is
        if not isinstance(node, ast.Attribute) or id(node) in self._bound_calls:
            return None
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        known = self._changing.get(node.attr, frozenset())
        if owner in known or (known and _is_type(node.value)):
            return ast.unparse(node)
        return None

    def _show(self, base: ast.expr, name: str, what: str) -> None:
        reason = f"a change {what}: {ast.unparse(base)[:40]}.{name}"
        self.result.found[Finding(reason, "")] += 1

    def _may_be_a_class(self, node: ast.expr, depth: int) -> bool:
        """Whether a value that ``node`` is made from is a class of another module, or a function of one."""
        if depth > 4:
            return True
        if isinstance(node, ast.Name):
            return any(self._hands_on(value, depth) for value in self._bound.get(node.id, ()))
        return self._hands_on(node, depth)

    def _is_of_others(self, value: ast.expr) -> bool:
        """Whether a value is an attribute of something imported, by whatever name."""
        root = list(_chain(value))[-1]
        return isinstance(value, ast.Attribute) and isinstance(root, ast.Name) and root.id in self._imported

    def _hands_on(self, value: ast.expr, depth: int) -> bool:
        match value:
            case ast.Name():
                return value.id in self._imported or self._may_be_a_class(value, depth + 1)
            case ast.Attribute():
                return self._is_of_others(value)
            case ast.Call(func=function, args=arguments):
                holds = isinstance(function, ast.Name) and function.id in _HOLDING
                return _is_type(value) or (holds and any(self._hands_on(one, depth) for one in arguments))
            case ast.Constant() | ast.Compare() | ast.BinOp() | ast.JoinedStr():
                return False
        return any(
            self._hands_on(one, depth) for one in ast.iter_child_nodes(value) if isinstance(one, ast.expr)
        )

    def _class_of_others(self, node: ast.AST) -> str | None:
        """The dotted name of a class that is imported, where ``node`` is one; None for anything else."""
        if isinstance(node, ast.Tuple | ast.List | ast.Set | ast.Starred):
            found = (self._class_of_others(one) for one in ast.iter_child_nodes(node))
            return next((one for one in found if one), None)
        if not isinstance(node, ast.Name | ast.Attribute):
            return None
        root = list(_chain(node))[-1]
        last = node.attr if isinstance(node, ast.Attribute) else node.id
        if not isinstance(root, ast.Name) or root.id not in self._imported:
            return None
        is_class = last in _LOWER_CLASSES or (
            last[:1].isupper() and not last.isupper() and not last.endswith(("Error", "Exception", "Warning"))
        )
        return ast.unparse(node) if is_class else None


def _changing_methods(tree: ast.Module) -> Iterator[tuple[str, frozenset[str]]]:
    """Methods that set attributes of their object, or read its namespace, and the classes that have them."""
    found: dict[str, set[str]] = {}
    for owner in ast.walk(tree):
        for method in owner.body if isinstance(owner, ast.ClassDef) else ():
            if isinstance(owner, ast.ClassDef) and isinstance(method, ast.FunctionDef | ast.AsyncFunctionDef):
                own = next(iter(_own_names(method, frozenset(), in_class=True)), "")
                kinds = {one.id for one in method.decorator_list if isinstance(one, ast.Name)}
                if own and "classmethod" not in kinds and _changes(method, own):
                    found.setdefault(method.name, set()).add(owner.name)
    return ((name, frozenset(classes)) for name, classes in found.items())


def _changes(method: ast.AST, own: str) -> bool:
    for node in ast.walk(method):
        if any(isinstance(base, ast.Name) and base.id == own for base, _ in _set_attributes(node)):
            return True
        space = namespace_of(node)
        if isinstance(space, ast.Name) and space.id == own:
            return True
    return False


def _own_names(function: _Function, around: frozenset[str], *, in_class: bool) -> frozenset[str]:
    """What the methods at this place call their own object."""
    arguments = [*function.args.posonlyargs, *function.args.args]
    others = {*(one.arg for one in arguments), *(one.arg for one in function.args.kwonlyargs)}
    if isinstance(function, ast.Lambda) or not in_class:
        return around - others
    static = any(isinstance(one, ast.Name) and one.id == "staticmethod" for one in function.decorator_list)
    return frozenset(one.arg for one in arguments[:1]) if not static else frozenset()


def _set_attributes(node: ast.AST) -> Iterator[tuple[ast.expr, str]]:
    """The objects of which ``node`` sets or deletes an attribute, and the attribute's name."""
    match node:
        case ast.Attribute(value=base, attr=name, ctx=ast.Store() | ast.Del()):
            yield base, name
        case ast.Subscript(value=space, slice=key, ctx=ast.Store() | ast.Del()):
            if (owner := namespace_of(space)) is not None:
                yield owner, _constant([key])
        case ast.Call(func=ast.Name(id=function), args=[base, *rest]) if function in _CHANGING:
            yield base, _constant(rest)
        case ast.Call(func=ast.Attribute(value=owner, attr=method), args=arguments) if method in _BY_METHOD:
            # object.__setattr__(x, "name", 1), or x.__setattr__("name", 1)
            if len(arguments) >= (3 if method == "__setattr__" else 2):
                yield arguments[0], _constant(arguments[1:])
            elif not (
                isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name) and owner.func.id == "super"
            ):
                yield owner, _constant(arguments)


def _changed_items(node: ast.AST) -> Iterator[ast.expr]:
    """The objects of which ``node`` changes what they hold."""
    match node:
        case ast.Subscript(value=base, ctx=ast.Store() | ast.Del()):
            yield base
        case ast.Call(func=ast.Attribute(value=base, attr=method)) if method in _CHANGING_ITEMS:
            yield base


def _constant(arguments: list[ast.expr]) -> str:
    first = arguments[0] if arguments else None
    return str(first.value) if isinstance(first, ast.Constant) else "?"


def _chain(node: ast.expr) -> Iterator[ast.expr]:
    """``node`` and what its attributes and items hang on."""
    while True:
        yield node
        if isinstance(node, ast.Attribute | ast.Subscript):
            node = node.value
        elif isinstance(node, ast.Call) and _is_type(node):
            node = node.args[0]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _ANCESTORS
        ):
            node = node.func
        else:
            return


def _is_type(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[_]):
            return True
        case ast.Attribute(attr="__class__"):
            return True
    return False


def _handed_on(node: ast.AST) -> Iterator[ast.AST]:
    """The values that ``node`` hands to something else, which may change them."""
    match node:
        case ast.Call(func=ast.Name(id=name)) if name in _ASKING:
            return
        case ast.Call(args=arguments, keywords=keywords):
            yield from arguments
            yield from (one.value for one in keywords)
        case ast.Assign(value=value) | ast.NamedExpr(value=value):
            yield value
        case ast.Return(value=ast.expr() as value) | ast.Yield(value=ast.expr() as value):
            yield value
        case ast.Dict(values=values):
            yield from values
        case ast.For(iter=value) | ast.comprehension(iter=value):
            yield value
