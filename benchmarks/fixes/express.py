"""Whether one candidate of the engine is a real fix, and how many come before it: nothing is run here."""

import ast
import time
import warnings
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from itertools import islice

from benchmarks.fixes.corpus import Faulty
from benchmarks.fixes.mine import versions
from benchmarks.runs.runfile import Row
from benchmarks.runs.tasks import Trial
from bot.domain import Patch, Suspicion
from bot.patch.apply import apply
from bot.patch.syntax import first_line
from bot.search.candidates import candidates
from bot.search.source import FUNCTIONS, Function

MAX_CANDIDATES = 4_000
MAX_SECONDS = 10.0
MAX_NODES = 24
"""Nodes of the syntax tree that a fix brings. With more, it is no single candidate, and is not looked for."""


@dataclass(frozen=True, slots=True)
class Expressed:
    """What the engine makes of one fix, given the changed function and nothing else.

    Attributes:
        kind: the smallest parts of the syntax trees that differ, as ``OLD -> NEW``.
        size: nodes of the syntax tree in the new part.
        rank: the place of the first candidate that is the fix, from 1; 0 where none is.
        origin: the operator or template that made it.
    """

    kind: str
    size: int
    rank: int = 0
    origin: str = ""


@dataclass(frozen=True, slots=True)
class Express:
    """``Work``: looks for one fix, given the code before and after it."""

    def __call__(self, trial: Trial) -> Row:
        """See ``Work``."""
        assert isinstance(trial.task, Faulty)
        fix, started = trial.task.fix, time.perf_counter()
        both = versions(trial.task.clone, fix)
        found = express(fix.path, *both) if both else None
        seconds = round(time.perf_counter() - started, 3)
        if found is None:
            return {"outcome": "no change of code", "plausible": False, "seconds": seconds}
        outcome = "expressed" if found.rank else "not expressed"
        return {**asdict(found), "outcome": outcome, "plausible": found.rank > 0, "seconds": seconds}


def express(path: str, before: str, after: str) -> Expressed | None:
    """Look for the fix of one file among the candidates for the function that it changes.

    None where the syntax trees are equal but for docstrings, or a version does not parse.
    """
    old, new = _tree(before), _tree(after)
    if old is None or new is None or ast.dump(old) == ast.dump(new):
        return None
    one, two = _function(old, new)
    kind, size = difference(one, two)
    if size > MAX_NODES:
        return Expressed(kind, size)
    wanted = ast.dump(new)
    suspicions = [Suspicion(path=path, line=line, score=1.0) for line in _lines(one, two)]
    region = _Region(before, one, two)
    end = time.monotonic() + MAX_SECONDS
    listed = islice(candidates({path: before}, suspicions), MAX_CANDIDATES)
    for rank, candidate in enumerate(listed, 1):
        if region.is_fix(candidate.patch, path, wanted):
            return Expressed(kind, size, rank, candidate.origin)
        if time.monotonic() > end:
            break
    return Expressed(kind, size)


def same_code(one: str, other: str) -> bool:
    """Whether two versions of a file have the same syntax tree but for docstrings."""
    trees = _tree(one), _tree(other)
    return trees[0] is not None and trees[1] is not None and ast.dump(trees[0]) == ast.dump(trees[1])


class _Region:
    """The changed function, so that a candidate is compared without parsing the rest of the file."""

    def __init__(self, before: str, old: ast.AST, new: ast.AST) -> None:
        self._before = before
        self._span = None
        if isinstance(old, FUNCTIONS):
            starts = [0]
            for line in before.splitlines(keepends=True):
                starts.append(starts[-1] + len(line))
            first = first_line(old)
            self._span = starts[first - 1], starts[old.end_lineno or old.lineno]
            self._indented = bool(old.col_offset)
            self._wanted = ast.dump(new)

    def is_fix(self, patch: Patch, path: str, wanted: str) -> bool:
        """Whether ``patch`` gives the fixed version, docstrings aside."""
        if self._span is None or any(
            not self._span[0] <= edit.start <= edit.end <= self._span[1] for edit in patch.edits
        ):
            tree = _tree(apply(patch, {path: self._before}).get(path, self._before))
            return tree is not None and ast.dump(tree) == wanted
        start, end = self._span
        code = self._before[start:end]
        for edit in sorted(patch.edits, key=lambda edit: -edit.start):
            code = code[: edit.start - start] + edit.replacement + code[edit.end - start :]
        tree = _tree("if 1:\n" + code if self._indented else code)
        if tree is None:
            return False
        body = tree.body[0].body if self._indented and isinstance(tree.body[0], ast.If) else tree.body
        return len(body) == 1 and ast.dump(body[0]) == self._wanted


def difference(old: ast.AST, new: ast.AST) -> tuple[str, int]:
    """The smallest parts that differ, by the names of their nodes, and how many nodes the new one has."""
    while True:
        if type(old) is not type(new):
            return f"{_label(old)} -> {_label(new)}", _size(new)
        parts = [
            (name, one, two)
            for (name, one), (_, two) in zip(ast.iter_fields(old), ast.iter_fields(new), strict=True)
            if _dump(one) != _dump(two)
        ]
        if len(parts) != 1:
            sizes = sum(_size(two) for _, _, two in parts)
            return f"{_label(old)}: {', '.join(name for name, _, _ in parts)}", sizes
        name, one, two = parts[0]
        if isinstance(one, ast.AST) and isinstance(two, ast.AST):
            old, new = one, two
            continue
        if not (isinstance(one, list) and isinstance(two, list)):
            return f"{_label(old)}.{name}", _size(two)
        one, two = _without_common(one, two)
        if len(one) == len(two) == 1 and isinstance(one[0], ast.AST) and isinstance(two[0], ast.AST):
            old, new = one[0], two[0]
            continue
        gone, come = " ".join(map(_label, one)) or "nothing", " ".join(map(_label, two)) or "nothing"
        return f"{_label(old)}.{name}: {gone} -> {come}", _size(two)


def _size(part: object) -> int:
    """Nodes without those that only say how a name is used."""
    if isinstance(part, list):
        return sum(map(_size, part))
    if not isinstance(part, ast.AST):
        return 1
    return sum(not isinstance(node, ast.expr_context) for node in ast.walk(part))


def _without_common(one: list[object], two: list[object]) -> tuple[list[object], list[object]]:
    """What is left of two lists without what they begin and end with alike."""
    start = 0
    while start < min(len(one), len(two)) and _dump(one[start]) == _dump(two[start]):
        start += 1
    end = 0
    while end < min(len(one), len(two)) - start and _dump(one[-1 - end]) == _dump(two[-1 - end]):
        end += 1
    return one[start : len(one) - end], two[start : len(two) - end]


def _label(node: object) -> str:
    if isinstance(node, ast.Constant):
        return f"Constant {type(node.value).__name__}"
    return type(node).__name__


def _dump(part: object) -> str:
    if isinstance(part, list):
        return "[" + ", ".join(map(_dump, part)) + "]"
    return ast.dump(part) if isinstance(part, ast.AST) else repr(part)


def _function(old: ast.AST, new: ast.AST) -> tuple[ast.AST, ast.AST]:
    """The innermost function, class or module, in both versions, that holds the whole difference."""
    found = old, new
    while True:
        inner = [
            (one, two)
            for one, two in zip(_statements(found[0]), _statements(found[1]), strict=False)
            if ast.dump(one) != ast.dump(two)
        ]
        alike = len(_statements(found[0])) == len(_statements(found[1]))
        heads = _head(found[0]) == _head(found[1])
        scopes = (*FUNCTIONS, ast.ClassDef)
        if not alike or not heads or len(inner) != 1 or not all(isinstance(one, scopes) for one in inner[0]):
            return found
        found = inner[0]


def _statements(node: ast.AST) -> list[ast.stmt]:
    return getattr(node, "body", [])


def _head(node: ast.AST) -> str:
    """All of a definition but its body."""
    return " ".join(_dump(value) for name, value in ast.iter_fields(node) if name != "body")


def _lines(old: ast.AST, new: ast.AST) -> Iterator[int]:
    """The lines of a function; elsewhere those of the statements that differ, and of their neighbours."""
    if isinstance(old, FUNCTIONS):
        yield from range(old.lineno, (old.end_lineno or old.lineno) + 1)
        return
    one, _ = _without_common(list(_statements(old)), list(_statements(new)))
    body = _statements(old)
    near = {body.index(found) + step for found in one if isinstance(found, ast.stmt) for step in (-1, 0, 1)}
    for index in sorted(near & set(range(len(body)))):
        yield from range(body[index].lineno, (body[index].end_lineno or body[index].lineno) + 1)


def _tree(code: str) -> ast.Module | None:
    """The syntax tree without docstrings; None where there is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    for node in ast.walk(tree):
        if isinstance(node, Function | ast.ClassDef | ast.Module) and ast.get_docstring(node, clean=False):
            node.body[:1] = [] if len(node.body) > 1 else [ast.copy_location(ast.Pass(), node.body[0])]
    return tree
