"""The process that runs tests, from its fork to its end; one for each run, never used twice."""

from __future__ import annotations

import os
import sys
from typing import Any, Callable, Dict, Tuple

from .wire import Wire

# Given the order and the wire: pytest's exit status, and what else the report shall hold.
Body = Callable[[Dict[str, Any], Wire], Tuple[int, Dict[str, Any]]]
FAILED = 70


def run(body: Body, order: Dict[str, Any], wire: Wire) -> None:
    """Do the work, report how it ended, and leave without the parent's clean-up. Never returns."""
    status = FAILED
    try:
        wire.open(order["token"])
        if "probe" in order:
            from . import probe

            status, extra = probe.run(body, order, wire)
        else:
            status, extra = body(order, wire)
        wire.send({"t": "end", "exit": status, "extra": extra})
    except BaseException as error:  # whatever happened, this process must not go on
        said = "regreen: the test process failed%s: %r\n" % (_place(error), error)
        os.write(2, said.encode("utf-8", "replace"))
    finally:
        try:
            sys.stdout.flush()
            sys.stderr.flush()
        finally:
            os._exit(status)


def _place(error: BaseException) -> str:
    """Where ``error`` was raised, such as `` in pluggy/_manager.py:123``: more than a message says."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return ""
    directory, name = os.path.split(trace.tb_frame.f_code.co_filename)
    return " in %s/%s:%d" % (os.path.basename(directory), name, trace.tb_lineno)
