"""Puts a candidate's code into a process that has the project loaded, where only a function's body changed.

The changed lines are compared with the text that was loaded. When they lie in one function, that function
alone is compiled and its code object given to every function object that was made from the old one. This
is refused, and the caller imports anew, where the old code may have left traces: something holds it, it ran
while the project was imported, or the code around it, which made the function, is not the same as before. A
caller that takes the risk may assume that what ran at the import has left none.

What can be done before a fork is done there, compiling too: each page that a fork touches has to be copied.
"""

from __future__ import annotations
import __future__

import ast
import sys
import types
from typing import AbstractSet, Any, Dict, Iterator, List, NamedTuple, Optional, Set, Tuple

from .executed import Key, key_of
from .text import NotUtf8, Text, read

FUTURE_FLAGS = 0
for _name in __future__.all_feature_names:
    FUTURE_FLAGS |= getattr(__future__, _name).compiler_flag
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
KIND_FLAGS = 0x20 | 0x80 | 0x100 | 0x200  # generator, coroutine, iterable coroutine, async generator
HAS_DOCSTRING = 0x4000000 if sys.version_info >= (3, 14) else 0
Name = Tuple[str, int]  # of a class or function, and its first line (1-based)
Shell = Tuple[Any, ...]
Swap = Tuple[types.FunctionType, types.CodeType]  # a function, and the code that it shall have


class Unfit(Exception):
    """The change cannot be swapped in; the text says why."""


class Unit(NamedTuple):
    """A function whose code can be exchanged: its lines (0-based, the end excluded), and how it is found.

    ``top`` is where the outermost function around it begins and ends, which is compiled. ``names`` lead
    to it from the module: so many ``classes``, then functions. ``flags`` are the module's future
    statements, ``imports`` is one that binds what the module imports. ``shells`` is the code around it,
    from the module inwards; ``functions`` are the loaded functions of each level of ``names`` that is one.
    ``ran`` says that the import used it, or may have; ``assumable`` that a caller may assume no trace of it.
    """

    start: int
    end: int
    top: Tuple[int, int]
    names: Tuple[Name, ...]
    classes: int
    flags: int
    imports: str
    shells: List[Shell]
    functions: List[List[types.FunctionType]]
    ran: bool
    assumable: bool


class Swapper:
    """Knows the functions that were loaded from below ``prefix``, and the texts that they were made from.

    They are among ``objects``. ``executed`` ran while the project was imported; of those in the files
    ``unseen`` nobody knows. Of ``traced`` no caller may assume that they left no traces. The code of those
    that are ``held`` stays as it is.
    """

    def __init__(
        self,
        prefix: str,
        objects: List[Any],
        executed: "set[Key]",
        unseen: "set[str]",
        traced: "AbstractSet[Key]" = frozenset(),
        held: "AbstractSet[Key]" = frozenset(),
    ) -> None:
        self._traced, self._held = traced, held
        self._executed, self._unseen = executed.union(traced), unseen
        self._functions: Dict[Key, List[types.FunctionType]] = {}
        for function in [one for one in objects if type(one) is types.FunctionType]:
            if function.__code__.co_filename.startswith(prefix):
                self._functions.setdefault(key_of(function.__code__), []).append(function)
        self._files = {path for path, _line, _name in self._functions}
        # A fork that lets go of the last reference would touch all that the code consists of.
        self._kept = tuple(function.__code__ for group in self._functions.values() for function in group)
        self._texts: Dict[str, Tuple[Text, List[Unit]]] = {}
        self._imports = ""  # of the file at hand

    def remember(self, path: str) -> None:
        """Read and analyse the loaded text of a file, once, while it still stands there unchanged."""
        if path in self._texts:
            return
        try:
            text = Text(read(path))
            lines = text.lines()
            tree = ast.parse("\n".join(lines))
            self._imports = _imports(tree)
            self._texts[path] = text, list(self._units(path, lines, tree, ()))
        except (OSError, SyntaxError, ValueError, RecursionError, NotUtf8):
            pass  # no text to compare with: it will be imported anew

    def plan(self, path: str, assume: bool) -> Tuple[List[Swap], bool]:
        """What to exchange so that the process does what the file at ``path`` says now.

        And whether that rests on the assumption that what ran at the import has left no traces.

        Raises:
            Unfit: this is not possible by changing one function's code.
        """
        if path not in self._texts:
            raise Unfit("no text to compare with")
        old, units = self._texts[path]
        try:
            new = read(path)
            if new == old.raw:
                return [], False
            first, old_end, _new_end = old.changed_region(new)
            for unit in units:
                fits = unit.start <= first and old_end <= unit.end
                if fits and (not unit.ran or (assume and unit.assumable)):
                    break
            else:
                raise Unfit("the change is not within one function that can be changed")
            body = old.part(new, *unit.top)
        except NotUtf8 as error:
            raise Unfit(str(error)) from None
        codes, shells = _compiled(path, body, unit)
        if shells != unit.shells:
            raise Unfit("more than a function's body changed")
        swaps = [(function, code) for group, code in zip(unit.functions, codes) for function in group]
        for function, code in swaps:
            _check_alike(function.__code__, code)
        return swaps, unit.ran

    def loaded(self, path: str) -> bool:
        """Whether a function of this file is loaded."""
        return path in self._files

    def _units(self, path: str, lines: List[str], node: Any, classes: Tuple[Name, ...]) -> Iterator[Unit]:
        """The functions in ``node`` that can be changed."""
        for child in node.body:
            if isinstance(child, ast.ClassDef):
                yield from self._units(path, lines, child, (*classes, (child.name, 0)))
            elif isinstance(child, FUNCTIONS) and hasattr(child, "end_lineno"):  # CPython 3.8
                top = _start(child), child.end_lineno
                yield from self._function_units(path, lines, child, classes, (), top)

    def _function_units(
        self,
        path: str,
        lines: List[str],
        node: Any,
        classes: Tuple[Name, ...],
        outer: Tuple[Name, ...],
        top: Tuple[int, Any],
    ) -> Iterator[Unit]:
        """The function ``node``; if the import used it, those within it first."""
        chain = (*outer, (node.name, _start(node) + 1))
        key = path, chain[-1][1], node.name
        if key in self._held:
            return
        ran = path in self._unseen or key in self._executed
        assumable = key not in self._traced
        if ran:
            for child in _inner_functions(node):
                yield from self._function_units(path, lines, child, classes, chain, top)
        functions = [self._functions.get((path, line, name), []) for name, line in chain]
        if not any(functions):
            return
        flags = next(group for group in functions if group)[0].__code__.co_flags & FUTURE_FLAGS
        names, imports = (*classes, *chain), self._imports
        unit = Unit(
            _start(node),
            node.end_lineno,
            top,
            names,
            len(classes),
            flags,
            imports,
            [],
            functions,
            ran,
            assumable,
        )
        try:
            codes, shells = _compiled(path, "\n".join(lines[top[0] : top[1]]), unit)
        except Unfit:
            return
        loaded = ((function, code) for group, code in zip(functions, codes) for function in group)
        if all(function.__code__.co_code == code.co_code for function, code in loaded):
            yield unit._replace(shells=shells)


def _imports(tree: Any) -> str:
    """A statement that binds the names that a module imports: calls on these are compiled otherwise."""
    names: Set[str] = set()
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif not isinstance(node, (*FUNCTIONS, ast.ClassDef, ast.expr)):
            nodes += ast.iter_child_nodes(node)
    return "import " + ", ".join(sorted(names - {"*"})) if names - {"*"} else ""


def _compiled(path: str, body: str, unit: Unit) -> Tuple[List[types.CodeType], List[Shell]]:
    """The code of ``unit`` and of the functions around it, of which ``body`` is the outermost; the shells."""
    top = unit.top[0]
    # Empty lines keep the numbers of the others right.
    text = ["" for _ in range(top - unit.classes)]
    text += [" " * depth + "class %s:" % unit.names[depth][0] for depth in range(unit.classes)]
    text += [body, unit.imports]
    try:
        code: Any = compile("\n".join(text) + "\n", path, "exec", unit.flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unfit("the function cannot be compiled by itself: %s" % error) from None
    codes, shells = [], []
    for depth, name in enumerate(unit.names):
        inner, shell = _opened(code, name)
        shells.append(shell)
        if depth >= unit.classes:
            codes.append(inner)
        code = inner
    return codes, shells


def _opened(code: types.CodeType, name: Name) -> Tuple[types.CodeType, Shell]:
    """The code called ``name`` among the constants of ``code``, and what is left of ``code`` without it."""
    inner: Optional[types.CodeType] = None
    rest: List[Any] = []
    for constant in code.co_consts:
        if not isinstance(constant, types.CodeType):
            # Numbers of different types are equal and would hide a change.
            rest.append((type(constant), repr(constant)))
        elif inner is None and constant.co_name == name[0] and name[1] in (0, constant.co_firstlineno):
            inner = constant
        else:
            rest.append((constant, ""))
    if inner is None:
        raise Unfit("more than a function's body changed")
    return inner, (code.co_code, code.co_names, code.co_varnames, code.co_cellvars, rest)


def _start(node: Any) -> int:
    """The first line of a function, 0-based; its decorators count."""
    return int(min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])) - 1


def _inner_functions(node: Any) -> Iterator[Any]:
    """The functions defined in a function's own body, at any depth of its statements."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, FUNCTIONS):
            yield child
        elif not isinstance(child, (ast.ClassDef, ast.Lambda)):
            yield from _inner_functions(child)


def _check_alike(old: types.CodeType, new: types.CodeType) -> None:
    if old.co_freevars != new.co_freevars:
        raise Unfit("the function's closure changed")
    if (old.co_flags ^ new.co_flags) & (KIND_FLAGS | FUTURE_FLAGS):
        raise Unfit("the function became one of another kind")
    if _arguments(old) != _arguments(new) or _docstring(old) != _docstring(new):
        raise Unfit("the function's signature or docstring changed")


def _arguments(code: types.CodeType) -> Tuple[Any, ...]:
    count = code.co_argcount + code.co_kwonlyargcount
    stars = code.co_flags & 0x0C  # *args, **kwargs
    names = code.co_varnames[: count + bin(stars).count("1")]
    return count, code.co_kwonlyargcount, getattr(code, "co_posonlyargcount", 0), stars, names


def _docstring(code: types.CodeType) -> Any:
    if HAS_DOCSTRING and not code.co_flags & HAS_DOCSTRING:
        return None
    first = code.co_consts[0] if code.co_consts else None
    return first if isinstance(first, str) else None
