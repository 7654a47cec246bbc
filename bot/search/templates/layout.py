"""Syntax errors of lines: colons, indentation, statements outside their block, leftovers of a merge."""

import ast
import re
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

from bot.search.templates.text import Near, Variant

_OPENS_BLOCK = frozenset(
    [
        "if",
        "elif",
        "else",
        "for",
        "while",
        "def",
        "class",
        "try",
        "except",
        "finally",
        "with",
        "async",
        "match",
        "case",
    ]
)
_MAX_HUNKS = 3  # conflicts of which every combination is tried
_FOR_ELSE = re.compile(r"^(\s*)else\s+if\b")
_NO_BRACKETS = re.compile(r"^(\s*(?:async\s+)?def\s+\w+)\s*:")


def _colons(near: Near) -> Iterator[Variant]:
    """A compound statement's missing colon, and what stands in its place."""
    for index, share in near.suspects:
        body, code = near.body(index), near.code(index)
        first = code.split(maxsplit=1)[0].rstrip(":(") if code.strip() else ""
        yield from _else_if(near, index, share)
        if first not in _OPENS_BLOCK:
            continue
        if not code.endswith(":"):
            rest = body[len(code) :]
            yield near.with_line(index, f"{code}:{rest}", share, "add the missing colon")
            if code[-1] in ";,.{":
                yield near.with_line(index, f"{code[:-1].rstrip()}:{rest}", 0.95 * share, "end with a colon")
        for piece, after in zip(near.pieces(index), near.pieces(index)[1:], strict=False):
            if piece.ends_value and after.begins_value:
                yield near.with_span(
                    index, (piece.end, piece.end), ":", 0.45 * share, "add the missing colon"
                )


def _else_if(near: Near, index: int, share: float) -> Iterator[Variant]:
    body = near.body(index)
    if match := _FOR_ELSE.match(body):
        yield near.with_line(index, f"{match.group(1)}elif{body[match.end() :]}", share, "write `elif`")
    if match := _NO_BRACKETS.match(body):
        yield near.with_line(index, f"{match.group(1)}():{body[match.end() :]}", share, "add `()`")


def _indents(near: Near) -> Iterator[Variant]:
    """Lines that stand too far left or right."""
    message, index = near.message, near.index
    if "expected an indented block" in message:
        yield from _missing_block(near)
    elif "unexpected indent" in message or "unindent does not match" in message:
        levels = [near.indent(i) for i in range(index) if near.code(i).strip()]
        own = near.indent(index)
        # From the nearest line upwards: the block that the line most likely belongs to.
        for rank, level in enumerate(dict.fromkeys(reversed(levels))):
            weight = max(0.5, 1.0 - 0.1 * rank)
            yield _moved(near, _followers(near, index, own), own, level, weight)
            yield _moved(near, [index], own, level, weight - 0.05)
        above = near.above(index)
        if above is not None:
            deeper = near.indent(above) + near.step
            yield _moved(near, _followers(near, index, own), own, deeper, 0.55)
            # Or the line above is the one that stands too far left.
            yield _moved(near, [above], near.indent(above), own, 0.6)
    elif "inconsistent use of tabs" in message:
        for width, weight in ((4, 1.0), (8, 0.95), (2, 0.5)):
            changed: dict[int, str | None] = {
                i: near.indent(i).expandtabs(width) + near.body(i).lstrip()
                for i in range(len(near.lines))
                if "\t" in near.indent(i)
            }
            yield near.with_lines(changed, weight, "indent with spaces only")


def _missing_block(near: Near) -> Iterator[Variant]:
    index, own = near.index, near.indent(near.index)
    header = near.above(index)
    if header is None:
        return
    deeper = near.indent(header) + near.step
    ended = not near.code(index).strip() or index <= header
    if not ended and own == near.indent(header):
        run = _followers(near, index, own, same=True)
        # A block ends at a blank line more often than not.
        for count in dict.fromkeys((len(run), 1, 2, 3)):
            if count <= len(run):
                weight = 1.0 if count == len(run) else 0.95 - 0.01 * count
                yield _moved(near, run[:count], own, deeper, weight)
    line = near.lines[header]
    eol = line[len(near.body(header)) :] or near.newline
    opened = [near.body(header) + eol, deeper + "pass" + eol]
    whole = [*near.lines[:header], *opened, *near.lines[header + 1 :]]
    yield Variant(partial("".join, whole), 0.7, "add `pass`")


def _followers(near: Near, index: int, own: str, *, same: bool = False) -> list[int]:
    """The line and those after it that stand as deep, up to a blank line (``same``) or the block's end."""
    found = [index]
    for i in range(index + 1, len(near.lines)):
        code = near.code(i).strip()
        if not code:
            if same:
                break
            continue
        if not near.indent(i).startswith(own) or (same and code.startswith(("def ", "class ", "@"))):
            break
        found.append(i)
    return found


def _moved(near: Near, indexes: list[int], old: str, new: str, weight: float) -> Variant:
    bodies: dict[int, str | None] = {
        i: new + near.body(i)[len(old) :] if near.body(i).startswith(old) else near.body(i) for i in indexes
    }
    return near.with_lines(bodies, weight, "indent the lines as the block needs")


def _outside(near: Near) -> Iterator[Variant]:
    """A statement that stands outside of what it needs around it."""
    message, index = near.message, near.index
    above = near.above(index)
    own = near.indent(index)
    if "outside function" in message or "outside loop" in message or "not properly in loop" in message:
        if above is not None:
            run = _followers(near, index, own, same=True)
            for level in dict.fromkeys((near.indent(above), own + near.step)):
                yield _moved(near, run, own, level, 0.95)
                yield _moved(near, run[:1], own, level, 0.9)
        if tail := _tail_of_block(near, index, own):
            yield tail
        yield near.with_lines({index: None}, 0.4, "take the line out")
        yield near.with_line(index, own + "pass", 0.35)
    if "outside async function" in message:
        header = next(
            (
                i
                for i in range(index, -1, -1)
                if near.code(i).lstrip().startswith("def ") and (len(near.indent(i)) < len(own) or i == index)
            ),
            None,
        )
        if header is not None:
            at = len(near.indent(header))
            yield near.with_span(header, (at, at), "async ", 1.0, "make the function `async`")
        for piece in near.pieces(index):
            if piece.code in {"await", "async"}:
                yield near.with_span(index, (piece.start, piece.end + 1), "", 0.6, f"drop `{piece.code}`")


def _tail_of_block(near: Near, index: int, own: str) -> Variant | None:
    """The lines above that stand too far left as well, indented with it as the deeper one before them."""
    start, above = index, near.above(index)
    while above is not None and near.indent(above) == own:
        if near.code(above).split(maxsplit=1)[0] in {"def", "class", "async", "import", "from"}:
            return None
        start, above = above, near.above(above)
    if above is None or start == index:
        return None
    last = _followers(near, index, own, same=True)[-1]
    lines = [i for i in range(start, last + 1) if near.code(i).strip()]
    return _moved(near, lines, own, near.indent(above), 0.93)


def _declarations(near: Near) -> Iterator[Variant]:
    """``global`` and ``nonlocal`` in the wrong place, and late ``__future__`` imports."""
    message, index = near.message, near.index
    body = near.body(index)
    if "no binding for nonlocal" in message:
        yield near.with_line(index, body.replace("nonlocal", "global", 1), 1.0)
        yield near.with_lines({index: None}, 0.6, "drop the declaration")
    elif "global" in message or "nonlocal" in message:
        header = next(
            (i for i in range(index, -1, -1) if near.code(i).lstrip().startswith(("def ", "async "))), None
        )
        yield near.with_lines({index: None}, 0.7, "drop the declaration")
        if header is not None and near.code(header).endswith(":"):
            rest = [line for i, line in enumerate(near.lines[header + 1 :], header + 1) if i != index]
            line = near.indent(header) + near.step + body.lstrip() + near.newline
            whole = [*near.lines[: header + 1], line, *rest]
            yield Variant(partial("".join, whole), 1.0, "declare the name before it is used")
    elif "__future__ imports must occur" in message:
        place = _future_place("".join(near.lines[:index]))
        place = next(i for i in range(place, index + 1) if near.body(i).strip())
        rest = [*near.lines[place:index], *near.lines[index + 1 :]]
        whole = [*near.lines[:place], body + near.newline, *rest]
        yield Variant(partial("".join, whole), 1.0, "move the import to the top")


def _future_place(code: str) -> int:
    """After so many lines: ``__future__`` imports come behind what a file says of itself, before the rest."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        first = ast.parse(code).body[0]
    said = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return (first.end_lineno or first.lineno) if said else first.lineno - 1


def _conflicts(near: Near) -> Iterator[Variant]:
    """A merge's markers: one side of each conflict, or both."""
    parts: list[list[list[str]]] = []
    side = -1
    for line in near.lines:
        if line.startswith("<<<<<<< "):
            parts.append([[], [], []])
            side = 0
        elif line.startswith("||||||| ") and side == 0:
            side = 2
        elif line.startswith("=======") and side in {0, 2}:
            side = 1
        elif line.startswith(">>>>>>> ") and side == 1:
            side = -1
        elif side >= 0:
            parts[-1][side].append(line)
        else:
            parts.append([[line]])
    hunks = sum(len(part) == 3 for part in parts)
    if not hunks or side >= 0:
        return
    sides = product((0, 1, 2), repeat=hunks) if hunks <= _MAX_HUNKS else [(k,) * hunks for k in (0, 1, 2)]
    for choice in sides:
        taken = iter(choice)
        choices = [next(taken) if len(part) == 3 else 0 for part in parts]
        weight = (
            1.0 if set(choice) == {0} else 0.99 if set(choice) == {1} else 0.8 if 2 not in choice else 0.6
        )
        yield Variant(partial(_settled, parts, choices), weight, "settle the merge conflict")


def _settled(parts: list[list[list[str]]], choices: list[int]) -> str:
    return "".join(_side(part, choice) for part, choice in zip(parts, choices, strict=True))


def _side(part: list[list[str]], choice: int) -> str:
    return "".join(part[0] + part[1]) if choice == 2 else "".join(part[choice])


LAYOUT: tuple[Callable[[Near], Iterator[Variant]], ...] = (
    _conflicts,
    _colons,
    _indents,
    _outside,
    _declarations,
)
