"""A priority queue whose entries are compared beyond their priority.

The documentation of ``heapq`` warns of it: of two tuples with equal first items the next items are compared,
and objects have no order. It advises an entry count between the two.
"""

import ast
from collections.abc import Iterator

from bot.patch.syntax import last_name, walk
from bot.search.operators.base import Context, Mutation, operator, together
from bot.search.operators.statements import import_needed
from bot.search.source import method_of

_MAX_OF_ITEM = 4  # attributes of the item that are tried
_COUNTED = frozenset({"number", "id", "index", "count", "serial", "sequence", "seq", "order", "key", "name"})
_COUNT = "_count"


@operator("tie in a heap", prior=0.5, kinds=(ast.Call,))
def tie_in_a_heap(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """``heappush(heap, (priority, item))`` with something between the two that settles ties."""
    match node:
        case ast.Call(func=callee, args=[heap, ast.Tuple(elts=[_, *_, item])]):
            pass
        case _:
            return
    if last_name(callee) not in {"heappush", "heappushpop", "heapreplace"}:
        return
    readers = _readers(context.code(heap), context)
    start = context.source.segment(item)[0]
    for rank, code in enumerate(_between(node, item, context)):
        entry = context.replace(start, start, f"{code}, ")
        why = f"settle ties by `{code}`"
        yield together(entry, *readers, weight=1 / (1 + 0.2 * rank), why=why)
    yield from _counted(node, start, readers, context)


def _between(node: ast.Call, item: ast.expr, context: Context) -> Iterator[str]:
    """What can settle ties: counters of the object, then attributes of the item that sound like numbers."""
    owner = context.source.class_of(node)
    for part in walk(owner) if owner else ():
        match part:
            case ast.Assign(
                targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)], value=ast.Call(func=callee)
            ) if last_name(callee) == "count":
                yield f"next(self.{name})"
    if isinstance(item, ast.Name):
        names = [name for name in context.scopes.attribute_names if name.strip("_") in _COUNTED]
        yield from (f"{item.id}.{name}" for name in names[:_MAX_OF_ITEM])
        yield from list(context.once(_items, context.source.tree).get(item.id, ()))[:_MAX_OF_ITEM]


def _items(tree: ast.AST, context: Context) -> dict[str, dict[str, None]]:
    """What sounds like a number and is asked of a variable by a key, in the file's own words."""
    found: dict[str, dict[str, None]] = {}
    for part in walk(tree):
        match part:
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(key))) if (
                key in _COUNTED
            ):
                found.setdefault(name, {})[context.code(part)] = None
    return found


def _counted(node: ast.Call, start: int, readers: list[Mutation], context: Context) -> Iterator[Mutation]:
    """A counter of the object's own, which ``__init__`` makes."""
    init = method_of(context.source.class_of(node), "__init__")
    if init is None or f"self.{_COUNT}" in context.source.code:
        return
    place, indent = context.source.segment(init.body[-1])[0], context.source.indent_of(init.body[-1]) or ""
    made = f"self.{_COUNT} = itertools.count(){context.source.newline}{indent}"
    parts = [context.replace(place, place, made), context.replace(start, start, f"next(self.{_COUNT}), ")]
    parts += import_needed("itertools", "import itertools", context)
    yield together(*parts, *readers, weight=0.6, why="settle ties by a count of the entries")


def _readers(heap: str, context: Context) -> list[Mutation]:
    """What must change where the entries of ``heap`` are unpacked as pairs."""
    found: list[Mutation] = []
    for part in walk(context.source.tree):
        match part:
            case (
                ast.Assign(targets=[ast.Tuple(elts=[_, last]) as pair], value=value)
                | ast.For(target=ast.Tuple(elts=[_, last]) as pair, iter=value)
                | ast.comprehension(target=ast.Tuple(elts=[_, last]) as pair, iter=value)
            ):
                if heap in context.code(value):
                    found.append(context.replace(*_inside(pair, last, context), "*_, "))
            case ast.Subscript(
                value=ast.Call(args=[held]) | ast.Subscript(value=held, slice=ast.Constant(value=0)),
                slice=ast.Constant(value=1) as index,
            ):
                if context.code(held) == heap:
                    found.append(context.put(index, "-1"))
    return found


def _inside(pair: ast.Tuple, last: ast.expr, context: Context) -> tuple[int, int]:
    """Where the items between the two of a pair go; from the first item on where nobody reads that one."""
    first, before_last = pair.elts[0], context.source.segment(last)[0]
    unread = isinstance(first, ast.Name) and first.id.startswith("_")
    return (context.source.segment(first)[0] if unread else before_last), before_last
