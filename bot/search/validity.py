"""Whether a candidate still compiles, and whether it means the same as another: without compiling the file.

The statement around the edits that stands at module level, or in a class there, is compiled by itself. The
bytecode, line numbers left out, distinguishes candidates: two texts with the same bytecode are one candidate.
It runs nothing, and what only the whole file shows (a global declared after use) is left to the evaluation.
"""

import ast
import types
import warnings
from functools import cached_property
from typing import NamedTuple

from bot.search.source import Source, readable
from sandbox.silenced import silenced

# A call with an effect: the compiler may not take what is before and after it for the same place.
_STUB = "_()"


class _Frame(NamedTuple):
    """A stretch of the file with the lines that make it a program."""

    start: int
    end: int
    prefix: str
    suffix: str
    original: int | None
    quiet: bool


class Validity:
    """The compiler's view of one source file."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self._frames: dict[ast.stmt, _Frame | None] = {}

    def identity(self, node: ast.AST, start: int, end: int, code: str) -> tuple[int, int] | None:
        """What the file means with ``code`` in place of a stretch around ``node``.

        Returns:
            A value that is equal for candidates that mean the same; None when the candidate does not
            compile, or means what the file means already.
        """
        frame = self._frame_of(node, start, end)
        body = self.source.code[frame.start : start] + code + self.source.code[end : frame.end]
        meaning = _meaning(frame.prefix + body + frame.suffix, quiet=frame.quiet)
        return None if meaning is None or meaning == frame.original else (frame.start, meaning)

    def _frame_of(self, node: ast.AST, start: int, end: int) -> _Frame:
        for place in (node, *self.source.ancestors(node)):
            if isinstance(place, ast.stmt) and self._stands_alone(place):
                first, last = self.source.segment(place)
                # An insertion at the edge belongs to the block, not to the statement.
                if first <= start and end <= last and start < last:
                    if place not in self._frames:
                        self._frames[place] = self._framed(place)
                    return self._frames[place] or self._whole
        return self._whole

    def _stands_alone(self, place: ast.stmt) -> bool:
        """Whether a statement stands at module level, or in a class that does."""
        around = list(self.source.ancestors(place))
        return len(around) == 1 or (len(around) == 2 and isinstance(around[0], ast.ClassDef))

    @cached_property
    def _whole(self) -> _Frame:
        bom = self.source.code.startswith("\ufeff")
        return _frame(int(bom), len(self.source.code), "", "", self.source.code[bom:])

    def _framed(self, place: ast.stmt) -> _Frame | None:
        indent = self.source.indent_of(place)
        if indent is None:
            return None
        start, end = self.source.segment(place)
        prefix = f"class _:\n{indent}" if indent else ""
        frame = _frame(start, end, prefix, f"\n{indent}{_STUB}\n", self.source.code[start:end])
        return frame if frame.original is not None else None


def _frame(start: int, end: int, prefix: str, suffix: str, body: str) -> _Frame:
    """A frame that minds the compiler's warnings, unless the original earns one already."""
    code = prefix + body + suffix
    strict = _meaning(code, quiet=False)
    original = _meaning(code, quiet=True) if strict is None else strict
    return _Frame(start, end, prefix, suffix, original, strict is None)


def _meaning(code: str, *, quiet: bool) -> int | None:
    """A number for what the program does; None when it does not compile (or warns, unless ``quiet``)."""
    try:
        with silenced():
            if not quiet:
                warnings.simplefilter("error", SyntaxWarning)
            compiled = compile(readable(code), "<candidate>", "exec", dont_inherit=True, optimize=0)
    except (SyntaxError, ValueError, RecursionError, MemoryError, OverflowError):
        return None
    return hash(_identity(compiled))


def _identity(code: types.CodeType) -> tuple[object, ...]:
    """What two code objects share when they do the same, wherever they stand."""
    constants = tuple(_constant(value) for value in code.co_consts)
    names = (code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)
    shape = (code.co_flags, code.co_argcount, code.co_kwonlyargcount, code.co_posonlyargcount, code.co_name)
    return (code.co_code, constants, names, shape, getattr(code, "co_exceptiontable", b""))


def _constant(value: object) -> object:
    if isinstance(value, types.CodeType):
        return _identity(value)
    if isinstance(value, tuple):
        return ("tuple", *map(_constant, value))
    if isinstance(value, frozenset):  # its own order changes from one process to the next
        return ("frozenset", *sorted(str(_constant(item)) for item in value))
    # Python reads integers of any length in hexadecimal, and refuses to write long ones in decimal.
    return hex(value) if type(value) is int else repr(value)
