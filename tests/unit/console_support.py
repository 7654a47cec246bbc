"""What the tests of console share."""

import io
import re

from rich.console import Console

from bot.console import show_result
from sandbox.reports import TestResult, TestStatus

ANSI = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")


def failing(*names):
    return tuple(TestResult(test=name, status=TestStatus.FAILED) for name in names)


def shown(result, *, width=100):
    stream = io.StringIO()
    show_result(Console(file=stream, width=width, force_terminal=False), result)
    return stream.getvalue()


def terminal():
    stream = io.StringIO()
    return stream, Console(file=stream, width=100, force_terminal=True, _environ={"TERM": "xterm"})
