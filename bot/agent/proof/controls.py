"""Control tests: whether the verdict of a proof can be believed, from one more run on the same patch.

The code under test runs in the process that reports, so it can write a report. In this run each test that the
patch repairs fails at its end, and says so with a mark made for the run (``control_copies``). Where such a
test passes, or fails elsewhere, what its process reported before was not what the tests did, and the patch is
refused. The files of these tests are empty while they run: a patch that looks for the expected values there
fails. Code that finds the altered tests in memory gets past it; see docs/verdicts.md.
"""

import re
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from bot.agent.proof.control_copies import ControlCopies, control_copies
from bot.agent.proof.control_helpers import END, EQUAL
from bot.agent.proof.control_text import MUST_OBJECT
from bot.domain import Baseline
from bot.errors import listed
from bot.patch.text import encode
from bot.ports import Testbed
from sandbox.reports import TestReport, TestResult

SWALLOWED = "its decorator may turn its exception into another"
OWN_FILE = "it needs the text of its own file"
FORGED, UNBELIEVABLE = "the verdict is forged", "the verdict cannot be believed"
LISTED = 3

# Tests whose files are read while they run: for the source of a function, or by a process that imports them.
_READ_WHILE_RUN = re.compile(
    r"inspect|getsource|linecache|traceback|exc_info|multiprocessing|ProcessPool|open\(__file__|\w\.__file__"
    r"|subprocess|CURRENT_TEST"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """What the control run said: an ``objection``, or which tests were ``confirmed`` and which could not be.

    ``without`` gives the reason for each test that has no control test. ``lost`` are those that failed before
    their end, which is an objection.
    """

    objection: str = ""
    confirmed: tuple[str, ...] = ()
    without: tuple[tuple[str, str], ...] = ()
    lost: tuple[str, ...] = ()


def run_controls(
    testbed: Testbed,
    proof: TestReport,
    baseline: Baseline,
    *,
    sources: Mapping[str, str],
    changes: Mapping[str, bytes],
) -> Controls:
    """Run altered copies of the tests that passed in ``proof``, a run of the failing tests with ``changes``.

    It takes about as long as ``proof`` did. ``sources`` are the project's files without the changes.

    Raises:
        sandbox.errors.SandboxError: the sandbox itself failed.
    """

    def read(path: str) -> bytes | None:
        if path in changes:
            return changes[path]
        return encode(sources[path]) if path in sources else None

    mark = f"_{secrets.token_hex(8)}"
    frames = {result.test: result.frames for result in baseline.failing}

    texts: dict[str, frozenset[str]] = {}

    def run(*, unreadable: bool) -> Controls:
        tests = _repaired(proof, baseline)
        copies = control_copies(tests, read, mark=mark, frames=frames, unreadable=unreadable)
        texts.update(copies.texts)
        if not copies.tests:
            return Controls(without=copies.without)
        report = testbed.run(tests=list(copies.tests), changes={**changes, **copies.files})
        return judged(report, copies, mark)

    found = run(unreadable=True)
    if not found.lost:
        return found
    readable = run(unreadable=False)
    if readable.objection:
        return readable
    strange = [
        test
        for test in found.lost
        if not any(_READ_WHILE_RUN.search(sources.get(one, "")) for one in texts[test])
    ]
    return _with_own_files(readable, found.lost, strange)


def _with_own_files(readable: Controls, lost: Sequence[str], strange: Sequence[str]) -> Controls:
    """What the control tests that are ``lost`` without the text of their files mean: tests may need it.

    Nothing explains it for those that are ``strange``.
    """
    if strange:
        return Controls(
            objection=f"{UNBELIEVABLE}: the tests' files were read while they ran: {listed(strange, LISTED)}"
        )
    return replace(
        readable,
        confirmed=tuple(test for test in readable.confirmed if test not in lost),
        without=(*readable.without, *((test, OWN_FILE) for test in lost)),
    )


def own_file_doubts(controls: Controls) -> tuple[str, ...]:
    """What the tests that need the text of their files say against a patch, which may look there as well."""
    tests = [test for test, reason in controls.without if reason == OWN_FILE]
    return (f"the tests' files were read while they ran: {listed(tests, LISTED)}",) if tests else ()


def _repaired(proof: TestReport, baseline: Baseline) -> list[str]:
    """The tests that passed; those of a file stand for it where its name is that of a test."""
    passed = [result.test for result in proof.passing]
    tests = [test for test in passed if "::" in test]
    failing = baseline.fail_to_pass
    whole = {test for test in failing if "::" not in test}
    chosen = [one for one in tests if one in failing or one.partition("::")[0] in whole]
    held = {one.partition("::")[0] for one in chosen}
    return [*chosen, *sorted(whole - held)]


def judged(report: TestReport, copies: ControlCopies, mark: str) -> Controls:
    """What ``report`` on ``copies`` means for the patch."""
    passed = [result.test for result in report.passing if result.test in copies.tests]
    if passed:
        return Controls(
            objection=f"{FORGED}: control tests that fail are reported as passed: {listed(passed, LISTED)}"
        )
    if not report.complete or report.exit_status in {0, None}:
        how = report.problem or f"the run ended with exit status {report.exit_status}"
        return Controls(objection=f"{UNBELIEVABLE}: its control tests did not end: {how}")
    ends = {result.test: _end(result, mark) for result in report.results}
    wrong = [test for test in copies.tests if ends.get(test) and ends[test] != END]
    if wrong:
        return Controls(objection=_blunt(wrong[0], ends[wrong[0]]))
    lost = [test for test in copies.tests if ends.get(test) != END]
    if strict := [test for test in lost if test not in copies.lenient]:
        objection = f"{UNBELIEVABLE}: control tests failed before their end: {listed(strict, LISTED)}"
        return Controls(objection=objection, lost=tuple(strict))
    return Controls(
        confirmed=tuple(test for test in copies.tests if test not in lost),
        without=(*copies.without, *((test, SWALLOWED) for test in lost)),
    )


def _end(result: TestResult, mark: str) -> str:
    """What stands behind ``mark`` in the failure's message; empty where it does not occur."""
    _, found, rest = result.message.partition(f"{mark} ")
    return rest.split()[0] if found and result.status.is_failure and rest.split() else ""


def _blunt(test: str, what: str) -> str:
    if what == EQUAL:
        return f"{UNBELIEVABLE}: {test} compares a value that equals everything"
    # The message was written in the test process.
    method = what if what in MUST_OBJECT else "an assertion method"
    return f"{FORGED}: in {test}, {method} objects to nothing"
