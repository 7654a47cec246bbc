"""What a function declares and shares: mutable defaults, two names for one object.

Mutable defaults and copies that were not made are traps that Python's documentation
and FAQ warn of; "shared mutable" bugs recur in BugsInPy (Widyasari et al. 2020).
"""

import ast
from collections.abc import Iterator

from bot.search.operators.base import Context, Mutation, operator, together
from bot.search.operators.loops import changed_names
from bot.search.operators.statements import at_head, import_needed
from bot.search.source import FUNCTIONS, function_called, method_of

_MUTABLE = (ast.List, ast.Dict, ast.Set, ast.ListComp)


@operator("mutable default", prior=0.8, kinds=FUNCTIONS)
def mutable_default(node: ast.FunctionDef, context: Context) -> Iterator[Mutation]:
    """A list or dict that all calls share, made anew for each call."""
    positional = [*node.args.posonlyargs, *node.args.args]
    pairs = [*zip(reversed(positional), reversed(node.args.defaults), strict=False)]
    named = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    for arg, default in (*pairs, *named):
        call = isinstance(default, ast.Call) and not default.args
        if default is None or not (call or isinstance(default, (ast.List, ast.Dict, ast.Set))):
            continue
        guard = context.when(f"{arg.arg} is None", f"{arg.arg} = {context.code(default)}")
        for change in at_head(node, guard, context, weight=1.0):
            yield together(context.put(default, "None"), change, why=f"make a new `{arg.arg}` for each call")


def makes_mutable(node: ast.AST | None) -> bool:
    """Whether an expression makes a list, a dict or a set."""
    made = function_called(node) in {"list", "dict", "set", "defaultdict", "deque"}
    return made or isinstance(node, _MUTABLE)


@operator("repeated reference", prior=0.85, kinds=(ast.BinOp, ast.Call))
def repeated_reference(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``[[0] * n] * m`` and ``dict.fromkeys(keys, [])``: one list, many times."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        for held, count in ((node.left, node.right), (node.right, node.left)):
            if isinstance(held, ast.List) and len(held.elts) == 1 and _holds_mutable(held.elts[0]):
                item = context.code(held.elts[0])
                code = f"[{item} for _ in range({context.code(count)})]"
                yield context.put(node, code, why="make a new list for each place")
    elif isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "fromkeys":
        for value in node.args[1:2]:
            code = f"{{key: {context.code(value)} for key in {context.code(node.args[0])}}}"
            if makes_mutable(value):
                yield context.put(node, code, why="make a new value for each key")


def _holds_mutable(node: ast.expr) -> bool:
    repeated = isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult) and makes_mutable(node.left)
    return makes_mutable(node) or repeated


@operator("shared attribute", prior=0.6, kinds=(ast.Assign,))
def shared_attribute(node: ast.Assign, context: Context) -> Iterator[Mutation]:
    """A list of the class that was meant to be each object's own."""
    owner = context.source.parents[node]
    target, lines = node.targets[0], context.source.whole_lines(node)
    is_list = isinstance(owner, ast.ClassDef) and isinstance(target, ast.Name) and makes_mutable(node.value)
    if not is_list or lines is None:
        return
    assert isinstance(owner, ast.ClassDef)
    assert isinstance(target, ast.Name)
    line = f"self.{target.id} = {context.code(node.value)}"
    why = f"make `{target.id}` each object's own"
    if init := method_of(owner, "__init__"):
        for change in at_head(init, line, context, weight=1.0):
            yield together(change, context.replace(*lines, ""), why=why)
    elif not owner.decorator_list:
        indent, newline = context.source.indent_of(node) or "", context.source.newline
        code = f"{indent}def __init__(self):{newline}{indent}{context.source.step}{line}{newline}"
        yield context.replace(*lines, code, why=why)


@operator("stored alias", prior=0.45, kinds=(ast.Name, ast.Attribute))
def stored_alias(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """A list kept or handed out while it is still being changed: keep a copy."""
    parent = context.source.parents[node]
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return
    kept = isinstance(parent, ast.Call) and node in parent.args and isinstance(parent.func, ast.Attribute)
    kept = kept and getattr(parent, "func").attr in {"append", "add", "appendleft", "insert"}  # noqa: B009
    stored = isinstance(parent, ast.Assign) and isinstance(parent.value, (ast.Name, ast.Attribute))
    returned = isinstance(parent, ast.Return) and isinstance(node, ast.Attribute)
    if not (kept or stored or returned or isinstance(parent, (ast.Yield, ast.Subscript))):
        return
    changed = changed_names(list(context.scopes.region(node)))
    code = context.code(node)
    if isinstance(node, ast.Name) and node.id not in changed and not stored:
        return
    weight = 1.0 if kept else 0.7 if stored else 0.5
    if not isinstance(parent, ast.Subscript):
        yield context.put(node, f"list({code})", weight=weight)
        yield context.put(node, f"{code}[:]", weight=0.5 * weight)
    if stored:
        deep = context.put(node, f"copy.deepcopy({code})")
        imported = import_needed("copy", "import copy", context)
        yield together(deep, *imported, weight=0.6, why=f"copy `{code}` with all that it holds")
        yield context.put(node, f"[row[:] for row in {code}]", weight=0.4)


@operator("default or alias", prior=0.45, kinds=(ast.BoolOp,))
def default_or_alias(node: ast.BoolOp, context: Context) -> Iterator[Mutation]:
    """``given or {}``, which is then filled: what was given is filled with it, so it has to be a copy."""
    makers = {ast.Dict: "dict", ast.List: "list", ast.Set: "set"}
    last = node.values[-1]
    maker = makers.get(type(last), "")
    if isinstance(last, ast.Call) and isinstance(last.func, ast.Name) and not last.args:
        maker = last.func.id if last.func.id in makers.values() else ""
    if isinstance(node.op, ast.Or) and maker and isinstance(context.source.parents[node], ast.Assign):
        yield context.put(node, f"{maker}({context.code(node)})")
