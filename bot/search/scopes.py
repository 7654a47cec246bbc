"""What a file's code can name at a given place: variables, callables, attributes, constants, conditions.

A reading good enough to choose replacements from; it is no type checker and no full scope analysis.
"""

import ast
import builtins
from collections.abc import Iterator
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeVar

from bot.patch.syntax import last_name
from bot.search.kinds import DEEPEST, Kind, kind_of, kind_of_annotation
from bot.search.kinds_by_use import shown_by_assignment, shown_by_use
from bot.search.source import FUNCTIONS, Function, Source, attribute_of_self, is_read, methods_of, names_in

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PATTERNS = (ast.MatchAs, ast.MatchStar, ast.MatchMapping)
_TYPE_PARAMETER: type[Any] = getattr(ast, "type_param", ast.ExceptHandler)  # from Python 3.12 on
_OPENS_SCOPE = (*FUNCTIONS, ast.ClassDef, ast.Lambda)
_NO_FUNCTIONS = frozenset({"__future__", "typing", "dataclasses", "abc", "enum", "functools", "contextlib"})
_PROPERTIES = frozenset({"property", "cached_property", "reify", "under_cached_property"})
_Found = TypeVar("_Found")


class Signature(NamedTuple):
    """A function or class of the file, with the number of positional arguments that it takes."""

    name: str
    at_least: int
    at_most: int


class Scopes:
    """The names of one source file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._locals: dict[ast.AST, tuple[str, ...]] = {}
        self._kinds: dict[ast.AST, dict[str, Kind]] = {}
        self._on_self: dict[ast.ClassDef, tuple[str, ...]] = {}
        self._unread: dict[ast.AST, frozenset[str]] = {}
        self._nodes: dict[ast.AST, tuple[ast.AST, ...]] = {}

    @cached_property
    def callables(self) -> tuple[Signature, ...]:
        """Functions at module level, in text order."""
        return tuple(_signature(node, 0) for node in self.source.tree.body if isinstance(node, FUNCTIONS))

    @cached_property
    def functions(self) -> tuple[Signature, ...]:
        """The same, then functions that the file imports, with as many arguments as it calls them with."""
        known = {found.name for found in self.callables}
        return (*self.callables, *(one for one in self._imported() if one.name not in known))

    def _imported(self) -> Iterator[Signature]:
        counts: dict[str, set[int]] = {}
        for node in self.source.parents:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                counts.setdefault(node.func.id, set()).add(len(node.args))
        for node in self.source.tree.body:
            if isinstance(node, ast.ImportFrom) and node.module not in _NO_FUNCTIONS:
                for name in (one.asname or one.name for one in node.names):
                    if name[:1].islower():
                        taken = counts.get(name, {1})
                        yield Signature(name, min(taken), max(taken))

    @cached_property
    def module_variables(self) -> tuple[str, ...]:
        """Names that module level assigns: neither callables nor imports."""
        return _unique(_assigned(self.source.tree))

    @cached_property
    def modules(self) -> frozenset[str]:
        """Names by which the file imports modules as a whole."""
        found = (node for node in self.source.parents if isinstance(node, ast.Import))
        return frozenset(name for node in found for one in node.names for name in _bound_by(one))

    @cached_property
    def known(self) -> frozenset[str]:
        """Every name that the file binds anywhere, with the builtins."""
        names = {*dir(builtins), "__file__", "__name__", "__doc__", "__spec__", "__package__", "__class__"}
        for node in self.source.parents:
            names.update(_bound_by(node))
        return frozenset(names)

    @cached_property
    def attribute_names(self) -> tuple[str, ...]:
        """Every attribute and method name that the file uses or defines, in text order."""
        used = (node.attr for node in self.source.parents if isinstance(node, ast.Attribute))
        defined = (node.name for node in self.source.parents if isinstance(node, (*FUNCTIONS, ast.ClassDef)))
        return _unique([*used, *defined])

    def locals_of(self, function: ast.AST) -> tuple[str, ...]:
        """Parameters, then the names that the function assigns."""
        found = self._locals.get(function)
        if found is None:
            parameters = _parameters(function.args) if isinstance(function, (*FUNCTIONS, ast.Lambda)) else []
            found = self._locals[function] = _unique([*parameters, *_assigned(function)])
        return found

    def variables(self, node: ast.AST) -> tuple[str, ...]:
        """Variables that code in the node's place can read, nearest scope first."""
        names: list[str] = []
        for parent in self.source.ancestors(node):
            if isinstance(parent, _COMPREHENSIONS):
                names.extend(names_in(*(clause.target for clause in parent.generators)))
            elif isinstance(parent, (*FUNCTIONS, ast.Lambda)):
                names.extend(self.locals_of(parent))
        return _unique(name for name in (*names, *self.module_variables) if name not in {"self", "cls", "_"})

    def unread(self, node: ast.AST) -> frozenset[str]:
        """Parameters and variables of the function around the node that it never reads."""
        function = self.source.function_of(node)
        if function is None:
            return frozenset()
        if function not in self._unread:
            names = (part for part in ast.walk(function) if isinstance(part, ast.Name))
            read = {name.id for name in names if isinstance(name.ctx, ast.Load)}
            self._unread[function] = frozenset(self.locals_of(function)) - {"self", "cls", "_", *read}
        return self._unread[function]

    @cached_property
    def expressions(self) -> dict[type[ast.AST], tuple[ast.expr, ...]]:
        """The file's expressions that are read, by their type, functions that are called left out."""
        found: dict[type[ast.AST], list[ast.expr]] = {}
        for node, parent in self.source.parents.items():
            if isinstance(node, ast.expr) and is_read(node) and node is not getattr(parent, "func", None):
                found.setdefault(type(node), []).append(node)
        return {kind: tuple(nodes) for kind, nodes in found.items()}

    @cached_property
    def outer_names(self) -> frozenset[str]:
        """What code anywhere in the file can name: builtins, and what module level binds."""
        bound = {name for node in own_nodes(self.source.tree) for name in _bound_by(node)}
        return frozenset({*dir(builtins), *bound})

    def self_attributes(self, node: ast.AST) -> tuple[str, ...]:
        """What the class around the node sets or reads on ``self``, and its properties; no methods."""
        parts = methods_of(self.source.class_of(node))
        properties = [
            part.name for part in parts if any(last_name(one) in _PROPERTIES for one in part.decorator_list)
        ]
        methods = {part.name for part in parts} - {*properties}
        return _unique([*(name for name in self._self_names(node) if name not in methods), *properties])

    def methods(self, node: ast.AST) -> tuple[str, ...]:
        """Methods of the class around the node."""
        return tuple(part.name for part in methods_of(self.source.class_of(node)))

    def method_signatures(self, node: ast.AST) -> tuple[Signature, ...]:
        """The same methods, with what they take besides ``self``."""
        return tuple(_signature(part, 1) for part in methods_of(self.source.class_of(node)))

    def region(self, node: ast.AST) -> tuple[ast.AST, ...]:
        """All nodes of the function around the node, or of the module, in text order."""
        return self.region_of(self.source.function_of(node) or self.source.tree)

    def region_of(self, owner: ast.AST) -> tuple[ast.AST, ...]:
        """All nodes of a function, or of the module, in text order."""
        if owner not in self._nodes:
            nodes = [child for child in ast.walk(owner) if isinstance(child, (ast.expr, ast.stmt))]
            nodes.sort(key=lambda child: (child.lineno, child.col_offset))
            self._nodes[owner] = tuple(nodes)
        return self._nodes[owner]

    def kind(self, node: ast.AST, depth: int = 0) -> Kind:
        """What the expression seems to hold, by its syntax or by what its name was assigned."""
        if isinstance(node, ast.Name):
            return self.kind_of_name(node.id, node)
        found = kind_of(node, depth)
        # What its names hold may show more.
        if found is Kind.UNKNOWN and isinstance(node, ast.BinOp) and depth < DEEPEST:
            found = self.kind(node.left, depth + 1)
            return found if found is not Kind.UNKNOWN else self.kind(node.right, depth + 1)
        return found

    def kind_of_name(self, name: str, place: ast.AST) -> Kind:
        """What a variable seems to hold, read in ``place``."""
        owner: ast.AST = self.source.function_of(place) or self.source.tree
        if owner not in self._kinds:
            self._kinds[owner] = _assigned_kinds(owner)
        return self._kinds[owner].get(name, Kind.UNKNOWN)

    def _self_names(self, node: ast.AST) -> tuple[str, ...]:
        owner = self.source.class_of(node)
        if owner is None:
            return ()
        if owner not in self._on_self:
            self._on_self[owner] = _unique(filter(None, map(attribute_of_self, ast.walk(owner))))
        return self._on_self[owner]


def _unique(items: Iterator[_Found] | list[_Found]) -> tuple[_Found, ...]:
    return tuple(dict.fromkeys(items))


def _parameters(arguments: ast.arguments) -> list[str]:
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return [arg.arg for arg in (*named, arguments.vararg, arguments.kwarg) if arg]


def _signature(function: Function, bound: int) -> Signature:
    arguments = function.args
    positional = len(arguments.posonlyargs) + len(arguments.args) - bound
    most = 1_000 if arguments.vararg else positional
    return Signature(function.name, positional - len(arguments.defaults), most)


def own_nodes(owner: ast.AST) -> Iterator[ast.AST]:
    """The nodes below ``owner`` that belong to its own scope, in text order of their blocks."""
    # No recursion: an expression may be nested deeper than that goes.
    waiting = [*ast.iter_child_nodes(owner)][::-1]
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, _OPENS_SCOPE):
            waiting += [*ast.iter_child_nodes(node)][::-1]


def _assigned(owner: ast.AST) -> Iterator[str]:
    """Names stored in the scope of ``owner``; a comprehension's targets are its own."""
    own = list(own_nodes(owner))
    hidden = {part for node in own if isinstance(node, ast.comprehension) for part in ast.walk(node.target)}
    for node in own:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node not in hidden:
            yield node.id
        elif isinstance(node, (ast.ExceptHandler, *_PATTERNS)):
            yield from _bound_by(node)


def _bound_by(node: ast.AST) -> Iterator[str]:
    """The names that one node binds."""
    if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
        yield node.id
    elif isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        yield node.name
    elif isinstance(node, ast.arg):
        yield node.arg
    elif isinstance(node, ast.alias):
        yield (node.asname or node.name).partition(".")[0]
    elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, _TYPE_PARAMETER)) and node.name:
        yield node.name
    elif isinstance(node, ast.MatchMapping) and node.rest:
        yield node.rest


def _assigned_kinds(owner: ast.AST) -> dict[str, Kind]:
    """The first kind that an annotation, a default, an assignment or else a use shows for each name."""
    kinds: dict[str, Kind] = {}
    if isinstance(owner, FUNCTIONS):
        positional = [*owner.args.posonlyargs, *owner.args.args]
        for arg in (*positional, *owner.args.kwonlyargs):
            kinds[arg.arg] = kind_of_annotation(arg.annotation)
        for arg, default in zip(reversed(positional), reversed(owner.args.defaults), strict=False):
            kinds[arg.arg] = kinds[arg.arg] if kinds[arg.arg] is not Kind.UNKNOWN else kind_of(default)
    nodes = list(own_nodes(owner))
    assigned = (found for node in nodes for found in shown_by_assignment(node))
    for name, kind in chain(assigned, shown_by_use(nodes)):
        if kinds.get(name, Kind.UNKNOWN) is Kind.UNKNOWN:
            kinds[name] = kind
    return kinds
