"""Brings another version of a loaded file into a process that has run the tests already.

Where only the insides of functions differ their code objects are exchanged, so that objects which the tests
made stay valid. Otherwise the file's text is executed again in its module; classes keep their identity and
take over the new functions. It happens in forks only: nothing is ever put back.
"""

from __future__ import annotations

import gc
import os
import sys
import types
from functools import lru_cache
from typing import Any, Dict, Iterator, List, Optional, Tuple

from .modules import file_of

Path = Tuple[Tuple[str, int], ...]  # names of classes and functions, each with its number among its like
Space = Dict[str, Any]
MAIN_GUARD = "__regreen_probe__"


class UnfitVariant(Exception):
    """This version cannot be brought in; the text says why."""


@lru_cache(maxsize=64)
def compiled(text: str, file: str) -> Optional[types.CodeType]:
    """The code of ``text``; None where it is no program."""
    try:
        return compile(text, file, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def code_at(text: str, file: str, qualname: str) -> Optional[types.CodeType]:
    """The code of the function ``qualname`` (such as ``Class.method``) in ``text``."""
    code = compiled(text, file)
    if code is None:
        return None
    for name in qualname.split("."):
        found = [inner for inner in _inner(code) if inner.co_name == name]
        if not found:
            return None
        code = found[-1]
    return code


class LoadedVariant:
    """The versions of ``files`` (absolute path → text) that this process has loaded."""

    def __init__(self, files: Dict[str, str]) -> None:
        self._files = files
        self._real: Dict[str, str] = {}
        self._functions: Dict[Tuple[str, str, int], List[types.FunctionType]] = {}
        for candidate in gc.get_objects():
            if type(candidate) is types.FunctionType:
                code = candidate.__code__
                if self._realpath(code.co_filename) in files:
                    key = self._realpath(code.co_filename), code.co_name, code.co_firstlineno
                    self._functions.setdefault(key, []).append(candidate)
        for module in list(sys.modules.values()):  # here, since each fork would look anew
            self._realpath(file_of(module))

    def function(self, code: Any) -> Optional[types.FunctionType]:
        """A function that is made of ``code``."""
        key = self._realpath(code.co_filename), code.co_name, code.co_firstlineno
        return next(iter(self._functions.get(key, ())), None)

    def space(self, file: str) -> Optional[Space]:
        """The names of the module that was loaded from ``file``."""
        return next(iter(self._spaces(file)), None)

    def bring_in(self, file: str, text: str) -> None:
        """Load ``text`` in the place of ``file``'s.

        Raises:
            UnfitVariant: it cannot be compiled, or no module was loaded from the file.
        """
        before = self._files[file]
        if text == before:
            return
        old, new = compiled(before, file), compiled(text, file)
        if old is None or new is None:
            raise UnfitVariant("it does not compile")
        if not self._exchange(file, old, new):
            self._execute(file, old, new)

    def _exchange(self, file: str, old: types.CodeType, new: types.CodeType) -> bool:
        """Exchange the code of every function that differs; False where more differs."""
        olds, news = dict(_functions(old, ())), dict(_functions(new, ()))
        if _outside(old, ()) != _outside(new, ()) or olds.keys() != news.keys():
            return False
        swaps = []
        for path, code in olds.items():
            for function in self._functions.get((file, code.co_name, code.co_firstlineno), ()):
                if function.__code__.co_freevars != news[path].co_freevars:
                    return False
                swaps.append((function, news[path]))
        for function, code in swaps:
            function.__code__ = code
        return True

    def _execute(self, file: str, old: types.CodeType, new: types.CodeType) -> None:
        spaces = self._spaces(file)
        if not spaces:
            raise UnfitVariant("its file was not imported as a module")
        for space in spaces:
            before = dict(space)
            if space.get("__name__") == "__main__":
                space["__name__"] = MAIN_GUARD
            try:
                exec(new, space)
            except Exception:  # a program's own checks may fail; what it defined until then is there
                pass
            for name, value in before.items():
                fresh = space.get(name)
                own = isinstance(value, type) and value.__module__ == before.get("__name__")
                if own and isinstance(fresh, type) and fresh is not value:
                    _take_over(value, fresh)
                    space[name] = value
        self._renew(file, old, spaces)

    def _renew(self, file: str, old: types.CodeType, spaces: List[Space]) -> None:
        """Give the functions that others hold already what the new ones are made of."""
        for path, code in _functions(old, ()):
            fresh = next(filter(None, (_raw(space, [name for name, _ in path]) for space in spaces)), None)
            if fresh is None or len(path) > 2:
                continue
            for function in self._functions.get((file, code.co_name, code.co_firstlineno), ()):
                if function is not fresh and function.__code__.co_freevars == fresh.__code__.co_freevars:
                    function.__code__ = fresh.__code__
                    function.__defaults__ = fresh.__defaults__
                    function.__kwdefaults__ = fresh.__kwdefaults__

    def _realpath(self, path: str) -> str:
        """Kept: a path costs a system call for each of its parts, and there are thousands of functions."""
        if path not in self._real:
            self._real[path] = os.path.realpath(path)
        return self._real[path]

    def _spaces(self, file: str) -> List[Space]:
        found: List[Space] = [
            vars(module)
            for module in list(sys.modules.values())
            if isinstance(module, types.ModuleType) and self._realpath(file_of(module)) == file
        ]
        for (path, _name, _line), functions in self._functions.items():
            if path == file:
                found += [f.__globals__ for f in functions if all(f.__globals__ is not s for s in found)]
        return found


def _inner(code: types.CodeType) -> List[types.CodeType]:
    return [constant for constant in code.co_consts if isinstance(constant, types.CodeType)]


def _numbered(code: types.CodeType) -> Iterator[Tuple[Tuple[str, int], types.CodeType]]:
    counts: Dict[str, int] = {}
    for inner in _inner(code):
        number = counts[inner.co_name] = counts.get(inner.co_name, -1) + 1
        yield (inner.co_name, number), inner


def _functions(code: types.CodeType, path: Path) -> Iterator[Tuple[Path, types.CodeType]]:
    """Every function below the module or class ``code``; not those inside of functions."""
    for name, inner in _numbered(code):
        if inner.co_flags & 0x02:  # CO_NEWLOCALS: a function, not a class
            yield (*path, name), inner
        else:
            yield from _functions(inner, (*path, name))


def _outside(code: types.CodeType, path: Path) -> List[Any]:
    """What the module and its classes do besides defining functions."""
    plain = [constant for constant in code.co_consts if not isinstance(constant, types.CodeType)]
    own = [c if isinstance(c, str) else (type(c), repr(c)) for c in plain]
    found: List[Any] = [(path, code.co_code, code.co_names, own)]
    for name, inner in _numbered(code):
        if not inner.co_flags & 0x02:
            found += _outside(inner, (*path, name))
    return found


def _raw(space: Space, names: List[str]) -> Optional[types.FunctionType]:
    """The function of that name below its decorators."""
    value: Any = space.get(names[0])
    for name in names[1:]:
        value = vars(value).get(name) if isinstance(value, type) else None
    for _layer in range(10):
        if isinstance(value, types.FunctionType) and not hasattr(value, "__wrapped__"):
            return value
        value = (
            getattr(value, "__wrapped__", None)
            or getattr(value, "__func__", None)
            or getattr(value, "fget", None)
        )
    return None


def _take_over(old: type, new: type) -> None:
    """Let ``old`` have the attributes of ``new``, so that objects made of it behave as the new ones."""
    for name, value in list(vars(new).items()):
        if name not in ("__dict__", "__weakref__", "__slots__", "__class__"):
            try:
                setattr(old, name, value)
            except (AttributeError, TypeError):
                pass  # what the interpreter keeps for itself
