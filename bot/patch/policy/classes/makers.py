"""What makes classes, or code of the names of fields, in another form than a class statement.

``dataclass`` writes the names of the fields into code that it runs. A class statement names them in the
source; a class that is handed to it as a value may hold any text in their place.
"""

import ast
from collections.abc import Iterator

from bot.patch.policy.dangers import words
from bot.patch.policy.finding import CodeFinding
from bot.patch.syntax import children, every_node, last_name, walk

_MAKERS = words("dataclass make_dataclass ABCMeta EnumMeta EnumType new_class")
_BUILTIN = words("type property")
_OF_ATTRS = words("s attrs define mutable frozen dataclass make_class")
_READING = words("get items keys values copy __contains__ __len__ __iter__")
_READERS = words("dict len sorted list tuple set frozenset str repr bool iter any all enumerate zip print")
_WITH_METACLASS = words("isinstance issubclass with_metaclass add_metaclass")


def class_makers(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each use of a maker of classes that is no class statement, and what does more than read annotations."""
    meanings = {
        one.asname or one.name: f"{node.module}.{one.name}"
        for node in every_node(tree)
        if isinstance(node, ast.ImportFrom)
        for one in node.names
    }
    usual = {id(one) for node in every_node(tree) for one in _usual(node)}
    for above in every_node(tree):
        for node in children(above):
            name = meanings.get(node.id, node.id) if isinstance(node, ast.Name) else _attribute(node)
            root, _, last = name.rpartition(".")
            of_attrs = bool({"attr", "attrs"}.intersection(root.split(".")))
            maker = last in _MAKERS or name in _BUILTIN or (of_attrs and last in _OF_ATTRS)
            if maker and id(node) not in usual:
                yield CodeFinding(f"{last} is used apart from a class statement", ast.dump(above))
            if last == "__annotations__" and not _only_reads(above, node):
                yield CodeFinding("annotations are handed on, or changed", ast.dump(above))


def _attribute(node: ast.AST) -> str:
    match node:
        case ast.Attribute(value=value, attr=name, ctx=ast.Load()):
            return f"{last_name(value)}.{name}"
        case ast.Call(func=ast.Name(id="getattr"), args=[_, ast.Constant(value=str(name)), *_]):
            return name
    return ""


def _usual(node: ast.AST) -> Iterator[ast.AST]:
    """The makers that stand where ``node`` may have them."""
    match node:
        case ast.FunctionDef(decorator_list=decorators, returns=returns):
            yield from (*decorators, *(walk(returns) if returns else ()))
        case ast.ClassDef(decorator_list=decorators, keywords=keywords, bases=bases, body=body):
            made = (one.value for one in body if isinstance(one, ast.Assign | ast.AnnAssign))
            calls = (one.func for one in made if isinstance(one, ast.Call))
            yield from (one for one in calls if last_name(one) == "property")
            yield from (*decorators, *bases, *(one.value for one in keywords))
            # given a class, it decorates that one instead
            yield from (one.func for one in decorators if isinstance(one, ast.Call) and not one.args)
        case ast.Call(func=function, args=arguments) if last_name(function) in _WITH_METACLASS:
            yield from (inner for one in arguments for inner in walk(one))
        case (
            ast.Call(func=ast.Name(id="type") as kind)
            | ast.Call(func=ast.Name(id="map"), args=[ast.Name(id="type") as kind, _])
            | ast.keyword(arg="key", value=ast.Name(id="type") as kind)
            | ast.Attribute(value=ast.Name(id="type") as kind)
            | ast.Subscript(value=ast.Name(id="type") as kind)
            | ast.MatchClass(cls=ast.Name(id="type") as kind)
        ):
            yield kind  # asked for the type of something, or judged by other rules
        case ast.Compare(left=left, comparators=others):
            yield from (inner for one in (left, *others) for inner in walk(one))
        case (
            ast.arg(annotation=ast.expr() as value)
            | ast.AnnAssign(annotation=value)
            | ast.AsyncFunctionDef(returns=ast.expr() as value)
        ):
            yield from walk(value)
        case ast.Assign(targets=[ast.Name(id="__metaclass__")], value=value):
            yield value
        case ast.Name(ctx=ast.Store() | ast.Del()):
            yield node


def _only_reads(above: ast.AST, node: ast.AST) -> bool:
    match above:
        case ast.Attribute(attr=name):
            return name in _READING
        case ast.Subscript(ctx=context):
            return isinstance(context, ast.Load) or above.value is not node
        case ast.Call(func=ast.Name(id=name)):
            return name in _READERS
    return isinstance(
        above, ast.Compare | ast.FormattedValue | ast.UnaryOp | ast.For | ast.comprehension | ast.If
    )
