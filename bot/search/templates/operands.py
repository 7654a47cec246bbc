"""Operands and arguments that do not go together: text and number, list and item, bytes and text, None."""

import ast
import re
from collections.abc import Iterator
from itertools import islice

from bot.patch.syntax import last_name
from bot.search.operators.arguments import argued
from bot.search.operators.base import Context, Mutation
from bot.search.templates.changes import bare, suffixed, wrapped
from bot.search.templates.failure import Failure
from bot.search.templates.none_values import replaced_where_none
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import template
from bot.search.templates.type_fixes import made

_MIXED = frozenset({"str", "bytes", "bytearray", "memoryview"})
_MARK = re.compile(r"[rR]?[bB]")  # what makes a literal bytes
_AS_JSON = {"set": "sorted", "frozenset": "sorted", "generator": "list", "map": "list", "dict_keys": "list",
            "dict_values": "list", "Decimal": "float"}  # fmt: skip
_KIND = r"['\"]?(?:[\w.]+\.)?(\w+)['\"]?"

_NUMBERS = frozenset({"int", "float", "complex", "bool", "Decimal", "Fraction"})
_SETS = frozenset({"set", "frozenset", "dict_keys", "dict_items"})
_SEQUENCES = frozenset({"str", "bytes", "bytearray", "list", "tuple"})


@template(
    "operand types",
    "TypeError",
    rf"(?:unsupported operand type\(s\) for .+?:|not supported between instances of) {_KIND} and {_KIND}",
)
@template("operand types", "TypeError", r"can only concatenate (\w+) \(not " + _KIND)
def _not_alike(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``unsupported operand type(s) for +: 'int' and 'str'``, and comparisons of what has no order."""
    yield from _alike(match.group(1), match.group(2), failure, project)


@template(
    "fitting operator",
    "TypeError",
    rf"unsupported operand type\(s\) for (\W+?)=?(?: or pow\(\))?: {_KIND} and {_KIND}",
)
def _other_operator(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``unsupported operand type(s) for /: 'str' and 'int'``: operators that the two types have."""
    symbol, left, right = match.groups()
    for spot in islice(project.spots(failure), 1):
        for node in spot.nodes:
            sides = _sides(node)
            token = spot.context.source.operator_between(*sides) if sides else None
            if token is None or token.code != symbol:
                continue
            for rank, other in enumerate(_fitting(left, right)):
                why = f"use `{other}` instead of `{symbol}`"
                weight = 0.96 - 0.03 * rank
                yield spot.context.replace(token.start, token.end, other, weight=weight, why=why)


def _sides(node: ast.AST) -> tuple[ast.expr, ast.expr] | None:
    if isinstance(node, ast.BinOp):
        return node.left, node.right
    return (node.target, node.value) if isinstance(node, ast.AugAssign) else None


def _fitting(left: str, right: str) -> tuple[str, ...]:
    """The binary operators of two built-in types, the usual first: see Python's library reference."""
    if left in _NUMBERS and right in _NUMBERS:
        return ("+", "-", "*", "/", "//", "%")
    if left in _SETS and right in _SETS:
        return ("|", "-", "&", "^")
    if left == right == "dict":
        return ("|",)
    joined = ("+",) if left == right and left in _SEQUENCES else ()
    formatted = ("%",) if left in {"str", "bytes", "bytearray"} else ()
    repeated = ("*",) if {left, right} & _SEQUENCES and {left, right} & {"int", "bool"} else ()
    return (*joined, *formatted, *repeated)


@template("operand types", "TypeError", rf"can't concat {_KIND} to (\w+)")
def _right_first(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``can't concat str to bytes``: the right operand is named first."""
    yield from _alike(match.group(2), match.group(1), failure, project)


def _alike(left: str, right: str, failure: Failure, project: Project) -> Iterator[Mutation]:
    """One operand, of the type ``left`` or ``right``, brought to the other's type."""
    for spot in islice(project.spots(failure), 1):
        pairs = _pairs_of(spot)
        for one, other in pairs:
            yield from made(other, right, spot, project, left)
            yield from made(one, left, spot, project, right)
        for call in spot.of(ast.Call) if not pairs else ():
            yield from _inside(call, {left, right}, spot.context)


def _pairs_of(spot: Spot) -> list[tuple[ast.expr, ast.expr]]:
    """The operand pairs of a line."""
    found: list[tuple[ast.expr, ast.expr]] = []
    for node in spot.nodes:
        if isinstance(node, ast.Compare):
            found.append((node.left, node.comparators[0]))
        elif sides := _sides(node):
            found.append(sides)
    # What is evaluated first is innermost, which the walk reaches last.
    return found[::-1]


def _inside(call: ast.Call, kinds: set[str], context: Context) -> Iterator[Mutation]:
    """``sum(words)``, ``max(count, 1)``: the operands are arguments, or their items."""
    name = last_name(call.func)
    for argument in call.args if name in {"max", "min"} and len(call.args) > 1 else ():
        if "NoneType" in kinds and not isinstance(argument, ast.Constant):
            yield from replaced_where_none(argument, next(iter(kinds - {"NoneType"}), ""), context)
    if name in {"sum", "max", "min", "sorted"} and call.args and "str" in kinds:
        for convert, weight in (("int", 0.92), ("float", 0.85), ("len", 0.7)):
            code = f"map({convert}, {bare(call.args[0], context)})"
            yield context.put(call.args[0], code, weight=weight)


@template(
    "text wanted",
    "TypeError",
    r"(?:must be str(?: or None| or a tuple of str)?, not|string argument expected, got"
    r"|(?:must be|expected) str, bytes,? or os\.PathLike object, not"
    r"|requires string as left operand, not) " + _KIND,
)
def _text_wanted(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``must be str, not bytes``."""
    yield from _handed(match.group(1), "str", failure, project)


@template(
    "bytes wanted",
    "TypeError",
    rf"(?:bytes-like object is required|must be bytes(?: or a tuple of bytes)?), not {_KIND}"
    r"|(?:Unicode-objects|Strings) must be encoded|string argument without an encoding",
)
def _bytes_wanted(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``a bytes-like object is required, not 'str'``."""
    yield from _handed(match.group(1) or "str", "bytes", failure, project)


def _handed(kind: str, wanted: str, failure: Failure, project: Project) -> Iterator[Mutation]:
    """What is handed over made what is wanted, or the other side made what this is."""
    if kind == "list":  # of beginnings or ends, which have to be a tuple
        wanted = "tuple"
    back = ".encode()" if wanted == "str" else ".decode()"
    for spot in islice(project.spots(failure), 1):
        context = spot.context
        pairs = [(node.left, node.comparators[0]) for node in spot.of(ast.Compare)]
        for call in spot.of(ast.Call):
            owner = call.func.value if isinstance(call.func, ast.Attribute) else None
            pairs += [(part, owner or part) for part in call.args if not isinstance(part, ast.Starred)]
            if kind in _MIXED and owner is not None and last_name(call.func) == back[1:-2]:
                yield context.put_like(call, owner, weight=0.98)
        for node, other in pairs:
            yield from _literal(node, wanted, context)
            if not isinstance(node, ast.Constant) or kind not in _MIXED:
                yield from made(node, kind, spot, project, wanted)
            if kind in _MIXED and other is not node and not isinstance(other, ast.Constant):
                yield suffixed(other, back, context, 0.9)
        yield from _modes(spot, wanted) if kind in _MIXED else ()


def _literal(node: ast.expr, wanted: str, context: Context) -> Iterator[Mutation]:
    """A literal with the mark of bytes, or without it."""
    start, mark = context.source.segment(node)[0], _MARK.match(context.code(node))
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, str) and wanted == "bytes" and value.isascii():
        yield context.replace(start, start, "b", weight=0.98, why="make it bytes")
    elif isinstance(value, bytes) and wanted == "str" and mark:
        end = start + mark.end()
        yield context.replace(end - 1, end, "", weight=0.98, why="make it text")


def _modes(spot: Spot, wanted: str) -> Iterator[Mutation]:
    """The mode that the file was opened with, somewhere in the function."""
    context = spot.context
    for node in context.scopes.region(spot.statement):
        if isinstance(node, ast.Call) and last_name(node.func) == "open":
            modes = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
            for mode in modes:
                code = context.code(mode)
                other = code.replace("b", "") if "b" in code else f"{code[:-1]}b{code[-1]}"
                yield context.put(mode, other, weight=0.93)
            for given in node.args[:1] if wanted == "bytes" and not modes else ():
                end = context.source.segment(given)[1]
                yield context.replace(end, end, ', "rb"', weight=0.92)


@template("join", "TypeError", rf"sequence item \d+: expected (str|a bytes).+, {_KIND} found")
def _join(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``", ".join(numbers)``, and bytes among text."""
    wanted, kind = match.group(1).removeprefix("a "), match.group(2)
    form = {("str", "bytes"): "bytes.decode", ("bytes", "str"): "str.encode"}.get((wanted, kind), "str")
    for spot in islice(project.spots(failure), 1):
        for call in spot.of(ast.Call):
            if last_name(call.func) == "join" and len(call.args) == 1:
                node = call.args[0]
                items: list[ast.expr] = getattr(node, "elts", [])
                for item in [node.elt] if isinstance(node, (ast.GeneratorExp, ast.ListComp)) else items:
                    yield from made(item, kind, spot, project, wanted)
                yield spot.context.put(node, f"map({form}, {spot.context.code(node)})", weight=0.96)


@template("serialisation", "TypeError", rf"Object of type {_KIND} is not JSON")
def _not_serialisable(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``Object of type set is not JSON serializable``."""
    name = _AS_JSON.get(match.group(1), "str")
    for spot in islice(project.spots(failure), 1):
        for call in spot.of(ast.Call):
            if last_name(call.func) in {"dumps", "dump"} and call.args:
                yield argued(call, f"default={name}", spot.context, weight=0.93)
                held = call.args[0]
                parts = held.values if isinstance(held, ast.Dict) else getattr(held, "elts", [held])
                for part in parts:
                    if not isinstance(part, ast.Constant):
                        yield wrapped(part, name, spot.context, 0.92)


@template("format values", "TypeError", r"not all arguments converted|not enough arguments")
def _formatted(_match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``"%s" % pair`` with too many or too few values."""
    for spot in islice(project.spots(failure), 1):
        context = spot.context
        for node in spot.of(ast.BinOp):
            if not isinstance(node.op, ast.Mod):
                continue
            parts = node.right.elts if isinstance(node.right, ast.Tuple) else []
            for item in parts:
                others = [context.code(part) for part in parts if part is not item]
                yield context.put(node.right, f"({', '.join(others)},)", weight=0.6)
            if not parts:
                yield context.put(node.right, f"({context.code(node.right)},)", weight=0.95)
            # `"%s %s" % a, b`: the tuple lacks its parentheses.
            parent = context.source.parents[node]
            beside = getattr(parent, "elts", getattr(parent, "args", []))
            if node in beside:
                start, end = context.source.segment(node.right)[0], context.source.segment(beside[-1])[1]
                yield context.replace(start, end, f"({context.source.code[start:end]})", weight=0.97)
