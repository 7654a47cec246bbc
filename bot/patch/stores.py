"""Attributes that code sets of something that may be a class or a module of others.

A class of the standard library is one for all that is loaded: the tests, pytest and the runner as well. By
its name, its change is refused (``bot.patch.uses``). Here are the ways on which it has no name:
``type(x).run = f``, a variable, a parameter. A method may set what it likes of its own object and class.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from bot.patch.bindings import BUILTIN_NAMES
from bot.patch.bound_values import bound_values, imported
from bot.patch.dangers import words
from bot.patch.finding import CodeFinding
from bot.patch.modules import is_standard
from bot.patch.set_attributes import Function, changed_items, changing_methods, own_names, set_attributes

_HOLDING = words("next iter list tuple set dict reversed sorted zip enumerate max min filter")
_ANCESTORS = words("__mro__ __bases__ __base__ mro __subclasses__")
# Classes of the standard library that are written in Python, and named like functions.
_LOWER_CLASSES = words(
    """
    closing suppress nullcontext cached_property partialmethod singledispatchmethod shlex finalize excel
    excel_tab unix_dialect scheduler local
    """
)
# Classes that are written in C: their attributes cannot be set.
_UNCHANGEABLE = words(
    """
    Decimal date datetime time timedelta timezone tzinfo OrderedDict defaultdict deque partial StringIO
    BytesIO array
    SimpleNamespace NoneType FunctionType MethodType ModuleType MappingProxyType GeneratorType Struct
    """
)
_TAKING = words("field ib attrib add_argument option argument Column cast TypeVar NewType Optional Union")
_ASKING = words("isinstance issubclass hasattr super cast")
_WRAPPING = (
    *(ast.Tuple, ast.List, ast.Set, ast.Starred, ast.BoolOp, ast.IfExp, ast.NamedExpr, ast.Dict),
    *(ast.Subscript, ast.Await, ast.YieldFrom),
)


@dataclass(slots=True)
class Stores:
    """What one module sets: ``found`` is for a person.

    ``unknown`` are attributes of what the module does not know; ``classes`` are classes that it hands on.
    Either is common. Together, in one patch, they may be the change of such a class. ``setters`` says that a
    function of the module sets an attribute whose name it is given.
    """

    found: Counter[CodeFinding] = field(default_factory=Counter)
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
        self._changing = dict(changing_methods(tree))
        self._bound: dict[str, list[ast.expr]] = {}
        self._bound_calls: set[int] = set()
        for name, value in bound_values(tree):
            self._bound.setdefault(name, []).append(value)
        self._suspects: set[str] = set()
        self._suspect()

    def read(self, node: ast.AST, *, own: frozenset[str], in_class: bool = False) -> None:
        """Read ``node`` and what is below it; ``own`` are the names of the objects of the methods around."""
        if isinstance(node, Function):
            own = own_names(node, own, in_class=in_class)
        for base, name in set_attributes(node):
            self._judge(base, name, own)
        for base in changed_items(node):
            root = list(_chain(base))[-1]
            if not isinstance(root, ast.Name) or root.id in own | self._imported.keys():
                continue
            if any(self._is_of_others(value) for value in self._bound.get(root.id, ())):
                self._show(base, "[...]", "of what belongs to another module")
        self._read_what_is_given(node, own)
        for child in ast.iter_child_nodes(node):
            self.read(child, own=own, in_class=isinstance(node, ast.ClassDef))

    def _read_what_is_given(self, node: ast.AST, own: frozenset[str]) -> None:
        if (method := self._unbound(node, own)) is not None:
            reason = f"{method} is taken from its class, and may be given any object"
            self.result.found[CodeFinding(reason, "")] += 1
        for name in self._given_away(node):
            reason = f"a class of the standard library is handed to what may change it: {name}"
            self.result.found[CodeFinding(reason, ast.dump(node))] += 1
        for value in _handed_on(node):
            if (known := self._class_of_others(value)) is not None:
                self.result.classes[known] += 1

    def _given_away(self, node: ast.AST) -> Iterator[str]:
        """Classes of the standard library that a function of the project, or an unknown one, is given."""
        if not isinstance(node, ast.Call):
            return
        root = list(_chain(node.func))[-1]
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if isinstance(root, ast.Name):
            name = name or root.id
            standard = root.id in self._imported and is_standard(self._imported[root.id])
            if name in _TAKING or standard or (root is node.func and root.id in BUILTIN_NAMES):
                return
        for value in (*node.args, *(one.value for one in node.keywords)):
            known = self._class_of_others(value)
            first = known.partition(".")[0] if known else ""
            unchangeable = known is None or known.rpartition(".")[2] in _UNCHANGEABLE
            if known and not unchangeable and is_standard(self._imported.get(first, "")):
                yield known

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
        elif self._may_be_a_class(root):
            self._show(base, name, "of what may be a class of others")
        else:
            self.result.unknown[ast.dump(base) + name] += 1
            self.result.setters = self.result.setters or name == "?"

    def _judge_part(self, base: ast.expr, name: str) -> None:
        """Judge what is set of a part of a method's own object, as ``self.part.name = 1`` does."""
        if not isinstance(base, ast.Attribute) or _is_type(base):
            return
        if any(self._hands_on(value) for value in self._bound.get(f".{base.attr}", ())):
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
        self.result.found[CodeFinding(reason, "")] += 1

    def _may_be_a_class(self, node: ast.expr) -> bool:
        """Whether a value that ``node`` is made from is a class of another module, or a function of one."""
        return node.id in self._suspects if isinstance(node, ast.Name) else self._hands_on(node)

    def _suspect(self) -> None:
        """Find the names that are bound to what another module has, by whatever way."""
        waiting = True
        while waiting:
            new = [
                name
                for name, values in self._bound.items()
                if name not in self._suspects and any(map(self._hands_on, values))
            ]
            self._suspects.update(new)
            waiting = bool(new)

    def _is_of_others(self, value: ast.expr) -> bool:
        """Whether a value is an attribute of something imported, by whatever name."""
        root = list(_chain(value))[-1]
        return isinstance(value, ast.Attribute) and isinstance(root, ast.Name) and root.id in self._imported

    def _hands_on(self, value: ast.expr) -> bool:
        match value:
            case ast.Name():
                return value.id in self._imported or value.id in self._suspects
            case ast.Attribute():
                return self._is_of_others(value)
            case ast.Call(func=function, args=arguments):
                holds = isinstance(function, ast.Name) and function.id in _HOLDING
                return _is_type(value) or (holds and any(self._hands_on(one) for one in arguments))
            case ast.Constant() | ast.Compare() | ast.BinOp() | ast.JoinedStr():
                return False
        return any(self._hands_on(one) for one in ast.iter_child_nodes(value) if isinstance(one, ast.expr))

    def _class_of_others(self, node: ast.AST) -> str | None:
        """The dotted name of a class that is imported, where ``node`` is one; None for anything else."""
        if isinstance(node, _WRAPPING):
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
        case ast.Assign(value=value) | ast.NamedExpr(value=value) | ast.AnnAssign(value=ast.expr() as value):
            yield value
        case (
            ast.Return(value=ast.expr() as value)
            | ast.Yield(value=ast.expr() as value)
            | ast.YieldFrom(value=value)
        ):
            yield value
        case ast.Dict(values=values):
            yield from values
        case ast.For(iter=value) | ast.comprehension(iter=value):
            yield value
