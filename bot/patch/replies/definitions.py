"""Replacing functions and classes by name, at the indentation of their place.

It compares names only; it never decides whether the new body is any better.
"""

import ast
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bot.domain import SpanEdit
from bot.errors import PatchError
from bot.patch.replies.match import indent as indent_of
from bot.patch.syntax import first_line, parsed_by_lines
from bot.patch.text import NumberedSource, Sources

Named = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_IMPORTS = (ast.Import, ast.ImportFrom)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyDefinition:
    """A function or class of a model's reply, and the lines that its positions refer to."""

    node: Named
    lines: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Place:
    path: str
    node: Named
    tree: ast.Module


class Scope:
    """The files in which definitions are looked up."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self._definitions: dict[str, list[tuple[Named, ast.Module]]] = {}

    def places(self, name: str) -> list[_Place]:
        """Every definition of ``name``, at any depth, in files that parse."""
        wanted = re.compile(rf"\b(?:def|class)\s+{re.escape(name)}\b")
        return [
            _Place(path=path, node=node, tree=tree)
            for path, source in sorted(self.sources.items())
            if wanted.search(source)
            for node, tree in self._defined(path)
            if node.name == name
        ]

    def _defined(self, path: str) -> list[tuple[Named, ast.Module]]:
        if path not in self._definitions:
            tree = parsed_by_lines(self.sources[path])
            nodes = [] if tree is None else [node for node in ast.walk(tree) if isinstance(node, Named)]
            self._definitions[path] = [(node, tree) for node in nodes if tree is not None]
        return self._definitions[path]

    def place(self, name: str) -> _Place:
        """The one definition of ``name``.

        Raises:
            PatchError: there is none, or more than one.
        """
        places = self.places(name)
        if len(places) != 1:
            raise PatchError(f"{name!r} is defined {len(places)} times in the sources: name the path")
        return places[0]


def definition_edits(
    definitions: list[ReplyDefinition], imports: list[ast.stmt], scope: Scope
) -> Iterator[SpanEdit]:
    """Edits that put ``definitions`` in the place of their namesakes and add the ``imports`` that lack.

    A definition without a namesake goes before the next one that has one, which must be at top level. A test
    without one is left out: models show how they would try what they wrote.

    Raises:
        PatchError: a name is not defined exactly once, or a new definition has no clear place.
    """
    helpers: list[ReplyDefinition] = []
    paths: dict[str, ast.Module] = {}
    last: tuple[NumberedSource, _Place] | None = None
    for definition in definitions:
        if not scope.places(definition.node.name):
            if not is_test_name(definition.node.name):
                helpers.append(definition)
            continue
        place = scope.place(definition.node.name)
        source = NumberedSource(place.path, scope.sources[place.path])
        yield from _new_helpers(helpers, source, place, after=False)
        helpers = []
        yield from _replacement(definition, source, place.node)
        paths[place.path] = place.tree
        last = (source, place)
    if helpers and last is not None:
        yield from _new_helpers(helpers, *last, after=True)
    for path, tree in paths.items():
        yield from _missing_imports(imports, NumberedSource(path, scope.sources[path]), tree)


def is_test_name(name: str) -> bool:
    """Whether a function or class called ``name`` is a test, as pytest and unittest name them."""
    return name.startswith(("test_", "Test"))


def top_level_names(tree: ast.Module) -> set[str]:
    """The names that a module binds at its top level: definitions, assignments, imports."""
    names: set[str] = set()
    for node in tree.body:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                names.add(node.name)
            case ast.Import() | ast.ImportFrom():
                names |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
            case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
                names |= {
                    name.id
                    for name in ast.walk(node)
                    if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
                }
    return names


def unindented(lines: list[str]) -> list[str]:
    """``lines`` without the first line's indentation, so that a pasted method parses."""
    indent = indent_of(lines[0])
    return [line.removeprefix(indent) for line in lines]


def _last_line(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _methods(node: Named) -> dict[str, Named]:
    return {child.name: child for child in node.body if isinstance(child, Named)}


def _replacement(definition: ReplyDefinition, source: NumberedSource, target: Named) -> Iterator[SpanEdit]:
    node = definition.node
    if isinstance(node, ast.ClassDef) and isinstance(target, ast.ClassDef):
        mine, theirs = _methods(node), _methods(target)
        if mine and mine.keys() < theirs.keys():
            # only some methods are shown: the others are meant to stay
            for name, method in mine.items():
                shown = ReplyDefinition(node=method, lines=definition.lines)
                yield from _replacement(shown, source, theirs[name])
            return
    # decorators that the model left out are kept
    first = first_line(target) if node.decorator_list else target.lineno
    indent = indent_of(source.lines[target.lineno - 1])
    yield source.replace(first, _last_line(target), _documented(definition, indent, source, target))


def _documented(definition: ReplyDefinition, indent: str, source: NumberedSource, target: Named) -> list[str]:
    """The definition's lines, with the target's docstring where it has none: models are brief."""
    lines = _shifted(definition, indent)
    old, body = docstring_of(target), definition.node.body[0]
    start = first_line(body) if isinstance(body, Named) else body.lineno
    if old is None or docstring_of(definition.node) is not None or start == definition.node.lineno:
        return lines
    at = start - first_line(definition.node)
    kept = source.bare_lines()[old.lineno - 1 : _last_line(old)]
    return [*lines[:at], indent_of(lines[at]) + kept[0].lstrip(), *kept[1:], *lines[at:]]


def docstring_of(node: Named) -> ast.stmt | None:
    """The statement that documents ``node``; None where there is none."""
    match node.body[0]:
        case ast.Expr(value=ast.Constant(value=str())) as first:
            return first
    return None


def _new_helpers(
    helpers: list[ReplyDefinition], source: NumberedSource, place: _Place, *, after: bool
) -> Iterator[SpanEdit]:
    if not helpers:
        return
    if place.node not in place.tree.body:
        raise PatchError(
            f"{helpers[0].node.name!r} is new, and has no clear place beside a nested definition"
        )
    lines: list[str] = []
    for helper in helpers:
        lines += ["", "", *_shifted(helper, "")] if after else [*_shifted(helper, ""), "", ""]
    yield source.insert(_last_line(place.node) if after else first_line(place.node) - 1, lines)


def _shifted(definition: ReplyDefinition, indent: str) -> list[str]:
    """The definition's lines, moved to ``indent``; the inside of strings stays, docstrings move along."""
    node = definition.node
    first, last = first_line(node), _last_line(node)
    own = indent_of(definition.lines[first - 1])
    frozen = set(_string_interiors(node))
    # copied from within a class, but for the blanks before its first word
    copied = (
        bool(indent)
        and not own
        and len(indent_of(definition.lines[node.body[0].lineno - 1])) > len(indent) + 1
    )
    starts = range(first, node.body[0].lineno) if copied else range(first, last + 1)
    return [
        indent + line.removeprefix(own)
        if number in starts and number not in frozen and line.strip()
        else line
        for number, line in enumerate(definition.lines[first - 1 : last], first)
    ]


def _string_interiors(node: Named) -> Iterator[int]:
    docstrings = {
        id(child.body[0].value)
        for child in ast.walk(node)
        if isinstance(child, Named) and child.body and isinstance(child.body[0], ast.Expr)
    }
    for child in ast.walk(node):
        if isinstance(child, ast.Constant | ast.JoinedStr) and id(child) not in docstrings:
            yield from range(child.lineno + 1, (child.end_lineno or child.lineno) + 1)


def _missing_imports(
    imports: Iterable[ast.stmt], source: NumberedSource, tree: ast.Module
) -> Iterator[SpanEdit]:
    present = {ast.dump(node) for node in tree.body if isinstance(node, _IMPORTS)}
    bound = top_level_names(tree)
    lines = [
        ast.unparse(node)
        for node in imports
        if ast.dump(node) not in present
        and not top_level_names(ast.Module(body=[node], type_ignores=[])) <= bound
    ]
    if lines:
        yield source.insert(_import_line(tree), lines)


def _import_line(tree: ast.Module) -> int:
    """The line behind the docstring and the ``__future__`` imports, where an import may stand."""
    line = 0
    for position, node in enumerate(tree.body):
        docstring = position == 0 and isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not docstring and not future:
            break
        line = _last_line(node)
    return line
