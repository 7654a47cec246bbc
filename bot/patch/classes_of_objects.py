"""Classes that code takes from objects, and what it reaches inside of objects of the standard library.

``type(sys.stdin.buffer.raw)`` opens any file, and no name says so.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding
from bot.patch.origins import Origins
from bot.patch.syntax import last_name

_READERS = words("isinstance issubclass str repr id hash print format type getattr hasattr callable")
# What objects of the standard library keep inside: files, sockets, and what is deleted at their end.
_INNER = words(
    """
    _ssock _csock _selector _sock _sock_connect _closer _finalizer _TemporaryFileArgs _default_executor
    _sock_accept _sock_connect_cb _add_reader _add_writer _make_socket_transport
    """
)
_HARMLESS = words("daemon propagate")


def classes_of_objects(tree: ast.Module) -> Iterator[CodeFinding]:
    """What a person has to see of it."""
    origins = Origins(tree)
    own = set(_own_names(tree))
    for above in ast.walk(tree):
        for node in ast.iter_child_nodes(above):
            owner = _class_of(node)
            if owner is not None and not _only_reads(above, node) and _is_odd(owner, above, node, origins):
                yield CodeFinding("a class is taken from an object and used", ast.dump(above))
            if _names_class(above, node) or _hands_on_type(node, origins):
                yield CodeFinding("a class is taken from an object and used", ast.dump(above))
            if isinstance(node, ast.Attribute):
                for reason in _inside(node, origins, own):
                    yield CodeFinding(reason, ast.dump(above))


def _class_of(node: ast.AST) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Name(id="type"), args=[owner], keywords=[]):
            return owner
        case ast.Attribute(value=owner, attr="__class__", ctx=ast.Load()):
            return owner
        case ast.Call(func=ast.Name(id="getattr"), args=[owner, ast.Constant(value="__class__"), *_]):
            return owner
    return None


def _names_class(above: ast.AST, node: ast.AST) -> bool:
    """Whether a pattern takes the class of an object, or a function that gets its name."""
    match above, node:
        case ast.match_case(), ast.MatchClass(kwd_attrs=names):
            return "__class__" in names
        case ast.Call(func=function), ast.Constant(value=str(text)):
            return "__class__" in text.split(".") and last_name(function) not in _READERS
    return False


def _hands_on_type(node: ast.AST, origins: Origins) -> bool:
    """Whether ``type`` itself is given to a call, beside an object of the standard library."""
    match node:
        case ast.Call(args=[ast.Name(id="type"), *others]):
            return any(map(origins.of, others))
    return False


def _is_odd(owner: ast.expr, above: ast.AST, node: ast.AST, origins: Origins) -> bool:
    if origins.of(owner) or origins.is_type(owner):
        return True
    if not isinstance(above, ast.Call) or above.func is not node:
        return False
    if isinstance(owner, ast.Name) and owner.id == "cls":
        return True
    match above.args:
        case [_, ast.Tuple() | ast.Attribute(attr="__bases__"), _] | [_, _, ast.Dict()]:
            return True
    return isinstance(owner, ast.Lambda)


def _only_reads(above: ast.AST, node: ast.AST) -> bool:
    match above:
        case ast.Attribute(attr=name):
            return name not in {"__new__", "__call__", "__init__"}
        case ast.Compare() | ast.FormattedValue() | ast.BinOp(op=ast.Mod()) | ast.Expr():
            return True
        case ast.Subscript(slice=key):
            return key is node
        case ast.Call(func=ast.Name(id=name)) if name in _READERS:
            return above.func is not node
        case ast.Call(func=function) if function is not node:
            return last_name(function) in {"format", "get", "error", "debug", "warning", "info", "append"}
    return False


def _inside(node: ast.Attribute, origins: Origins, own: set[str]) -> Iterator[str]:
    name = node.attr
    if name in _INNER and name not in own:
        yield f"{name} reaches inside of an object of the standard library"
    elif _is_private(name) and name not in own:
        origin = origins.of(node.value)
        # loggers keep no files there, and adapters of them are common
        if origin and origin.partition(".")[0] != "logging":
            yield f"{name} reaches inside of an object of {origin}"
    if isinstance(node.ctx, ast.Store) and name not in _HARMLESS and (origin := origins.of(node.value)):
        yield f"an attribute of an object of {origin} is set"


def _is_private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__")


def _own_names(tree: ast.Module) -> Iterator[str]:
    """The attributes that the module's own classes have."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self" | "cls"), attr=name, ctx=ast.Store()):
                yield name
            case ast.ClassDef(body=body):
                for one in body:
                    if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
                        yield one.name
