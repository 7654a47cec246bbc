"""Does the search find it: invented bugs, real spectra, and the rank of the first right fix.

The bugs are small functions written for this file. A rank counts the candidates that would have run, and a
fix is right when it passes checks that the search was not shown.
"""

import ast
import statistics
import sys
import traceback
from itertools import islice
from typing import NamedTuple

from search_support import PATH, applied
from sections import sections

from bot.search import candidates, suspicious_lines
from sandbox.reports import Comparison, Frame, TestResult, TestStatus

WITHIN = 600  # candidates among which the right fix has to be
MAX_STEPS = 3_000  # executed lines after which a candidate counts as hanging


class Bug(NamedTuple):
    name: str
    text: str
    shown: tuple[tuple[str, object], ...]
    held_out: tuple[tuple[str, object], ...]


class Hangs(Exception):
    pass


class Traced:
    """Runs one expression against a module's text, noting lines and ending endless loops."""

    def __init__(self, text):
        self.lines = set()
        self.steps = 0
        self.space = {}
        self.code = compile(text, PATH, "exec", dont_inherit=True)

    def call(self, expression):
        def trace(frame, event, arg):
            if frame.f_code.co_filename != PATH:
                return None
            if event == "line":
                self.lines.add(frame.f_lineno)
                self.steps += 1
                if self.steps > MAX_STEPS:
                    raise Hangs
            return trace

        before = sys.gettrace()
        try:
            exec(self.code, self.space)
            self.lines.clear()
            sys.settrace(trace)
            return eval(expression, self.space)
        finally:
            sys.settrace(before)


def outcome(text, expression, expected):
    run = Traced(text)
    result = {"test": expression, "status": TestStatus.FAILED}
    try:
        value = run.call(expression)
    except Hangs:
        result["status"] = TestStatus.TIMEOUT
    except Exception as error:  # noqa: BLE001 - whatever the code under test raises is a result
        result |= {"exception": type(error).__name__, "message": str(error), "frames": frames_of(error)}
    else:
        if value == expected and type(value) is type(expected):
            result["status"] = TestStatus.PASSED
        result["comparison"] = Comparison(operator="==", left=repr(value)[:200], right=repr(expected))
    lines = {PATH: tuple(sorted(run.lines))}
    return TestResult(**result, lines=lines)


def frames_of(error):
    frames = ((frame.f_code, line) for frame, line in traceback.walk_tb(error.__traceback__))
    found = ((code.co_name, line) for code, line in frames if code.co_filename == PATH)
    return tuple(Frame(path=PATH, line=line, function=name) for name, line in found)


def passes(text, checks):
    return all(outcome(text, *check).status is TestStatus.PASSED for check in checks)


def rank_of(bug):
    """The rank of the first right fix; None beyond ``WITHIN``."""
    results = [outcome(bug.text, *check) for check in bug.shown]
    failing = [result for result in results if result.status.is_failure]
    passing = [result for result in results if not result.status.is_failure]
    assert failing, bug.name
    suspicions = suspicious_lines(failing, passing, lambda path: path == PATH)
    stream = candidates({PATH: bug.text}, suspicions, failing)
    texts = (applied(bug.text, candidate.patch) for candidate in islice(stream, WITHIN))
    right = (rank for rank, text in enumerate(texts, 1) if passes(text, (*bug.shown, *bug.held_out)))
    return next(right, None)


def checks(text):
    """The calls and the values that they shall have, a line each."""
    pairs = (line.rpartition(" == ") for line in text.splitlines())
    return tuple((call, ast.literal_eval(value)) for call, _, value in pairs)


BUGS = [
    Bug(case.name, case.parts["code"], checks(case.parts["shown"]), checks(case.parts["held out"]))
    for case in sections("search_bugs.txt")
]


def test_the_right_fix_is_found_and_half_of_all_come_early():
    ranks = {bug.name: rank_of(bug) for bug in BUGS}
    assert [name for name, rank in ranks.items() if rank is None] == []
    assert statistics.median(ranks.values()) <= 60
