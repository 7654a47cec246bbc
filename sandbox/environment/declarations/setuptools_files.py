"""Reads ``setup.cfg``, and ``setup.py`` without running it: the literals in its call of ``setup``."""

import ast
from collections.abc import Mapping

from sandbox.environment.declarations.declared import Declared
from sandbox.formats import literal, normalised, parse_ini, parsed, unique

MAX_DEPTH = 50
"""Values within values that are followed."""

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
    extras = frozenset(groups)
    if tests := parser.get("options", "tests_require", fallback=""):
        groups["test"] = _lines(tests)
    runtime = parser.get("options", "install_requires", fallback=None)
    from_file = runtime is not None and runtime.lstrip().startswith("file:")
    return Declared(
        source="setup.cfg",
        name=parser.get("metadata", "name", fallback=""),
        runtime=None if runtime is None or from_file else _lines(runtime),
        groups=groups,
        extras=extras,
        requires_python=parser.get("options", "python_requires", fallback=""),
        dynamic=from_file,
        packaged=parser.has_option("metadata", "name") or parser.has_section("options"),
        scripts=("entry points",) if parser.has_section("options.entry_points") else (),
        build_requires=_lines(parser.get("options", "setup_requires", fallback="")),
    )


def _lines(text: str) -> tuple[str, ...]:
    bare = (line.split(" #")[0].strip() for line in text.replace(";\n", "\n").splitlines())
    return unique(line for line in bare if line and not line.startswith("#"))


def read_setup_py(files: Mapping[str, bytes]) -> Declared | None:
    """What ``setup.py`` declares in literals; None where there is none.

    What is computed in there is known only after a build: then the answer is ``dynamic``.
    """
    if "setup.py" not in files:
        return None
    tree = parsed(files["setup.py"])
    if tree is None:
        return Declared(source="setup.py", dynamic=True, packaged=True)
    arguments, complete = _setup_arguments(tree)
    names = _literal_names(tree)
    runtime = _text_list(arguments.get("install_requires"), names)
    groups = _group_table(arguments.get("extras_require"), names)
    tests = _text_list(arguments.get("tests_require"), names)
    if tests:
        groups["test"] = unique((*groups.get("test", ()), *tests))
    python, name = (_literal(arguments.get(key), names) for key in ("python_requires", "name"))
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
    tree = parsed(files.get("setup.py", b""))
    return tree is not None and any(_mentioned(node) in _NATIVE_NAMES for node in ast.walk(tree))


def _mentioned(node: ast.AST) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.keyword(arg=str(name)):
            return name
        case ast.alias(name=name):
            return name.rpartition(".")[2]
    return ""


def _setup_arguments(tree: ast.Module) -> tuple[dict[str, ast.expr], bool]:
    """The keywords of the call of ``setup``, and whether they are all there, none from a ``**`` table."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _mentioned(node.func) == "setup":
            keywords = {keyword.arg: keyword.value for keyword in node.keywords if keyword.arg}
            return keywords, len(keywords) == len(node.keywords) and not node.args
    return {}, False


def _literal_names(tree: ast.Module) -> dict[str, object]:
    """The values that the module's top level gives to names, as far as they are written out."""
    names = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
    bound = [name.id for name in names if isinstance(name.ctx, ast.Store)]
    values: dict[str, object] = {}
    for statement in tree.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if bound.count(name) == 1:
                values[name] = _literal(value, values)
            # An item of a table that was bound before.
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(id=name), slice=key)], value=value):
                held, item = values.get(name), _literal(key, values)
                if isinstance(held, dict) and isinstance(item, str):
                    held[item] = _literal(value, values)
    return values


def _literal(node: ast.expr | None, names: Mapping[str, object], depth: int = 0) -> object:
    """The value of ``node`` where it is written out: literals, known names, sums and copies of lists."""
    if node is None or depth > MAX_DEPTH:
        return None
    deeper = depth + 1
    match node:
        case ast.Name(id=name):
            return names.get(name)
        case ast.List(elts=elements) | ast.Tuple(elts=elements) | ast.Set(elts=elements):
            return _joined(elements, names, deeper)
        case ast.Dict(keys=keys, values=values):
            pairs = zip(keys, values, strict=True)
            return {
                _literal(key, names, deeper): _literal(value, names, deeper) for key, value in pairs if key
            }
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            one, other = _literal(left, names, deeper), _literal(right, names, deeper)
            return [*one, *other] if isinstance(one, list) and isinstance(other, list) else None
        case ast.Subscript(value=held, slice=key):
            table, item = _literal(held, names, deeper), _literal(key, names, deeper)
            return table.get(item) if isinstance(table, dict) and isinstance(item, str) else None
        case ast.Call(func=ast.Name(id="list" | "tuple" | "set" | "sorted"), args=[argument]):
            return _literal(argument, names, deeper)
    return literal(node)


def _joined(elements: list[ast.expr], names: Mapping[str, object], depth: int) -> object:
    """A list of the elements' values; None where one of them is not known."""
    found: list[object] = []
    for element in elements:
        value = _literal(element.value if isinstance(element, ast.Starred) else element, names, depth)
        if isinstance(element, ast.Starred) and isinstance(value, list):
            found += value
        elif value is None or isinstance(value, list | dict):
            return None
        else:
            found.append(value)
    return found


def _text_list(node: ast.expr | None, names: Mapping[str, object]) -> tuple[str, ...] | None:
    value = _literal(node, names)
    if isinstance(value, str):
        return _lines(value)
    if isinstance(value, list | tuple) and all(isinstance(item, str) for item in value):
        return unique(value)
    return None


def _group_table(node: ast.expr | None, names: Mapping[str, object]) -> dict[str, tuple[str, ...]]:
    """The groups of ``extras_require`` whose requirements are written out."""
    table = _literal(node, names)
    groups: dict[str, tuple[str, ...]] = {}
    for key, items in table.items() if isinstance(table, dict) else ():
        held = _lines(items) if isinstance(items, str) else items
        if isinstance(key, str) and isinstance(held, list | tuple):
            groups[normalised(key)] = unique(item for item in held if isinstance(item, str))
    return groups
