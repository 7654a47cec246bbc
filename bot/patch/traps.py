"""What a change may not add besides names: equality that looks at nothing, hooks, altered examples.

Each function gives findings that are counted in both versions of a file; what is new is refused.
"""

import ast
import re
from collections.abc import Iterator

from bot.patch.mirrored import COMMON, asked_for_type

_MODULE_NAMES = {"__path__", "__package__", "__spec__", "__unittest"}
_EXAMPLE = re.compile(r"^[ \t]*>>> .*(?:\n[ \t]*\S.*)*", re.MULTILINE)
_LARGEST_ANNOTATION = 2_000
# By these an assertion compares as well: by order, by being within, by the difference.
_MEASURES = {"__lt__", "__le__", "__gt__", "__ge__", "__contains__", "__sub__", "__rsub__"}
_DIRECTORIES = {"test", "tests", "testing"}
_OF_TESTS = re.compile(
    r"(?:^|[\s'\"/])(?:tests?|testing)/|(?:^|[\s'\"/*])(?:test_[\w*]*|[\w*]+_tests?|conftest)\.py|test_\*",
    re.IGNORECASE,
)
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def traps(node: ast.AST) -> Iterator[str]:
    """What is wrong with ``node`` itself, wherever code stands."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) if name in _MODULE_NAMES:
            yield f"the name {name} is overwritten"
        case ast.Name(id="__path__"):
            yield "new use of __path__"
        case ast.ClassDef():
            # A module that is an attribute of a class is reached by names that nobody can follow.
            yield from ("new import in the body of a class" for _ in _imports(node))
        case ast.FunctionDef(name=name) if name.startswith("pytest_") or name == "load_tests":
            yield f"new hook of the tests: {name}"
    yield from _equality(node)
    if isinstance(node, ast.Tuple | ast.List) and isinstance(node.ctx, ast.Store):
        names = {one.id for one in node.elts if isinstance(one, ast.Name)}
        yield from (f"{name} is set from outside" for name in sorted(names & {"__eq__", "__ne__"}))
    if any(map(_is_put_together, _annotations(node))):
        yield "an annotation that is put together from strings"


def _equality(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name="__eq__" | "__ne__" as name) if _looks_at_nothing(node.args, node.body):
            yield f"new {name} that does not look at both values"
        case ast.FunctionDef(name="__eq__", args=ast.arguments(args=[_, other])) if _is_answer(
            node, other.arg
        ):
            yield "new __eq__ that compares with a constant"
        case ast.FunctionDef(name=name) if name in _MEASURES and _is_blind(node):
            yield f"new {name} that does not look at both values"
        case ast.FunctionDef(name="__ne__", body=[*_, ast.Return(value=ast.Constant(value=False))]):
            yield "new __ne__ that is never true"
        case ast.Assign(targets=[ast.Name(id="__eq__" | "__ne__" as name)], value=value):
            if not isinstance(value, ast.Lambda) or _looks_at_nothing(
                value.args, [ast.Return(value=value.body)]
            ):
                yield f"new {name} that does not look at the other value"
        case (
            # by a loop, a with statement, a walrus, or several names at once
            ast.For(target=ast.Name(id="__eq__" | "__ne__" as name))
            | ast.NamedExpr(target=ast.Name(id="__eq__" | "__ne__" as name))
            | ast.AnnAssign(target=ast.Name(id="__eq__" | "__ne__" as name))
            | ast.withitem(optional_vars=ast.Name(id="__eq__" | "__ne__" as name))
            | ast.MatchAs(name="__eq__" | "__ne__" as name)
            | ast.Starred(value=ast.Name(id="__eq__" | "__ne__" as name, ctx=ast.Store()))
            | ast.ClassDef(name="__eq__" | "__ne__" as name)
            | ast.Attribute(attr="__eq__" | "__ne__" as name, ctx=ast.Store())
            | ast.Constant(value="__eq__" | "__ne__" as name)
            | ast.keyword(arg="__eq__" | "__ne__" as name)
        ):
            yield f"{name} is set from outside"


def examples(tree: ast.Module) -> Iterator[str]:
    """The examples in strings that doctest would run, each with the output that it expects."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for found in _EXAMPLE.findall(node.value):
                yield "\n".join(line.strip() for line in found.splitlines())


def mentions_of_tests(tree: ast.Module) -> Iterator[str]:
    """Strings by which code may find the files of its own tests, documentation apart."""
    said = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in said and _OF_TESTS.search(text):
                yield f"new mention of the tests' files: {ascii(text)[:60]}"
            case ast.BinOp(op=ast.Div(), right=ast.Constant(value=str(text))) if text in _DIRECTORIES:
                yield f"new mention of the tests' files: {text!a}"
            case ast.Call(func=ast.Attribute(attr="join" | "joinpath"), args=parts):
                named = {str(one.value) for one in parts if isinstance(one, ast.Constant)}
                yield from (
                    f"new mention of the tests' files: {one!a}" for one in sorted(named & _DIRECTORIES)
                )


def made_classes(tree: ast.Module) -> Iterator[str]:
    """Classes that code makes, or that code makes others: their fields and methods stand in no source."""
    for node in ast.walk(tree):
        match node:
            case ast.ClassDef(name=name, bases=bases) if any(map(_is_metaclass, bases)):
                yield f"new class of classes: {name}"
            case ast.Call(func=ast.Name(id="type"), args=[_, _, *_]):
                yield "new class by a call of type"
            case ast.Call(func=ast.Attribute(attr="new_class") | ast.Name(id="new_class")):
                yield "new class by a call of new_class"


def _is_metaclass(base: ast.expr) -> bool:
    name = base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""
    return name in {"type", "ABCMeta", "EnumMeta", "EnumType"}


def _imports(scope: ast.AST) -> Iterator[ast.AST]:
    """The imports of a class's body, and not those of its functions and inner classes."""
    for node in ast.iter_child_nodes(scope):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif not isinstance(node, _Function | ast.Lambda | ast.ClassDef):
            yield from _imports(node)


def _looks_at_nothing(arguments: ast.arguments, body: list[ast.stmt]) -> bool:
    """Whether a comparison may hold, and asks at most for the type or the identity of one of the values.

    Its own value may be left out where the other has an attribute that no number or text has.
    """
    nodes = [node for statement in body for node in ast.walk(statement)]
    results = [node.value for node in nodes if isinstance(node, ast.Return) and node.value]
    named = [*arguments.posonlyargs, *arguments.args]
    if all(_is_never_true(value) for value in results):
        return False
    if len(named) != 2:  # its values have no names of their own
        return True
    asked = {id(one) for node in nodes for one in asked_for_type(node)}
    looked_at = {n.id for n in nodes if isinstance(n, ast.Name) and id(n) not in asked}
    own, other = (one.arg for one in named)
    peculiar = any(
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id == other
        and node.attr not in COMMON
        for node in nodes
    )
    return other not in looked_at or not (own in looked_at or peculiar)


def _is_answer(function: ast.FunctionDef, other: str) -> bool:
    """Whether ``other`` itself is compared with a number or a text that is written out, or one of several."""
    for node in ast.walk(function):
        match node:
            case ast.Compare(left=left, ops=[ast.Eq() | ast.In()], comparators=[right]):
                sides = (left, right), (right, left)
                if any(isinstance(a, ast.Name) and a.id == other and _is_written(b) for a, b in sides):
                    return True
    return False


def _is_written(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=int() | float() | str() | bytes()):
            return True
        case ast.Tuple(elts=elements) | ast.List(elts=elements) | ast.Set(elts=elements):
            return any(map(_is_written, elements))
    return False


def _is_blind(function: ast.FunctionDef) -> bool:
    """Whether a measure answers with something, whatever the other value is."""
    results = [node.value for node in ast.walk(function) if isinstance(node, ast.Return) and node.value]
    silent = all(isinstance(value, ast.Name) and value.id == "NotImplemented" for value in results)
    if len(function.args.args) != 2 or silent:
        return False
    other = function.args.args[1].arg
    return not any(isinstance(node, ast.Name) and node.id == other for node in ast.walk(function))


def _is_never_true(value: ast.expr) -> bool:
    match value:
        case ast.Constant(value=constant):
            return not constant
        case ast.Name(id="NotImplemented"):
            return True
        case ast.Compare(left=ast.Name(id=left), ops=[ast.Is()], comparators=[ast.Name(id=right)]):
            return left != right  # identity is an equality that the object has without this
    return False


def _annotations(node: ast.AST) -> list[ast.expr]:
    match node:
        case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
            return [annotation]
        case (
            ast.FunctionDef(returns=ast.expr() as returns)
            | ast.AsyncFunctionDef(returns=ast.expr() as returns)
        ):
            return [returns]
    return []


def _is_put_together(annotation: ast.expr) -> bool:
    """Whether the text of an annotation, which libraries evaluate, cannot be read as it is written."""
    for node in ast.walk(annotation):
        match node:
            case ast.JoinedStr():
                return True
            case ast.Constant(value=str(text)) if len(text) >= _LARGEST_ANNOTATION:
                return True
            case ast.BinOp(left=left, right=right) if _is_text(left) or _is_text(right):
                # "Name" | None is a type, and so is None | "Name"
                if not isinstance(node.op, ast.BitOr):
                    return True
            case ast.Attribute(value=value) | ast.Subscript(value=value) if _is_text(value):
                return True
    return False


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
