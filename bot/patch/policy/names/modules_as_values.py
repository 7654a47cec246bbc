"""Modules of the project and of its packages that a patch hands on as values or takes by other names.

A module's namespace holds whatever the module imports, so ``f(utils)`` may reach ``os`` by a name in a
string. The standard library's own are refused by ``uses``. What ``from package import name`` brings is
a module, unless a file of the project says that it is something else: then that file is a witness. And
``import os as o`` in one file makes ``from that_file import o`` elsewhere a use of ``os``.
"""

import ast
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from bot.patch.policy.files.protected import is_test_path
from bot.patch.policy.finding import Witnessed
from bot.patch.policy.names.modules import DANGEROUS_MODULES, is_module_word, is_standard
from bot.patch.policy.names.scopes import bound_by
from bot.patch.syntax import every_node, parsed, parsed_once, walk
from bot.patch.text import Sources

_DEPTH = 5


class _Origin(NamedTuple):
    """What an import takes a name from: the module, the dots before it, and its name there."""

    module: str
    level: int
    name: str


def modules_as_values(path: str, new: str, sources: Sources, paths: Collection[str] = ()) -> Witnessed:
    """What the change of ``path`` to ``new`` hands on; ``paths`` are those of files beside ``sources``."""
    known_files = {*sources, *paths}
    before, after = parsed_once(sources.get(path, "")), parsed_once(new)
    if after is None:
        return Witnessed()
    found = _alone(after) - (_alone(before) if before else Counter())
    reasons: list[str] = []
    witnesses: set[str] = set()
    for name, origin in _imported(after).items():
        if not found[name]:
            continue
        is_file = origin is None or _is_file(path, origin, known_files)
        known = _witnesses(path, origin, sources) if origin and not is_file else frozenset()
        if known:
            witnesses |= known
        else:
            reasons.append(f"{path}: the module {name} is handed on as a value")
    return Witnessed(tuple(sorted(reasons)), tuple(sorted(witnesses - {path})))


def _alone(tree: ast.Module) -> Counter[str]:
    """The names that stand alone: neither an attribute of them is meant, nor are they called or caught."""
    apart = {id(one) for node in every_node(tree) for one in _apart(node)}
    rebound = set(_rebound(tree))
    return Counter(
        name
        for node in every_node(tree)
        if id(node) not in apart and isinstance(node, ast.Name | ast.Attribute)
        for name in [node.id if isinstance(node, ast.Name) else ast.unparse(node)]
        if name not in rebound
    )


def _apart(node: ast.AST) -> Iterator[ast.AST]:
    """The names of which ``node`` takes an attribute, or that it calls, catches, raises or derives from."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass") as function, args=[_, kinds]):
            yield function
            yield from walk(kinds)
        case ast.Attribute(value=value) | ast.Call(func=value):
            yield value
        case (
            ast.ExceptHandler(type=ast.expr() as value)
            | ast.Raise(exc=ast.expr() as value)
            | ast.arg(annotation=ast.expr() as value)
            | ast.AnnAssign(annotation=value)
        ):
            yield from walk(value)
        case ast.ClassDef(bases=bases, decorator_list=decorators):
            yield from (*bases, *decorators)
        case ast.FunctionDef(decorator_list=decorators, returns=returns):
            yield from decorators
            yield from walk(returns) if returns else ()


def _imported(tree: ast.Module) -> dict[str, _Origin | None]:
    """The names that may be modules; None says that one is for certain."""
    found: dict[str, _Origin | None] = {}
    for node in every_node(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                if not is_standard(one.name):
                    found[one.asname or one.name.partition(".")[0]] = None
                    found[one.name] = None
        elif isinstance(node, ast.ImportFrom) and (node.level or not is_standard(node.module or "")):
            for one in node.names:
                found[one.asname or one.name] = _Origin(node.module or "", node.level, one.name)
    return found


def _is_file(path: str, origin: _Origin, files: Collection[str]) -> bool:
    """Whether what is taken from ``origin`` is a module with a file of its own."""
    names = [f"{origin.name}{end}" for end in (".py", "/__init__.py", ".pyi")]
    return any(f"{place}/{name}" in files for place in _places(path, origin, files) for name in names)


def _witnesses(path: str, origin: _Origin, sources: Sources, depth: int = 0) -> frozenset[str]:
    """The files that say that what is taken from ``origin`` is no module; empty where there are none."""
    places, name = list(_places(path, origin, sources)), origin.name
    if _is_file(path, origin, sources):
        return frozenset()
    for place in places:
        for file in (f"{place}.py", f"{place}/__init__.py"):
            if file in sources and (found := _binding(file, name, sources, depth)):
                return found
    # By convention, no module of a package that is not the project's has the name of a class.
    return frozenset({path}) if not places and not name.islower() else frozenset()


def _places(path: str, origin: _Origin, sources: Iterable[str]) -> Iterator[str]:
    """The paths, without their ending, at which the module may lie."""
    directory = path.rpartition("/")[0]
    inner = origin.module.replace(".", "/")
    if origin.level:
        parts = directory.split("/") if directory else []
        above = parts[: len(parts) - origin.level + 1]
        yield "/".join([*above, *([inner] if inner else [])])
        return
    endings = (f"{inner}.py", f"{inner}/__init__.py")
    for known in sources:
        for ending in endings:
            if known == ending or known.endswith(f"/{ending}"):
                yield known.removesuffix(".py").removesuffix("/__init__")


def _binding(path: str, name: str, sources: Sources, depth: int) -> frozenset[str]:
    """The files by which the one at ``path`` is known to bind ``name`` to something that is no module."""
    tree = parsed_once(sources[path])
    found: frozenset[str] = frozenset()
    for node in every_node(tree) if tree and depth < _DEPTH else ():
        match node:
            case ast.Import(names=names):
                if any((one.asname or one.name.partition(".")[0]) == name for one in names):
                    return frozenset()
            case ast.ImportFrom(module=module, level=level, names=names):
                for real in (one.name for one in names if (one.asname or one.name) == name):
                    # what is taken from elsewhere is what it is there
                    known = _witnesses(path, _Origin(module or "", level, real), sources, depth + 1)
                    if not known:
                        return frozenset()
                    found |= {path, *known}
            case ast.FunctionDef(name=one) | ast.AsyncFunctionDef(name=one) | ast.ClassDef(name=one):
                found |= {path} if one == name else set()
            case ast.Name(id=one, ctx=ast.Store()) if one == name:
                found |= {path}
    return found


def _rebound(tree: ast.Module) -> Iterator[str]:
    for node in every_node(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg


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
    imports = (one for one in every_node(tree) if isinstance(one, ast.Import | ast.ImportFrom))
    imported = {name for node in imports for name in bound_by(node)}
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
        match node:
            case ast.Import(names=names):
                renamed = [(one.asname, one.name) for one in names]
            case ast.ImportFrom(module=module, names=names, level=0):
                renamed = [(one.asname, f"{module}.{one.name}") for one in names]
            case _:
                continue
        for other, name in renamed:
            root = name.partition(".")[0]
            if other and (root in DANGEROUS_MODULES or is_module_word(root)):
                yield other, name
