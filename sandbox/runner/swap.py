"""Puts a candidate's code into a process that has the project loaded, where only a function's body changed.

The changed lines are compared with the text that was loaded. When they lie in one function, that function
alone is compiled and its code object given to every function object that was made from the old one. This
is refused, and the caller imports anew, where the old code may have left traces: it ran while the project
was imported, or something besides the body changed (the signature, decorators, the docstring, closures).
"""

from __future__ import annotations

import __future__

import ast
import gc
import sys
import types
from typing import Any, Dict, Iterator, List, NamedTuple, Optional, Tuple

FUTURE_FLAGS = 0
for _name in __future__.all_feature_names:
    FUTURE_FLAGS |= getattr(__future__, _name).compiler_flag
KIND_FLAGS = 0x20 | 0x80 | 0x100 | 0x200  # generator, coroutine, iterable coroutine, async generator
Key = Tuple[str, int, str]
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Unfit(Exception):
    """The change cannot be swapped in; the text says why."""


class Unit(NamedTuple):
    """An outermost function: its lines (0-based, the end excluded), its node, the classes around it."""

    start: int
    end: int
    node: Any
    classes: Tuple[str, ...]


class Executed:
    """Which code ran between ``start`` and ``stop``."""

    def __init__(self) -> None:
        self._codes: Dict[int, types.CodeType] = {}

    def start(self) -> None:
        """Begin to watch."""
        sys.setprofile(self._on_event)

    def stop(self) -> bool:
        """Stop; False when somebody else watched instead, so that not all was seen."""
        undisturbed = sys.getprofile() == self._on_event
        sys.setprofile(None)
        return undisturbed

    def keys(self) -> "set[Key]":
        """What ran, as functions are found by."""
        return {_key(code) for code in self._codes.values()}

    def _on_event(self, frame: Any, event: str, _argument: Any) -> None:
        if event == "call":
            self._codes[id(frame.f_code)] = frame.f_code


class Swapper:
    """Knows the functions that this process has loaded and the texts that they were made from."""

    def __init__(self, executed: "set[Key]") -> None:
        self._executed = executed
        self._functions: Dict[Key, List[types.FunctionType]] = {}
        for candidate in gc.get_objects():
            if type(candidate) is types.FunctionType:
                self._functions.setdefault(_key(candidate.__code__), []).append(candidate)
        self._texts: Dict[str, Optional[Tuple[List[str], List[Unit]]]] = {}

    def remember(self, path: str) -> None:
        """Read and analyse the loaded text of a file, once, while it still stands there unchanged."""
        if path not in self._texts:
            self._texts[path] = _analysed(path)

    def swap(self, path: str) -> None:
        """Load what the file at ``path`` says now.

        Raises:
            Unfit: this is not possible by changing one function's code.
        """
        known = self._texts.get(path)
        if known is None:
            raise Unfit("no text to compare with")
        old, units = known
        new = _lines(path)
        if new is None:
            raise Unfit("not UTF-8")
        first, old_end, new_end = changed_region(old, new)
        if first == old_end == new_end:
            return
        unit = next((unit for unit in units if unit.start <= first and old_end <= unit.end), None)
        if unit is None:
            raise Unfit("the change is not within one function")
        functions = self._functions.get((path, unit.start + 1, unit.node.name))
        if not functions:
            raise Unfit("no such function is loaded")
        if (path, unit.start + 1, unit.node.name) in self._executed:
            raise Unfit("the function ran while the project was imported")
        flags = functions[0].__code__.co_flags & FUTURE_FLAGS
        code = _compiled(path, new[unit.start : unit.end + len(new) - len(old)], unit, flags)
        for function in functions:
            _check_alike(function.__code__, code, function)
        for function in functions:
            function.__code__ = code


def changed_region(old: List[str], new: List[str]) -> Tuple[int, int, int]:
    """The smallest region that differs: its first line, its end in ``old``, its end in ``new``."""
    limit = min(len(old), len(new))
    first = 0
    while first < limit and old[first] == new[first]:
        first += 1
    same = 0
    while same < limit - first and old[-1 - same] == new[-1 - same]:
        same += 1
    return first, len(old) - same, len(new) - same


def _lines(path: str) -> Optional[List[str]]:
    with open(path, "rb") as handle:
        raw = handle.read()
    try:
        # What a coding line may say otherwise is read by the interpreter, not here.
        return None if b"coding" in raw[:400] else raw.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        return None


def _analysed(path: str) -> Optional[Tuple[List[str], List[Unit]]]:
    try:
        lines = _lines(path)
        return None if lines is None else (lines, list(_units(ast.parse("\n".join(lines)), ())))
    except (OSError, SyntaxError, ValueError, RecursionError):
        return None


def _units(node: Any, classes: Tuple[str, ...]) -> Iterator[Unit]:
    for child in node.body:
        if isinstance(child, _FUNCTIONS) and hasattr(child, "end_lineno"):  # CPython 3.8
            first = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)])
            yield Unit(first - 1, child.end_lineno, child, classes)
        elif isinstance(child, ast.ClassDef):
            for unit in _units(child, (*classes, child.name)):
                yield unit


def _compiled(path: str, lines: List[str], unit: Unit, flags: int) -> types.CodeType:
    headers = [" " * depth + "class %s:" % name for depth, name in enumerate(unit.classes)]
    try:
        tree = ast.parse("\n".join([*headers, *lines, ""]))
    except (SyntaxError, ValueError, RecursionError) as error:
        raise Unfit("the function cannot be compiled by itself: %s" % error) from error
    node: Any = tree
    for _depth in range(len(unit.classes) + 1):
        if len(node.body) != 1:
            raise Unfit("more than a function's body changed")
        node = node.body[0]
    if type(node) is not type(unit.node) or _face(node) != _face(unit.node) or getattr(node, "type_params", None):
        raise Unfit("the function's signature, decorators or docstring changed")
    ast.increment_lineno(tree, unit.start - len(headers))
    code = compile(tree, path, "exec", flags, dont_inherit=True)
    for name in (*unit.classes, node.name):
        code = next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == name)
    return code


def _face(node: Any) -> List[str]:
    """What else of a function is made when its module is imported, besides its code."""
    parts = [node.args, node.returns, *node.decorator_list]
    dumped = [ast.dump(part) if part is not None else "" for part in parts]
    return [node.name, ast.get_docstring(node, clean=False) or "", *dumped]


def _check_alike(old: types.CodeType, new: types.CodeType, function: types.FunctionType) -> None:
    if old.co_freevars != new.co_freevars or len(function.__closure__ or ()) != len(new.co_freevars):
        raise Unfit("the function's closure changed")
    if (old.co_flags ^ new.co_flags) & (KIND_FLAGS | FUTURE_FLAGS):
        raise Unfit("the function became one of another kind")


def _key(code: types.CodeType) -> Key:
    return code.co_filename, code.co_firstlineno, code.co_name
