"""A constant of the standard library for another of its kind: ``ROUND_HALF_UP`` for ``ROUND_HALF_EVEN``."""

import ast
from collections.abc import Iterator
from difflib import SequenceMatcher
from functools import cache
from importlib import import_module

from bot.search.operators.base import Context, Mutation, operator

_MODULES = frozenset({"calendar", "decimal", "errno", "locale", "logging", "math", "os", "re", "signal",
                      "socket", "stat", "string"})  # fmt: skip
"""Modules with families of constants; to import them does nothing else."""
_MAX = 8


@operator("library constant", prior=0.4, kinds=(ast.Attribute,))
def library_constant(node: ast.Attribute, context: Context) -> Iterator[Mutation]:
    """Another constant of the same module, of the same type and with the same beginning."""
    if not isinstance(node.value, ast.Name) or context.source.is_called(node):
        return
    module = _imported(node.value.id, context)
    for rank, name in enumerate(_family(module, node.attr) if module else ()):
        why = f"use `{node.value.id}.{name}` instead of `.{node.attr}`"
        yield context.rename(node, name, weight=1 / (1 + 0.15 * rank), why=why)


def _imported(name: str, context: Context) -> str:
    """The module of ``_MODULES`` that ``name`` stands for; empty for others."""
    imports = (part for part in context.source.tree.body if isinstance(part, ast.Import))
    known = (alias for part in imports for alias in part.names if alias.name in _MODULES)
    return next((alias.name for alias in known if (alias.asname or alias.name) == name), "")


@cache
def _family(module: str, name: str) -> tuple[str, ...]:
    """The constants of ``module`` that may stand in the place of ``name``, the most alike first."""
    values = vars(import_module(module))
    own = values.get(name)
    if own is None or callable(own) or name.startswith("_"):
        return ()
    beginning = name.partition("_")[0] if "_" in name else ""
    found = [
        other
        for other, value in values.items()
        if type(value) is type(own)
        and value != own
        and other.isupper() == name.isupper()
        and not other.startswith("_")
        and (other.partition("_")[0] if "_" in other else "") == beginning
    ]
    return tuple(sorted(found, key=lambda other: (-SequenceMatcher(None, name, other).ratio(), other))[:_MAX])
