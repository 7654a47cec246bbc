"""Which functions a set of alternative patches changes: those are called, with the tests' own inputs."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from bot.domain import Patch
from bot.patch.differing import differing
from bot.patch.syntax import every_node, parsed_once
from sandbox.probes import ProbeTarget

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
MAX_TARGETS = 4


def changed_functions(
    versions: Sequence[Mapping[str, str]], original: Mapping[str, str]
) -> tuple[ProbeTarget, ...]:
    """The functions and methods that differ in any of ``versions``, most often changed ones first.

    A function within a function counts as the outer one; a coroutine cannot simply be called and is left
    out. What changes outside of all functions may show in any function of its module: those are targets
    where nothing else is.

    Args:
        versions: whole texts by path, each of the same files.
        original: the unchanged texts of these files.
    """
    counts: dict[ProbeTarget, int] = {}
    for path, code in sorted(original.items()):
        texts = [version[path] for version in versions if version[path] != code]
        for new in texts:
            parts = differing(code, new)
            if parts is None:
                continue
            try:
                before, after = _dumps(parts.old), _dumps(parts.new)
            except RecursionError:
                continue
            changed = [name for name, dump in before.items() if after.get(name) != dump]
            if added := [name for name in after if name not in before]:
                # A second definition takes the place of one that stands where nothing differs.
                changed += [name for name in added if name in _names(code)]
            for name in changed or (name for name in _names(code) if name in _names(new)):
                target = ProbeTarget(path=path, name=name)
                counts[target] = counts.get(target, 0) + (len(texts) if changed else 1)
    ordered = sorted(counts, key=lambda target: (-counts[target], target.path, target.name))
    return tuple(ordered[:MAX_TARGETS])


def changes_import_time(patch: Patch, sources: Mapping[str, str]) -> bool:
    """Whether ``patch`` changes anything outside of functions, such as a constant or a class's attribute."""
    for edit in patch.edits:
        tree, text = parsed_once(sources.get(edit.path, "")), sources.get(edit.path, "")
        first = text.count("\n", 0, edit.start) + 1
        last = first + text.count("\n", edit.start, max(edit.start, edit.end - 1))
        spans = [
            (node.lineno, node.end_lineno or node.lineno)
            for node in (every_node(tree) if tree else ())
            if isinstance(node, FUNCTIONS)
        ]
        if not any(start <= first and last <= end for start, end in spans):
            return True
    return False


def _dumps(tree: ast.Module) -> dict[str, str]:
    """The functions by their dotted names, each as a text that is the same for equal code."""
    return {name: ast.dump(node) for name, node in definitions(tree)}


@lru_cache(maxsize=16)
def _names(code: str) -> tuple[str, ...]:
    """The dotted names of a module's functions."""
    tree = parsed_once(code)
    return tuple(dict.fromkeys(name for name, _node in definitions(tree))) if tree else ()


def definitions(tree: ast.Module | ast.ClassDef, owner: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    """The plain functions of a module and of its classes, with their dotted names."""
    for node in _statements(tree.body):
        match node:
            case ast.FunctionDef():
                yield f"{owner}{node.name}", node
            case ast.ClassDef():
                yield from definitions(node, f"{owner}{node.name}.")


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements at this level, those under ``if``, ``try`` and ``with`` too."""
    for node in body:
        yield node
        if not isinstance(node, (*FUNCTIONS, ast.ClassDef)):
            inner = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt)]
            handlers = [child for child in ast.iter_child_nodes(node) if isinstance(child, ast.ExceptHandler)]
            yield from _statements([*inner, *(statement for h in handlers for statement in h.body)])
