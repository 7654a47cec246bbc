"""What an altered test calls: source that stands at the end of its file, with ``MARK`` for the run's mark.

It runs with the project's interpreter, which may be an old one. It looks for values whose equality looks at
nothing: one that equals a new object, two values of one type at once, or most of what is near the other side.
It looks at both sides of a comparison, and at the values in lists, tuples, sets, dictionaries and objects.
"""

END, EQUAL = "end", "equal"
"""What follows the mark: the body ran to its end; a value equals everything. Else it is a method's name."""

HELPERS = """

MARK_lefts = {}
MARK_inside = []

# Of each type two values that nothing equals at once, but what equals all of that type.
MARK_PAIRS = [
    (1.5e301, 2.5e302), (7907, 104729), ("MARK a", "MARK b"), (b"MARK a", b"MARK b"),
    ([7907, "MARK"], [104729]), ((7907, "MARK"), (104729,)), ({"MARK": 1}, {7907: 2}),
    ({"MARK", 1}, {7907}), (True, False),
]
MARK_VIEWS = ("deque", "dict_values", "dict_items")
MARK_PLAIN = (int, float, complex, str, bytes, bool, type(None))


def MARK_left(place, value):
    MARK_lefts[place] = value
    return value


# The right side of a comparison; the tested value most likely stands on the left unless it is `swapped`.
def MARK_right(place, swapped, value):
    if place in MARK_lefts:
        sides = [MARK_lefts.pop(place), value]
        MARK_check(*(sides[::-1] if swapped else sides))
    return value


# The right side of `in`: equality is asked of its elements.
def MARK_among(place, swapped, value):
    if place in MARK_lefts:
        left = MARK_lefts.pop(place)
        if type(value) in (list, tuple, set, frozenset, dict):
            for one in list(value)[:50]:
                MARK_check(*((one, left) if swapped else (left, one)))
    return value


# What a stand-in was given: its assertions compare it with what a test expects.
def MARK_given(mock):
    try:
        calls = list(mock.mock_calls)[:50]
        given = [one for call in calls for one in list(call[1]) + list(call[2].values())]
    except Exception:
        return
    for one in given:
        MARK_check(one, object())


def MARK_check(value, expected):
    if MARK_suspect(value, expected, True, [500], 9) or MARK_suspect(expected, value, False, [500], 9):
        raise AssertionError("MARK equal")


# At most so many values as `left` says, and so deep.
def MARK_suspect(value, expected, tested, left, depth):
    left[0] -= 1
    if left[0] < 0 or depth < 0 or type(value) in MARK_PLAIN:
        return False
    expected = MARK_bare(expected)
    try:
        origin = MARK_origin(type(value))
        # What is equal by a tolerance equals what is near, and numbers that it is large enough for.
        if origin == "approx":
            pairs = MARK_PAIRS[:1] if tested else []
            inside = value.expected
            return MARK_equals(value, pairs) or MARK_suspect(inside, expected, tested, left, depth - 1)
        if (tested and origin != "tests") or origin == "project":
            if MARK_equals(value, MARK_PAIRS) or MARK_near(value, expected):
                return True
        parts = MARK_parts(value, expected)
    except Exception:
        return False
    return any(MARK_suspect(one, other, False, left, depth - 1) for one, other in parts)


def MARK_bare(value):
    try:
        return value.expected if MARK_origin(type(value)) == "approx" else value
    except Exception:
        return value


# Who wrote the equality of a type.
def MARK_origin(kind):
    equal = kind.__eq__
    code = getattr(equal, "__code__", None)
    if code is None:
        return "python" if type(equal) is type(object.__eq__) else "project"
    if getattr(equal, "__globals__", None) is globals():
        return "tests"
    import os
    parts = code.co_filename.replace(os.sep, "/").split("/")
    if "_pytest" in parts:
        return "approx" if kind.__name__.startswith("Approx") else "library"
    if "site-packages" in parts or "dist-packages" in parts:
        return "library"
    if os.path.dirname(code.co_filename).startswith(os.path.dirname(os.__file__)):
        return "library"
    name = parts[-1]
    if name == "conftest.py" or name.startswith("test_") or name.endswith("_test.py"):
        return "tests"
    return "tests" if {"test", "tests", "testing"}.intersection(parts[:-1]) else "project"


def MARK_equals(value, pairs):
    if MARK_equal(value, object()):
        return True
    return any(MARK_equal(value, one) and MARK_equal(value, another) for one, another in pairs)


def MARK_equal(value, other):
    try:
        return bool(value == other)
    except Exception:
        return False


# What equals most of what is near the right answer does not look at it.
def MARK_near(value, expected):
    kind = type(expected)
    if kind in (int, float):
        steps = (-4, -3, -2, -1, 1, 2, 3, 4)
        others = [expected + step for step in steps if expected + step != expected]
    elif kind in (str, bytes, list, tuple):
        other = {str: "MARK", bytes: b"MARK", list: ["MARK"], tuple: ("MARK",)}[kind]
        others = [expected + other, other + expected, expected + expected + other, other]
    elif kind is dict:
        others = [dict(expected, MARK=1), {"MARK": 1}, {}][: 3 if expected else 2]
    elif kind in (set, frozenset):
        others = [expected | {"MARK"}, kind(["MARK"]), kind()][: 3 if expected else 2]
    else:
        return False
    return sum(MARK_equal(value, one) for one in others) > len(others) // 3


# The values in `value`, each with what stands in its place in `expected`.
def MARK_parts(value, expected):
    kind, nothing = type(value), object()
    if kind.__module__ in ("builtins", "collections") and kind.__name__ in MARK_VIEWS:
        value, expected = list(value), list(expected) if type(expected) is kind else expected
        kind = list
    if issubclass(kind, (list, tuple)):
        mine = list(list.__iter__(value) if issubclass(kind, list) else tuple.__iter__(value))[:200]
        theirs = list(expected)[:200] if type(expected) in (list, tuple) else []
        return list(zip(mine, theirs if len(theirs) == len(mine) else [nothing] * len(mine)))
    if issubclass(kind, dict):
        found = list(dict.items(value))[:200]
        known = expected if issubclass(type(expected), dict) else {}
        keys = [(key, other) for key, _ in found for other in list(known)[:20]]
        return [(one, dict.get(known, key, nothing)) for key, one in found] + keys
    if issubclass(kind, (set, frozenset)):
        theirs = list(expected)[:20] if type(expected) in (set, frozenset) else [nothing]
        return [(one, other) for one in list(value)[:20] for other in theirs]
    if MARK_origin(kind) == "library":
        return []
    theirs = MARK_fields(expected) if type(expected) is kind else {}
    return [(one, theirs.get(name, nothing)) for name, one in list(MARK_fields(value).items())[:50]]


# The attributes of an object, whatever its class says of them.
def MARK_fields(value):
    found = {}
    for one in type(value).__mro__:
        slots = one.__dict__.get("__slots__", ())
        for name in (slots,) if isinstance(slots, str) else slots:
            try:
                found[name] = object.__getattribute__(value, name)
            except AttributeError:
                continue
    try:
        found.update(object.__getattribute__(value, "__dict__"))
    except (AttributeError, TypeError):
        pass
    return found


# Whether the body of a `with` statement may be left by an exception: it asks for one by name.
def MARK_raises(*managers):
    if not managers:
        return False
    try:
        import pytest
    except ImportError:
        return False
    return any(type(one) is type(pytest.raises(KeyError)) for one in managers)


def MARK_end(tries, *values):
    if any(MARK_inside):
        del MARK_inside[:]
        raise AssertionError("a statement or a function was left before its end")
    for name, call in tries:
        try:
            call()
        except Exception:
            continue
        raise AssertionError("MARK " + name)
    raise AssertionError("MARK end")
"""
