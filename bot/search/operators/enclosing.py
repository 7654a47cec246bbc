"""What a statement or a function leaves out around itself: to clean up after an error, to look into lists."""

import ast
from collections.abc import Iterator

from bot.patch.syntax import last_name, walk
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.statements import inserted, parameters_of
from bot.search.source import FUNCTIONS, Function

_MAX_AFTER = 6


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
    place = next((rank for rank, one in enumerate(block) if one is node), None)
    after = block[place + 1 :] if place is not None else []
    if not 0 < len(after) <= _MAX_AFTER or any(source.whole_lines(one) is None for one in after):
        return
    yields = isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)
    if not yields and not isinstance(after[0], ast.Expr):
        return
    end = source.whole_lines(after[-1])
    assert end is not None
    step, newline = source.step, source.newline
    rest = source.code[lines[1] : end[1]].splitlines(keepends=True)
    moved = "".join(step + line if line.strip() else line for line in rest)
    code = f"{indent}try:{newline}{indent}{step}{context.code(node)}{newline}{indent}finally:{newline}{moved}"
    why = "clean up in any case"
    yield context.replace(lines[0], end[1], code, weight=1.0 if yields else 0.2, why=why)


@operator("lists within", prior=0.4, kinds=FUNCTIONS)
def lists_within(node: Function, context: Context) -> Iterator[Mutation]:
    """A function that goes into dictionaries by calling itself, and not into the lists between them."""
    calls = [
        part
        for part in walk(node)
        if isinstance(part, ast.Call) and part.args and last_name(part.func) == node.name
    ]
    names = parameters_of(node)
    text = context.code(node)
    if not calls or not names or "list" in text or ("dict" not in text and "Mapping" not in text):
        return
    call, first = calls[0], names[0]
    start = context.source.segment(call)[0]
    left, right = context.source.segment(call.args[0])
    code, at = context.code(call), left - start
    each = f"{code[:at]}one{code[at + right - left :]}"
    body = f"if isinstance({first}, list):\n{context.source.step}return [{each} for one in {first}]"
    for statement in node.body:
        if isinstance(statement, (ast.If, ast.Return)):
            yield from inserted(statement, body, context, weight=1.0, before=True)
