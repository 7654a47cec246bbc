"""What a function declares: mutable defaults, the names that it shares, its decorators.

Mutable defaults and forgotten ``nonlocal`` are bugs that Python's own documentation warns of. Bodies are
elsewhere.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator, quoted
from bot.search.operators.statements import at_head
from bot.search.source import FUNCTIONS, Function

_UNBOUND = re.compile(r"(?:local|free) variable '(\w+)'")
_MAX_DECORATORS = 6


@operator("mutable default", prior=0.8, kinds=FUNCTIONS)
def mutable_default(node: ast.FunctionDef, context: Context) -> Iterator[Mutation]:
    """A list or dict that all calls share, made anew for each call."""
    positional = [*node.args.posonlyargs, *node.args.args]
    pairs = [*zip(reversed(positional), reversed(node.args.defaults), strict=False)]
    pairs += [
        (arg, found) for arg, found in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True) if found
    ]
    for arg, default in pairs:
        call = isinstance(default, ast.Call) and not default.args
        if not (call or isinstance(default, (ast.List, ast.Dict, ast.Set))):
            continue
        guard = f"if {arg.arg} is None:\n{context.source.step}{arg.arg} = {context.code(default)}"
        for change in at_head(node, guard, context, weight=1.0):
            edits = (*context.put(default, "None").edits, *change.edits)
            why = f"make a new `{arg.arg}` for each call"
            yield Mutation(edits=edits, weight=1.0, explanation=why)


@operator("shared name", prior=0.5, kinds=FUNCTIONS)
def shared_name(node: ast.FunctionDef, context: Context) -> Iterator[Mutation]:
    """A name of an outer scope that is assigned without saying so."""
    named = {name for message in context.messages for name in _UNBOUND.findall(message)}
    outer = context.source.function_of(node)
    for name in context.scopes.locals_of(node):
        word = ""
        if outer is not None and name in context.scopes.locals_of(outer):
            word = "nonlocal"
        elif name in context.scopes.module_variables:
            word = "global"
        if word:
            weight = 1.0 if name in named else 0.2
            yield from at_head(node, f"{word} {name}", context, weight=weight)


@operator("sibling decorator", prior=0.3, kinds=FUNCTIONS)
def sibling_decorator(node: Function, context: Context) -> Iterator[Mutation]:
    """A decorator that at least two other functions of the same block have, and this one lacks."""
    own = {context.code(one) for one in node.decorator_list}
    around = context.source.block_of(node)
    common = Counter(
        context.code(one)
        for other in around
        if isinstance(other, FUNCTIONS) and other is not node
        for one in other.decorator_list
    )
    start = context.source.line_start(node.decorator_list[0].lineno if own else node.lineno)
    indent = context.source.indent_of(node)
    for code, count in common.most_common(_MAX_DECORATORS):
        if count > 1 and code not in own and "\n" not in code and indent is not None:
            line = f"{indent}@{code}{context.source.newline}"
            yield context.replace(start, start, line, weight=0.6, why=f"decorate with {quoted(code)}")
