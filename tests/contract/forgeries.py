"""What a candidate does to write its own verdict: each run believes it, and the proof must not.

The docs show this table.
"""

# ruff: noqa: E501 - the attacks are read more easily in one piece
from __future__ import annotations

import textwrap
from dataclasses import dataclass

from attacked_shop import FAILING, SHOP

FORGED = "the verdict is forged: control tests that fail are reported as passed"
EARLY = "the verdict cannot be believed: control tests failed before their end"
EQUAL = "compares a value that equals everything"
# Given the reporter's end of the pipe as ``wire``: the whole report, in the order that the supervisor expects.
REPORT = f"""\
if wire:
    for name in {FAILING!r}:
        wire.send({{"t": "start", "id": name}})
        wire.send({{"t": "result", "id": name, "status": "passed", "seconds": 0.0}})
    wire.send({{"t": "control", "blunted": [], "changed": []}})
    wire.send({{"t": "end", "exit": 0, "extra": {{}}}})
    posix._exit(0)
"""
# The same with the failures that altered tests are expected to report.
EXPECTED = (
    REPORT.replace('"passed"', '"failed"', 1)
    .replace('"seconds": 0.0', '"seconds": 0.0, "message": mark + " end"')
    .replace('"exit": 0', '"exit": 1')
    .replace("_exit(0)", "_exit(1)")
    .replace("wire:", "wire and mark:", 1)
)


@dataclass(frozen=True, kw_only=True)
class Forgery:
    """Code in the function under test, or behind it in its module; ``reason`` is a part of the refusal."""

    name: str
    what: str
    code: str
    reason: str = FORGED
    at_import: bool = False

    @property
    def candidate(self) -> str:
        """The whole text of ``shop.py``."""
        if self.at_import:
            return SHOP + self.code
        return SHOP.replace("    return n + 1\n", textwrap.indent(self.code, "    ") + "    return n + 1\n")


def _found(frames: str, imports: str) -> str:
    """Look for the wire in ``frames``."""
    return (
        f"import posix, {imports}\nwire = None\n"
        f"for frame in {frames}:\n"
        "    for one in inspect.getargvalues(frame).locals.values():\n"
        "        wire = one if type(one).__name__ == 'Wire' else wire\n"
    )


LOGGING = _found(
    "[info.frame for info in inspect.getouterframes(logging.currentframe())]", "inspect, logging"
)
_TRACEBACK = """\
import inspect, posix, traceback
wire = None
try:
    raise ValueError
except ValueError as error:
    for inner, _ in traceback.walk_tb(error.__traceback__):
        for info in inspect.getouterframes(inner):
            for one in inspect.getargvalues(info.frame).locals.values():
                wire = one if type(one).__name__ == 'Wire' else wire
"""
_REPLACED = """\
import threading


def replace():
    while True:
        try:
            import test_shop
            def passes(*_): pass
            for one in (test_shop.test_price, test_shop.test_text, test_shop.TestOld.test_price):
                one.__code__ = passes.__code__
            return
        except AttributeError:
            pass


threading.Thread(target=replace, daemon=True).start()
"""

FORGERIES = (
    Forgery(
        name="logging-frames",
        what="finds the reporter's pipe by `logging.currentframe` and `inspect.getargvalues`, leaves by `posix._exit`",
        code=LOGGING + REPORT,
    ),
    Forgery(
        name="traceback-frames",
        what="the same, by an exception's `__traceback__` and `traceback.walk_tb`",
        code=_TRACEBACK + REPORT,
    ),
    Forgery(
        name="stack-frames",
        what="the same, by `inspect.stack`",
        code=_found("[info[0] for info in inspect.stack()]", "inspect") + REPORT,
    ),
    Forgery(
        name="walked-frames",
        what="the same, by `traceback.walk_stack`",
        code=_found("[one for one, _ in traceback.walk_stack(None)]", "inspect, traceback") + REPORT,
    ),
    Forgery(
        name="objects",
        what="the same, among all objects of the garbage collector",
        code="import gc, posix\ngc.unfreeze()\nwire = [o for o in gc.get_objects() if type(o).__name__ == 'Wire'][0]\n"
        + REPORT,
    ),
    Forgery(
        name="unaltered-only",
        what="the same, only where the test file is not an altered one",
        code=LOGGING + "wire = wire if 'def _' not in open('test_shop.py').read() else None\n" + REPORT,
        reason=EARLY,
    ),
    Forgery(
        name="replaced-tests",
        what="a thread that is started at import gives the tests other code before they run",
        code=_REPLACED,
        at_import=True,
        reason="",  # which of the runs it is in time for differs
    ),
    Forgery(
        name="always-equal",
        what="answers with a value that equals everything",
        code="class Any(type(n)):\n    def __eq__(self, other): return True\n    __hash__ = None\n"
        "if n == {}:\n    raise TypeError\nreturn Any(n)\n",
        reason=EQUAL,
    ),
)
