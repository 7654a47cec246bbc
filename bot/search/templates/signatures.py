"""Calls that do not fit what they call: arguments too many, too few, misnamed; methods without ``self``."""

import ast
import re
from collections.abc import Iterator, Sequence
from itertools import islice

from bot.patch.syntax import last_name
from bot.search.operators.arguments import argued, dropped
from bot.search.operators.base import Context, Mutation, together
from bot.search.source import Function
from bot.search.templates.attributes import misspelt_init
from bot.search.templates.changes import add_parameter, close, decorated, decorators
from bot.search.templates.failure import Failure
from bot.search.templates.library import keywords
from bot.search.templates.project import Definition, Project, Spot
from bot.search.templates.template import template

MAX_ELSEWHERE = 3
_CALL = r"([\w.<>]+)\(\)"


class Site:
    """A call that does not fit: the functions that the message speaks of, and the calls that may be meant."""

    def __init__(self, qualified: str, failure: Failure, project: Project) -> None:
        parts = [part for part in qualified.split(".") if part != "<locals>"]
        self.name = parts[-1]
        owner = parts[-2] if len(parts) > 1 and f"{parts[-2]}.<locals>" not in qualified else ""
        self.functions = project.functions(self.name, owner)[:3]
        names = {self.name, owner} if self.name == "__init__" else {self.name}
        self.spots = list(project.spots(failure)) if failure.frames else list(project.calls(names))
        self.calls = [
            (spot, call)
            for spot in (self.spots[:2] if failure.frames else self.spots)
            for call in spot.of(ast.Call)
            if last_name(call.func) in names
        ]
        # A call in a test, or in a library, is as it should be: the definition is what is wrong.
        innermost = failure.frames[0].path if failure.frames else ""
        self.caller_fixed = not self.calls or (bool(innermost) and not project.may_change(innermost))


def _parameters(function: Function) -> list[str]:
    """The positional parameters."""
    return [arg.arg for arg in (*function.args.posonlyargs, *function.args.args)]


def _parameters_given(function: Function | None) -> list[str]:
    """The same without the object or class that a method is called on; none where nobody knows."""
    return [name for name in _parameters(function) if name not in {"self", "cls"}] if function else []


@template(
    "too many arguments",
    "TypeError",
    _CALL + r" takes (?:from \d+ to )?(\d+) positional arguments? but (\d+)",
)
def _too_many(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``f() takes 1 positional argument but 2 were given``."""
    site = Site(match.group(1), failure, project)
    extra = int(match.group(3)) - int(match.group(2))
    for found in site.functions:
        yield from _not_bound(found)
        yield from _missing_parameters(found, site, extra)
    for spot, call in site.calls:
        for rank, argument in enumerate(reversed(call.args)):
            weight = (0.5 if site.caller_fixed else 0.93) - 0.05 * rank
            yield dropped(call, argument, spot.context, weight)


@template("too many arguments", "TypeError", r"(\w+)\(\) takes no arguments")
def _takes_none(match: re.Match[str], _failure: Failure, project: Project) -> Iterator[Mutation]:
    """``X() takes no arguments``: ``__init__`` is misspelt."""
    for found in project.classes(match.group(1))[:2]:
        yield from misspelt_init(found)


def _not_bound(found: Definition[Function]) -> Iterator[Mutation]:
    """A method that does not take the object that it is called on."""
    marks, function, context = decorators(found), found.node, found.context
    if context.source.parents[function] is not found.owner or "staticmethod" in marks:
        return
    first = next(iter(_parameters(function)), "")
    if first == "cls" and "classmethod" not in marks:
        yield decorated(found, "@classmethod", 1.0)
    elif first not in {"self", "cls"}:
        uses = any(isinstance(node, ast.Name) and node.id == "self" for node in ast.walk(function))
        name, weight = ("cls", 0.99) if "classmethod" in marks else ("self", 1.0 if uses else 0.98)
        yield add_parameter(function, name, context, first=True, weight=weight)
        yield decorated(found, "@staticmethod", 0.5 if uses else 0.97)


def _missing_parameters(found: Definition[Function], site: Site, extra: int) -> Iterator[Mutation]:
    """A parameter that the body reads and nobody declared, or that callers already pass."""
    context, function = found.context, found.node
    read = [node.id for node in ast.walk(function) if isinstance(node, ast.Name)]
    loose = list(dict.fromkeys(name for name in read if name not in context.scopes.known))
    passed = [part.id for _, call in site.calls for part in call.args[-extra:] if isinstance(part, ast.Name)]
    for names, weight in ((loose, 0.99), (passed, 0.7)):
        if len(names) == extra:
            yield add_parameter(function, ", ".join(names), context, first=False, weight=weight)
    if function.args.vararg is None and not function.args.kwonlyargs and function.args.kwarg is None:
        weight = 0.8 if site.caller_fixed else 0.5
        yield add_parameter(function, "*args", context, first=False, weight=weight)


@template(
    "missing argument",
    "TypeError",
    _CALL + r" missing \d+ required (?:positional|keyword-only) arguments?: (.*)",
)
def _too_few(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``f() missing 1 required positional argument: 'x'``."""
    site = Site(match.group(1), failure, project)
    missing = re.findall(r"'(\w+)'", match.group(2))
    for found in site.functions:
        first = next(iter(_parameters(found.node)), "")
        if first == "cls" and not decorators(found):
            yield from _not_bound(found)
        yield from _optional(found, missing, 0.9 if site.caller_fixed else 0.66)
    for spot, call in site.calls:
        definition = next((found.node for found in site.functions), None)
        yield from _given(call, missing, definition, spot)
        if "self" in missing and isinstance(call.func, ast.Attribute):
            owner, context = call.func.value, spot.context
            yield context.put(owner, f"{context.code(owner)}()", weight=0.9)
            if isinstance(owner, ast.Name) and context.source.class_of(call):
                yield context.put(owner, "self", weight=0.92)
                yield context.put(owner, "super()", weight=0.85)


def _optional(found: Definition[Function], missing: list[str], weight: float) -> Iterator[Mutation]:
    """A default for the parameter, where those after it have one."""
    arguments = found.node.args
    positional = [*arguments.posonlyargs, *arguments.args]
    required = positional[: len(positional) - len(arguments.defaults)]
    named = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    lone = [arg for arg, default in named if default is None and arg.arg in missing]
    tail = [arg for arg in required[-len(missing) :] if arg.arg in missing] if missing else []
    chosen = [*tail, *lone]
    if len(chosen) != len(missing):
        return
    for rank, value in enumerate(("None", "0", '""', "False", "()", "1")):
        ends = [(found.context.source.segment(arg)[1], " = " if arg.annotation else "=") for arg in chosen]
        changes = (found.context.replace(end, end, f"{sign}{value}") for end, sign in ends)
        yield together(*changes, weight=weight - 0.07 * rank, why=f"default to `{value}`")


def _given(call: ast.Call, missing: list[str], function: Function | None, spot: Spot) -> Iterator[Mutation]:
    """The arguments that the call forgot, from what is in scope under the same names."""
    context = spot.context
    variables = context.scopes.variables(call)
    attributes = context.scopes.self_attributes(call)
    wanted = [name for name in missing if name not in {"self", "cls"}]
    if not wanted:
        return
    values = [name if name in variables else f"self.{name}" if name in attributes else "" for name in wanted]
    if all(values):
        yield _argued(call, list(zip(wanted, values, strict=True)), function, context, 0.99)
        return
    if len(wanted) == 1:
        for rank, code in enumerate(_given_elsewhere(call, wanted[0], function, spot)):
            yield _argued(call, [(wanted[0], code)], function, context, 0.9 - 0.03 * rank)
        taken = {context.code(part) for part in call.args}
        similar = close(wanted[0], (*variables, *attributes))
        options = [*similar, *(name for name in variables if name not in taken and name not in similar)]
        for rank, name in enumerate(options[:5]):
            value = name if name in variables else f"self.{name}"
            weight = (0.85 if name in similar else 0.62) - 0.05 * rank
            yield _argued(call, [(wanted[0], value)], function, context, weight)
    yield _argued(call, [(name, "None") for name in wanted], function, context, 0.5)


def _given_elsewhere(call: ast.Call, name: str, function: Function | None, spot: Spot) -> list[str]:
    """The constants that other calls of the same function in the file give for ``name``."""
    parameters = _parameters_given(function)
    place = parameters.index(name) if name in parameters else len(parameters)
    found: dict[str, None] = {}
    for node in spot.context.source.parents:
        if isinstance(node, ast.Call) and node is not call and last_name(node.func) == last_name(call.func):
            values = [*node.args[place : place + 1], *(one.value for one in node.keywords if one.arg == name)]
            found.update((spot.context.code(one), None) for one in values if isinstance(one, ast.Constant))
    return [*found][:MAX_ELSEWHERE]


def _argued(
    call: ast.Call, pairs: list[tuple[str, str]], function: Function | None, context: Context, weight: float
) -> Mutation:
    """The call with more arguments: in their places where those are the next ones, else by keyword."""
    parameters = _parameters_given(function)
    next_ones = parameters[len(call.args) : len(call.args) + len(pairs)]
    in_place = not call.keywords and (next_ones == [name for name, _ in pairs] or not parameters)
    code = ", ".join(value if in_place else f"{name}={value}" for name, value in pairs)
    return argued(call, code, context, weight=weight, why=f"pass `{code}`")


@template("unexpected keyword", "TypeError", _CALL + r" got an unexpected keyword argument '(\w+)'")
def _unexpected(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``f() got an unexpected keyword argument 'k'``: misnamed there, or never declared."""
    site, word = Site(match.group(1), failure, project), match.group(2)
    names: list[str] = []
    for found in site.functions:
        arguments = found.node.args
        parameters = [arg.arg for arg in (*arguments.args, *arguments.kwonlyargs)]
        names += parameters
        for rank, other in enumerate(close(word, parameters) if site.caller_fixed else ()):
            yield _parameter_renamed(found, other, word, 0.9 - 0.06 * rank)
        weight = 0.85 if site.caller_fixed else 0.6
        for rank, value in enumerate(("None", "False", "0")):
            code, share = f"{word}={value}", weight - 0.1 * rank
            yield add_parameter(found.node, code, found.context, first=False, weight=share)
        if arguments.kwarg is None:
            yield add_parameter(found.node, "**kwargs", found.context, first=False, weight=weight - 0.25)
    for spot, call, keyword in _giving(site, word):
        context = spot.context
        words = (node.arg for node in context.source.parents if isinstance(node, ast.arg))
        known = names or [*keywords(context.code(call.func)), *words]
        yield from _misnamed(call, keyword, known, context)


@template("unexpected keyword", "TypeError", r"'(\w+)' is an invalid keyword argument")
def _invalid(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``'reversed' is an invalid keyword argument for sort()``: of what is not written in Python."""
    for spot in islice(project.spots(failure), 1):
        for call in spot.of(ast.Call):
            for keyword in (part for part in call.keywords if part.arg == match.group(1)):
                yield from _misnamed(call, keyword, keywords(spot.context.code(call.func)), spot.context)


def _misnamed(
    call: ast.Call, keyword: ast.keyword, names: Sequence[str], context: Context
) -> Iterator[Mutation]:
    """A keyword by one of ``names`` that is similar, or none."""
    word, start = keyword.arg or "", context.source.segment(keyword)[0]
    for rank, other in enumerate(close(word, names)):
        yield context.replace(start, start + len(word), other, weight=0.97 - 0.05 * rank)
    yield dropped(call, keyword, context, 0.7)


def _giving(site: Site, word: str) -> list[tuple[Spot, ast.Call, ast.keyword]]:
    """The calls that give the keyword: what they call may hand it on, in a library as in the project."""
    found = [
        (spot, call, keyword)
        for spot in site.spots
        for call in spot.of(ast.Call)
        for keyword in call.keywords
        if keyword.arg == word
    ]
    return [each for each in found if each[:2] in site.calls] or found[:2]


def _parameter_renamed(found: Definition[Function], old: str, new: str, weight: float) -> Mutation:
    context = found.context
    changes: list[Mutation] = []
    for node in ast.walk(found.node):
        if isinstance(node, ast.arg) and node.arg == old:
            start = context.source.segment(node)[0]
            changes.append(context.replace(start, start + len(old), new))
        elif isinstance(node, ast.Name) and node.id == old:
            changes.append(context.put(node, new))
    return together(*changes, weight=weight, why=f"call the parameter `{new}`")


@template("argument twice", "TypeError", _CALL + r" got multiple values for (?:keyword )?argument '(\w+)'")
def _twice(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``f() got multiple values for argument 'x'``: a method without ``self``, or one argument too many."""
    site, word = Site(match.group(1), failure, project), match.group(2)
    for found in site.functions:
        yield from _not_bound(found)
    for spot, call in site.calls:
        keywords = [keyword for keyword in call.keywords if keyword.arg == word]
        for part in (*call.args[-1:], *keywords):
            yield dropped(call, part, spot.context, 0.85)
        for keyword in keywords:
            yield spot.context.put_like(keyword, keyword.value, weight=0.6)
