"""A key that should read like the name beside it: ``name=row["title"]``, ``{"size": self.length}``."""

import ast
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator
from bot.search.source import is_read

_ASKING = frozenset({"get", "pop", "getattr", "setdefault"})


@operator("key of its name", prior=0.45, kinds=(ast.Constant,))
def key_of_its_name(node: ast.Constant, context: Context) -> Iterator[Mutation]:
    """The key by which a value is read, or under which it is kept, as the variable or attribute is called."""
    if not isinstance(node.value, str):
        return
    names = [*_names_of_target(node, context), *_names_of_value(node, context)]
    for rank, name in enumerate(dict.fromkeys(names)):
        for other in _alike(name, node.value):
            yield context.put(node, f'"{other}"', weight=1 / (1 + 0.3 * rank))


def _alike(name: str, key: str) -> list[str]:
    """``name`` as a key, written in the way of ``key``; none where they are the same."""
    plain = name.lstrip("_")
    written = plain.replace("_", "-") if "-" in key else plain
    return [written] if written and key not in {written, name} else []


def _names_of_target(node: ast.Constant, context: Context) -> Iterator[str]:
    """What the value is given to that is read by this key: ``size`` of ``size=int(row["length"])``."""
    if not _is_asked_for(node, context):
        return
    for part in context.source.ancestors(node):
        match part:
            case ast.keyword(arg=str(name)):
                yield name
                return
            case (
                ast.Assign(targets=[ast.Name(id=name) | ast.Attribute(attr=name)])
                | ast.AnnAssign(target=ast.Name(id=name) | ast.Attribute(attr=name))
            ):
                yield name
                return
            case ast.stmt() | ast.Lambda() | ast.Dict():
                return


def _is_asked_for(node: ast.Constant, context: Context) -> bool:
    match context.source.parents[node]:
        case ast.Subscript(slice=key, ctx=ast.Load()):
            return key is node
        case ast.Call(func=ast.Attribute(attr=name) | ast.Name(id=name), args=[*given]):
            return name in _ASKING and node in given[: 2 if name == "getattr" else 1]
    return False


def _names_of_value(node: ast.Constant, context: Context) -> Iterator[str]:
    """What is kept under this key: ``length`` of ``{"size": self.length}`` and ``found["size"] = length``."""
    match context.source.parents[node]:
        case ast.Dict(keys=keys, values=values) if node in keys:
            yield from _last_names(values[keys.index(node)])
        case ast.Subscript(slice=key, ctx=ast.Store()) as target if key is node:
            match context.source.parents[target]:
                case ast.Assign(value=value):
                    yield from _last_names(value)


def _last_names(value: ast.expr) -> Iterator[str]:
    """The name of a variable or attribute, also where one call converts it."""
    match value:
        case ast.Call(args=[held], keywords=[]):
            value = held
    match value:
        case ast.Name(id=name) | ast.Attribute(attr=name) if is_read(value):
            yield name
