"""Which files and classes ``python -m unittest`` would run, found in a project's files without running any.

It follows unittest's own rules. Where those depend on code (``load_tests``, tests in a package's
``__init__.py``, names that no class statement binds), it gives up with the reason.
"""

import ast
import posixpath
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase

from sandbox.command import UnittestOptions
from sandbox.formats import parsed

Files = Mapping[str, bytes]
SOURCE_DIRECTORIES = ("", "src", "lib")
WILDCARD = re.compile(r"[*?\[]")
_MODULE_NAME = re.compile(r"[_a-z]\w*\.py", re.IGNORECASE)
_LOAD_TESTS = re.compile(rb"\bload_tests\b")
_TEST_CASE = re.compile(rb"^class\s+\w+\(.*TestCase", re.MULTILINE)

# What does not change which tests run, nor how they end.
_HARMLESS = {"verbosity", "failfast", "buffer", "catchbreak", "warnings", "tb_locals"}


class Unresolved(Exception):
    """Only unittest itself knows; the message is why."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """``targets`` are files, or classes and methods in them (``a/test_b.py::Class::method``).

    ``search_path`` are the directories that unittest puts first on ``sys.path``.
    """

    targets: tuple[str, ...]
    search_path: tuple[str, ...] = ()

    @property
    def files(self) -> tuple[str, ...]:
        """The files that hold the tests."""
        return tuple(dict.fromkeys(target.split("::")[0] for target in self.targets))


def select(options: UnittestOptions, files: Files, roots: Iterable[str] = SOURCE_DIRECTORIES) -> Selection:
    """The tests that ``options`` choose among ``files``; ``roots`` are the directories that modules lie in.

    Raises:
        Unresolved: the files alone do not say.
    """
    if options.names:
        targets = [target for name in options.names for target in _named(name, files, tuple(roots))]
        found = Selection(targets=_each_once(targets))
        _refuse_load_tests(found.files, files)
    else:
        found = _discover(options, files)
    _refuse_clashes(found.files, files)
    return found


def select_in_file(names: Iterable[str], path: str, files: Files) -> Selection:
    """The tests of the file ``path``, or its classes and methods that ``names`` are; see ``select``."""
    _refuse_load_tests([path], files)
    _refuse_clashes([path], files)
    targets = [_in_module(path, name.split("."), files) for name in names]
    return Selection(targets=_each_once(targets) or (path,))


# Discovery ---------------------------------------------------------------------------------------


def _discover(options: UnittestOptions, files: Files) -> Selection:
    start, top = _start_and_top(options, files)
    if start != top and _join(start, "__init__.py") not in files:
        raise Unresolved(f"the start directory {options.start} is not a package")
    packages = set(_packages(files, start))
    walked = {start, *packages}
    near = [(path, posixpath.basename(path)) for path in sorted(files) if posixpath.dirname(path) in walked]
    named = [(path, name) for path, name in near if fnmatchcase(name, options.pattern)]
    found = [path for path, name in named if _MODULE_NAME.fullmatch(name)]
    inits = [_join(package, "__init__.py") for package in packages]
    if start != top:
        inits.append(_join(start, "__init__.py"))
    _refuse_load_tests([*found, *inits], files)
    for path in inits:
        if _TEST_CASE.search(files[path]):
            raise Unresolved(f"{path} defines tests itself")
    return Selection(targets=tuple(found), search_path=(top,) if top else ())


def _start_and_top(options: UnittestOptions, files: Files) -> tuple[str, str]:
    """Directories without a slash at their end; the project's own is the empty text."""
    start, top = _inside(options.start), _inside(options.top or options.start)
    if not _is_directory(start, files):
        start = options.start.replace(".", "/")
        if not _is_directory(start, files):
            raise Unresolved(f"there is no start directory {options.start}")
        top = _inside(options.top)
    if top and not f"{start}/".startswith(f"{top}/"):
        raise Unresolved(f"the start directory {options.start} lies outside of {options.top}")
    return start, top


def _packages(files: Files, start: str) -> Iterator[str]:
    """The packages below ``start`` that unittest would walk into."""
    directories = {posixpath.dirname(path) for path in files if posixpath.basename(path) == "__init__.py"}
    for directory in directories:
        between = directory
        while between not in {start, ""} and between in directories:
            between = posixpath.dirname(between)
        if between == start and directory != start:
            yield directory


# Names -------------------------------------------------------------------------------------------


def _named(name: str, files: Files, roots: tuple[str, ...]) -> list[str]:
    if WILDCARD.search(name):
        return _expanded(name, files)
    if name.lower().endswith(".py") and _inside(name) in files:
        return [_inside(name)]
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        for root in roots:
            base = _join(root, "/".join(parts[:length]))
            if f"{base}.py" in files:
                return [_in_module(f"{base}.py", parts[length:], files)]
            if length == len(parts) and f"{base}/__init__.py" in files:
                raise Unresolved(f"{name} is a package, whose tests its __init__.py chooses")
    raise Unresolved(f"{name} names no module of the project")


def _expanded(name: str, files: Files) -> list[str]:
    """The files that a shell would put in the place of ``name``."""
    depth = _inside(name).count("/")
    found = [p for p in sorted(files) if p.count("/") == depth and fnmatchcase(p, _inside(name))]
    if not found:
        raise Unresolved(f"no file matches {name}")
    return found


def _each_once(targets: list[str]) -> tuple[str, ...]:
    """``targets`` without those that are part of another."""
    kept = [t for t in targets if not any(t.startswith(f"{other}::") for other in targets)]
    return tuple(dict.fromkeys(kept))


def _in_module(path: str, rest: list[str], files: Files) -> str:
    """The pytest name of the class, or the method of a class, that ``rest`` names in the file ``path``."""
    if not rest:
        return path
    if len(rest) > 2 or rest[0] not in _class_names(path, files):
        raise Unresolved(f"{'.'.join(rest)} is not a class of {path}")
    if len(rest) == 2 and not rest[1].startswith("test"):
        raise Unresolved(f"{rest[1]} is run by its name alone")
    return "::".join([path, *rest])


def _class_names(path: str, files: Files) -> set[str]:
    """Names at the top of a module that may be classes: defined there, or imported."""
    tree = parsed(files[path])
    if tree is None:
        raise Unresolved(f"{path} cannot be parsed")
    names: set[str] = set()
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names.add(node.name)
        elif isinstance(node, ast.ImportFrom):
            names.update(alias.asname or alias.name for alias in node.names)
    return names


# Both --------------------------------------------------------------------------------------------


def _refuse_load_tests(paths: Iterable[str], files: Files) -> None:
    for path in paths:
        if _LOAD_TESTS.search(files[path]):
            raise Unresolved(f"{path} uses load_tests")


def _refuse_clashes(paths: Iterable[str], files: Files) -> None:
    """Outside of packages, pytest knows a file by its last name only, where unittest may know it by more."""
    taken = {
        posixpath.basename(name): name for name in files if posixpath.dirname(name) in SOURCE_DIRECTORIES
    }
    for directory in {posixpath.dirname(name) for name in files if name.endswith("/__init__.py")}:
        if posixpath.dirname(directory) in SOURCE_DIRECTORIES:
            taken[f"{posixpath.basename(directory)}.py"] = f"{directory}/__init__.py"
    for path in paths:
        directory, name = posixpath.split(path)
        if _join(directory, "__init__.py") not in files and taken.setdefault(name, path) != path:
            raise Unresolved(f"{path} and {taken[name]} would have one name")


def _inside(path: str) -> str:
    """``path`` in the form of a snapshot's paths; the project's own directory is the empty text."""
    normal = posixpath.normpath(path) if path else ""
    if normal.startswith(("/", "..")):
        raise Unresolved(f"{path} lies outside of the project")
    return "" if normal == "." else normal


def _join(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory else name


def _is_directory(directory: str, files: Files) -> bool:
    return not directory or any(path.startswith(f"{directory}/") for path in files)


# Programs ----------------------------------------------------------------------------------------


def is_unittest_program(source: bytes) -> bool:
    """Whether the ``__main__`` part of a file is one plain call of ``unittest.main`` and nothing else."""
    tree = parsed(source)
    if tree is None:
        return False
    try:
        return _only_calls_unittest(tree)
    except RecursionError:  # an expression that can be parsed, and is too deep to be written out
        return False


def _only_calls_unittest(tree: ast.Module) -> bool:
    guards = [node for node in tree.body if isinstance(node, ast.If) and _asks_for_main(node.test)]
    if len(guards) != 1 or guards[0].orelse:
        return False
    body = [node for node in guards[0].body if not isinstance(node, ast.Import)]
    return len(body) == 1 and _calls_unittest(body[0], _names_of_main(tree))


def _asks_for_main(test: ast.expr) -> bool:
    match test:
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]):
            return sorted(map(ast.unparse, (left, right))) == ["'__main__'", "__name__"]
    return False


def _names_of_main(tree: ast.Module) -> set[str]:
    """The expressions that mean ``unittest.main`` in a module."""
    names = {"unittest.main"}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "unittest":
            names |= {alias.asname or alias.name for alias in node.names if alias.name == "main"}
    return names


def _calls_unittest(statement: ast.stmt, names: set[str]) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=function, args=[], keywords=keywords)):
            return ast.unparse(function) in names and {keyword.arg for keyword in keywords} <= _HARMLESS
    return False
