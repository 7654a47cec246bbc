"""What lets a failing test pass: swallowed errors, results that hold anything, arrays of nothing.

And code that reads what a test expects: what parses a file that it reads may look for the answer there.
"""

import ast
import unittest
from collections.abc import Iterator, Mapping

from bot.patch.policy.cheating.endless import Endless, results_of
from bot.patch.policy.classes.ancestors import aliases
from bot.patch.policy.dangers import words
from bot.patch.policy.finding import CodeFinding
from bot.patch.policy.names.dotted_names import imported_modules
from bot.patch.syntax import Function, assigned, every_node, ids_within, last_name, walk

_SWALLOWED = words("Exception BaseException AssertionError")
_ENDING = words("StopIteration StopAsyncIteration GeneratorExit CancelledError")
"""Errors that end a loop or a task of the test as if all were well."""
_OF_CASES = frozenset(name for name in dir(unittest.TestCase) if name.startswith(("assert", "_callTest")))
_READING = words("read_text read_bytes open getline getlines")
_FINDING = words("rglob glob iglob iterdir os.walk listdir scandir __file__ filename pathname")
"""Ways to the tests' files that name none of them."""
_BESIDE = words("with_suffix with_name with_stem")
_RENAMING = _BESIDE | words("replace removesuffix splitext rpartition dirname parent parents")
_READERS = words("read_text read_bytes read readline readlines open getline getlines rglob glob iterdir")
_PARSERS = words("literal_eval parse generate_tokens tokenize")
_SHAPED = words("empty zeros ones full ndarray recarray reshape broadcast_to resize empty_like")
_MADE = words("array asarray asanyarray ascontiguousarray fromiter")
_ITERATING = words("__next__ __anext__ next")


def hidden_failures(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each of them with its code, and one finding for a file that both reads files and parses Python."""
    calls = {last_name(node.func) for node in every_node(tree) if isinstance(node, ast.Call)}
    roots = {one for module, name, _ in imported_modules(tree) for one in (module, name)}
    if roots & {"ast", "tokenize"} and calls & _PARSERS and calls & _READERS:
        yield CodeFinding("files are read, and parsed as Python", "")
    yield from (*_found_and_read(tree), *_read_beside(tree))
    above, endless = aliases(tree), Endless(tree)
    yield from _ended(tree, above)
    swallowing = frozenset(_swallowing(tree))
    called = {id(node.func) for node in every_node(tree) if isinstance(node, ast.Call)}
    for node in every_node(tree):
        reasons = [*_swallowed(node, above, swallowing), *_empty(node)]
        if last_name(node) == "suppress" and id(node) not in called:
            reasons.append("a context that may swallow every exception")
        if isinstance(node, Function):
            reasons += _of_function(node, above)
            reasons += [f"{node.name} gives all of a long range"] if endless.found_in(node) else []
        yield from (CodeFinding(reason, ast.dump(node)) for reason in reasons)


def _found_and_read(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each reading of a file in a module that finds files whose names stand nowhere."""
    names = (node for node in every_node(tree) if isinstance(node, ast.Name | ast.Attribute))
    if any(last_name(node) in _FINDING or ast.unparse(node) in _FINDING for node in names):
        for node in every_node(tree):
            if isinstance(node, ast.Call) and last_name(node.func) in _READING:
                yield CodeFinding("files are read that are found by no name", "")


def _read_beside(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each file whose name is made of another's: that of a test's input leads to what it expects."""
    made = assigned(tree, _is_renamed)
    for node in every_node(tree):
        if not isinstance(node, ast.Call):
            continue
        name = last_name(node.func)
        owner = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        paths = (*owner, *node.args[:1]) if name in _READING else ()
        named = {one.id for path in paths for one in walk(path) if isinstance(one, ast.Name)}
        if name in _BESIDE or named & made or any(map(_is_renamed, paths)):
            yield CodeFinding("a file is found beside another", ast.dump(node))


def _is_renamed(path: ast.expr) -> bool:
    return any(last_name(one) in _RENAMING for one in walk(path))


def _ended(tree: ast.Module, above: Mapping[str, frozenset[str]]) -> Iterator[CodeFinding]:
    """Where an error is raised that ends a loop or a task, but by what a loop asks for the next value."""
    iterating = ids_within(tree, _ITERATING)
    for node in every_node(tree):
        match node:
            case ast.Raise(exc=ast.expr() as kind) if id(node) not in iterating:
                kinds = [kind.func if isinstance(kind, ast.Call) else kind]
            case ast.ClassDef(bases=kinds):
                pass
            case _:
                continue
        if any(_caught(one, above) & _ENDING for one in kinds):
            yield CodeFinding("an error that ends a loop or a task unseen", ast.dump(node))


def _swallowed(
    node: ast.AST, above: Mapping[str, frozenset[str]], swallowing: frozenset[str]
) -> Iterator[str]:
    """Errors that a test would see, and do not reach it."""
    match node:
        case ast.ExceptHandler(type=ast.expr() as kinds):
            if "AssertionError" in _caught(kinds, above):
                yield "a failed assertion is caught"
        case ast.Call(func=function, args=given):
            name = last_name(function)
            match "suppress" if "suppress" in above.get(name, ()) else name, given:
                case "suppress", _ if any(
                    isinstance(one, ast.Starred) or _caught(one, above) & _SWALLOWED for one in given
                ):
                    yield "a context that swallows every exception"
                case "push", [left] if _may_be_true(left, swallowing):
                    yield "a context that may swallow every exception"
                case "cmp_to_key", [ast.Lambda(body=ast.Constant())]:
                    yield "an ordering by which all values are alike"
                case "set_exception_handler", _:
                    yield "errors of a loop are handled elsewhere"
                case "setattr", [ast.Constant(value=str(name)), *_] if "." in name:
                    yield "an attribute is set by a dotted name"
        case ast.ClassDef(body=body):
            names = {getattr(one, "name", "") for one in body}
            yield from (f"a new {name}, as of a test case" for name in sorted(names & _OF_CASES))


def _may_be_true(function: ast.expr, swallowing: frozenset[str]) -> bool:
    """Whether a function gives something true, and so swallows as the exit of a context."""
    if isinstance(function, ast.Lambda):
        return not _is_false(function.body)
    return isinstance(function, ast.Name) and function.id in swallowing


def _of_function(function: Function, above: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """What a function swallows as a context."""
    if function.name in {"__exit__", "__aexit__"} and not all(map(_is_false, results_of(function))):
        yield f"a new {function.name} that may swallow exceptions"
    decorators = set(map(last_name, function.decorator_list))
    is_context = not decorators.isdisjoint(("contextmanager", "asynccontextmanager"))
    if is_context and any(_swallows(one, above) for one in walk(function)):
        yield f"{function.name} swallows every exception of its context"


def _is_false(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and not value.value


def _swallows(node: ast.AST, above: Mapping[str, frozenset[str]]) -> bool:
    """Whether it hides what the body of a context raises."""
    if not isinstance(node, ast.Try | ast.TryStar):
        return False
    if any(isinstance(one, ast.Return | ast.Break) for part in node.finalbody for one in walk(part)):
        return True
    yields = any(isinstance(one, ast.Yield | ast.YieldFrom) for part in node.body for one in walk(part))
    return yields and any(
        (one.type is None or _SWALLOWED & _caught(one.type, above) or _is_unknown(one.type))
        and not any(isinstance(inner, ast.Raise) for part in one.body for inner in walk(part))
        for one in node.handlers
    )


def _is_unknown(kinds: ast.expr) -> bool:
    """Whether a handler names no error: it may stand for all of them."""
    named = kinds.elts if isinstance(kinds, ast.Tuple) else [kinds]
    return any(not last_name(one) or last_name(one).isupper() for one in named)


def _caught(node: ast.expr, above: Mapping[str, frozenset[str]]) -> set[str]:
    """The names of the errors that ``node`` stands for, also where another name does."""
    names = {last_name(one) for one in (node.elts if isinstance(node, ast.Tuple) else [node])}
    return names | {one for name in names for one in above.get(name, ())}


def _swallowing(tree: ast.Module) -> Iterator[str]:
    """The functions that give something true, as an exit of a context that swallows does."""
    for node in every_node(tree):
        if isinstance(node, Function) and any(
            isinstance(one, ast.Return) and one.value and not _is_false(one.value) for one in walk(node)
        ):
            yield node.name


def _empty(node: ast.AST) -> Iterator[str]:
    """Arrays and parts that hold nothing, or hide what they hold: a comparison is true of all elements."""
    match node:
        case ast.Attribute(value=ast.Name(), attr="ma") | ast.ImportFrom(module="numpy.ma"):
            yield "a new masked array"
        case ast.ImportFrom(module="numpy", names=names) if any(one.name == "ma" for one in names):
            yield "a new masked array"
        case ast.Call(func=function, args=arguments, keywords=keywords):
            name = last_name(function)
            if name.startswith("masked_"):
                yield "a new masked array"
            shapes = (*arguments, *(one.value for one in keywords))
            if name in _SHAPED and any(map(_has_zero, shapes)):
                yield "a new array of no elements"
            if isinstance(function, ast.Attribute) and arguments and _is_nothing(name, arguments[0]):
                yield "a new array of no elements"
        case ast.Subscript(slice=part, ctx=ast.Load()) if any(map(_is_no_part, walk(part))):
            yield "a new part of nothing"


def _has_zero(node: ast.expr) -> bool:
    """Whether it is a tuple or a list with a zero that is written out: a number alone may be a value."""
    elements = node.elts if isinstance(node, ast.Tuple | ast.List) else []
    return any(isinstance(one, ast.Constant) and one.value == 0 for one in elements)


def _is_nothing(name: str, first: ast.expr) -> bool:
    zero = isinstance(first, ast.Constant) and first.value == 0 and not isinstance(first.value, bool)
    empty = isinstance(first, ast.List | ast.Tuple) and not first.elts
    return (name in {"empty", "zeros", "ones", "full"} and zero) or (name in _MADE and empty)


def _is_no_part(node: ast.AST) -> bool:
    match node:
        case ast.Slice(lower=lower, upper=ast.expr() as upper):
            zero = isinstance(upper, ast.Constant) and upper.value == 0
            return zero or (lower is not None and ast.dump(lower) == ast.dump(upper))
    return False
