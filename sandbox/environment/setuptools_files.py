"""Reads ``setup.cfg``, and ``setup.py`` without running it: the literals in its call of ``setup``."""

from __future__ import annotations

import ast
import configparser
from collections.abc import Mapping

from sandbox.environment.declared import Declared, normalised, unique
from sandbox.environment.formats import Unreadable, read_python

# Calls and arguments by which a setup.py says that it compiles something.
_NATIVE_NAMES = frozenset({"Extension", "cythonize", "ext_modules", "cffi_modules", "rust_extensions"})


def read_setup_cfg(files: Mapping[str, bytes]) -> Declared | None:
    """What ``setup.cfg`` declares; None where there is none, or none that names a package."""
    parser = parse_ini(files.get("setup.cfg", b""))
    if parser is None or not (parser.has_section("metadata") or parser.has_section("options")):
        return None
    groups: dict[str, tuple[str, ...]] = {}
    if parser.has_section("options.extras_require"):
        groups = {normalised(name): _lines(text) for name, text in parser.items("options.extras_require")}
    runtime = parser.get("options", "install_requires", fallback=None)
    from_file = runtime is not None and runtime.lstrip().startswith("file:")
    return Declared(
        source="setup.cfg",
        name=parser.get("metadata", "name", fallback=""),
        runtime=None if runtime is None or from_file else _lines(runtime),
        groups={
            **groups,
            **(
                {"test": _lines(tests)}
                if (tests := parser.get("options", "tests_require", fallback=""))
                else {}
            ),
        },
        extras=frozenset(groups),
        requires_python=parser.get("options", "python_requires", fallback=""),
        dynamic=from_file,
        packaged=parser.has_option("metadata", "name") or parser.has_section("options"),
        scripts=("entry points",) if parser.has_section("options.entry_points") else (),
        build_requires=_lines(parser.get("options", "setup_requires", fallback="")),
    )


def parse_ini(data: bytes) -> configparser.RawConfigParser | None:
    """The sections of an INI file; None where it is none."""
    parser = configparser.RawConfigParser(strict=False)
    try:
        parser.read_string(data.decode("utf-8-sig", "replace"))
    except configparser.Error:
        return None
    return parser


def _lines(text: str) -> tuple[str, ...]:
    bare = (line.split(" #")[0].strip() for line in text.replace(";\n", "\n").splitlines())
    return unique(line for line in bare if line and not line.startswith("#"))


def read_setup_py(files: Mapping[str, bytes]) -> Declared | None:
    """What ``setup.py`` declares in literals; None where there is none.

    What is computed in there is known only after a build: then the answer is ``dynamic``.
    """
    if "setup.py" not in files:
        return None
    try:
        tree = read_python(files, "setup.py")
    except Unreadable:
        return Declared(source="setup.py", dynamic=True, packaged=True)
    arguments, complete = _setup_arguments(tree)
    names = _literal_names(tree)
    runtime = _text_list(arguments.get("install_requires"), names)
    groups = _group_table(arguments.get("extras_require"), names)
    tests = _text_list(arguments.get("tests_require"), names)
    if tests:
        groups["test"] = unique((*groups.get("test", ()), *tests))
    python = _literal(arguments.get("python_requires"), names)
    name = _literal(arguments.get("name"), names)
    return Declared(
        source="setup.py",
        name=name if isinstance(name, str) else "",
        runtime=runtime,
        groups=groups,
        extras=frozenset(groups),
        requires_python=python if isinstance(python, str) else "",
        dynamic=runtime is None and ("install_requires" in arguments or not complete),
        packaged=True,
        scripts=("entry points",) if "entry_points" in arguments or "scripts" in arguments else (),
        build_requires=_text_list(arguments.get("setup_requires"), names) or (),
    )


def compiles(files: Mapping[str, bytes]) -> bool:
    """Whether ``setup.py`` mentions extension modules."""
    try:
        tree = read_python(files, "setup.py")
    except Unreadable:
        return False
    return any(_mentioned(node) in _NATIVE_NAMES for node in ast.walk(tree))


def _mentioned(node: ast.AST) -> str:
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return node.attr
    if isinstance(node, ast.alias):
        return node.name.rpartition(".")[2]
    return (node.arg or "") if isinstance(node, ast.keyword) else ""


def _setup_arguments(tree: ast.Module) -> tuple[dict[str, ast.expr], bool]:
    """The keywords of the call of ``setup``, and whether they are all there, none from a ``**`` table."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _called(node.func) == "setup":
            keywords = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
            return keywords, len(keywords) == len(node.keywords) and not node.args
    return {}, False


def _called(function: ast.expr) -> str:
    return function.id if isinstance(function, ast.Name) else getattr(function, "attr", "")


def _literal_names(tree: ast.Module) -> dict[str, object]:
    """The values of names that the module's top level binds once, to a literal."""
    values: dict[str, object] = {}
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    bound = [name.id for name in names if isinstance(name.ctx, ast.Store)]
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            if isinstance(target, ast.Name) and bound.count(target.id) == 1:
                values[target.id] = _literal(statement.value, values)
    return values


def _literal(node: ast.expr | None, names: Mapping[str, object]) -> object:
    if isinstance(node, ast.Name):
        return names.get(node.id)
    if node is None:
        return None
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _text_list(node: ast.expr | None, names: Mapping[str, object]) -> tuple[str, ...] | None:
    value = _literal(node, names)
    if isinstance(value, str):
        return _lines(value)
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return unique(value)
    return None


def _group_table(node: ast.expr | None, names: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """The groups of ``extras_require`` whose requirements are literals."""
    pairs: list[tuple[object, tuple[str, ...] | None]] = []
    if isinstance(node, ast.Dict):
        pairs = [
            (_literal(key, names), _text_list(value, names))
            for key, value in zip(node.keys, node.values, strict=True)
        ]
    elif isinstance(value := _literal(node, names), dict):
        pairs = [(key, unique(items)) for key, items in value.items() if isinstance(items, list | tuple)]
    return {normalised(key): items for key, items in pairs if isinstance(key, str) and items is not None}
