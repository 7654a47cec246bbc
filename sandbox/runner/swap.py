"""Puts a candidate's code into a process that has the project loaded, where only a function's body changed.

The changed lines are compared with the text that was loaded. When they lie in one function, that function
alone is compiled and its code object given to every function object that was made from the old one. This
is refused, and the caller imports anew, where the old code may have left traces: it ran while the project
was imported, or the code around it, which made the function, is not the same as before.

What can be done before a fork is done there: each page that a fork touches has to be copied.
"""

from __future__ import annotations
import __future__

import ast
import gc
import os
import sys
import types
from typing import Any, Dict, Iterator, List, NamedTuple, Tuple

BOM = b"\xef\xbb\xbf"
FUTURE_FLAGS = 0
for _name in __future__.all_feature_names:
    FUTURE_FLAGS |= getattr(__future__, _name).compiler_flag
KIND_FLAGS = 0x20 | 0x80 | 0x100 | 0x200  # generator, coroutine, iterable coroutine, async generator
HAS_DOCSTRING = 0x4000000 if sys.version_info >= (3, 14) else 0
Key = Tuple[str, int, str]
Shell = Tuple[bytes, Tuple[str, ...], List[Any]]


class Unfit(Exception):
    """The change cannot be swapped in; the text says why."""


class Unit(NamedTuple):
    """An outermost function: its lines (0-based, the end excluded), its name after those of its classes.

    ``flags`` are the module's future statements; ``shells`` is the code that makes the function, from the
    module inwards, without the function's own.
    """

    start: int
    end: int
    names: Tuple[str, ...]
    flags: int
    shells: List[Shell]
    functions: List[types.FunctionType]


class Executed:
    """Which code of files below ``prefix`` ran between ``start`` and ``stop``."""

    def __init__(self, prefix: str) -> None:
        self._prefix = prefix
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
        if event == "call" and frame.f_code.co_filename.startswith(self._prefix):
            self._codes[id(frame.f_code)] = frame.f_code


class Swapper:
    """Knows the functions that were loaded from below ``prefix``, and the texts that they were made from."""

    def __init__(self, prefix: str, executed: "set[Key]") -> None:
        self._executed = executed
        self._functions: Dict[Key, List[types.FunctionType]] = {}
        for candidate in gc.get_objects():
            if type(candidate) is types.FunctionType and candidate.__code__.co_filename.startswith(prefix):
                self._functions.setdefault(_key(candidate.__code__), []).append(candidate)
        self._texts: Dict[str, Tuple[List[str], List[Unit]]] = {}

    def remember(self, path: str) -> None:
        """Read and analyse the loaded text of a file, once, while it still stands there unchanged."""
        if path in self._texts:
            return
        try:
            lines = _lines(path)
            tree = ast.parse("\n".join(lines))
            self._texts[path] = lines, list(self._units(path, lines, tree, ()))
        except (OSError, SyntaxError, ValueError, RecursionError, Unfit):
            pass  # no text to compare with: it will be imported anew

    def swap(self, path: str) -> None:
        """Load what the file at ``path`` says now.

        Raises:
            Unfit: this is not possible by changing one function's code.
        """
        if path not in self._texts:
            raise Unfit("no text to compare with")
        old, units = self._texts[path]
        new = _lines(path)
        first, old_end, new_end = changed_region(old, new)
        if first == old_end == new_end:
            return
        for unit in units:
            if unit.start <= first and old_end <= unit.end:
                break
        else:
            raise Unfit("the change is not within one function that can be changed")
        code, shells = _compiled(
            path, new[: unit.end + len(new) - len(old)], unit.start, unit.names, unit.flags
        )
        if shells != unit.shells:
            raise Unfit("more than a function's body changed")
        for function in unit.functions:
            _check_alike(function.__code__, code)
        for function in unit.functions:
            function.__code__ = code

    def _units(self, path: str, lines: List[str], node: Any, classes: Tuple[str, ...]) -> Iterator[Unit]:
        """The functions in ``node`` that can be changed: loaded, and not used by the import."""
        for child in node.body:
            if isinstance(child, ast.ClassDef):
                yield from self._units(path, lines, child, (*classes, child.name))
            if not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            start = min([child.lineno, *(decorator.lineno for decorator in child.decorator_list)]) - 1
            end = getattr(child, "end_lineno", None)  # CPython 3.8
            key = path, start + 1, child.name
            if end is None or key in self._executed or key not in self._functions:
                continue
            functions = self._functions[key]
            flags = functions[0].__code__.co_flags & FUTURE_FLAGS
            names = (*classes, child.name)
            try:
                code, shells = _compiled(path, lines[:end], start, names, flags)
            except Unfit:
                continue
            if all(function.__code__.co_code == code.co_code for function in functions):
                yield Unit(start, end, names, flags, shells, functions)


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


def _lines(path: str) -> List[str]:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        raw = os.read(fd, os.fstat(fd).st_size + 1)
    finally:
        os.close(fd)
    # What a coding line may say otherwise is read by the interpreter, not here.
    if b"coding" in raw[:400] or raw.startswith(BOM):
        raise Unfit("the file names its encoding")
    try:
        return raw.decode().split("\n")
    except UnicodeDecodeError:
        raise Unfit("not UTF-8") from None


def _compiled(
    path: str, lines: List[str], start: int, names: Tuple[str, ...], flags: int
) -> Tuple[types.CodeType, List[Shell]]:
    """The code of the last function in ``lines``, which begins at ``start``, and the code around it."""
    classes = names[:-1]
    # Empty lines keep the numbers of the others right.
    text = ["" for _ in range(start - len(classes))]
    text += [" " * depth + "class %s:" % name for depth, name in enumerate(classes)]
    text += lines[start:]
    try:
        code: Any = compile("\n".join(text) + "\n", path, "exec", flags, dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise Unfit("the function cannot be compiled by itself: %s" % error) from None
    shells = []
    for name in names:
        inner, rest = None, []
        for constant in code.co_consts:
            if isinstance(constant, types.CodeType) and constant.co_name == name and inner is None:
                inner = constant
            else:
                # Numbers of different types are equal and would hide a change.
                is_code = isinstance(constant, types.CodeType)
                rest.append(constant if is_code else (type(constant), repr(constant)))
        if inner is None:
            raise Unfit("more than a function's body changed")
        shells.append((code.co_code, code.co_names, rest))
        code = inner
    return code, shells


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


def _key(code: types.CodeType) -> Key:
    return code.co_filename, code.co_firstlineno, code.co_name
