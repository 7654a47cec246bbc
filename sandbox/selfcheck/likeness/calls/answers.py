"""Makes the calls of a table and writes down how each of them ended.

How an answer is compared: ``VALUE``, the same outside; ``TYPE``, of the same type; ``TRUE``, true whatever it
is outside.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any, Callable, Dict, List, Tuple

VALUE, TYPE, TRUE = "value", "type", "true"
Call = Tuple[str, str, Callable[[], Any]]


def raised(call: Callable[[], Any]) -> str:
    """The name of the exception that ``call`` raises; what it returns is closed, if it can be."""
    try:
        value = call()
    except Exception as error:
        return type(error).__name__
    getattr(value, "close", int)()
    return "nothing"


def quickly(call: Callable[[], Any]) -> bool:
    """Whether ``call`` raises OSError, and within two seconds."""
    started = time.monotonic()
    try:
        call()
    except OSError:
        return time.monotonic() - started < 2
    return False


def answer(compared: str, call: Callable[[], Any]) -> Dict[str, Any]:
    """How ``call`` ended, as JSON has it."""
    started = time.monotonic()
    try:
        value = call()
    except Exception as error:
        absent = isinstance(error, (AttributeError, ImportError))
        found: Dict[str, Any] = {"error": type(error).__name__, "text": str(error)[:200], "absent": absent}
    else:
        found = {"type": type(value).__name__, "value": repr(value) if compared != TYPE else ""}
    return dict(found, compared=compared, seconds=round(time.monotonic() - started, 3))


def answers(calls: List[Call]) -> None:
    """Write the answers to all ``calls`` as the last line."""
    found = {name: answer(compared, call) for name, compared, call in calls}
    print("\n" + json.dumps({"python": list(sys.version_info[:2]), "answers": found}))
