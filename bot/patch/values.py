"""Classes of numbers, texts and times that do otherwise than the type they are derived from.

Who compares such a value trusts the type: ``class Price(float)`` with a ``__mod__`` of its own is a float to
the eye, and answers as it likes.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding
from bot.patch.syntax import last_name

_VALUES = (
    *words("int float complex str bytes tuple frozenset bool Decimal Fraction datetime date time timedelta"),
    *words("UUID Path PurePath PosixPath"),
)
_USUAL = words(
    """
    __init__ __new__ __repr__ __str__ __hash__ __init_subclass__ __class_getitem__ __getnewargs__
    __post_init__ __getattr__ __doc__ __copy__ __deepcopy__
    """
)
_KINDS = (int, float, complex, str, bytes, tuple, frozenset)
_OPERATORS = frozenset(name for kind in _KINDS for name in dir(kind))
_INSIDE = words("_richcmp _cmp _numerator _denominator _compare_check _check_nans as_integer_ratio compare")
_CALLED = words("next pop popleft popitem append send")


def odd_values(tree: ast.Module) -> Iterator[CodeFinding]:
    """Methods by which a class of values does otherwise, and those that swallow exceptions or alternate."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.ClassDef):
            continue
        derived = any(last_name(base) in _VALUES for base in node.bases)
        for member in node.body:
            for name in _defined(member):
                if derived and name in (_OPERATORS | _INSIDE) - _USUAL:
                    yield CodeFinding(f"a value type whose {name} is its own", ast.dump(member))
            if isinstance(member, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from _odd_method(member)


def _odd_method(method: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[CodeFinding]:
    if method.name in {"__exit__", "__aexit__"} and any(_swallows(one, method) for one in _results(method)):
        yield CodeFinding(f"a new {method.name} that swallows exceptions", ast.dump(method))
    if method.name in {"__bool__", "__len__"} and any(map(_alternates, ast.walk(method))):
        yield CodeFinding(f"a new {method.name} that changes what it looks at", ast.dump(method))


def _defined(member: ast.stmt) -> list[str]:
    match member:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [one.id for one in targets if isinstance(one, ast.Name)]
    return []


def _results(method: ast.AST) -> list[ast.expr]:
    return [node.value for node in ast.walk(method) if isinstance(node, ast.Return) and node.value]


def _swallows(value: ast.expr, method: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether a result may be true whatever the exception is."""
    if isinstance(value, ast.Constant):
        return bool(value.value)
    given = [*method.args.args[1:], *([method.args.vararg] if method.args.vararg else [])]
    names = {one.arg for one in given}
    return not any(isinstance(node, ast.Name) and node.id in names for node in ast.walk(value))


def _alternates(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) in _CALLED
