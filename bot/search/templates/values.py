"""Values that are not there: items, matches, divisors; and collections that change while they are walked."""

import ast
import re
from collections.abc import Iterator
from itertools import pairwise

from bot.search.exits import exits
from bot.search.operators.base import Context, Mutation
from bot.search.operators.statements import inserted
from bot.search.source import LOOPS
from bot.search.templates.changes import argued, callee_name, put_like, suffixed, wrapped
from bot.search.templates.failure import Failure
from bot.search.templates.none_values import nothing_fixes
from bot.search.templates.project import Project, Spot
from bot.search.templates.template import Template, template


def _changed_while_walked(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``for k in d: del d[k]``: walk over a copy."""
    del match
    for spot in project.spots(failure):
        loops = [
            node
            for node in (spot.statement, *spot.context.source.ancestors(spot.statement))
            if isinstance(node, (ast.For, ast.AsyncFor))
        ]
        walked = [loop.iter for loop in loops] + [part.iter for part in spot.of(ast.comprehension)]
        for node in walked:
            yield wrapped(node, "list", spot.context, 0.98)
            if isinstance(node, ast.Name):
                yield suffixed(node, ".copy()", spot.context, 0.7)
        if walked:
            return


def _stop_iteration(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``next`` at the end of what there is, and ``raise StopIteration`` inside a generator."""
    del match
    for spot in project.spots(failure):
        context = spot.context
        asks = [call for call in spot.of(ast.Call) if callee_name(call) == "next" and len(call.args) == 1]
        for call in asks:
            code = context.code(call.args[0])
            bare = isinstance(call.args[0], ast.GeneratorExp) and not code.startswith("(")
            code = f"({code})" if bare else code
            for default, weight in (("None", 0.95), ("0", 0.7), ('""', 0.6), ("-1", 0.5)):
                yield context.put(call, f"next({code}, {default})", weight=weight)
        if isinstance(spot.statement, ast.Raise):
            yield context.replace(*context.source.segment(spot.statement), "return", weight=0.97)
        if asks or isinstance(spot.statement, ast.Raise):
            return


def _division(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A divisor that may be zero: another answer then."""
    del match
    for spot in project.spots(failure):
        context = spot.context
        divisions = [
            node for node in spot.of(ast.BinOp) if isinstance(node.op, (ast.Div, ast.FloorDiv, ast.Mod))
        ]
        for node in divisions:
            divisor = context.operand(node.right, 3)
            for answer, weight in (
                ("0", 0.9),
                ("0.0", 0.8),
                ("None", 0.7),
                (context.operand(node.left, 2), 0.4),
            ):
                yield context.put(
                    node, f"{context.code(node)} if {divisor} else {answer}", level=1, weight=weight
                )
            if context.source.function_of(node) is not None:
                step = context.source.step
                for answer, weight in (("0", 0.88), ("0.0", 0.78), ("None", 0.76)):
                    guard = f"if not {divisor}:\n{step}return {answer}"
                    yield from inserted(spot.statement, guard, context, weight=weight, before=True)
            yield context.put(node.right, f"max({context.code(node.right)}, 1)", weight=0.5)
        if divisions:
            return


def _empty(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``max`` of nothing, ``pop`` from nothing, the first of nothing."""
    del match
    for spot in project.spots(failure):
        context = spot.context
        found = False
        for call in spot.of(ast.Call):
            if callee_name(call) in {"max", "min"} and len(call.args) == 1:
                found = True
                for default, weight in (("0", 0.92), ("None", 0.9)):
                    code = f"{callee_name(call)}({context.code(call.args[0])}, default={default})"
                    yield context.put(call, code, weight=weight)
        yield from _guarded(spot)
        if found:
            return


def _guarded(spot: Spot) -> Iterator[Mutation]:
    """An answer for an empty collection, before the line that takes it for granted."""
    context = spot.context
    owners = [node.value for node in spot.of(ast.Subscript)]
    owners += [node.func.value for node in spot.of(ast.Call) if isinstance(node.func, ast.Attribute)]
    owners += [part for node in spot.of(ast.Call) for part in node.args[:1]]
    step = context.source.step
    function = context.source.function_of(spot.statement)
    if function is None:
        return
    known = context.scopes.locals_of(function)
    for owner in owners[:2]:
        if isinstance(owner, ast.Attribute) or (isinstance(owner, ast.Name) and owner.id in known):
            ways = dict(exits(spot.statement, context)[:3])
            for way, weight in (("return None", 0.74), ("return 0", 0.65), ("return []", 0.63)):
                ways.setdefault(way, weight)
            for rank, (way, weight) in enumerate(ways.items()):
                guard = f"if not {context.code(owner)}:\n{step}{way}"
                share = 0.95 * weight - 0.01 * rank
                yield from inserted(spot.statement, guard, context, weight=share, before=True)


def _index_error(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """Past the end: a loop that goes one too far, or a neighbour that is not there."""
    del match
    for spot in project.spots(failure):
        context = spot.context
        indexes = {
            name.id
            for node in spot.of(ast.Subscript)
            for name in ast.walk(node.slice)
            if isinstance(name, ast.Name)
        }
        ahead = any(
            isinstance(node.slice, ast.BinOp) and isinstance(node.slice.op, ast.Add)
            for node in spot.of(ast.Subscript)
        )
        for loop in (node for node in context.source.ancestors(spot.nodes[0]) if isinstance(node, LOOPS)):
            if isinstance(loop, ast.For) and getattr(loop.target, "id", "") in indexes:
                call = loop.iter
                if isinstance(call, ast.Call) and callee_name(call) == "range" and call.args:
                    last = call.args[0] if len(call.args) == 1 else call.args[1]
                    if isinstance(last, ast.BinOp) and isinstance(last.op, ast.Add) and not ahead:
                        yield put_like(last, last.left, context, 0.9)
                    yield context.put(last, f"{context.operand(last, 10)} - 1", level=10, weight=0.9)
            elif isinstance(loop, ast.While) and isinstance(loop.test, ast.Compare):
                yield from _stricter(loop.test, context)
        if isinstance(spot.statement, ast.While):
            yield from _reordered(spot.statement, context)
        yield from _guarded(spot)
        return


def _stricter(test: ast.Compare, context: Context) -> Iterator[Mutation]:
    token = context.source.operator_between(test.left, test.comparators[0])
    strict = {"<=": "<", ">=": ">"}
    if token is not None and token.code in strict:
        yield context.replace(token.start, token.end, strict[token.code], weight=0.92)


def _reordered(loop: ast.While, context: Context) -> Iterator[Mutation]:
    """``while a[i] > x and i >= 0``: the bound must be asked first."""
    if isinstance(loop.test, ast.BoolOp) and isinstance(loop.test.op, ast.And):
        parts = loop.test.values
        for first, second in pairwise(parts):
            yield context.exchange(first, second, weight=0.93)


def _unpacked(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """A number of values other than the number of names."""
    del match
    for spot in project.spots(failure):
        context = spot.context
        for node in (spot.statement, *spot.of(ast.comprehension)):
            if isinstance(node, (ast.For, ast.comprehension)):
                iterated = node.iter
                yield suffixed(iterated, ".items()", context, 0.95)
                yield wrapped(iterated, "enumerate", context, 0.93)
                if isinstance(iterated, ast.Call) and callee_name(iterated) in {"enumerate", "items"}:
                    inner = (
                        iterated.args[0] if iterated.args else getattr(iterated.func, "value", iterated.func)
                    )
                    yield put_like(iterated, inner, context, 0.85)
        if isinstance(spot.statement, ast.Assign):
            target, value = spot.statement.targets[0], spot.statement.value
            if isinstance(value, ast.Call) and callee_name(value) in {"split", "rsplit"}:
                count = len(getattr(target, "elts", ())) - 1
                if len(value.args) == 1 and count > 0:
                    yield argued(value, str(count), context, weight=0.95)
                at = context.source.segment(value.func)[1]
                length = len(callee_name(value))
                yield context.replace(at - length, at, "partition", weight=0.4)
            if isinstance(target, ast.Tuple) and target.elts:
                for name in target.elts:
                    yield context.replace(*(context.source.segment(name)[0],) * 2, "*", weight=0.6)
                end = context.source.segment(target.elts[-1])[1]
                yield context.replace(end, end, ", _", weight=0.7)
                yield context.replace(end, end, ", *_", weight=0.75)
        return


def _bad_number(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``int("3.5")``, ``int("1,000")``, ``float("")``."""
    code = match.group(1)
    for spot in project.spots(failure):
        context = spot.context
        for call in spot.of(ast.Call):
            if callee_name(call) in {"int", "float"} and call.args:
                node = call.args[0]
                if "." in code and callee_name(call) == "int":
                    yield wrapped(node, "float", context, 0.95)
                    yield context.put(call.func, "float", weight=0.93)
                if "," in code:
                    yield suffixed(node, '.replace(",", "")', context, 0.95)
                if not code.strip():
                    yield context.put(node, f"{context.operand(node, 2)} or 0", level=2, weight=0.93)
                if re.fullmatch(r"(0x)?[0-9a-fA-F]+", code):
                    yield context.replace(*(context.source.segment(node)[1],) * 2, ", 16", weight=0.9)
                # Signs at the ends only; blanks there are no hindrance to a number.
                stripped = code.strip("$€£% ")
                around = code.replace(stripped, "", 1) if stripped else ""
                signs = "".join(dict.fromkeys(around.replace(" ", "")))
                if signs:
                    blank = " " if " " in around else ""
                    yield suffixed(node, f'.strip("{signs}{blank}")', context, 0.85)
        return


def _not_found(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``remove`` and ``index`` of what is not there."""
    del match
    for spot in project.spots(failure):
        context = spot.context
        for call in spot.of(ast.Call):
            name = callee_name(call)
            if name in {"remove", "index", "rindex"} and isinstance(call.func, ast.Attribute) and call.args:
                owner, item = context.operand(call.func.value), context.operand(call.args[0], 6)
                step = context.source.step
                if name == "remove" and isinstance(spot.statement, ast.Expr):
                    indent = context.source.newline + (context.source.indent_of(spot.statement) or "") + step
                    code = f"if {item} in {owner}:{indent}{context.code(spot.statement)}"
                    yield context.replace(*context.source.segment(spot.statement), code, weight=0.95)
                else:
                    at = context.source.segment(call.func)[1]
                    yield context.replace(at - len(name), at, name.replace("index", "find"), weight=0.9)
                    answer = f"{context.code(call)} if {item} in {owner} else -1"
                    yield context.put(call, answer, level=1, weight=0.8)
        return


def _nothing_converted(match: re.Match[str], failure: Failure, project: Project) -> Iterator[Mutation]:
    """``int(None)``: see where the None comes from."""
    del match
    for spot in project.spots(failure):
        for call in spot.of(ast.Call):
            if callee_name(call) in {"int", "float"} and call.args:
                yield from nothing_fixes(call.args[0], spot, project)
                yield spot.context.put(
                    call.args[0], f"{spot.context.operand(call.args[0], 2)} or 0", level=2, weight=0.7
                )
        return


TEMPLATES: tuple[Template, ...] = (
    template(
        "changed while walked",
        "RuntimeError",
        r"changed size during iteration|mutated during iteration|keys changed during",
        _changed_while_walked,
    ),
    template(
        "end of iterator", "StopIteration|RuntimeError", r"^$|generator raised StopIteration", _stop_iteration
    ),
    template("zero divisor", "ZeroDivisionError", r"", _division),
    template(
        "empty collection",
        "ValueError|IndexError",
        r"empty (?:sequence|list|set|deque)|is empty|from an empty",
        _empty,
    ),
    template("past the end", "IndexError", r"out of range", _index_error),
    template("unpacking", "ValueError|TypeError", r"values to unpack|cannot unpack", _unpacked),
    template(
        "number from text",
        "ValueError",
        r"(?:invalid literal for int\(\) with base \d+|could not convert string to float): '(.*)'",
        _bad_number,
    ),
    template("not found", "ValueError", r"not in list|substring not found|is not in|x not in", _not_found),
    template(
        "number from nothing",
        "TypeError",
        r"(?:int|float)\(\) argument must be .* not 'NoneType'",
        _nothing_converted,
    ),
)
