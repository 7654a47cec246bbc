"""Many cases of one rule as one test: what pytest does around each test costs more than such a case."""

from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from inspect import Parameter, signature
from reprlib import Repr

import pytest

PARAM = type(pytest.param())
SHORT = Repr()
SHORT.maxstring = SHORT.maxother = 200


def every_case(names: str | Sequence[str], cases: Iterable, ids: Iterable[str] | None = None) -> Callable:
    """Like ``pytest.mark.parametrize``, but all cases are one test: it runs each and shows all that fail.

    For tests that ask for no fixture, or only for such as all cases may share.
    """
    one = isinstance(names, str) and "," not in names
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    given = list(cases)
    cases = [case.values if isinstance(case, PARAM) else (case,) if one else case for case in given]
    assert cases, "no case would be no test"
    assert not any(case.marks for case in given if isinstance(case, PARAM)), "a mark is for a whole test"
    labels = list(ids or [case.id if isinstance(case, PARAM) else None for case in given])

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
        rest = [parameter for name, parameter in whole.parameters.items() if name not in names]
        all_cases.__signature__ = whole.replace(
            parameters=[parameter.replace(kind=Parameter.KEYWORD_ONLY) for parameter in rest]
        )
        return all_cases

    return decorate
