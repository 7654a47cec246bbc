"""Code that runs at import, and that failing tests depend on: constants, tables, attributes of classes.

No trace of a test shows such lines, since they ran before it. They are found by what is read: the names in a
failing test and on suspicious lines are followed through imports to the statement that binds them, and from
there on to what that statement reads. Nothing is run here.
"""

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from bot.domain import Suspicion
from bot.patch.syntax import walk
from bot.search.examples import test_functions
from bot.search.source import FUNCTIONS, Function, Source, methods_of
from bot.search.templates.project import Project, statement_nodes
from sandbox.reports import TestResult

SHARE = 0.25
"""What a statement keeps of the suspicion of what reads it, as within one file (``ranking``)."""

MAX_LINES = 100
MAX_TESTS = 20
MAX_STATEMENTS = 200
_DEEPEST = 6  # imports and constants from one name on
_AT_CREATION = frozenset({"__init_subclass__", "__set_name__", "__prepare__"})
_PREPARING = frozenset({"setUp", "setUpClass", "setup_method", "setup_class", "setup"})

_Parts = tuple[str, ...]
_Line = tuple[str, int]


def read_at_import(
    failing: Sequence[TestResult],
    suspicions: Sequence[Suspicion],
    sources: Mapping[str, str],
    may_change: Callable[[str], bool],
) -> tuple[Suspicion, ...]:
    """First lines of statements of modules and classes that ``failing`` tests or ``suspicions`` read.

    Args:
        failing: the failing tests.
        suspicions: lines that they executed, most suspicious first.
        sources: the project's files.
        may_change: which of them a patch may change.

    Returns:
        The most suspicious first, each line once; scores are at most ``SHARE``, but 1 for the highest where
        there are no ``suspicions``.
    """
    reader = _Reader(Project(sources, may_change=may_change))
    for result in failing[:MAX_TESTS]:
        reader.read_test(result.test)
    for found in suspicions[:MAX_LINES]:
        reader.read_line(found)
    top = 1.0 if suspicions else max(reader.scores.values(), default=1.0)
    ordered = sorted(reader.scores.items(), key=lambda item: (-item[1], item[0]))[:MAX_STATEMENTS]
    return tuple(Suspicion(path=path, line=line, score=score / top) for (path, line), score in ordered)


class _Reader:
    """Follows names to the statements that bind them; ``scores`` has what was found."""

    def __init__(self, project: Project) -> None:
        self.scores: dict[_Line, float] = {}
        self._project = project
        self._bindings: dict[str, dict[str, ast.stmt]] = {}
        self._modules: dict[str, str] = {}

    def read_test(self, test: str) -> None:
        """What the function of a test reads, and what prepares it."""
        path = test.partition("::")[0]
        source = self._source(path)
        functions = dict(test_functions(source.tree, path)) if source else {}
        function = functions.get(test.partition("[")[0])
        if source is None or function is None:
            return
        self._read(path, [function], 1.0)
        owner = source.class_of(function)
        for node in owner.body if owner else ():
            if not isinstance(node, FUNCTIONS) or node.name in _PREPARING:
                self._read(path, [node], 1.0)

    def read_line(self, found: Suspicion) -> None:
        """What the statements of a suspicious line read."""
        source = self._source(found.path)
        for node in source.statements if source else ():
            if source and node.lineno == found.line:
                self._read(found.path, statement_nodes(node, source), found.score)
                self._read_attributes(source, node, found.score)

    def _read(self, path: str, nodes: Iterable[ast.AST], score: float, deep: int = 0) -> None:
        for parts in dict.fromkeys(part for node in nodes for part in _names(node)):
            self._follow(path, parts, score, deep)

    def _read_attributes(self, source: Source, node: ast.stmt, score: float) -> None:
        """``self.limit`` is read from the classes above, where these are elsewhere."""
        owner = source.class_of(node)
        attributes = [parts[1] for parts in _names(node) if parts[0] in {"self", "cls"} and len(parts) > 1]
        for base in owner.bases if owner else ():
            for parts in _names(base):
                for attribute in attributes:
                    self._follow(source.path, (*parts, attribute), score, 1)

    def _follow(self, path: str, parts: _Parts, score: float, deep: int) -> None:
        binding = self._bound(path).get(parts[0]) if deep < _DEEPEST else None
        match binding:
            case ast.ImportFrom():
                self._follow_import(path, binding, parts, score, deep)
            case ast.Import():
                self._follow_module(_imported(binding, parts), score, deep)
            case ast.ClassDef():
                self._follow_class(path, binding, parts[1:2], score, deep)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                if not self._project.may_change(path):  # a helper or a fixture of the tests
                    self._read(path, [binding], score, deep + 1)
            case ast.stmt():
                self._mark(path, binding, score, deep)

    def _follow_import(self, path: str, node: ast.ImportFrom, parts: _Parts, score: float, deep: int) -> None:
        name = next(one.name for one in node.names if parts[0] in {one.asname, one.name})
        package = "/".join(path.split("/")[: -node.level]) if node.level else ""
        inside = tuple(filter(None, (*package.split("/"), *(node.module or "").split("."))))
        if submodule := self._module((*inside, name)):
            self._follow_within(submodule, parts[1:], score, deep)
        elif module := self._module(inside):
            self._follow(module, (name, *parts[1:]), score, deep + 1)

    def _follow_module(self, parts: _Parts, score: float, deep: int) -> None:
        for size in range(len(parts) - 1, 0, -1):
            if module := self._module(parts[:size]):
                self._follow_within(module, parts[size:], score, deep)
                return

    def _follow_within(self, module: str, rest: _Parts, score: float, deep: int) -> None:
        if rest:
            self._follow(module, rest, score, deep + 1)
            return
        # The module is handed on, or asked for a name that is put together: all that it binds may be read.
        for name, statement in self._bound(module).items():
            if not isinstance(statement, (ast.Import, ast.ImportFrom)):
                self._follow(module, (name,), score * SHARE, deep + 1)

    def _follow_class(
        self, path: str, node: ast.ClassDef, attribute: _Parts, score: float, deep: int
    ) -> None:
        own = {name: one for one in node.body for name in _assigned(one)}
        defined = {name for one in node.body for name in _bound_by(one)}
        if wanted := [own[name] for name in attribute if name in own]:
            self._mark(path, wanted[0], score, deep)
            return
        if not attribute or defined & {*attribute} or not node.bases:
            for statement in dict.fromkeys(own.values()):
                self._mark(path, statement, score, deep)
        for part in methods_of(node):
            if part.name in _AT_CREATION:
                self._mark_body(path, part, score)
        for base in (*node.bases, *(one.value for one in node.keywords if one.arg == "metaclass")):
            for parts in _names(base):
                self._follow(path, (*parts, *attribute), score, deep + 1)

    def _mark_body(self, path: str, function: Function, score: float) -> None:
        """All statements of a function that runs while a class is made."""
        for part in walk(function):
            if isinstance(part, ast.stmt) and part is not function:
                self._mark(path, part, score, _DEEPEST)

    def _mark(self, path: str, statement: ast.stmt, score: float, deep: int) -> None:
        line = (path, statement.lineno)
        if score * SHARE <= self.scores.get(line, 0.0) or len(self.scores) >= MAX_STATEMENTS:
            return
        if self._project.may_change(path):
            self.scores[line] = score * SHARE
        self._read(path, [statement], score * SHARE, deep + 1)

    def _source(self, path: str) -> Source | None:
        context = self._project.context(path)
        return context.source if context else None

    def _bound(self, path: str) -> dict[str, ast.stmt]:
        """What each name of the module is bound by, the last one in the text."""
        if path not in self._bindings:
            source = self._source(path)
            nodes = _top(source.tree.body) if source else ()
            self._bindings[path] = {name: node for node in nodes for name in _bound_by(node)}
        return self._bindings[path]

    def _module(self, parts: _Parts) -> str:
        dotted = ".".join(parts)
        if dotted not in self._modules:
            self._modules[dotted] = self._project.module(dotted) if dotted else ""
        return self._modules[dotted]


def _names(node: ast.AST) -> Iterator[_Parts]:
    """The names that are read below ``node``, each with the attributes that follow it."""
    inner: set[ast.AST] = set()
    for part in walk(node):
        if part in inner or not isinstance(part, (ast.Name, ast.Attribute)):
            continue
        parts: list[str] = []
        here: ast.AST = part
        while isinstance(here, ast.Attribute):
            parts.append(here.attr)
            here = here.value
            inner.add(here)
        if isinstance(here, ast.Name) and isinstance(here.ctx, ast.Load):
            yield (here.id, *reversed(parts))


def _top(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a module, those below its conditions included."""
    for node in body:
        yield node
        if isinstance(node, (ast.If, ast.Try, ast.With)):
            for name in ("body", "orelse", "finalbody"):
                yield from _top(getattr(node, name, []))
            for handler in getattr(node, "handlers", []):
                yield from _top(handler.body)


def _bound_by(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Import(names=names):
            yield from (one.asname or one.name.partition(".")[0] for one in names)
        case ast.ImportFrom(names=names):
            yield from (one.asname or one.name for one in names)
        case ast.ClassDef(name=name) | ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case _:
            yield from _assigned(node)


def _assigned(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.Assign(targets=targets):
            yield from (part.id for one in targets for part in walk(one) if isinstance(part, ast.Name))
        case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr()):
            yield name


def _imported(node: ast.Import, parts: _Parts) -> _Parts:
    """The dotted path that ``parts`` stand for, whose first one is bound by an import."""
    named = next((one.name for one in node.names if one.asname == parts[0]), parts[0])
    return (*named.split("."), *parts[1:])
