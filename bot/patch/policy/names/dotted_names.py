"""Which dotted names Python code refers to, seen through imports, aliases, ``getattr`` and the like.

A static reading: it follows what is written, not what values hold. What it cannot follow, it reports: a
module that is handed on as a value, an attribute whose name is computed. The sandbox is the boundary.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from bot.patch.policy.names import scopes
from bot.patch.policy.names.bindings import BUILTIN_NAMES, Bindings
from bot.patch.syntax import children, every_node, last_name, parsed, walk

_CHANGING = {"setattr", "delattr"}
GETTERS = {"operator.attrgetter", "operator.methodcaller", "_operator.attrgetter", "_operator.methodcaller"}
_MAX_ANNOTATION = 2_000


class Use(StrEnum):
    """What is done with a name."""

    READ = "read"
    STORED = "stored"  # assigned to, or deleted
    ITEM = "item"  # an item of it is assigned to, or deleted
    IMPORTED = "imported"
    STARRED = "starred"  # everything is imported from it
    COMPUTED = "computed"  # an attribute of it whose name is computed
    JOINED = "joined"  # the same, and the name is put together from strings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One place where code refers to a name; ``names`` are all that it may mean, dotted, the likeliest first.

    The attribute of something unknown is ``.attribute``, a builtin is ``builtins.name``. ``is_imported`` says
    that an import brings the first part. ``call`` is the call of it, where it is called. ``caught`` is a name
    in an ``except`` clause. ``in_string`` says that a string holds the name, for ``operator.attrgetter``.
    """

    names: tuple[str, ...]
    use: Use = Use.READ
    is_imported: bool = False
    call: ast.Call | None = None
    caught: bool = False
    in_string: bool = False


def references(tree: ast.Module, *, before: ast.Module | None = None) -> list[Reference]:
    """Every reference in ``tree``, in no order; ``a.b.c`` is one.

    ``before`` is the module as it was: what either of the two does not bind for certain hides no builtin.

    Raises:
        RecursionError: the tree is too deep.
    """
    certain = scopes.module_names(tree) & scopes.module_names(before if before is not None else tree)
    reader = _Reader(tree, certain)
    reader.visit(tree)
    return reader.found


def imported_modules(tree: ast.Module) -> Iterator[tuple[str, str, int]]:
    """Module, name and level of every import; ``import a.b`` has no name, a level counts leading dots."""
    for node in every_node(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, "", 0) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.module or "", alias.name, node.level) for alias in node.names)


class _Reader(ast.NodeVisitor):
    """Walks with the scopes of the place; each chain of attributes is reported once, at its end."""

    def __init__(self, tree: ast.Module, certain: frozenset[str]) -> None:
        self.found: list[Reference] = []
        self._names = Bindings(tree, certain)

    def visit(self, node: ast.AST) -> None:
        """Read ``node`` and what is below it."""
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
                self._function(node)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._comprehension(node)
            case ast.Name() | ast.Attribute():
                self._chain(node)
            case _:
                super().visit(node)

    def visit_Import(self, node: ast.Import) -> None:
        for alias in node.names:
            self.found.append(Reference(names=(alias.name,), use=Use.IMPORTED, is_imported=True))

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        prefix = f"{node.module or ''}." if node.level == 0 else "."
        for alias in node.names:
            name, use = f"{prefix}{alias.name}", Use.IMPORTED
            if alias.name == "*":
                name, use = prefix.strip("."), Use.STARRED
            self.found.append(Reference(names=(name,), use=use, is_imported=node.level == 0))

    def _function(self, node: scopes.Function) -> None:
        body = [node.body] if isinstance(node, ast.Lambda) else node.body
        inside = set(map(id, body))
        for child in children(node):
            if id(child) not in inside:  # decorators, defaults and annotations belong to the scope around
                for one in walk(child):
                    if isinstance(one, ast.arg) and one.annotation:
                        self._annotation(one.annotation)
                self.visit(child)
        if not isinstance(node, ast.Lambda) and node.returns:
            self._annotation(node.returns)
        self._names.scopes.append(scopes.function_names(node))
        for child in body:
            self.visit(child)
        self._names.scopes.pop()

    def _comprehension(self, node: scopes.Comprehension) -> None:
        self.visit(node.generators[0].iter)
        self._names.scopes.append(scopes.comprehension_names(node))
        for child in children(node):
            if child is node.generators[0]:
                self.visit(node.generators[0].target)
                for condition in node.generators[0].ifs:
                    self.visit(condition)
            else:
                self.visit(child)
        self._names.scopes.pop()

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        self._annotation(node.annotation)
        self.generic_visit(node)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> None:
        kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type] if node.type else []
        for kind in kinds:
            if isinstance(kind, ast.Name | ast.Attribute):
                self._chain(kind, caught=True)
            else:
                self.visit(kind)
        for child in node.body:
            self.visit(child)

    def visit_MatchClass(self, node: ast.MatchClass) -> None:
        for attribute in node.kwd_attrs:  # case A(name=x) reads the attribute
            self.found.append(Reference(names=(f".{attribute}",)))
        # case A(x) reads the attribute that A.__match_args__ names; a built-in type has none
        if node.patterns and not self._names.is_builtin(node.cls):
            self.found.append(Reference(names=("",), use=Use.COMPUTED))
        self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if not isinstance(node.ctx, ast.Load) and (names := self._names.meanings(node.value)):
            known = self._names.is_imported(node.value)
            self.found.append(Reference(names=names, use=Use.ITEM, is_imported=known))
        if self._names.item(node):
            self._chain(node)
            return
        if self._names.owner(node.value) and not isinstance(node.slice, ast.Constant):
            self.found.append(Reference(names=("",), use=_computed(node.slice)))
        self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> None:
        by_name = self._names.is_access_by_name(node)
        asked = by_name or self._names.meanings(node.func) == ("builtins.hasattr",)
        for argument in (*node.args[asked:], *(keyword.value for keyword in node.keywords)):
            self.visit(argument)
        if asked and node.args:
            self._start(node.args[0])
        if self._names.item(node) and (names := self._names.meanings(node)):
            self.found.append(Reference(names=names, is_imported=self._names.is_imported(node)))
        if by_name:
            self._named_access(node)
        elif isinstance(node.func, ast.Name | ast.Attribute | ast.Subscript | ast.Call):
            self._chain(node.func, call=node)
        else:
            self.visit(node.func)
        self._getter(node)

    def _named_access(self, node: ast.Call) -> None:
        """``getattr``, ``setattr`` and the like, called with an object and a name."""
        owner, name = node.args[:2]
        names, use = self._names.meanings(owner) or ("",), _computed(name)
        if isinstance(name, ast.Constant):
            names = tuple(f"{head}.{name.value!s}" for head in names)
            use = Use.STORED if last_name(node.func) in _CHANGING else Use.READ
        self.found.append(Reference(names=names, use=use, is_imported=self._names.is_imported(owner)))

    def _getter(self, node: ast.Call) -> None:
        """``attrgetter("a.b")`` names attributes of something unknown, ``methodcaller("a", 1)`` a call."""
        meanings = self._names.meanings(node.func)
        if not GETTERS.intersection(meanings):
            return
        calls = any(name.endswith(".methodcaller") for name in meanings)
        for name in node.args[:1] if calls else node.args:
            if not (isinstance(name, ast.Constant) and isinstance(name.value, str)):
                self.found.append(Reference(names=("",), use=_computed(name)))
                continue
            call = ast.Call(func=name, args=node.args[1:], keywords=node.keywords) if calls else None
            for part in name.value.split("."):
                self.found.append(Reference(names=(f".{part}",), call=call, in_string=True))

    def _chain(self, node: ast.expr, *, call: ast.Call | None = None, caught: bool = False) -> None:
        """Report the chain of attributes that ends with ``node``, and read what it begins with."""
        context = getattr(node, "ctx", None)
        use = Use.READ if context is None or isinstance(context, ast.Load) else Use.STORED
        if isinstance(node, ast.Name) and use is Use.STORED:
            return
        if names := self._names.meanings(node):
            known = self._names.is_imported(node)
            self.found.append(Reference(names=names, use=use, is_imported=known, call=call, caught=caught))
        self._start(node)

    def _start(self, node: ast.expr) -> None:
        """Read what the chain begins with, where that is no name."""
        while (link := self._names.link(node)) is not None:
            if isinstance(node, ast.Call):
                by_name = self._names.is_access_by_name(node)
                for argument in node.args[2 if by_name else 1 :]:
                    self.visit(argument)
            node = link[0]
        if not isinstance(node, ast.Name):
            self.visit(node)

    def _annotation(self, node: ast.expr) -> None:
        """Read what the strings of an annotation say: some libraries evaluate them."""
        for one in walk(node):
            match one:
                case ast.Constant(value=str(text)) if len(text) < _MAX_ANNOTATION:
                    tree = parsed(text.strip())
                    for statement in tree.body if tree else ():
                        if isinstance(statement, ast.Expr) and not isinstance(statement.value, ast.Constant):
                            self.visit(statement.value)


def _computed(name: ast.expr) -> Use:
    """How an attribute's name comes about: from a variable, or from constants that are put together."""
    plain = any(isinstance(one, ast.Name) and one.id not in BUILTIN_NAMES for one in walk(name))
    pieces = (one for one in walk(name) if isinstance(one, ast.Constant) and isinstance(one.value, str))
    hidden = any("__" in str(piece.value) for piece in pieces)
    return Use.COMPUTED if plain and not hidden else Use.JOINED
