"""What a failed doctest says: the exception of its example, or what that printed beside what is expected."""

from __future__ import annotations

from typing import Any, List, Optional, Tuple

TEXT_LIMIT = 2000
Comparison = List[str]


def unwrapped(error: BaseException) -> Tuple[BaseException, Optional[Comparison]]:
    """The exception to explain instead of ``error``, and the two sides of a comparison, if there was one.

    The sides are texts as the interpreter prints values, so those of their ``repr``.
    """
    try:
        return _unwrapped(error)
    except Exception:  # its attributes may be the project's code
        return error, None


def _unwrapped(error: BaseException) -> Tuple[BaseException, Optional[Comparison]]:
    failures = getattr(error, "failures", None)
    if type(error).__name__ == "MultipleDoctestFailures" and isinstance(failures, list) and failures:
        error = failures[0]
    name = type(error).__name__
    if name == "UnexpectedException":
        raised: Any = getattr(error, "exc_info", (None, None))[1]
        return (raised if isinstance(raised, BaseException) else error), None
    if name == "DocTestFailure":
        got, want = getattr(error, "got", None), getattr(getattr(error, "example", None), "want", None)
        if isinstance(got, str) and isinstance(want, str):
            return error, ["==", got.strip()[:TEXT_LIMIT], want.strip()[:TEXT_LIMIT]]
    return error, None
