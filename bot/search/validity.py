"""Whether a candidate still compiles, and whether it means the same as another: without compiling the file.

The smallest statement around the edits is compiled in a frame that stands for what is around it (``def``,
loop, class). The bytecode, line numbers left out, distinguishes candidates: two texts with the same bytecode
are one candidate. It runs nothing, and what only the whole file shows (a global declared after use) is
left to the evaluation.
"""

import ast
import re
import types
import warnings
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from bot.search.source import FUNCTIONS, LOOPS, Source

_SURROGATE = re.compile("[\ud800-\udfff]")
_BODIED = (ast.If, ast.While, ast.For, ast.AsyncFor, ast.With, ast.AsyncWith, *FUNCTIONS, ast.ClassDef)
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
        self._frames: dict[tuple[ast.AST, bool], _Frame | None] = {}

    def identity(self, node: ast.AST, start: int, end: int, code: str) -> tuple[int, int] | None:
        """What the file means with ``code`` in place of a stretch around ``node``.

        Returns:
            A value that is equal for candidates that mean the same; None when the candidate does not
            compile, or means what the file means already.
        """
        # A frame leaves out what a nonlocal name refers to.
        frame = self._whole if "nonlocal" in code else self._frame_of(node, start, end)
        body = self.source.code[frame.start : start] + code + self.source.code[end : frame.end]
        meaning = _meaning(frame.prefix + body + frame.suffix, quiet=frame.quiet)
        return None if meaning is None or meaning == frame.original else (frame.start, meaning)

    def _frame_of(self, node: ast.AST, start: int, end: int) -> _Frame:
        around = [node, *self.source.ancestors(node)]
        # Where one statement can forbid another, the function is looked at as a whole.
        declaring = [index for index, place in enumerate(around) if place in self._declaring]
        for place in around[declaring[-1] if declaring else 0 :]:
            if isinstance(place, ast.stmt):
                first, last = self.source.segment(place)
                # An insertion at the edge belongs to the block, not to the statement.
                if first <= start and end <= last and start < last:
                    header = None if place in self._declaring else self._header(place, end)
                    frame = header or self._framed(place, cut=False)
                    if frame is not None:
                        return frame
        return self._whole

    @cached_property
    def _declaring(self) -> frozenset[ast.AST]:
        """Functions of which one statement can forbid another.

        Those that hold a ``nonlocal`` or ``global`` statement, perhaps further in; and coroutines, which a
        ``yield`` anywhere makes generators that may not return a value.
        """
        parents = self.source.parents
        declarations = [node for node in parents if isinstance(node, (ast.Nonlocal, ast.Global))]
        coroutines = [node for node in parents if isinstance(node, ast.AsyncFunctionDef)]
        return frozenset(coroutines) | frozenset(
            found
            for node in declarations
            for found in self.source.ancestors(node)
            if isinstance(found, FUNCTIONS)
        )

    @cached_property
    def _whole(self) -> _Frame:
        bom = self.source.code.startswith("\ufeff")
        return _frame(int(bom), len(self.source.code), "", "", self.source.code[bom:])

    def _header(self, place: ast.stmt, end: int) -> _Frame | None:
        """The frame of a compound statement's first line alone, where the edits end before its body."""
        if isinstance(place, _BODIED) and end < self.source.segment(place.body[0])[0]:
            return self._framed(place, cut=True)
        return None

    def _framed(self, place: ast.stmt, *, cut: bool) -> _Frame | None:
        key = (place, cut)
        if key not in self._frames:
            self._frames[key] = self._build(place, cut=cut)
        return self._frames[key]

    def _build(self, place: ast.stmt, *, cut: bool) -> _Frame | None:
        indent = self.source.indent_of(place)
        if indent is None:
            return None
        start, end = self.source.segment(place)
        tail = ""
        if cut:
            assert isinstance(place, _BODIED)
            end = self.source.segment(place.body[0])[0]
            tail = _STUB
        prefix, suffix = self._surroundings(place)
        prefix += indent
        body = self.source.code[start:end]
        if body.startswith("elif"):
            prefix += "if _:pass\n" + indent
        suffix = f"{tail}\n{indent}{_STUB}\n" + suffix
        frame = _frame(start, end, prefix, suffix, body)
        return frame if frame.original is not None else None

    def _surroundings(self, place: ast.stmt) -> tuple[str, str]:
        """Headers that stand for the statements around ``place``, and what follows in each of them."""
        prefix, suffix, last = "", "", None
        for parent in reversed(
            [found for found in self.source.ancestors(place) if isinstance(found, ast.stmt)]
        ):
            indent = self.source.indent_of(parent)
            if indent is None or indent == last:
                continue
            last = indent
            if isinstance(parent, ast.TryStar) and _holds(parent.handlers, place, self.source):
                prefix += f"{indent}try:{_STUB}\n{indent}except* _:\n"
            else:
                prefix += f"{indent}{_header_like(parent, place, self.source)}\n"
            suffix = f"{indent}{_STUB}\n" + suffix
        return prefix, suffix


def _header_like(parent: ast.stmt, place: ast.stmt, source: Source) -> str:
    if isinstance(parent, ast.AsyncFunctionDef):
        return "async def _():"
    if isinstance(parent, ast.FunctionDef):
        return "def _():"
    if isinstance(parent, ast.ClassDef):
        return "class _:"
    if isinstance(parent, LOOPS):
        return "while _:" if _holds(parent.body, place, source) else "if _:"
    return "if _:"


def _holds(parts: Sequence[ast.AST], place: ast.AST, source: Source) -> bool:
    """Whether ``place`` is one of the parts of a statement, or stands in one of them."""
    return any(found in parts for found in (place, *source.ancestors(place)))


def _frame(start: int, end: int, prefix: str, suffix: str, body: str) -> _Frame:
    """A frame that minds the compiler's warnings, unless the original earns one already."""
    code = prefix + body + suffix
    strict = _meaning(code, quiet=False)
    original = _meaning(code, quiet=True) if strict is None else strict
    return _Frame(start, end, prefix, suffix, original, strict is None)


def _meaning(code: str, *, quiet: bool) -> int | None:
    """A number for what the program does; None when it does not compile (or warns, unless ``quiet``)."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not quiet:
                warnings.simplefilter("error", SyntaxWarning)
            compiled = compile(
                _SURROGATE.sub("?", code), "<candidate>", "exec", dont_inherit=True, optimize=0
            )
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
