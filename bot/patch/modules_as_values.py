"""Modules of the project, and of packages that it uses, that a patch hands on as values.

A module's namespace holds whatever the module imports, so ``f(utils)`` may reach ``os`` by a name in a
string. The standard library's own are refused by ``bot.patch.uses``. What ``from package import name`` brings
is a module, unless a file of the project says that it is something else: then that file is a witness.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from bot.patch.modules import is_standard
from bot.patch.syntax import parsed
from bot.patch.text import Sources


class ModulesAsValues(NamedTuple):
    """Why a person has to see a change, and the files that say of other names that they are no modules."""

    reasons: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ()


def modules_as_values(path: str, new: str, sources: Sources) -> ModulesAsValues:
    """What the change of ``path`` to ``new`` hands on."""
    before, after = parsed(sources.get(path, "")), parsed(new)
    if after is None:
        return ModulesAsValues()
    found = _alone(after) - (_alone(before) if before else Counter())
    reasons: list[str] = []
    witnesses: set[str] = set()
    for name, (module, level) in _imported(after).items():
        if not found[name]:
            continue
        witness = _witness(path, module, level, name, after, sources) if module is not None else ""
        if witness:
            witnesses.add(witness)
        else:
            reasons.append(f"{path}: the module {name} is handed on as a value")
    return ModulesAsValues(tuple(sorted(reasons)), tuple(sorted(witnesses - {path})))


def _alone(tree: ast.Module) -> Counter[str]:
    """The names that stand alone: neither an attribute of them is meant, nor are they called or caught."""
    apart: set[int] = set()
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=value) | ast.Call(func=value) | ast.ExceptHandler(type=ast.expr() as value):
                apart.add(id(value))
            case ast.Raise(exc=ast.expr() as value) | ast.arg(annotation=ast.expr() as value):
                apart.update(id(one) for one in ast.walk(value))
            case ast.ClassDef(bases=bases, decorator_list=decorators):
                apart.update(map(id, [*bases, *decorators]))
            case ast.FunctionDef(decorator_list=decorators, returns=returns):
                apart.update(map(id, decorators))
                apart.update(id(one) for one in (ast.walk(returns) if returns else ()))
            case ast.AnnAssign(annotation=kind):
                apart.update(id(one) for one in ast.walk(kind))
    for node in ast.walk(tree):
        match node:
            case ast.Call(func=ast.Name(id="isinstance" | "issubclass"), args=[_, kinds]):
                apart.update(id(one) for one in ast.walk(kinds))
            case ast.ExceptHandler(type=ast.Tuple(elts=kinds)):
                apart.update(map(id, kinds))
    rebound = set(_rebound(tree))
    return Counter(
        name
        for node in ast.walk(tree)
        if id(node) not in apart and isinstance(node, ast.Name | ast.Attribute)
        for name in [node.id if isinstance(node, ast.Name) else ast.unparse(node)]
        if name not in rebound
    )


def _imported(tree: ast.Module) -> dict[str, tuple[str | None, int]]:
    """The names that may be modules; with the module that each is taken from, None where it is one for certain."""
    found: dict[str, tuple[str | None, int]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                if not is_standard(one.name):
                    found[one.asname or one.name.partition(".")[0]] = (None, 0)
                    found[one.name] = (None, 0)
        elif isinstance(node, ast.ImportFrom) and (node.level or not is_standard(node.module or "")):
            for one in node.names:
                found[one.asname or one.name] = (node.module or "", node.level)
    return found


def _witness(path: str, module: str, level: int, name: str, tree: ast.Module, sources: Sources) -> str:
    """A file that says that ``name``, taken from ``module``, is no module; empty where there is none."""
    real = _real_name(tree, name)
    places = list(_places(path, module, level, sources))
    if any(f"{place}/{real}{end}" in sources for place in places for end in (".py", "/__init__.py", ".pyi")):
        return ""
    for place in places:
        for file in (f"{place}.py", f"{place}/__init__.py"):
            if (text := sources.get(file)) is not None and _binds(file, text, real, sources, depth=0):
                return file
    # By convention, no module has the name of a class or of a constant.
    return path if not places and not real.islower() else ""


def _real_name(tree: ast.Module, name: str) -> str:
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for one in node.names:
                if (one.asname or one.name) == name:
                    return one.name
    return name


def _places(path: str, module: str, level: int, sources: Sources) -> Iterator[str]:
    """The paths, without their ending, at which the module may lie."""
    folder = path.rpartition("/")[0]
    inner = module.replace(".", "/")
    if level:
        parts = folder.split("/") if folder else []
        above = parts[: len(parts) - level + 1]
        yield "/".join([*above, *([inner] if inner else [])])
        return
    endings = (f"{inner}.py", f"{inner}/__init__.py")
    for known in sources:
        for ending in endings:
            if known == ending or known.endswith(f"/{ending}"):
                yield known.removesuffix(".py").removesuffix("/__init__")


def _binds(path: str, text: str, name: str, sources: Sources, *, depth: int) -> bool:
    """Whether the file at ``path`` binds ``name`` to something that is no module."""
    tree = parsed(text)
    bound = False
    for node in ast.walk(tree) if tree else ():
        match node:
            case ast.Import(names=names):
                if any((one.asname or one.name.partition(".")[0]) == name for one in names):
                    return False
            case ast.ImportFrom(module=module, level=level, names=names):
                for one in names:
                    if (one.asname or one.name) != name:
                        continue
                    if not module or depth > 4:
                        return False
                    # what is taken from elsewhere is what it is there, and a class by its name
                    bound = bound or not one.name.islower() or bool(
                        tree and _witness(path, module, level, name, tree, sources)
                    )
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                bound = bound or node.name == name
            case ast.Assign(targets=targets):
                names_of = (one for target in targets for one in ast.walk(target))
                bound = bound or any(isinstance(one, ast.Name) and one.id == name for one in names_of)
            case ast.AnnAssign(target=ast.Name(id=one)):
                bound = bound or one == name
    return bound


def _rebound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
