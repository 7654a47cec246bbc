"""One place where code refers to a name. Data only."""

import ast
from dataclasses import dataclass
from enum import StrEnum


class Use(StrEnum):
    """What is done with a name."""

    READ = "read"
    STORED = "stored"  # assigned to, or deleted
    ITEM = "item"  # an item of it is assigned to, or deleted
    IMPORTED = "imported"
    STARRED = "starred"  # everything is imported from it
    COMPUTED = "computed"  # an attribute of it whose name is computed
    JOINED = "joined"  # the same, and the name is put together from strings


@dataclass(frozen=True, slots=True, kw_only=True)
class Reference:
    """One place where code refers to a name; ``names`` are all that it may mean, dotted, the likeliest first.

    The attribute of something unknown is ``.attribute``, a builtin is ``builtins.name``. ``is_imported`` says
    that an import brings the first part. ``call`` is the call of it, where it is called. ``caught`` is a name
    in an ``except`` clause. ``in_string`` says that a string holds the name, for ``operator.attrgetter``.
    """

    names: tuple[str, ...]
    use: Use = Use.READ
    is_imported: bool = False
    call: ast.Call | None = None
    caught: bool = False
    in_string: bool = False
