"""What makes a value of one type a value of another, by the names that Python gives the types."""

NUMBERS = frozenset({"int", "float", "complex"})
COLLECTIONS = frozenset({"list", "tuple", "set", "frozenset"})
CALLABLE = frozenset({"function", "method", "builtin_function_or_method", "method_descriptor", "type"})
# Makes its items when they are asked for, or is a view of them.
LAZY = frozenset(
    [
        *("generator", "map", "filter", "zip", "enumerate", "reversed", "range", "dict_keys", "dict_values"),
        *("dict_items", "dict_keyiterator", "list_iterator", "list_reverseiterator", "set_iterator"),
    ]
)
EMPTY = {"int": "0", "float": "0", "str": '""', "bytes": 'b""', "list": "[]", "tuple": "()", "dict": "{}",
         "set": "set()"}  # fmt: skip
"""The value of a type that counts as nothing."""

_ALONE = {"list": "[{}]", "tuple": "({},)", "set": "{{{}}}"}
_PLAIN: dict[tuple[str, str], tuple[tuple[str, float], ...]] = {
    ("bytes", "str"): (("{}.decode()", 0.96),),
    ("str", "bytes"): (("{}.encode()", 0.97),),
    ("str", "int"): (("int({})", 0.96), ("float({})", 0.8)),
    ("str", "float"): (("float({})", 0.96), ("int({})", 0.8)),
}


def conversions(kind: str, wanted: str) -> tuple[tuple[str, float], ...]:
    """Forms with ``{}`` for a value of type ``kind`` that give one of type ``wanted``, and their weights."""
    if (kind, wanted) in _PLAIN:
        return _PLAIN[kind, wanted]
    if wanted in _ALONE:
        whole = ((f"{wanted}({{}})", 0.96),) if kind in COLLECTIONS | LAZY else ()
        return (*whole, (_ALONE[wanted], 0.95))
    if wanted == "bytes":
        return (("str({}).encode()", 0.95),)
    if wanted == "str" or kind == "str":
        return (("str({})", 0.97 if kind in NUMBERS else 0.85),)
    if wanted in NUMBERS and kind in COLLECTIONS | {"dict"}:
        return (("len({})", 0.93), ("sum({})", 0.7), ("{}[0]", 0.5))
    if wanted == "int":
        return (("int({})", 0.95),)
    return (("list({})", 0.95),) if kind in LAZY else ()
