"""Arguments: swapped, superfluous, missing, or one step off in a ``range``.

"Swap arguments", "less/more arguments" are patterns of SStuBs (Karampatsis & Sutton, MSR 2020), found in
Python by PySStuBs (Kamienski et al., MSR 2021). Parameters' defaults are in ``definitions``.
"""

import ast
import re
from collections.abc import Iterator
from itertools import combinations, islice

from bot.patch.syntax import last_name
from bot.search.kinds import Kind
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.names import alternatives
from bot.search.precedence import ARITH, FACTOR, TERM
from bot.search.source import function_called

_KEYWORDS: dict[str, tuple[str, ...]] = {
    "sorted": ("reverse=True", "key=len", "key=abs", "key=str.lower", "key=lambda item: item[1]", "key=str"),
    "sort": ("reverse=True", "key=len", "key=abs", "key=str.lower", "key=lambda item: item[1]"),
    "max": ("key=len", "key=abs", "default=0", "default=None"),
    "min": ("key=len", "key=abs", "default=0", "default=None"),
    "enumerate": ("1", "start=1"),
    "sum": ("0", "[]"),
    "round": ("2", "1"),
    "int": ("2", "16"),
    "split": ("' '", "','", "maxsplit=1", "', '"),
    "zip": ("strict=True",),
    "print": ("end=''",),
    "dumps": ("sort_keys=True", "ensure_ascii=False", "indent=2"),
    "next": ("None",),
    "open": ('encoding="utf-8"', 'newline=""'),
    "replace": ("1",),
}
_FROM = frozenset({"find", "rfind", "index", "rindex"})
_MAX_STARTS = 4
_MARK = re.compile(r"#[^\r\n]*|[,)]")


@operator("swap arguments", prior=0.55, kinds=(ast.Call,))
def argument_swap(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """Two arguments in each other's place."""
    for left, right in combinations(node.args, 2):
        near = node.args.index(right) - node.args.index(left) == 1
        yield context.exchange(left, right, weight=1.0 if near else 0.6)
    if len(node.args) == 1 and isinstance(node.func, ast.Attribute):
        yield context.exchange(node.func.value, node.args[0], weight=0.5)


@operator("drop argument", prior=0.4, kinds=(ast.Call,))
def argument_drop(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """An argument too many."""
    for part in sorted([*node.args, *node.keywords], key=context.source.segment):
        yield dropped(node, part, context, weight=1.0)


def dropped(call: ast.Call, argument: ast.AST, context: Context, weight: float) -> Mutation:
    """The call without one of its arguments."""
    source, why = context.source, f"drop the argument `{context.code(argument)}`"
    parts = sorted([*call.args, *call.keywords], key=source.segment)
    if len(parts) > 1:
        return context.without(argument, parts, weight=weight, why=why)
    start, end = source.code.index("(", source.segment(call.func)[1]) + 1, source.segment(call)[1] - 1
    return context.replace(start, end, "", weight=weight, why=why)


@operator("add argument", prior=0.45, kinds=(ast.Call,))
def argument_add(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """An argument too few: a keyword that such calls take, or a variable in scope."""
    name = last_name(node.func)
    given = {keyword.arg for keyword in node.keywords}
    for argument in _KEYWORDS.get(name, ()):
        word, equals, _ = argument.partition("=")
        if not (equals and word in given) and (equals or not node.keywords):
            yield argued(node, argument, context, weight=1.0, why=f"pass `{argument}`")
    held = node.args[0] if node.args and name in {"max", "min", "sorted"} else None
    if isinstance(held, (ast.Name, ast.Attribute)) and "key" not in given:
        code = f"key={context.code(held)}.get"
        yield argued(node, code, context, weight=0.5, why=f"pass `{code}`")
    if name in _FROM and len(node.args) == 1:
        kinds = ((one, context.scopes.kind_of_name(one, node)) for one in context.scopes.variables(node))
        numbers = (one for one, kind in kinds if kind in {Kind.INT, Kind.UNKNOWN})
        for variable in islice(numbers, _MAX_STARTS):
            yield argued(node, variable, context, weight=0.7, why=f"search from `{variable}`")
    known = {
        found.name: found for found in (*context.scopes.callables, *context.scopes.method_signatures(node))
    }
    if name in known and len(node.args) < known[name].at_most and not node.keywords:
        for variable in context.scopes.variables(node)[:8]:
            yield argued(node, variable, context, weight=0.7, why=f"pass `{variable}`")


def argued(call: ast.Call, code: str, context: Context, *, weight: float, why: str = "") -> Mutation:
    """A call with ``code``, one argument or several, after those that it has."""
    source, end = context.source, context.source.segment(call)[1] - 1
    parts = [*call.args, *call.keywords]
    if not parts:
        return context.replace(end, end, code, weight=weight, why=why)
    start, last = max((source.segment(part) for part in parts), key=lambda span: span[1])
    if last > end:  # a lone generator, whose parentheses are the call's
        whole = f"({source.code[start:last]}, {code})"
        return context.replace(start, last, whole, weight=weight, why=why)
    # What else stands before the end: parentheses around the last argument, a comma after it, comments.
    gap = source.code[last:end]
    marks = [mark for mark in _MARK.finditer(gap) if mark.group() in ",)"]
    at = last + (marks[-1].end() if marks else 0)
    if not marks or marks[-1].group() == ")":
        return context.replace(at, at, f", {code}", weight=weight, why=why)
    before, after = source.code.rfind("\n", 0, start) + 1, source.code.find("\n", at, end)
    indent = source.code[before:start]
    if after != -1 and not indent.strip():  # one argument a line, each with a comma
        after -= source.code[after - 1] == "\r"
        return context.replace(after, after, f"{source.newline}{indent}{code},", weight=weight, why=why)
    comma = "," if source.code[at:end].strip(" \t") else ""
    return context.replace(at, at, f" {code}{comma}", weight=weight, why=why)


@operator("replace argument", prior=0.35, kinds=(ast.Call,))
def argument_replace(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """A variable in the place of an argument that is more than a name."""
    for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
        if not isinstance(argument, (ast.Name, ast.Starred, ast.GeneratorExp, ast.Lambda)):
            for name, weight in list(alternatives(argument, context))[:8]:
                yield context.put(argument, name, weight=weight)


@operator("range", prior=0.55, kinds=(ast.Call,))
def range_bounds(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """A ``range`` that begins, ends or steps elsewhere."""
    if function_called(node) != "range" or not 1 <= len(node.args) <= 3:
        return
    parts = [context.operand(part, ARITH) for part in node.args]
    parts = ["0", *parts] if len(parts) == 1 else parts
    for (first, last, step), weight in _ranges(parts[0], parts[1], parts[2] if len(parts) > 2 else ""):
        shortest = [last] if first == "0" and not step else [first, last, step][: 3 if step else 2]
        yield context.put(node, f"range({', '.join(shortest)})", weight=weight)


def _ranges(first: str, last: str, step: str) -> Iterator[tuple[tuple[str, str, str], float]]:
    more, less, after = f"{last} + 1", f"{last} - 1", "1" if first == "0" else f"{first} + 1"
    yield (first, more, step), 1.0
    yield (first, less, step), 0.9
    yield (after, last, step), 1.0
    yield (after, more, step), 0.9
    yield ("0", last, step), 0.8 if first != "0" else 0.0
    yield ("2", last, step), 0.4
    yield (first if first != "0" else "0", last, "2"), 0.4
    yield (f"{last} - 1", f"{first} - 1" if first != "0" else "-1", "-1"), 0.6
    yield (last, first, "-1"), 0.4
    if step:
        yield (first, last, ""), 0.6
        yield (last, first, step), 0.4
        yield (first, last, f"-{step}" if not step.startswith("-") else step[1:]), 0.5


@operator("sort key", prior=0.4, kinds=(ast.keyword,))
def key_function(node: ast.keyword, context: Context) -> Iterator[Mutation]:
    """A sort key that looks at the wrong thing, or the wrong way round."""
    key = node.value
    if node.arg == "reverse" and not isinstance(key, ast.Constant):
        yield context.put(key, f"not {context.operand(key, TERM)}", level=4)
    if node.arg != "key" or not isinstance(key, ast.Lambda) or not key.args.args:
        return
    name = key.args.args[0].arg
    body = context.operand(key.body, FACTOR)
    if not body.startswith("-"):
        yield context.put(key.body, f"-{body}", level=FACTOR, weight=0.8)
    for code in (f"len({name})", f"{name}[0]", f"{name}[1]", f"{name}[-1]", name, f"abs({name})"):
        yield context.put(key.body, code, weight=0.5)
    for part in key.body.elts if isinstance(key.body, ast.Tuple) else ():
        if not isinstance(part, ast.UnaryOp):
            yield context.put(part, f"-{context.operand(part, FACTOR)}", level=FACTOR, weight=0.9)
    for code, weight in ((name, 0.8), (f"-{name}", 0.3), (f"str({name})", 0.3)):
        pair = f"({context.operand(key.body, 1)}, {code})"
        yield context.put(key.body, pair, weight=weight)
