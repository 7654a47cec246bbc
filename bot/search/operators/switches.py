"""Switches: what the file asks for the truth of elsewhere, and a condition forgets.

``if pos == 0 and not self.strict``, ``else`` that should be ``elif partial is not None``, and an assertion
where callers wait for an exception.
"""

import ast
import re
from collections.abc import Iterator

from bot.search.exits import exits
from bot.search.operators.base import Context, Mutation, negation, operator
from bot.search.operators.logic import conditions
from bot.search.precedence import AND, OR
from bot.search.source import attribute_of_self, names_in

_MOST = 6
COMPARING = frozenset({"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__"})
_ELSE = re.compile(r"(?<=[\r\n])[ \t\f]*else[ \t\f]*:")


@operator("switch", prior=0.3, kinds=(ast.If, ast.While, ast.IfExp, ast.comprehension))
def switch(node: ast.AST, context: Context) -> Iterator[Mutation]:
    """A condition that forgets a switch of the object or the module."""
    for test in conditions(node):
        own = context.code(test)
        for rank, code in enumerate(_switches(test, context)):
            if code not in own:
                share = 1 / (1 + 0.2 * rank)
                rest, either = context.operand(test, AND), context.operand(test, OR)
                for clause, weight in ((f"not {code}", 1.0), (code, 0.8)):
                    yield context.put(test, f"{rest} and {clause}", level=AND, weight=weight * share)
                yield context.put(test, f"{either} or {code}", level=OR, weight=0.4 * share)


def _switches(node: ast.AST, context: Context) -> list[str]:
    """Attributes of the object and names of the module that the file asks for the truth of."""
    owner = context.source.class_of(node)
    asked = context.once(_asked, context.source.tree)
    own = [code for code, where in asked if where is not None and where is owner]
    shared = [code for code, where in asked if where is None]
    return list(dict.fromkeys([*own, *shared]))[:_MOST]


def _asked(module: ast.AST, context: Context) -> list[tuple[str, ast.ClassDef | None]]:
    """What the file decides by alone, each with the class whose object it belongs to."""
    found = []
    shared = frozenset(context.scopes.module_variables)
    for part in ast.walk(module):
        clauses = part.values if isinstance(part, ast.BoolOp) else conditions(part)
        for clause in clauses:
            if isinstance(clause, ast.UnaryOp) and isinstance(clause.op, ast.Not):
                clause = clause.operand  # noqa: PLW2901
            if attribute_of_self(clause):
                found.append((context.code(clause), context.source.class_of(clause)))
            elif isinstance(clause, ast.Name) and clause.id in shared:
                found.append((clause.id, None))
    return found


@operator("else under condition", prior=0.2, kinds=(ast.If,))
def else_under_condition(node: ast.If, context: Context) -> Iterator[Mutation]:
    """``else:`` that holds for too much: ``elif name is not None:``, or ``elif`` with a switch."""
    if not node.orelse or node.body[-1].lineno == node.orelse[0].lineno:
        return
    start, end = context.source.segment(node.body[-1])[1], context.source.segment(node.orelse[0])[0]
    found = _ELSE.search(context.source.code, start, end)
    if found is None:
        return
    head = found.group()[: -len(found.group().lstrip())]
    variables = {*context.scopes.variables(node)} - {*names_in(node.test)}
    asked = [name for name in reversed(dict.fromkeys(names_in(*node.orelse))) if name in variables][:_MOST]
    tests = [test for name in asked for test in (f"{name} is not None", name)]
    for rank, test in enumerate([*tests, *_switches(node, context)]):
        text, why = f"{head}elif {test}:", f"only if `{test}`"
        yield context.replace(*found.span(), text, weight=1 / (1 + 0.2 * rank), why=why)


@operator("error for assertion", prior=0.6, kinds=(ast.Assert,))
def error_for_assertion(node: ast.Assert, context: Context) -> Iterator[Mutation]:
    """``assert ready`` where callers wait for an exception or an answer: ``if not ready: raise ...``."""
    source = context.source
    indent = source.indent_of(node)
    if indent is None:
        return
    opposite, _ = negation(node.test, context)
    function = source.function_of(node)
    compares = function is not None and function.name in COMPARING
    answers = [("return NotImplemented", 1.0), ("return False", 0.9)] if compares else []
    for code, weight in [*answers, *exits(node, context)]:
        text = f"if {opposite}:{source.newline}{indent}{source.step}{code}"
        yield context.replace(*source.segment(node), text, weight=weight, why=f"`{code}`, not an assertion")
