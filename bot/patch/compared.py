"""Which attributes an ``__eq__`` has compared wherever it says that two objects are equal."""

import ast
from collections.abc import Iterator

from bot.patch.flow import flow
from bot.patch.keeping import Keeping
from bot.patch.measures import is_refusal

_Function = ast.FunctionDef | ast.AsyncFunctionDef
_CONVERSIONS = {"str": "__str__", "repr": "__repr__"}
_OF_ELEMENTS = frozenset({"list", "tuple", "set", "sorted", "frozenset"})
WHOLE = frozenset({"__dict__", "vars", "."})
"""They stand for every attribute."""


def compared(equality: _Function) -> set[str]:
    """The attributes that are compared on each way to a true result."""
    named = [one.arg for one in (*equality.args.posonlyargs, *equality.args.args)]
    if len(named) != 2:
        return set()
    ways = list(_Reader(named[0], named[1], flow(equality, {}, named[0])).ways(equality.body, set()))
    return set.intersection(*ways) if ways else {"."}


def converted(value: ast.expr, own: str) -> Iterator[str]:
    """The methods by which ``value`` turns the object itself into something else."""
    for node in ast.walk(value):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name), args=[ast.Name(id=base), *_]):
                if base == own:
                    yield _CONVERSIONS.get(name, "__iter__" if name in _OF_ELEMENTS else ".")
            case ast.Name(id="super"):
                yield "."


class _Reader:
    def __init__(self, own: str, other: str, reading: Keeping) -> None:
        self._own, self._other, self._reading = own, other, reading

    def ways(self, body: list[ast.stmt], seen: set[str]) -> Iterator[set[str]]:
        """For each result that may be true, what was compared before; ``seen`` was so already."""
        seen = set(seen)
        for statement in body:
            match statement:
                case ast.Return(value=ast.expr() as value):
                    if not is_refusal(value):
                        found = self._of(value)
                        yield from () if found is None else (seen | found,)
                case ast.If(test=test, body=then, orelse=orelse):
                    found = self._of(test)
                    if found is None:  # they are one object
                        yield from self.ways(orelse, seen)
                        continue
                    yield from self.ways(then, seen | found)
                    yield from self.ways(orelse, seen | found)
                    if then and isinstance(then[-1], ast.Return | ast.Raise):
                        seen |= found
                case ast.Try(body=tried, handlers=handlers, orelse=orelse):
                    yield from self.ways([*tried, *orelse], seen)
                    for one in handlers:
                        yield from self.ways(one.body, seen)

    def _of(self, value: ast.expr) -> set[str] | None:
        """What is compared where ``value`` decides; None where that is whether they are one object."""
        match value:
            case ast.Compare(left=left, ops=[ast.Is() | ast.IsNot()], comparators=[right]):
                if {ast.unparse(left), ast.unparse(right)} == {self._own, self._other}:
                    return None
                return self._of_sides(left, right)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.NotEq()], comparators=[right]):
                return self._of_sides(left, right)
            case ast.BoolOp(op=operator, values=values):
                every = isinstance(operator, ast.And) or all(map(_is_different, values))
                return _joined([one for one in map(self._of, values) if one is not None], every=every)
            case ast.UnaryOp(op=ast.Not(), operand=inner) | ast.Call(func=ast.Name(id="bool"), args=[inner]):
                return self._of(inner)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                known = [one for one in map(self._of, self._may_hold(body, orelse)) if one is not None]
                return set().union(self._of(test) or (), set.intersection(*known) if known else ())
            case ast.Call(func=ast.Attribute(attr="__eq__" | "__ne__")):
                return {"."}
        return set()

    def _may_hold(self, *values: ast.expr) -> list[ast.expr]:
        return [one for one in values if not is_refusal(one)]

    def _of_sides(self, left: ast.expr, right: ast.expr) -> set[str]:
        if (
            ast.dump(left) == ast.dump(right)
            or isinstance(left, ast.Constant)
            or isinstance(right, ast.Constant)
        ):
            return set()
        found: set[str] = set()
        for side in (left, right):
            kept = self._reading.of(side)
            found |= {part.lstrip(".") for part in kept if part != "."}
            found |= set(converted(side, self._own)) if "." in kept else set()
            if isinstance(side, ast.Name) and side.id == self._own:
                found.add(".")
        return found


def _joined(parts: list[set[str]], *, every: bool) -> set[str] | None:
    if not parts:
        return None
    return set.union(*parts) if every else set.intersection(*parts)


def _is_different(value: ast.expr) -> bool:
    match value:
        case ast.Compare(ops=[ast.NotEq() | ast.IsNot()]):
            return True
        case ast.UnaryOp(op=ast.Not()):
            return True
    return False
