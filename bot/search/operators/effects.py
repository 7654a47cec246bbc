"""Statements without the effect that was meant: an error not raised, a comparison ignored, a value lost."""

import ast
from collections.abc import Iterator

from bot.patch.syntax import last_name
from bot.search.operators.base import Context, Mutation, operator

_ERRORS = ("Error", "Exception", "error", "Warning")


@operator("raise forgotten", prior=0.7, kinds=(ast.Expr,))
def raise_forgotten(node: ast.Expr, context: Context) -> Iterator[Mutation]:
    """``ValueError("...")`` as a statement, or a function that makes an error: ``raise ...``."""
    if not isinstance(node.value, ast.Call):
        return
    called = context.code(node.value.func)
    raised = {
        context.code(one.exc.func)
        for one in ast.walk(context.source.tree)
        if isinstance(one, ast.Raise) and isinstance(one.exc, ast.Call)
    }
    if called in raised or last_name(node.value.func).endswith(_ERRORS):
        start = context.source.segment(node)[0]
        weight = 1.0 if called in raised else 0.6
        yield context.replace(start, start, "raise ", weight=weight, why="raise the error that is made")


@operator("comparison ignored", prior=0.8, kinds=(ast.Expr,))
def comparison_ignored(node: ast.Expr, context: Context) -> Iterator[Mutation]:
    """``a == b`` as a statement in a function that answers True and False: ``if a != b: return False``."""
    compare = node.value
    if not (isinstance(compare, ast.Compare) and isinstance(compare.ops[0], ast.Eq | ast.NotEq)):
        return
    indent = context.source.indent_of(node)
    if indent is None or context.source.function_of(node) is None:
        return
    left, right = context.code(compare.left), context.code(compare.comparators[0])
    word = "!=" if isinstance(compare.ops[0], ast.Eq) else "=="
    code = f"if {left} {word} {right}:{context.source.newline}{indent}{context.source.step}return False"
    yield context.replace(*context.source.segment(node), code, why="return False where they differ")
    yield context.replace(*context.source.segment(node), f"assert {context.code(compare)}", weight=0.4)


@operator("overwritten", prior=0.35, kinds=(ast.Assign,))
def overwritten(node: ast.Assign, context: Context) -> Iterator[Mutation]:
    """``options["k"] = v`` that takes away what the caller gave: ``options.setdefault("k", v)``."""
    target = node.targets[0]
    if len(node.targets) != 1 or not isinstance(target, ast.Subscript):
        return
    key = target.slice
    if isinstance(key, ast.Slice) or not isinstance(key, ast.Constant | ast.Name):
        return
    owner, value = context.operand(target.value), context.code(node.value)
    text = isinstance(key, ast.Constant) and isinstance(key.value, str)
    code = f"{owner}.setdefault({context.code(key)}, {value})"
    yield context.replace(*context.source.segment(node), code, weight=1.0 if text else 0.5)


@operator("own class", prior=0.45, kinds=(ast.Call,))
def own_class(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """A method that makes an object of its class by name, so that subclasses make the wrong one."""
    function, owner = context.source.function_of(node), context.source.class_of(node)
    if function is None or owner is None or getattr(node.func, "id", "") != owner.name:
        return
    first = function.args.args[0].arg if function.args.args else ""
    if first == "self":
        yield context.put(node.func, "type(self)")
    elif first == "cls":
        yield context.put(node.func, "cls")
