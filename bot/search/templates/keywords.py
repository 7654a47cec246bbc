"""Keyword arguments that a call gives and the function does not take, or takes twice."""

import ast
import re
from collections.abc import Iterator

from bot.domain import SpanEdit
from bot.search.operators.base import Context, Mutation
from bot.search.similar_names import close
from bot.search.source import Function
from bot.search.templates.changes import (
    add_parameter,
    put_like,
)
from bot.search.templates.failure import Failure
from bot.search.templates.project import Definition, Project, Spot
from bot.search.templates.signatures import not_bound
from bot.search.templates.site import Site, dropped
from bot.search.templates.template import Template, template


def _unexpected(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``f() got an unexpected keyword argument 'k'``."""
    site, word = Site(match.group(1), failure, project), match.group(2)
    names: list[str] = []
    for found, function in site.functions():
        parameters = [arg.arg for arg in (*function.args.args, *function.args.kwonlyargs)]
        names += parameters
        yield from _parameter_meant(found, function, word, caller_fixed=site.caller_fixed)
    for spot, call in _giving(site, word):
        if not site.definitions:
            names = [
                *_KEYWORDS,
                *(arg.arg for arg in spot.context.source.parents if isinstance(arg, ast.arg)),
            ]
        for rank, other in enumerate(close(word, names)):
            yield from _keyword_put(call, word, other, spot.context, 0.97 - 0.05 * rank)
        for keyword in call.keywords:
            if keyword.arg == word:
                yield dropped(call, keyword, spot.context, 0.7)


def _giving(site: Site, word: str) -> list[tuple[Spot, ast.Call]]:
    """The calls that give the keyword: what they call may hand it on, in a library as in the project."""
    found = [
        (spot, call)
        for spot in site.spots
        for call in spot.of(ast.Call)
        if any(keyword.arg == word for keyword in call.keywords)
    ]
    return [each for each in found if each in site.calls] or found[:2]


def _parameter_meant(
    found: Definition, function: Function, word: str, *, caller_fixed: bool
) -> Iterator[Mutation]:
    """The definition made to take the keyword: a parameter of a similar name, or one more."""
    names = [arg.arg for arg in (*function.args.args, *function.args.kwonlyargs)]
    if caller_fixed:
        for rank, other in enumerate(close(word, names)):
            yield _parameter_renamed(found, function, other, word, 0.9 - 0.06 * rank)
    weight = 0.85 if caller_fixed else 0.6
    for rank, value in enumerate(("None", "False", "0")):
        code = f"{word}={value}"
        yield add_parameter(function, code, found.context, first=False, weight=weight - 0.1 * rank)
    if function.args.kwarg is None:
        yield add_parameter(function, "**kwargs", found.context, first=False, weight=weight - 0.25)


# Keyword arguments of the standard library that code misspells.
_KEYWORDS = (
    *("key", "reverse", "default", "maxsplit", "sep", "end", "file", "indent", "encoding", "errors", "mode"),
    *("start", "step", "stop", "sort_keys", "ensure_ascii", "exist_ok", "parents", "timeout", "strict"),
)


def _keyword_put(call: ast.Call, old: str, new: str, context: Context, weight: float) -> Iterator[Mutation]:
    for keyword in call.keywords:
        if keyword.arg == old:
            start = context.source.segment(keyword)[0]
            yield context.replace(start, start + len(old), new, weight=weight)


def _parameter_renamed(found: Definition, function: Function, old: str, new: str, weight: float) -> Mutation:
    context = found.context
    edits: list[SpanEdit] = []
    for node in ast.walk(function):
        if isinstance(node, ast.arg) and node.arg == old:
            start = context.source.segment(node)[0]
            edits += context.replace(start, start + len(old), new).edits
        elif isinstance(node, ast.Name) and node.id == old:
            edits += context.put(node, new).edits
    return Mutation(edits=tuple(edits), weight=weight, explanation=f"call the parameter `{new}`")


def _twice(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``f() got multiple values for argument 'x'``: a method without ``self``, or one argument too many."""
    site, word = Site(match.group(1), failure, project), match.group(2)
    for found, function in site.functions():
        yield from not_bound(found, function)
    for spot, call in site.calls:
        for part in (*call.args[-1:], *(keyword for keyword in call.keywords if keyword.arg == word)):
            yield dropped(call, part, spot.context, 0.85)
        for keyword in call.keywords:
            if keyword.arg == word:
                yield put_like(keyword, keyword.value, spot.context, 0.6)


def _invalid_keyword(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``'reversed' is an invalid keyword argument for sort()``."""
    word = match.group(1)
    for spot in project.spots(failure):
        for call in spot.of(ast.Call):
            for keyword in (part for part in call.keywords if part.arg == word):
                for rank, other in enumerate(close(word, _KEYWORDS)):
                    yield from _keyword_put(call, word, other, spot.context, 0.95 - 0.06 * rank)
                yield dropped(call, keyword, spot.context, 0.7)
        return


TEMPLATES: tuple[Template, ...] = (
    template(
        "unexpected keyword",
        "TypeError",
        r"([\w.<>]+)\(\) got an unexpected keyword argument '(\w+)'",
        _unexpected,
    ),
    template("unexpected keyword", "TypeError", r"'(\w+)' is an invalid keyword argument", _invalid_keyword),
    template(
        "argument twice",
        "TypeError",
        r"([\w.<>]+)\(\) got multiple values for (?:keyword )?argument '(\w+)'",
        _twice,
    ),
)
