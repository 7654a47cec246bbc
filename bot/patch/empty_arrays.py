"""Arrays that hold nothing, or hide what they hold: a comparison with one is true of all elements."""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding
from bot.patch.measures import results

_SHAPED = words("empty zeros ones full ndarray recarray reshape broadcast_to resize empty_like")
_MADE = words("array asarray asanyarray ascontiguousarray fromiter")


def empty_arrays(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each array, slice or mask by which a comparison may be of nothing."""
    for node in ast.walk(tree):
        if _is_masked(node):
            yield CodeFinding("a new masked array", ast.dump(node))
        match node:
            case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)) if name in _SHAPED:
                if any(map(_is_empty_shape, (*node.args, *(one.value for one in node.keywords)))):
                    yield CodeFinding("a new array of no elements", ast.dump(node))
            case ast.Subscript(slice=part, ctx=ast.Load()) if any(map(_is_no_part, ast.walk(part))):
                yield CodeFinding("a new part of nothing", ast.dump(node))
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                for value in results(node.body):
                    if any(map(_is_nothing, ast.walk(value))):
                        yield CodeFinding("a result that is an array of nothing", ast.dump(value))


def _is_masked(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(), attr="ma") | ast.ImportFrom(module="numpy.ma"):
            return True
        case ast.ImportFrom(module="numpy", names=names):
            return any(one.name == "ma" for one in names)
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name)):
            return name.startswith("masked_")
    return False


def _is_empty_shape(node: ast.expr) -> bool:
    """Whether it is a tuple or a list with a zero that is written out: a number alone may be a value."""
    match node:
        case ast.Tuple(elts=elements) | ast.List(elts=elements):
            return any(isinstance(one, ast.Constant) and one.value == 0 for one in elements)
    return False


def _is_no_part(node: ast.AST) -> bool:
    match node:
        case ast.Slice(lower=lower, upper=ast.expr() as upper):
            zero = isinstance(upper, ast.Constant) and upper.value == 0
            return zero or (lower is not None and ast.dump(lower) == ast.dump(upper))
    return False


def _is_nothing(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Attribute(attr=name), args=[ast.Constant(value=0), *_]):
            return name in {"empty", "zeros", "ones", "full"}
        case ast.Call(
            func=ast.Attribute(value=ast.Name(), attr=name),
            args=[ast.List(elts=[]) | ast.Tuple(elts=[]), *_],
        ):
            return name in _MADE
    return False
