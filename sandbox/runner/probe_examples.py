"""Whether a version keeps an example that its documentation gives.

``doctest`` examples are run as that module runs them; of ``expression == value`` both sides are evaluated.
The texts come from the project, and run as the project's code does: inside, in a fork.
"""

from __future__ import annotations

import doctest
import math
from typing import Any, Dict

KEPT, VIOLATED, UNKNOWN = "kept", "violated", "unknown"
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.IGNORE_EXCEPTION_DETAIL


def judge(example: Dict[str, Any], space: Dict[str, Any]) -> str:
    """``kept``, ``violated``, or ``unknown`` where the example itself cannot be read."""
    if "session" in example:
        return _session(str(example["session"]), space)
    names = dict(space)
    try:
        expected = _value(example["expected"], names)
    except Exception:  # it was prose after all
        return UNKNOWN
    try:
        return KEPT if _equal(_value(example["expression"], names), expected) else VIOLATED
    except Exception:  # the version's own failure
        return VIOLATED


def _value(text: Any, names: Dict[str, Any]) -> Any:
    return eval(compile(str(text), "<example>", "eval"), names)  # noqa: S307 - beside the project's code


def _session(text: str, space: Dict[str, Any]) -> str:
    try:
        session = doctest.DocTestParser().get_doctest(text, dict(space), "example", None, 0)
    except ValueError:
        return UNKNOWN
    runner = doctest.DocTestRunner(verbose=False, optionflags=FLAGS)
    results = runner.run(session, out=lambda _text: None)
    return VIOLATED if results.failed else KEPT if results.attempted else UNKNOWN


def _equal(result: Any, expected: Any) -> bool:
    if isinstance(result, float) and isinstance(expected, (int, float)):
        return math.isclose(result, expected, rel_tol=1e-6, abs_tol=1e-9)
    return bool(result == expected)
