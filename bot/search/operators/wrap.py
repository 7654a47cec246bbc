"""A call around an expression, too many or missing: ``f(x)`` and ``x``.

Missing and superfluous conversions are frequent in Python, where no compiler asks for them (PySStuBs:
Kamienski et al., MSR 2021; BugsInPy: Widyasari et al. 2020). Which function is called in place of another
is in ``calls``.
"""

import ast
from collections.abc import Iterator

from bot.search.evidence import hinted
from bot.search.kinds import COLLECTIONS, NUMBERS, SEQUENCES, TEXTS, Kind
from bot.search.operators.base import Context, Mutation, operator
from bot.search.precedence import ATOM
from bot.search.source import function_called, is_read

# What a call weighs that neither the function's name nor its docstring speaks of.
_UNHINTED = 0.7
_ANY = frozenset(Kind)
# Which calls could be meant around which kinds of expression.
_WRAPPERS: tuple[tuple[str, frozenset[Kind], float], ...] = (
    ("len", COLLECTIONS, 0.8),
    ("str", _ANY - {Kind.STR}, 0.9),
    ("int", NUMBERS | {Kind.STR}, 0.9),
    ("abs", NUMBERS, 0.9),
    ("sorted", COLLECTIONS, 0.9),
    ("list", COLLECTIONS - {Kind.LIST}, 0.7),
    ("set", COLLECTIONS - {Kind.SET}, 0.8),
    ("float", NUMBERS | {Kind.STR}, 0.5),
    ("sum", COLLECTIONS - {Kind.STR}, 0.5),
    ("max", COLLECTIONS, 0.4),
    ("min", COLLECTIONS, 0.4),
    ("round", NUMBERS, 0.4),
    ("tuple", COLLECTIONS - {Kind.TUPLE}, 0.5),
    ("bool", _ANY - {Kind.BOOL}, 0.4),
    ("reversed", SEQUENCES, 0.4),
    ("any", COLLECTIONS - {Kind.STR}, 0.2),
    ("all", COLLECTIONS - {Kind.STR}, 0.2),
    ("enumerate", SEQUENCES, 0.2),
    ("dict", frozenset({Kind.DICT, Kind.UNKNOWN, Kind.LIST}), 0.2),
)
# What has items: no other value can be walked over, but a text, whose characters nobody means.
_OF_ITEMS = frozenset({"sorted", "list", "set", "tuple", "reversed", "enumerate", "dict"})
_SUFFIXES: tuple[tuple[str, frozenset[Kind], float], ...] = (
    (".copy()", frozenset({Kind.LIST, Kind.DICT, Kind.SET, Kind.UNKNOWN}), 1.0),
    (".strip()", TEXTS, 0.8),
    (".lower()", TEXTS, 0.8),
    (".upper()", TEXTS, 0.4),
    (".split()", TEXTS, 0.4),
    (".items()", frozenset({Kind.DICT, Kind.UNKNOWN}), 0.6),
    (".values()", frozenset({Kind.DICT, Kind.UNKNOWN}), 0.4),
    (".keys()", frozenset({Kind.DICT, Kind.UNKNOWN}), 0.2),
)
_MADE = (ast.ListComp, ast.GeneratorExp, ast.IfExp)
_WRAPPABLE = (ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp, *_MADE)
# What an expression may stand in: statements, operations, what collects, what is called or asked.
_STATEMENTS = (ast.Return, ast.Assign, ast.AugAssign, ast.For, ast.Yield)
_COLLECTING = (ast.Tuple, ast.List, ast.Dict, ast.DictComp, ast.SetComp, ast.comprehension)
_ASKING = (ast.Call, ast.keyword, ast.Lambda, ast.Attribute, ast.Subscript, ast.Slice, ast.FormattedValue)
_WHERE = (*_STATEMENTS, ast.BinOp, ast.Compare, *_COLLECTING, *_ASKING, *_MADE)


def is_value(node: ast.expr, context: Context) -> bool:
    """Whether the node is read as a value: neither a target nor the thing that is called."""
    parent = context.source.parents[node]
    if not is_read(node) or not isinstance(parent, _WHERE):
        return False
    if isinstance(node, ast.Name) and (node.id == "self" or node.id not in context.scopes.variables(node)):
        return False
    if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in context.scopes.modules:
        return False  # a constant or a function of a module
    return not (isinstance(parent, (ast.Call, ast.Attribute)) and node in {getattr(parent, "func", 0), 0})


@operator("wrap", prior=0.35, kinds=_WRAPPABLE)
def wrap(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """A missing conversion or summary."""
    if not is_value(node, context):
        return
    parent = context.source.parents[node]
    kind = context.scopes.kind(node)
    around = function_called(parent)
    code = context.code(node)
    iterated = isinstance(parent, (ast.For, ast.comprehension)) and parent.iter is node
    for name, kinds, weight in _WRAPPERS:
        if iterated and name not in _OF_ITEMS:
            continue
        if kind in kinds and name not in {around, function_called(node)}:
            inner = code[1:-1] if isinstance(node, ast.GeneratorExp) else code
            sure = 1.0 if isinstance(parent, (ast.Return, ast.Assign, ast.BinOp, ast.Compare)) else 0.7
            likely = 1.0 if hinted(name, node, context) else _UNHINTED
            yield context.put(node, f"{name}({inner})", weight=weight * sure * likely)


@operator("unwrap", prior=0.45, kinds=(ast.Call,))
def unwrap(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """A call too many: ``f(x)`` as ``x``, ``x.f()`` as ``x``."""
    if len(node.args) >= 1 and not isinstance(node.args[0], ast.Starred):
        weight = 1.0 if isinstance(node.func, ast.Name) and len(node.args) == 1 else 0.4
        yield context.put_like(node, node.args[0], weight=weight)
    if isinstance(node.func, ast.Attribute):
        yield context.put_like(node, node.func.value, weight=0.8 if not node.args else 0.4)


@operator("suffix", prior=0.3, kinds=(ast.Name, ast.Attribute, ast.Subscript, ast.Call))
def call_suffix(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """A missing method call on a value: a copy, a strip, a lower case."""
    if not is_value(node, context):
        return
    kind = context.scopes.kind(node)
    iterated = isinstance(context.source.parents[node], (ast.For, ast.comprehension))
    for suffix, kinds, weight in _SUFFIXES:
        if kind in kinds:
            fits = suffix in {".items()", ".values()", ".keys()"}
            likely = 1.0 if hinted(suffix, node, context) else _UNHINTED
            placed = 1.0 if fits == iterated else 0.4
            code = context.operand(node) + suffix
            yield context.put(node, code, weight=weight * placed * likely)


@operator("reverse", prior=0.3, kinds=(ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.BinOp))
def reverse(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``x[::-1]`` where ``x`` was meant, and the other way round."""
    reversing = isinstance(node, ast.Subscript) and "".join(context.code(node.slice).split()) == "::-1"
    if isinstance(node, ast.Subscript) and reversing:
        yield context.put_like(node, node.value)
    elif is_value(node, context) and context.scopes.kind(node) in SEQUENCES:
        weight = 1.0 if hinted("[::-1]", node, context) else 0.6
        yield context.put(node, f"{context.operand(node)}[::-1]", level=ATOM, weight=weight)


@operator("call parentheses", prior=0.35, kinds=(ast.Attribute, ast.Name, ast.Call))
def call_brackets(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``x.f`` that lacks its parentheses, or has them in vain."""
    source = context.source
    if isinstance(node, ast.Call):
        if not node.args and not node.keywords:
            yield context.replace(source.segment(node.func)[1], source.segment(node)[1], "", weight=0.5)
        return
    parent = source.parents[node]
    stored = not isinstance(getattr(node, "ctx", None), ast.Load)
    if stored or (isinstance(parent, (ast.Call, ast.Attribute)) and node is getattr(parent, "func", node)):
        return
    end = source.segment(node)[1]
    names = {found.name for found in context.scopes.callables}
    if not isinstance(node, ast.Name) or node.id in names:
        yield context.replace(end, end, "()", why=f"call `{context.code(node)}`")


@operator("await", prior=0.5, kinds=(ast.Call,))
def missing_await(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """A coroutine that nobody waits for."""
    inside = isinstance(context.source.function_of(node), ast.AsyncFunctionDef)
    if inside and not isinstance(context.source.parents[node], ast.Await):
        yield context.put(node, f"await {context.code(node)}", level=ATOM - 1)
