"""One literal of a program changed as a person may want it, or may get it wrong: both look alike. Pure."""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from benchmarks.libraries.faults import by_kind_then_place, is_program
from bot.patch.syntax import Function
from bot.patch.text import decode, encode
from bot.search.source import Source, parse

MESSAGE, DEFAULT, FORMAT, ROUNDING = "error message", "default value", "returned format", "rounding"
_WORDS = {
    "must": "has to", "should": "must", "cannot": "can not", "invalid": "bad", "unknown": "unexpected",
    "expected": "wanted", "missing": "absent", "unsupported": "unknown", "failed": "did not work",
    "got": "received", "found": "seen", "ago": "earlier", "now": "just now", "and": "with",
}  # fmt: skip
_MARKS = {", ": "; ", ": ": " = ", "-": "_", "_": "-", ".": ",", "/": "|", "=": ":", "...": "(more)"}
_DIGITS = re.compile(r"\.(\d)([fgeE%])")
_LONG_WORD = re.compile(r"[A-Za-z]{4,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """Characters ``start`` to ``end`` of the file at ``path`` become ``new``; they were ``old``.

    ``subject`` is the function that it is in, or the parameter's and the function's name; ``first`` and
    ``last`` are the lines (1-based) of that function.
    """

    path: str
    kind: str
    subject: str
    start: int
    end: int
    old: str
    new: str
    first: int
    last: int

    def apply(self, original: bytes) -> bytes:
        """The file with the change."""
        code = decode(original)
        return encode(code[: self.start] + self.new + code[self.end :])


def changes(files: Mapping[str, bytes], paths: frozenset[str], *, seed: str) -> Iterator[Change]:
    """Every change of the files at ``paths``, a kind drawn first and then a place, as ``seed`` decides."""
    by_kind: dict[str, list[Change]] = {}
    for path in sorted(paths):
        for change in _in_file(path, files[path]):
            if is_program(change.apply(files[path])):
                by_kind.setdefault(change.kind, []).append(change)
    yield from by_kind_then_place(by_kind, seed=seed)


def _in_file(path: str, original: bytes) -> Iterator[Change]:
    source = parse(path, decode(original))
    if source is None:
        return
    for function in ast.walk(source.tree):
        if not isinstance(function, Function):
            continue
        for kind, subject, node in _places(function):
            for start, end, old, new in _other(source, node, kind):
                yield Change(
                    path=path,
                    kind=kind,
                    subject=subject,
                    start=start,
                    end=end,
                    old=old,
                    new=new,
                    first=function.lineno,
                    last=function.end_lineno or function.lineno,
                )


def _places(function: Function) -> Iterator[tuple[str, str, ast.Constant]]:
    given = [*function.args.posonlyargs, *function.args.args]
    pairs = [
        *zip(given[len(given) - len(function.args.defaults) :], function.args.defaults, strict=True),
        *zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True),
    ]
    for argument, value in pairs:
        if isinstance(value, ast.Constant):
            yield DEFAULT, f"{argument.arg} of {function.name}", value
    for statement in ast.walk(function):
        kind = {ast.Raise: MESSAGE, ast.Return: FORMAT, ast.Yield: FORMAT}.get(type(statement))
        for node in ast.walk(statement) if kind else ():
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield kind or "", function.name, node
    for node in ast.walk(function):
        match node:
            case ast.Call(func=ast.Name(id="round"), args=[_, ast.Constant() as value]):
                yield ROUNDING, function.name, value
            case ast.Constant(value=str() as text) if _DIGITS.search(text):
                yield ROUNDING, function.name, node


def _other(source: Source, node: ast.Constant, kind: str) -> Iterator[tuple[int, int, str, str]]:
    start, end = source.segment(node)
    old = source.code[start:end]
    value = node.value
    if isinstance(value, bool):
        yield start, end, old, str(not value)
    elif type(value) is int and old.isdigit():
        yield start, end, old, str(value + 1 if kind == ROUNDING or value < 2 else value * 2)
    elif kind == ROUNDING:
        for match in _DIGITS.finditer(old):
            new = f".{(int(match[1]) + 1) % 10}{match[2]}"  # people name the precision with its type
            yield start + match.start(), start + match.end(), match[0], new
    elif isinstance(value, str) and value and "\n" not in old:
        for match in _LONG_WORD.finditer(old) if kind == MESSAGE or " " in value else ():
            if old[match.start() - 1 : match.start()] not in {"{", "%", "\\", "(", "."}:
                word = match[0]
                yield start + match.start(), start + match.end(), word, _WORDS.get(word, f"given {word}")
                break
        for mark, other in _MARKS.items():
            if kind != MESSAGE and mark in value and (at := old.find(mark)) >= 0 and "%" not in old:
                yield start + at, start + at + len(mark), mark, other
                break
