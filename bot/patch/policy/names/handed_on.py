"""Modules that one file of the project imports under another name, and that a patch takes from there.

``import os as o`` in one file makes ``from that_file import o`` elsewhere a use of ``os``.
"""

import ast
import re
from collections.abc import Iterator

from bot.patch.policy.files.protected import is_test_path
from bot.patch.policy.names.modules import DANGEROUS_MODULES, is_module_word
from bot.patch.syntax import every_node, parsed, parsed_once
from bot.patch.text import Sources


def handed_on(path: str, new: str, sources: Sources) -> Iterator[str]:
    """Why the change of ``path`` to ``new`` is refused: it takes such a module by its other name."""
    before, after = parsed_once(sources.get(path, "")), parsed_once(new)
    if after is None:
        return
    words = _taken(after) - (_taken(before) if before else frozenset())
    if not words:
        return
    renaming = re.compile(rf"\bas[ \t\\]+(?:{'|'.join(map(re.escape, sorted(words)))})\b")
    for place, source in sources.items():
        if place == path or is_test_path(place) or not renaming.search(source):
            continue
        for word, module in _renamed(parsed(source)):
            if word in words:
                yield f"{path}: new use of {module}, which {place} calls {word}"


def _taken(tree: ast.Module) -> frozenset[str]:
    """The names that are imported from modules, and the attributes of what is imported."""
    found: set[str] = set()
    imported = {
        alias.asname or alias.name.partition(".")[0]
        for node in every_node(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    for node in every_node(tree):
        if isinstance(node, ast.ImportFrom):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Attribute) and _base(node) in imported:
            found.add(node.attr)
    return frozenset(found)


def _base(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _renamed(tree: ast.Module | None) -> Iterator[tuple[str, str]]:
    """The other name and the module of each import of a module that can do harm."""
    for node in every_node(tree) if tree else ():
        if isinstance(node, ast.Import):
            for alias in node.names:
                root = alias.name.partition(".")[0]
                if alias.asname and (root in DANGEROUS_MODULES or is_module_word(root)):
                    yield alias.asname, alias.name
        elif isinstance(node, ast.ImportFrom) and not node.level:
            root = (node.module or "").partition(".")[0]
            for alias in node.names:
                harmful = root in DANGEROUS_MODULES or is_module_word(root)
                if alias.asname and harmful:
                    yield alias.asname, f"{node.module}.{alias.name}"
