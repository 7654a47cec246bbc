"""Tables of answers: a display of pairs that is looked into, and that holds the inputs and results of tests.

One pair alone is a branch for one input, and refused as one. Several may be the honest table of a repair: a
person sees them. A table that was there before may get further entries; that is how many a bug is fixed.
"""

import ast
from collections.abc import Iterator

from bot.patch.policy.cheating.literals import is_edge, is_informative, literal
from bot.patch.policy.finding import Findings
from bot.patch.syntax import MISSING, every_node, last_name, walk

_ASKING = {"get", "pop", "setdefault", "items", "__getitem__", "index"}
_OLD_ENTRIES = 2
Pair = tuple[object, object]


def answer_tables(before: ast.Module, after: ast.Module, test_literals: frozenset[object]) -> Findings:
    """The tables that are new in ``after`` and hold what the tests ask and expect."""
    if not test_literals:
        return Findings()
    old = {pair for _, pairs in _tables(before) for pair in pairs}
    refused, shown = [], []
    for text, pairs in _tables(after):
        fresh = [pair for pair in pairs if pair not in old]
        if not fresh or len(pairs) - len(fresh) >= _OLD_ENTRIES:
            continue
        if len(pairs) == 1 and _is_branch(fresh[0], test_literals):
            refused.append(f"a test's own input is special-cased: {text[:60]} for one input")
        elif all(_is_of_tests(pair, test_literals) for pair in fresh):
            shown.append(f"a new table of inputs and results that stand in the tests: {text[:60]}")
    known = set(_queues(before))
    for text, results in _queues(after):
        particular = [one for one in results if is_informative(one) and one in test_literals]
        if (text, results) not in known and len(particular) == len(results) > 1:
            shown.append(f"new results one after another, which stand in the tests: {text[:60]}")
    return Findings(tuple(refused), tuple(shown))


def _queues(tree: ast.Module) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Each display of which the next value is taken again and again, as text and as its values."""
    taken = {id(one) for node in every_node(tree) for one in _taken(node) if not isinstance(one, ast.Name)}
    names = {one.id for node in every_node(tree) for one in _taken(node) if isinstance(one, ast.Name)}
    taken |= {id(_iterated(value)) for name, value in _bound(tree) if name in names}
    for node in every_node(tree):
        if id(node) in taken and isinstance(node, ast.expr) and isinstance(values := literal(node), tuple):
            yield ast.unparse(node), values


def _taken(node: ast.AST) -> Iterator[ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr="pop" | "popleft")):
            yield _last(value)
        case ast.Call(func=ast.Name(id="next"), args=[value, *_]):
            yield _last(_iterated(value))
        case ast.Subscript(value=value, slice=key) if any(
            isinstance(one, ast.Call) and last_name(one.func) in {"next", "len"} for one in walk(key)
        ):
            yield _last(value)


def _iterated(value: ast.expr) -> ast.expr:
    """The display in ``iter((1, 2))``, ``cycle((1, 2))`` and ``deque((1, 2))``."""
    if isinstance(value, ast.Call) and len(value.args) == 1:
        return value.args[0]
    return value


def _is_branch(pair: Pair, test_literals: frozenset[object]) -> bool:
    """Whether a branch for this input with this answer would be one for a test."""
    asked, answer = pair
    known = is_informative(asked) and asked in test_literals
    return known or (not is_edge(asked) and is_informative(answer) and answer in test_literals)


def _is_of_tests(pair: Pair, test_literals: frozenset[object]) -> bool:
    asked, answer = pair
    if is_edge(asked) or (is_informative(asked) and asked not in test_literals):
        return False
    return is_informative(answer) and answer in test_literals


def _tables(tree: ast.Module) -> Iterator[tuple[str, list[Pair]]]:
    """Each display that is looked into, as text and as its pairs."""
    asked = {id(node) for node in _looked_into(tree) if not isinstance(node, ast.Name)}
    names = {node.id for node in _looked_into(tree) if isinstance(node, ast.Name)}
    asked |= {id(value) for name, value in _bound(tree) if name in names}
    for node in every_node(tree):
        if id(node) in asked and isinstance(node, ast.expr) and (pairs := _pairs(node)):
            yield ast.unparse(node), pairs


def _looked_into(tree: ast.Module) -> Iterator[ast.expr]:
    """What is asked for a value that is not written out."""
    for node in every_node(tree):
        match node:
            case ast.Call(func=ast.Attribute(value=value, attr=name)) if name in _ASKING:
                yield _last(value)
            case ast.Subscript(value=value, slice=key, ctx=ast.Load()) if literal(key) is MISSING:
                yield _last(value)
            case ast.For(iter=value) | ast.comprehension(iter=value):
                yield _last(value)
            case ast.Call(func=ast.Name(id="dict" | "next" | "iter"), args=[value, *_]):
                yield _last(value)
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[value]):
                yield _last(value)


def _last(node: ast.expr) -> ast.expr:
    """``node``, or for an attribute its name, by which the attribute may be bound."""
    if isinstance(node, ast.Attribute):
        return ast.Name(id=node.attr)
    if isinstance(node, ast.NamedExpr):
        return node.value
    return node


def _bound(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """Names and attributes with what they are bound to, parameters with their defaults."""
    for node in every_node(tree):
        match node:
            case ast.Assign(targets=targets, value=value):
                yield from ((name, value) for target in targets if (name := last_name(target)))
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
            ):
                yield last_name(target), value
            case ast.arguments():
                positional = [*node.posonlyargs, *node.args]
                defaults = zip(positional[::-1], node.defaults[::-1], strict=False)
                named = zip(node.kwonlyargs, node.kw_defaults, strict=True)
                yield from ((one.arg, value) for one, value in (*defaults, *named) if value)


def _pairs(node: ast.expr) -> list[Pair]:
    """The pairs of a display, frozen; none where it is no table or not all of it is written out."""
    found: list[tuple[object, object]] = []
    match node:
        case ast.Dict(keys=keys, values=values):
            found = [
                (literal(key) if key else MISSING, literal(v)) for key, v in zip(keys, values, strict=True)
            ]
        case ast.Call(func=ast.Name(id="dict"), args=[], keywords=keywords):
            found = [(word.arg or MISSING, literal(word.value)) for word in keywords]
        case ast.Call(func=ast.Name(id="dict" | "tuple" | "list" | "frozenset"), args=[inner]):
            return _pairs(inner)
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            for element in elements:
                if not isinstance(element, ast.Tuple | ast.List) or len(element.elts) != 2:
                    return []
                found.append((literal(element.elts[0]), literal(element.elts[1])))
    return [] if any(MISSING in pair for pair in found) else found
