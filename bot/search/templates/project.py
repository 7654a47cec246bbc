"""The project as the fix templates see it: files parsed on demand, definitions by name, places by frame.

A file is parsed only when a frame or a name leads to it, so that a large project costs what is looked at.
"""

import ast
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

from bot.patch.syntax import last_name
from bot.search.examples import Examples
from bot.search.operators.base import Context
from bot.search.source import FUNCTIONS, Function, Source, begins, parse
from bot.search.templates.failure import Failure
from sandbox.reports import Frame, TestResult

NodeT = TypeVar("NodeT", bound=ast.AST)
DefinedT = TypeVar("DefinedT", bound=Function | ast.ClassDef)
_MAX_FRAMES = 8  # frames from the innermost outwards that a route may look at
_MAX_FILES = 20  # that mention a name
_INIT = "/__init__.py"
# What module level may define a name with: every file mentions `os`, few are worth parsing for it.
_DEFINED = r"^(?:(?:async\s+)?def\s+|class\s+|type\s+)?{name}\b|(?<!\w){name}\s*=(?!=)"


_SIGNS = (ast.expr_context, ast.operator, ast.boolop, ast.unaryop, ast.cmpop)
_NOT_OWN = (ast.stmt, ast.excepthandler, ast.match_case, *_SIGNS)


class Spot(NamedTuple):
    """A line of a file that a frame names: its innermost statement and that statement's own nodes."""

    context: Context
    line: int
    statement: ast.stmt
    nodes: tuple[ast.AST, ...]

    def of(self, *kinds: type[NodeT]) -> list[NodeT]:
        """The nodes of some types, those that begin on the line itself first."""
        found = [node for node in self.nodes if isinstance(node, kinds)]
        return sorted(found, key=lambda node: getattr(node, "lineno", 0) != self.line)


class Definition(NamedTuple, Generic[DefinedT]):
    """A function or class of the project and the class that it belongs to."""

    context: Context
    node: DefinedT
    owner: ast.ClassDef | None


class Project:
    """All sources, and which of them may be changed."""

    def __init__(
        self,
        sources: Mapping[str, str],
        failing: Sequence[TestResult] = (),
        may_change: Callable[[str], bool] = bool,
    ) -> None:
        self.sources = sources
        self.may_change = may_change
        self._failing = tuple(failing)
        self._examples = Examples(sources, failing)
        self._contexts: dict[str, Context | None] = {}

    @cached_property
    def paths(self) -> tuple[str, ...]:
        """The Python files that may be changed."""
        return tuple(path for path in sorted(self.sources) if path.endswith(".py") and self.may_change(path))

    def context(self, path: str) -> Context | None:
        """The parsed file; None when it is not there or does not parse."""
        if path not in self._contexts:
            source = parse(path, self.sources[path]) if path in self.sources else None
            self._contexts[path] = Context(source, self._failing, self._examples) if source else None
        return self._contexts[path]

    def spots(self, failure: Failure) -> Iterator[Spot]:
        """The places that may be changed, from where it was raised outwards, each once."""
        seen = set()
        for frame in failure.frames:
            place = (frame.path, frame.line)
            if place not in seen and self.may_change(frame.path) and (found := self.spot(frame)):
                seen.add(place)
                yield found
                if len(seen) >= _MAX_FRAMES:
                    return

    def seen(self, failure: Failure) -> Iterator[Spot]:
        """The same places, or where none may be changed the innermost one, to be read only."""
        found = list(self.spots(failure))
        yield from found
        for frame in failure.frames[:1] if not found else ():
            if spot := self.spot(frame):
                yield spot

    def spot(self, frame: Frame) -> Spot | None:
        """The place of one frame, whether it may be changed or not."""
        context = self.context(frame.path)
        return spot_at(context, frame.line) if context else None

    def functions(self, name: str, owner: str = "") -> list[Definition[Function]]:
        """Functions and methods called ``name``, of the class ``owner`` where one is given."""
        found = [
            Definition(context, node, context.source.class_of(node))
            for context in self._holding(f"def {name}")
            for node in context.source.functions
            if node.name == name
        ]
        return [each for each in found if not owner or (each.owner and each.owner.name == owner)]

    def calls(self, names: Collection[str]) -> Iterator[Spot]:
        """The lines that call one of ``names``: where no frame says which line it was."""
        for name in sorted(names):
            for context in self._holding(name):
                calls = (node for node in context.source.parents if isinstance(node, ast.Call))
                lines = (call.lineno for call in calls if last_name(call.func) == name)
                yield from filter(None, (spot_at(context, line) for line in lines))

    def naming(self, name: str) -> Iterator[Spot]:
        """The lines that read a variable ``name`` which their file does not bind."""
        for context in islice(self._holding(name), _MAX_FILES):
            if name not in context.scopes.known:
                names = (node for node in context.source.parents if isinstance(node, ast.Name))
                lines = (node.lineno for node in names if node.id == name)
                yield from filter(None, (spot_at(context, line) for line in lines))

    def classes(self, name: str) -> list[Definition[ast.ClassDef]]:
        """Classes called ``name``."""
        return [
            Definition(context, node, None)
            for context in self._holding(f"class {name}")
            for node in context.source.statements
            if isinstance(node, ast.ClassDef) and node.name == name
        ]

    def bases(self, found: Definition[ast.ClassDef]) -> Iterator[Definition[ast.ClassDef]]:
        """The project's classes above a class, nearest first."""
        todo, seen = [found.node], {found.node.name, ""}
        while todo:
            for base in todo.pop(0).bases:
                if (name := last_name(base)) not in seen:
                    seen.add(name)
                    above = self.classes(name)
                    todo += [each.node for each in above]
                    yield from above

    def exported(self, name: str) -> list[str]:
        """Files whose module level defines ``name`` as a function, class or variable."""
        return [
            context.source.path
            for context in self.matching(_DEFINED.format(name=re.escape(name)))
            for node in context.source.tree.body
            if name in _names_by(node)
        ]

    def module(self, dotted: str) -> str:
        """The path of a module by its dotted name; empty when the project has none."""
        tail = dotted.replace(".", "/")
        ends = (f"{tail}.py", f"{tail}{_INIT}")
        below = tuple("/" + end for end in ends)
        found = [path for path in sorted(self.sources) if path in ends or path.endswith(below)]
        return min(found, key=len, default="")

    def dotted(self, path: str) -> tuple[str, ...]:
        """The module's name from its top package on: what an import statement would say."""
        parts = path.removesuffix(".py").split("/")
        parts = parts[:-1] if parts[-1] == "__init__" else parts
        top = len(parts) - (0 if path.endswith(_INIT) else 1)
        while top > 0 and "/".join(parts[:top]) + _INIT in self.sources:
            top -= 1
        return tuple(parts[top:])

    def _holding(self, code: str) -> Iterator[Context]:
        return self.matching(rf"(?<!\w){re.escape(code)}\b")

    def matching(self, expression: str) -> Iterator[Context]:
        """The files in whose text the regular expression is found."""
        pattern = re.compile(expression, re.MULTILINE)
        for path in self.paths:
            if pattern.search(self.sources[path]) and (context := self.context(path)):
                yield context


def _names_by(node: ast.stmt) -> set[str]:
    """What a definition, an assignment or (since Python 3.12) a ``type`` statement defines."""
    if isinstance(node, (*FUNCTIONS, ast.ClassDef)):
        return {node.name}
    if isinstance(node, ast.Assign):
        return {getattr(target, "id", "") for target in node.targets}
    named = node.target if isinstance(node, ast.AnnAssign) else getattr(node, "name", None)
    return {getattr(named, "id", "")}


def spot_at(context: Context, line: int) -> Spot | None:
    """The innermost statement that stands on a line."""
    statements = context.source.statements
    around = [one for one in statements if begins(one) <= line <= (one.end_lineno or one.lineno)]
    if not around:
        return None
    statement = around[-1]
    # Several statements may share the line; what was asked for may be in any of them.
    same = [node for node in around if node.lineno == statement.lineno and node is not statement]
    headers = [part for each in around for part in _headers(each, line)]
    nodes = [node for each in (statement, *same, *headers) for node in statement_nodes(each, context.source)]
    return Spot(context, line, statement, tuple(dict.fromkeys(nodes)))


def _headers(statement: ast.stmt, line: int) -> Iterator[ast.excepthandler | ast.match_case]:
    """The ``except`` or ``case`` whose own words, not those of the statements below it, stand on a line."""
    for part in (*getattr(statement, "handlers", ()), *getattr(statement, "cases", ())):
        first = part.pattern.lineno if isinstance(part, ast.match_case) else part.lineno
        if line == first or first < line < begins(part.body[0]):
            yield part


def statement_nodes(node: ast.AST, source: Source) -> Iterator[ast.AST]:
    """The nodes of a statement, or of an ``except`` or ``case``, without the statements inside it."""
    # No recursion: an expression may be nested deeper than that goes.
    waiting = [node]
    while waiting:
        here = waiting.pop()
        yield here
        below: Iterable[ast.AST] = ast.iter_child_nodes(here)
        if isinstance(here, ast.JoinedStr):
            below = (inner for part in here.values for inner in source.formatted(part))
        waiting += [child for child in below if not isinstance(child, _NOT_OWN)][::-1]
