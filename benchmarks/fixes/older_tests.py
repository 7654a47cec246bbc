"""The tests of a fix in an older file of tests: only the functions that the fix adds or changes. Pure."""

import ast
from collections.abc import Iterator

from bot.patch.syntax import Function, parsed


def with_changed_tests(older: str, before: str, after: str) -> str | None:
    """``older`` with the functions, and the imports, that are new in ``after`` or not as in ``before``.

    None where a text does not parse, nothing of this kind differs, or a class is not in ``older``.
    """
    trees = [parsed(text) for text in (older, before, after)]
    if trees[0] is None or trees[1] is None or trees[2] is None:
        return None
    there, known, new = (dict(_functions(tree)) for tree in trees if tree)
    wanted = [name for name in new if name not in known or ast.dump(new[name]) != ast.dump(known[name])]
    lines, source = older.splitlines(keepends=True), after.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    edits: list[tuple[int, int, list[str]]] = []
    for name in wanted:
        code = [
            "\n",
            *(line.rstrip("\n") + "\n" for line in source[_first(new[name]) - 1 : _last(new[name])]),
        ]
        owner = name.rpartition(".")[0]
        if name in there:
            edits.append((_first(there[name]) - 1, _last(there[name]), code[1:]))
        elif not owner:
            edits.append((len(lines), len(lines), ["\n", *code]))
        elif (end := _end_of(trees[0], owner)) is not None:
            edits.append((end, end, code))
        else:
            return None
    for start, end, code in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        lines[start:end] = code
    text = _with_imports("".join(lines), trees[1], trees[2])
    return text if wanted and parsed(text) is not None else None


def _functions(tree: ast.Module | ast.ClassDef, owner: str = "") -> Iterator[tuple[str, ast.stmt]]:
    for node in tree.body:
        if isinstance(node, Function):
            yield f"{owner}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{owner}{node.name}.")


def _end_of(tree: ast.Module, name: str) -> int | None:
    body: list[ast.stmt] = tree.body
    found: ast.ClassDef | None = None
    for part in name.split("."):
        found = next((one for one in body if isinstance(one, ast.ClassDef) and one.name == part), None)
        if found is None:
            return None
        body = found.body
    return _last(found) if found else None


def _first(node: ast.stmt) -> int:
    """The first line, 1-based, with decorators."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    return min([node.lineno, *(one.lineno for one in decorators)])


def _last(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno


def _with_imports(text: str, before: ast.Module, after: ast.Module) -> str:
    """``text`` with the imports that ``after`` has beyond ``before``, before its first other statement."""
    old = {ast.dump(node) for node in before.body}
    new = [node for node in after.body if isinstance(node, ast.Import | ast.ImportFrom)]
    added = [ast.unparse(node) for node in new if ast.dump(node) not in old]
    tree = parsed(text)
    if not added or tree is None:
        return text
    imports = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    place = _last(imports[-1]) if imports else 0
    lines = text.splitlines(keepends=True)
    return "".join((*lines[:place], *(f"{one}\n" for one in added), *lines[place:]))
