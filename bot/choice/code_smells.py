"""Code smells: names that nothing reads, and code without effect. A patch that adds such is seldom right.

Nothing here is about a certain bug: it is what a linter or a reviewer would object to. Counts are compared
before and after a change, so a file that is full of such code is not to blame for it.
"""

import ast
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from bot.choice.dead_values import dead_updates, overwritten
from bot.choice.targets import definitions
from bot.patch.syntax import last_name, unreachable, walk

_SIGNS = (ast.USub, ast.UAdd, ast.Invert)
_IDEMPOTENT = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod)
_READING = frozenset(
    {"get", "keys", "values", "items", "strip", "lower", "upper", "split", "join", "count", "index"}
)
"""Methods that change nothing: a statement that calls one and leaves the answer does nothing."""

_TAKING = frozenset({"pop", "popitem", "clear", "remove", "discard"})
_LEAST = {"len": 0, "abs": 0, "count": 0, "find": -1, "rfind": -1}
"""What calls of these functions and methods answer at least."""

_BELOW = {ast.Lt: 0, ast.GtE: 0, ast.LtE: 1, ast.Gt: 1, ast.Eq: 1, ast.NotEq: 1}
"""A relation to a number so far below the least answer holds always, or never."""

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.LtE: ast.GtE, ast.Gt: ast.Lt, ast.GtE: ast.LtE,
}  # fmt: skip


def unused_names(tree: ast.Module) -> int:
    """How many parameters and local names of functions are never read."""
    found: Counter[str] = Counter()
    for name, node in definitions(tree):
        names = [child for child in walk(node) if isinstance(child, ast.Name)]
        read = {child.id for child in names if isinstance(child.ctx, ast.Load)}
        own = node.args
        bound = {argument.arg for argument in (*own.posonlyargs, *own.args, *own.kwonlyargs)}
        bound |= {child.id for child in names if isinstance(child.ctx, ast.Store)}
        found.update(f"{name}.{one}" for one in bound - read if not one.startswith("_"))
    return found.total()


def used_no_more(old: ast.Module, new: ast.Module) -> int:
    """How many names hold what a call gave, and are read for conditions only, which was not so before."""
    return len(_made(new, asked=True) & _made(old, asked=False))


def _made(tree: ast.Module, *, asked: bool) -> set[str]:
    """The names with what a call gave: read for nothing but conditions, or for something else."""
    found: set[str] = set()
    for owner, node in definitions(tree):
        made = {
            target.id
            for part in walk(node)
            if isinstance(part, ast.Assign) and isinstance(part.value, ast.Call)
            for target in part.targets
            if isinstance(target, ast.Name)
        }
        asking = [part.test for part in walk(node) if isinstance(part, (ast.If, ast.While, ast.Assert))]
        conditions, all_reads = Counter(_reads(asking)), Counter(_reads([node]))
        found |= {
            f"{owner}.{name}"
            for name in made & all_reads.keys()
            if asked == (conditions[name] == all_reads[name])
        }
    return found


def _reads(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for part in (part for node in nodes for part in walk(node)):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            yield part.id


def pointless_code(tree: ast.Module) -> int:
    """How many expressions and statements do nothing, or always the same."""
    of_nodes = sum(_pointless(node) + _says_less(node) + overwritten(node) for node in walk(tree))
    return of_nodes + unreachable(tree) + dead_updates(tree)


def _says_less(node: ast.AST) -> int:
    """Whether it denies a comparison, constant or denial, has two signs in a row, or leaves what it asks for.

    To deny a comparison that is a denial itself counts twice: ``not x not in y``.
    """
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(attr=name))):
            return name in _READING
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(ops=[ast.NotIn() | ast.NotEq() | ast.IsNot()])):
            return 2
        case ast.UnaryOp(op=ast.Not(), operand=ast.Compare(ops=[_]) | ast.Constant()):
            return 1
        case ast.UnaryOp(op=ast.Not(), operand=ast.UnaryOp(op=ast.Not())):
            return 1
        case ast.UnaryOp(op=one, operand=ast.UnaryOp(op=other)):
            return isinstance(one, _SIGNS) and isinstance(other, _SIGNS)
        case ast.BinOp(op=ast.Add() | ast.Sub(), right=ast.UnaryOp(op=ast.USub() | ast.UAdd())):
            return 1
    return 0


def none_by_value(tree: ast.Module) -> int:
    """How many comparisons such as ``x == None`` there are: ``is`` asks for the only None (PEP 8)."""
    return sum(
        isinstance(node, ast.Compare)
        and isinstance(node.ops[0], (ast.Eq, ast.NotEq))
        and isinstance(node.comparators[0], ast.Constant)
        and node.comparators[0].value is None
        for node in walk(tree)
    )


def broad_handlers(tree: ast.Module) -> int:
    """How many handlers there are that catch every exception."""
    return sum(
        isinstance(node, ast.ExceptHandler)
        and (node.type is None or getattr(node.type, "id", "") in {"Exception", "BaseException"})
        for node in walk(tree)
    )


def set_orders(tree: ast.Module) -> int:
    """How many lists, tuples and texts have the order of a set, which is another one in each process."""
    return sum(map(_has_order_of_set, walk(tree)))


def _has_order_of_set(node: ast.AST) -> bool:
    match node:
        case (
            ast.Call(func=ast.Name(id="list" | "tuple"), args=[held])
            | ast.Call(func=ast.Attribute(attr="join"), args=[held])
        ):
            return _is_set(held)
        case ast.List(elts=[ast.Starred(value=held)]) | ast.Tuple(elts=[ast.Starred(value=held)]):
            return _is_set(held)
    return False


def _is_set(node: ast.expr) -> bool:
    called = isinstance(node, ast.Call) and last_name(node.func) in {"set", "frozenset"}
    return called or isinstance(node, (ast.Set, ast.SetComp))


def shared_taken(tree: ast.Module) -> int:
    """How often functions take items out of an object that no name of the function is bound to.

    Such a table of a module is empty for the next caller.
    """
    count = 0
    for _, node in definitions(tree):
        inside = walk(node)
        bound = {one.arg for one in inside if isinstance(one, ast.arg)}
        bound |= {one.id for one in inside if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        roots = [_root(owner) for one in inside for owner in _emptied(one)]
        count += sum(bool(root) and root not in bound for root in roots)
    return count


def _emptied(node: ast.AST) -> list[ast.expr]:
    """What ``node`` takes items out of."""
    match node:
        case ast.Call(func=ast.Attribute(attr=name, value=owner)) if name in _TAKING:
            return [owner]
        case ast.Delete(targets=targets):
            return [one.value for one in targets if isinstance(one, ast.Subscript)]
    return []


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _pointless(node: ast.AST) -> int:
    match node:
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            constant = _is_constant(left) and _is_constant(right)
            return constant or _same(left, right) or _is_decided(left, type(op), right)
        case ast.BinOp(left=left, op=op, right=right):
            return (isinstance(op, _IDEMPOTENT) and _same(left, right)) or _is_neutral(op, right)
        case ast.BoolOp(values=values):
            repeated = len(values) - len({ast.dump(value) for value in values})
            # ``x or 0`` has a default.
            *conditions, last = values
            decided = isinstance(last, ast.Constant) and isinstance(last.value, bool)
            return repeated + sum(map(_is_constant, conditions)) + decided
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Name(id=same)):
            return name == same
        case ast.Call(args=[first, second], keywords=[]):
            return not _is_constant(first) and _same(first, second)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _same(body, orelse) or _is_constant(test)
        case ast.While(test=ast.Constant(value=value)):
            return not value
        case ast.If(test=test, body=body, orelse=orelse):
            only_passes = not orelse and len(body) == 1 and isinstance(body[0], ast.Pass)
            certain = _is_constant(test) + _alike(body, orelse) + only_passes
            foreign = bool(orelse) and _asks_otherwise(test, orelse)
            return certain + foreign + _blocks(node) + _adds_again(test, body)
        case ast.FunctionDef() | ast.For() | ast.While() | ast.Module():
            return _blocks(node)
    return 0


def _is_decided(left: ast.expr, op: type[ast.cmpop], right: ast.expr) -> bool:
    """Whether every answer of a call such as ``len(x)`` compares alike with the number beside it."""
    least, number = _least(left), _number(right)
    if least is None:
        least, number, op = _least(right), _number(left), _TURNED.get(op, op)
    return least is not None and number is not None and op in _BELOW and number + _BELOW[op] <= least


def _least(node: ast.expr) -> int | None:
    return _LEAST.get(last_name(node.func)) if isinstance(node, ast.Call) and node.args else None


def _number(node: ast.expr) -> int | float | None:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
        case ast.Constant(value=int() | float() as value):
            return value
    return None


def _blocks(node: ast.AST) -> int:
    """Branches that end as what follows them does."""
    count = 0
    for name in ("body", "orelse"):
        block = getattr(node, name, [])
        for statement, following in pairwise(block):
            if isinstance(statement, ast.If) and not statement.orelse:
                count += _alike(statement.body, [following])
    return count


def _asks_otherwise(test: ast.expr, orelse: Sequence[ast.stmt]) -> bool:
    """Whether an ``elif`` that compares with a constant asks about nothing that the clause before does."""
    match orelse:
        case [ast.If(test=ast.Compare() as second)] if isinstance(test, ast.Compare):
            one, other = (
                {node.id for node in walk(part) if isinstance(node, ast.Name)} for part in (test, second)
            )
            return bool(one and other) and not one & other
    return False


def _adds_again(test: ast.expr, body: Sequence[ast.stmt]) -> int:
    """How many statements add to a set what ``test`` found in it."""
    match test:
        case ast.Compare(left=item, ops=[ast.In()], comparators=[owner]):
            calls = (node.value for node in body if isinstance(node, ast.Expr))
            added = ast.Call(ast.Attribute(owner, "add", ast.Load()), [item], [])
            return sum(_same(call, added) for call in calls)
    return 0


def _is_neutral(op: ast.operator, right: ast.expr) -> bool:
    match op, right:
        case (ast.Add() | ast.Sub() | ast.Mult(), ast.Constant(value=0)):
            return True
        case (ast.Mult() | ast.FloorDiv() | ast.Pow() | ast.Mod(), ast.Constant(value=1)):
            return True
    return False


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant)


def _same(one: ast.AST, other: ast.AST) -> bool:
    return ast.dump(one) == ast.dump(other)


def _alike(one: Sequence[ast.AST], other: Sequence[ast.AST]) -> bool:
    return len(one) == len(other) and all(map(_same, one, other))
