"""Syntax errors of lines: colons, indentation, statements outside their block, leftovers of a merge."""

from collections.abc import Callable, Iterator
from functools import partial
from itertools import product

from bot.search.templates.syntax.text import Near, Variant

_OPENS_BLOCK = frozenset(
    [
        *("if", "elif", "else", "for", "while", "def", "class", "try", "except", "finally", "with", "async"),
        *("match", "case"),
    ]
)
_MAX_HUNKS = 3  # conflicts of which every combination is tried


def _colons(near: Near) -> Iterator[Variant]:
    """A compound statement's missing colon, and what stands in its place."""
    for index, share in near.suspects:
        body, code = near.body(index), near.code(index)
        first = code.split(maxsplit=1)[0].rstrip(":(") if code.strip() else ""
        if first not in _OPENS_BLOCK:
            continue
        if not code.endswith(":"):
            rest = body[len(code) :]
            yield near.with_line(index, f"{code}:{rest}", share, "add the missing colon")
            if code[-1] in ";,.{":
                yield near.with_line(index, f"{code[:-1].rstrip()}:{rest}", 0.95 * share, "end with a colon")
        for piece, after in zip(near.pieces(index), near.pieces(index)[1:], strict=False):
            if piece.ends_value and after.begins_value:
                span = (piece.end, piece.end)
                yield near.with_span(index, span, ":", 0.45 * share, "add the missing colon")


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
        yield near.with_lines({index: None}, 0.4, "take the line out")
        yield near.with_line(index, own + "pass", 0.35)
    if "outside async function" in message:
        headers = [i for i in range(index, -1, -1) if near.code(i).lstrip().startswith("def ")]
        for header in [i for i in headers if i == index or len(near.indent(i)) < len(own)][:1]:
            at = len(near.indent(header))
            yield near.with_span(header, (at, at), "async ", 1.0, "make the function `async`")
        for piece in near.pieces(index):
            if piece.code in {"await", "async"}:
                yield near.with_span(index, (piece.start, piece.end + 1), "", 0.6, f"drop `{piece.code}`")


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
        weight = 0.6 if 2 in choice else {hunks: 0.99, 0: 1.0}.get(sum(choice), 0.8)
        yield Variant(partial(_settled, parts, choices), weight, "settle the merge conflict")


def _settled(parts: list[list[list[str]]], choices: list[int]) -> str:
    chosen = zip(parts, choices, strict=True)
    return "".join(
        line for part, side in chosen for line in ([*part[0], *part[1]] if side == 2 else part[side])
    )


LAYOUT: tuple[Callable[[Near], Iterator[Variant]], ...] = (_conflicts, _colons, _indents, _outside)
