"""Calls that do not fit what they call: arguments too many, too few, misnamed; methods without ``self``."""

import ast
import re
from collections.abc import Iterator

from bot.domain import SpanEdit
from bot.search.operators.base import Context, Mutation
from bot.search.similar_names import close
from bot.search.source import Function
from bot.search.templates.changes import (
    add_parameter,
    argued,
    callee_name,
    decorated,
    decorators,
    parameters_start,
    undecorated,
)
from bot.search.templates.classes import generated
from bot.search.templates.failure import Failure
from bot.search.templates.project import Definition, Project, Spot
from bot.search.templates.site import Site, dropped
from bot.search.templates.template import Template, template

# What Python itself calls these with.
_PROTOCOLS = {
    "__exit__": "self, exc_type, exc_value, traceback", "__aexit__": "self, exc_type, exc_value, traceback",
    "__eq__": "self, other", "__lt__": "self, other", "__add__": "self, other", "__getitem__": "self, key",
    "__setitem__": "self, key, value", "__contains__": "self, item", "__len__": "self", "__iter__": "self",
    "__enter__": "self", "__str__": "self", "__repr__": "self", "__hash__": "self", "__next__": "self",
    "__getattr__": "self, name", "__delitem__": "self, key", "__mul__": "self, other",
    "__sub__": "self, other",
    "__get__": "self, instance, owner=None", "__set__": "self, instance, value", "__missing__": "self, key",
    "__setattr__": "self, name, value", "__bool__": "self", "__post_init__": "self",
}  # fmt: skip


def _first(function: Function) -> str:
    arguments = [*function.args.posonlyargs, *function.args.args]
    return arguments[0].arg if arguments else ""


def _uses(function: Function, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(function))


def _too_many(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``f() takes 1 positional argument but 2 were given``."""
    site = Site(match.group(1), failure, project)
    extra = int(match.group(3)) - int(match.group(2))
    for found, function in site.functions():
        yield from not_bound(found, function)
        if function.name in _PROTOCOLS and found.owner is not None:
            yield _signature_put(found, function, _PROTOCOLS[function.name], 0.98)
        yield from _missing_parameters(found, function, site, extra)
    for spot, call in site.calls:
        for rank, argument in enumerate(reversed(call.args)):
            weight = (0.5 if site.caller_fixed else 0.93) - 0.05 * rank
            yield dropped(call, argument, spot.context, weight)
    if not site.definitions and not site.calls:
        yield from generated(site.name, project)


def not_bound(found: Definition, function: Function) -> Iterator[Mutation]:
    """A method that does not take the object that it is called on."""
    marks = decorators(found)
    if found.owner is None or found.context.source.parents[function] is not found.owner:
        return
    if marks & {"staticmethod"}:
        return
    first = _first(function)
    if first == "cls" and "classmethod" not in marks:
        yield decorated(found, "@classmethod", 1.0)
    elif first != "self":
        uses = _uses(function, "self")
        yield add_parameter(function, "self", found.context, first=True, weight=1.0 if uses else 0.98)
        yield decorated(found, "@staticmethod", 0.97 if not uses else 0.5)
        if "classmethod" in marks:
            yield add_parameter(function, "cls", found.context, first=True, weight=0.99)


def _signature_put(found: Definition, function: Function, code: str, weight: float) -> Mutation:
    source = found.context.source
    start = end = parameters_start(function, found.context)
    parts = [*function.args.args, *function.args.kwonlyargs, function.args.vararg, function.args.kwarg]
    for part in (*parts, *function.args.defaults):
        end = max(end, source.segment(part)[1]) if part else end
    return found.context.replace(start, end, code, weight=weight, why=f"take `{code}`")


def _missing_parameters(found: Definition, function: Function, site: Site, extra: int) -> Iterator[Mutation]:
    """A parameter that the body reads and nobody declared, or that callers already pass."""
    context = found.context
    known = context.scopes.known
    loose = [node.id for node in ast.walk(function) if isinstance(node, ast.Name) and node.id not in known]
    names = list(dict.fromkeys(loose))
    passed = [part.id for _, call in site.calls for part in call.args[-extra:] if isinstance(part, ast.Name)]
    if len(names) == extra:
        yield add_parameter(function, ", ".join(names), context, first=False, weight=0.99)
    if len(passed) == extra:
        yield add_parameter(function, ", ".join(passed), context, first=False, weight=0.7)
    weight = 0.8 if site.caller_fixed else 0.5
    if function.args.vararg is None and not function.args.kwonlyargs and function.args.kwarg is None:
        yield add_parameter(function, "*args", context, first=False, weight=weight)


def _too_few(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``f() missing 1 required positional argument: 'x'``."""
    site = Site(match.group(1), failure, project)
    missing = re.findall(r"'(\w+)'", match.group(2))
    for found, function in site.functions():
        if _first(function) == "cls" and not decorators(found):
            yield from not_bound(found, function)
        if _first(function) in {"self", "cls"} and "staticmethod" in decorators(found):
            yield from undecorated(found, "staticmethod", 1.0)
        if missing and missing[0] == "self" and not _uses_first(function):
            yield _signature_put(found, function, ", ".join(_rest(function, found)), 0.5)
        yield from _optional(found, function, missing, 0.9 if site.caller_fixed else 0.66)
    for spot, call in site.calls:
        definition = next((node for _, node in site.functions()), None)
        yield from _given(call, missing, definition, spot)
        if "self" in missing and isinstance(call.func, ast.Attribute):
            yield spot.context.put(call.func.value, f"{spot.context.code(call.func.value)}()", weight=0.9)
            if isinstance(call.func.value, ast.Name) and spot.context.source.class_of(call):
                yield spot.context.put(call.func.value, "self", weight=0.92)
                yield spot.context.put(call.func.value, "super()", weight=0.85)


def _uses_first(function: Function) -> bool:
    return _uses(function, _first(function))


def _rest(function: Function, found: Definition) -> Iterator[str]:
    yield from (found.context.code(arg) for arg in function.args.args[1:])


def _optional(found: Definition, function: Function, missing: list[str], weight: float) -> Iterator[Mutation]:
    """A default for the parameter, where those after it have one."""
    positional = [*function.args.posonlyargs, *function.args.args]
    required = positional[: len(positional) - len(function.args.defaults)]
    lone = [
        arg
        for arg, default in zip(function.args.kwonlyargs, function.args.kw_defaults, strict=True)
        if default is None
    ]
    tail = [arg for arg in required[-len(missing) :] if arg.arg in missing] if missing else []
    chosen = [*tail, *(arg for arg in lone if arg.arg in missing)]
    if len(chosen) != len(missing) or not chosen:
        return
    for rank, value in enumerate(("None", "0", '""', "False", "()", "1")):
        edits: list[SpanEdit] = []
        for arg in chosen:
            end = found.context.source.segment(arg)[1]
            edits += found.context.replace(end, end, f" = {value}" if arg.annotation else f"={value}").edits
        why = f"default to `{value}`"
        yield Mutation(edits=tuple(edits), weight=weight - 0.07 * rank, explanation=why)


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
        taken = {context.code(part) for part in call.args}
        similar = close(wanted[0], (*variables, *attributes))
        options = [*similar, *(name for name in variables if name not in taken and name not in similar)]
        for rank, name in enumerate(options[:5]):
            value = name if name in variables else f"self.{name}"
            weight = (0.85 if name in similar else 0.62) - 0.05 * rank
            yield _argued(call, [(wanted[0], value)], function, context, weight)
    yield _argued(call, [(name, "None") for name in wanted], function, context, 0.5)


def _argued(
    call: ast.Call, pairs: list[tuple[str, str]], function: Function | None, context: Context, weight: float
) -> Mutation:
    """The call with more arguments: in their places where those are the next ones, else by keyword."""
    taken = [*function.args.posonlyargs, *function.args.args] if function else []
    parameters = [arg.arg for arg in taken]
    parameters = parameters[1:] if parameters[:1] in (["self"], ["cls"]) else parameters
    next_ones = parameters[len(call.args) : len(call.args) + len(pairs)]
    in_place = not call.keywords and (next_ones == [name for name, _ in pairs] or not parameters)
    code = ", ".join(value if in_place else f"{name}={value}" for name, value in pairs)
    return argued(call, code, context, weight=weight, why=f"pass `{code}`")


def _builtin_too_many(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``list.append() takes exactly one argument (2 given)``: one tuple was meant, or one argument less."""
    name = match.group(1).rpartition(".")[2]
    for spot in project.spots(failure):
        for call in spot.of(ast.Call):
            if callee_name(call) != name or not call.args:
                continue
            context = spot.context
            start, end = context.source.segment(call.args[0])[0], context.source.segment(call.args[-1])[1]
            if len(call.args) > 1:
                inner = context.source.code[start:end]
                yield context.replace(start, end, f"({inner})", weight=0.92)
                yield context.replace(start, end, f"[{inner}]", weight=0.8)
                if name == "append":
                    yield context.put(call.func, f"{context.code(call.func)[: -len(name)]}extend", weight=0.3)
            for rank, argument in enumerate(reversed(call.args)):
                yield dropped(call, argument, context, 0.85 - 0.1 * rank)
        return


TEMPLATES: tuple[Template, ...] = (
    template(
        "too many arguments",
        "TypeError",
        r"([\w.<>]+)\(\) takes (?:from \d+ to )?(\d+) positional arguments? but (\d+)",
        _too_many,
    ),
    template(
        "missing argument",
        "TypeError",
        r"([\w.<>]+)\(\) missing \d+ required (?:positional|keyword-only) arguments?: (.*)",
        _too_few,
    ),
    template(
        "builtin's arguments",
        "TypeError",
        r"^([\w.]+)(?:\(\))? (?:takes (?:exactly|at most)|expected (?:at most )?\d+|expected exactly)",
        _builtin_too_many,
    ),
)
