"""Calls of the standard library that do less, or more, than they seem to.

Each is a rule of linters or a warning in Python's documentation: ``lstrip`` takes characters and no prefix
(flake8-bugbear's B005), ``timedelta.seconds`` leaves out the days, ``groupby`` groups what stands beside
each other, a replacement of ``re.sub`` has escapes of its own, of alternatives in a pattern the first one
wins, an iterator is used up by its first reader, ``with_suffix`` replaces a suffix, ``bool("no")`` is true,
``utf-8`` keeps a byte order mark, and an option of argparse that appends adds to its default.
"""

import ast
from collections.abc import Iterator

from bot.patch.syntax import last_name, walk
from bot.search.operators.arguments import argued
from bot.search.operators.base import Context, Mutation, operator, together
from bot.search.operators.statements import at_head, parameters_of
from bot.search.precedence import COMPARE, OR, TERM
from bot.search.source import FUNCTIONS, Function

_ITERATORS = frozenset({"map", "filter", "zip", "reversed", "iter", "enumerate"})
_MAX_PARAMETERS = 3
_ENCODINGS = {
    "utf-8": ("utf-8-sig",),
    "utf-8-sig": ("utf-8",),
    "ascii": ("utf-8", "latin-1"),
    "latin-1": ("utf-8", "cp1252"),
    "utf-16": ("utf-16-le", "utf-8"),
}


@operator("prefix stripped", prior=0.8, kinds=(ast.Call,))
def prefix_stripped(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``line.lstrip("export ")`` where ``removeprefix`` is meant, and the same at the end."""
    match node:
        case ast.Call(func=ast.Attribute() as method, args=[given]) if _is_longer_text(given):
            kinds = {"lstrip": ("prefix",), "rstrip": ("suffix",), "strip": ("prefix", "suffix")}
            names = [f"remove{kind}" for kind in kinds.get(method.attr, ())]
            for name in names:
                yield context.rename(method, name, weight=1 / len(names), why=f"call `.{name}`")


def _is_longer_text(node: ast.expr) -> bool:
    """Whether it is a text of several characters, or a name, which may be one."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and len(node.value) > 1
    return isinstance(node, (ast.Name, ast.Attribute))


@operator("part of a duration", prior=0.6, kinds=(ast.Attribute,))
def part_of_duration(node: ast.Attribute, context: Context) -> Iterator[Mutation]:
    """``delta.seconds``, from 0 to 86,399, where the whole duration is meant."""
    if node.attr != "seconds" or not isinstance(node.ctx, ast.Load) or context.source.is_called(node):
        return
    whole = f"{context.operand(node.value)}.total_seconds()"
    yield context.put(node, whole)
    yield context.put(node, f"int({whole})", weight=0.9)


@operator("returned iterator", prior=0.6, kinds=(ast.Return,))
def returned_iterator(node: ast.Return, context: Context) -> Iterator[Mutation]:
    """An iterator is returned, and whoever gets it reads it more than once."""
    held, why = node.value, "return a list"
    if isinstance(held, ast.GeneratorExp):
        yield context.put(held, f"[{context.code(held)[1:-1]}]", why=why)
    elif isinstance(held, ast.Call) and last_name(held.func) in _ITERATORS:
        yield context.put(held, f"list({context.code(held)})", why=why)


@operator("used up", prior=0.75, kinds=(ast.Assign, *FUNCTIONS))
def used_up(node: ast.Assign | Function, context: Context) -> Iterator[Mutation]:
    """An iterator that is read more than once: the second reader finds nothing."""
    if not isinstance(node, ast.Assign):
        for name in parameters_of(node)[:_MAX_PARAMETERS]:
            if _readers(name, node) > 1:
                yield from at_head(node, f"{name} = list({name})", context, weight=0.4)
        return
    function = context.source.function_of(node)
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.GeneratorExp() as held) if function:
            if _readers(name, function) > 1 and context.code(held).startswith("("):
                yield context.put(held, f"[{context.code(held)[1:-1]}]", why="make a list of it")
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name(id=maker)) as held):
            if function and maker in _ITERATORS and _readers(name, function) > 1:
                yield context.put(held, f"list({context.code(held)})", why="make a list of it")


def _readers(name: str, function: ast.AST) -> int:
    """How often a function walks over ``name``, or hands it on."""
    count = 0
    for part in walk(function):
        match part:
            case ast.For(iter=held) | ast.comprehension(iter=held) | ast.Starred(value=held):
                count += _is_named(held, name)
            case ast.Call(args=arguments):
                count += sum(_is_named(one, name) for one in arguments)
    return count


def _is_named(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


@operator("unsorted groups", prior=0.75, kinds=(ast.Call,))
def unsorted_groups(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``groupby(rows, key)`` of rows that nobody has sorted by that key."""
    if last_name(node.func) != "groupby" or not node.args:
        return
    rows = node.args[0]
    keys = [*node.args[1:2], *(one.value for one in node.keywords if one.arg == "key")]
    key = f", key={context.code(keys[0])}" if keys else ""
    if last_name(getattr(rows, "func", rows)) != "sorted":
        yield context.put(rows, f"sorted({context.code(rows)}{key})")


@operator("escapes of a replacement", prior=0.6, kinds=(ast.Call,))
def escapes_of_replacement(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``re.sub(pattern, text, ...)`` with any text, in which a backslash and a digit would be read."""
    if not isinstance(node.func, ast.Attribute) or node.func.attr not in {"sub", "subn"}:
        return
    of_module = isinstance(node.func.value, ast.Name) and node.func.value.id == "re"
    for given in node.args[of_module : of_module + 1]:
        if not isinstance(given, (ast.Constant, ast.Lambda)):
            yield context.put(given, f"lambda _: {context.operand(given, 1)}", level=1)


@operator("longest alternative first", prior=0.5, kinds=(ast.Call,))
def longest_first(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``"|".join(words)`` in a pattern: ``<`` is found before ``<=`` is tried."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value="|"), attr="join"), args=[words]):
            pass
        case _:
            return
    match words:
        case ast.GeneratorExp(generators=[one]) | ast.ListComp(generators=[one]):
            words = one.iter
        case ast.Call(func=ast.Name(id="map"), args=[_, held]):
            words = held
    yield context.put(words, f"sorted({context.code(words)}, key=len, reverse=True)")


@operator("suffix replaced", prior=0.5, kinds=(ast.Call,))
def suffix_replaced(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``path.with_suffix(".1")`` where the suffix is to stand behind the one that is there."""
    match node:
        case ast.Call(func=ast.Attribute(value=path, attr="with_suffix"), args=[suffix]):
            owner = context.operand(path)
            name = f"{owner}.name + {context.operand(suffix, TERM)}"
            yield context.put(node, f"{owner}.with_name({name})")


@operator("encoding", prior=0.45, kinds=(ast.Constant,))
def other_encoding(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """Another encoding of a text; a byte order mark is no part of it."""
    if isinstance(node.value, str) and (others := _ENCODINGS.get(node.value.lower().replace("_", "-"))):
        for rank, name in enumerate(others):
            yield context.put(node, f'"{name}"', weight=1 / (1 + 0.5 * rank))


@operator("conditional binds last", prior=0.5, kinds=(ast.IfExp,))
def conditional_binds_last(node: ast.IfExp, context: Context) -> Iterator[Mutation]:
    """``a or b if c else d`` is ``(a or b) if c else d``, where ``a or (b if c else d)`` may be meant."""
    body, source = node.body, context.source
    if isinstance(body, (ast.BoolOp, ast.BinOp)) and not source.is_parenthesised(body):
        last = body.values[-1] if isinstance(body, ast.BoolOp) else body.right
        start, end = source.outer(last)[0], source.segment(node)[1]
        code = f"({source.code[start:end]})"
        yield context.replace(start, end, code, why="put the condition in parentheses")


@operator("all of the bits", prior=0.5, kinds=(ast.BinOp,))
def all_of_the_bits(node: ast.BinOp, context: Context) -> Iterator[Mutation]:
    """``held & wanted``, which any common bit makes true, where all of ``wanted`` are asked for."""
    if not isinstance(node.op, ast.BitAnd):
        return
    parent = context.source.parents[node]
    is_bool = isinstance(parent, ast.Call) and last_name(parent.func) == "bool"
    if is_bool or isinstance(parent, (ast.If, ast.While, ast.IfExp, ast.BoolOp, ast.UnaryOp, ast.Return)):
        place = parent if is_bool else node
        for weight, asked in ((1.0, node.right), (0.7, node.left)):
            code = f"{context.code(node)} == {context.operand(asked, COMPARE)}"
            yield context.put(place, code, level=COMPARE, weight=weight)


@operator("back to the first", prior=0.5, kinds=(ast.Call,))
def back_to_the_first(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``zip(corners, corners[1:])``, which has no pair of the last and the first."""
    match node:
        case ast.Call(
            func=ast.Name(id="zip"),
            args=[
                first,
                ast.Subscript(value=held, slice=ast.Slice(lower=ast.Constant(value=1), upper=None)) as rest,
            ],
        ) if context.code(first) == context.code(held):
            yield context.put(rest, f"{context.code(rest)} + {context.operand(held)}[:1]", level=TERM)
        case ast.Call(func=callee, args=[held]) if last_name(callee) == "pairwise":
            whole = f"[*{context.code(held)}, {context.operand(held)}[0]]"
            yield context.put(held, whole)


@operator("option without type", prior=0.5, kinds=(ast.Call,))
def option_without_type(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``add_argument("--wait", default=1.5)``, which reads a text from the command line: ``type=float``."""
    words = {one.arg: one.value for one in node.keywords}
    option = node.args and isinstance(node.args[0], ast.Constant) and str(node.args[0].value)[:1] == "-"
    match words.get("default"):
        case ast.Constant(value=int() | float() as default) if not isinstance(default, bool):
            if option and not {"type", "action", "choices"} & words.keys():
                yield argued(node, f"type={type(default).__name__}", context, weight=1.0)


@operator("option that appends", prior=0.6, kinds=(ast.Call,))
def option_that_appends(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``action="append"`` adds to a default that is a list: it is taken where the option is read instead."""
    words = {one.arg: one.value for one in node.keywords}
    action, default = words.get("action"), words.get("default")
    appends = isinstance(action, ast.Constant) and action.value == "append"
    match default:
        case None | ast.Constant(value=None) | ast.List(elts=[]) | ast.Tuple(elts=[]):
            return
    if last_name(node.func) != "add_argument" or not appends:
        return
    names = [one.value for one in node.args if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    longest = max(names, key=len, default="").lstrip("-")
    stored = getattr(words.get("dest"), "value", "") or longest.replace("-", "_")
    read = [
        part
        for part in walk(context.source.tree)
        if isinstance(part, ast.Attribute) and part.attr == stored and isinstance(part.ctx, ast.Load)
    ]
    if read:
        instead = context.operand(default, OR)
        in_place = [context.put(one, f"{context.code(one)} or {instead}", level=OR) for one in read]
        why = f"take the default of `{names[0] if names else stored}` where it is read"
        yield together(context.put(default, "None"), *in_place, weight=1.0, why=why)
