"""Typos: names, attributes and keywords that do not exist, and imports that are missing.

The failing test's own message usually names the culprit (NameError, AttributeError, TypeError), which makes
these the surest fixes of all. Existing but wrong names are in ``names``.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

from bot.search.operators.base import Context, Mutation, Operator

_NAME = re.compile(r"name '(\w+)' is not defined")
_ATTRIBUTE = re.compile(r"(?:type object )?'(\w+)'(?: object)? has no attribute '(\w+)'")
_KEYWORD = re.compile(r"(\w+)\(\) got an unexpected keyword argument '(\w+)'")
_BUILTIN_TYPES: dict[str, type] = {
    kind.__name__: kind for kind in (str, list, dict, set, tuple, int, float, bytes, frozenset, bool)
}
_LIKE = {
    "push": "append",
    "length": "__len__",
    "size": "__len__",
    "has_key": "__contains__",
    "contains": "__contains__",
    "trim": "strip",
    "toLowerCase": "lower",
    "add": "append",
    "append": "add",
    "iteritems": "items",
}


def _named(pattern: re.Pattern[str], context: Context, group: int) -> frozenset[str]:
    """What the failing tests' messages name."""
    return frozenset(match.group(group) for text in context.messages for match in pattern.finditer(text))


def _close(name: str, names: Iterable[str]) -> list[str]:
    """Names that ``name`` may be a slip of, likeliest first."""
    pool = [other for other in dict.fromkeys(names) if other != name]
    exact = [other for other in pool if other.lower().replace("_", "") == name.lower().replace("_", "")]
    return list(dict.fromkeys((*exact, *get_close_matches(name, pool, n=5, cutoff=0.6))))


class MisspeltName(Operator[ast.Name]):
    """A name that nothing binds."""

    name = "misspelt name"
    prior = 1.0
    kinds = (ast.Name,)

    def _mutate(self, node: ast.Name, context: Context) -> Iterator[Mutation]:
        named = node.id in _named(_NAME, context, 1)
        unbound = node.id not in context.scopes.known and not context.scopes.has_star_import
        if isinstance(node.ctx, ast.Load) and (named or unbound):
            pool = (*context.scopes.variables(node), *sorted(context.scopes.known))
            for index, other in enumerate(_close(node.id, pool)):
                yield context.put(node, other, weight=(1.0 if named else 0.6) / (1 + index))
            if node.id in (*context.scopes.self_attributes(node), *context.scopes.methods(node)):
                yield context.put(node, f"self.{node.id}", weight=0.9)
            for index, other in enumerate(context.scopes.variables(node)):
                yield context.put(node, other, weight=0.4 / (1 + index))


class MisspeltAttribute(Operator[ast.Attribute]):
    """An attribute that its object does not have."""

    name = "misspelt attribute"
    prior = 1.0
    kinds = (ast.Attribute,)

    def _mutate(self, node: ast.Attribute, context: Context) -> Iterator[Mutation]:
        if node.attr not in _named(_ATTRIBUTE, context, 2):
            return
        owners = sorted(_named(_ATTRIBUTE, context, 1))
        builtin = [
            name for owner in owners for name in dir(_BUILTIN_TYPES.get(owner, object)) if name[0] != "_"
        ]
        start, end = context.source.segment(node)[1] - len(node.attr), context.source.segment(node)[1]
        likely = [
            *([_LIKE[node.attr]] if _LIKE.get(node.attr) in builtin else []),
            *_close(node.attr, builtin),
        ]
        own = _close(node.attr, context.scopes.attribute_names)
        for index, other in enumerate(dict.fromkeys((*likely, *own))):
            why = f"use `.{other}` instead of `.{node.attr}`"
            yield context.replace(start, end, other, weight=1.0 / (1 + index), why=why)


class MisspeltKeyword(Operator[ast.keyword]):
    """A keyword argument that the function does not take."""

    name = "misspelt keyword"
    prior = 1.0
    kinds = (ast.keyword,)

    def _mutate(self, node: ast.keyword, context: Context) -> Iterator[Mutation]:
        if node.arg is None or node.arg not in _named(_KEYWORD, context, 2):
            return
        parameters = [part.arg for part in context.source.parents if isinstance(part, ast.arg)]
        start = context.source.segment(node)[0]
        close = _close(node.arg, parameters)
        for index, other in enumerate(close or parameters[:6]):
            yield context.replace(start, start + len(node.arg), other, weight=1.0 / (1 + index))


class MissingImport(Operator[ast.Name]):
    """A module of the standard library that is used but not imported."""

    name = "missing import"
    prior = 1.0
    kinds = (ast.Name,)

    def _mutate(self, node: ast.Name, context: Context) -> Iterator[Mutation]:
        unbound = node.id not in context.scopes.known and not context.scopes.has_star_import
        if not unbound:
            return
        statement = f"import {node.id}" if node.id in sys.stdlib_module_names else ""
        if not statement and node.id in HOMES:
            statement = f"from {HOMES[node.id]} import {node.id}"
        if statement:
            named = node.id in _named(_NAME, context, 1)
            place = import_place(context)
            text = statement + context.source.newline
            yield context.replace(place, place, text, weight=1.0 if named else 0.8, why=f"add `{statement}`")


# Names that code uses bare, by the module that they come from.
HOMES: Mapping[str, str] = {
    name: module
    for module, names in {
        "collections": "Counter defaultdict deque OrderedDict namedtuple ChainMap",
        "functools": "reduce lru_cache partial wraps cache cmp_to_key cached_property",
        "itertools": "chain product permutations combinations groupby accumulate islice zip_longest count",
        "math": "sqrt ceil floor gcd pi log prod isclose inf factorial comb",
        "dataclasses": "dataclass field",
        "datetime": "timedelta date timezone",
        "pathlib": "Path",
        "typing": "Any Optional List Dict Tuple Set Union Callable Iterable Iterator",
        "copy": "deepcopy",
        "decimal": "Decimal",
        "fractions": "Fraction",
        "enum": "Enum IntEnum",
        "operator": "itemgetter attrgetter",
        "string": "ascii_lowercase ascii_uppercase ascii_letters digits punctuation",
        "heapq": "heappush heappop heapify nlargest nsmallest",
        "bisect": "bisect_left bisect_right insort",
        "abc": "ABC abstractmethod",
        "contextlib": "contextmanager suppress",
    }.items()
    for name in names.split()
}


def import_place(context: Context) -> int:
    """Before the first import that is not ``from __future__``, else after the docstring."""
    source = context.source
    body = source.tree.body
    place = 0
    for statement in body:
        future = isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
        docstring = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
        if not (future or docstring):
            decorators = getattr(statement, "decorator_list", None) or [statement]
            place = source.line_start(decorators[0].lineno)
            break
        place = source.line_end(statement.end_lineno or statement.lineno)
    return place
