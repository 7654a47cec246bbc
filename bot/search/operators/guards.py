"""Guards for what a failing test gives a function and no passing test does.

"Insert missed checkers" leads the fix patterns of TBar (Liu et al., ISSTA 2019). Here the check is one that
the failing test's argument fulfils and the arguments of passing tests do not; what follows is what the test
waits for.
"""

import ast
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import eq, ge, gt, lt, methodcaller
from typing import Any, NamedTuple, TypeAlias

from bot.search.conversions import EMPTY, conversions
from bot.search.examples import UNKNOWN, TestedCall, value_of
from bot.search.exits import answers, is_neutral, raised
from bot.search.operators.base import Context, Mutation, operator
from bot.search.operators.statements import at_head
from bot.search.source import FUNCTIONS, Function

_TYPES: tuple[type, ...] = (str, bytes, int, float, list, tuple, dict, set)
_MAX_SIGNS = 4  # signs of a text that are asked for
_SURE = 0.95  # weight of a conversion that nobody has to be asked about
_Values: TypeAlias = dict[str, object]


class _Check(NamedTuple):
    code: str
    holds: Callable[[Any], bool]


class _Case(NamedTuple):
    """What failing tests (``values``) and passing ones (``others``) give one parameter."""

    name: str
    values: list[object]
    others: list[object]
    example: TestedCall


@operator("guard", prior=0.6, kinds=FUNCTIONS)
def guard(node: Function, context: Context) -> Iterator[Mutation]:
    """``if x is None: return ...`` at a function's head, where a failing test gives it None."""
    examples = context.examples.of(context.source.called_as(node))
    failing = [example for example in examples if example.fails]
    passing = [_given(node, example) for example in examples if not example.fails]
    for outcome in dict.fromkeys((one.raises, _shown(one.answer)) for one in failing):
        group = [one for one in failing if (one.raises, _shown(one.answer)) == outcome]
        given = [_given(node, one) for one in group]
        # Calls that fail in several ways have more in common than one argument.
        alike = (len(group) / len(failing)) ** 2
        for rank, parameter in enumerate(_common(given)):
            others = [one[parameter] for one in passing if one.get(parameter, UNKNOWN) is not UNKNOWN]
            case = _Case(parameter, [one[parameter] for one in given], others, group[0])
            for code, weight in _guards(case, node, context):
                share = alike * weight / (1 + 0.15 * rank)
                yield from at_head(node, code, context, weight=share)


def _guards(case: _Case, function: Function, context: Context) -> Iterator[tuple[str, float]]:
    ways = _ways(case, function, context)
    for order, check in enumerate(_checks(case)):
        for place, way in enumerate(ways):
            yield context.when(check, way), 1 / (1 + 0.15 * (order + place))


def _shown(answer: ast.expr | None) -> str:
    return ast.unparse(answer) if answer is not None else ""


def _given(function: Function, example: TestedCall) -> _Values:
    """The literal that each parameter gets in a test's call, its default among them."""
    own = function.args
    names = [arg.arg for arg in (*own.posonlyargs, *own.args)]
    positional = names[1:] if names[:1] in (["self"], ["cls"]) else names
    given: dict[str, ast.expr | None] = dict(zip(names[::-1], own.defaults[::-1], strict=False))
    given |= dict(zip((arg.arg for arg in own.kwonlyargs), own.kw_defaults, strict=True))
    given |= dict(zip(positional, example.arguments, strict=False)) | dict(example.keywords)
    return {name: value_of(node) for name, node in given.items()}


def _common(given: Sequence[_Values]) -> list[str]:
    """The parameters for which every one of the calls has a literal."""
    first = given[0] if given else {}
    return [name for name in first if all(one.get(name, UNKNOWN) is not UNKNOWN for one in given)]


def _checks(case: _Case) -> Iterator[str]:
    """Conditions that hold of every failing value and of no passing one."""
    values, others = case.values, case.others
    found = [
        [check for check in _properties(case, value) if _separates(check, value, others)] for value in values
    ]
    whole = [check for check in found[0] if all(_separates(check, value, others) for value in values)]
    yield from dict.fromkeys(check.code for check in whole)
    if not whole and all(found):
        yield " or ".join(dict.fromkeys(checks[0].code for checks in found))


def _separates(check: _Check, value: object, others: Sequence[object]) -> bool:
    try:
        return check.holds(value) and not any(check.holds(other) for other in others)
    except (TypeError, AttributeError):
        return False


def _properties(case: _Case, value: object) -> Iterator[_Check]:
    """What may be asked of a value, the most particular first."""
    name, others = case.name, case.others
    if value is None:
        yield _Check(f"{name} is None", lambda other: other is None)
        return
    own = type(value)
    kinds = {type(other) for other in others if other is not None}
    if own in _TYPES and kinds and own not in kinds:
        wanted = next(iter(kinds))
        one = _of_other_type(name, wanted) if len(kinds) == 1 and wanted in _TYPES else []
        # A text in place of items is the usual slip; of a number, anything else is wrong.
        yield from one if wanted in {int, float} else []
        yield _Check(f"isinstance({name}, {own.__name__})", lambda other: isinstance(other, own))
        yield from one
    if not value and own is not bool:
        yield _Check(f"not {name}", lambda other: not other)
    if isinstance(value, (int, float)) and own is not bool:
        yield from _of_number(name, value, others if case.example.raises else ())
    # Some sign sets any text apart: only what is refused is asked for it.
    if isinstance(value, str) and others and case.example.raises:
        yield from _of_text(name, value)


def _of_other_type(name: str, wanted: type) -> list[_Check]:
    code = f"not isinstance({name}, {wanted.__name__})"
    given = f"{name} is not None and {code}"
    return [
        _Check(code, lambda other: not isinstance(other, wanted)),
        _Check(given, lambda other: other is not None and not isinstance(other, wanted)),
    ]


def _of_number(name: str, value: float, others: Sequence[object]) -> Iterator[_Check]:
    """Bounds: zero, and the largest and smallest number that passes."""
    numbers = [other for other in others if isinstance(other, (int, float))]
    for bound in dict.fromkeys([0, max(numbers), min(numbers)] if numbers else [0]):
        if value < bound:
            yield _Check(f"{name} < {bound}", partial(gt, bound))
        elif value > bound and numbers:
            yield _Check(f"{name} > {bound}", partial(lt, bound))
        elif value == bound == 0:
            yield _Check(f"{name} == 0", partial(eq, bound))
            yield _Check(f"{name} <= 0", partial(ge, bound))


def _of_text(name: str, text: str) -> Iterator[_Check]:
    """Signs that a text begins or ends with, or that it has."""
    signs = [sign for sign in dict.fromkeys(text) if not sign.isalnum() and sign.isprintable()]
    for sign in signs[:_MAX_SIGNS]:
        quoted = repr(sign) if sign in {'"', "\\"} else f'"{sign}"'
        if text.startswith(sign):
            yield _Check(f"{name}.startswith({quoted})", methodcaller("startswith", sign))
        if text.endswith(sign):
            yield _Check(f"{name}.endswith({quoted})", methodcaller("endswith", sign))
        yield _Check(f"{quoted} in {name}", methodcaller("__contains__", sign))


def _ways(case: _Case, function: Function, context: Context) -> list[str]:
    """What to do then: what the test waits for; else make the value what other tests give."""
    name, example = case.name, case.example
    if example.raises:
        message = f'f"invalid {name}: {{{name}!r}}"'
        return list(raised(example.raises, example.match, function.body[0], context, message))
    found = []
    own = answers(function, context)
    code = f"return {_shown(example.answer)}"
    if example.answer is not None and (is_neutral(value_of(example.answer)) or code in own):
        found.append(code)
    kinds = list(dict.fromkeys(type(other).__name__ for other in case.others if other is not None))
    kind = type(case.values[0]).__name__
    for wanted in kinds[:2]:
        if case.values[0] is not None:
            forms = [form for form, likely in conversions(kind, wanted) if likely >= _SURE]
            found += [f"{name} = {form.format(name)}" for form in forms]
        elif wanted in EMPTY:
            found.append(f"{name} = {EMPTY[wanted]}")
    # Where the test says nothing of the call itself: as the function ends elsewhere.
    return found if example.answer is not None else [*found, *own, "return None"][:4]
