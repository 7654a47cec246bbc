"""Control tests: what must fail in an honest test process.

A candidate can make every test pass by changing what tests are made of: ``TestCase.assertEqual``,
``pytest.raises``, the code in pytest that turns an exception into a report. So a run in which everything
passed is believed only after failures made here, after the tests, in the same process, were seen to fail.
"""

from __future__ import annotations

import sys
from typing import Any, Callable, Dict, Iterable, List

from .seal import changed, seal

NAME = "regreen control test"


class Control(AssertionError):
    """Raised by the control test; carries the nonce that its report has to show."""


def prepare() -> None:
    """Remember how things are, before code of the project runs; and do once what each fork will do.

    What runs for the first time takes longer: the interpreter fills its caches.
    """
    blunted()
    seal()
    event()


def event(more: Iterable[str] = (), unclear: Iterable[str] = ()) -> Dict[str, Any]:
    """What to report: the means of testing that are ``blunted``, and what was ``changed`` since ``seal``.

    ``more`` and ``unclear`` are what the caller found out himself of the two kinds.
    """
    return {"t": "control", "blunted": [*blunted(), *more], "changed": [*changed(), *unclear]}


def blunted() -> List[str]:
    """Names of the means of testing that no longer object to what is plainly wrong."""
    return [name for name, check in _checks().items() if not _objects(check)]


def _objects(check: Callable[[], Any]) -> bool:
    try:
        return check() is False
    except BaseException as error:  # whatever kind of failure it is, a test would have failed
        return not any(kind.__name__ in ("Skipped", "SkipTest", "XFailed") for kind in type(error).__mro__)


def _checks() -> Dict[str, Callable[[], Any]]:
    checks: Dict[str, Callable[[], Any]] = {"assert": _plain_assert}
    unittest = sys.modules.get("unittest.case")
    if unittest is not None:
        case = unittest.TestCase("run")
        checks["TestCase.assertEqual"] = lambda: case.assertEqual(1, 2)
        checks["TestCase.assertTrue"] = lambda: case.assertTrue([])
        checks["TestCase.assertRaises"] = lambda: case.assertRaises(KeyError, dict)
        checks["TestCase.fail"] = lambda: case.fail("on purpose")
    pytest: Any = sys.modules.get("pytest")
    if pytest is not None:
        checks["pytest.raises"] = lambda: pytest.raises(KeyError, dict)
        checks["pytest.fail"] = lambda: pytest.fail("on purpose")
        checks["pytest.approx"] = lambda: pytest.approx(2.0) == 1.0
    return checks


def _plain_assert() -> None:
    assert sys is None, "on purpose"
