"""Many cases of one rule as one test: what pytest does around each test costs more than such a case."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import Parameter, signature
from reprlib import Repr

import pytest

SHORT = Repr()
SHORT.maxstring = SHORT.maxother = 200


def every_case(
    names: str | Sequence[str], cases: Iterable, ids: Iterable | Callable | None = None
) -> Callable:
    """Like ``pytest.mark.parametrize``, but all cases are one test: it runs each and shows all that fail.

    For tests that ask for no fixture, or only for such as all cases may share.
    """
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [_values(case, len(names)) for case in cases]
    labels = [None] * len(cases) if ids is None or callable(ids) else list(ids)

    def decorate(test: Callable) -> Callable:
        @wraps(test)
        def all_cases(**fixtures):
            failed = []
            for values, label in zip(cases, labels, strict=True):
                try:
                    test(**dict(zip(names, values, strict=True)), **fixtures)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - it is shown
                    error.add_note(f"the case {label or SHORT.repr(values)}")
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(cases)} cases", failed)

        whole = signature(test)
        missing = set(names) - set(whole.parameters)
        assert not missing, f"{test.__name__} takes no {', '.join(missing)}"
        rest = [one for name, one in whole.parameters.items() if name not in names]
        all_cases.__signature__ = whole.replace(
            parameters=[one.replace(kind=Parameter.KEYWORD_ONLY) for one in rest]
        )
        return all_cases

    return decorate


def _values(case, count: int) -> tuple:
    if hasattr(case, "marks"):  # a pytest.param
        assert not case.marks, "a mark is for a test of its own: use pytest.mark.parametrize"
        return tuple(case.values)
    return (case,) if count == 1 else tuple(case)
