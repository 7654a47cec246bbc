"""Call a function on inputs, and write what each call gave as a line of JSON.

It reads ``order.json`` in the working directory: the path of the ``module``, the function's name, and for
each call its arguments and its time limit in seconds of processor time, so that what else the machine does
decides nothing. The expected outputs are not in here: nothing that runs beside the function could look them
up. What the function prints goes nowhere.
"""

from __future__ import annotations

import copy
import importlib.util
import json
import os
import signal
import sys
import time
from typing import Any

PLAIN = (bool, int, float, str)


class TooLong(BaseException):
    """The call's time is over; no ``except Exception`` of the function's stops it."""


class Stopwatch:
    """Raises ``TooLong`` in a call that computes for longer than it may."""

    def __init__(self) -> None:
        self.armed = False
        signal.signal(signal.SIGPROF, self._ring)

    def _ring(self, _number: int, _frame: object) -> None:
        if self.armed:
            raise TooLong

    def set(self, seconds: float) -> None:
        """Ring after ``seconds`` of work, and again soon: a bare ``except`` may have swallowed the first."""
        self.armed = seconds > 0
        signal.setitimer(signal.ITIMER_PROF, seconds, 0.2 if seconds else 0.0)


def encode(value: Any) -> Any:  # noqa: ANN401 - whatever a function returns
    """``value`` as JSON from which it can be rebuilt; what is no plain value by its ``repr``."""
    kind = type(value)
    if kind is int and value.bit_length() > 8000:  # more digits than a text of an integer may have
        return {"int": hex(value)}
    if value is None or kind in PLAIN:
        return value
    if kind is list:
        return [encode(item) for item in value]
    if kind in {tuple, set, frozenset}:
        return {kind.__name__: [encode(item) for item in value]}
    if kind is dict:
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    if kind is complex:
        return {"complex": [value.real, value.imag]}
    return {"other": [kind.__name__, repr(value)[:200]]}


def load(path: str) -> Any:  # noqa: ANN401 - a module
    """The module at ``path``."""
    spec = importlib.util.spec_from_file_location("solution", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["solution"] = module
    spec.loader.exec_module(module)
    return module


def call(function: Any, arguments: Any, limit_s: float, watch: Stopwatch) -> dict[str, Any]:  # noqa: ANN401
    """What ``function(*arguments)`` gave: a ``value``, or the name of what it ``raised``."""
    started = time.process_time()
    try:
        try:
            watch.set(limit_s)
            answer = {"value": encode(function(*copy.deepcopy(arguments)))}
        finally:
            watch.set(0.0)
    except TooLong:
        answer = {"raised": "TimeoutError"}
    except BaseException as error:  # noqa: BLE001 - it is the answer, whatever it is
        answer = {"raised": type(error).__name__}
    return {**answer, "seconds": round(time.process_time() - started, 6)}


def main() -> None:
    """Follow the order."""
    with open("order.json", encoding="utf-8") as stream:  # noqa: PTH123 - pathlib only takes time to load
        order = json.load(stream)
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as channel:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        watch = Stopwatch()
        module = load(order["module"])
        function = getattr(module, order["function"])
        for arguments, limit_s in order["calls"]:
            channel.write(json.dumps(call(function, arguments, limit_s, watch)) + "\n")
            channel.flush()
    os._exit(0)  # no thread and no exit hook of the module's has a say in how it ended


if __name__ == "__main__":
    main()
