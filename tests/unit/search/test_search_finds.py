"""Does the search find it: invented bugs, real spectra, and the rank of the first right fix.

The bugs are small functions written for this file. A rank counts the candidates that would have run, and a
fix is right when it passes checks that the search was not shown.
"""

import statistics
import sys
from typing import NamedTuple

import pytest
from search_support import PATH, applied

from bot.search import candidates, suspicious_lines
from sandbox.reports import Comparison, Frame, TestResult, TestStatus

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
    frames, entry = [], error.__traceback__
    while entry:
        code = entry.tb_frame.f_code
        if code.co_filename == PATH:
            frames.append(Frame(path=PATH, line=entry.tb_lineno, function=code.co_name))
        entry = entry.tb_next
    return tuple(frames)


def passes(text, checks):
    return all(outcome(text, *check).status is TestStatus.PASSED for check in checks)


def rank_of(bug, most=3_000):
    """(rank of the first plausible candidate, rank of the first right one); None beyond ``most``."""
    results = [outcome(bug.text, *check) for check in bug.shown]
    failing = [result for result in results if result.status.is_failure]
    passing = [result for result in results if not result.status.is_failure]
    assert failing, bug.name
    plausible = None
    suspicions = suspicious_lines(failing, passing, lambda path: path == PATH)
    for rank, candidate in enumerate(candidates({PATH: bug.text}, suspicions, failing), start=1):
        if rank > most:
            break
        text = applied(bug.text, candidate.patch)
        if passes(text, bug.shown):
            plausible = plausible or rank
            if passes(text, bug.held_out):
                return plausible, rank
    return plausible, None


BUGS = [
    Bug(
        "discount threshold",
        "def price(amount, unit):\n    total = amount * unit\n    if amount > 10:\n"
        "        total = total - total // 10\n"
        "    return total\n",
        (("price(10, 5)", 45), ("price(3, 2)", 6), ("price(20, 1)", 18)),
        (("price(11, 10)", 99), ("price(9, 10)", 90)),
    ),
    Bug(
        "running totals start late",
        "def running(values):\n    out = []\n    total = 0\n    for value in values:\n"
        "        out.append(total)\n"
        "        total += value\n    return out\n",
        (("running([1, 2, 3])", [1, 3, 6]), ("running([])", [])),
        (("running([4])", [4]), ("running([2, 2])", [2, 4])),
    ),
    Bug(
        "last window missing",
        "def windows(items, size):\n    return [items[i:i + size] for i in range(len(items) - size)]\n",
        (("windows([1, 2, 3], 2)", [[1, 2], [2, 3]]), ("windows([1], 2)", [])),
        (("windows([1, 2, 3, 4], 4)", [[1, 2, 3, 4]]),),
    ),
    Bug(
        "wrong variable",
        "def clamp(value, low, high):\n    if value < low:\n        return low\n"
        "    if value > high:\n        return low\n"
        "    return value\n",
        (("clamp(9, 1, 5)", 5), ("clamp(0, 1, 5)", 1), ("clamp(3, 1, 5)", 3)),
        (("clamp(6, 1, 5)", 5),),
    ),
    Bug(
        "case matters",
        "def slug(title):\n    words = title.split()\n    return '-'.join(words)\n",
        (("slug('Big News')", "big-news"), ("slug('a b')", "a-b")),
        (("slug('X')", "x"), ("slug('')", "")),
    ),
    Bug(
        "return inside the loop",
        "def all_even(values):\n    for value in values:\n        if value % 2:\n            return False\n"
        "        return True\n",
        (("all_even([2, 3])", False), ("all_even([2, 4])", True), ("all_even([])", True)),
        (("all_even([2, 2, 1])", False),),
    ),
    Bug(
        "any for all",
        "def complete(form, fields):\n    missing = [field for field in fields if field not in form]\n"
        "    return len(missing) == 0 or any(form[field] for field in fields)\n",
        (("complete({'a': 1}, ['a', 'b'])", False), ("complete({'a': 1, 'b': 2}, ['a', 'b'])", True)),
        (("complete({'b': 2, 'c': 1}, ['a', 'b'])", False),),
    ),
    Bug(
        "counter overwritten",
        "def tally(words):\n    counts = {}\n    for word in words:\n        counts[word] = 1\n"
        "    return counts\n",
        (("tally(['a', 'b', 'a'])", {"a": 2, "b": 1}), ("tally(['a'])", {"a": 1})),
        (("tally(['a'] * 4)", {"a": 4}),),
    ),
    Bug(
        "missing key",
        "def stock(shelf, item, wanted):\n    held = shelf[item]\n    return held >= wanted\n",
        (("stock({}, 'tea', 1)", False), ("stock({'tea': 3}, 'tea', 2)", True)),
        (("stock({}, 'tea', 0)", True), ("stock({'tea': 1}, 'tea', 2)", False)),
    ),
    Bug(
        "joined without space",
        "def label(parts):\n    kept = [part.strip() for part in parts if part]\n    return ''.join(kept)\n",
        (("label(['a ', '', 'b'])", "a b"), ("label([])", "")),
        (("label(['x', 'y', 'z'])", "x y z"),),
    ),
    Bug(
        "grouping",
        "def celsius(fahrenheit):\n    return fahrenheit - 32 * 5 / 9\n",
        (("celsius(212)", 100.0), ("celsius(32)", 0.0)),
        (("celsius(50)", 10.0),),
    ),
    Bug(
        "descending",
        "def podium(scores):\n    ranked = sorted(scores.items(), key=lambda pair: pair[1])\n"
        "    return [name for name, _ in ranked[:3]]\n",
        (("podium({'a': 1, 'b': 5, 'c': 3, 'd': 4})", ["b", "d", "c"]), ("podium({})", [])),
        (("podium({'x': 1, 'y': 2})", ["y", "x"]),),
    ),
    Bug(
        "grid transposed",
        "def column(grid, index):\n    out = []\n    for row in range(len(grid)):\n"
        "        out.append(grid[index][row])\n"
        "    return out\n",
        (("column([[1, 2], [3, 4]], 0)", [1, 3]),),
        (("column([[1, 2, 3], [4, 5, 6]], 2)", [3, 6]),),
    ),
    Bug(
        "endless countdown",
        "def digits(number):\n    out = 0\n    while number > 0:\n        out += number % 10\n"
        "        number = number / 10\n"
        "    return out\n",
        (("digits(123)", 6), ("digits(0)", 0)),
        (("digits(99)", 18),),
    ),
    Bug(
        "second condition forgotten",
        "def leap(year):\n    if year % 400 == 0:\n        return True\n    if year % 100 != 0:\n"
        "        return False\n"
        "    return year % 4 == 0\n",
        (("leap(2000)", True), ("leap(1900)", False), ("leap(2024)", True), ("leap(2023)", False)),
        (("leap(2100)", False), ("leap(1996)", True)),
    ),
    Bug(
        "name misspelt",
        "def join_path(parts, separator):\n    cleaned = [part.strip(separator) for part in parts]\n"
        "    return seperator.join(cleaned)\n",
        (("join_path(['/a', 'b/'], '/')", "a/b"),),
        (("join_path(['x'], '-')", "x"),),
    ),
    Bug(
        "shared list",
        "def collect(item, into=[]):\n    into.append(item)\n    return into\n\n\ndef twice(item):\n"
        "    return collect(item) + collect(item)\n",
        (("twice(1)", [1, 1]), ("collect(3, [2])", [2, 3])),
        (("twice('a') + twice('b')", ["a", "a", "b", "b"]),),
    ),
]
WITHIN = 600


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.name)
def test_the_right_fix_is_found(bug):
    _, right = rank_of(bug)
    assert right is not None, bug.name
    assert right <= WITHIN


def test_half_of_the_fixes_come_early():
    ranks = [rank_of(bug)[1] or 10_000 for bug in BUGS]
    assert statistics.median(ranks) <= 60


if __name__ == "__main__":
    for each in BUGS:
        sys.stdout.write(f"{each.name:30} {rank_of(each)}\n")
