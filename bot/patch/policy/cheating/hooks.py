"""What a change may not add besides names: hooks, altered examples, mentions of tests.

Each function gives findings that are counted in both versions of a file; what is new is refused.
"""

import ast
import re
from collections.abc import Iterator

from bot.patch.policy.classes.special_methods import definitions
from bot.patch.policy.dangers import words
from bot.patch.policy.names.scopes import bound_by, own_nodes
from bot.patch.syntax import every_node, last_name, walk

_MODULE_NAMES = {"__path__", "__package__", "__spec__", "__unittest"}
_EXAMPLE = re.compile(r"^[ \t]*>>> .*(?:\n[ \t]*\S.*)*", re.MULTILINE)
_LARGEST_ANNOTATION = 2_000
_DIRECTORIES = {"test", "tests", "testing"}
_OF_PATHS = words("join joinpath Path PurePath PosixPath files open listdir scandir walk glob iglob")
_OF_TESTS = re.compile(
    r"(?:^|[\s'\"/])(?:tests?|testing)/|(?:^|[\s'\"/*])(?:test_[\w*]*|[\w*]+_tests?|conftest)\.py|test_\*",
    re.IGNORECASE,
)
# Modules of tests and of what runs them, by the names under which a function may import them.
_MODULE_OF_TESTS = re.compile(
    r"(?:\w+\.)*(?:tests\.\w+|test\.test_\w+|conftest)(?:\.\w+)*"
    r"|(?:_?pytest|pluggy|unittest|doctest)(?:\.\w+)*|hypothesis(?:\.\w+)+"
)
_ASKING = {"get", "pop", "setdefault", "append", "index", "count"}
# Bound in whatever way; other names that begin so are hooks where they are functions.
_HOOK = re.compile(
    r"load_tests|(setup|teardown)_(module|function|class|method)|(setUp|tearDown)(Module|Class)?|pytest_(add|assert|cmdline|collect|configure|deselected|exception|fixture|generate|ignore|item"
    r"|load|make|markeval|plugin|pycollect|pyfunc|report|runtest|session|terminal|unconfigure|warning)\w*"
)
_NARROW = re.compile(r"\b(?:Literal|Annotated|Never|NoReturn)\b|\A['\"]?(?:bool|None)['\"]?\Z")


def traps(node: ast.AST) -> Iterator[str]:
    """What is wrong with ``node`` itself, wherever code stands."""
    match node:
        case ast.Name(id=name, ctx=ast.Store()) if name in _MODULE_NAMES:
            yield f"the name {name} is overwritten"
        case ast.Name(id="__path__"):
            yield "new use of __path__"
        case ast.ClassDef():
            # A module that is an attribute of a class is reached by names that nobody can follow.
            inside = (one for part in node.body for one in own_nodes(part))
            imports = (one for one in inside if isinstance(one, ast.Import | ast.ImportFrom))
            yield from ("new import in the body of a class" for _ in imports)
    for name in bound_by(node):
        if _HOOK.fullmatch(name) or (isinstance(node, ast.FunctionDef) and name.startswith("pytest_")):
            yield f"new hook of the tests: {name}"
    annotation = getattr(node, "annotation", None) or getattr(node, "returns", None)
    if annotation and _is_put_together(annotation):
        yield "an annotation that is put together from strings"


def examples(tree: ast.Module) -> Iterator[str]:
    """The examples in strings that doctest would run, each with the output that it expects."""
    for node in every_node(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for found in _EXAMPLE.findall(node.value):
                yield "\n".join(line.strip() for line in found.splitlines())


def mentions_of_tests(tree: ast.Module) -> Iterator[str]:
    """Strings by which code may find the files of its own tests, documentation apart."""
    said = {id(node.value) for node in every_node(tree) if isinstance(node, ast.Expr)}
    for node in every_node(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in said and (
                _OF_TESTS.search(text) or _MODULE_OF_TESTS.fullmatch(text)
            ):
                yield f"new mention of the tests' files: {ascii(text)[:60]}"
            # A word of its own, which data may be asked for.
            case ast.Call(func=function, args=[ast.Constant(value="hypothesis" as text), *_]) if (
                last_name(function) not in _ASKING
            ):
                yield f"new mention of the tests' files: {text!a}"
            case ast.BinOp(op=ast.Div(), right=ast.Constant(value=str(text))) if text in _DIRECTORIES:
                yield f"new mention of the tests' files: {text!a}"
            case ast.Call(func=ast.Attribute(value=ast.Constant(value=str(between)))) if "/" not in between:
                continue  # of texts
            case ast.Call(func=function, args=parts) if last_name(function) in _OF_PATHS:
                yield from _directories(*parts)
            case ast.JoinedStr() | ast.BinOp(op=ast.Add()) if any(
                isinstance(one, ast.Attribute) and one.attr == "sep" for one in walk(node)
            ):
                yield from _directories(node)


def _directories(*parts: ast.expr) -> Iterator[str]:
    named = {str(one.value) for part in parts for one in walk(part) if isinstance(one, ast.Constant)}
    yield from (f"new mention of the tests' files: {one!a}" for one in sorted(named & _DIRECTORIES))


def narrowed(before: ast.Module, after: ast.Module) -> Iterator[str]:
    """Annotations that may admit less than before: hypothesis makes a test's inputs by them."""
    known = dict(_annotated(before))
    for place, now in _annotated(after):
        old = known.get(place, now)
        is_wider = _NARROW.search(old) and len(old) < len(now)
        if now != old and _NARROW.search(now) and not is_wider:
            yield f"an annotation that may admit less: {now[:60]}"


def _annotated(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """The annotations of fields and parameters by their places."""
    for place, node in definitions(tree):
        for one in node.body if isinstance(node, ast.ClassDef) else walk(node.args):
            match one:
                case (
                    ast.AnnAssign(target=ast.Name(id=name), annotation=said)
                    | ast.arg(arg=name, annotation=ast.expr() as said)
                ):
                    yield f"{place} {name}", ast.unparse(said)


def _is_put_together(annotation: ast.expr) -> bool:
    """Whether the text of an annotation, which libraries evaluate, cannot be read as it is written."""
    for node in walk(annotation):
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
