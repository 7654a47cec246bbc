"""Whether the change means what a failing test says is wrong, by what else the same change says.

Nothing is guessed from the code's own change: that a literal was replaced does not show that somebody wanted
it. What counts is another place that the change brought into line: an assertion, or documentation.
"""

import ast
import re
from collections.abc import Iterator, Sequence

from bot.patch.syntax import Function, literal_value, parsed
from bot.search.difference.expectation import Expectation, Pair, resolved, same, sides_of
from bot.search.nearness import shared_ends
from bot.search.source import names_in

MIN_WORD, MIN_NUMBER, LONG_TEXT = 3, 10, 12
_WORD = re.compile(r"[^\W_]")


def asserted_anew(wanted: Expectation, tests: Sequence[Function]) -> bool:
    """Whether one of ``tests`` asserts of the same expression what the failing test calls wrong."""
    if not isinstance(wanted.subject, ast.Call):
        return False
    subject = ast.dump(wanted.subject)
    names = set(names_in(wanted.subject))
    return any(
        ast.dump(one) == subject and same(literal_value(other), wanted.actual)
        for test in tests
        if not names & _own_names(test)
        for one, other in _asserted(test)
    )


def asserted_alike(wanted: Expectation, test: Function) -> bool:
    """Whether ``test`` asserts that the same function gives a text with the new part and not the old one.

    Of any other expression, it has to assert the very text, and a long one.
    """
    is_long = isinstance(wanted.actual, str) and len(wanted.actual) >= LONG_TEXT
    if is_long and any(same(literal_value(side), wanted.actual) for _, side in _asserted(test)):
        return True
    pieces = [core(pair) for pair in differences(wanted.expected, wanted.actual)]
    texts = [(old, new) for old, new in pieces if isinstance(old, str) and isinstance(new, str)]
    if not isinstance(wanted.subject, ast.Call) or not texts or len(texts) < len(pieces):
        return False
    function = ast.dump(wanted.subject.func)
    for one, other in _asserted(test):
        text, call = literal_value(other), resolved(one, test)
        if not isinstance(text, str):
            continue
        alike = isinstance(call, ast.Call) and ast.dump(call.func) == function
        renewed = (old.strip() and holds(text, new) and not holds(text, old) for old, new in texts)
        if alike and all(renewed):
            return True
    return False


def exchanged_alike(wanted: Expectation, old: Function, new: Function) -> bool:
    """Whether ``new`` is ``old`` with other literals, exchanged as the failing test's would have to be."""
    literals, others = list(_constants(old)), list(_constants(new))
    if _shape(old) != _shape(new) or len(literals) != len(others):
        return False
    exchanged = {
        repr(core(pair)) for pair in zip(literals, others, strict=True) if not same(pair[0], pair[1])
    }
    needed = {repr(core(pair)) for pair in differences(wanted.expected, wanted.actual)}
    return bool(needed) and needed <= exchanged


def documented(wanted: Expectation, added: Sequence[str], names: Sequence[str]) -> bool:
    """Whether lines that were ``added`` to documentation have one of ``names``, and the new value with it."""
    pieces = [core(pair) for pair in differences(wanted.expected, wanted.actual)]
    if not pieces or not all(is_telling(new) for _, new in pieces):
        return False
    lines = [line for line in added if any(holds(line, name) for name in names)]
    return all(any(holds(line, shown(new)) for line in lines) for _, new in pieces)


def differences(expected: object, actual: object) -> tuple[Pair, ...]:
    """The leaves in which two values of one shape differ; the values themselves where their shapes do."""
    if type(expected) is type(actual):
        if (
            isinstance(expected, list | tuple)
            and isinstance(actual, list | tuple)
            and len(expected) == len(actual)
        ):
            return tuple(pair for one in zip(expected, actual, strict=True) for pair in differences(*one))
        if isinstance(expected, dict) and isinstance(actual, dict) and expected.keys() == actual.keys():
            return tuple(pair for key in expected for pair in differences(expected[key], actual[key]))
    return () if same(expected, actual) else ((expected, actual),)


def core(pair: Pair) -> Pair:
    """What differs in two texts, by whole words; other values as they are."""
    old, new = pair
    if not isinstance(old, str) or not isinstance(new, str):
        return pair
    one, other = (re.findall(r"\w+|\W", text) for text in (old, new))
    start, end = shared_ends(one, other)
    return "".join(one[start : len(one) - end]), "".join(other[start : len(other) - end])


def is_telling(value: object) -> bool:
    """Whether ``value`` is particular enough to be recognised in prose."""
    if isinstance(value, str):
        return len(_WORD.findall(value)) >= MIN_WORD
    return type(value) in {int, float} and abs(value) >= MIN_NUMBER  # type: ignore[arg-type]


def shown(value: object) -> str:
    """``value`` as prose has it."""
    return value if isinstance(value, str) else repr(value)


def holds(line: str, piece: str) -> bool:
    """Whether ``line`` has ``piece`` as whole words."""
    piece = piece.strip()
    before = r"(?<!\w)" if piece[:1].isalnum() else ""
    after = r"(?!\w)" if piece[-1:].isalnum() else ""
    return bool(piece) and re.search(f"{before}{re.escape(piece)}{after}", line) is not None


def _asserted(test: Function) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The two sides of what ``test`` asserts, either way round."""
    for statement in ast.walk(test):
        if isinstance(statement, ast.stmt) and (sides := sides_of(statement)):
            yield sides
            yield sides[::-1]


def _own_names(test: Function) -> set[str]:
    """The names that mean something else in ``test`` than in its module."""
    stored = {
        node.id for node in ast.walk(test) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    return stored | {node.arg for node in ast.walk(test.args) if isinstance(node, ast.arg)} - {"self"}


def _constants(node: ast.AST) -> Iterator[object]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant):
            yield child.value
        else:
            yield from _constants(child)


def _shape(node: ast.AST) -> str:
    """The syntax tree without the values of its literals."""

    def written(one: object) -> str:
        if isinstance(one, ast.Constant):
            return "_"
        if isinstance(one, ast.AST):
            return f"{type(one).__name__}({','.join(written(value) for _, value in ast.iter_fields(one))})"
        if isinstance(one, list):
            return f"[{','.join(map(written, one))}]"
        return repr(one)

    return written(node)


def enclosing(text: str, line: int) -> tuple[str, ...]:
    """The names of the functions and classes around ``line`` of ``text``, the innermost first."""
    around = [node for node in _definitions(text) if node.lineno <= line <= (node.end_lineno or 0)]
    return tuple(node.name for node in sorted(around, key=lambda node: -node.lineno))


def _definitions(text: str) -> Iterator[Function | ast.ClassDef]:
    tree = parsed(text)
    for node in ast.walk(tree) if tree else ():
        if isinstance(node, Function | ast.ClassDef):
            yield node


def added_docstring(old: str, new: str, name: str) -> tuple[str, ...]:
    """The lines of the docstrings of functions called ``name`` that only ``new`` has, each with the name."""

    def lines(text: str) -> list[str]:
        found = [node for node in _definitions(text) if node.name == name]
        return [line for node in found for line in (ast.get_docstring(node) or "").splitlines()]

    before = set(lines(old))
    return tuple(f"{name}: {line}" for line in lines(new) if line not in before)
