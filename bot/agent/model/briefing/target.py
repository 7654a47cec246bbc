"""The function that a model is asked to repair, what it uses, and the lines in it that look wrong."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from bot.agent.model.excerpts import EXCERPT_LINES, functions, span
from bot.domain import Suspicion
from bot.patch.syntax import Function, parsed
from bot.patch.text import split_lines

LONGEST = EXCERPT_LINES
CALLEES = 3
MARKED = 3
# Lines that are nearly as suspicious as the first are worth a look; one that is much less so is not.
NEAR = 0.7


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """A function in a file: lines ``start`` to ``end`` (1-based, inclusive), its decorators included.

    ``suspicious`` are lines within it, the most suspicious first.
    """

    path: str
    name: str
    start: int
    end: int
    text: str
    node: Function
    suspicious: tuple[int, ...] = ()

    @property
    def lines(self) -> range:
        """The numbers of its lines."""
        return range(self.start, self.end + 1)

    @property
    def head(self) -> str:
        """The ``def`` line or lines, as they are written."""
        lines = self.text.split("\n")[self.node.lineno - self.start : self.node.body[0].lineno - self.start]
        return "\n".join(lines).strip() or self.text.strip().split("\n")[0]

    @property
    def promise(self) -> str:
        """Its docstring; empty where it has none."""
        return ast.get_docstring(self.node) or ""

    @property
    def first(self) -> int:
        """The first line that may be changed: a decorator or the ``def``; behind a docstring, the code."""
        return (self.node.body[0].end_lineno or self.start) + 1 if self.promise else self.start

    @property
    def code(self) -> str:
        """The lines without the docstring."""
        return "\n".join(line for _number, line in self._lines())

    @property
    def numbered(self) -> str:
        """The same with line numbers in front."""
        return "\n".join(f"{number}| {line}" for number, line in self._lines())

    def _lines(self) -> Iterator[tuple[int, str]]:
        first = self.node.body[0]
        left_out = range(first.lineno, (first.end_lineno or first.lineno) + 1) if self.promise else range(0)
        if first.lineno == self.node.lineno:  # all in one line
            left_out = range(0)
        for number, line in enumerate(self.text.split("\n"), self.start):
            if number not in left_out:
                yield number, line.rstrip("\r")

    def line(self, number: int) -> str:
        """The text of line ``number`` of the file, bare."""
        return self.text.split("\n")[number - self.start].strip()


def targets(
    sources: Mapping[str, str], suspicions: Sequence[Suspicion], *, most: int = 2
) -> tuple[Target, ...]:
    """The functions that hold the most suspicious lines, the most suspicious first; no long ones."""
    found: dict[tuple[str, int], Target] = {}
    trees: dict[str, list[Function]] = {}
    for suspicion in suspicions:
        source = sources.get(suspicion.path)
        if source is None:
            continue
        node = _around(trees.setdefault(suspicion.path, functions(source)), suspicion.line)
        if node is None or (suspicion.path, node.lineno) in found:
            continue
        target = _target(suspicion.path, source, node, suspicions)
        if target.end - target.start < LONGEST:
            found[suspicion.path, node.lineno] = target
        if len(found) >= most:
            break
    return tuple(found.values())


def callees(target: Target, sources: Mapping[str, str]) -> tuple[str, ...]:
    """The texts of functions of the same file that ``target`` calls by their names."""
    source = sources[target.path]
    called = {
        node.func.id if isinstance(node.func, ast.Name) else node.func.attr
        for node in ast.walk(target.node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute)
    }
    nodes = [node for node in functions(source) if node.name in called and node.name != target.node.name]
    return tuple(_text(source, node) for node in nodes[:CALLEES])


def bindings(target: Target, sources: Mapping[str, str]) -> str:
    """The imports and constants of the module that ``target`` uses, a statement a line."""
    tree = parsed(sources[target.path])
    used = {node.id for node in ast.walk(target.node) if isinstance(node, ast.Name)}
    return "\n".join(_unparsed(node) for node in (tree.body if tree else ()) if _binds(node) & used)


def _unparsed(node: ast.stmt) -> str:
    try:
        return ast.unparse(node)
    except RecursionError:
        return f"# {' and '.join(sorted(_binds(node)))}: too long to be shown"


def _binds(node: ast.stmt) -> set[str]:
    match node:
        case ast.Import() | ast.ImportFrom():
            return {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
        case ast.Assign() if (node.end_lineno or node.lineno) - node.lineno < 3:
            return {
                one.id for target in node.targets for one in ast.walk(target) if isinstance(one, ast.Name)
            }
    return set()


def _target(path: str, source: str, node: Function, suspicions: Sequence[Suspicion]) -> Target:
    start, end = span(node)
    inside = {
        suspicion.line: suspicion.score
        for suspicion in reversed(suspicions)
        if suspicion.path == path and node.body[0].lineno <= suspicion.line <= end
    }
    ranked = sorted(inside, key=lambda line: (-inside[line], line))
    top = inside[ranked[0]] if ranked else 0.0
    return Target(
        path=path,
        name=_dotted(source, node),
        start=start,
        end=end,
        text=_text(source, node),
        node=node,
        suspicious=tuple(line for line in ranked if inside[line] >= NEAR * top),
    )


def _dotted(source: str, node: Function) -> str:
    tree = parsed(source)
    classes = [
        one
        for one in (ast.walk(tree) if tree else ())
        if isinstance(one, ast.ClassDef) and one.lineno < node.lineno <= (one.end_lineno or one.lineno)
    ]
    return ".".join([*(one.name for one in sorted(classes, key=lambda one: one.lineno)), node.name])


def _around(nodes: Sequence[Function], line: int) -> Function | None:
    """The outermost function around ``line``: one within another makes sense only as a part of it."""
    around = [node for node in nodes if span(node)[0] <= line <= span(node)[1]]
    return min(around, key=lambda node: node.lineno, default=None)


def _text(source: str, node: Function) -> str:
    start, end = span(node)
    return "".join(split_lines(source)[start - 1 : end]).rstrip("\r\n")


def marks(target: Target) -> Iterator[str]:
    """The most suspicious lines, as they are written; none where nearly all are alike."""
    first = target.node.body[min(len(target.node.body) - 1, 1 if target.promise else 0)]
    body = target.end - first.lineno + 1
    if target.suspicious and len(target.suspicious) <= max(MARKED, body // 2):
        yield from (target.line(number) for number in target.suspicious[:MARKED])
