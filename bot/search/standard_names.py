"""Names of the standard library that code uses without their module, and the place for a new import."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from bot.search.operators.base import Context

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
