"""Which dotted names Python code refers to, seen through imports, aliases and ``getattr``.

A static reading: it follows what is written, not what values hold, so that it can be evaded by code that
computes names. The sandbox, not this, is the boundary.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

BUILTIN_NAMES = frozenset(dir(builtins)) | {"exit", "quit"}


def bound_names(tree: ast.Module) -> frozenset[str]:
    """Every name that the module binds anywhere, imports apart."""
    names: set[str] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.arg(arg=name):
                names.add(name)
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
    return frozenset(names)


def imported_names(tree: ast.Module) -> Iterator[str]:
    """The full dotted name of everything that the module imports from outside of its package."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


class Names:
    """Resolves expressions of one module to dotted names.

    ``local`` are names that do not mean the builtin of that name.
    """

    def __init__(self, tree: ast.Module, *, local: frozenset[str]) -> None:
        self._local = local
        self._aliases: dict[str, str] = {}
        for node in ast.walk(tree):
            if isinstance(node, ast.Import):
                for alias in node.names:
                    bound = alias.asname or alias.name.partition(".")[0]
                    self._aliases[bound] = alias.name if alias.asname else bound
            elif isinstance(node, ast.ImportFrom) and node.level == 0:
                for alias in node.names:
                    self._aliases[alias.asname or alias.name] = f"{node.module}.{alias.name}"

    def dotted(self, node: ast.expr) -> str | None:
        """``a.b.c`` for a name, a chain of attributes, or ``getattr`` with a constant; else None.

        The attribute of something unknown comes out as ``.attribute``.
        """
        match node:
            case ast.Name(id=name):
                if name in self._aliases:
                    return self._aliases[name]
                return f"builtins.{name}" if name in BUILTIN_NAMES - self._local else name
            case ast.Attribute(value=value, attr=attribute):
                return f"{self.dotted(value) or ''}.{attribute}"
            case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str(attribute)), *_]):
                return f"{self.dotted(value) or ''}.{attribute}"
        return None

    def references(self, tree: ast.Module) -> Iterator[str]:
        """The dotted names that ``tree`` refers to, each as often as it does; prefixes count too."""
        for node in ast.walk(tree):
            if isinstance(node, ast.expr) and (name := self.dotted(node)):
                yield name
