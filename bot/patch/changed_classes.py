"""Classes that become something else than the class that their source shows.

A test that builds what it expects with a class trusts it: ``assert total() == Money(5)``. A function in the
class's place, a decorator that gives another, or two members of one value make what is expected wrong.
"""

import ast
from collections import Counter
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding

_DECORATORS = words(
    """
    dataclass attrs attr s define frozen mutable total_ordering unique final runtime_checkable verify
    python_2_unicode_compatible add_metaclass implementer deprecated deprecated_class usefixtures typechecked
    """
)
_SWALLOWED = words("Exception BaseException AssertionError")
_ENUMS = words("Enum IntEnum StrEnum Flag IntFlag")


def changed_classes(tree: ast.Module) -> Iterator[CodeFinding]:
    """What gives a class's place to something else, and contexts that hide a failed assertion."""
    names = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    for statement in tree.body:
        for name in names.intersection(_bound(statement)):
            yield CodeFinding(f"the class {name} is replaced", ast.dump(statement))
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef():
                yield from _decorated(node)
                if any(_last(base) in _ENUMS for base in node.bases):
                    yield from _alike(node)
            case ast.Call(func=ast.Name(id="suppress") | ast.Attribute(attr="suppress"), args=kinds):
                if any(_last(one) in _SWALLOWED for one in kinds):
                    yield CodeFinding("a new context that swallows every exception", ast.dump(node))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield from _swallowing(node)


def _decorated(node: ast.ClassDef) -> Iterator[CodeFinding]:
    for one in node.decorator_list:
        if _last(one.func if isinstance(one, ast.Call) else one) not in _DECORATORS:
            yield CodeFinding(f"a new decorator of the class {node.name}", node.name + ast.dump(one))


def replaced_classes(before: ast.Module, after: ast.Module) -> Iterator[CodeFinding]:
    """Classes of ``before`` in whose place ``after`` has something that is no class."""
    was = {node.name for node in before.body if isinstance(node, ast.ClassDef)}
    now = {node.name for node in ast.walk(after) if isinstance(node, ast.ClassDef)}
    for node in ast.walk(after):
        if isinstance(node, ast.stmt):
            for name in _bound(node):
                if name in was - now:
                    yield CodeFinding(f"the class {name} is replaced", name)


def _bound(node: ast.AST) -> list[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return [name]
        case ast.Assign(targets=targets):
            return [one.id for one in targets if isinstance(one, ast.Name)]
        case ast.AnnAssign(target=ast.Name(id=name)):
            return [name]
    return []


def _alike(node: ast.ClassDef) -> Iterator[CodeFinding]:
    """The members of an enumeration that have one value, and so are one."""
    values: Counter[str] = Counter()
    for member in node.body:
        if isinstance(member, ast.Assign) and isinstance(member.value, ast.Constant | ast.Name):
            value = member.value
            if isinstance(value, ast.Name):
                yield CodeFinding(f"a member of {node.name} that is another", ast.dump(member))
            elif values[ast.dump(value)]:
                yield CodeFinding(f"members of {node.name} that have one value", ast.dump(value))
            values[ast.dump(value)] += 1


def _swallowing(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[CodeFinding]:
    """A context manager whose handler hides what its body raises."""
    if not any(_last(one) in {"contextmanager", "asynccontextmanager"} for one in function.decorator_list):
        return
    for node in ast.walk(function):
        if not isinstance(node, ast.Try | ast.TryStar):
            continue
        given = [
            one for part in node.body for one in ast.walk(part) if isinstance(one, ast.Yield | ast.YieldFrom)
        ]
        for handler in node.handlers if given else ():
            kinds = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
            broad = any(one is None or _last(one) in _SWALLOWED for one in kinds)
            raises = any(isinstance(one, ast.Raise) for part in handler.body for one in ast.walk(part))
            if broad and not raises:
                yield CodeFinding(
                    f"{function.name} swallows every exception of its context", ast.dump(handler)
                )
        if any(isinstance(one, ast.Return | ast.Break) for part in node.finalbody for one in ast.walk(part)):
            yield CodeFinding(f"{function.name} swallows every exception of its context", ast.dump(node))


def _last(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
