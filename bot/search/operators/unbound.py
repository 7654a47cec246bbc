"""Names that nothing binds: misspelt ones, and modules that are not imported.

The fix templates answer to a failure's message. These operators need none: the name is unbound in its file. A
name that is bound, and the wrong one, is in ``names``.
"""

import ast
import re
import sys
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, Operator
from bot.search.similar_names import close
from bot.search.standard_names import HOMES, import_place

_NAME = re.compile(r"name '(\w+)' is not defined")


def _named(context: Context) -> frozenset[str]:
    """The names in the failing tests' messages."""
    return frozenset(match[1] for text in context.messages for match in _NAME.finditer(text))


class MisspeltName(Operator[ast.Name]):
    """A name that nothing binds."""

    name = "misspelt name"
    prior = 1.0
    kinds = (ast.Name,)

    def _mutate(self, node: ast.Name, context: Context) -> Iterator[Mutation]:
        named = node.id in _named(context)
        unbound = node.id not in context.scopes.known and not context.scopes.has_star_import
        if isinstance(node.ctx, ast.Load) and (named or unbound):
            pool = (*context.scopes.variables(node), *sorted(context.scopes.known))
            for index, other in enumerate(close(node.id, pool)):
                yield context.put(node, other, weight=(1.0 if named else 0.6) / (1 + index))
            if node.id in (*context.scopes.self_attributes(node), *context.scopes.methods(node)):
                yield context.put(node, f"self.{node.id}", weight=0.9)
            for index, other in enumerate(context.scopes.variables(node)):
                yield context.put(node, other, weight=0.4 / (1 + index))


class MissingImport(Operator[ast.Name]):
    """A module of the standard library that is used but not imported."""

    name = "missing import"
    prior = 1.0
    kinds = (ast.Name,)

    def _mutate(self, node: ast.Name, context: Context) -> Iterator[Mutation]:
        unbound = node.id not in context.scopes.known and not context.scopes.has_star_import
        if not unbound:
            return
        statement = f"import {node.id}" if node.id in sys.stdlib_module_names else ""
        if not statement and node.id in HOMES:
            statement = f"from {HOMES[node.id]} import {node.id}"
        if statement:
            named = node.id in _named(context)
            place = import_place(context)
            code = statement + context.source.newline
            yield context.replace(place, place, code, weight=1.0 if named else 0.8, why=f"add `{statement}`")
