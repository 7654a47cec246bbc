"""Faults in what a newer release changed: mutants, older lines in newer code, lost statements. Pure."""

import ast
import random
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from difflib import SequenceMatcher
from typing import Any

from benchmarks.intended.pull_request import function_of
from benchmarks.seeded.mutants import Mutant
from bot.patch.syntax import Function, alike, parsed
from bot.patch.text import split_lines

MIXED, LOST = "older line", "lost statement"
GUARD_LINES = 4
"""So long an ``if`` without ``else`` may be to be lost as a whole."""


def changed_lines(older: str, newer: str) -> frozenset[int]:
    """The lines (1-based) of ``newer`` in the bodies of functions that ``older`` has otherwise."""
    before, after = _functions(older), _functions(newer)
    return frozenset(
        line
        for name, node in after.items()
        if name in before and not alike(node, before[name])
        for line in range(node.body[0].lineno, (node.end_lineno or node.lineno) + 1)
    )


def _functions(text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}

    def collect(node: ast.AST, prefix: str) -> None:
        for child in ast.iter_child_nodes(node):
            name = f"{prefix}{getattr(child, 'name', '')}"
            if isinstance(child, Function):
                found[name] = child
            elif isinstance(child, ast.ClassDef | ast.If | ast.Try):
                collect(child, f"{name}." if isinstance(child, ast.ClassDef) else prefix)

    if tree := parsed(text):
        collect(tree, "")
    return found


def mixed(path: str, older: str, newer: str, *, seed: str) -> Iterator[Mutant]:
    """Faults that have one line of ``older`` where ``newer`` has several others in its place."""
    before, after = split_lines(older), split_lines(newer)
    found = []
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "replace" or not 1 < j2 - j1 == i2 - i1:
            continue
        for old, new in zip(range(i1, i2), range(j1, j2), strict=True):
            if before[old].strip() and not _says_the_same(before[old].strip(), after[new].strip()):
                found.append((new, before[old]))
    random.Random(seed).shuffle(found)  # noqa: S311 - an order, not a secret
    for number, (line, text) in enumerate(found):
        start = sum(map(len, after[:line]))
        mutant = Mutant(
            path=path,
            operator=MIXED,
            occurrence=number,
            start=start,
            end=start + len(after[line]),
            replacement=text,
        )
        if parsed(mutant.apply(newer)) is not None:
            yield mutant


def _says_the_same(one: str, other: str) -> bool:
    trees = parsed(one), parsed(other)
    return one == other if None in trees else alike(*trees)


def lost(path: str, older: str, newer: str, *, seed: str) -> Iterator[Mutant]:
    """Faults that lack a statement which both releases have, in a function that the newer one changed.

    So somebody loses a line while they rewrite a function. What stands alone in its block is not taken out.
    """
    before, lines = _functions(older), split_lines(newer)
    found = []
    for name, node in _functions(newer).items():
        if name not in before or alike(node, before[name]):
            continue
        known = {ast.dump(one) for one in ast.walk(before[name]) if isinstance(one, ast.stmt)}
        found += [one for one in _removable(node) if ast.dump(one) in known]
    random.Random(seed).shuffle(found)  # noqa: S311 - an order, not a secret
    for number, one in enumerate(found):
        start, end = (sum(map(len, lines[:line])) for line in (one.lineno - 1, one.end_lineno or one.lineno))
        mutant = Mutant(path=path, operator=LOST, occurrence=number, start=start, end=end, replacement="")
        if newer[start:end].strip() != ast.get_source_segment(newer, one):
            continue  # it shares a line
        if parsed(mutant.apply(newer)) is not None:
            yield mutant


def _removable(function: ast.AST) -> Iterator[ast.stmt]:
    """The statements below ``function`` that can be taken out: short ones, not alone in their block."""
    for node in ast.walk(function):
        for block in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
            if isinstance(block, list) and len(block) > 1:
                yield from filter(_can_be_lost, block)


def _can_be_lost(node: ast.stmt) -> bool:
    match node:
        case ast.Assign() | ast.AugAssign() | ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return True
        case ast.Expr(value=ast.Call() | ast.Await() | ast.Yield()):
            return True
        case ast.If(orelse=[]):
            return (node.end_lineno or node.lineno) - node.lineno < GUARD_LINES
    return False


def without(text: str, tests: list[str]) -> str | None:
    """``text`` without the functions of ``tests`` (node ids); None where that leaves no program."""
    lines = split_lines(text)
    places = {place for test in tests if (place := function_of(text, test))}
    for first, last in sorted(places, reverse=True):
        del lines[first:last]
    left = "".join(lines)
    return left if places and parsed(left) is not None else None


def lines_of(mutant: Mutant, text: str) -> tuple[int, int]:
    """The first and the last line (1-based) of the fault in ``text``, which has it.

    Where a statement is lost, these are the lines before and after its place.
    """
    first = text.count("\n", 0, mutant.start) + 1
    if not mutant.replacement and mutant.operator == LOST:
        return first - 1, first
    return first, first + mutant.replacement.rstrip("\n").count("\n")


def as_data(mutant: Mutant, shown: list[str], hidden: Mapping[str, list[str]]) -> dict[str, Any]:
    """A case as plain data, without the library's source."""
    return {"mutant": asdict(mutant), "shown": shown, "hidden": dict(hidden)}
