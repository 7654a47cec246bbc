"""Read one block of unittest's report: ``FAIL: test_x (pkg.mod.Class)`` and the traceback below it.

nose and Django print the same blocks, and Twisted's trial much the same. What a test printed, which
``--buffer`` and nose add to the block, is left out. Of all blocks, as many are the runner's own as its result
counts.
"""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile

from bot.cilog.model import LogFailure, LogStatus
from bot.cilog.paths import project_path
from bot.cilog.runners.doctest_report import read_example
from bot.cilog.tracebacks.native import read_traceback

MAX_TITLE = 4_096

_SUBJECT = re.compile(r"[A-Z ]+: (?P<test>\S+ \([^()\s]+\))")
_TITLE = re.compile(r"(?P<kind>FAIL|ERROR|UNEXPECTED SUCCESS): (?P<name>.+)")
_TRIAL = re.compile(r"\[(?P<kind>FAIL|ERROR)\]")
_NAMED = re.compile(r"(?P<name>.+?) \((?P<owner>[^()\s]+)\)(?P<part>(?: .*)?)")
_LOADER = re.compile(r"unittest\.loader\.(?:_FailedTest|ModuleImportFailure|LoadTestsFailure)(?:\.|$)")
_NOSE_FAILURE = re.compile(r"Failure: (?P<type>[\w.]+) \((?P<message>.*)\)")
_NOSEPRINTED = re.compile(r"-+ >> begin captured .* << -+")
PRINTED = frozenset({"Stdout:", "Stderr:"})
_DURATIONS = "Slowest test durations"  # unittest's own, between the last block and the count
_DOTTED = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)+")
# Reported in the place of the tests that they are for.
_FIXTURES = {
    *("setUp", "setUpClass", "setUpModule", "tearDown", "tearDownClass", "tearDownModule"),
    *("asyncSetUp", "asyncTearDown", "doCleanups"),
}


@dataclass(slots=True)
class UnittestBlock:
    """One block as it was printed.

    ``after_output`` means that it follows text a test had printed, ``after_blank`` an empty line.
    """

    title: str
    log_line: int
    after_output: bool = False
    after_blank: bool = False
    lines: list[str] = field(default_factory=list)

    @property
    def status(self) -> LogStatus:
        """An error is anything but a failed assertion, as unittest counts."""
        return LogStatus.ERROR if "ERROR" in self.title.partition(":")[0] else LogStatus.FAILED

    @property
    def unexpected_success(self) -> bool:
        """Whether the test passed although it was expected to fail; the final line counts these apart."""
        return self.title.startswith("UNEXPECTED")


def is_title(line: str) -> bool:
    """Whether a block begins with this line."""
    return len(line) <= MAX_TITLE and bool(_TITLE.fullmatch(line) or _TRIAL.fullmatch(line))


def prints(line: str) -> bool:
    """Whether what follows this line of a block was printed by the test."""
    return line in PRINTED or (line.startswith("-----") and _NOSEPRINTED.fullmatch(line) is not None)


def read_unittest_block(block: UnittestBlock, *, roots: Iterable[str] = ()) -> LogFailure:
    """The failure that a block reports."""
    # up to what the test printed
    body = list(takewhile(lambda line: not prints(line) and line != _DURATIONS, block.lines))
    found = read_traceback(body, roots=roots)
    example = read_example(body, roots=roots) if "Failed doctest test" in found.message else None
    if example:
        said = example.detail
        found = replace(said, exception=said.exception or found.exception, related=found.related)
    elif block.unexpected_success:
        found = replace(found, message="the test was expected to fail, and passed")
    elif not found.exception and (broken := _NOSE_FAILURE.search(block.title[:MAX_TITLE])):
        found = replace(found, exception=broken["type"], message=broken["message"])
    elif not found.exception:
        found = replace(found, message=next((line for line in body if line.strip()), ""))
    test = _test_of(block.title, body, tuple(roots))
    return found.failure(test, block.status, log_line=block.log_line)


def _test_of(title: str, body: Sequence[str], roots: Sequence[str]) -> str:
    """The test's dotted id; a module's or a class's where none of its tests ran."""
    titled = _TITLE.fullmatch(title[:MAX_TITLE])
    if titled is None:
        # Trial names the tests below the traceback; of several that fail alike, the last is taken.
        return next((line for line in reversed(body) if _DOTTED.fullmatch(line)), "")
    name = titled["name"].strip()
    if broken := _NOSE_FAILURE.fullmatch(name):
        return _nose_module(body, roots) or broken["type"]
    found = _NAMED.fullmatch(name)
    if found is None:
        return name
    test, owner = found["name"], found["owner"]
    if _LOADER.match(owner):
        return test
    if test in _FIXTURES or owner == test or owner.endswith(f".{test}"):
        return owner
    doctest = next((line for line in body[:5] if line.startswith("Doctest: ")), "")
    return doctest.removeprefix("Doctest: ") or f"{owner}.{test}"


def _nose_module(body: Sequence[str], roots: Sequence[str]) -> str:
    """The file that nose failed to import: the first of the project that was being imported."""
    for line in body:
        found = re.match(r' *File "(?P<path>[^"]+)", line \d+, in <module>', line)
        path = project_path(found["path"], roots=roots) if found else None
        if path:
            return path
    return ""


def believed(
    blocks: Sequence[UnittestBlock], counts: dict[str, int], said: Collection[str]
) -> list[UnittestBlock]:
    """As many blocks of each kind as the result counts, in the report's order.

    With ``-v`` the run has ``said`` which tests failed. Else: an empty line stands before each block of a
    report; what a test printed while it ran stands before the report, so the last ones are the report's; what
    it printed into a block follows the mark of printed text.
    """
    wanted = {
        "failures": [one for one in blocks if one.status is LogStatus.FAILED and not one.unexpected_success],
        "errors": [one for one in blocks if one.status is LogStatus.ERROR],
        "unexpected successes": [one for one in blocks if one.unexpected_success],
    }

    def rank(one: UnittestBlock) -> tuple[bool, bool, bool, int]:
        return _subject(one.title) not in said, not one.after_blank, one.after_output, -one.log_line

    chosen: set[int] = set()
    for name, own in wanted.items():
        count = counts.get(name, 0)
        ranked = sorted(own, key=rank)
        chosen |= {id(one) for one in (ranked[:count] if len(own) > count else own)}
    return [one for one in blocks if id(one) in chosen]


def _subject(title: str) -> str:
    """The test in a block's title as the progress names it: without the subtest's parameters."""
    found = _SUBJECT.match(title)
    return found["test"] if found else title
