"""Candidates that follow a change to a place that it missed: the same token is exchanged there as elsewhere.

A name, an attribute, a parameter or a literal, one for one.
"""

import ast
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from bot.domain import Candidate, Patch, SpanEdit, Suspicion
from bot.search.difference.mixtures import ORIGIN
from bot.search.source import Function, Source, parse

FOLLOWED = 30.0
"""Odds against an invented change, above those of the old version: the change itself went this way."""
MAX_FOLLOWED, MAX_PLACES = 16, 40


def followed(
    exchanges: Counter[tuple[str, str]], head: Mapping[str, str], suspicions: Sequence[Suspicion]
) -> tuple[Candidate, ...]:
    """Candidates from what ``head`` has in place of other tokens, the most often exchanged first.

    Each is in a file of ``suspicions``: on the suspicious lines of one function, or in the whole file.
    """
    lines: defaultdict[str, set[int]] = defaultdict(set)
    for one in suspicions if exchanges else ():
        lines[one.path].add(one.line)
    places: defaultdict[str, list[Patch]] = defaultdict(list)
    for path, numbers in lines.items():
        if source := parse(path, head[path]) if path in head else None:
            for token, patch in _patches(source, {old for old, _ in exchanges}, numbers):
                places[token].append(patch)
    found: dict[Patch, Candidate] = {}
    for (old, new), count in exchanges.most_common():
        times = f"{count} times" if count > 1 else "once"
        why = f"use `{new}` instead of `{old}`, as the change does elsewhere ({times})"
        for place in places[old]:
            patch = Patch(edits=tuple(replace(edit, replacement=new) for edit in place.edits))
            found.setdefault(patch, Candidate(patch=patch, origin=ORIGIN, explanation=why, score=FOLLOWED))
    return tuple(found.values())[:MAX_FOLLOWED]


def _patches(source: Source, tokens: Collection[str], lines: Collection[int]) -> Iterator[tuple[str, Patch]]:
    """Where each of ``tokens`` stands, as patches that do not change it yet."""
    every: defaultdict[str, list[SpanEdit]] = defaultdict(list)
    near: defaultdict[tuple[str, Function | None], list[SpanEdit]] = defaultdict(list)
    for node in source.parents:
        start, end = _place(source, node)
        token = source.code[start:end]
        if token in tokens:
            edit = SpanEdit(path=source.path, start=start, end=end, replacement=token)
            every[token].append(edit)
            if getattr(node, "end_lineno", 0) in lines:
                near[token, source.function_of(node)].append(edit)
    for (token, _), edits in near.items():
        for some in (edits, every[token]):
            if len(some) <= MAX_PLACES:
                yield token, Patch(edits=tuple(sorted(some, key=lambda one: one.start)))


def _place(source: Source, node: ast.AST) -> tuple[int, int]:
    """Where the token of ``node`` itself stands; nothing of a node that has none."""
    match node:
        case ast.Name() | ast.Constant():
            return source.segment(node)
        case ast.Attribute(attr=name):
            end = source.segment(node)[1]
            return end - len(name), end
        case ast.arg(arg=str() as name) | ast.keyword(arg=str() as name):
            start = source.segment(node)[0]
            return start, start + len(name)
    return 0, 0
