"""Whether an ``__eq__`` or ``__ne__`` says "equal" only where it has seen something that is equal."""

import ast
from dataclasses import dataclass

from bot.patch.mirrored import Names, is_mirrored, is_quiet

_SILENT = (ast.Raise, ast.Pass, ast.Import, ast.ImportFrom)


@dataclass(frozen=True, slots=True)
class Equality:
    """How a method of two ``names`` is read; ``answer`` is what it gives where the two are equal."""

    names: Names
    answer: bool

    def holds(self, body: list[ast.stmt], *, known: bool = False) -> bool:
        """Whether each result of ``body`` is honest; ``known`` says that the two were seen to be equal."""
        for statement in body:
            match statement:
                case ast.Return(value=value):
                    return value is None or self._is_honest(value, known=known)
                case ast.If():
                    if not self._if_holds(statement, known=known):
                        return False
                    if _leaves(statement.body):
                        known = known or self._shows(statement.test, truth=False)
                case ast.Try(finalbody=[]):
                    if not self._try_holds(statement, known=known):
                        return False
                case _ if not _is_silent(statement):
                    return False
        return True

    def _if_holds(self, statement: ast.If, *, known: bool) -> bool:
        test = statement.test
        then, otherwise = (self._shows(test, truth=truth) for truth in (True, False))
        return (
            (is_quiet(test) or then or otherwise)
            and self.holds(statement.body, known=known or then)
            and self.holds(statement.orelse, known=known or otherwise)
        )

    def _try_holds(self, statement: ast.Try, *, known: bool) -> bool:
        tried = self.holds([*statement.body, *statement.orelse], known=known)
        return tried and all(self.holds(one.body) for one in statement.handlers)

    def _is_honest(self, value: ast.expr, *, known: bool) -> bool:
        if isinstance(value, ast.Name) and value.id == "NotImplemented":
            return True
        if known and is_quiet(value):
            return True
        if isinstance(value, ast.IfExp) and is_quiet(value.test):
            return all(self._is_honest(one, known=known) for one in (value.body, value.orelse))
        return self._shows(value, truth=self.answer)

    def _shows(self, value: ast.expr, *, truth: bool) -> bool:
        """Whether the two are seen to be equal where ``value`` turns out to be ``truth``."""
        match value:
            case ast.Constant(value=constant):
                return bool(constant) is not truth
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return self._shows(operand, truth=not truth)
            case ast.Call(func=ast.Name(id="bool"), args=[inner], keywords=[]):
                return self._shows(inner, truth=truth)
            case ast.BoolOp():
                return self._parts_show(value, truth=truth)
            case ast.Compare(left=left, ops=[operator], comparators=[right]):
                same = isinstance(operator, ast.Eq | ast.Is if truth else ast.NotEq | ast.IsNot)
                return same and is_mirrored(left, right, self.names)
            case ast.Call():
                return self._is_method(value, "__eq__" if truth else "__ne__")
        return False

    def _parts_show(self, value: ast.BoolOp, *, truth: bool) -> bool:
        shown = [self._shows(one, truth=truth) for one in value.values]
        if isinstance(value.op, ast.And) is not truth:
            return all(shown)
        # Where "and" is true, or "or" is false, each part is.
        return any(shown) and all(
            one or is_quiet(part) for one, part in zip(shown, value.values, strict=True)
        )

    def _is_method(self, call: ast.Call, name: str) -> bool:
        """Whether it is ``super().__eq__(other)``, or the object's own, which is judged where it stands."""
        match call:
            case ast.Call(func=ast.Attribute(value=owner, attr=method), args=[ast.Name(id=one)]):
                parent = isinstance(owner, ast.Call) and isinstance(owner.func, ast.Name)
                own = isinstance(owner, ast.Name) and owner.id == self.names.own
                known = own or (parent and ast.unparse(owner) == "super()")
                return known and method == name and one == self.names.other
        return False


def _is_silent(statement: ast.stmt) -> bool:
    match statement:
        case ast.Assert(test=test):
            return is_quiet(test)
        case ast.Expr(value=value):
            return isinstance(value, ast.Constant)
    return isinstance(statement, _SILENT)


def _leaves(body: list[ast.stmt]) -> bool:
    return bool(body) and isinstance(body[-1], ast.Return | ast.Raise)
