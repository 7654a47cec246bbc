"""Statements: one too many, one in the wrong place, one that leaves the loop too early or too late.

Deleting, moving and inserting statements are the moves of GenProg (Le Goues et al. 2012); misplaced returns
and loop exits are among QuixBugs' classes (Lin et al. 2017). What a statement computes is left to the other
modules.
"""

import ast
import re
from collections.abc import Iterator

from bot.patch.syntax import is_constant
from bot.search.operators.base import Context, Mutation, operator, quoted
from bot.search.source import LOOPS, Function, begins

SIMPLE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Return, ast.Raise, ast.Break, ast.Continue,
          ast.Delete, ast.Assert)  # fmt: skip
MOVABLE = (*SIMPLE, ast.If, ast.For, ast.While, ast.With)
LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")  # as Python counts them: no other character ends one
_COPIES = 10  # statements of the function that are tried in another place


def work_of(function: Function) -> list[ast.stmt]:
    """The statements of a function that do something, its docstring left out."""
    return [statement for statement in function.body if not is_constant(statement)]


def parameters_of(function: Function) -> list[str]:
    """The positional parameters, but for the object or class that a method is called on."""
    return [arg.arg for arg in function.args.args if arg.arg not in {"self", "cls"}]


def at_head(function: Function, code: str, context: Context, *, weight: float) -> Iterator[Mutation]:
    """``code`` before all else that a function does; nothing where it does nothing."""
    for first in work_of(function)[:1]:
        yield from inserted(first, code, context, weight=weight, before=True)


@operator("delete", prior=0.45, kinds=(*SIMPLE, ast.If))
def delete(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """A statement too many."""
    if is_constant(node):
        return
    why = f"delete `{quoted(context.code(node)).strip('`')}`"
    lines = context.source.whole_lines(node)
    weight = 0.4 if isinstance(node, (ast.Return, ast.If)) else 1.0
    if context.code(node).startswith("elif"):
        return
    if len(context.source.block_of(node)) == 1 or lines is None:
        yield context.replace(*context.source.segment(node), "pass", weight=weight * 0.8, why=why)
    else:
        yield context.replace(*lines, "", weight=weight, why=why)


@operator("move", prior=0.35, kinds=MOVABLE)
def move(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """Two neighbours in the wrong order."""
    before, after = context.source.beside(node)
    for first, second in ((before, node), (node, after)):
        if not isinstance(first, MOVABLE) or not isinstance(second, MOVABLE) or is_constant(first):
            continue
        if not (context.source.whole_lines(first) and context.source.whole_lines(second)):
            continue
        (start, middle), (then, end) = context.source.segment(first), context.source.segment(second)
        code = context.code(second) + context.source.code[middle:then] + context.code(first)
        shown = quoted(context.code(second).splitlines()[0])
        yield context.replace(start, end, code, why=f"move {shown} before the statement above it")


@operator("dedent", prior=0.55, kinds=MOVABLE)
def dedent(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """The last statement of a block that belongs after the block."""
    source = context.source
    parent = source.parents[node]
    lines = source.whole_lines(node)
    inside = isinstance(parent, (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith))
    if not inside or lines is None or not isinstance(parent, ast.stmt) or len(source.block_of(node)) < 2:
        return
    outer, inner = source.indent_of(parent), source.indent_of(node)
    last = source.segment(parent)[1] == source.segment(node)[1]
    if outer is None or inner is None or not last or not one_line_texts(node):
        return
    if context.code(parent).startswith("elif"):
        return
    code = reindented(source.code[slice(*lines)], inner, outer)
    weight = 1.0 if isinstance(parent, LOOPS) or isinstance(node, ast.Return) else 0.6
    yield context.replace(*lines, code, weight=weight, why=f"move {_shown(node, context)} out of the block")


@operator("indent", prior=0.45, kinds=MOVABLE)
def indent_statement(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """A statement after a block that belongs into it."""
    source = context.source
    lines = source.whole_lines(node)
    before, _ = source.beside(node)
    if not isinstance(before, (ast.For, ast.AsyncFor, ast.While, ast.If, ast.With)) or lines is None:
        return
    tail = _last_block(before, context) if isinstance(before, ast.If) else before.body
    outer, inner = source.indent_of(node), source.indent_of(tail[0])
    if outer is None or inner is None or not one_line_texts(node):
        return
    code = reindented(source.code[slice(*lines)], outer, inner)
    yield context.replace(*lines, code, why=f"move {_shown(node, context)} into the block above it")


@operator("loop exit", prior=0.5, kinds=(ast.Break, ast.Continue, ast.Return, ast.Pass))
def loop_exit(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """``break`` and ``continue`` for one another, or for a return."""
    own = context.code(node)
    if context.source.loop_of(node) is None:
        return
    lower = 0.5 if isinstance(node, ast.Return) else 1.0
    for code, weight in (("continue", 1.0), ("break", 1.0), ("pass", 0.3)):
        if code != own:
            yield context.replace(*context.source.segment(node), code, weight=weight * lower)


@operator("insert exit", prior=0.3, kinds=(ast.Expr, ast.Assign, ast.AugAssign, ast.If))
def insert_exit(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """A branch inside a loop that should leave the loop, or go on with it."""
    if context.source.loop_of(node) is None or context.source.block_of(node)[-1] is not node:
        return
    yield from inserted(node, "break", context, weight=1.0)
    if not isinstance(context.source.parents[node], LOOPS):
        yield from inserted(node, "continue", context, weight=0.8)


@operator("copy statement", prior=0.15, kinds=MOVABLE)
def copy_statement(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """A statement of the same function that is missing here (the redundancy assumption)."""
    if is_constant(node):
        return
    own = context.code(node)
    others = {
        context.code(part): part
        for part in context.scopes.region(node)
        if isinstance(part, (ast.Expr, ast.Assign, ast.AugAssign, ast.Return)) and not is_constant(part)
    }
    near = sorted(others.values(), key=lambda part: abs(part.lineno - node.lineno))
    for part in near[:_COPIES]:
        code = context.code(part)
        if code == own or "\n" in code:
            continue
        if not isinstance(node, (ast.Return, ast.Break, ast.Continue)):
            yield from inserted(node, code, context, weight=0.6 if isinstance(part, ast.Return) else 1.0)
        if isinstance(node, SIMPLE):
            yield context.replace(*context.source.segment(node), code, weight=0.5)


@operator("if elif", prior=0.45, kinds=(ast.If,))
def if_elif(node: ast.If, context: Context) -> Iterator[Mutation]:
    """``if`` for ``elif``, and the other way round."""
    source = context.source
    start = source.segment(node)[0]
    if source.code.startswith("elif", start):
        yield context.replace(start, start + 4, "if", why="use `if` instead of `elif`")
        return
    before, _ = source.beside(node)
    if isinstance(before, ast.If) and not _has_else(before):
        # From the end of the block above: the change only makes sense together with it.
        end = source.segment(before)[1]
        code = source.code[end:start] + "elif"
        yield context.replace(end, start + 2, code, why="use `elif` instead of `if`")


def _has_else(node: ast.If) -> bool:
    while len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
        node = node.orelse[0]
    return bool(node.orelse)


def _last_block(node: ast.If, context: Context) -> list[ast.stmt]:
    """The block that a chain of ``if`` and ``elif`` ends with."""
    while node.orelse and isinstance(after := node.orelse[0], ast.If):
        if not context.code(after).startswith("elif"):
            break
        node = after
    return node.orelse or node.body


def inserted(
    node: ast.stmt, code: str, context: Context, *, weight: float, before: bool = False
) -> Iterator[Mutation]:
    """``code`` as a statement after (or before) ``node``, where that takes whole lines."""
    lines = context.source.whole_lines(node)
    indent = context.source.indent_of(node)
    if lines is None or indent is None or context.code(node).startswith("elif"):
        return
    newline = context.source.newline
    place = "before" if before else "after"
    why = f"insert {quoted(code)} {place} {_shown(node, context)}"
    body = newline.join(indent + line if line else "" for line in code.split("\n"))
    at = lines[0] if before else lines[1]
    begins_line = before or context.source.code[:at].endswith(("\n", "\r"))
    yield context.replace(at, at, body + newline if begins_line else newline + body, weight=weight, why=why)


def import_added(statement: str, context: Context, weight: float = 1.0) -> Mutation:
    """``statement`` as a line of its own among the file's imports, or in a paragraph where there are none."""
    place, newline = import_place(context), context.source.newline
    after = context.source.code[place:].lstrip(" \t")
    apart = "" if after.startswith(("import ", "from ", "\r", "\n")) or not after else newline
    if after.startswith(("def ", "class ", "async ", "@")):
        apart *= 2
    return context.replace(place, place, statement + newline + apart, weight=weight, why=f"add `{statement}`")


def import_needed(name: str, statement: str, context: Context) -> list[Mutation]:
    """``statement``, which binds ``name``, where the file does not know that name."""
    return [] if name in context.scopes.known else [import_added(statement, context)]


def import_place(context: Context) -> int:
    """Before the first import that is not ``from __future__``, else after the docstring."""
    source, place = context.source, 0
    for statement in source.tree.body:
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        if not (future or is_constant(statement)):
            return source.line_start(begins(statement))
        place = source.line_end(statement.end_lineno or statement.lineno)
    return place


def _shown(node: ast.stmt, context: Context) -> str:
    return quoted(context.code(node).splitlines()[0])


def one_line_texts(node: ast.stmt) -> bool:
    """Whether every text literal stays on its line, so that indentation means nothing but indentation."""
    return not any(
        isinstance(part, (ast.Constant, ast.JoinedStr)) and part.lineno != part.end_lineno
        for part in ast.walk(node)
    )


def reindented(code: str, old: str, new: str) -> str:
    """Lines that begin with the indentation ``old``, with ``new`` in its place."""
    lines = LINE.findall(code)
    return "".join(
        new + line[len(old) :] if line.startswith(old) and line.strip() else line for line in lines
    )
