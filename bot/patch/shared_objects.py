"""Lists and dictionaries of the standard library that a change hands on, as ``f(os.environ)`` does.

They are one for all that is loaded. Whoever is handed one may change it, in whatever file.
"""

import ast
from collections.abc import Iterator

from bot.patch.dangers import words
from bot.patch.finding import CodeFinding

_SHARED = words(
    """
    os.environ os.environb os.supports_fd os.supports_dir_fd sys.argv sys.path sys.modules sys.warnoptions
    sys.orig_argv sys.path_hooks sys.meta_path copy.dispatch_table errno.errorcode calendar.mdays
    hashlib.algorithms_available hashlib.algorithms_guaranteed keyword.kwlist keyword.softkwlist
    locale.locale_alias locale.windows_locale locale.locale_encoding_alias mimetypes.knownfiles
    mimetypes.suffix_map mimetypes.encodings_map mimetypes.types_map mimetypes.common_types token.tok_name
    token.EXACT_TOKEN_TYPES urllib.parse.uses_relative urllib.parse.uses_netloc urllib.parse.uses_params
    urllib.parse.uses_query urllib.parse.uses_fragment urllib.parse.non_hierarchical warnings.filters
    warnings.onceregistry logging.root logging.lastResort
    """
)
_READING = words(
    """
    dict len sorted list tuple set frozenset str repr bool iter any all enumerate zip print max min
    sum reversed isinstance hasattr id type ChainMap
    """
)
_GIVEN = words("env")
"""Arguments that commands are given, which read them."""


def shared_objects(tree: ast.Module) -> Iterator[CodeFinding]:
    """Each use of such an object that does more than read it in the same place."""
    meanings = dict(_meanings(tree))
    if not meanings:
        return
    for above in ast.walk(tree):
        for node in ast.iter_child_nodes(above):
            name = _dotted(node, meanings)
            if name in _SHARED and not _only_reads(above, node):
                yield CodeFinding(
                    f"{name}, which belongs to all that is loaded, is handed on", ast.dump(above)
                )


def _meanings(tree: ast.Module) -> Iterator[tuple[str, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (
                (one.asname or one.name.partition(".")[0], one.name) for one in node.names if one.asname
            )
            yield from ((one.name.partition(".")[0],) * 2 for one in node.names if not one.asname)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from ((one.asname or one.name, f"{node.module}.{one.name}") for one in node.names)


def _dotted(node: ast.AST, meanings: dict[str, str]) -> str:
    if isinstance(node, ast.Name):
        return meanings.get(node.id, "")
    if isinstance(node, ast.Attribute) and (head := _dotted(node.value, meanings)):
        return f"{head}.{node.attr}"
    return ""


def _only_reads(above: ast.AST, node: ast.AST) -> bool:
    match above:
        case ast.Attribute() | ast.Subscript() | ast.Compare() | ast.FormattedValue() | ast.Expr():
            return True  # what is done with its methods and items is judged by their names
        case ast.For(iter=value) | ast.comprehension(iter=value):
            return value is node
        case ast.If(test=value) | ast.IfExp(test=value) | ast.UnaryOp(op=ast.Not(), operand=value):
            return value is node
        case ast.Dict(keys=keys, values=values):
            return any(one is node and key is None for key, one in zip(keys, values, strict=True))
        case ast.keyword(arg=name):
            return name is None or name in _GIVEN
        case ast.BinOp(op=ast.Add() | ast.BitOr() | ast.Mod()):
            return True
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name in _READING or name in {"join", "loads", "dumps"}
    return False
