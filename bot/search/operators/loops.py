"""Loops: what they forget to gather, begin in the wrong place, change under their feet, or decide too soon.

Missing and misplaced statements of loops are among the defect classes that QuixBugs lists (Lin et al. 2017)
and HumanEvalPack's "missing logic" (Muennighoff et al. 2023). How far a loop runs is in ``subscripts`` and
``arguments``; statements that leave it are in ``statements``.
"""

import ast
import re
from collections.abc import Iterator, Sequence

from bot.patch.syntax import walk
from bot.search.operators.base import Context, Mutation, operator, together
from bot.search.operators.statements import inserted, reindented
from bot.search.source import FUNCTIONS, LOOPS, Function, methods_of, names_in

_FILLING = frozenset(
    {"append", "extend", "add", "insert", "update", "remove", "pop", "discard", "appendleft", "clear"}
)
_SHRINKING = frozenset({"remove", "pop", "insert", "append", "discard", "add", "clear"})
_ELSE = re.compile(r"(?<=[\r\n])[ \t\f]*else\b")


def is_fresh(node: ast.AST | None) -> bool:
    """Whether an expression is what an accumulator begins with: nothing, zero, one, an empty collection."""
    if isinstance(node, ast.Constant):
        return node.value in {0, 1, "", None} or isinstance(node.value, bool)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and not node.args and node.func.id in {"set", "list", "dict"}
    return (isinstance(node, (ast.List, ast.Tuple)) and not node.elts) or (
        isinstance(node, ast.Dict) and not node.keys
    )


def changed_names(nodes: Iterator[ast.AST] | list[ast.AST]) -> set[str]:
    """Names that the nodes assign, or whose object they fill or empty."""
    found = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.Subscript(value=ast.Name(id=name), ctx=ast.Store()):
                found.add(name)
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=method)) if method in _FILLING:
                found.add(name)
    return found


def begun_before(loop: ast.stmt, context: Context) -> dict[str, ast.Assign]:
    """The accumulators that begin above a loop in its own block, each with the assignment."""
    found: dict[str, ast.Assign] = {}
    for statement in context.source.block_of(loop):
        if statement is loop:
            break
        if isinstance(statement, ast.Assign) and is_fresh(statement.value):
            found |= {target.id: statement for target in statement.targets if isinstance(target, ast.Name)}
    return found


@operator("accumulate", prior=0.75, kinds=(ast.For, ast.AsyncFor))
def accumulate(node: ast.For, context: Context) -> Iterator[Mutation]:
    """An accumulator that the loop never changes: ``total`` stays 0, ``seen`` stays empty."""
    begun = begun_before(node, context)
    changed = changed_names([part for statement in node.body for part in ast.walk(statement)])
    items = [name for name in names_in(node.target) if name != "_"]
    made = [name for name in sorted(changed) if name not in begun]
    for name, assign in begun.items():
        if name in changed:
            continue
        for code, weight in _updates(name, assign.value, [*items, *made][:4]):
            yield from inserted(node.body[-1], code, context, weight=weight)
            if len(node.body) > 1 and weight > 0.7:
                yield from inserted(node.body[0], code, context, weight=weight * 0.6, before=True)


def _updates(name: str, begins: ast.AST, items: list[str]) -> Iterator[tuple[str, float]]:
    value = begins.value if isinstance(begins, ast.Constant) else None
    for rank, item in enumerate(items):
        share = 1.0 / (1 + 0.5 * rank)
        if isinstance(begins, ast.List):
            yield f"{name}.append({item})", share
            yield f"{name}.extend({item})", 0.4 * share
        elif isinstance(begins, ast.Call):
            yield f"{name}.add({item})", share
            yield f"{name}.append({item})", 0.4 * share
        elif isinstance(begins, ast.Dict):
            yield f"{name}[{item}] = {name}.get({item}, 0) + 1", share
            yield f"{name}[{item}] = True", 0.3 * share
        elif value is None or value is False:
            yield f"{name} = {item}", share
        elif value == 1 and value is not True:
            yield f"{name} *= {item}", share
        else:
            yield f"{name} += {item}", share
            yield f"{name} = max({name}, {item})", 0.3 * share
    if value in {0, 1} and not isinstance(value, bool):
        yield f"{name} += 1", 0.8
    if value is False:
        yield f"{name} = True", 0.8
    if value is True:
        yield f"{name} = False", 0.8


@operator("last round", prior=0.5, kinds=(ast.For, ast.AsyncFor))
def last_round(node: ast.For, context: Context) -> Iterator[Mutation]:
    """What the loop gathers, adds or yields when a piece is full, and forgets behind its last round."""
    inside = [part for one in node.body for part in ast.walk(one)]
    kept = changed_names(inside) - set(names_in(node.target))
    for statement in inside:
        match statement:
            case ast.Expr(
                value=ast.Call(func=ast.Attribute(attr="append" | "add" | "extend"), args=[given])
                | ast.Yield(value=ast.expr() as given)
            ):
                code = context.code(statement)
                names = [name for name in dict.fromkeys(names_in(given)) if name in kept]
                for name in names:
                    yield from inserted(node, context.when(name, code), context, weight=1.0)
                if names:
                    yield from inserted(node, code, context, weight=0.8)


@operator("advance", prior=0.75, kinds=(ast.While,))
def advance(node: ast.While, context: Context) -> Iterator[Mutation]:
    """A loop that asks for a variable which its body never moves on."""
    changed = changed_names([part for statement in node.body for part in ast.walk(statement)])
    compare = node.test if isinstance(node.test, ast.Compare) else None
    grows = compare is not None and isinstance(compare.ops[0], (ast.Lt, ast.LtE, ast.NotEq))
    for place, side in enumerate([compare.left, *compare.comparators] if compare else [node.test]):
        called = {part.func for part in ast.walk(side) if isinstance(part, ast.Call)}
        names = [part.id for part in ast.walk(side) if isinstance(part, ast.Name) and part not in called]
        for name in dict.fromkeys(name for name in names if name not in changed):
            up, down = (1.0, 0.8) if grows == (place == 0) else (0.8, 1.0)
            for step, weight in (("+= 1", up), ("-= 1", down), ("//= 2", 0.7)):
                yield from inserted(node.body[-1], f"{name} {step}", context, weight=weight)


@operator("begin inside", prior=0.65, kinds=(ast.Assign,))
def begin_inside(node: ast.Assign, context: Context) -> Iterator[Mutation]:
    """An accumulator that should begin anew in each round, or only once before the loop."""
    names = {target.id for target in node.targets if isinstance(target, ast.Name)}
    lines = context.source.whole_lines(node)
    if not names or not is_fresh(node.value) or lines is None:
        return
    block = context.source.block_of(node)
    line = context.code(node)
    for statement in block[block.index(node) + 1 :]:
        if isinstance(statement, LOOPS) and names & changed_names(list(ast.walk(statement))):
            inner = statement.body[0]
            yield from _moved(inserted(inner, line, context, weight=1.0, before=True), lines, context)
            if isinstance(inner, LOOPS):
                again = inserted(inner.body[0], line, context, weight=0.5, before=True)
                yield from _moved(again, lines, context)
    loop = context.source.parents[node]
    if isinstance(loop, LOOPS) and node in loop.body and len(loop.body) > 1:
        yield from _moved(inserted(loop, line, context, weight=1.0, before=True), lines, context)


def _moved(changes: Iterator[Mutation], lines: tuple[int, int], context: Context) -> Iterator[Mutation]:
    """An insertion, with the lines that it stands for taken out."""
    for change in changes:
        why = change.explanation.replace("insert", "move", 1)
        yield together(change, context.replace(*lines, ""), weight=change.weight, why=why)


@operator("walk over a copy", prior=0.8, kinds=(ast.For,))
def walk_copy(node: ast.For, context: Context) -> Iterator[Mutation]:
    """A loop over what its body changes, itself or through a method: items are skipped, or visited twice."""
    walked = context.code(node.iter)
    held = walked
    match node.iter:
        case (
            ast.Call(func=ast.Attribute(value=owner, attr="items" | "keys" | "values"), args=[])
            | ast.Call(func=ast.Name(id="enumerate"), args=[owner])
        ):
            held = context.code(owner)
    if _changes(node.body, held, context):
        yield context.put(node.iter, f"list({walked})", weight=1.0)
        if held == walked:
            yield context.put(node.iter, f"reversed({walked})", weight=0.4)
    elif held.startswith("self."):
        parts = (part for one in node.body for part in walk(one))
        if any(isinstance(part, ast.Call) for part in parts):  # which may change what the object holds
            yield context.put(node.iter, f"list({walked})", weight=0.5)


def _changes(body: Sequence[ast.stmt], held: str, context: Context, *, depth: int = 1) -> bool:
    """Whether the statements, or a method of the class that they call, change the collection ``held``."""
    methods = []
    for part in (part for statement in body for part in walk(statement)):
        match part:
            case ast.Call(func=ast.Attribute(value=ast.Name(id="self"), attr=name)):
                methods.append(name)
            case ast.Call(func=ast.Attribute(value=owner, attr=name)) if name in _SHRINKING:
                if context.code(owner) == held:
                    return True
            case ast.Subscript(value=owner, ctx=ast.Del() | ast.Store()) if context.code(owner) == held:
                return True
    around = context.source.class_of(body[0]) if depth and held.startswith("self.") else None
    return any(
        member.name in methods and _changes(member.body, held, context, depth=depth - 1)
        for member in methods_of(around)
    )


@operator("late binding", prior=0.8, kinds=(ast.Lambda, *FUNCTIONS))
def late_binding(node: ast.Lambda | Function, context: Context) -> Iterator[Mutation]:
    """A function made in a loop that reads the loop's variable when it is called: all see the last value."""
    around: list[ast.AST] = []
    for above in context.source.ancestors(node):
        if isinstance(above, FUNCTIONS):
            break
        if isinstance(above, (ast.For, ast.AsyncFor)):
            around.append(above.target)
        elif isinstance(above, (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)):
            around += [clause.target for clause in above.generators]
    body = node.body if isinstance(node.body, list) else [node.body]
    varying = set(names_in(*around)) - {arg.arg for arg in (*node.args.args, *node.args.kwonlyargs)}
    captured = [name for name in dict.fromkeys(names_in(*body)) if name in varying]
    if not captured or node.args.vararg or node.args.kwarg or node.args.kwonlyargs:
        return
    bound = ", ".join(f"{name}={name}" for name in captured)
    parts = [*node.args.args, *node.args.defaults]
    if parts:
        place, bound = max(context.source.segment(part)[1] for part in parts), f", {bound}"
    elif isinstance(node, ast.Lambda):
        place, bound = context.source.segment(node)[0] + len("lambda"), f" {bound}"
    else:
        place = context.source.code.index("(", context.source.offset(node.lineno, node.col_offset)) + 1
    yield context.replace(place, place, bound, why=f"bind `{', '.join(captured)}` now")


@operator("early else", prior=0.75, kinds=(ast.If,))
def early_else(node: ast.If, context: Context) -> Iterator[Mutation]:
    """``if found: return True`` ``else: return False`` in a loop: the answer belongs after the loop."""
    source, loop = context.source, context.source.loop_of(node)
    if loop is None or not node.orelse or source.parents[node] is not loop or not isinstance(loop, LOOPS):
        return
    other, last, final = node.orelse[0], node.orelse[-1], node.body[-1]
    indent, outer = source.indent_of(other), source.indent_of(loop)
    lines = source.whole_lines(other), source.whole_lines(last)
    if indent is None or outer is None or not lines[0] or not lines[1] or context.code(other)[:4] == "elif":
        return
    if not isinstance(last, (ast.Return, ast.Raise)) and not isinstance(final, (ast.Return, ast.Break)):
        return
    start = source.segment(final)[1]
    opening = _ELSE.search(source.code, start, lines[0][0])
    # What comes between the branch's last statement and its `else` may be a comment, which stays.
    if opening is None or loop.body[-1] is not node or loop.orelse:
        return
    moved = reindented(source.code[lines[0][0] : lines[1][1]], indent, outer)
    why = "answer after the loop, not in its first round"
    yield context.replace(opening.start(), lines[1][1], moved, why=why)
