"""Two operands that do not go together: text and number, list and item, bytes and text, None and anything."""

import ast
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation
from bot.search.templates.changes import argued, callee_name, suffixed, wrapped
from bot.search.templates.failure import Failure
from bot.search.templates.none_values import nothing_fixes, replaced_where_none
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import Template, template

_CALLABLE = frozenset({"function", "method", "builtin_function_or_method"})
_NUMBERS = frozenset({"int", "float"})
_COLLECTIONS = frozenset({"list", "tuple", "set"})
_UNITED = frozenset({"set", "frozenset", "dict"})


def pairs_of(spot: Spot) -> list[tuple[ast.expr, ast.expr, str]]:
    """The operand pairs of a line, each with its operator as text."""
    context, found = spot.context, []
    for node in spot.nodes:
        if isinstance(node, ast.BinOp):
            token = context.source.operator_between(node.left, node.right)
            found.append((node.left, node.right, token.code if token else ""))
        elif isinstance(node, ast.AugAssign):
            found.append((node.target, node.value, "+="))
        elif isinstance(node, ast.Compare):
            found.append((node.left, node.comparators[0], "<"))
    # What is evaluated first is innermost, which the walk reaches last.
    return found[::-1]


def _cannot_concatenate(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    kind, other = match.group(1), match.group(2)
    for spot in project.spots(failure):
        for left, right, _ in pairs_of(spot):
            yield from _made_alike(left, right, (kind, other), spot, project)
        return


def _not_alike(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``can't concat str to bytes``: the right operand is named first."""
    kinds = match.group(2), match.group(1)
    for spot in project.spots(failure):
        for left, right, _ in pairs_of(spot):
            yield from _made_alike(left, right, kinds, spot, project)
        return


def _unsupported(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``unsupported operand type(s) for +: 'int' and 'str'``, and comparisons of what has no order."""
    kinds = (str(match.group(1)), str(match.group(2)))
    for spot in project.spots(failure):
        pairs = pairs_of(spot)
        for left, right, symbol in pairs:
            yield from _made_alike(left, right, kinds, spot, project)
            if symbol in {"+", "+="}:
                yield from _united(left, right, kinds, spot.context)
        if not pairs:
            yield from _inside_calls(spot, kinds)
        return


def _united(left: ast.expr, right: ast.expr, kinds: tuple[str, str], context: Context) -> Iterator[Mutation]:
    """What ``+`` does not join: sets and dicts, and the views that were lists in Python 2."""
    token = context.source.operator_between(left, right)
    if token is None:
        return
    if kinds[0] in _UNITED and kinds[1] in _UNITED:
        yield context.replace(token.start, token.start + 1, "|", weight=0.98, why="join them with `|`")
    elif kinds[0] == "set" and isinstance(getattr(left, "ctx", None), ast.Store):
        sign = context.replace(token.start, token.start + 1, "|")
        item = context.put(right, f"{{{context.code(right)}}}")
        yield Mutation(edits=sign.edits + item.edits, weight=0.98, explanation="add the item to the set")
    elif kinds[0] in _LAZY and kinds[1] in _LAZY:
        both = [wrapped(node, "list", context, 1.0) for node in (left, right)]
        edits = tuple(edit for change in both for edit in change.edits)
        yield Mutation(edits=edits, weight=0.97, explanation="make lists of both")


def _made_alike(
    left: ast.expr, right: ast.expr, kinds: tuple[str, str], spot: Spot, project: Project
) -> Iterator[Mutation]:
    """One operand brought to the other's type."""
    context = spot.context
    for node, kind, other in ((right, kinds[1], kinds[0]), (left, kinds[0], kinds[1])):
        stored = isinstance(getattr(node, "ctx", None), ast.Store)
        if kind == "NoneType":
            yield from nothing_fixes(node, spot, project, wanted=other)
        elif kind in _CALLABLE and not stored:
            yield suffixed(node, "()", context, 0.97)
        elif kind == "coroutine":
            yield context.put(node, f"await {context.code(node)}", level=14, weight=1.0)
        elif not stored and not _clearly(node, other):
            yield from _converted(node, kind, other, context)


def _clearly(node: ast.expr, kind: str) -> bool:
    """Whether the expression plainly is of that type already."""
    return isinstance(node, ast.Constant) and type(node.value).__name__ == kind


_LAZY = frozenset({"dict_keys", "dict_values", "map", "filter", "generator", "range", "zip"})
_EXACT = frozenset({"Decimal", "Fraction"})


def _converted(node: ast.expr, kind: str, wanted: str, context: Context) -> Iterator[Mutation]:
    if (kind, wanted) == ("bytes", "str"):
        yield suffixed(node, ".decode()", context, 0.96)
    elif (kind, wanted) == ("str", "bytes"):
        yield suffixed(node, ".encode()", context, 0.97)
    elif kind in _NUMBERS and wanted == "str":
        yield wrapped(node, "str", context, 0.97)
    elif kind == "str" and wanted in _NUMBERS:
        yield wrapped(node, wanted, context, 0.96)
        yield wrapped(node, "float" if wanted == "int" else "int", context, 0.8)
    elif wanted in _COLLECTIONS:
        if kind in _COLLECTIONS | _LAZY:
            yield wrapped(node, wanted, context, 0.96)
        code = context.code(node)
        single = {"list": f"[{code}]", "tuple": f"({code},)", "set": f"{{{code}}}"}[wanted]
        yield context.put(node, single, weight=0.95)
    else:
        yield from _seldom_converted(node, kind, wanted, context)


def _seldom_converted(node: ast.expr, kind: str, wanted: str, context: Context) -> Iterator[Mutation]:
    if kind in _LAZY:
        yield wrapped(node, "list", context, 0.95)
    elif "str" in {kind, wanted}:
        yield wrapped(node, "str", context, 0.85)
    elif kind == "float" and wanted in _EXACT:
        yield context.put(node, f"{wanted}(str({context.code(node)}))", weight=0.95)
    elif kind in _EXACT and wanted == "float":
        yield wrapped(node, "float", context, 0.9)
    elif kind in {"list", "tuple", "dict", "set"} and wanted in _NUMBERS:
        yield wrapped(node, "len", context, 0.93)
        yield wrapped(node, "sum", context, 0.7)
        yield suffixed(node, "[0]", context, 0.5)


def _inside_calls(spot: Spot, kinds: tuple[str, ...]) -> Iterator[Mutation]:
    """``sorted(mixed)``, ``sum(words)``: the operands are the items of an argument."""
    context = spot.context
    for call in spot.of(ast.Call):
        name = callee_name(call)
        keyed = any(word.arg == "key" for word in call.keywords)
        if name in {"sorted", "sort", "max", "min"} and not keyed:
            for key, weight in (("str", 0.9), ("int", 0.75), ("lambda item: item[0]", 0.6)):
                yield argued(call, f"key={key}", context, weight=weight)
        if name in {"sum", "max", "min", "sorted"} and call.args and "str" in kinds:
            for convert, weight in (("int", 0.92), ("float", 0.85), ("len", 0.7)):
                code = context.code(call.args[0])
                inner = (
                    code[1:-1]
                    if isinstance(call.args[0], ast.GeneratorExp) and code.startswith("(")
                    else code
                )
                yield context.put(call.args[0], f"map({convert}, {inner})", weight=weight)
        if name in {"max", "min"} and "NoneType" in kinds and len(call.args) > 1:
            other = next((kind for kind in kinds if kind != "NoneType"), "")
            for argument in call.args:
                if not isinstance(argument, ast.Constant):
                    yield from replaced_where_none(argument, other, context)
        if name == "sum" and "list" in kinds and len(call.args) == 1:
            yield argued(call, "[]", context, weight=0.95)


def _join(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``", ".join(numbers)``, and bytes among text."""
    wanted, kind = match.groups()
    method = {("str", "bytes"): "decode", ("a bytes", "str"): "encode"}.get((wanted, kind), "")
    if wanted != "str" and not method:
        return
    for spot in project.spots(failure):
        for call in spot.of(ast.Call):
            if callee_name(call) == "join" and len(call.args) == 1:
                context, node = spot.context, call.args[0]
                walked = [node.elt] if isinstance(node, (ast.GeneratorExp, ast.ListComp)) else []
                listed = node.elts if isinstance(node, (ast.List, ast.Tuple)) else []
                for item in walked or listed:
                    if _clearly(item, "str" if wanted == "str" else "bytes"):
                        continue
                    weight = 0.98 if walked else 0.95
                    if method:
                        yield suffixed(item, f".{method}()", context, weight)
                    else:
                        yield wrapped(item, "str", context, weight)
                convert = f"{kind}.{method}" if method else "str"
                yield context.put(node, f"map({convert}, {context.code(node)})", weight=0.96)
        return


def _not_serialisable(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``Object of type set is not JSON serializable``."""
    kind = match.group(1)
    call_of = {"set": "list", "frozenset": "list", "generator": "list", "dict_keys": "list", "map": "list",
               "dict_values": "list", "bytes": "", "Decimal": "float"}.get(kind, "str")  # fmt: skip
    for spot in project.spots(failure):
        context = spot.context
        for call in spot.of(ast.Call):
            if callee_name(call) not in {"dumps", "dump"} or not call.args:
                continue
            name = call_of or "str"
            yield argued(call, f"default={name}", context, weight=0.93)
            for item in _items_of(call.args[0], context):
                changed = (
                    suffixed(item, ".decode()", context, 0.9)
                    if not call_of
                    else wrapped(item, name, context, 0.92)
                )
                yield changed
                if call_of == "list":
                    yield wrapped(item, "sorted", context, 0.91)
        return


def _items_of(node: ast.expr, context: Context) -> list[ast.expr]:
    """What an argument holds: itself, or the values of the literal that it, or its variable, is."""
    if isinstance(node, ast.Name):
        values = [
            part.value
            for part in context.scopes.region(node)
            if isinstance(part, ast.Assign) and any(context.code(t) == node.id for t in part.targets)
        ]
        return [node, *(item for value in values for item in _items_of(value, context))]
    if isinstance(node, ast.Dict):
        return [value for value in node.values if not isinstance(value, ast.Constant)]
    if isinstance(node, (ast.List, ast.Tuple)):
        return [value for value in node.elts if not isinstance(value, ast.Constant)]
    return [node]


def _formatted(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``"%s" % pair`` with too many or too few values."""
    del match
    for spot in project.spots(failure):
        context = spot.context
        for node in spot.of(ast.BinOp):
            if isinstance(node.op, ast.Mod):
                if isinstance(node.right, ast.Tuple):
                    for item in node.right.elts:
                        others = [context.code(part) for part in node.right.elts if part is not item]
                        yield context.put(node.right, f"({', '.join(others)},)", weight=0.6)
                else:
                    yield context.put(node.right, f"({context.code(node.right)},)", weight=0.95)
                yield from _next_operand(node, context)
        return


def _next_operand(node: ast.BinOp, context: Context) -> Iterator[Mutation]:
    """``"%s %s" % a, b``: the tuple lacks its parentheses."""
    parent = context.source.parents.get(node)
    if isinstance(parent, ast.Tuple) and parent.elts[0] is node:
        start, end = context.source.segment(node.right)[0], context.source.segment(parent.elts[-1])[1]
        yield context.replace(start, end, f"({context.source.code[start:end]})", weight=0.97)
    if isinstance(parent, ast.Call) and node in parent.args:
        start, end = context.source.segment(node.right)[0], context.source.segment(parent.args[-1])[1]
        yield context.replace(start, end, f"({context.source.code[start:end]})", weight=0.96)


TEMPLATES: tuple[Template, ...] = (
    template(
        "concatenation",
        "TypeError",
        r"can only concatenate (\w+) \(not \"(?:[\w.]+\.)?(\w+)\"\)",
        _cannot_concatenate,
    ),
    template("concatenation", "TypeError", r"can't concat (?:[\w.]+\.)?(\w+) to (\w+)", _not_alike),
    template(
        "operand types",
        "TypeError",
        r"unsupported operand type\(s\) for .+?: '(?:[\w.]+\.)?(\w+)' and '(?:[\w.]+\.)?(\w+)'",
        _unsupported,
    ),
    template(
        "operand types",
        "TypeError",
        r"not supported between instances of '(?:[\w.]+\.)?(\w+)' and '(?:[\w.]+\.)?(\w+)'",
        _unsupported,
    ),
    template(
        "join", "TypeError", r"sequence item \d+: expected (str|a bytes).+, (?:[\w.]+\.)?(\w+) found", _join
    ),
    template(
        "serialisation", "TypeError", r"Object of type '?(\w+)'? is not JSON serializable", _not_serialisable
    ),
    template(
        "format values",
        "TypeError",
        r"not all arguments converted|not enough arguments for format",
        _formatted,
    ),
)
