"""What makes classes, or code of the names of fields, in another form than a class statement.

``dataclass`` writes the names of the fields into code that it runs. A class statement names them in the
source; a class that is handed to it as a value may hold any text in their place.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding
from bot.patch.syntax import last_name

_DECORATORS = words("dataclass make_dataclass")
_OF_ATTRS = words("s attrs define mutable frozen dataclass make_class")
_METACLASSES = words("ABCMeta EnumMeta EnumType new_class")
_READING = words("get items keys values copy __contains__ __len__ __iter__")
_READERS = words("dict len sorted list tuple set frozenset str repr bool iter any all enumerate zip print")
_CHANGING = words("update pop popitem setdefault clear __setitem__ __delitem__ __ior__")
_WITH_METACLASS = words("isinstance issubclass with_metaclass add_metaclass")
_FIELDS = "__annotations__"


def class_makers(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each use of a maker of classes that is no class statement, and each way to change annotations."""
    meanings = _meanings(tree)
    usual = {id(one) for node in ast.walk(tree) for one in _usual(node)}
    changed = {name for node in ast.walk(tree) for name in _changed(node)}
    for above in ast.walk(tree):
        for node in ast.iter_child_nodes(above):
            name = meanings.get(node.id, node.id) if isinstance(node, ast.Name) else _named(node)
            if id(node) not in usual and (maker := _maker(name)):
                yield CodeFinding(f"{maker} is used apart from a class statement", ast.dump(above))
            if _is_fields(node) and not _only_reads(above, node, changed):
                yield CodeFinding("annotations are handed on, or changed", ast.dump(above))


def _maker(name: str) -> str:
    root, _, last = name.rpartition(".")
    of_attrs = root.partition(".")[0] in {"attr", "attrs"} and last in _OF_ATTRS
    return last if of_attrs or last in _DECORATORS | _METACLASSES else ""


def _named(node: ast.AST) -> str:
    match node:
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()):
            return f"{last_name(value)}.{name}"
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
            return name
    return ""


def _meanings(tree: ast.Module) -> dict[str, str]:
    return {
        one.asname or one.name: f"{node.module}.{one.name}"
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }


def _usual(node: ast.AST) -> Iterator[ast.AST]:
    """The makers that stand where ``node`` may have them."""
    match node:
        case ast.ClassDef(decorator_list=decorators, keywords=keywords, bases=bases):
            yield from (*decorators, *bases, *(one.value for one in keywords))
            # given a class, it decorates that one instead
            yield from (one.func for one in decorators if isinstance(one, ast.Call) and not one.args)
        case ast.Call(func=function, args=arguments) if last_name(function) in _WITH_METACLASS:
            yield from (inner for one in arguments for inner in ast.walk(one))
        case ast.arg(annotation=ast.expr() as value) | ast.AnnAssign(annotation=value):
            yield from ast.walk(value)
        case ast.FunctionDef(returns=ast.expr() as value) | ast.AsyncFunctionDef(returns=ast.expr() as value):
            yield from ast.walk(value)
        case ast.Assign(targets=[ast.Name(id="__metaclass__")], value=value):
            yield value
        case ast.Name(ctx=ast.Store() | ast.Del()):
            yield node


def _is_fields(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(attr=name, ctx=ast.Load()):
            return name == _FIELDS
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=name), *_]):
            return name == _FIELDS
    return False


def _changed(node: ast.AST) -> Iterator[str]:
    """The names of what ``node`` changes items of."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), ctx=ast.Store() | ast.Del()):
            yield name
        case ast.Attribute(value=ast.Name(id=name), attr=method) if method in _CHANGING:
            yield name
        case ast.AugAssign(target=ast.Name(id=name)):
            yield name


def _only_reads(above: ast.AST, node: ast.AST, changed: set[str]) -> bool:
    match above:
        case ast.Attribute(attr=name):
            return name in _READING
        case ast.Subscript(ctx=ctx):
            return isinstance(ctx, ast.Load) or above.value is not node
        case ast.Compare() | ast.FormattedValue() | ast.UnaryOp() | ast.For() | ast.comprehension():
            return True
        case ast.If() | ast.Expr() | ast.Assert():
            return True
        case ast.Call(func=ast.Name(id=name)):
            return name in _READERS
        case ast.Assign(targets=[ast.Name(id=name)]):
            return name not in changed
    return False
