"""What all code of a process shares: lists and settings of the standard library, as ``os.environ`` is.

Whoever is handed such a list may change it, in whatever file. A setting of logging, warnings or decimal
arithmetic ends with its block within a ``with`` statement. A person sees one that may outlast it.
"""

import ast
from collections.abc import Iterator

from bot.patch.policy.dangers import words
from bot.patch.policy.finding import CodeFinding
from bot.patch.policy.objects.expressions import chain
from bot.patch.policy.objects.origins import Origins
from bot.patch.syntax import assigned, children, every_node, ids_within, last_name, walk

_SHARED = words("""
    os.environ os.environb os.supports_fd os.supports_dir_fd sys.argv sys.path sys.modules sys.warnoptions
    sys.orig_argv sys.path_hooks sys.meta_path copy.dispatch_table errno.errorcode calendar.mdays
    hashlib.algorithms_available hashlib.algorithms_guaranteed keyword.kwlist keyword.softkwlist
    locale.locale_alias locale.windows_locale locale.locale_encoding_alias mimetypes.knownfiles
    mimetypes.suffix_map mimetypes.encodings_map mimetypes.types_map mimetypes.common_types token.tok_name
    token.EXACT_TOKEN_TYPES urllib.parse.uses_relative urllib.parse.uses_netloc urllib.parse.uses_params
    urllib.parse.uses_query urllib.parse.uses_fragment urllib.parse.non_hierarchical warnings.filters
    warnings.onceregistry logging.root logging.lastResort
""")
_READING = words("""
    dict len sorted list tuple set frozenset str repr bool iter any all enumerate zip print max min
    sum reversed isinstance hasattr id type ChainMap join loads dumps
""")
_GIVEN = words("env")
"""Arguments that commands are given, which read them."""
_LASTING = words("""
    captureWarnings addLevelName removeHandler seterr seterrcall set_printoptions setbufsize
    tzset set_int_max_str_digits setLoggerClass setLogRecordFactory
    localcontext catch_warnings suppress_warnings errstate printoptions
""")
_ENTERING = words("__enter__ __aenter__")
_CHANGING = words("clear pop remove append extend insert")


def shared_state(tree: ast.Module, origins: Origins) -> Iterator[CodeFinding]:
    """Each use of a shared list that does more than read it, and each change of a setting that may last."""
    entered = {id(one.context_expr) for one in every_node(tree) if isinstance(one, ast.withitem)}
    entering, contexts = ids_within(tree, _ENTERING), assigned(tree, _is_context)
    for above in every_node(tree):
        for node in children(above):
            reasons = [*_stored(node, contexts)]
            if isinstance(node, ast.Call) and id(node) not in entered:
                reasons += _called(node, may_enter=id(node) in entering)
            yield from (CodeFinding(reason, ast.dump(node)) for reason in reasons)
            name = origins.named(node)
            if name in _SHARED and not _only_reads(above, node):
                what = f"{name}, which belongs to all that is loaded, is handed on"
                yield CodeFinding(what, ast.dump(above))


def _only_reads(above: ast.AST, node: ast.AST) -> bool:
    match above:
        case ast.Attribute() | ast.Subscript() | ast.Compare() | ast.FormattedValue() | ast.Expr():
            return True  # what is done with its methods and items is judged by their names
        case ast.For(iter=value) | ast.comprehension(iter=value) | ast.If(test=value) | ast.IfExp(test=value):
            return value is node
        case ast.UnaryOp(op=ast.Not()) | ast.BinOp(op=ast.Add() | ast.BitOr() | ast.Mod()):
            return True
        case ast.Dict(keys=keys, values=values):
            return any(one is node and key is None for key, one in zip(keys, values, strict=True))
        case ast.keyword(arg=name):
            return name is None or name in _GIVEN
        case ast.Call(func=function):
            return last_name(function) in _READING
    return False


def _called(call: ast.Call, *, may_enter: bool) -> Iterator[str]:
    name = last_name(call.func)
    owner = call.func.value if isinstance(call.func, ast.Attribute) else None
    above = isinstance(owner, ast.Call) and last_name(owner.func) == "super"
    if name in _LASTING or (name in _ENTERING and owner and not (may_enter or above)):
        yield f"a lasting change by {name}"
    if name in _CHANGING and owner is not None and last_name(owner) == "handlers":
        yield "a change of handlers"


def _stored(node: ast.AST, contexts: set[str]) -> Iterator[str]:
    """What is set of a logger's handlers, or of the decimal context."""
    match node:
        case ast.Attribute(value=value, attr=name, ctx=ast.Store() | ast.Del()):
            if name == "disable" and last_name(value) == "manager":
                yield "a lasting change by logging.disable"
            if name == "handlers" and not (isinstance(value, ast.Name) and value.id == "self"):
                yield "a change of handlers"
            yield from _of_context(value, contexts)
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()):
            yield from _of_context(value, contexts)
        case ast.Subscript(value=value, slice=key):
            if last_name(value) == "handlers" and not isinstance(key, ast.Slice):
                yield "a handler is taken from a logger"
        case ast.For(iter=every) if "handlers" in map(last_name, _parts(every)):
            if any(isinstance(one, ast.Attribute) and isinstance(one.ctx, ast.Store) for one in walk(node)):
                yield "a change of handlers"


def _parts(node: ast.expr) -> Iterator[ast.expr]:
    """``node``, and what it is a copy of: ``x.handlers`` of ``list(x.handlers)`` and of ``x.handlers[:]``."""
    yield node
    match node:
        case ast.Call(func=ast.Name(), args=[inner]) | ast.Subscript(value=inner):
            yield inner


def _of_context(value: ast.expr, contexts: set[str]) -> Iterator[str]:
    for one in chain(value):
        if _is_context(one) or (isinstance(one, ast.Name) and one.id in contexts):
            yield "a lasting change of the decimal context"


def _is_context(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and last_name(node.func) == "getcontext"
