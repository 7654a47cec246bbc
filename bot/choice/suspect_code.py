"""Code that a careful reviewer would ask about, though it passes the tests.

Two versions of a function are compared, or one node of the new version is looked at.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from bot.choice.targets import FUNCTIONS
from bot.patch.syntax import Function, is_word
from bot.patch.text import LineChange, split_lines

_SAYS_SOMETHING = 25  # characters of a line that does not look like others by accident
_ORDERS = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_COUNTING = frozenset({"len", "find", "rfind", "index", "rindex", "count", "ord", "max", "min"})
_RANGES = _COUNTING | {"range", "randrange", "randint", "islice", "chr", "insert"}
_DISPLAYS = (ast.List, ast.Tuple, ast.Dict, ast.Set, ast.JoinedStr, ast.ListComp, ast.DictComp, ast.SetComp)
_ANEW = (*_DISPLAYS, ast.BinOp, ast.GeneratorExp)
"""What makes a new object: no other is the same."""


def altered_functions(old: ast.Module, new: ast.Module) -> Iterator[tuple[Function, Function]]:
    """The functions that differ, in both versions; none where a function came, went or was renamed."""
    one, two = _functions(old), _functions(new)
    if [node.name for node in one] == [node.name for node in two]:
        yield from (pair for pair in zip(one, two, strict=True) if ast.dump(pair[0]) != ast.dump(pair[1]))


def answers_otherwise(old: Function, new: Function) -> bool:
    """Whether a function that answered true or false now also returns what is neither.

    Callers of such a function ask for a truth value, and one test that does so passes with any true object.
    """
    before = _answers(old)
    own = old.args
    parameters = {one.arg for one in (*own.posonlyargs, *own.args, *own.kwonlyargs)}
    truths = len(before) > 1 and any(map(_is_flag, before)) and all(map(_is_truth, before))
    return truths and any(_is_no_truth(answer, parameters) for answer in _answers(new))


def orders_for_equality(old: Function, new: Function) -> bool:
    """Whether a word, or the method that decides on equality, is asked for an order where it was not.

    An assertion compares with this method: where it says yes more often, tests pass that should not. Of words
    that a program chose, most stand before or after another one by accident.
    """
    decides = new.name in {"__eq__", "__ne__"} and len(_ordered(new)) > len(_ordered(old))
    return decides or sum(map(_has_word, _ordered(new))) > sum(map(_has_word, _ordered(old)))


def asks_for_truth(old: Function, new: Function) -> bool:
    """Whether ``x is None`` became ``not x`` (or the opposite): 0 and what is empty count as None then."""
    return bool((_nones(old) - _nones(new)).keys() & (_conditions(new) - _conditions(old)).keys())


def stands_elsewhere(before: str, changes: Iterable[LineChange]) -> bool:
    """Whether a changed line, one that says something, stands once more in the file and is not changed there.

    What is wrong in one of two copies is seldom right in the other one.
    """
    lines = [line.strip() for line in split_lines(before)]
    gone = Counter(line for change in changes for line in lines[change.old_start : change.old_end])
    return any(len(line) >= _SAYS_SOMETHING and lines.count(line) > count for line, count in gone.items())


def is_never_the_same(node: ast.AST) -> bool:
    """Whether a comparison by identity has a side that was computed for it: it is always the same answer."""
    match node:
        case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[right]):
            return isinstance(left, _ANEW) or isinstance(right, _ANEW)
    return False


def _functions(tree: ast.Module) -> list[Function]:
    found = [node for node in ast.walk(tree) if isinstance(node, FUNCTIONS)]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    """What belongs to a function itself, not to one within it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, (*FUNCTIONS, ast.Lambda, ast.ClassDef)):
            yield child
            yield from _own(child)


def _answers(function: Function) -> list[ast.expr | None]:
    return [node.value for node in _own(function) if isinstance(node, ast.Return)]


def _is_flag(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, bool)


def _is_truth(node: ast.expr | None) -> bool:
    negated = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
    return negated or isinstance(node, ast.Compare) or _is_flag(node)


def _is_no_truth(node: ast.expr | None, parameters: set[str]) -> bool:
    match node:
        case ast.Constant():
            return not _is_flag(node)
        case ast.Name(id=name):
            return name in parameters
    return isinstance(node, (*_ANEW, type(None)))


def _ordered(function: Function) -> list[ast.Compare]:
    """The comparisons by order."""
    compares = (node for node in ast.walk(function) if isinstance(node, ast.Compare))
    return [node for node in compares if any(isinstance(op, _ORDERS) for op in node.ops)]


def _has_word(node: ast.Compare) -> bool:
    return any(is_word(side) for side in (node.left, *node.comparators))


def _nones(function: Function) -> Counter[str]:
    """How often each expression is asked to be None, or not to be."""
    return Counter(
        ast.dump(node.left)
        for node in ast.walk(function)
        if isinstance(node, ast.Compare)
        and isinstance(node.ops[0], (ast.Is, ast.IsNot))
        and isinstance(node.comparators[0], ast.Constant)
        and node.comparators[0].value is None
    )


def _conditions(function: Function) -> Counter[str]:
    """How often each expression stands where only its truth counts."""
    found: Counter[str] = Counter()
    for node in ast.walk(function):
        match node:
            case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
                found[ast.dump(test)] += 1
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found[ast.dump(operand)] += 1
            case ast.BoolOp(values=values):
                found.update(map(ast.dump, values))
    return found


def returned_calls(nodes: Iterable[ast.AST], *, denied: bool = False) -> frozenset[str]:
    """The calls, as code, whose answer ``nodes`` return: as it is, or ``denied`` by a ``not``."""
    values = [node.value for node in nodes if isinstance(node, ast.Return)]
    if denied:
        denials = (one for one in values if isinstance(one, ast.UnaryOp) and isinstance(one.op, ast.Not))
        values = [one.operand for one in denials]
    return frozenset(ast.dump(one) for one in values if isinstance(one, ast.Call))


def shifted_results(nodes: Iterable[ast.AST]) -> int:
    """How often a call's result is returned with a number added, or it gets an argument that is one off.

    That may fit the tests alone. What counts things or finds places is often one off.
    """
    count = 0
    for node in nodes:
        match node:
            case ast.Return(
                value=ast.BinOp(
                    left=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)),
                    right=ast.Constant(value=int() | float()),
                )
            ):
                count += name not in _COUNTING
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=arguments):
                count += name not in _RANGES and any(map(_is_one_off, arguments))
    return count


def _is_one_off(node: ast.expr) -> bool:
    match node:
        case ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.Constant(value=1)):
            return True
    return False
