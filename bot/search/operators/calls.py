"""Calls: the wrong function or method, one of a family, or one of the file's own.

"Wrong function name" and "same function, wrong caller" are patterns of SStuBs (Karampatsis & Sutton, MSR
2020); HumanEvalPack calls it "function misuse". Families are Python's: neighbours in the same chapter of
its library reference. Arguments are in ``arguments``, an added or removed call in ``wrap``.
"""

import ast
import sys
from collections.abc import Iterator, Sequence

from bot.patch.syntax import walk
from bot.search.operators.base import Context, Mutation, grouped, operator, together
from bot.search.precedence import OR
from bot.search.source import is_read


def _families(*families: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(family.split()) for family in families)


_FUNCTIONS = _families(
    "min max", "any all", "sum len max min", "sorted reversed list", "int float round abs",
    "int str float repr", "ord chr", "list tuple set frozenset sorted", "map filter", "bin hex oct",
    "isinstance issubclass", "zip zip_longest product", "range enumerate len",
    "combinations permutations product combinations_with_replacement",
    "bisect_left bisect_right bisect insort", "heappop heappush heapreplace heappushpop",
    "nlargest nsmallest",
)  # fmt: skip
_METHODS = _families(
    "append extend add appendleft insert remove", "pop popleft popitem remove",
    "add discard remove update append", "lower upper swapcase title capitalize casefold",
    "startswith endswith", "strip lstrip rstrip", "removeprefix removesuffix strip",
    "find rfind index rindex count", "split rsplit splitlines partition rpartition", "keys values items",
    "get pop setdefault", "glob rglob", "ljust rjust center zfill",
    "isdigit isalpha isalnum isnumeric isdecimal isspace isupper islower", "isupper islower istitle",
    "union intersection difference symmetric_difference", "update intersection_update difference_update",
    "issubset issuperset isdisjoint", "ceil floor trunc", "sin cos tan", "asin acos atan",
    "log log2 log10 exp log1p", "radians degrees", "gcd lcm", "search match fullmatch findall",
    "read readline readlines", "loads load dumps dump", "group groups start end",
    "days seconds total_seconds", "mean median mode", "stdev pstdev variance pvariance", "encode decode",
    "abspath realpath normpath", "basename dirname", "commonprefix commonpath", "exists isfile isdir",
    "exists is_file is_dir", "name stem", "quote quote_plus", "unquote unquote_plus", "copy deepcopy",
    "time monotonic perf_counter", "getdefaultencoding getfilesystemencoding",
)  # fmt: skip


def _family(name: str, families: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, float]]:
    """The other members of every family of ``name``; the nearest in a small family weigh most."""
    found: dict[str, float] = {}
    for family in families:
        for other in family if name in family else ():
            found.setdefault(other, 1.0 if len(family) <= 3 else 0.7)
    found.pop(name, None)
    yield from found.items()


@operator("function family", prior=0.7, kinds=(ast.Name,))
def function_family(node: ast.Name, context: Context) -> Iterator[Mutation]:
    """A builtin for its neighbour: ``min`` for ``max``."""
    if isinstance(node.ctx, ast.Load):
        for other, weight in _family(node.id, _FUNCTIONS + _METHODS):
            if other in context.scopes.known:
                yield context.put(node, other, weight=weight)


@operator("family of an import", prior=0.65, kinds=(ast.Name,))
def imported_family(node: ast.Name, context: Context) -> Iterator[Mutation]:
    """A function of the library for its neighbour, imported by its name: the import changes with it."""
    uses = context.once(_uses, context.source.tree).get(node.id, [])
    if not isinstance(node.ctx, ast.Load) or node not in uses:
        return
    for statement in context.source.tree.body:
        alias = _imported_as(statement, node.id)
        if alias is None:
            continue
        start, end = context.source.segment(alias)
        for other, weight in _family(node.id, _METHODS + _FUNCTIONS):
            if other in context.scopes.known:
                continue
            instead = context.replace(start, end, other)
            why = f"call `{other}` instead of `{node.id}`"
            every = [instead, *(context.put(use, other) for use in uses)]
            yield together(*every, weight=weight, why=why)
            if len(uses) > 1:
                beside = context.replace(end, end, f", {other}")
                yield together(beside, context.put(node, other), weight=0.7 * weight, why=why)


def _imported_as(statement: ast.stmt, name: str) -> ast.alias | None:
    """What a ``from`` import of the standard library imports as ``name``."""
    match statement:
        case ast.ImportFrom(level=0, module=str(module), names=names):
            if module.partition(".")[0] in sys.stdlib_module_names:
                return next((one for one in names if one.name == name and not one.asname), None)
    return None


def _uses(tree: ast.AST, _: Context) -> dict[str, list[ast.Name]]:
    """Where each name is read."""
    names = (part for part in walk(tree) if isinstance(part, ast.Name) and is_read(part))
    return grouped((name.id, name) for name in names)


@operator("method family", prior=0.7, kinds=(ast.Attribute,))
def method_family(node: ast.Attribute, context: Context) -> Iterator[Mutation]:
    """A method for its neighbour: ``append`` for ``extend``."""
    for other, weight in _family(node.attr, _METHODS + _FUNCTIONS[-4:]):
        why = f"call `.{other}` instead of `.{node.attr}`"
        yield context.rename(node, other, weight=weight, why=why)


@operator("callee", prior=0.45, kinds=(ast.Call,))
def callee_swap(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """Another function of the file or of its imports, or method of the class, with as many arguments."""
    count = len(node.args)
    callee = node.func
    if isinstance(callee, ast.Name):
        for other in context.scopes.functions:
            if other.name != callee.id and other.at_least <= count <= other.at_most:
                yield context.put(callee, other.name)
    elif isinstance(callee, ast.Attribute) and context.code(callee.value) == "self":
        for other in context.scopes.method_signatures(node):
            fits = other.at_least <= count <= other.at_most and not other.name.startswith("__")
            if other.name != callee.attr and fits:
                yield context.put(callee, f"self.{other.name}")


_DEFAULTS = {", 0": 0.9, ', ""': 0.4, ", []": 0.5, ", False": 0.2, ", {}": 0.3}


@operator("get", prior=0.3, kinds=(ast.Subscript, ast.Call))
def get_or_index(node: ast.expr, context: Context) -> Iterator[Mutation]:
    """``d[k]`` where the key may be missing: ``d.get(k)``; or a default for it, also where None is held."""
    match node:
        case ast.Call(func=ast.Attribute(value=owner, attr="get"), args=[key, default], keywords=[]):
            code = f"{context.operand(owner)}.get({context.code(key)}) or {context.operand(default)}"
            yield context.put(node, code, level=OR, weight=0.8)
            return
        case ast.Subscript(value=owner, slice=ast.Slice() | ast.Tuple()):
            return
        case ast.Subscript(value=owner, slice=key, ctx=ast.Load()):
            forms = {"": 1.0, **_DEFAULTS}
        case ast.Call(func=ast.Attribute(value=owner, attr="get"), args=[key], keywords=[]):
            forms = _DEFAULTS
        case _:
            return
    for rest, weight in forms.items():
        code = f"{context.operand(owner)}.get({context.code(key)}{rest})"
        yield context.put(node, code, weight=weight)


@operator("other end", prior=0.35, kinds=(ast.Call,))
def other_end(node: ast.Call, context: Context) -> Iterator[Mutation]:
    """The end of a list taken for its beginning: ``a.append(x)`` as ``a.insert(0, x)``, ``pop`` likewise."""
    callee = node.func
    if not isinstance(callee, ast.Attribute) or len(node.args) > 1 or node.keywords:
        return
    owner, given = context.code(callee.value), "".join(map(context.code, node.args))
    if callee.attr == "append" and isinstance(context.source.parents[node], ast.Expr):
        yield context.put(node, f"{owner}.insert(0, {given})")
    elif callee.attr == "pop" and given in {"", "0"}:
        yield context.put(node, f"{owner}.pop({'' if given else '0'})")
