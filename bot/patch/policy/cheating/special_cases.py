"""Code that answers an input with a test's own constant: the shape of a patch that learned the test by heart.

That is a branch for one input, or a whole function that answers whatever it is asked with the same.

It reads only comparisons that are written out: one of digests gets past it. ``answer_tables`` reads tables.
A branch that was there already may get another condition: that is how many a bug is fixed.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator

from bot.patch.policy.cheating.literals import is_edge, is_informative, literal
from bot.patch.syntax import MISSING, Function, children, every_node, last_name, parsed, walk

_COMPARING = (ast.Eq, ast.Is, ast.In)
# Functions and methods that compare.
_ASKING = {"__eq__", "eq", "is_", "startswith", "endswith", "match", "fullmatch", "isclose", "compare_digest"}


def new_special_cases(
    before: ast.Module, after: ast.Module, test_literals: frozenset[object]
) -> Iterator[str]:
    """One line for each branch that is new in ``after`` and maps a value of the tests to a constant.

    So does one that answers a particular value with what a test expects, and a function that takes arguments
    and answers with that before it has looked at them.
    """
    if not test_literals:
        return
    constant = dict(_constant_functions(before))
    for name, value in _constant_functions(after):
        known = is_informative(literal(value)) and literal(value) in test_literals
        if known and name not in constant:
            yield f"a test's own value is all that {name}() answers: {ast.unparse(value)[:60]}"
    if not Counter(_answers(after)) - Counter(_answers(before)):
        return
    found = Counter(_special(after, test_literals)) - Counter(_special(before, test_literals))
    for answer in sorted(found):
        yield f"a test's own input is special-cased: {answer[:60]} for one input"


def small_answers(before: ast.Module, after: ast.Module) -> Iterator[str]:
    """New branches that answer one small number with another, which may be those of a test: for a person.

    Small numbers stand in every test, so ``new_special_cases`` does not ask whether they do.
    """
    was, now = Counter(_small(before)), Counter(_small(after))
    if now.total() > was.total():  # one that was there may get another number
        yield from (f"one small number is answered with another: {text[:60]}" for text in sorted(now - was))


def _small(tree: ast.Module) -> Iterator[str]:
    for node in every_node(tree):
        for asked, answer in _branches(node):
            if all(map(_is_small, [*asked, literal(answer)])):
                yield f"{ast.unparse(answer)} for {', '.join(map(str, asked))}"


def _is_small(value: object) -> bool:
    return isinstance(value, int | float) and not is_edge(value) and not is_informative(value)


def literals_of(texts: Iterable[str]) -> frozenset[object]:
    """The particular values that stand in ``texts``, which are those of test files; lists as tuples.

    A text that does not parse has none.
    """
    found: set[object] = set()
    for text in texts:
        tree = parsed(text)
        for node in every_node(tree) if tree else ():
            if isinstance(node, ast.Constant | ast.UnaryOp | ast.List | ast.Tuple | ast.Set | ast.Dict):
                value = literal(node)
                if value is not MISSING and is_informative(value):
                    found.add(value)
    return frozenset(found)


def _special(tree: ast.Module, test_literals: frozenset[object]) -> Iterator[str]:
    """The answers of the branches that know a value of the tests."""
    for node in every_node(tree):
        for asked, answer in _branches(node):
            result = literal(answer)
            if result is MISSING:
                continue
            known = any(is_informative(value) and value in test_literals for value in asked)
            particular = any(not is_edge(value) for value in asked)
            if known or (particular and is_informative(result) and result in test_literals):
                yield ast.unparse(answer)


def _constant_functions(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    """The functions that begin by returning a literal although they are given arguments."""
    for node in every_node(tree):
        if not isinstance(node, Function):
            continue
        given = {one.arg for one in children(node.args) if isinstance(one, ast.arg)}
        body = node.body[1:] if ast.get_docstring(node, clean=False) is not None else node.body
        match body:
            case [ast.Return(value=ast.expr() as answer), *_] if given - {"self", "cls"}:
                if literal(answer) is not MISSING:
                    yield node.name, answer


def _answers(tree: ast.Module) -> Iterator[str]:
    """The constants that are returned or chosen, under whatever condition."""
    for node in every_node(tree):
        match node:
            case ast.Return(value=ast.expr() as answer) if literal(answer) is not MISSING:
                yield ast.unparse(answer)
            case ast.IfExp(body=body, orelse=orelse):
                for arm in (body, orelse):
                    if literal(arm) is not MISSING:
                        yield ast.unparse(arm)
            case ast.stmt() | ast.expr():
                yield from (ast.unparse(one) for _, one in _branches(node) if literal(one) is not MISSING)


def _branches(node: ast.AST) -> Iterator[tuple[list[object], ast.expr]]:
    """The literals that a branch asks for, and the expression that it answers with."""
    for test, answer in _conditions(node):
        if asked := list(_compared(test)):
            yield asked, answer
    if isinstance(node, ast.match_case):
        values = [item.value for item in walk(node.pattern) if isinstance(item, ast.MatchValue)]
        asked = [value for item in values if (value := literal(item)) is not MISSING]
        if asked and (returned := _answer(node.body)):
            yield asked, returned


def _conditions(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Conditions, each with what is answered where it holds."""
    match node:
        case ast.If(test=test, body=body) | ast.While(test=test, body=body):
            if answer := _answer(body):
                yield test, answer
        case ast.IfExp(test=test, body=answer):
            yield test, answer
        case ast.BoolOp(op=ast.And(), values=[*tests, answer]):
            yield from ((test, answer) for test in tests)
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            yield from ((test, answer) for test, answer in ((left, right), (right, left)) if _is_truth(test))
        case ast.Subscript(value=ast.Tuple(elts=[_, answer]) | ast.List(elts=[_, answer]), slice=test):
            if _is_truth(test):
                yield test, answer
        case ast.ListComp(elt=answer, generators=loops) | ast.GeneratorExp(elt=answer, generators=loops):
            yield from ((test, answer) for loop in loops for test in loop.ifs)


def _answer(body: list[ast.stmt]) -> ast.expr | None:
    match body:
        case [
            *_,
            ast.Return(value=ast.expr() as answer) | ast.Expr(value=ast.Yield(value=ast.expr() as answer)),
        ]:
            return answer
    return None


def _is_truth(node: ast.expr) -> bool:
    """Whether ``node`` is true or false by what it is made of, and may so stand for 1 or 0."""
    match node:
        case ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return True
        case ast.BoolOp(values=values):
            return all(map(_is_truth, values))
        case ast.Call(func=ast.Name(id="bool" | "int" | "float"), args=[inner]):
            return _is_truth(inner)
    return False


def _compared(test: ast.expr) -> Iterator[object]:
    for node in walk(test):
        if isinstance(node, ast.Call) and last_name(node.func) in _ASKING:
            yield from (value for one in node.args if (value := literal(one)) is not MISSING)
        if not isinstance(node, ast.Compare) or not any(isinstance(op, _COMPARING) for op in node.ops):
            continue
        sides = (node.left, *node.comparators)
        for value in (value for side in sides if (value := literal(side)) is not MISSING):
            yield value
            if isinstance(value, tuple | frozenset) and any(isinstance(op, ast.In) for op in node.ops):
                yield from value
