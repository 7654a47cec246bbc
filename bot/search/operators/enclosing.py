"""What a statement or a function leaves out around itself: to clean up after an error, to look into lists."""

import ast
from collections.abc import Iterator, Sequence

from bot.patch.syntax import last_name, walk
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.statements import inserted, parameters_of
from bot.search.source import FUNCTIONS, Function, Source

_MAX_AFTER = 6
_TAKING_BACK = frozenset(
    {"pop", "remove", "discard", "clear", "close", "release", "unlock", "stop", "unlink"}
)


@operator("clean up in any case", prior=0.5, kinds=(ast.Expr, ast.Assign))
def clean_up(node: ast.stmt, context: Context) -> Iterator[Mutation]:
    """``yield`` and then code to clean up, which an error in the ``with`` block skips: ``try: … finally: …``.

    With less weight for any statement that calls follow, such as ``lock.release()``.
    """
    source = context.source
    block, indent, lines = source.block_of(node), source.indent_of(node), source.whole_lines(node)
    function = source.function_of(node)
    if indent is None or lines is None or function is None or "\n" in context.code(node):
        return
    after = block[block.index(node) + 1 :]
    if not 0 < len(after) <= _MAX_AFTER or any(source.whole_lines(one) is None for one in after):
        return
    yields = isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)
    for rank, one in enumerate(after):
        if not yields and _takes_back(one):
            yield _in_any_case(node, after[:rank], after[rank : rank + 1], context, weight=0.6)
            break
    if yields or isinstance(after[0], ast.Expr):
        yield _in_any_case(node, (), after, context, weight=1.0 if yields else 0.2)


def _takes_back(node: ast.stmt) -> bool:
    """Whether a statement undoes what came before: forgets an entry, lets go, sets a flag back."""
    match node:
        case ast.Delete():
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            return name in _TAKING_BACK
        case ast.Assign(targets=[ast.Attribute()], value=ast.Constant(value=None | False)):
            return True
        case ast.AugAssign(op=ast.Sub(), target=ast.Attribute()):
            return True
    return False


def _in_any_case(
    node: ast.stmt, then: Sequence[ast.stmt], last: Sequence[ast.stmt], context: Context, *, weight: float
) -> Mutation:
    """``node`` and what comes ``then`` tried, and the ``last`` ones done whatever becomes of them."""
    source = context.source
    indent, step, newline = source.indent_of(node), source.step, source.newline
    begin, middle, end = (_lines(one, source) for one in (node, then[-1] if then else node, last[-1]))
    tried, cleaning = (
        "".join(
            step + line if line.strip() else line
            for line in source.code[start:stop].splitlines(keepends=True)
        )
        for start, stop in ((begin[0], middle[1]), (middle[1], end[1]))
    )
    code = f"{indent}try:{newline}{tried}{indent}finally:{newline}{cleaning}"
    return context.replace(begin[0], end[1], code, weight=weight, why="clean up in any case")


def _lines(node: ast.stmt, source: Source) -> tuple[int, int]:
    found = source.whole_lines(node)
    assert found, "asked of statements that have lines of their own"
    return found


@operator("lists within", prior=0.4, kinds=FUNCTIONS)
def lists_within(node: Function, context: Context) -> Iterator[Mutation]:
    """A function that goes into dictionaries by calling itself, and not into the lists between them."""
    given = (part for part in walk(node) if isinstance(part, ast.Call) and part.args)
    calls = [call for call in given if last_name(call.func) == node.name]
    names = parameters_of(node)
    text = context.code(node)
    if not calls or not names or "list" in text or ("dict" not in text and "Mapping" not in text):
        return
    call, first = calls[0], names[0]
    start = context.source.segment(call)[0]
    left, right = context.source.segment(call.args[0])
    code, at = context.code(call), left - start
    each = f"{code[:at]}one{code[at + right - left :]}"
    body = context.when(f"isinstance({first}, list)", f"return [{each} for one in {first}]")
    for statement in node.body:
        if isinstance(statement, (ast.If, ast.Return)):
            yield from inserted(statement, body, context, weight=1.0, before=True)
