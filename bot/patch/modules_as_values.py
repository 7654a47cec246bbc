"""Modules of the project, and of packages that it uses, that a patch hands on as values.

A module's namespace holds whatever the module imports, so ``f(utils)`` may reach ``os`` by a name in a
string. The standard library's own are refused by ``bot.patch.uses``.
"""

import ast
from collections import Counter
from collections.abc import Iterator

from bot.patch.modules import is_standard
from bot.patch.syntax import parsed
from bot.patch.text import Sources


def modules_as_values(path: str, new: str, sources: Sources) -> Iterator[str]:
    """Why a person has to see the change of ``path`` to ``new``."""
    before, after = parsed(sources.get(path, "")), parsed(new)
    if after is None:
        return
    found = Counter(_handed_on(after, sources))
    for name in sorted(found - Counter(_handed_on(before, sources) if before else ())):
        yield f"{path}: the module {name} is handed on as a value"


def _handed_on(tree: ast.Module, sources: Sources) -> Iterator[str]:
    """The names of modules that stand alone: neither an attribute of them is meant, nor are they rebound."""
    modules = set(_imported(tree, sources)) - set(_rebound(tree))
    if not modules:
        return
    parts = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    for node in ast.walk(tree):
        if id(node) in parts or not isinstance(node, ast.Name | ast.Attribute):
            continue
        name = node.id if isinstance(node, ast.Name) else ast.unparse(node)
        if name in modules:
            yield name


def _imported(tree: ast.Module, sources: Sources) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                if not is_standard(one.name):
                    yield one.asname or one.name.partition(".")[0]
                    yield one.name
        elif isinstance(node, ast.ImportFrom) and (node.level or not is_standard(node.module or "")):
            package = (node.module or "").replace(".", "/")
            for one in node.names:
                if not node.module or _is_module(f"{package}/{one.name}", sources):
                    yield one.asname or one.name


def _is_module(place: str, sources: Sources) -> bool:
    """Whether one of the project's files is the module at ``place``, wherever its packages lie."""
    endings = (f"{place}.py", f"{place}/__init__.py")
    return any(path.endswith(endings) and (path in endings or f"/{place}" in f"/{path}") for path in sources)


def _rebound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
