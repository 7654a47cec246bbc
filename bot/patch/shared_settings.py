"""Changes of settings that all code of a process shares: of logging, warnings, and decimal arithmetic.

Within a ``with`` statement such a setting ends with the block. A person sees one that may outlast it.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding
from bot.patch.syntax import last_name

_LASTING = words(
    """
    captureWarnings addLevelName removeHandler seterr seterrcall set_printoptions setbufsize
    tzset set_int_max_str_digits setLoggerClass setLogRecordFactory
    """
)
_BLOCKS = words("localcontext catch_warnings suppress_warnings errstate printoptions")
_ENTERING = words("__enter__ __aenter__")
_CHANGING = words("clear pop remove append extend insert")
_Function = ast.FunctionDef | ast.AsyncFunctionDef


def shared_settings(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each change of a shared setting that may last."""
    contexts = {
        name.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and _is_context(node.value)
        for name in node.targets
        if isinstance(name, ast.Name)
    }
    for name, node in _lasting(tree, entering=False):
        yield CodeFinding(f"a lasting change by {name}", ast.dump(node))
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Subscript) and isinstance(node.ctx, ast.Store | ast.Del):
            if why := _stored(node, contexts):
                yield CodeFinding(why, ast.dump(node))
        elif isinstance(node, ast.For) and last_name(_without_copy(node.iter)) == "handlers":
            if any(
                isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) for one in ast.walk(node)
            ):
                yield CodeFinding("a change of handlers", ast.dump(node))
        elif _is_handler(node):
            yield CodeFinding("a handler is taken from a logger", ast.dump(node))


def _is_handler(node: ast.AST) -> bool:
    match node:
        case ast.Subscript(value=value, slice=key):
            return last_name(value) == "handlers" and not isinstance(key, ast.Slice)
    return False


def _lasting(node: ast.AST, *, entering: bool) -> Iterator[tuple[str, ast.AST]]:
    """The calls by which a setting lasts; ``entering`` within a method that begins a block."""
    entered: set[int] = set()
    if isinstance(node, _Function):
        entering = node.name in _ENTERING
    elif isinstance(node, ast.withitem):
        entered = {id(node.context_expr)}
    for child in ast.iter_child_nodes(node):
        called = isinstance(child, ast.Call) and id(child) not in entered
        if called and (name := _change(child, entering=entering)):
            yield name, child
        yield from _lasting(child, entering=entering)


def _change(call: ast.AST, *, entering: bool) -> str:
    if not isinstance(call, ast.Call):
        return ""
    name = last_name(call.func)
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    if name in _LASTING or name in _BLOCKS:
        return name
    if name in _ENTERING and owner is not None and not entering:
        return "" if isinstance(owner, ast.Call) and last_name(owner.func) == "super" else name
    if name in _CHANGING and owner is not None and last_name(owner) == "handlers":
        return f"handlers.{name}"
    return ""


def _stored(node: ast.Attribute | ast.Subscript, contexts: set[str]) -> str:
    """Why a person sees that something is set: a logger's handlers, or a part of the decimal context."""
    parts = list(_chain(node))
    if isinstance(node, ast.Attribute):
        owner = last_name(node.value)
        if node.attr == "disable" and owner == "manager":
            return "a lasting change by logging.disable"
        if node.attr == "handlers" and not (isinstance(node.value, ast.Name) and node.value.id == "self"):
            return "a change of handlers"
    if any(_is_context(one) for one in parts):
        return "a lasting change of the decimal context"
    root = parts[-1]
    if isinstance(root, ast.Name) and root.id in contexts:
        return "a lasting change of the decimal context"
    return ""


def _chain(node: ast.expr) -> Iterator[ast.expr]:
    yield node
    while isinstance(node, ast.Attribute | ast.Subscript):
        node = node.value
        yield node


def _is_context(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "getcontext"


def _without_copy(node: ast.expr) -> ast.expr:
    """``x.handlers`` of ``list(x.handlers)`` and of ``x.handlers[:]``."""
    match node:
        case ast.Call(func=ast.Name(), args=[inner]) | ast.Subscript(value=inner):
            return inner
    return node
