"""The special methods of classes: what an object equals, holds, gives and computes.

A test says what it expects by comparing. A class that answers a comparison as it likes makes any test pass,
and nobody can list the ways to write one. So a person sees every special method that is new, but for those
that decide nothing. Two kinds of change need no person: a comparison that asks the same of both objects, and
no less than before, and a method that gives what its object holds and nothing else.
"""

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

from bot.patch.policy.dangers import words
from bot.patch.syntax import (
    Function,
    alike,
    children,
    copied,
    decorator_name,
    every_node,
    is_constant,
    last_name,
    walk,
)

HARMLESS = words("""
    __init__ __post_init__ __attrs_post_init__ __repr__ __str__ __unicode__ __html__ __call__ __enter__
    __exit__ __aenter__ __aexit__ __setitem__ __delitem__ __setstate__ __class_getitem__ __sizeof__
""")
"""Special methods that a test cannot take for a comparison."""
PLAIN = words("""
    __name__ __doc__ __module__ __qualname__ __wrapped__ __dict__ __cause__ __context__ __traceback__
    __notes__ __annotations__ __signature__ __version__ __suppress_context__ __defaults__
    __kwdefaults__ __all__ __slots__ __main__ __file__ __debug__ __metaclass__ __table__ __tablename__
    __table_args__ __abstract__ __mapper_args__ __future__ __path__ __builtins__ __loader__ __test__
    __author__
""")
"""Names between double underscores that are data; the dangerous ones of them are refused by their names."""
_DECORATORS = words(
    "override abstractmethod final overload wraps deprecated staticmethod classmethod property contextmanager"
)
_ORDER = {"__lt__": ast.Lt, "__le__": ast.LtE, "__gt__": ast.Gt, "__ge__": ast.GtE}
_ASKING = words("isinstance len type callable")
_CONTAINERS = words("iter list tuple sorted reversed set frozenset")
COMPARING = frozenset({"__eq__", "__ne__", *_ORDER})
"""Methods by which two objects are compared."""
_OWN = {
    "__iter__": _CONTAINERS,
    "__reversed__": _CONTAINERS,
    "__getitem__": frozenset[str](),
    "__len__": words("len"),
    "__bool__": words("bool len"),
    "__hash__": words("hash"),
}
"""Methods that may give what the object holds, and what they may make of it."""
_OF_TYPE = words("imag denominator")
_COMMON = frozenset(name for kind in (int, float, str, bytes, tuple) for name in dir(kind))
"""Methods of numbers and texts, most of which say little of one."""
SPECIAL = re.compile(r"__\w+__|_missing_|_generate_next_value_|_value_")


def is_special(name: str) -> bool:
    """Whether a method of this name decides what an object is to others."""
    return bool(SPECIAL.fullmatch(name)) and name not in HARMLESS | PLAIN


def special_methods(before: ast.Module, after: ast.Module) -> Iterator[str]:
    """What a person has to see of the special methods that ``after`` defines otherwise than ``before``."""
    known = dict(definitions(before))
    for place, method in definitions(after):
        old = known.get(place)
        if not isinstance(method, Function) or not SPECIAL.fullmatch(method.name):
            continue
        if not isinstance(old, Function):
            old = None
        elif alike(old, method) or said(old) == said(method):
            continue
        name = method.name
        odd = [one for one in method.decorator_list if decorator_name(one) not in _DECORATORS]
        if name in HARMLESS and odd:
            yield f"a new decorator of {name}"
        elif is_special(name) and (odd or not (gives_its_own(method) or _still_compares(old, method))):
            yield f"a {'changed' if old else 'new'} {name}"


def classes(tree: ast.Module) -> Iterator[tuple[str, ast.ClassDef]]:
    """Every class by its place."""
    return ((place, node) for place, node in definitions(tree) if isinstance(node, ast.ClassDef))


@lru_cache(maxsize=2048)
def said(node: ast.AST) -> str:
    """The code of a method, whatever errors it raises and however it is documented."""
    bare = _WithoutErrors().visit(copied(node))
    return ast.dump(bare) if bare else ""


class _WithoutErrors(ast.NodeTransformer):
    def visit_Raise(self, node: ast.Raise) -> ast.Raise:  # noqa: ARG002 - what it raises does not matter
        return ast.Raise()

    def visit_If(self, node: ast.If) -> ast.AST | None:
        match node:
            case ast.If(test=test, body=[ast.Raise(), *_], orelse=[]) if is_quiet(test):
                return None
        return self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> ast.AST | None:
        said_only = isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        return None if said_only else self.generic_visit(node)


def is_quiet(condition: ast.expr) -> bool:
    """Whether a condition binds nothing, and calls at most what asks for types."""
    return not any(
        isinstance(one, ast.NamedExpr | ast.Await | ast.Yield | ast.YieldFrom)
        or (isinstance(one, ast.Call) and last_name(one.func) not in _ASKING)
        for one in walk(condition)
    )


def definitions(tree: ast.AST, place: str = "") -> Iterator[tuple[str, Function | ast.ClassDef]]:
    """Every function and class by its place: the names around it, and its own with how many had it before."""
    seen = Counter[str]()
    waiting = list(children(tree))
    for node in waiting:
        if isinstance(node, Function | ast.ClassDef):
            here = f"{place}.{node.name}"
            seen[here] += 1
            here = f"{here}/{seen[here]}"
            yield here, node
            yield from definitions(node, here)
        elif not isinstance(node, ast.expr):  # which holds no statement
            waiting += children(node)


def gives_its_own(function: Function) -> bool:
    """Whether all that a method gives is held by its object: ``iter(self.items)``, ``self.items[key]``."""
    made_by = _OWN.get(function.name)
    names = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    if function.name == "__contains__" and len(names) == 2:
        return _is_search(function, *names)
    result = _only_result(function)
    if made_by is None or result is None or not names:
        return False
    match result:
        case ast.Call(func=ast.Name(id=maker), args=[given], keywords=[]):
            parts = given.elts if maker == "hash" and isinstance(given, ast.Tuple) else [given]
            return maker in made_by and all(_is_held(one, names[0]) for one in parts)
        case ast.Subscript(value=value, slice=ast.Name()):
            return function.name == "__getitem__" and _is_held(value, names[0])
    return function.name == "__bool__" and _is_held(result, names[0])


def _is_search(function: Function, own: str, other: str) -> bool:
    match _only_result(function):
        case ast.Compare(left=ast.Name(id=name), ops=[ast.In()], comparators=[held]):
            return name == other and _is_held(held, own)
    return False


def _only_result(function: Function) -> ast.expr | None:
    """What a method returns that does nothing else than to refuse what it is given."""
    match _WithoutErrors().visit(copied(function)):
        case ast.FunctionDef(body=[ast.Return(value=result)]):
            return result
    return None


def _is_held(value: ast.expr, own: str) -> bool:
    match value:
        case ast.Attribute(value=inner, attr=attribute) if not is_special(attribute):
            held = inner.id == own if isinstance(inner, ast.Name) else _is_held(inner, own)
            return held and attribute not in _OF_TYPE
        case ast.Call(
            func=ast.Attribute(value=inner, attr="items" | "keys" | "values"), args=[], keywords=[]
        ):
            return _is_held(inner, own)
    return False


def _still_compares(old: Function | None, new: Function) -> bool:
    """Whether a changed comparison asks the same of both objects, and no less than before."""
    named = [*new.args.posonlyargs, *new.args.args]
    if old is None or isinstance(new, ast.AsyncFunctionDef) or len(named) != 2 or new.args.defaults:
        return False
    own, other = (one.arg for one in named)
    *guards, last = [one for one in new.body if not is_constant(one)] or [ast.Pass()]
    guarded = all(_is_guard(one, new.name) for one in guards)
    if own == other or not isinstance(last, ast.Return) or not guarded:
        return False
    compared = list(_compared(last.value, new.name))
    mirrored = all(_mirrors(left, right, own, other) for left, right in compared)
    read = {one for left, _ in compared for one in _attributes(left, own)}
    return mirrored and bool(read) and asked(old) <= read


def asked(function: Function) -> set[str]:
    """The attributes that a method reads of its own object; an empty one where a function is given it."""
    own = next((one.arg for one in (*function.args.posonlyargs, *function.args.args)), "")
    return set(_attributes(function, own)) - {"__class__"}


def _attributes(tree: ast.AST, own: str) -> Iterator[str]:
    for node in every_node(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == own:
                yield attribute
            case ast.Call(args=arguments) if not is_quiet(node):
                yield from ("" for one in arguments if isinstance(one, ast.Name) and one.id == own)


def _is_guard(statement: ast.stmt, name: str) -> bool:
    """Whether a statement only sorts out other types: ``if not isinstance(other, X): return False``."""
    match statement:
        case ast.If(
            test=test, body=[ast.Raise() | ast.Return(value=ast.Name(id="NotImplemented"))], orelse=[]
        ):
            return is_quiet(test)
        case ast.If(test=test, body=[ast.Return(value=ast.Constant(value=bool(answer)))], orelse=[]):
            return is_quiet(test) and answer is (name == "__ne__")
    return False


def _compared(value: ast.expr | None, name: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The sides that are compared where ``value`` holds; what is none of them mirrors nothing."""
    match value:
        case ast.BoolOp(op=ast.And(), values=values) if name == "__eq__":
            for one in values:
                yield from () if _asks_for_type(one) else _compared(one, name)
        case ast.BoolOp(op=ast.Or(), values=values) if name == "__ne__":
            for one in values:
                yield from _compared(one, name)
        case ast.Compare(left=left, ops=[operator], comparators=[right]) if isinstance(
            operator, {"__eq__": ast.Eq, "__ne__": ast.NotEq, **_ORDER}.get(name, ())
        ):
            yield left, right
        case ast.expr():
            yield value, value


def _asks_for_type(value: ast.expr) -> bool:
    match value:
        case ast.Call(func=ast.Name(id="isinstance")):
            return is_quiet(value)
        case ast.Compare(left=ast.Call(func=ast.Name(id="type")), ops=[ast.Is() | ast.Eq()]):
            return is_quiet(value)
    return False


def _mirrors(left: ast.expr, right: ast.expr, own: str, other: str) -> bool:
    """Whether the right side asks of ``other`` what the left one asks of ``own``."""
    match left, right:
        case ast.Tuple(elts=mine), ast.Tuple(elts=theirs):
            pairs = zip(mine, theirs, strict=False)
            return len(mine) == len(theirs) and all(_mirrors(a, b, own, other) for a, b in pairs)
        case ast.Call(func=ast.Attribute() as one, args=[], keywords=[]), ast.Call(
            func=ast.Attribute() as another, args=[], keywords=[]
        ):
            says = isinstance(one.value, ast.Name) and one.attr not in _COMMON
            return says and _mirrors(one, another, own, other)
        case ast.Attribute(attr=one), ast.Attribute(attr=another) if one == another:
            ends = (left.value, right.value)
            if isinstance(ends[0], ast.Name) and isinstance(ends[1], ast.Name):
                says = not is_special(one) and one not in _OF_TYPE
                return says and (ends[0].id, ends[1].id) == (own, other)
            return not is_special(one) and one not in _OF_TYPE and _mirrors(*ends, own, other)
    return False
