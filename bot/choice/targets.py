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

    Where they differ in one function within a function, that one counts as well (``outer.inner``). A
    coroutine cannot simply be called and is left out. What changes outside of all functions may show in any
    function of its module: those are targets where nothing else is.

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
            before, after = dict(definitions(parts.old)), dict(definitions(parts.new))
            try:
                found = {name: _innermost(name, node, after.get(name)) for name, node in before.items()}
            except RecursionError:
                continue
            changed = [one for name, inner in found.items() if inner for one in dict.fromkeys((name, inner))]
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


def _innermost(name: str, old: ast.FunctionDef, new: ast.FunctionDef | None) -> str:
    """The name of ``old``, or of the one function within it that differs; empty where nothing does."""
    before, after = ast.dump(old), ast.dump(new) if new else ""
    if before == after:
        return ""
    olds, news = _within(old), _within(new) if new else {}
    changed = [one for one, node in olds.items() if one in news and ast.dump(node) != ast.dump(news[one])]
    if len(changed) != 1:
        return name
    one, other = olds[changed[0]], news[changed[0]]
    if before.replace(ast.dump(one), "", 1) != after.replace(ast.dump(other), "", 1):
        return name
    return _innermost(f"{name}.{one.name}", one, other)


def _within(function: ast.FunctionDef) -> dict[str, ast.FunctionDef]:
    """The functions right within ``function``, by name, those of one name left out."""
    found: dict[str, list[ast.FunctionDef]] = {}
    for name, node in definitions(ast.Module(body=function.body, type_ignores=[])):
        found.setdefault(name, []).append(node)
    return {name: nodes[0] for name, nodes in found.items() if len(nodes) == 1 and "." not in name}


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
