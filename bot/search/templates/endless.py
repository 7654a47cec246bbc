"""Runs that do not end: a loop that does not advance, a recursion that never reaches its end."""

import ast
import dataclasses
import re
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation
from bot.search.operators.insertions import base_cases
from bot.search.operators.statements import inserted
from bot.search.source import Function
from bot.search.templates.changes import callee_name
from bot.search.templates.failure import Failure
from bot.search.templates.members import renamed_member
from bot.search.templates.project import Definition, Project, Spot
from bot.search.templates.template import Template, template

_BASE_CASE = 0.82  # a missing case is less sure than a call that plainly goes nowhere


def _recursion(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A method that calls itself where it meant its base or its field; a case that never ends."""
    del match
    seen: set[ast.AST] = set()
    for spot in project.spots(failure):
        function = spot.context.source.function_of(spot.statement)
        if function is None or function in seen or len(seen) >= 2:
            continue
        seen.add(function)
        yield from _itself(function, spot)
        for change in base_cases(function, spot.context):
            yield dataclasses.replace(change, weight=change.weight * _BASE_CASE)


def _itself(function: Function, spot: Spot) -> Iterator[Mutation]:
    context, name = spot.context, function.name
    decorators = {context.code(part) for part in function.decorator_list}
    for node in ast.walk(function):
        if not (
            isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
        ):
            continue
        called = isinstance(context.source.parents[node], ast.Call)
        end = context.source.segment(node)[1]
        if node.attr == name and ("property" in decorators or f"{name}.setter" in decorators):
            yield context.replace(end - len(name), end, f"_{name}", weight=1.0)
        elif node.attr == name and called:
            yield context.put(node.value, "super()", weight=0.96)
            yield context.put(node, name, weight=0.6)
        elif name in {"__getattr__", "__getattribute__", "__setattr__"}:
            yield context.put(node, f'self.__dict__["{node.attr}"]', weight=0.8)
    for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
        inner = callee_name(call)
        if inner in {"str", "repr"} and name in {"__str__", "__repr__"} and len(call.args) == 1:
            yield context.put(call, f"object.__repr__({context.code(call.args[0])})", weight=0.7)
        if inner == name and isinstance(call.func, ast.Name):
            yield from _nearer(call, function, context)


def _nearer(call: ast.Call, function: Function, context: Context) -> Iterator[Mutation]:
    """The recursive call with an argument that comes closer to the end."""
    parameters = [arg.arg for arg in function.args.args]
    for argument, parameter in zip(call.args, parameters, strict=False):
        code = context.code(argument)
        if isinstance(argument, ast.Name) and code == parameter:
            for change, weight in (
                (f"{code} - 1", 0.9),
                (f"{code}[1:]", 0.88),
                (f"{code} // 2", 0.8),
                (f"{code}[:-1]", 0.75),
            ):
                yield context.put(argument, change, level=10 if "[" not in change else 15, weight=weight)
        elif isinstance(argument, ast.BinOp) and isinstance(argument.op, ast.Add):
            token = context.source.operator_between(argument.left, argument.right)
            if token is not None:
                yield context.replace(token.start, token.end, "-", weight=0.85)
        elif isinstance(argument, ast.Subscript) and isinstance(argument.slice, ast.Slice):
            start, end = context.source.segment(argument.slice)
            for bounds in ("1:", ":-1"):
                if context.code(argument.slice) != bounds:
                    yield context.replace(start, end, bounds, weight=0.7)


def _hanging(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A ``while`` whose variables its body never moves."""
    del match
    if not failure.timed_out:
        return
    for spot in project.spots(failure):
        around = (spot.statement, *spot.context.source.ancestors(spot.statement))
        for loop in [node for node in around if isinstance(node, ast.While)][:2]:
            yield from _advanced(loop, spot.context)


def _advanced(loop: ast.While, context: Context) -> Iterator[Mutation]:
    stored = {
        node.id
        for part in loop.body
        for node in ast.walk(part)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    test = [loop.test.left, *loop.test.comparators] if isinstance(loop.test, ast.Compare) else [loop.test]
    grows = isinstance(loop.test, ast.Compare) and isinstance(loop.test.ops[0], (ast.Lt, ast.LtE, ast.NotEq))
    for side, part in enumerate(test):
        for node in ast.walk(part):
            if not isinstance(node, ast.Name) or node.id in stored or _is_called(node, context):
                continue
            up = grows == (side == 0)
            steps = ((" += 1", 0.95 if up else 0.8), (" -= 1", 0.8 if up else 0.95), (" //= 2", 0.7))
            for step, weight in steps:
                code = node.id + step
                yield from inserted(loop.body[-1], code, context, weight=weight)
    if not stored:
        yield from inserted(loop.body[-1], "break", context, weight=0.6)
    yield from _assigned_to_itself(loop, context)


def _is_called(node: ast.Name, context: Context) -> bool:
    """Whether the name is called where it stands."""
    parent = context.source.parents[node]
    return isinstance(parent, ast.Call) and parent.func is node


def _assigned_to_itself(loop: ast.While, context: Context) -> Iterator[Mutation]:
    """``lo = mid`` in a bisection: the interval must shrink each time."""
    for node in (part for statement in loop.body for part in ast.walk(statement)):
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.value, ast.Name)
            and isinstance(node.targets[0], ast.Name)
        ):
            for sign, weight in (("+", 0.85), ("-", 0.8)):
                yield context.put(node.value, f"{node.value.id} {sign} 1", level=10, weight=weight)


def _abandoned(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``NotImplementedError`` from a base: the class below has the method under a similar name."""
    del match
    for spot in project.spots(failure):
        function = spot.context.source.function_of(spot.statement)
        owner = spot.context.source.class_of(spot.statement)
        if function is None or owner is None:
            return
        for below in _classes_below(owner.name, project):
            yield from renamed_member(function.name, below, 0.95)
        return


def _classes_below(name: str, project: Project) -> Iterator[Definition]:
    """The project's classes that name this one as a base."""
    for path in project.paths:
        context = project.context(path) if name in project.sources[path] else None
        for node in context.source.statements if context else ():
            bases = node.bases if isinstance(node, ast.ClassDef) else []
            if context and any(name in {getattr(b, "id", ""), getattr(b, "attr", "")} for b in bases):
                assert isinstance(node, ast.ClassDef)
                yield Definition(context, node, None)


TEMPLATES: tuple[Template, ...] = (
    template("endless recursion", "RecursionError", r"", _recursion),
    template("endless loop", "", r"", _hanging),
    template("not implemented", "NotImplementedError", r"", _abandoned),
)
