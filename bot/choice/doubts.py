"""Why a patch that passes all tests may still be wrong, in sentences.

The tests decide what is plausible. Whether they decide what is right shows in what else passes them: where
many changes of the same lines were tried and all of them fail, the tests pin the change down. And some kinds
of change often pass because they take behaviour away ("An Analysis of Patch Plausibility and Correctness",
Qi et al., ISSTA 2015).
"""

import ast
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from bot.choice.shape import Shape, odd_constants, shape_of
from bot.choice.suspect_code import (
    altered_functions,
    answers_otherwise,
    asks_for_truth,
    is_never_the_same,
    orders_for_equality,
    returned_calls,
    shifted_results,
    stands_elsewhere,
)
from bot.domain import Patch
from bot.internal_errors import guarded
from bot.patch.apply import apply
from bot.patch.differing import Differing, differing
from bot.patch.policy.files.protected import is_python
from bot.patch.syntax import Function, parsed, walk
from bot.patch.text import LineChange, line_changes, split_lines
from bot.result import Basis, Choice

UNREAD = "its code could not be read"
FEW_NEIGHBOURS, FEW_OF_ALL = 10, 3
FEW_INPUTS, SIMILAR = 5, 0.6
MANY_VALUES = 3
"""Constants that a patch newly compares with: so many are a list of inputs."""
MANY_GUESSES = 3
"""Operators in one patch: so many seldom are what was meant."""
SINGLETONS = (None, True, False, ...)


class Neighbours(NamedTuple):
    """How many other changes of a patch's lines were tried, whether there are no more, how many pass.

    Those that pass and that it was chosen from do not count here.
    """

    tried: int
    all_tried: bool
    passing: int = 0


def doubts(  # noqa: PLR0913 - what is known of a patch, each by its name
    patch: Patch,
    sources: Mapping[str, str],
    *,
    choice: Choice | None,
    neighbours: Neighbours | None,
    unrun: int = 0,
    literals: Container[object] = (),
    guesses: int = 1,
    mixed: bool = False,
    older: Iterable[str] = (),
) -> tuple[str, ...]:
    """What speaks against ``patch``, the weightiest first; empty where nothing does.

    Args:
        patch: one that passes the tests, against ``sources``.
        sources: the project's files.
        choice: how it was chosen among alternatives.
        neighbours: the other changes of its lines; None where nobody looked.
        unrun: how many tests were not run on it.
        literals: the values that stand in the tests.
        guesses: the operators that made it, one on top of the other.
        mixed: whether these are different ones, in several files.
        older: texts of the version before, where there is one.
    """
    found: list[str] = []
    if choice is not None and choice.ambiguous:
        found.append("another patch that behaves differently passes the tests as well")
    elif (
        choice is not None
        and choice.alternatives
        and choice.inputs < FEW_INPUTS
        and choice.basis is not Basis.EVIDENCE
    ):
        compared = f"were compared on few inputs only ({choice.inputs})"
        how = compared if choice.inputs else "could not be compared"
        found.append(f"other patches pass the tests as well, and {how}")
    found += _of_text(patch, sources, literals, older)
    if neighbours is not None and neighbours.passing:
        found.append(f"other changes of the same lines pass the tests as well ({neighbours.passing})")
    if neighbours is not None and neighbours.tried < (FEW_OF_ALL if neighbours.all_tried else FEW_NEIGHBOURS):
        found.append(f"only {neighbours.tried} other changes of the same lines were tried")
    if guesses >= MANY_GUESSES:
        found.append("it is put together of many changes")
    if mixed:
        found.append("it makes different changes in several files")
    if unrun:
        found.append(f"{unrun} tests were not run, since time was short")
    return tuple(dict.fromkeys(found))


def _of_text(
    patch: Patch, sources: Mapping[str, str], literals: Container[object], older: Iterable[str]
) -> list[str]:
    """What the code of ``patch`` shows; that it could not be read, where nothing could be seen."""
    of_code = [UNREAD]
    with guarded("the doubts about a patch"):
        of_code = [*_of_shape(shape_of(patch, sources)), *_of_code(patch, sources, literals)]
        if any(_stands_nowhere(number, [*sources.values(), *older]) for number in _numbers(patch, sources)):
            of_code.append("it has a number that stands nowhere else")
        if any(is_python(path) and parsed(after) is None for path, after in apply(patch, sources).items()):
            of_code.append(UNREAD)
    return of_code


def _of_shape(shape: Shape) -> Iterator[str]:
    flaws = (
        (shape.only_deletes, "it only removes code"),
        (shape.unused > 0, "it leaves a name without a use"),
        (shape.pointless > 0, "it has code without effect"),
        (shape.unordered > 0, "it depends on the order of a set"),
        (shape.taken > 0, "it takes items out of an object that others use as well"),
    )
    yield from (text for found, text in flaws if found)


def _of_code(patch: Patch, sources: Mapping[str, str], literals: Container[object]) -> Iterator[str]:
    for before, (old, new), changes in _altered(patch, sources):
        gone, lines = _changed(changes)
        for node in _within(new, lines):
            yield from _of_node(node)
        for pair in altered_functions(old, new):
            yield from _of_function(*pair)
        if stands_elsewhere(before, changes):
            yield "the same line stands elsewhere, as it was"
        if _adds_beside(changes, new):
            yield "it changes one place, and adds a statement at another"
        if _is_exchanged(_texts(old, gone), _texts(new, lines), literals):
            yield "it exchanges a text for another one that stands in the tests"
        asked = Counter(_asked(new, lines)) - Counter(_asked(old, gone))
        if asked.keys() & odd_constants(before, new) or len(asked) >= MANY_VALUES:
            yield "a condition asks for particular values"
        yield from _of_balance(old, gone, new, lines)


def _altered(
    patch: Patch, sources: Mapping[str, str]
) -> Iterator[tuple[str, Differing, Sequence[LineChange]]]:
    """The old text, what differs in the two trees and the changed lines of each file that can be read."""
    for path, after in apply(patch, sources).items():
        before = sources.get(path, "")
        if parts := differing(before, after):
            yield before, parts, line_changes(split_lines(before), split_lines(after))


def _of_balance(
    old: ast.Module, gone: frozenset[int], new: ast.Module, lines: frozenset[int]
) -> Iterator[str]:
    """What is more or less than before, or the opposite."""
    if _count(new, ast.Raise) < _count(old, ast.Raise):
        yield "an error is no longer raised"
    if returned_calls(_within(old, gone)) & returned_calls(_within(new, lines), denied=True):
        yield "it turns the answer of a call around"
    if shifted_results(_within(new, lines)) > shifted_results(_within(old, gone)):
        yield "it calculates with a call and a number"
    if _decorators(new) > _decorators(old):
        yield "it adds a decorator, which changes how others use the function"


def _numbers(patch: Patch, sources: Mapping[str, str]) -> Iterator[str]:
    """The numbers of functions that ``patch`` brings along; one of a table, or beside an old one, is none."""
    for before, (_, new), changes in _altered(patch, sources):
        odd, lines = odd_constants(before, new), _lines(changes)
        functions = (node for node in walk(new) if isinstance(node, Function))
        for node in (one for function in functions for one in _within(function, lines)):
            match node:
                case ast.Constant(value=int() | float() as value) if repr(value) in odd:
                    yield repr(value)


def _stands_nowhere(number: str, texts: Iterable[str]) -> bool:
    written = re.compile(rf"(?<![\w.]){re.escape(number)}(?![\w.])")
    return not any(written.search(text) for text in texts)


def _of_node(node: ast.AST) -> Iterator[str]:
    match node:
        case (
            ast.ExceptHandler(type=None) | ast.ExceptHandler(type=ast.Name(id="Exception" | "BaseException"))
        ):
            yield "it catches every exception"
        case ast.If(test=ast.Constant()) | ast.IfExp(test=ast.Constant()):
            yield "a condition no longer depends on anything"
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[right]):
            if not (_is_identity(left) or _is_identity(right)):
                yield "it compares by identity where the values may be equal and not the same"
            elif is_never_the_same(node):
                yield "it compares by identity what was just computed"
        case ast.Subscript(slice=ast.UnaryOp(op=ast.Not())):
            yield "it uses a truth value as an index"


def _of_function(old: Function, new: Function) -> Iterator[str]:
    if answers_otherwise(old, new):
        yield "it returns another kind of value than true or false, which the function answers elsewhere"
    if orders_for_equality(old, new):
        yield "it asks for an order where equality is decided"
    if asks_for_truth(old, new):
        yield "it takes what is empty for None"


def _adds_beside(changes: Sequence[LineChange], new: ast.Module) -> bool:
    """Whether a statement is added apart from a line that is changed: one may make up for the other.

    An import, and a statement that binds a name which the changed lines read, belong to these.
    """
    added = _lines(change for change in changes if change.old_start == change.old_end)
    altered = _lines(change for change in changes if change.old_start < change.old_end)
    read = {node.id for node in _within(new, altered) if isinstance(node, ast.Name)}
    bound = {
        node.id
        for node in _within(new, added)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    statements = [node for node in _within(new, added) if isinstance(node, ast.stmt)]
    needed = any(isinstance(node, ast.Import | ast.ImportFrom) for node in statements) or bound & read
    return bool(altered and statements and not needed)


def _lines(changes: Iterable[LineChange]) -> frozenset[int]:
    """The new lines, 1-based."""
    return frozenset(line + 1 for change in changes for line in range(change.new_start, change.new_end))


def _asked(tree: ast.Module, lines: frozenset[int]) -> Iterator[str]:
    """The constants, as code, that something is compared with for equality."""
    for node in _within(tree, lines):
        match node:
            case ast.Compare(left=left, ops=ops, comparators=others):
                if any(isinstance(one, ast.Eq | ast.NotEq | ast.In | ast.NotIn) for one in ops):
                    sides = (part for side in (left, *others) for part in _parts(side))
                    yield from (repr(part.value) for part in sides if isinstance(part, ast.Constant))
            case ast.MatchValue(value=ast.Constant(value=value)):
                yield repr(value)


def _parts(node: ast.expr) -> list[ast.expr]:
    return node.elts if isinstance(node, ast.Tuple | ast.List | ast.Set) else [node]


def _is_identity(node: ast.expr) -> bool:
    """Whether identity is what is commonly asked for: a singleton, a class, a sentinel."""
    match node:
        case ast.Constant(value=value):
            return any(value is one for one in SINGLETONS)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name.lstrip("_")[:1].isupper() or "sentinel" in name.lower() or name == "self"
        case ast.Call(func=ast.Name(id="type")):
            return True
    return False


def _is_exchanged(old: frozenset[str], new: frozenset[str], literals: Container[object]) -> bool:
    """Whether a text of the tests stands where quite another one stood: not a slip of the pen."""
    return any(
        text in literals and all(SequenceMatcher(None, text, other).ratio() < SIMILAR for other in old - new)
        for text in (new - old if old - new else ())
    )


def _texts(tree: ast.Module, lines: frozenset[int]) -> frozenset[str]:
    nodes = _within(tree, lines)
    return frozenset(
        node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _within(tree: ast.AST, lines: frozenset[int]) -> Iterator[ast.AST]:
    return (node for node in walk(tree) if getattr(node, "lineno", 0) in lines)


def _changed(changes: Sequence[LineChange]) -> tuple[frozenset[int], frozenset[int]]:
    """The old lines that are gone, and those that are new; 1-based."""
    gone = (line + 1 for change in changes for line in range(change.old_start, change.old_end))
    return frozenset(gone), _lines(changes)


def _count(tree: ast.AST, kind: type[ast.AST]) -> int:
    return sum(isinstance(node, kind) for node in walk(tree))


def _decorators(tree: ast.AST) -> int:
    nodes = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    return sum(len(node.decorator_list) for node in walk(tree) if isinstance(node, nodes))
