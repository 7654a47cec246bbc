"""What the other functions of a file do, and this one does not: a guard at the head, a decorator, a keyword.

An inserted guard and a parameter passed on are common insertions in mined fixes (docs/results/fixes.md).
"""

import ast
from collections import Counter
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, Operator, quoted
from bot.search.operators.statements import inserted, is_docstring
from bot.search.source import FUNCTIONS, Function

_MAX_GUARDS = 6
_MAX_LINES = 3
_LEAVES = (ast.Return, ast.Raise)


class SiblingGuard(Operator[ast.stmt]):
    """A guard at the head of other functions, about parameters that this one has too."""

    name = "sibling guard"
    prior = 0.5
    kinds = FUNCTIONS

    def _mutate(self, node: ast.stmt, context: Context) -> Iterator[Mutation]:
        assert isinstance(node, FUNCTIONS)
        body = [statement for statement in node.body if not is_docstring(statement)]
        if not body:
            return
        own = {context.code(statement) for statement in body}
        guards = Counter(
            context.code(guard)
            for other in context.source.functions
            if other is not node
            for guard in _guards(other)
            if _names(guard) & _parameters(other) <= _parameters(node)
        )
        step = context.source.step
        for code, _count in guards.most_common(_MAX_GUARDS):
            lines = code.splitlines()
            if code in own or len(lines) > _MAX_LINES:
                continue
            guard = "\n".join([lines[0], *(step + line.strip() for line in lines[1:])])
            why = f"the guard of its neighbours: {quoted(lines[0])}"
            for mutation in inserted(body[0], guard, context, weight=1.0, before=True):
                yield Mutation(edits=mutation.edits, weight=mutation.weight, explanation=why)


def _guards(function: Function) -> Iterator[ast.If]:
    """The ``if`` statements at the function's head that do nothing but leave it."""
    for statement in function.body:
        if is_docstring(statement):
            continue
        if not isinstance(statement, ast.If) or statement.orelse or len(statement.body) != 1:
            return
        if not isinstance(statement.body[0], _LEAVES):
            return
        yield statement


def _names(node: ast.AST) -> set[str]:
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def _parameters(function: Function) -> set[str]:
    given = function.args
    return {one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)}


class SiblingDecorator(Operator[ast.stmt]):
    """A decorator that at least two other functions of the same block have, and this one lacks."""

    name = "sibling decorator"
    prior = 0.3
    kinds = FUNCTIONS

    def _mutate(self, node: ast.stmt, context: Context) -> Iterator[Mutation]:
        assert isinstance(node, FUNCTIONS)
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
        for code, count in common.most_common(_MAX_GUARDS):
            if count > 1 and code not in own and "\n" not in code and indent is not None:
                line = f"{indent}@{code}{context.source.newline}"
                yield context.replace(start, start, line, weight=0.6, why=f"decorate with {quoted(code)}")


class PassedOn(Operator[ast.Call]):
    """A parameter that nobody reads, and that a call with keywords of the same names should be given."""

    name = "passed on"
    prior = 0.6
    kinds = (ast.Call,)

    def _mutate(self, node: ast.Call, context: Context) -> Iterator[Mutation]:
        function = context.source.function_of(node)
        if function is None or not node.keywords or node.keywords[-1].arg is None:
            return
        given = {one.arg for one in node.keywords}
        alike = sum(one.arg == getattr(one.value, "id", None) for one in node.keywords)
        read = {
            part.id
            for part in ast.walk(function)
            if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)
        }
        end = context.source.segment(node.keywords[-1])[1]
        for name in sorted(_parameters(function) - read - given - {"self", "cls"}):
            weight = 1.0 if alike else 0.4
            yield context.replace(end, end, f", {name}={name}", weight=weight, why=f"pass {name} on")
