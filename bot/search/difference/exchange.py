"""A change that does nothing but exchange literals, and whether words beside it say that it is meant."""

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from bot.domain import Patch, SpanEdit
from bot.patch.apply import apply
from bot.patch.syntax import is_constant, last_name, parsed
from bot.search.difference.expectation import MAX_TEXT, Expectation, asserting, same
from bot.search.difference.intent import core, holds, is_telling, shown
from bot.search.nearness import shared_ends

_MARKS = " `'\""
_QUOTED = re.compile(r"""(?<!\w)(?P<mark>`+|'+|"+)(?P<text>.+?)(?P=mark)(?!\w)""")


@dataclass(frozen=True, slots=True)
class Exchange:
    """The literal ``new`` stands where ``old`` was; ``names`` are what it belongs to, the innermost first.

    These are a parameter or variable, the functions and classes.
    """

    old: object
    new: object
    names: tuple[str, ...]

    @property
    def parts(self) -> tuple[object, object]:
        """What differs in two texts, by whole words; other values as they are."""
        return core((self.old, self.new))

    @property
    def marks(self) -> tuple[object, object]:
        """The same by characters, where only marks differ."""
        old, new = self.old, self.new
        if not isinstance(old, str) or not isinstance(new, str):
            return old, new
        start, end = shared_ends(old, new)
        pair = old[start : len(old) - end], new[start : len(new) - end]
        return self.parts if any(map(str.isalnum, "".join(pair))) else pair


class _OtherwiseChanged(Exception):
    pass


def exchange_of(edits: Sequence[SpanEdit], head: Mapping[str, str]) -> Exchange | None:
    """The exchange that ``edits`` take back in ``head``; None where they do more, or several things."""
    found: list[Exchange] = []
    before = apply(Patch(edits=tuple(edits)), head)
    for path, text in before.items():
        old, new = parsed(text), parsed(head[path])
        if old is None or new is None:
            return None
        try:
            found += _exchanges(old, new, ())
        except _OtherwiseChanged:
            return None
    alike = {repr(one.parts) for one in found}
    return found[0] if len(alike) == 1 else None


def _exchanges(old: object, new: object, names: tuple[str, ...]) -> Iterator[Exchange]:
    if isinstance(old, ast.AST) and isinstance(new, ast.AST) and type(old) is type(new):
        yield from _of_nodes(old, new, names)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for one, other in zip(old, new, strict=True):
            yield from _exchanges(one, other, names)
    elif isinstance(old, ast.AST) or old != new:
        raise _OtherwiseChanged


def _of_nodes(old: ast.AST, new: ast.AST, names: tuple[str, ...]) -> Iterator[Exchange]:
    """The exchanges between two nodes of one type."""
    if isinstance(old, ast.Constant) and isinstance(new, ast.Constant):
        if not same(old.value, new.value):
            yield Exchange(old.value, new.value, names)
        return
    if is_constant(old) and is_constant(new):
        return
    fields, own = old._fields, (*_own_names(old), *names)
    if isinstance(old, ast.arguments) and isinstance(new, ast.arguments):
        fields = tuple(name for name in fields if not name.endswith("defaults"))
        before, after = _defaults(old), _defaults(new)
        if [name for name, _ in before] != [name for name, _ in after]:
            raise _OtherwiseChanged
        for (name, one), (_, other) in zip(before, after, strict=True):
            yield from _exchanges(one, other, (name, *names))
    for name in fields:
        yield from _exchanges(getattr(old, name, None), getattr(new, name, None), own)


def _defaults(node: ast.arguments) -> list[tuple[str, ast.expr]]:
    """The parameters that have a default, with it."""
    given = [*node.posonlyargs, *node.args]
    pairs = [
        *zip(given[len(given) - len(node.defaults) :], node.defaults, strict=True),
        *zip(node.kwonlyargs, node.kw_defaults, strict=True),
    ]
    return [(one.arg, value) for one, value in pairs if value]


def _own_names(node: ast.AST) -> tuple[str, ...]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            return (name,)
        case ast.keyword(arg=str() as name):
            return (name,)
        case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
            return (name,)
    return ()


def is_said(exchange: Exchange, lines: Sequence[str]) -> bool:
    """Whether a line, or two in a row, has the new value, with what it belongs to or the value before.

    A value that stands in many sentences, such as 1, needs both, or two names; one in quotes does not.
    """
    wholes = [*lines, *(f"{one} {other}" for one, other in pairwise(lines))]
    return any(_says(line, exchange, *pair) for line in wholes for pair in (exchange.parts, exchange.marks))


def _says(line: str, exchange: Exchange, old: object, new: object) -> bool:
    if not _mentions(line, new):
        return False
    named = sum(holds(line, name) for name in dict.fromkeys(exchange.names))
    enough = is_telling(new) or (isinstance(new, str) and _is_quoted(line, new))
    return bool(named) and named + _mentions(line, old) >= (1 if enough else 2)


def _is_quoted(line: str, piece: str) -> bool:
    piece, quoted = piece.strip(), [match["text"] for match in _QUOTED.finditer(line)]
    return bool(piece) and any(piece in {text.strip(), text.strip(_MARKS)} for text in quoted)


def _mentions(line: str, value: object) -> bool:
    if isinstance(value, str):
        return holds(line, value) if any(map(str.isalnum, value)) else _is_quoted(line, value)
    return re.search(rf"(?<![\w.]){re.escape(shown(value))}(?!\w|\.\d)", line) is not None


def concerns(exchange: Exchange, test: ast.AST) -> bool:
    """Whether the source of ``test`` names what the exchange belongs to, or holds the old value in a text."""
    old, _ = exchange.parts
    piece = old if isinstance(old, str) and is_telling(old) else ""
    for node in ast.walk(test):
        if isinstance(node, ast.Name | ast.Attribute) and last_name(node) in exchange.names:
            return True
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""
        if piece and holds(text, piece):
            return True
    return False


def expected_before(exchange: Exchange, path: str, line: int, text: str) -> Expectation | None:
    """What the assertion at ``line`` of ``text`` expects, where no values of its sides are known.

    Its literal is the only one there that has the old value; None where there is no assertion.
    """
    tree = parsed(text)
    statement = asserting(tree, line) if tree else None
    if statement is None:
        return None
    found = Expectation(
        path=path,
        line=statement.lineno,
        text=" ".join(ast.unparse(statement).split())[:MAX_TEXT],
        subject=ast.Constant(None),
        expected=exchange.old,
        actual=exchange.new,
    )
    constants = (node for node in ast.walk(statement) if isinstance(node, ast.Constant))
    holding = [(node, value) for node in constants if (value := _renewed(node, exchange)) is not None]
    if len(holding) != 1:
        return found
    return replace(found, literal=holding[0][0], expected=holding[0][0].value, actual=holding[0][1])


def _renewed(node: ast.Constant, exchange: Exchange) -> object:
    """The literal ``node`` with the new value; None where it has not the old one."""
    old, new = exchange.parts
    if not isinstance(old, str) or not isinstance(new, str):
        return exchange.new if same(node.value, exchange.old) else None
    if isinstance(node.value, str) and old and old in node.value:
        return node.value.replace(old, new)
    return None
